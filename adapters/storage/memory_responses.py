"""Responses in memory."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from adapters.storage.rows import full_time
from adapters.storage.values import response_row, row_response
from bot.banks import Parcel, StoredPack
from bot.corrections import Challenge, Correction, News
from bot.dailies import Daily
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.people import Participant, Room
from bot.ports import Receipt, Response, Tally
from bot.reminders import Reminder
from bot.scoring import Standing
from bot.session import Phase, Session
from bot.submissions import Submission

Key: TypeAlias = tuple[SessionId, int, ParticipantId]
ScoreKey: TypeAlias = tuple[RoomId, ParticipantId, PackId, ItemId, str]
Place: TypeAlias = tuple[RoomId, str, PackId, ItemId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code for joining, as `links` keeps it."""

    digest: str
    room: RoomId
    expires: datetime
    guest: ParticipantId | None = None
    used: bool = False


class MemoryData:
    """What the parts of the store in memory share."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._rooms = dict[RoomId, Room]()
        self._participants = dict[ParticipantId, Participant]()
        self._chosen = set[ParticipantId]()
        self._sessions = dict[SessionId, Session]()
        self._kept = set[SessionId]()
        self._responses = dict[Key, Response]()
        self._scores = dict[ScoreKey, Response]()
        self._asked = dict[Place, int]()
        self._notes = dict[str, str]()
        self._links = dict[ParticipantId, str]()
        self._codes = dict[ParticipantId, Code]()
        self._tries = dict[ParticipantId, tuple[int, datetime]]()
        self._reminders = dict[ParticipantId, Reminder]()
        self._packs = dict[PackId, StoredPack]()
        self._parcels = dict[str, Parcel]()
        self._packs_stamp = ""
        self._corrections = list[Correction]()
        self._challenges = dict[Key, Challenge]()
        self._news = list[News]()
        self._stamp = 0
        self._forgotten = set[ParticipantId]()
        self._dailies = dict[RoomId, Daily]()

    def _shown(self, participant: ParticipantId) -> str:
        person = self._participants.get(participant)
        return person.shown if person else ""

    def _identities(self, participant: ParticipantId) -> list[ParticipantId]:
        person = self._links.get(participant)
        others = sorted(one for one, theirs in self._links.items() if theirs == person)
        return [participant, *(one for one in others if one != participant)]

    def _part(self, participant: ParticipantId) -> bool:
        """Take a participant out of the person they are part of; who is left alone is none."""
        others = self._identities(participant)[1:]
        if len(others) == 1:
            del self._links[others[0]]
        return self._links.pop(participant, None) is not None

    def _score(self, response: Response) -> None:
        """Let a response count if it is the earliest of its week."""
        key = _score_key(response)
        self._scores[key] = min(response, self._scores.get(key, response), key=_order)

    def _rescore(self, response: Response) -> None:
        """Let a response be worth something else, and its score if it is the one that counts."""
        key = (response.session, response.turn, response.participant)
        won = _score_key(response)
        if self._scores.get(won) == self._responses[key]:
            self._scores[won] = response
        self._responses[key] = response

    def _is_open(self, session: SessionId, turn: int) -> bool:
        found = self._sessions.get(session)
        return bool(found and found.turn == turn and found.phase in {Phase.ASKING, Phase.OPEN})


class MemoryResponses(MemoryData):
    """The part of the store that knows what everybody answered."""

    async def record(self, response: Response, *, replace: bool = False) -> Receipt:
        """Keep a response if its turn is still open.

        A second one from the same participant changes nothing, unless `replace` lets it. One that
        was graded before the latest correction is STALE, and not kept.
        """
        key = (response.session, response.turn, response.participant)
        if response.participant in self._forgotten or not self._is_open(
            response.session, response.turn
        ):
            return Receipt.CLOSED
        if response.keyed < self._stamp:
            return Receipt.STALE
        known = key in self._responses
        if known and not replace:
            return Receipt.ALREADY
        room = self._sessions[response.session].room
        self._responses[key] = row_response({**response_row(response), "room": room})
        return Receipt.CHANGED if known else Receipt.RECORDED

    async def response(
        self, session: SessionId, turn: int, participant: ParticipantId
    ) -> Response | None:
        """Give what a participant answered in a turn."""
        return self._responses.get((session, turn, participant))

    async def withdraw(self, session: SessionId, turn: int, participant: ParticipantId) -> bool:
        """Take a response back while its turn is open; tell whether there was one."""
        if not self._is_open(session, turn):
            return False
        return self._responses.pop((session, turn, participant), None) is not None

    async def responses(self, session: SessionId, participant: ParticipantId) -> Sequence[Response]:
        """List a participant's responses in a session, in the order of turns."""
        theirs = (one for one in self._in(session) if one.participant == participant)
        return sorted(theirs, key=lambda one: one.turn)

    async def practice(self, session: SessionId, participant: ParticipantId) -> int:
        """Count a participant's responses in a session that do not count for boards."""
        found = self._sessions.get(session)
        closed = found.closed if found else 0
        theirs = [one for one in self._in(session) if one.participant == participant]
        return sum(one.turn < closed and self._scores.get(_score_key(one)) != one for one in theirs)

    async def tally(self, session: SessionId, turn: int) -> Tally:
        """Count how the room answered a turn."""
        everyone = self._in(session)
        here = [one for one in everyone if one.turn == turn]
        right = [one for one in here if one.grade >= 1]
        right.sort(key=lambda one: (one.elapsed, one.at, one.participant))
        counts = Counter[Submission](one.submission for one in here)
        return Tally(
            counts=dict(counts),
            answered=len(here),
            correct=len(right),
            fastest=[(self._shown(one.participant), one.elapsed) for one in right[:3]],
            joined=len({one.participant for one in everyone}),
            misled=sum(one.grade <= 0 and one.sure is True for one in here),
        )

    async def standings(self, session: Session) -> Sequence[Standing]:
        """Sum up a session for everyone in it, not ranked; an unanswered turn of a timed session
        counts its full time.
        """
        everyone = self._in(session.id)
        return [
            self._standing(session, [one for one in everyone if one.participant == who])
            for who in dict.fromkeys(one.participant for one in everyone)
        ]

    def _in(self, session: SessionId) -> list[Response]:
        return [one for one in self._responses.values() if one.session == session]

    def _standing(self, session: Session, theirs: Sequence[Response]) -> Standing:
        answered = {one.turn for one in theirs}
        missed = set(range(session.closed)) - answered
        return Standing(
            participant=theirs[0].participant,
            name=self._shown(theirs[0].participant),
            points=sum(one.points for one in theirs),
            correct=sum(one.grade for one in theirs),
            answered=len(theirs),
            seconds=round(sum(one.elapsed for one in theirs) + full_time(session, missed), 3),
        )


def _score_key(response: Response) -> ScoreKey:
    week = response.week.isoformat()
    return response.room, response.participant, response.pack, response.item, week


def _order(response: Response) -> tuple[object, ...]:
    return response.at, response.session, response.turn
