"""Submissions: what a person answered, apart from how they gave it, and its stored form."""

import re
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Chosen:
    """Options by their places in the file, counted from 0."""

    options: frozenset[int]


@dataclass(frozen=True, slots=True)
class Typed:
    """A text or a number, as typed."""

    text: str


Submission: TypeAlias = Chosen | Typed


UNSURE = "?"
"""What an answer ends with that somebody is not sure of, on buttons and where it is typed."""

_PRESSED = re.compile(r"([0-9]{1,4}(?:,[0-9]{1,4})*)|([0-9]{1,4})\?")


def pressed(value: str) -> tuple[Chosen, bool] | None:
    """Read what a button of an answer carries: the options it names, and whether it is a sure one.

    None for anything else: `0`, `0,2` and `0?` are all there is.
    """
    found = _PRESSED.fullmatch(value)
    if found is None:
        return None
    places = (found[1] or found[2]).split(",")
    return Chosen(frozenset(map(int, places))), found[2] is None


def dump(submission: Submission) -> str:
    """Write a submission for the store: `#0,2` for options, `=` and the text for typed ones."""
    match submission:
        case Chosen(options):
            return "#" + ",".join(map(str, sorted(options)))
        case Typed(text):
            return "=" + text


def load(stored: str) -> Submission:
    """Read back what `dump` wrote."""
    if stored.startswith("#"):
        return Chosen(frozenset(int(part) for part in stored[1:].split(",") if part))
    return Typed(stored[1:])
