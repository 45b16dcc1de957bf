"""Actions: what a button asks for, small enough to travel inside it on every platform.

Buttons hold no memory: all that is needed to obey one stands in its text, at most 64 bytes
(Telegram's limit, the tightest), with a version in front.
"""

from dataclasses import dataclass
from enum import Enum

from bot.ids import SessionId

VERSION = "1"
LONGEST = 64


class Verb(Enum):
    """What to do; the value is what travels."""

    ANSWER = "a"
    NEXT = "n"
    SKIP = "s"
    STOP = "x"
    RESUME = "r"
    MISSED = "m"
    PLAY = "p"
    PACKS = "l"
    BOARD = "b"
    TYPE = "t"
    SHARE = "h"
    SETUP = "u"
    SETTING = "g"
    BANK = "i"
    REVIEW = "v"
    INSIGHT = "z"
    LINK = "k"
    CHALLENGE = "c"
    DAILY = "d"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A verb and what it is about; `value` is the verb's own (places of options, a pack's id)."""

    verb: Verb
    session: SessionId = SessionId("")
    turn: int = 0
    value: str = ""


def encode(action: Action) -> str:
    """Write an action. Raises ValueError if it is longer than 64 bytes."""
    text = f"{VERSION}:{action.verb.value}:{action.session}:{action.turn}:{action.value}"
    if len(text.encode()) > LONGEST:
        msg = f"{text!r} is longer than {LONGEST} bytes"
        raise ValueError(msg)
    return text


def decode(text: str) -> Action | None:
    """Read an action; None for anything that `encode` did not write, however old or forged."""
    version, _, rest = text.partition(":")
    parts = rest.split(":", 3)
    if version != VERSION or len(parts) != len(("verb", "session", "turn", "value")):
        return None
    verb, session, turn, value = parts
    if verb not in Verb._value2member_map_ or not (turn.isascii() and turn.isdigit()):
        return None
    return Action(verb=Verb(verb), session=SessionId(session), turn=int(turn), value=value)
