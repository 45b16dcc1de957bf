"""Item kinds: one question and its parts, as values that refuse to be wrong.

Texts are Markdown source (see `bot.text`). Options are addressed by their place in the file,
counted from 0; letters and shuffled orders exist only in what a room is shown.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.ids import ItemId
from bot.text import Markdown

NOWHERE = Markdown("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One possible answer, and why it is right or wrong (empty if the author says nothing).

    `weight` is the part of the credit, from -1 to 1, that it earns where its author says so.
    """

    text: Markdown
    rationale: Markdown = NOWHERE
    weight: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """What every kind has: an id, a stem, a rationale and the author's wishes."""

    id: ItemId
    stem: Markdown
    rationale: Markdown = NOWHERE
    seconds: int | None = None
    tags: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(_Item):
    """One key among several options; `also` are others that are as right, after a correction."""

    options: tuple[Option, ...]
    key: int
    keep_order: bool = False
    also: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        """Refuse a key that is not among the options."""
        for key in (self.key, *self.also):
            if not 0 <= key < len(self.options):
                msg = f"key {key} is not one of {len(self.options)} options"
                raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiChoice(_Item):
    """One or more keys among several options; a grade can be partial."""

    options: tuple[Option, ...]
    keys: frozenset[int]
    keep_order: bool = False

    def __post_init__(self) -> None:
        """Refuse keys that are not among the options, and an item without any."""
        if not self.keys or not self.keys <= set(range(len(self.options))):
            msg = f"keys {sorted(self.keys)} do not fit {len(self.options)} options"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueFalse(_Item):
    """A statement; option 0 is "true", option 1 "false", labelled in the reader's language."""

    key: bool
    when_true: Markdown = NOWHERE
    when_false: Markdown = NOWHERE


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortText(_Item):
    """A word or phrase to type, compared without case, and by wish without accents or typos.

    `credits` are what the accepted texts earn, in their order; without any, all earn 1.
    """

    accepted: tuple[str, ...]
    credits: tuple[float, ...] = ()
    any_accents: bool = False
    typos: int = 0

    def __post_init__(self) -> None:
        """Refuse an item that nothing can answer."""
        if not self.accepted:
            msg = "a short answer needs at least one accepted text"
            raise ValueError(msg)
        _match(self.credits, self.accepted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The numbers from `low` to `high`, both included, around the `value` that is shown as key."""

    low: float
    high: float
    value: float

    def __post_init__(self) -> None:
        """Refuse an interval that holds no number."""
        if not self.low <= self.value <= self.high:
            msg = f"{self.value} is not between {self.low} and {self.high}"
            raise ValueError(msg)

    def __contains__(self, number: float) -> bool:
        """Tell whether a number is accepted, forgiving the last bit of floating point."""
        slack = 1e-9 * max(abs(self.low), abs(self.high))
        return self.low - slack <= number <= self.high + slack


@dataclass(frozen=True, slots=True, kw_only=True)
class Numeric(_Item):
    """A number to type; every interval is accepted, for as much as its part of `credits`."""

    accepted: tuple[Interval, ...]
    credits: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an item that nothing can answer."""
        if not self.accepted:
            msg = "a number needs at least one accepted interval"
            raise ValueError(msg)
        _match(self.credits, self.accepted)


def _match(credits_: tuple[float, ...], accepted: tuple[object, ...]) -> None:
    if credits_ and len(credits_) != len(accepted):
        msg = f"{len(credits_)} credits do not fit {len(accepted)} accepted answers"
        raise ValueError(msg)


Item: TypeAlias = Choice | MultiChoice | TrueFalse | ShortText | Numeric
Optioned: TypeAlias = Choice | MultiChoice | TrueFalse


def kind(item: Item) -> str:
    """Name the kind of an item, as the JSON of the command line does."""
    return type(item).__name__


def keys(item: Item) -> frozenset[int]:
    """Give the places of the right options; empty for an item that is typed."""
    match item:
        case Choice():
            return item.also | {item.key}
        case MultiChoice():
            return item.keys
        case TrueFalse():
            return frozenset({0 if item.key else 1})
        case ShortText() | Numeric():
            return frozenset()


def option_count(item: Item) -> int:
    """Count the options of an item; 0 for an item that is typed."""
    match item:
        case Choice() | MultiChoice():
            return len(item.options)
        case TrueFalse():
            return 2
        case ShortText() | Numeric():
            return 0


def option_rationale(item: Item, option: int) -> Markdown:
    """Give the author's line about one option; empty if there is none."""
    match item:
        case Choice() | MultiChoice():
            return item.options[option].rationale
        case TrueFalse():
            return item.when_false if option else item.when_true
        case ShortText() | Numeric():
            return NOWHERE


def keeps_order(item: Item) -> bool:
    """Tell whether shuffling would spoil the item, by its author's wish or by its wording."""
    match item:
        case Choice() | MultiChoice():
            return item.keep_order or any(_LEANS_ON_OTHERS.search(o.text) for o in item.options)
        case TrueFalse() | ShortText() | Numeric():
            return True


# "All of the above", "A and B", "Semua jawaban di atas", "Jawaban A dan C": order matters there.
_LEANS_ON_OTHERS = re.compile(
    r"\b(?:all|none|both|any|neither) of (?:the )?(?:above|these)\b"
    r"|\bthe above\b|\bdi atas\b|\btersebut (?:benar|salah)\b"
    r"|^(?:semua|tidak ada yang) (?:benar|salah)\W*$"
    r"|^(?:both |neither |only |jawaban |baik |hanya )?"
    r"[A-H](?:,? ?(?:and|or|nor|dan|atau|maupun|&|,) ?[A-H])+\b",
    re.IGNORECASE,
)
