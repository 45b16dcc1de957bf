"""The desk: commands and buttons, whichever chat they come from, become calls and replies.

An adapter says who wants what, and where; the desk does it and gives back what to say to that
person. What a whole room sees goes through the host and its chat.
"""

import logging
from collections.abc import Collection
from dataclasses import replace

from bot import menus
from bot.actions import Action, Verb
from bot.answering import Given
from bot.banking import Banking
from bot.challenging import Challenging
from bot.commands import Place
from bot.effects import Refusal
from bot.errors import StoreError, UnknownPack
from bot.events import Advanced, Resumed, Skipped, Steering, Stopped
from bot.everyday import DailyQuestion
from bot.features import Feature, Tools
from bot.host import Host
from bot.ids import PackId
from bot.insight import Insight
from bot.linking import Linking
from bot.lookups import Lookups
from bot.menus import Setup, read_setup
from bot.modes import Mode, Rules
from bot.narrator import PackGone
from bot.packs import Library, Pack, short
from bot.panels import Button, Panel
from bot.people import rules_for
from bot.ports import Clock, Store
from bot.reports import act
from bot.requests import QuizWish, Reply, Request
from bot.reviewing import Reviewing
from bot.sequels import Sequels
from bot.session import Phase, Session
from bot.submissions import Chosen, pressed
from bot.wishes import Wish
from bot.workshop import Corner, Workshop

__all__ = ["Desk", "QuizWish", "Reply", "Request"]


_log = logging.getLogger(__name__)

FEATURES: tuple[type[Feature], ...] = (
    Banking,
    Challenging,
    DailyQuestion,
    Insight,
    Linking,
    Reviewing,
    Sequels,
)


class Desk(Lookups):
    """Serves commands and buttons over one host."""

    def __init__(
        self,
        *,
        host: Host,
        store: Store,
        library: Library,
        clock: Clock,
        language: str = "en",
        workshop: Workshop | None = None,
    ) -> None:
        """Take the collaborators; `language` is what is spoken to who has not chosen any.

        Without a `workshop` no pictures are drawn.
        """
        tools = Tools(
            host=host,
            store=store,
            library=library,
            clock=clock,
            language=language,
            workshop=workshop or Corner(),
        )
        super().__init__(tools)
        self._host = host
        self._features = tuple(made(tools) for made in FEATURES)
        self.banking = next(one for one in self._features if isinstance(one, Banking))

    # ------------------------------------------------------------ quizzes

    async def quiz(self, request: Request, wish: QuizWish) -> Reply | None:
        """Start a quiz, or offer what is needed to start one."""
        shelf = await self.shelf(request)
        if not wish.pack and len(shelf) != 1:
            return Reply(panel=menus.packs(shelf, 0, self.words(request)))
        try:
            pack = shelf.find(wish.pack) if wish.pack else next(iter(shelf))
        except UnknownPack as unknown:
            return Reply(panel=self._unknown(unknown, shelf, request))
        if wish.mode is None and request.place is Place.ROOM:
            return self._setup(request, pack, wish)
        return await self._start(request, pack, wish.mode or Mode.SOLO, wish.count, wish.seconds)

    async def play(self, request: Request, pack_id: str, mode: Mode | None = None) -> Reply | None:
        """Start the pack a button names."""
        await self._host.shelves.know(PackId(pack_id))
        pack = self._library.playable(pack_id)
        if pack is None:
            return self.refusal(request, Refusal.GONE)
        if mode is None and request.place is Place.ROOM:
            return self._setup(request, pack, QuizWish())
        return await self._start(request, pack, mode or Mode.SOLO)

    async def is_linked(self, pack_id: str) -> bool:
        """Tell whether a link leads to a pack that somebody has brought in: who was given the
        link may play it.
        """
        await self._host.shelves.know(PackId(pack_id))
        return self._library.held(pack_id) is not None

    async def resume(self, request: Request) -> Reply | None:
        """Go on with what waits here: one's own quiz, or the room's."""
        session = await self._waiting(request)
        if session is None:
            return Reply(panel=menus.nothing_here(self.words(request)))
        if session.phase is not Phase.PAUSED:
            await self._host.take_up(session, via=request.via)
        await self._steer(request, session, Resumed)
        return None

    async def skip(self, request: Request) -> Reply | None:
        """Leave out the current item of what runs here."""
        session = await self._waiting(request)
        if session is None:
            return Reply(panel=menus.nothing_here(self.words(request)))
        await self._turn(request, session, Skipped, session.turn)
        return None

    async def stop(self, request: Request) -> Reply | None:
        """End what runs or waits here."""
        session = await self._waiting(request)
        if session is None:
            return Reply(panel=menus.nothing_here(self.words(request)))
        await self._steer(request, session, Stopped)
        return None

    # ------------------------------------------------------------ buttons

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Do what a button asks for; answers are taken by `answer`."""
        match action.verb:
            case Verb.ANSWER | Verb.TYPE:
                return None
            case Verb.NEXT | Verb.SKIP | Verb.STOP | Verb.RESUME:
                return await self._move(request, action)
            case Verb.PLAY:
                alone = Mode.SOLO if action.turn else None
                return await self.play(request, action.value, alone)
            case Verb.PACKS:
                return replace(await self.packs(request, action.turn), replaces=True)
            case Verb.BOARD:
                return await self.own_place(request, action)
            case Verb.SETUP:
                return await self._set_up(request, action)
            case Verb.SETTING:
                return await self.turn(request, action.value)
            case _:
                feature = next(one for one in self._features if action.verb in one.verbs)
                return await feature.press(request, action)

    async def answer(
        self, request: Request, action: Action, text: str | None = None
    ) -> Reply | None:
        """Take an answer: the options a button or form names, or a text.

        The chat tells the verdict; there is a reply only where the quiz is gone.
        """
        if text is None:
            chosen = pressed(action.value)
            if chosen is None:
                return None
            answer: Chosen | str = chosen[0]
            sure: bool | None = chosen[1]
        else:
            answer, sure = text, None
        given = Given(
            session=action.session,
            turn=action.turn,
            answer=answer,
            by=request.person,
            at=request.at or self._clock.now(),
            sure=sure,
        )
        why = await self._host.answer(given, via=request.via)
        return self.refusal(request, why) if why is Refusal.GONE else None

    # ------------------------------------------------------------ features

    async def packs(self, request: Request, page: int = 0) -> Reply:
        """List the packs, and lead to those that the person may look after."""
        reply = await super().packs(request, page)
        if not self.banking.managing.any(request):
            return reply
        manage = Button(label=self.words(request).say("Manage"), action=act("list"))
        panel = replace(reply.panel, buttons=(*reply.panel.buttons, manage))
        return replace(reply, panel=panel)

    async def imported(self, request: Request, name: str, content: bytes) -> Reply:
        """Take a file with questions, and say what would become of it."""
        return await self.banking.imported(request, name, content)

    async def obey(self, request: Request, name: str, rest: str) -> Reply | None:
        """Obey a command of one of the features; any other shows the help."""
        for feature in self._features:
            if name in feature.commands:
                return await feature.obey(request, name, rest)
        return self.help(request)

    async def tick(self, platforms: Collection[str]) -> None:
        """Do what is due without anybody asking; to be called every few seconds.

        What one feature cannot do keeps no other from it. Raises StoreError.
        """
        for feature in self._features:
            try:
                await feature.tick(platforms)
            except StoreError:
                raise
            except Exception:  # noqa: BLE001 - an edge: logged, and tried again
                _log.exception("not done", extra={"feature": type(feature).__name__})

    # ------------------------------------------------------------ helpers

    async def _start(
        self,
        request: Request,
        pack: Pack,
        mode: Mode,
        count: int | None = None,
        seconds: int | None = None,
    ) -> Reply | None:
        settings = request.room.settings
        rules = rules_for(settings, Rules(mode=mode, seconds=seconds or settings.seconds))
        if rules.policy.shared and not self._may_start(request):
            return self.refusal(request, Refusal.MODERATORS)
        language = "" if rules.policy.shared else self.words(request).language
        wish = Wish(pack=pack, rules=rules, count=count, language=language)
        return await self._tools.begin(request, wish)

    def _may_start(self, request: Request) -> bool:
        return request.moderator or request.room.settings.starters == "everyone"

    def _setup(self, request: Request, pack: Pack, wish: QuizWish) -> Reply:
        if not self._may_start(request):
            return self.refusal(request, Refusal.MODERATORS)
        settings = request.room.settings
        mode = wish.mode or (Mode(settings.mode) if settings.mode else Mode.LIVE)
        setup = Setup(
            pack=short(pack.id),
            count=min(menus.COUNTS, key=lambda count: abs(count - (wish.count or 10))),
            seconds=wish.seconds or settings.seconds,
            mode=mode,
        )
        return Reply(panel=menus.setup_card(setup, pack, self.words(request)), public=True)

    async def _set_up(self, request: Request, action: Action) -> Reply | None:
        setup = read_setup(action.value)
        if setup:
            await self._host.shelves.know(PackId(setup.pack))
        pack = self._library.playable(setup.pack) if setup else None
        if setup is None or pack is None:
            return self.refusal(request, Refusal.GONE)
        if not self._may_start(request):
            return self.refusal(request, Refusal.MODERATORS)
        if action.turn:
            return await self._start(request, pack, setup.mode, setup.count or None, setup.seconds)
        card = menus.setup_card(setup, pack, self.words(request))
        return Reply(panel=card, replaces=True, public=True)

    async def _move(self, request: Request, action: Action) -> Reply | None:
        session = await self._host.session(action.session)
        if session is None:
            return self.refusal(request, Refusal.GONE)
        if session.phase is Phase.FINISHED:
            return await self._ended(request, session, action)
        match action.verb:
            case Verb.NEXT:
                await self._turn(request, session, Advanced, action.turn)
            case Verb.SKIP:
                await self._turn(request, session, Skipped, action.turn)
            case Verb.STOP:
                await self._steer(request, session, Stopped)
            case _:
                await self._steer(request, session, Resumed)
        return None

    async def _ended(self, request: Request, session: Session, action: Action) -> Reply:
        """Show the result once more to who asks for it and may never have seen it."""
        if session.owner != request.person.id or action.verb is not Verb.NEXT:
            return self.refusal(request, Refusal.GONE)
        try:
            summary = await self._host.narrator.summary(session, request.person)
        except PackGone:
            return self.refusal(request, Refusal.GONE)
        return Reply(panel=summary, replaces=True)

    async def _steer(
        self, request: Request, session: Session, event: type[Resumed] | type[Stopped]
    ) -> None:
        happened = event(at=self._clock.now(), by=request.person.id, moderator=request.moderator)
        await self._happen(request, session, happened)

    async def _turn(
        self, request: Request, session: Session, event: type[Advanced] | type[Skipped], turn: int
    ) -> None:
        happened = event(
            at=self._clock.now(), by=request.person.id, moderator=request.moderator, turn=turn
        )
        await self._happen(request, session, happened)

    async def _happen(self, request: Request, session: Session, event: Steering) -> None:
        await self._host.steer(session.id, event, via=request.via, by=request.person)

    async def _waiting(self, request: Request) -> Session | None:
        """Give what a person means by "the quiz" here: their own, unless the room's is theirs."""
        own = await self._store.open_session(request.room.id, request.person.id)
        shared = await self._store.open_session(request.room.id, None)
        if shared and (own is None or shared.starter == request.person.id):
            return shared
        return own

    def _unknown(self, unknown: UnknownPack, seen: Library, request: Request) -> Panel:
        spoken = self.words(request)
        shelf = menus.packs(seen, 0, spoken)
        return replace(shelf, body=menus.notice(menus.unknown_quiz(unknown, spoken)).body)
