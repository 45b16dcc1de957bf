"""Panels: what a person is shown, in words but without looks. Adapters draw them."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from bot.actions import Action, Verb
from bot.ids import SessionId
from bot.scoring import Standing
from bot.text import Markdown


class Role(Enum):
    """What a panel is for, where an adapter treats some differently."""

    QUESTION = "question"
    RECEIPT = "receipt"
    REVEAL = "reveal"
    SUMMARY = "summary"
    BOARD = "board"
    NOTICE = "notice"


class Tone(Enum):
    """The colour of a panel, as a meaning."""

    NEUTRAL = "neutral"
    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    NOTICE = "notice"


class Entry(Enum):
    """How an item is answered."""

    ONE = "one"
    MANY = "many"
    TEXT = "text"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionLine:
    """An option as shown: its letter here, and its `place` in the file, counted from 0.

    `key` is None as long as the answer is not shown; `votes` too.
    """

    letter: str
    place: int
    text: Markdown
    key: bool | None = None
    chosen: bool = False
    votes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What an adapter needs to take an answer: for a poll also the keys and a short explanation.

    `keys` are places in the file. `explanation` is Markdown, of any length.
    `seconds` is the time there is for an answer, `style` as in `bot.modes.Rules`. With
    `confidence` there is a second button for each option, for who is not sure.
    """

    session: SessionId
    turn: int
    entry: Entry
    keys: frozenset[int] = frozenset()
    explanation: Markdown = Markdown("")
    seconds: int | None = None
    style: str = ""
    confidence: bool = False

    @property
    def action(self) -> Action:
        """Name what an answer is about; its `value` is the answer itself."""
        return Action(verb=Verb.ANSWER, session=self.session, turn=self.turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """Something to press."""

    label: str
    action: Action
    primary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One message, from top to bottom.

    `heading` and `progress` are plain text, `body` stands above the options, `notes` below them.
    `until` is when the time for answers is over. `language` is set where an adapter may have to
    add words of its own. `anew` says that it is a message of its own in every chat, and takes no
    other one's place.
    """

    role: Role
    tone: Tone = Tone.NEUTRAL
    heading: str = ""
    progress: str = ""
    body: tuple[Markdown, ...] = ()
    options: tuple[OptionLine, ...] = ()
    notes: tuple[Markdown, ...] = ()
    standings: tuple[Standing, ...] = ()
    buttons: tuple[Button, ...] = ()
    form: Form | None = None
    until: datetime | None = None
    language: str = ""
    anew: bool = False
