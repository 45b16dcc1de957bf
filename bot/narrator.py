"""The narrator: looks up what an effect needs to know, and has it put in words."""

from collections import OrderedDict, defaultdict
from datetime import date, timedelta

from bot.dailies import day_of, run, streak
from bot.effects import Refusal, Trouble
from bot.errors import KuisError
from bot.ids import ItemId, ParticipantId, RoomId
from bot.items import Item
from bot.keying import Keys
from bot.modes import Mode
from bot.mornings import Record, daily_question, daily_receipt, daily_reveal, switched_off
from bot.packs import Library, Pack
from bot.panels import Panel
from bot.people import Participant, Room, called
from bot.ports import Clock, Response, Store
from bot.recollecting import Recollection, zone_of
from bot.review_panels import closing, mixed_title
from bot.scoring import Standing, rank
from bot.session import Session
from bot.shelving import Shelves
from bot.showing import Staged, given, hint, question, receipt, reveal, stage, verdict
from bot.summing import (
    MEDALS,
    Outcome,
    paused,
    private_summary,
    refused,
    shared_result,
    shared_summary,
)
from bot.text import literal
from bot.wording import Words, choose, words

PODIUM = 3
REMEMBERED = 512
YEAR = timedelta(days=366)
"""How far back streaks are followed."""

WEEKS = timedelta(weeks=3)


class PackGone(KuisError):
    """The pack or the item of a stored session exists no longer; `refusal` is what to say to it."""

    refusal = Refusal.GONE


class ItemGone(PackGone):
    """The item exists no longer, but its pack does."""

    refusal = Refusal.CLOSED


class Narrator:
    """Makes the panels of sessions; reads the store and the library, changes neither."""

    def __init__(
        self,
        *,
        store: Store,
        library: Library,
        shelves: Shelves | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Take where scores and items are read; `keys` are those that hold by now.

        By the clock a review's end says what is due.
        """
        self._store = store
        self._clock = clock
        self.keys = Keys(store=store, library=library)
        self._shelves = shelves or Shelves(store=store, library=library)
        self._recollection = Recollection(store=store, library=library, shelves=self._shelves)
        self._receipts: OrderedDict[tuple[object, ...], Panel] = OrderedDict()

    async def refresh(self) -> None:
        """Learn of packs and keys that have changed, here or elsewhere."""
        await self._shelves.refresh()
        await self.keys.refresh()

    def pack(self, session: Session, turn: int = 0) -> Pack:
        """Give the pack that the item of a turn is of. Raises PackGone."""
        pack = self.keys.pack(session.pack_at(turn), session.room)
        if pack is None:
            raise PackGone(session.pack_at(turn))
        return pack

    def title(self, session: Session, language: str) -> str:
        """Give the title of a session: that of its pack, if it has one only. Raises PackGone."""
        if session.mixed:
            return mixed_title(session.pack, words(language))
        return self.pack(session).edition(language).title

    def versions(self, session: Session, turn: int, language: str) -> tuple[Item, ...]:
        """Give the item of a turn in every language, the wanted one first. Raises PackGone."""
        item_id: ItemId = session.draw.items[turn]
        pack = self.pack(session, turn)
        first = pack.item(item_id, language)
        if first is None:
            raise ItemGone(item_id)
        return (first, *(item for item in pack.versions(item_id) if item is not first))

    def language(self, session: Session, reader: Participant | None) -> str:
        """Choose a language: a reader's own in private, the session's in public."""
        return choose(reader.language if reader and reader.language else "", session.language)

    def staged(self, session: Session, turn: int, reader: Participant | None) -> Staged:
        """Take the item of a turn in the language of a reader (None: of the room)."""
        language = self.language(session, reader)
        return stage(session, self.versions(session, turn, language), turn, words(language))

    def question(self, session: Session, reader: Participant | None) -> Panel:
        """Show the item of the current turn."""
        staged = self.staged(session, session.turn, reader)
        return (daily_question if _is_daily(session) else question)(session, staged)

    async def reveal(
        self, session: Session, reader: Participant | None, response: Response | None = None
    ) -> Panel:
        """Show the answer: a verdict to the person of a private session, else to the room.

        A `response` at hand need not be read again.
        """
        staged = self.staged(session, session.turn, reader)
        if session.owner is not None:
            known = response or await self._store.response(session.id, session.turn, session.owner)
            return verdict(session, staged, known)
        tally = await self._store.tally(session.id, session.turn)
        if _is_daily(session):
            record = await self._morning(session.room, day_of(session.id))
            return daily_reveal(session, staged, tally, record)
        return reveal(session, staged, tally, await self._leaders(session, staged.words))

    def receipt(self, session: Session, reader: Participant, response: Response) -> Panel:
        """Tell one person of a shared session what was recorded; many are told the same."""
        language = self.language(session, reader)
        said = (response.submission, response.grade, response.sure)
        key = (session.id, session.turn, self.keys.stamp, language, *said)
        if key not in self._receipts:
            staged = self.staged(session, session.turn, reader)
            daily = _is_daily(session)
            told = daily_receipt(staged, response) if daily else receipt(session, staged, response)
            self._receipts[key] = told
            if len(self._receipts) > REMEMBERED:
                self._receipts.popitem(last=False)
        return self._receipts[key]

    async def summary(self, session: Session, reader: Participant | None) -> Panel:
        """Show how a session ended."""
        language = self.language(session, reader)
        title = self.title(session, language)
        if session.owner is None:
            standings = await self.standings(session)
            return shared_summary(session, standings, title, words(language))
        outcome = await self._outcome(session, session.owner, reader)
        panel = private_summary(session, outcome, title, words(language))
        return await self._with_agenda(panel, session, session.owner, words(language))

    async def shared_result(self, session: Session, reader: Participant, language: str) -> Panel:
        """Tell a room what somebody scored on their own."""
        outcome = await self._outcome(session, reader.id, reader)
        if not outcome.turns:
            raise PackGone(session.pack)
        title = self.title(session, language)
        return shared_result(session, outcome, title, reader.shown, words(language))

    async def standings(self, session: Session) -> tuple[Standing, ...]:
        """Rank everybody in a session."""
        return rank(await self._store.standings(session), by_time=session.rules.speed_bonus)

    async def already(self, session: Session, response: Response, reader: Participant) -> Panel:
        """Tell somebody that they have answered; and what, unless the item is gone."""
        try:
            staged = self.staged(session, response.turn, reader)
        except PackGone:
            return self.refused(session, Refusal.ALREADY, reader)
        detail = given(staged, response.submission, unsure=response.sure is False)
        return refused(Refusal.ALREADY, staged.words, detail=detail)

    def refused(self, session: Session, why: Refusal, reader: Participant | None) -> Panel:
        """Say politely why not."""
        return refused(why, words(self.language(session, reader)))

    def turned_down(
        self, session: Session, turn: int, why: Refusal, reader: Participant, late: float
    ) -> Panel:
        """Say why an answer was not taken: by how much it was late, or how to write it."""
        chosen = words(self.language(session, reader))
        if why is Refusal.UNREADABLE:
            return refused(why, chosen, detail=hint(self.staged(session, turn, reader)))
        return refused(why, chosen, detail=chosen.seconds(max(0.1, late)))

    def paused(self, session: Session, trouble: Trouble, reader: Participant | None) -> Panel:
        """Say that a session is paused."""
        chosen = words(self.language(session, reader))
        if _is_daily(session):
            return switched_off(session.id, trouble, chosen)
        return paused(session, trouble, chosen)

    async def month(self, room: RoomId, day: date) -> Record:
        """Give how the daily questions of a room have gone in the month of a date, up to it."""
        first = day.replace(day=1)
        days = [one for one in await self._store.daily_days(room, first) if one <= day]
        return Record(days=days, answers=await self._store.daily_answers(room, first))

    async def streak(self, room: RoomId, who: ParticipantId, day: date) -> int:
        """Count how many days somebody has kept up by the daily question of a date, with
        whichever of their accounts.
        """
        days = [one for one in await self._store.daily_days(room, day - YEAR) if one <= day]
        theirs: set[date] = set()
        for one in await self._store.identities(who):
            answers = await self._store.daily_answers(room, day - YEAR, of=one)
            theirs |= {answer.day for answer in answers}
        return streak(days, theirs)

    async def _morning(self, room: RoomId, day: date) -> Record:
        """Give the answers of a day, with the streaks of who gave them.

        Few streaks are long, so whole years are read of those people alone.
        """
        days = list(await self._store.daily_days(room, day - WEEKS))
        answers = await self._store.daily_answers(room, day - WEEKS)
        theirs = defaultdict[ParticipantId, set[date]](set)
        for one in answers:
            theirs[one.participant].add(one.day)
        streaks = {}
        for who in (one.participant for one in answers if one.day == day):
            streaks[who] = streak(days, theirs[who])
            if len(run(days, theirs[who])) == len(days):
                streaks[who] = await self.streak(room, who, day)
        return Record(days=days, answers=answers, streaks=streaks)

    async def _outcome(
        self, session: Session, owner: ParticipantId, reader: Participant | None
    ) -> Outcome:
        responses = await self._store.responses(session.id, owner)
        given_ = {response.turn: response for response in responses}
        turns = range(max(session.closed, 1 + max(given_, default=-1)))
        there = {turn: staged for turn in turns if (staged := self._there(session, turn, reader))}
        return Outcome(
            turns=tuple((staged, given_.get(turn)) for turn, staged in there.items()),
            practice=await self._store.practice(session.id, owner),
            seconds=sum(response.elapsed for response in responses),
            gone=len(turns) - len(there),
        )

    def _there(self, session: Session, turn: int, reader: Participant | None) -> Staged | None:
        """Stage a turn; None for an item that is gone. Raises PackGone if there was one pack only,
        and it is gone.
        """
        try:
            return self.staged(session, turn, reader)
        except ItemGone:
            return None
        except PackGone:
            if session.mixed:
                return None
            raise

    async def _with_agenda(
        self, panel: Panel, session: Session, owner: ParticipantId, chosen: Words
    ) -> Panel:
        """Say at the end of a review what is due now and tomorrow."""
        if not session.mixed or self._clock is None:
            return panel
        reminder = await self._store.reminder(owner)
        room = await self._store.room_by_id(session.room)
        zone = zone_of(reminder, room)
        known = await self._recollection.of(owner, zone)
        today = known.agenda(now=self._clock.now())
        return closing(panel, session, today, chosen, reminded=reminder is not None)

    async def _leaders(self, session: Session, chosen: Words) -> str:
        if session.last:
            return ""
        ahead = (await self.standings(session))[:PODIUM]
        named = [(row, literal(called(row.name, chosen))) for row in ahead]
        return " · ".join(
            f"{MEDALS.get(row.place, '')} {name} {chosen.number(row.points)}".strip()
            for row, name in named
        )


def _is_daily(session: Session) -> bool:
    return session.rules.mode is Mode.DAILY


def room_language(room: Room, starter: Participant, fallback: str) -> str:
    """Choose the language of a session: the room's choice, or its starter's, or the setting."""
    return choose(room.settings.language, starter.language, fallback)
