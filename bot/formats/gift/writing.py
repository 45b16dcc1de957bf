"""Writing GIFT, so that reading it gives the same items again; Moodle reads it too."""

import html
from collections.abc import Iterator, Sequence
from decimal import Decimal

from bot.formats import places
from bot.formats.findings import Remark, Severity
from bot.formats.gift.signs import escaped
from bot.formats.html import from_plain, is_html
from bot.formats.moodle_texts import with_stars
from bot.formats.plaintext import remark
from bot.grading import worth
from bot.items import (
    Choice,
    Interval,
    Item,
    MultiChoice,
    Numeric,
    ShortText,
    TrueFalse,
    keys,
    option_count,
    option_rationale,
)
from bot.packs import Edition
from bot.text import Markdown, is_plain, plain
from bot.wording import phrase

ORDER = phrase("GIFT cannot keep the order of options.")
ARROW = phrase("In GIFT -> makes a pair; as HTML only Kuis reads it as an answer.")


def write(edition: Edition) -> tuple[str, tuple[Remark, ...]]:
    """Write an edition as GIFT, and report what GIFT has no place for."""
    parts = [*(f"// {line}" for line in _about(edition)), *map(_written, edition.items)]
    return "\n\n".join(parts) + "\n", losses(edition)


def losses(edition: Edition, *, but: frozenset[str] = frozenset()) -> tuple[Remark, ...]:
    """Report what of each item has no place in GIFT; `but` are reasons that do not hold."""
    rest = phrase("The rest was written.")
    return tuple(
        remark(Severity.CHANGED, places.item(item.id), item.stem, reason, rest)
        for item in edition.items
        for reason in _lost(item)
        if reason not in but
    )


def _lost(item: Item) -> Iterator[str]:
    """Name what Moodle has no place for."""
    if item.seconds:
        yield phrase("Moodle knows no time for a single question.")
    if isinstance(item, Choice | MultiChoice) and item.keep_order:
        yield ORDER
    if isinstance(item, ShortText) and (item.any_accents or item.typos):
        yield phrase("Moodle knows no answers with other accents or with typos.")
    if isinstance(item, ShortText) and any("->" in text for text in item.accepted):
        yield ARROW
    if isinstance(item, Numeric) and not all(_is_central(one) for one in item.accepted):
        yield phrase("GIFT shows the middle of a range as its answer.")


def percent(weight: float) -> str:
    """Write a weight as Moodle does."""
    text = f"{Decimal(repr(weight)) * 100:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _about(edition: Edition) -> Iterator[str]:
    for name, value in (
        ("", edition.title),
        ("Author: ", edition.author),
        ("Licence: ", edition.licence),
        ("Source: ", edition.source),
    ):
        if value:
            yield f"{name}{' '.join(value.split())}"


def _written(item: Item) -> str:
    comment = "".join((f"// [id:{item.id}]", *(f" [tag:{tag}]" for tag in item.tags)))
    return f"{comment}\n::{escaped(item.id)}::{_Writer(item).body()}"


class _Writer:
    """One item on its way to GIFT: as Markdown if any of its texts needs that, else plainly.

    All texts of a question have the format of its stem, unless they begin with another one.
    """

    def __init__(self, item: Item) -> None:
        self._item = item
        self._marked = not all(map(is_simple, _texts(item)))

    def body(self) -> str:
        """Write stem, answers and rationale."""
        item = self._item
        stem = escaped(item.stem if self._marked else plain(item.stem))
        tag = "[markdown]" if self._marked else "[moodle]" * stem.startswith("[")
        general = f"\n  ####{self._text(item.rationale)}" if item.rationale else ""
        return f"{tag}{stem} {{{self._answers()}{general}\n}}"

    def _text(self, source: Markdown) -> str:
        text = escaped(source if self._marked else plain(source))
        tag = "[markdown]" if self._marked else "[moodle]"
        return tag * text.startswith(("[", "%")) + text

    def _answers(self) -> str:
        match self._item:
            case Choice() | MultiChoice() as item:
                return "".join(f"\n  {line}" for line in self._options(item))
            case TrueFalse() as item:
                sides = (item.when_false, item.when_true)
                wrong, right = sides if item.key else sides[::-1]
                feedback = f"#{self._text(wrong)}#{self._text(right)}" if wrong or right else ""
                return f"{'TRUE' if item.key else 'FALSE'}{feedback}"
            case ShortText() as item:
                texts = [_typed(text) for text in item.accepted]
                return "".join(f"\n  ={line}" for line in _worth(texts, item.credits))
            case Numeric() as item:
                numbers = [_number(one) for one in item.accepted]
                return "#" + "".join(f"\n  ={line}" for line in _worth(numbers, item.credits))

    def _options(self, item: Choice | MultiChoice) -> Iterator[str]:
        """Write options: `=` for the one key of a choice, else what each is worth."""
        for place, option in enumerate(item.options):
            is_key = place in keys(item)
            weight = option.weight
            if weight is None and isinstance(item, MultiChoice):
                weight = round(worth(item, place), 7)
            sign = "~" if weight is None else f"~%{percent(weight)}%"
            if is_key and isinstance(item, Choice):
                sign = "=" if weight is None else f"=%{percent(weight)}%"
            feedback = f"#{self._text(option.rationale)}" if option.rationale else ""
            yield f"{sign}{self._text(option.text)}{feedback}"


def is_simple(source: Markdown) -> bool:
    """Tell whether a text without any formatting comes back as the same Markdown."""
    shown = plain(source)
    return is_plain(source) and not is_html(shown) and from_plain(shown) == source


def _texts(item: Item) -> Iterator[Markdown]:
    yield from (item.stem, item.rationale)
    if isinstance(item, Choice | MultiChoice | TrueFalse):
        for place in range(option_count(item)):
            yield option_rationale(item, place)
    if isinstance(item, Choice | MultiChoice):
        yield from (option.text for option in item.options)


def _worth(texts: Sequence[str], credits_: Sequence[float]) -> Iterator[str]:
    for place, text in enumerate(texts):
        credit = credits_[place] if credits_ else 1.0
        yield text if credit == 1 else f"%{percent(credit)}%{text}"


def centred(accepted: Interval) -> tuple[str, str]:
    """Give the middle of an interval and its tolerance, in digits."""
    low, high = Decimal(repr(accepted.low)), Decimal(repr(accepted.high))
    middle = Decimal(repr(float((low + high) / 2)))
    value = Decimal(repr(accepted.value)) if float(middle) == accepted.value else middle
    return _digits(float(value)), f"{max(value - low, high - value):f}"


def _number(accepted: Interval) -> str:
    value, tolerance = centred(accepted)
    return value if Decimal(tolerance) == 0 else f"{value}:{tolerance}"


def _is_central(accepted: Interval) -> bool:
    low, high = Decimal(repr(accepted.low)), Decimal(repr(accepted.high))
    return float((low + high) / 2) == accepted.value


def _digits(value: float) -> str:
    text = f"{Decimal(repr(value)):f}"
    return text.removesuffix(".0")


def _typed(text: str) -> str:
    """Write an accepted answer, saying what it is where it looks like anything else."""
    if "->" in text:
        return "[html]" + escaped(html.escape(with_stars(text), quote=False))
    literal = is_html(text) or text.startswith(("[", "%"))
    return ("[plain]" if literal else "") + escaped(with_stars(text))
