"""Events: what can happen to a session, each with the time at which it did."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.ids import ParticipantId


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """The session was stored and may begin."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """The item of a turn reached the room; `message` is the chat's name for the post."""

    turn: int
    at: datetime
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Responded:
    """A response was recorded (the store has committed it)."""

    turn: int
    at: datetime
    participant: ParticipantId


@dataclass(frozen=True, slots=True, kw_only=True)
class EveryoneAnswered:
    """Nobody who plays along is missing any more."""

    turn: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeUp:
    """A timer of the turn rang; it may be an old one."""

    turn: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """The answer and its rationale reached the room."""

    turn: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Summarised:
    """The end of the session was shown."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """Something could not be delivered; `trouble` is a value of `bot.effects.Trouble`."""

    turn: int
    at: datetime
    trouble: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vanished:
    """The item of a turn was found to exist no more; `alone` if its pack still does."""

    turn: int
    at: datetime
    alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    """The program came back and found the session as it was stored."""

    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What a person asks for; `moderator` tells that they may steer what others have started."""

    at: datetime
    by: ParticipantId
    moderator: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(_Asked):
    """Somebody wants to go on."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped(_Asked):
    """Somebody wants to leave out the item of a turn."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused(_Asked):
    """Somebody leaves for now and may come back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(_Asked):
    """Somebody wants to go on where the session stood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(_Asked):
    """Somebody ends the session."""


Steering: TypeAlias = Advanced | Skipped | Paused | Resumed | Stopped
Event: TypeAlias = (
    Started
    | Delivered
    | Responded
    | EveryoneAnswered
    | TimeUp
    | Revealed
    | Summarised
    | Failed
    | Vanished
    | Restarted
    | Steering
)
