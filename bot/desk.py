"""The desk: commands and buttons, whichever chat they come from, become calls and replies.

An adapter says who wants what, and where; the desk does it and gives back what to say to that
person. What a whole room sees goes through the host and its chat.
"""

from collections.abc import Collection
from dataclasses import replace

from bot import menus
from bot.actions import Action, Verb
from bot.answering import Given
from bot.commands import Place
from bot.effects import Refusal
from bot.errors import UnknownPack
from bot.events import Advanced, Resumed, Skipped, Steering, Stopped
from bot.features import Feature, Tools
from bot.host import Host
from bot.insight import Insight
from bot.linking import Linking
from bot.lookups import Lookups
from bot.menus import Setup, read_setup
from bot.modes import Mode, Rules
from bot.packs import Library, Pack, short
from bot.panels import Panel
from bot.people import rules_for
from bot.ports import Clock, Store
from bot.requests import QuizWish, Reply, Request
from bot.review_panels import MISSED
from bot.reviewing import Reviewing
from bot.session import Phase, Session
from bot.submissions import Chosen, pressed
from bot.text import literal
from bot.wishes import Mixture, Wish
from bot.wording import Words, choose
from bot.workshop import Corner, Workshop

__all__ = ["Desk", "QuizWish", "Reply", "Request"]


FEATURES: tuple[type[Feature], ...] = (Insight, Linking, Reviewing)


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
        super().__init__(store=store, library=library, clock=clock, language=language)
        self._host = host
        tools = Tools(
            host=host,
            store=store,
            library=library,
            clock=clock,
            language=language,
            workshop=workshop or Corner(),
        )
        self._features = tuple(made(tools) for made in FEATURES)

    # ------------------------------------------------------------ quizzes

    async def quiz(self, request: Request, wish: QuizWish) -> Reply | None:
        """Start a quiz, or offer what is needed to start one."""
        spoken = self.words(request)
        if not wish.pack and len(self._library) != 1:
            return Reply(panel=menus.packs(self._library, 0, spoken))
        try:
            pack = self._library.find(wish.pack) if wish.pack else next(iter(self._library))
        except UnknownPack as unknown:
            return Reply(panel=self._unknown(unknown, spoken))
        if wish.mode is None and request.place is Place.ROOM:
            return self._setup(request, pack, wish)
        return await self._start(request, pack, wish.mode or Mode.SOLO, wish.count, wish.seconds)

    async def play(self, request: Request, pack_id: str, mode: Mode | None = None) -> Reply | None:
        """Start the pack a button names."""
        pack = self._library.get(pack_id)
        if pack is None:
            return self.refusal(request, Refusal.GONE)
        if mode is None and request.place is Place.ROOM:
            return self._setup(request, pack, QuizWish())
        return await self._start(request, pack, mode or Mode.SOLO)

    async def resume(self, request: Request) -> Reply | None:
        """Go on with what waits here: one's own quiz, or the room's."""
        session = await self._waiting(request)
        if session is None:
            return self._nothing_to_do(request)
        if session.phase is not Phase.PAUSED:
            await self._host.take_up(session, via=request.via)
        await self._steer(request, session, Resumed)
        return None

    async def skip(self, request: Request) -> Reply | None:
        """Leave out the current item of what runs here."""
        session = await self._waiting(request)
        if session is None:
            return self._nothing_to_do(request)
        await self._turn(request, session, Skipped, session.turn)
        return None

    async def stop(self, request: Request) -> Reply | None:
        """End what runs or waits here."""
        session = await self._waiting(request)
        if session is None:
            return self._nothing_to_do(request)
        await self._steer(request, session, Stopped)
        return None

    # ------------------------------------------------------------ buttons

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Do what a button asks for; answers are taken by `answer`."""
        match action.verb:
            case Verb.ANSWER | Verb.TYPE:
                return None
            case Verb.SHARE:
                return await self._share(request, action)
            case Verb.NEXT | Verb.SKIP | Verb.STOP | Verb.RESUME:
                return await self._move(request, action)
            case Verb.MISSED:
                return await self._missed(request, action)
            case Verb.PLAY:
                alone = Mode.SOLO if action.turn else None
                return await self.play(request, action.value, alone)
            case Verb.PACKS:
                return replace(self.packs(request, action.turn), replaces=True)
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

    async def obey(self, request: Request, name: str, rest: str) -> Reply | None:
        """Obey a command of one of the features; any other shows the help."""
        for feature in self._features:
            if name in feature.commands:
                return await feature.obey(request, name, rest)
        return self.help(request)

    async def tick(self, platforms: Collection[str]) -> None:
        """Do what is due without anybody asking; to be called every few seconds."""
        for feature in self._features:
            await feature.tick(platforms)

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
        return await self._begin(request, wish)

    async def _begin(self, request: Request, wish: Wish | Mixture) -> Reply | None:
        begun = await self._host.start(wish, room=request.room, by=request.person, via=request.via)
        return self.refusal(request, begun) if isinstance(begun, Refusal) else None

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
        pack = self._library.get(setup.pack) if setup else None
        if setup is None or pack is None:
            return self.refusal(request, Refusal.GONE)
        if not self._may_start(request):
            return self.refusal(request, Refusal.MODERATORS)
        if action.turn:
            return await self._start(request, pack, setup.mode, setup.count or None, setup.seconds)
        card = menus.setup_card(setup, pack, self.words(request))
        return Reply(panel=card, replaces=True, public=True)

    async def _missed(self, request: Request, action: Action) -> Reply | None:
        """Ask again what was missed in a session of one's own."""
        old = await self._host.session(action.session)
        if old is None:
            return self.refusal(request, Refusal.GONE)
        if old.owner != request.person.id:
            return self.refusal(request, Refusal.NOT_YOURS)
        responses = await self._store.responses(old.id, request.person.id)
        right = {response.item for response in responses if response.grade == 1}
        asked = zip(map(old.pack_at, range(max(old.closed, 1))), old.draw.items, strict=False)
        missed = tuple((pack, item) for pack, item in asked if item not in right)
        if not missed:
            return self._nothing_to_do(request)
        rules = replace(old.rules, mode=Mode.SOLO)
        if old.mixed:
            mixture = Mixture(pack_id=MISSED, items=missed, rules=rules, language=old.language)
            return await self._begin(request, mixture)
        pack = self._library.get(old.pack)
        if pack is None:
            return self.refusal(request, Refusal.GONE)
        only = frozenset(item for _, item in missed)
        wish = Wish(pack=pack, rules=rules, language=old.language, only=only)
        return await self._begin(request, wish)

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
        summary = await self._host.narrator.summary(session, request.person)
        return Reply(panel=summary, replaces=True)

    async def _share(self, request: Request, action: Action) -> Reply | None:
        """Let a room see the result of a quiz of one's own, once it is over."""
        session = await self._host.session(action.session)
        if session is None or session.phase is not Phase.FINISHED:
            return self.refusal(request, Refusal.GONE)
        if session.owner != request.person.id:
            return self.refusal(request, Refusal.NOT_YOURS)
        language = choose(request.room.settings.language, session.language, self._language)
        result = await self._host.narrator.shared_result(session, request.person, language)
        return Reply(panel=result, public=True)

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

    def _unknown(self, unknown: UnknownPack, spoken: Words) -> Panel:
        near = ", ".join(f"`{name}`" for name in unknown.near)
        sentence = spoken.say("I know no quiz called “{name}”.", name=literal(unknown.name))
        if near:
            sentence += " " + spoken.say("Did you mean {names}?", names=near)
        shelf = menus.packs(self._library, 0, spoken)
        return replace(shelf, body=menus.notice(sentence).body)

    def _nothing_to_do(self, request: Request) -> Reply:
        sentence = self.words(request).say("There is no quiz here at the moment. Type /quiz!")
        return Reply(panel=menus.notice(sentence))
