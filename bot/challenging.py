"""Challenging: whoever doubts an item says so under its answer; moderators judge and correct.

A correction made in a room holds in that room. Everywhere is the operator's, on the command line.
"""

from collections import Counter
from collections.abc import Collection

from bot import disputing
from bot.actions import Action, Verb
from bot.commands import Place
from bot.corrections import Challenge, Correction, Reason, allowed
from bot.disputing import Case
from bot.effects import Refusal
from bot.features import Feature
from bot.ids import ItemId, PackId, RoomId
from bot.items import Item, keys, option_count
from bot.menus import notice
from bot.packs import Pack
from bot.panels import Panel
from bot.people import Room
from bot.requests import Reply, Request
from bot.wording import Words, choose, words


class Challenging(Feature):
    """Takes challenges, shows the queue, and makes corrections."""

    commands = frozenset({"challenges"})
    verbs = frozenset({Verb.CHALLENGE})

    async def obey(self, request: Request, name: str, rest: str) -> Reply:  # noqa: ARG002 - one command without words
        """Show the queue of a room to who may decide there."""
        if request.place is not Place.ROOM:
            sentence = self.tools.words(request).say(
                "Challenges are judged in the group or channel where the quiz was played, by its "
                "admins."
            )
            return Reply(panel=notice(sentence))
        if not request.moderator:
            return self.tools.refusal(request, Refusal.MODERATORS)
        return Reply(panel=await self._queue(request, 0))

    async def press(self, request: Request, action: Action) -> Reply:
        """Take a challenge, or do what a button of the queue asks for."""
        if action.value in Reason._value2member_map_:
            return await self._challenge(request, action)
        if request.place is not Place.ROOM or not request.moderator:
            return self.tools.refusal(request, Refusal.MODERATORS)
        what, more = action.value[:1], action.value[1:]
        match what:
            case disputing.UNDO if more.isascii() and more.isdigit():
                return await self._undo(request, int(more))
            case disputing.PAGE if more.isascii() and more.isdigit():
                return Reply(panel=await self._queue(request, int(more)), replaces=True)
            case _:
                return await self._judge(request, action, what, more)

    async def tick(self, platforms: Collection[str]) -> None:
        """Tell rooms that have challenged an item what the operator has corrected since."""
        told = await self.tools.store.news(sorted(platforms))
        if told:
            await self.tools.host.narrator.keys.refresh()
            await self.tools.host.shelves.know(*(news.pack for news in told))
        for news in told:
            room = await self.tools.store.room_by_id(news.room)
            spoken = words(choose(room.settings.language, self.tools.language))
            await self._announce(room, (news.pack, news.item), news.people, spoken)

    # ------------------------------------------------------------ challenges

    async def _challenge(self, request: Request, action: Action) -> Reply:
        session = await self.tools.host.session(action.session)
        person = request.person.id
        if session is None or action.turn >= session.closed:
            return self.tools.refusal(request, Refusal.GONE)
        if session.owner not in {None, person}:
            return self.tools.refusal(request, Refusal.NOT_YOURS)
        store = self.tools.store
        here = session.room == request.room.id
        if not here and await store.response(session.id, action.turn, person) is None:
            return self.tools.refusal(request, Refusal.GONE)
        reason = Reason(action.value)
        challenge = Challenge(
            session=session.id,
            turn=action.turn,
            room=session.room,
            pack=session.pack_at(action.turn),
            item=session.draw.items[action.turn],
            participant=person,
            at=request.at or self.tools.clock.now(),
            reason=reason,
        )
        new = await store.challenge(challenge)
        spoken = self.tools.words(request)
        if reason is Reason.UNSAID:
            return Reply(panel=disputing.ask_why(session.id, action.turn, spoken, new=new))
        thanks = spoken.say("Thank you! Whoever looks after the questions will see it.")
        return Reply(panel=notice(thanks), replaces=True)

    # ------------------------------------------------------------ the queue

    async def _queue(self, request: Request, page: int) -> Panel:
        cases = await self._cases(request)
        spoken = self.tools.words(request)
        if not cases:
            return notice(spoken.say("No question is challenged here at the moment."))
        case = cases[min(page, len(cases) - 1)]
        return disputing.case_panel(case, keys(case.item), spoken)

    async def _cases(self, request: Request) -> list[Case]:
        waiting = await self.tools.store.challenges(request.room.id)
        await self.tools.host.shelves.know(*(one.pack for one in waiting))
        found = []
        for group in disputing.grouped(waiting):
            place = self._find(request, group[0].pack, group[0].item)
            if place:
                found.append((group, *place))
        return [
            Case(
                about=group[0],
                reasons=Counter(one.reason for one in group),
                pack=pack,
                item=item,
                page=page,
                pages=len(found),
            )
            for page, (group, pack, item) in enumerate(found)
        ]

    async def _judge(self, request: Request, action: Action, what: str, more: str) -> Reply:
        """Do what is asked about one challenged item: toggle, look, correct or reject."""
        about = (action.session, action.turn)
        every = await self._cases(request)
        case = next((one for one in every if _is_about(one, about)), None)
        if case is None:  # decided meanwhile
            return Reply(panel=await self._queue(request, 0), replaces=True)
        if what == disputing.REJECT:
            return await self._reject(request, case)
        right = disputing.read_places(more)
        if right is None or max(right, default=0) >= option_count(case.item):
            return self.tools.refusal(request, Refusal.GONE)
        spoken = self.tools.words(request)
        if what == disputing.TOGGLE:
            return Reply(panel=disputing.case_panel(case, right, spoken), replaces=True)
        correction = self._correction(request, case, right)
        if correction is None or what not in {disputing.PREVIEW, disputing.APPLY}:
            return self.tools.refusal(request, Refusal.GONE)
        versions = self._versions(correction.pack, correction.item)
        if what == disputing.PREVIEW:
            trial = await self.tools.store.correct(correction, versions, trial=True)
            panel = disputing.preview(case, right, trial.people, spoken)
            return Reply(panel=panel, replaces=True)
        done = await self.tools.store.correct(correction, versions)
        await self.tools.host.narrator.keys.refresh()
        public = words(choose(request.room.settings.language, spoken.language))
        about_item = (correction.pack, correction.item)
        await self._announce(request.room, about_item, done.people, public, done.correction.id)
        return Reply(panel=await self._queue(request, case.page), replaces=True)

    async def _reject(self, request: Request, case: Case) -> Reply:
        at = request.at or self.tools.clock.now()
        person, room = request.person.id, request.room.id
        await self.tools.store.reject(case.pack.id, case.item.id, room, person, at)
        return Reply(panel=await self._queue(request, case.page), replaces=True)

    async def _undo(self, request: Request, number: int) -> Reply:
        await self.tools.host.narrator.keys.refresh()
        made = self.tools.host.narrator.keys.find(number)
        if made is None or made.room != request.room.id:
            return self.tools.refusal(request, Refusal.GONE)
        await self.tools.host.shelves.know(made.pack)
        versions = self._versions(made.pack, made.item)
        done = await self.tools.store.undo(number, versions) if versions else None
        found = self._find(request, made.pack, made.item)
        if done is None or found is None:
            return self.tools.refusal(request, Refusal.GONE)
        await self.tools.host.narrator.keys.refresh()
        spoken = words(choose(request.room.settings.language, self.tools.words(request).language))
        panel = disputing.undone_panel(*found, done.people, spoken)
        return Reply(panel=panel, replaces=True, public=True)

    # ------------------------------------------------------------ helpers

    def _correction(self, request: Request, case: Case, right: frozenset[int]) -> Correction | None:
        original = self._versions(case.pack.id, case.item.id)
        if not allowed(case.item, right) or right == keys(case.item):
            return None
        return Correction(
            pack=case.pack.id,
            item=case.item.id,
            keys=right,
            was=keys(original[0]),
            at=request.at or self.tools.clock.now(),
            room=request.room.id,
            by=request.person.id,
        )

    async def _announce(
        self, room: Room, about: tuple[PackId, ItemId], people: int, spoken: Words, undo: int = 0
    ) -> None:
        """Tell a room what was corrected; if it cannot be told it is corrected all the same."""
        found = self._in_room(room.id, *about, spoken)
        if found:
            panel = disputing.corrected_panel(*found, people, spoken, undo)
            await self.tools.host.announce(room, panel)

    def _find(self, request: Request, pack: PackId, item: ItemId) -> tuple[Pack, Item] | None:
        return self._in_room(request.room.id, pack, item, self.tools.words(request))

    def _in_room(
        self, room: RoomId, pack: PackId, item: ItemId, spoken: Words
    ) -> tuple[Pack, Item] | None:
        """Give a pack and an item of it, with the keys that hold in a room."""
        known = self.tools.host.narrator.keys.pack(pack, room)
        found = known.item(item, spoken.language) if known else None
        return (known, found) if known and found else None

    def _versions(self, pack: PackId, item: ItemId) -> tuple[Item, ...]:
        """Give an item as its files have it, in each language."""
        original = self.tools.host.narrator.keys.original(pack)
        return original.versions(item) if original else ()


def _is_about(case: Case, about: tuple[str, int]) -> bool:
    return (case.about.session, case.about.turn) == about
