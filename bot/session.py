"""The session: one run of a quiz in one room, as a small value, and who may do what with it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from bot.draw import Draw
from bot.effects import Refusal, Trouble
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.modes import Closing, Mode, Rules

DAILY = ParticipantId("daily")
"""The place of a room's daily question; it is nobody's id."""


class Phase(Enum):
    """Where a session stands; the value is what stores keep."""

    __hash__ = object.__hash__  # as of Mode

    ASKING = "asking"
    OPEN = "open"
    REVEALING = "revealing"
    REVEALED = "revealed"
    PAUSED = "paused"
    FINISHING = "finishing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of a quiz in one room. It never holds responses, so it stays small.

    `closed` counts the turns whose responses have become scores. Times are aware datetimes:
    `opened` when the item of the turn was delivered, `deadline` until when it can be answered
    (without grace), `next_at` when a revealed turn moves on by itself. `remaining` is what is
    left, in seconds, of a timed turn that was interrupted.
    """

    id: SessionId
    room: RoomId
    starter: ParticipantId
    pack: PackId
    language: str
    rules: Rules
    draw: Draw
    started: datetime
    phase: Phase = Phase.ASKING
    turn: int = 0
    closed: int = 0
    seconds: tuple[int, ...] = ()
    message: str = ""
    opened: datetime | None = None
    deadline: datetime | None = None
    next_at: datetime | None = None
    remaining: float | None = None
    paused_in: Phase | None = None
    trouble: Trouble | None = None
    finished: datetime | None = None

    @property
    def owner(self) -> ParticipantId | None:
        """Name the one person a private session belongs to; None for a shared one."""
        return None if self.rules.policy.shared else self.starter

    @property
    def place(self) -> str:
        """Name the place it takes up in its room, where only one session can be active: that of
        the quiz for all (""), of the daily question, or of one person.
        """
        return DAILY if self.rules.mode is Mode.DAILY else self.owner or ""

    @property
    def appointed(self) -> bool:
        """Tell whether the deadline was known before the item was shown, and stays what it is."""
        return self.rules.policy.closing is Closing.APPOINTMENT

    @property
    def item(self) -> ItemId:
        """Name the item of the current turn."""
        return self.draw.items[self.turn]

    @property
    def mixed(self) -> bool:
        """Tell whether the items are of several packs."""
        return bool(self.draw.packs)

    def pack_at(self, turn: int) -> PackId:
        """Name the pack that the item of a turn is of."""
        return self.draw.packs[turn] if self.mixed else self.pack

    @property
    def length(self) -> int:
        """Count the turns of the whole session."""
        return len(self.draw.items)

    @property
    def last(self) -> bool:
        """Tell whether this is the last turn."""
        return self.turn + 1 >= self.length

    @property
    def active(self) -> bool:
        """Tell whether the session takes up its room (paused ones do not)."""
        return self.phase not in {Phase.PAUSED, Phase.FINISHED}

    @property
    def allowed(self) -> int:
        """Give the seconds for the current item: its own, or the session's."""
        own = self.seconds[self.turn] if self.turn < len(self.seconds) else 0
        return own or self.rules.seconds

    @property
    def closes_at(self) -> datetime | None:
        """Give the instant up to which an answer is taken, with the grace everybody gets."""
        return self.deadline and self.deadline + timedelta(seconds=self.rules.grace)


def refusal(
    session: Session, *, turn: int, participant: ParticipantId, at: datetime
) -> Refusal | None:
    """Tell why a response cannot be taken, or None if it can.

    `at` is when it arrived. While an item is on its way the first answers may already come in.
    """
    if session.owner not in {None, participant}:
        return Refusal.NOT_YOURS
    if session.phase is Phase.PAUSED and turn == session.turn:
        return Refusal.PAUSED
    if turn != session.turn or not answerable(session):
        return Refusal.CLOSED
    closes_at = session.closes_at
    return Refusal.LATE if closes_at and at > closes_at else None


def may_steer(session: Session, by: ParticipantId, *, moderator: bool) -> bool:
    """Tell whether a person may move a session on or end it: its starter, or in a room also a
    moderator.
    """
    return by == session.starter or (moderator and session.owner is None)


def answerable(session: Session) -> bool:
    """Tell whether the turn can be answered; while it is on its way answers may already come."""
    return session.phase in {Phase.ASKING, Phase.OPEN}
