"""Keying: which options a cell means that says `2`, `A, C` or the option's own words."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.formats.tables.names import NUMBERED, simplified
from bot.text import tidy


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How the keys of a whole column are meant: as numbers of options, maybe counted from 0."""

    numbers: bool
    first: int = 1


def understood(pairs: Iterable[tuple[str, Sequence[str]]], *, numbers: bool) -> Reading:
    """Tell how a column of keys is meant, from every key and the options of its row.

    If all of them can be numbers of options they are, unless all are options' texts as well.
    """
    counted = [(_numbers(value), value, texts) for value, texts in pairs if value and any(texts)]
    fits = all(found and max(found) <= len(texts) for found, _, texts in counted)
    said = all(_place(value, texts) is not None for _, value, texts in counted)
    zero = fits and any(0 in found for found, _, _ in counted)
    zero = zero and all(max(found) < len(texts) for found, _, texts in counted)
    if not counted or not fits or (said and not numbers):
        return Reading(numbers=numbers)
    return Reading(numbers=True, first=0 if zero else 1)


def keys(value: str, texts: Sequence[str], reading: Reading) -> frozenset[int]:
    """Give the places of the options that a cell means; empty if they cannot be told."""
    counted = _counted(value, texts, reading.first)
    if reading.numbers and counted:
        return counted
    place = _place(value, texts)
    if place is not None:
        return frozenset({place})
    return _lettered(value, texts) or counted or _listed(value, texts)


def is_ambiguous(value: str, texts: Sequence[str], reading: Reading) -> bool:
    """Tell whether a cell can mean the number of one option and the text of another."""
    place = _place(value, texts)
    counted = _counted(value, texts, reading.first)
    return place is not None and bool(counted) and counted != {place}


_SIGNS = re.compile(r"[,;|/&+\n\s]+")
_NAMED = re.compile(r"(.+?) ?([a-z]|[0-9]{1,2})")


def _numbers(value: str) -> list[int]:
    parts = [part for part in _SIGNS.split(_bare(value)) if part]
    return [int(part) for part in parts] if all(map(_is_number, parts)) else []


def _is_number(part: str) -> bool:
    return re.fullmatch(r"[0-9]{1,2}", part) is not None


def _bare(value: str) -> str:
    """Take `Answer 2` for 2, and (b) for b."""
    named = _NAMED.fullmatch(simplified(value))
    if named and named[1] in NUMBERED:
        return named[2]
    return re.sub(r"[().\[\]]", " ", value).strip()


def _counted(value: str, texts: Sequence[str], first: int) -> frozenset[int]:
    return _existing([number - first for number in _numbers(value)], texts)


def _lettered(value: str, texts: Sequence[str]) -> frozenset[int]:
    """Read `B`, `A, C` and `AC`."""
    parts = [part for part in _SIGNS.split(_bare(value)) if part]
    if len(parts) == 1 and parts[0].isupper() and len(set(parts[0])) == len(parts[0]):
        parts = list(parts[0])
    if not all(re.fullmatch(r"[A-Za-z]", part) for part in parts):
        return frozenset()
    return _existing([ord(part.casefold()) - ord("a") for part in parts], texts)


def _existing(places: Sequence[int], texts: Sequence[str]) -> frozenset[int]:
    good = all(0 <= place < len(texts) and texts[place] for place in places)
    return frozenset(places) if good else frozenset()


def _place(value: str, texts: Sequence[str]) -> int | None:
    wanted = tidy(value).casefold()
    return next(
        (at for at, text in enumerate(texts) if text and wanted == tidy(text).casefold()), None
    )


def _listed(value: str, texts: Sequence[str]) -> frozenset[int]:
    """Read the texts of several options, apart by the first sign that works."""
    for sign in ("\n", "|", ";", ","):
        places = [_place(part, texts) for part in value.split(sign) if part.strip()]
        found = [place for place in places if place is not None]
        if found and len(found) == len(places):
            return frozenset(found)
    return frozenset()
