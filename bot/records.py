"""Records: responses in bulk, for looking at items and at one's own progress."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.submissions import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which responses: of a pack, a room, all rooms of a community, one session.

    None (and an empty community) leaves open what it could narrow.
    """

    pack: PackId | None = None
    room: RoomId | None = None
    community: str = ""
    session: SessionId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A response with no more to it than item analysis needs; `seconds` is what it took."""

    participant: ParticipantId
    item: ItemId
    submission: Submission
    grade: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A response as a line of an export; `shared` tells that its whole room took part.

    `name` is what boards call the participant.
    """

    session: SessionId
    turn: int
    shared: bool
    pack: PackId
    item: ItemId
    participant: ParticipantId
    name: str
    submission: Submission
    grade: float
    points: int
    seconds: float
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Latest:
    """How many have answered an item, and how many of them were right the last time."""

    pack: PackId
    item: ItemId
    people: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A response as a step of somebody's progress; `week` and `sure` as in `bot.ports.Response`."""

    session: SessionId
    room: RoomId
    pack: PackId
    item: ItemId
    grade: float
    points: int
    at: datetime
    week: date
    sure: bool | None = None


class Records(Protocol):
    """Responses of closed turns, in bulk. What may be long comes in chunks."""

    def answers(self, where: Where) -> AsyncIterator[Sequence[Answer]]:
        """Give the first response of each participant to each item, among those that are meant."""

    def results(self, where: Where) -> AsyncIterator[Sequence[Result]]:
        """Give all responses that are meant, by session, turn and time."""

    async def latest(self, where: Where) -> Sequence[Latest]:
        """Sum up the last response of each participant to each item, by pack and item."""

    def taken(self, people: Collection[ParticipantId]) -> AsyncIterator[Sequence[Taken]]:
        """Give all responses of one person, who may be several participants, oldest first."""
