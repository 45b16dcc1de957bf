"""Effects: what a session asks of the world."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TypeAlias

from bot.ids import ParticipantId


class Trouble(Enum):
    """Why a session is paused; each has a sentence that says what to do."""

    LEFT = "left"
    NO_PERMISSION = "no permission"
    NO_POLLS = "no polls"
    ROOM_GONE = "room gone"
    ROOM_CLOSED = "room closed"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    PACK_GONE = "pack gone"
    MISHAP = "mishap"


PASSING = frozenset({Trouble.UNREACHABLE, Trouble.MISHAP})
"""What may well be over in a few minutes, without anybody doing anything about it."""


class Refusal(Enum):
    """Why something a person wants is not done."""

    LATE = "late"
    CLOSED = "closed"
    ALREADY = "already"
    NOT_YOURS = "not yours"
    NOT_ALLOWED = "not allowed"
    UNREADABLE = "unreadable"
    BUSY = "busy"
    GONE = "gone"
    PAUSED = "paused"
    MODERATORS = "moderators"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Put the item of a turn to the room; answered by Delivered or Failed."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """Tell a participant privately what was recorded, with the verdict where the rules say so."""

    turn: int
    to: ParticipantId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Show the right answer of a turn and why; answered by Revealed or Failed."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarise:
    """Show how the session ended; answered by Summarised or Failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """Ring at a time, with TimeUp for the turn."""

    turn: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Say that the session is paused, and why, to whoever can act on it."""

    trouble: Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Tell a participant politely why not."""

    to: ParticipantId
    why: Refusal


Effect: TypeAlias = Ask | Confirm | Reveal | Summarise | Wake | Report | Refuse
