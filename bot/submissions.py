"""Submissions: what a person answered, apart from how they gave it, and its stored form."""

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
