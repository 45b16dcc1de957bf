"""Reading: what a person typed, as a submission: a letter, a number, an option's text, a word."""

import re
from collections.abc import Sequence

from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse
from bot.submissions import Chosen, Submission, Typed
from bot.text import plain, tidy

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TRUE = {"true", "t", "yes", "y", "benar", "betul", "ya"}
_FALSE = {"false", "f", "no", "n", "salah", "tidak"}


def read(text: str, item: Item, order: Sequence[int]) -> Submission | None:
    """Read a typed answer to an item shown in an order; None if it cannot be meant as one.

    The text of an option comes before its number, so that "4" means the option "4" where there
    is one; letters come first of all.
    """
    wanted = _plain(text)
    match item:
        case _ if not wanted:
            return None
        case Numeric() | ShortText():
            return Typed(text.strip())
        case TrueFalse():
            return _true_or_false(wanted, order)
        case Choice():
            place = _option(wanted, item.options, order)
            return None if place is None else Chosen(frozenset({place}))
        case MultiChoice():
            return _several(wanted, item, order)


def letter(position: int) -> str:
    """Give the letter of the option at a position, counted from 0."""
    return LETTERS[position]


def _plain(text: str) -> str:
    return tidy(text).casefold()


def _true_or_false(wanted: str, order: Sequence[int]) -> Submission | None:
    if wanted in _TRUE | _FALSE:
        return Chosen(frozenset({0 if wanted in _TRUE else 1}))
    place = _by_letter(wanted, order) if wanted in {"a", "b", "1", "2"} else None
    return None if place is None else Chosen(frozenset({place}))


def _option(wanted: str, options: Sequence[object], order: Sequence[int]) -> int | None:
    texts = {_plain(plain(getattr(option, "text", ""))): n for n, option in enumerate(options)}
    if len(wanted) == 1 and wanted.isalpha() and wanted not in texts:
        return _by_letter(wanted, order)
    if wanted in texts:
        return texts[wanted]
    stripped = wanted.rstrip(".)")
    if stripped.isascii() and (stripped.isdigit() or len(stripped) == 1):
        return _by_letter(stripped, order)
    return None


def _by_letter(wanted: str, order: Sequence[int]) -> int | None:
    position = int(wanted) - 1 if wanted.isdigit() else LETTERS.lower().find(wanted)
    return order[position] if 0 <= position < len(order) else None


def _several(wanted: str, item: MultiChoice, order: Sequence[int]) -> Submission | None:
    whole = _option(wanted, item.options, order)
    if whole is not None:
        return Chosen(frozenset({whole}))
    parts = [part for part in re.split(r"[\s,;+&/]+|\bdan\b|\band\b", wanted) if part]
    if len(parts) == 1 and parts[0].isalpha() and parts[0].isascii():
        parts = list(parts[0])
    places = [_option(part, item.options, order) for part in parts]
    found = frozenset(place for place in places if place is not None)
    return Chosen(found) if places and None not in places else None
