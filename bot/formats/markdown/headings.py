"""Headings: a stem's first line, and the author's wishes in braces at its end.

The braces hold what Pandoc and djot write there: `{#id seconds=45 tags="a, b" .keep-order}`.
"""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.cleaning import quoted
from bot.drafts import Draft
from bot.formats import meant
from bot.intervals import interval
from bot.items import Choice, Item, MultiChoice, ShortText
from bot.wording import phrase

VALUES = ("seconds", "tags", "typos")
MARKS = ("keep-order", "several", "any-accents", "text")
FOR_OPTIONS = (".keep-order", ".several")
FOR_TYPING = (".any-accents", ".text", "typos")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading's text without its attributes, those, and what is wrong with them (with cure)."""

    text: str
    id: str = ""
    values: tuple[tuple[str, str], ...] = ()
    marks: tuple[str, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()

    def draft(self, stem: str, line: int) -> Draft:
        """Begin the draft of an item with this heading."""
        values = dict(self.values)
        return Draft(
            stem=stem,
            line=line,
            id=self.id,
            seconds=values.get("seconds", ""),
            typos=values.get("typos", ""),
            tags=(values.get("tags", ""),),
            keep_order="keep-order" in self.marks,
            several=True if "several" in self.marks else None,
            any_accents="any-accents" in self.marks,
            as_text="text" in self.marks,
        )

    def idle(self, *, typed: bool) -> Iterator[str]:
        """List the attributes that do nothing for an item that is typed or not."""
        useless = FOR_OPTIONS if typed else FOR_TYPING
        names = (*(f".{mark}" for mark in self.marks), *(key for key, _ in self.values))
        return (name for name in names if name in useless)


def read(source: str) -> Heading:
    """Read the source of a heading; braces that are no attributes stay in its text."""
    start = source.rfind("{")
    if not source.endswith("}") or start < 0 or not _stands_apart(source, start):
        return _plain(source)
    found = _parsed(source[start:])
    if found is None:
        return _plain(source)
    marks = found.pop("class", "").split()
    name = found.pop("id", "")
    known = name or any(key in VALUES for key in found) or any(mark in MARKS for mark in marks)
    unknown = [key for key in found if key not in VALUES]
    unknown += [f".{mark}" for mark in marks if mark not in MARKS]
    if not known and not any(_near(word) for word in unknown):
        return _plain(source)
    return Heading(
        text=source[:start].rstrip(),
        id=name,
        values=tuple(found.items()),
        marks=tuple(marks),
        faults=tuple(map(_unknown, unknown)),
    )


def attributes(item: Item) -> str:
    """Write the attributes of an item."""
    parts = [f"#{item.id}"]
    parts += [f"seconds={item.seconds}"] if item.seconds else []
    parts += [f'tags="{", ".join(item.tags)}"'] if item.tags else []
    match item:
        case Choice() | MultiChoice():
            single = isinstance(item, MultiChoice) and len(item.keys) == 1
            parts += [".several"] * single + [".keep-order"] * item.keep_order
        case ShortText():
            parts += [".text"] * _like_numbers(item) + [".any-accents"] * item.any_accents
            parts += [f"typos={item.typos}"] if item.typos else []
        case _:
            pass
    return f"{{{' '.join(parts)}}}"


# What looks like attributes but cannot be read: {#my id}, {seconds = 45}, tags in curly quotes.
_MEANT = re.compile(
    r"\{\s*(?:#[\w-]+|\.(?:keep|any|several|text)|(?:id|seconds|tags|typos)\s*=)[^{}]*"
    r"(?:\{[^{}]*\}[^{}]*)?\}$"
)


def _like_numbers(item: ShortText) -> bool:
    """Tell whether the accepted texts would be read as numbers, or refused for some of them."""
    found = [interval(text) for text in item.accepted]
    return all(found) or any(range_ and range_.low < range_.high for range_ in found)


def _plain(source: str) -> Heading:
    match = _MEANT.search(source[-500:])
    if not match or source[-500:][: match.start()].endswith("\\"):
        return Heading(text=source)
    fault = (
        phrase("The attributes {attributes} cannot be read.", attributes=quoted(match[0])),
        phrase(
            'Write them like {#my-id seconds=45 tags="one, two" .keep-order}, with straight quotes.'
        ),
    )
    return Heading(text=source[: -len(match[0])].rstrip(), faults=(fault,))


def _stands_apart(source: str, start: int) -> bool:
    before = source[start - 1 : start]
    return not before.strip() or (before != "\\" and source.startswith("{#", start))


def _parsed(source: str) -> dict[str, str] | None:
    from mdit_py_plugins.attrs.parse import ParseError, parse  # noqa: PLC0415 - loaded when needed

    try:
        end, found = parse(source)
    except ParseError:
        return None
    return found if found and end == len(source) - 1 else None


def _near(word: str) -> str:
    names = (*VALUES, *(f".{mark}" for mark in MARKS))
    return next(iter(difflib.get_close_matches(word[:50], names, n=1)), "")


def _unknown(word: str) -> tuple[str, str]:
    near = _near(word)
    names = ", ".join((*VALUES, *(f".{mark}" for mark in MARKS)))
    what = phrase("{word} is not an attribute of an item.", word=quoted(word))
    cure = phrase("There are {names}.", names=names)
    return what, meant(near, cure) if near else cure
