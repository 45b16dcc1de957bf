"""Findings: what a foreign format made of a file, question by question, losing none in silence.

A format gives a `Haul`. `importing.bring_in` makes items of it, and a report in which what was
found equals what was imported, what still needs an answer and what was skipped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from bot.drafts import Draft
from bot.wording import phrase

PARTS = {
    "title": phrase("title"),
    "language": phrase("language"),
    "description": phrase("description"),
    "tags": phrase("tags"),
    "licence": phrase("licence"),
    "author": phrase("author"),
    "source": phrase("source"),
}
"""What a pack says of itself: the fields of an edition, and what they are called in a report."""


class Severity(Enum):
    """How much a remark matters: content that is gone, that is different, or just worth knowing."""

    SKIPPED = "skipped"
    CHANGED = "changed"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One line of a report.

    `place` is where it is in the file as its author would look it up (`line 12`, `cell B7`,
    `question 3`; see `bot.formats.places`); `excerpt` its first words; `action` what was done about
    it. All but the excerpt are sentences as `bot.wording.phrase` makes them.
    """

    severity: Severity
    place: str
    excerpt: str
    reason: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a file: as a draft, or None where no kind of ours can hold it.

    A draft whose options have no key, and that accepts no typed answer, waits for one. A question
    without a draft must say why in a remark of severity SKIPPED. `more` holds further drafts where
    one question makes several items, as the pairs of a matching question do; it counts once.
    """

    draft: Draft | None
    more: tuple[Draft, ...] = ()
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Haul:
    """Everything a format found in one file.

    `remarks` are about the file as a whole. `files` are images and the like by the name that the
    drafts' Markdown uses for them.
    """

    format: str
    questions: tuple[Question, ...]
    remarks: tuple[Remark, ...] = ()
    id: str = ""
    title: str = ""
    language: str = ""
    tags: tuple[str, ...] = ()
    licence: str = ""
    author: str = ""
    source: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file to be read: its name without folders, and its content."""

    name: str
    content: bytes
