"""Ports: what the host needs of the world, in the host's words. Adapters fulfil them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum
from typing import Protocol, runtime_checkable

from bot.banks import Packs
from bot.corrections import Corrections
from bot.dailies import Dailies
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.links import Links
from bot.memory import Memories
from bot.panels import Panel
from bot.people import Alias, Participant, Room, Settings
from bot.records import Records
from bot.reminders import Reminders
from bot.scoring import Standing
from bot.session import Session
from bot.submissions import Submission


class Clock(Protocol):
    """Time, so that tests can have their own."""

    def now(self) -> datetime:
        """Give the current time, aware, in UTC."""

    async def sleep_until(self, at: datetime) -> None:
        """Come back at a time, or at once if it has passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A panel on its way: to the whole room, or `to` one person in it.

    `replaces` names an earlier message that the panel may take the place of; `via` is whatever
    the adapter gave the host along with the event being answered (an interaction, say).
    """

    room: Room
    panel: Panel
    to: Participant | None = None
    replaces: str = ""
    via: object = None


class Chat(Protocol):
    """A platform people talk on."""

    async def show(self, post: Post) -> str:
        """Deliver a panel and give the platform's name for the message.

        Raises DeliveryError with a value of Trouble as its reason.
        """


@runtime_checkable
class Collects(Protocol):
    """A chat whose platform keeps answers by itself, as polls do."""

    async def collect(self, session: Session, room: Room, *, steered: bool) -> None:
        """Bring in what the platform has and we have not, before the open turn closes: because
        its time is up, or `steered` by somebody whose press or command is being handled.

        Raises DeliveryError; the turn closes all the same, with what has arrived.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One submission as it is kept.

    `at` is when it arrived, `elapsed` the seconds since the item was delivered, `week` the Monday
    of the room's week: of a person's responses to an item in a room only the first in a week
    counts for boards. `sure` is what they said of their own confidence, None if nobody asked.
    `keyed` is the stamp of the corrections it was graded by; it is not kept.
    """

    session: SessionId
    turn: int
    participant: ParticipantId
    room: RoomId
    pack: PackId
    item: ItemId
    submission: Submission
    grade: float
    points: int
    at: datetime
    elapsed: float
    week: date
    sure: bool | None = None
    keyed: int = field(default=0, compare=False)


class Receipt(Enum):
    """What became of a response that was handed to the store."""

    RECORDED = "recorded"
    CHANGED = "changed"
    ALREADY = "already"
    CLOSED = "closed"
    STALE = "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How a room answered one turn: each submission's count, and who was right, fastest first.

    `fastest` holds at most three (name, seconds); `joined` counts everyone who has answered
    anything in the session so far, `misled` who was sure and wrong.
    """

    counts: Mapping[Submission, int]
    answered: int
    correct: int
    fastest: Sequence[tuple[str, float]]
    joined: int
    misled: int = 0


class Scope(Enum):
    """How far a leaderboard reaches."""

    ROOM = "room"
    COMMUNITY = "community"
    EVERYWHERE = "everywhere"


class Period(Enum):
    """Since when a leaderboard counts, by the room's calendar."""

    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"


class Merit(Enum):
    """What a leaderboard ranks by."""

    POINTS = "points"
    ACCURACY = "accuracy"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuery:
    """Which leaderboard: `room` None means everywhere. `minimum` is how many answers accuracy
    needs, `me` whose own row to give beside the top `limit`.
    """

    room: Room | None
    scope: Scope = Scope.ROOM
    period: Period = Period.ALL
    merit: Merit = Merit.POINTS
    minimum: int = 5
    limit: int = 10
    me: ParticipantId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The rows of a leaderboard, how many stand on it, and one's own row wherever it is."""

    rows: Sequence[Standing]
    total: int
    mine: Standing | None = None


class Conflict(Exception):
    """The room is taken by another session, or the session has moved on meanwhile."""


class People(Protocol):
    """Rooms and participants, found by what a platform calls them."""

    async def room(self, alias: Alias, *, title: str = "", community: str = "") -> Room:
        """Give the room, made on first sight; a title or community that changed is kept."""

    async def room_by_id(self, room: RoomId) -> Room:
        """Give a room by our own id."""

    async def set_settings(self, room: RoomId, settings: Settings) -> None:
        """Keep what a room has chosen."""

    async def move_room(self, old: Alias, new: Alias) -> None:
        """Let a room keep everything under its new name on the platform, at once.

        If the new name is already a room of its own, both become one: the old one's.
        """

    async def participant(self, alias: Alias, *, name: str = "", language: str = "") -> Participant:
        """Give the participant, made on first sight; a name that changed is kept, a language
        only until one is chosen.
        """

    async def participants(
        self, ids: Sequence[ParticipantId]
    ) -> Mapping[ParticipantId, Participant]:
        """Give participants by our own ids."""

    async def set_participant(
        self,
        participant: ParticipantId,
        *,
        language: str | None = None,
        nickname: str | None = None,
    ) -> None:
        """Keep what a person has chosen."""


class Sessions(Protocol):
    """Sessions, stored at every step."""

    async def start(self, session: Session) -> None:
        """Store a new session. Raises Conflict if its place is taken."""

    async def session(self, session: SessionId) -> Session | None:
        """Give a session as it was last saved."""

    async def open_session(self, room: RoomId, owner: ParticipantId | None) -> Session | None:
        """Give the session that is not finished: a person's own in a room, or the shared one.

        An active one comes before paused ones, a later one before earlier ones.
        """

    async def unfinished(self) -> Sequence[Session]:
        """List the active sessions, oldest first."""

    async def claim(self, platforms: Collection[str], now: datetime) -> Sequence[Session]:
        """Take over active sessions in rooms of platforms, oldest first, that no living process
        looks after or whose deadline is long past. No two processes are given the same one.

        Whoever starts or saves a session looks after it from then on.
        """

    async def release(self) -> None:
        """Look after no session any more, so that others may claim them at once."""

    async def save(self, before: Session, after: Session) -> bool:
        """Move a session on, if it still is in the phase and turn of `before`, with its deadline.

        In the same transaction: responses of the turns that are closed now become scores
        (`after.closed` against `before.closed`), and an item that was delivered now is noted as
        asked. Raises Conflict if the session would take a place that is taken.
        """

    async def asked(
        self, room: RoomId, owner: ParticipantId | None, pack: PackId
    ) -> Mapping[ItemId, int]:
        """Count how often each item was put to a room (or to one person in it)."""


class Responses(Protocol):
    """Responses: the truth that scores follow from."""

    async def record(self, response: Response, *, replace: bool = False) -> Receipt:
        """Keep a response if its turn is still open; it is committed when this returns.

        A second one from the same participant changes nothing, unless `replace` lets it. One that
        was graded before the latest correction is STALE, and not kept.
        """

    async def response(
        self, session: SessionId, turn: int, participant: ParticipantId
    ) -> Response | None:
        """Give what a participant answered in a turn."""

    async def withdraw(self, session: SessionId, turn: int, participant: ParticipantId) -> bool:
        """Take a response back while its turn is open; tell whether there was one."""

    async def responses(self, session: SessionId, participant: ParticipantId) -> Sequence[Response]:
        """List a participant's responses in a session, in the order of turns."""

    async def practice(self, session: SessionId, participant: ParticipantId) -> int:
        """Count a participant's responses in a session that do not count for boards."""

    async def tally(self, session: SessionId, turn: int) -> Tally:
        """Count how the room answered a turn."""

    async def standings(self, session: Session) -> Sequence[Standing]:
        """Sum up a session for everyone in it, not ranked; an unanswered turn of a timed session
        counts its full time.
        """


class Boards(Protocol):
    """Leaderboards and histories, read from scores."""

    async def leaderboard(self, query: BoardQuery, now: datetime) -> Board:
        """Give the top of a leaderboard, ranked, and one's own place.

        Everywhere a person counts once: whoever is linked has one row together, under the
        participant that is `me` or else any of them. In a room each stands for themselves.
        """

    async def history(
        self, participant: ParticipantId, *, limit: int = 50
    ) -> Sequence[tuple[Session, Sequence[Response]]]:
        """List a person's sessions, latest first, with their responses: of all participants
        that are linked with this one.
        """

    async def rebuild(self) -> int:
        """Derive all scores again from the responses; give how many rows there are."""


class Privacy(Protocol):
    """What a person may see and delete."""

    async def response_count(self, participant: ParticipantId) -> int:
        """Count the responses of a person."""

    async def export(
        self, participant: ParticipantId
    ) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Give every row about a person, by table, as values that JSON can hold."""

    async def forget(self, participant: ParticipantId) -> None:
        """Delete everything about a person, in one transaction.

        Their own sessions go with their responses, and their own packs; what is shared stays,
        without their name.
        """


class Notes(Protocol):
    """Small things a chat must not forget: which poll asks which turn, what is registered."""

    async def note(self, key: str) -> str | None:
        """Give what was noted under a key."""

    async def set_note(self, key: str, value: str) -> None:
        """Note something under a key; it is committed when this returns."""


class Kept(Links, Memories, Reminders, Records, Packs, Corrections, Dailies, Protocol):
    """What the features keep."""


class Store(People, Sessions, Responses, Boards, Privacy, Notes, Kept, Protocol):
    """Everything that is kept."""
