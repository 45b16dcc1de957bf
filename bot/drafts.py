"""Drafts: items as a format read them, and everything that can be wrong with one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bot.cleaning import quoted, slug
from bot.intervals import interval, written
from bot.items import Interval
from bot.text import Markdown, is_plain, pictures, plain, tidy
from bot.wording import phrase

MOST_OPTIONS = 26
MOST_ACCEPTED = 500
SHORTEST, LONGEST = 5, 3600
MOST_TYPOS = 3

# What every chat can carry: a message of 4,096 characters holds the stem and all options with
# room for the heading; a typed answer and an option are also read on a phone.
STEM = 3000
STEM_AND_OPTIONS = 3500
OPTION = 500
ACCEPTED = 200
RATIONALE = 3000
OPTION_RATIONALE = 1000

# A line (0 for that of the item), what is wrong, and the cure.
Fault: TypeAlias = tuple[int, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftOption:
    """An option as written: Markdown, and whether the format marks it as right.

    `weight` is the part of the credit, from -1 to 1, where a format states one.
    """

    text: str
    is_key: bool = False
    weight: float | None = None
    rationale: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An item as written, which may be wrong in every way.

    `seconds` and `typos` are the author's own words. `several` is None where the number of keys
    decides, True where a format asks for all that apply and False where it allows one answer.
    `as_text` compares accepted answers as text even if they look like numbers. `credits` are what
    they earn, from 0 to 1 and in their order; without any, each earns all.
    """

    stem: str
    id: str = ""
    line: int = 0
    options: tuple[DraftOption, ...] = ()
    accepted: tuple[str | Interval, ...] = ()
    credits: tuple[float, ...] = ()
    rationale: str = ""
    seconds: str = ""
    typos: str = ""
    tags: tuple[str, ...] = ()
    keep_order: bool = False
    any_accents: bool = False
    several: bool | None = None
    as_text: bool = False


def faults(draft: Draft) -> Iterator[Fault]:
    """Go through everything that is wrong with a draft whose texts are clean."""
    for check in (_head, _options, _accepted, _weights, _lengths):
        yield from check(draft)


def as_interval(entry: str | Interval) -> Interval | None:
    """Read an accepted answer as numbers; None if it is text."""
    return entry if isinstance(entry, Interval) else interval(entry)


def spelled(entry: str | Interval) -> str:
    """Write an accepted answer as its author would."""
    return written(entry) if isinstance(entry, Interval) else entry


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def _head(draft: Draft) -> Iterator[Fault]:
    if not draft.stem:
        yield 0, phrase("The item asks nothing."), phrase("Write the question before its answers.")
    if draft.id and not _ID.fullmatch(draft.id):
        yield (
            0,
            phrase("{id} cannot be an id.", id=quoted(draft.id)),
            (
                phrase(
                    "Use up to 64 letters a-z, digits, hyphens and underscores, such as {example}.",
                    example=slug(draft.id or draft.stem),
                )
            ),
        )
    if draft.seconds and _whole(draft.seconds, SHORTEST, LONGEST) is None:
        yield (
            0,
            (
                phrase(
                    "The time {seconds} is not a whole number of seconds from {least} to {most}.",
                    seconds=quoted(draft.seconds),
                    least=SHORTEST,
                    most=str(LONGEST),
                )
            ),
            phrase("Write for instance seconds=45, or leave it out."),
        )
    if draft.typos and _whole(draft.typos, 0, MOST_TYPOS) is None:
        yield (
            0,
            phrase(
                "The number of typos {typos} is not one from 0 to {most}.",
                typos=quoted(draft.typos),
                most=MOST_TYPOS,
            ),
            phrase("Write for instance typos=1, or leave it out."),
        )


def _options(draft: Draft) -> Iterator[Fault]:
    options = draft.options
    if not options:
        return
    if len(options) == 1:
        yield (
            0,
            phrase("{text} is the only option.", text=quoted(options[0].text)),
            phrase("Add at least a second option."),
        )
    if len(options) > MOST_OPTIONS:
        yield (
            options[MOST_OPTIONS].line,
            phrase(
                "There are {count} options, but only {most} letters.",
                count=len(options),
                most=MOST_OPTIONS,
            ),
            phrase("Keep at most {most} options.", most=MOST_OPTIONS),
        )
    keys = [option for option in options if option.is_key]
    if not keys:
        yield (
            0,
            phrase("No option is marked as right."),
            phrase("Mark the right one; in a pack type [x] before it."),
        )
    if draft.several is False and len(keys) > 1:
        yield (
            keys[1].line,
            (
                phrase(
                    "{one} and {other} are both right, but the item allows one answer.",
                    one=quoted(keys[0].text),
                    other=quoted(keys[1].text),
                )
            ),
            phrase("Mark a single option as right, or allow several answers."),
        )
    yield from _equal(options[: MOST_OPTIONS + 1])


def _equal(options: Iterable[DraftOption]) -> Iterator[Fault]:
    seen: dict[object, DraftOption] = {}
    for option in options:
        text = Markdown(option.text)
        if len(text) > OPTION:
            continue
        look = _looks(text)
        if not any(look):
            yield (
                option.line,
                phrase("An option has no text."),
                phrase("Write the option, or remove it."),
            )
        elif look in seen:
            what = phrase(
                "The option {one} is the same as {other}.",
                one=quoted(option.text),
                other=quoted(seen[look].text),
            )
            if line := seen[look].line:
                what = phrase("{what} That stands on line {line}.", what=what, line=str(line))
            yield option.line, what, phrase("Change one of the two, or remove it.")
        seen.setdefault(look, option)


def _looks(text: Markdown) -> tuple[str, ...]:
    """Tell two options apart as a reader does: case and spaces matter only in formatted text."""
    shown = tidy(plain(text)).casefold() if is_plain(text) else plain(text).strip()
    return (shown, *(picture.source for picture in pictures(text)))


def _accepted(draft: Draft) -> Iterator[Fault]:
    if draft.options and draft.accepted:
        yield (
            0,
            phrase("The item has options and also answers to type."),
            phrase("Make two items of it, or remove one of the two lists."),
        )
    elif not draft.options and not draft.accepted:
        yield (
            0,
            phrase("The item has no answers."),
            phrase(
                "Add a list of them; in a pack - [x] right and - [ ] wrong, or - = an answer to "
                "type."
            ),
        )
    if len(draft.accepted) > MOST_ACCEPTED:
        what = phrase("There are {count} accepted answers.", count=len(draft.accepted))
        yield 0, what, phrase("Keep at most {most} of them.", most=MOST_ACCEPTED)
        return
    if "" in draft.accepted:
        yield (
            0,
            phrase("An accepted answer is empty."),
            phrase("Write what people may type, or remove it."),
        )
    ranges = [spelled(entry) for entry in draft.accepted if _is_range(entry)]
    words = [spelled(entry) for entry in draft.accepted if as_interval(entry) is None]
    if ranges and words and not draft.as_text:
        yield (
            0,
            phrase(
                "{ranges} is a range of numbers, but {words} is text.",
                ranges=quoted(ranges[0]),
                words=quoted(words[0]),
            ),
            phrase("Accept only numbers or only texts, and make two items if you need both."),
        )


def _weights(draft: Draft) -> Iterator[Fault]:
    for option in draft.options:
        if option.weight is not None and not -1 <= option.weight <= 1:
            text, worth = quoted(option.text), _percent(option.weight)
            what = phrase("The option {text} is worth {worth} %.", text=text, worth=worth)
            yield option.line, what, phrase("Give it from -100 % to 100 % of the credit.")
    for entry, credit in zip(draft.accepted, draft.credits, strict=False):
        if not 0 < credit <= 1:
            text, worth = quoted(spelled(entry)), _percent(credit)
            what = phrase("The accepted answer {text} is worth {worth} %.", text=text, worth=worth)
            yield 0, what, phrase("Give it more than 0 %, and at most 100 % of the credit.")


def _percent(share: float) -> str:
    return f"{share * 100:g}"


def _is_range(entry: str | Interval) -> bool:
    accepted = as_interval(entry)
    return accepted is not None and accepted.low < accepted.high


def _lengths(draft: Draft) -> Iterator[Fault]:
    options = draft.options
    yield from _long(phrase("The question"), draft.stem, STEM, draft.line)
    yield from _long(phrase("The rationale"), draft.rationale, RATIONALE, draft.line)
    for option in options:
        yield from _long(phrase("The option"), option.text, OPTION, option.line)
        yield from _long(phrase("The rationale"), option.rationale, OPTION_RATIONALE, option.line)
    for entry in draft.accepted:
        yield from _long(phrase("The accepted answer"), spelled(entry), ACCEPTED, draft.line)
    if len(draft.stem) <= STEM and all(len(option.text) <= OPTION for option in options):
        whole = "\n".join((draft.stem, *(option.text for option in options)))
        yield from _long(
            phrase("The question with all its options"), whole, STEM_AND_OPTIONS, draft.line
        )


def _long(name: str, text: str, most: int, line: int) -> Iterator[Fault]:
    if len(text) > most:
        yield (
            line,
            phrase(
                "{name} {text} has {length} characters; a chat can carry {most}.",
                name=name,
                text=quoted(text),
                length=len(text),
                most=most,
            ),
            phrase("Shorten it by {count} characters.", count=len(text) - most),
        )


def _whole(text: str, least: int, most: int) -> int | None:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        return None
    return value if least <= (value := int(text)) <= most else None
