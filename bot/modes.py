"""Modes: what solo, live, relaxed and exam mean, in one table, and the rules of a session."""

from dataclasses import dataclass
from enum import Enum


class Mode(Enum):
    """How a session is run; the value is what people type and stores keep."""

    __hash__ = object.__hash__  # Enum's own is written in Python, and each answer needs it often

    SOLO = "solo"
    LIVE = "live"
    RELAXED = "relaxed"
    EXAM = "exam"
    DAILY = "daily"


class Closing(Enum):
    """What closes a turn; an appointment is a deadline that was known before the session began."""

    RESPONSE = "response"
    DEADLINE = "deadline"
    ASKED_TO = "asked to"
    APPOINTMENT = "appointment"


class Advance(Enum):
    """What moves a session on after a turn was closed; END that the session is over by then."""

    NEXT = "next"
    PAUSE = "pause"
    AT_ONCE = "at once"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One row of the table: `shared` is for a whole room, `reveals` shows each answer in turn."""

    shared: bool
    closing: Closing
    advance: Advance
    reveals: bool = True


POLICIES = {
    Mode.SOLO: Policy(shared=False, closing=Closing.RESPONSE, advance=Advance.NEXT),
    Mode.LIVE: Policy(shared=True, closing=Closing.DEADLINE, advance=Advance.PAUSE),
    Mode.RELAXED: Policy(shared=True, closing=Closing.ASKED_TO, advance=Advance.NEXT),
    Mode.EXAM: Policy(
        shared=False, closing=Closing.RESPONSE, advance=Advance.AT_ONCE, reveals=False
    ),
    Mode.DAILY: Policy(shared=True, closing=Closing.APPOINTMENT, advance=Advance.END),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What can be set for one session.

    `seconds`, `grace` and `pause` are durations in seconds: for an item without its own time,
    for an answer on its way, and between a reveal and the next item. `verdict_at_once` tells
    each person of a shared session privately whether they were right before the turn closes;
    `may_change` lets them change an answer until then. `style` is how the room wants items shown
    ("buttons", "poll"; empty: as the chat does it). `confidence` asks for each answer whether the
    person is sure, and with `certainty_marks` that decides about the points.
    """

    mode: Mode
    seconds: int = 30
    grace: float = 1.5
    pause: int = 8
    speed_bonus: bool = False
    streak_bonus: bool = False
    verdict_at_once: bool = True
    may_change: bool = False
    keep_order: bool = False
    style: str = ""
    confidence: bool = False
    certainty_marks: bool = False

    @property
    def policy(self) -> Policy:
        """Give the row of the table that the mode names."""
        return POLICIES[self.mode]

    @property
    def timed(self) -> bool:
        """Tell whether turns end by the clock."""
        return self.policy.closing is Closing.DEADLINE
