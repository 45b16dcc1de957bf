"""Writing Moodle XML, so that reading it gives the same items again."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from bot.cleaning import CONTROL
from bot.formats.findings import Remark
from bot.formats.gift.writing import ARROW, ORDER, centred, is_simple, losses, percent
from bot.formats.moodle_texts import with_stars
from bot.grading import worth
from bot.items import (
    NOWHERE,
    Choice,
    Interval,
    Item,
    MultiChoice,
    Numeric,
    ShortText,
    TrueFalse,
    keys,
)
from bot.packs import Edition
from bot.text import Markdown, plain


def write(edition: Edition) -> tuple[str, tuple[Remark, ...]]:
    """Write an edition as Moodle XML, and report what Moodle has no place for."""
    remarks = losses(edition, but=frozenset({ARROW, ORDER}))
    about = (edition.title, edition.author, edition.licence, edition.source)
    comment = " | ".join(filter(None, about)).replace("--", "- -")
    parts = (
        f"<!-- {CONTROL.sub('', comment)} -->",
        *("\n".join(_lines(item)) for item in edition.items),
    )
    body = "\n\n".join(parts)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n\n{body}\n\n</quiz>\n', remarks


_TYPES = {
    Choice: "multichoice",
    MultiChoice: "multichoice",
    TrueFalse: "truefalse",
    ShortText: "shortanswer",
    Numeric: "numerical",
}


def _lines(item: Item) -> Iterator[str]:
    yield f'<question type="{_TYPES[type(item)]}">'
    yield f"  <name><text>{_escaped(item.id)}</text></name>"
    yield f"  {_text('questiontext', item.stem)}"
    if item.rationale:
        yield f"  {_text('generalfeedback', item.rationale)}"
    yield f"  <idnumber>{_escaped(item.id)}</idnumber>"
    yield from (f"  {line}" for line in _answers(item))
    if item.tags:
        tags = "".join(f"<tag><text>{_escaped(tag)}</text></tag>" for tag in item.tags)
        yield f"  <tags>{tags}</tags>"
    yield "</question>"


def _answers(item: Item) -> Iterator[str]:
    match item:
        case Choice() | MultiChoice():
            yield f"<single>{str(isinstance(item, Choice)).lower()}</single>"
            yield f"<shuffleanswers>{str(not item.keep_order).lower()}</shuffleanswers>"
            for place, option in enumerate(item.options):
                credit = _credit(item, place)
                yield _answer(credit, _inner(option.text), option.rationale)
        case TrueFalse():
            for word, key, reason in (
                ("true", item.key, item.when_true),
                ("false", not item.key, item.when_false),
            ):
                yield _answer(float(key), ("moodle_auto_format", word), reason)
        case ShortText():
            yield "<usecase>0</usecase>"
            for place, text in enumerate(item.accepted):
                credit = item.credits[place] if item.credits else 1.0
                yield _answer(credit, ("plain_text", with_stars(text)))
        case Numeric():
            for place, accepted in enumerate(item.accepted):
                credit = item.credits[place] if item.credits else 1.0
                yield _number(accepted, credit)


def _credit(item: Choice | MultiChoice, place: int) -> float:
    """Give what an option is worth; in a choice the key counts whole."""
    weight = item.options[place].weight
    if isinstance(item, Choice) and weight is None:
        return float(place in keys(item))
    return round(worth(item, place), 7)


def _answer(
    credit: float, inner: tuple[str, str], reason: Markdown = NOWHERE, more: str = ""
) -> str:
    kind, text = inner
    feedback = _text("feedback", reason) if reason else ""
    fraction = quoteattr(percent(credit))
    body = f"<text>{_escaped(text)}</text>{more}{feedback}"
    return f'<answer fraction={fraction} format="{kind}">{body}</answer>'


def _number(accepted: Interval, credit: float) -> str:
    """Write a number and its tolerance, around the middle of a range."""
    value, tolerance = centred(accepted)
    return _answer(credit, ("plain_text", value), more=f"<tolerance>{tolerance}</tolerance>")


def _text(tag: str, source: Markdown) -> str:
    kind, text = _inner(source)
    return f'<{tag} format="{kind}"><text>{_escaped(text)}</text></{tag}>'


def _inner(source: Markdown) -> tuple[str, str]:
    """Give a text with its format: plain where that says it all, else Markdown."""
    return ("plain_text", plain(source)) if is_simple(source) else ("markdown", source)


def _escaped(text: str) -> str:
    return escape(CONTROL.sub("", text))
