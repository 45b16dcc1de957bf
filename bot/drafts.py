"""Drafts: items as a format read them, and everything that can be wrong with one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bot.cleaning import quoted, slug
from bot.intervals import interval, written
from bot.items import Interval
from bot.text import Markdown, is_plain, pictures, plain, tidy

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
        yield 0, "The item asks nothing.", "Write the question before its answers."
    if draft.id and not _ID.fullmatch(draft.id):
        yield (
            0,
            f"{quoted(draft.id)} cannot be an id.",
            (
                "Use up to 64 letters a-z, digits, hyphens and underscores, such as "
                f"{slug(draft.id or draft.stem)}."
            ),
        )
    if draft.seconds and _whole(draft.seconds, SHORTEST, LONGEST) is None:
        yield (
            0,
            (
                f"The time {quoted(draft.seconds)} is not a whole number of seconds from "
                f"{SHORTEST} to {LONGEST}."
            ),
            "Write for instance seconds=45, or leave it out.",
        )
    if draft.typos and _whole(draft.typos, 0, MOST_TYPOS) is None:
        yield (
            0,
            f"The number of typos {quoted(draft.typos)} is not one from 0 to {MOST_TYPOS}.",
            "Write for instance typos=1, or leave it out.",
        )


def _options(draft: Draft) -> Iterator[Fault]:
    options = draft.options
    if not options:
        return
    if len(options) == 1:
        yield 0, f"{quoted(options[0].text)} is the only option.", "Add at least a second option."
    if len(options) > MOST_OPTIONS:
        yield (
            options[MOST_OPTIONS].line,
            f"There are {len(options)} options, but only {MOST_OPTIONS} letters.",
            f"Keep at most {MOST_OPTIONS} options.",
        )
    keys = [option for option in options if option.is_key]
    if not keys:
        yield (
            0,
            "No option is marked as right.",
            "Mark the right one; in a pack type [x] before it.",
        )
    if draft.several is False and len(keys) > 1:
        yield (
            keys[1].line,
            (
                f"{quoted(keys[0].text)} and {quoted(keys[1].text)} are both right, but the item "
                "allows one answer."
            ),
            "Mark a single option as right, or allow several answers.",
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
            yield option.line, "An option has no text.", "Write the option, or remove it."
        elif look in seen:
            where = f" on line {seen[look].line}" if seen[look].line else ""
            yield (
                option.line,
                (
                    f"The option {quoted(option.text)} is the same as {quoted(seen[look].text)}"
                    f"{where}."
                ),
                "Change one of the two, or remove it.",
            )
        seen.setdefault(look, option)


def _looks(text: Markdown) -> tuple[str, ...]:
    """Tell two options apart as a reader does: case and spaces matter only in formatted text."""
    shown = tidy(plain(text)).casefold() if is_plain(text) else plain(text).strip()
    return (shown, *(picture.source for picture in pictures(text)))


def _accepted(draft: Draft) -> Iterator[Fault]:
    if draft.options and draft.accepted:
        yield (
            0,
            "The item has options and also answers to type.",
            "Make two items of it, or remove one of the two lists.",
        )
    elif not draft.options and not draft.accepted:
        yield (
            0,
            "The item has no answers.",
            "Add a list of them; in a pack - [x] right and - [ ] wrong, or - = an answer to type.",
        )
    if len(draft.accepted) > MOST_ACCEPTED:
        what = f"There are {len(draft.accepted)} accepted answers."
        yield 0, what, f"Keep at most {MOST_ACCEPTED} of them."
        return
    if "" in draft.accepted:
        yield 0, "An accepted answer is empty.", "Write what people may type, or remove it."
    ranges = [spelled(entry) for entry in draft.accepted if _is_range(entry)]
    words = [spelled(entry) for entry in draft.accepted if as_interval(entry) is None]
    if ranges and words and not draft.as_text:
        yield (
            0,
            f"{quoted(ranges[0])} is a range of numbers, but {quoted(words[0])} is text.",
            "Accept only numbers or only texts, and make two items if you need both.",
        )


def _weights(draft: Draft) -> Iterator[Fault]:
    for option in draft.options:
        if option.weight is not None and not -1 <= option.weight <= 1:
            what = f"The option {quoted(option.text)} is worth {option.weight * 100:g} %."
            yield option.line, what, "Give it from -100 % to 100 % of the credit."
    for entry, credit in zip(draft.accepted, draft.credits, strict=False):
        if not 0 < credit <= 1:
            what = f"The accepted answer {quoted(spelled(entry))} is worth {credit * 100:g} %."
            yield 0, what, "Give it more than 0 %, and at most 100 % of the credit."


def _is_range(entry: str | Interval) -> bool:
    accepted = as_interval(entry)
    return accepted is not None and accepted.low < accepted.high


def _lengths(draft: Draft) -> Iterator[Fault]:
    options = draft.options
    yield from _long("The question", draft.stem, STEM, draft.line)
    yield from _long("The rationale", draft.rationale, RATIONALE, draft.line)
    for option in options:
        yield from _long("The option", option.text, OPTION, option.line)
        yield from _long("The rationale", option.rationale, OPTION_RATIONALE, option.line)
    for entry in draft.accepted:
        yield from _long("The accepted answer", spelled(entry), ACCEPTED, draft.line)
    if len(draft.stem) <= STEM and all(len(option.text) <= OPTION for option in options):
        whole = "\n".join((draft.stem, *(option.text for option in options)))
        yield from _long("The question with all its options", whole, STEM_AND_OPTIONS, draft.line)


def _long(name: str, text: str, most: int, line: int) -> Iterator[Fault]:
    if len(text) > most:
        yield (
            line,
            f"{name} {quoted(text)} has {len(text)} characters; a chat can carry {most}.",
            f"Shorten it by {len(text) - most} characters.",
        )


def _whole(text: str, least: int, most: int) -> int | None:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        return None
    return value if least <= (value := int(text)) <= most else None
