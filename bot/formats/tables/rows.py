"""Rows: one row of a question sheet as a draft, and what is odd about it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.drafts import LONGEST, SHORTEST, Draft, DraftOption
from bot.formats.findings import Question, Remark, Severity
from bot.formats.html import from_plain
from bot.formats.options import distinct
from bot.formats.plaintext import remark
from bot.formats.tables import keying
from bot.formats.tables.grid import Grid, Row
from bot.formats.tables.headers import Columns
from bot.formats.tables.names import FALSE, TRUE, simplified
from bot.numbers import number
from bot.wording import phrase

SHORTEST_TRUTH = 4  # "true" and "faux", but not "no": that may be nobelium


def texts(columns: Columns, row: Row) -> list[str]:
    """List the options by their columns, empty ones too, or those in one cell."""
    if columns.options:
        return [row.cell(at) for at in columns.options.values()]
    return _apart(columns.first("options", row))


def _bare(cell: str) -> str:
    """Take off the apostrophe that keeps a spreadsheet from running a cell as a formula."""
    return _MARKED.sub("", cell)


def _plain(cell: str) -> str:
    return from_plain(_bare(cell))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How cells are written: what makes Markdown of one, and what makes a word to type."""

    text: Callable[[str], str] = _plain
    word: Callable[[str], str] = _bare


class Line:
    """One row on its way to a question."""

    def __init__(
        self, grid: Grid, columns: Columns, row: Row, dialect: Dialect | None = None
    ) -> None:
        """Take the row with the columns of its sheet, whose cells are plain text or a dialect."""
        self._columns = columns
        self._dialect = dialect or Dialect()
        self._row = row
        self._place = grid.place(row)
        self._remarks: list[Remark] = []
        self._kind = simplified(columns.first("type", row))
        self._is_markdown = columns.first("format", row).casefold() == "markdown"

    def question(self, reading: keying.Reading) -> Question | None:
        """Give the question, or nothing for a row that only has a number or a remark."""
        columns, row = self._columns, self._row
        stem = columns.first("stem", row)
        found = [*texts(columns, row), *columns.all("wrong", row)]
        key = columns.first("key", row)
        if not stem:
            return (
                self._skipped(phrase("There is no question in the row."), key)
                if any(found)
                else None
            )
        if _UNASKED.search(self._kind):
            return self._skipped(
                phrase("A question of the type {kind} cannot be asked here.", kind=self._kind), stem
            )
        if not any(found) and not key and (columns.options or columns.roles.get("wrong")):
            return self._skipped(phrase("There are no answers in the row."), stem)
        draft = self._draft(stem)
        if self._kind and _SHORT.search(self._kind):
            draft = self._typed(draft, [*found, key])
        elif any(found):
            draft = self._optioned(draft, found, key, reading)
        else:
            draft = self._plain(draft, key)
        return Question(draft=draft, remarks=tuple(self._remarks))

    def _skipped(self, reason: str, excerpt: str) -> Question:
        return Question(
            draft=None, remarks=(remark(Severity.SKIPPED, self._place, excerpt, reason),)
        )

    def _changed(self, excerpt: str, reason: str, action: str = "") -> None:
        self._remarks.append(remark(Severity.CHANGED, self._place, excerpt, reason, action))

    def _text(self, cell: str) -> str:
        return _bare(cell) if self._is_markdown else self._dialect.text(cell)

    def _draft(self, stem: str) -> Draft:
        columns, row = self._columns, self._row
        settings = columns.first("settings", row).split()
        typos = next((word for word in settings if word.startswith("typos=")), "")
        return Draft(
            stem=self._text(stem),
            id=columns.first("id", row),
            line=row.line,
            rationale=self._text(columns.first("explanation", row)),
            seconds=self._seconds(columns.first("seconds", row)),
            tags=tuple(filter(None, columns.all("tags", row))),
            keep_order="keep-order" in settings,
            any_accents="any-accents" in settings,
            typos=typos.removeprefix("typos="),
            several=True if _SEVERAL.search(self._kind) else None,
        )

    def _seconds(self, cell: str) -> str:
        if not cell:
            return ""
        minutes = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})(?::00)?", cell)
        plain = re.match(r"([0-9]{1,5})(?:[.,]0+)?\s*(?:s|$)", cell)
        seconds = int(minutes[1]) * 60 + int(minutes[2]) if minutes else 0
        seconds = int(plain[1]) if plain else seconds
        if SHORTEST <= seconds <= LONGEST:
            return str(seconds)
        reason = phrase(
            "The time is not one from {least} to {most} seconds.",
            least=SHORTEST,
            most=str(LONGEST),
        )
        self._changed(cell, reason, phrase("The time was left out."))
        return ""

    def _typed(self, draft: Draft, texts: Sequence[str]) -> Draft:
        accepted = tuple(self._dialect.word(text) for text in texts if text)
        is_number = "num" in self._kind
        given = self._credits(len(accepted))[: len(accepted)]
        credits_ = tuple(1.0 if one is None else one for one in given)
        earned = credits_ if any(one is not None for one in given) else ()
        return replace(draft, accepted=accepted, as_text=not is_number, credits=earned)

    def _plain(self, draft: Draft, key: str) -> Draft:
        """Make a draft of a question with nothing but an answer, or not even that."""
        word = simplified(self._dialect.word(key))
        known = word in TRUE | FALSE
        if self._kind.startswith(("true", "bool")) or (known and len(word) >= SHORTEST_TRUTH):
            truth = word in TRUE
            options = (
                DraftOption(text="True", is_key=known and truth, line=draft.line),
                DraftOption(text="False", is_key=known and not truth, line=draft.line),
            )
            return replace(draft, options=options)
        parts = (self._dialect.word(part).strip() for part in key.split(" | "))
        accepted = tuple(part for part in parts if part)
        return replace(draft, accepted=accepted)

    def _optioned(
        self, draft: Draft, texts: Sequence[str], key: str, reading: keying.Reading
    ) -> Draft:
        wrong = [text for text in self._columns.all("wrong", self._row) if text]
        right = frozenset[int]()
        if wrong:
            wrong = wrong if len(wrong) > 1 else _apart(wrong[0])
            texts = sorted([*([key] if key else []), *wrong], key=str.casefold)
            right = frozenset({texts.index(key)}) if key else right
        elif self._columns.points:
            right = self._pointed()
        elif key:
            right = keying.keys(key, texts, reading)
            self._doubt(key, texts, right, reading)
        if len(filled := [text for text in texts if text]) == 1:
            self._changed(
                filled[0],
                phrase("There is one option only."),
                phrase("It is an answer to type now."),
            )
            return replace(draft, accepted=(self._dialect.word(filled[0]),))
        reasons, credits_ = self._reasons(len(texts)), self._credits(len(texts))
        options, remarks = distinct(
            (
                DraftOption(
                    text=self._text(text),
                    is_key=at in right,
                    rationale=reasons[at],
                    weight=credits_[at],
                    line=draft.line,
                )
                for at, text in enumerate(texts)
                if text
            ),
            self._place,
        )
        self._remarks += remarks
        return replace(draft, options=options)

    def _doubt(
        self, key: str, texts: Sequence[str], right: frozenset[int], reading: keying.Reading
    ) -> None:
        if not right:
            self._changed(
                key,
                phrase("The answer is none of the options."),
                phrase("It still needs an answer."),
            )
        elif reading.first == 0:
            self._changed(key, phrase("The answers are counted from 0, it seems."))
        elif not self._columns.counts and keying.is_ambiguous(key, texts, reading):
            meant = phrase("number") if reading.numbers else phrase("text")
            reason = phrase("The answer can be the number of one option and the text of another.")
            self._changed(
                key, reason, phrase("It was taken for the {meant}; please check it.", meant=meant)
            )

    def _pointed(self) -> frozenset[int]:
        points = self._columns.points
        values = [self._row.cell(points[m]) if m in points else "" for m in self._columns.options]
        return frozenset(at for at, value in enumerate(values) if _POSITIVE.match(value))

    def _credits(self, count: int) -> list[float | None]:
        columns = self._columns
        cells = (
            self._row.cell(columns.credits[mark]) if mark in columns.credits else ""
            for mark in columns.options
        )
        return [*(number(cell) if cell else None for cell in cells), *[None] * count]

    def _reasons(self, count: int) -> list[str]:
        reasons = self._columns.reasons
        found = [
            self._text(self._row.cell(reasons[mark])) if mark in reasons else ""
            for mark in self._columns.options
        ]
        return [*found, *[""] * (count - len(found))]


_UNASKED = re.compile(
    r"essay|open|paragraph|survey|poll|match|order|draw|slide|cloud|esai|uraian|ensayo|aufsatz"
)
_SHORT = re.compile(r"short|text|typ(?:e|ing) answer|fill|isian|corta|courte|kurz|number|numeric")
_SEVERAL = re.compile(r"multiple (?:answer|select|respon)|multi ?select|checkbox|several")
_POSITIVE = re.compile(r"\+?(?:0*[1-9]|0*[.,]0*[1-9])")
_BULLET = re.compile(r"^(?:[A-Za-z0-9][.)]|[-•*])\s+")
_MARKED = re.compile(r"^'(?='*[=+\-@])")


def _apart(cell: str) -> list[str]:
    """Take several texts in one cell apart: by lines, bars or semicolons, else by commas."""
    sign = next((sign for sign in ("\n", "|", ";", ",") if sign in cell), None)
    parts = (_BULLET.sub("", part.strip()) for part in cell.split(sign))
    return [part for part in parts if part]
