"""Reading question sheets: rows to drafts."""

from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from bot.formats import places
from bot.formats.containers import is_zip
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.plaintext import decoded, remark
from bot.formats.tables import headers, keying
from bot.formats.tables.grid import Grid, Row, grids, separated
from bot.formats.tables.headers import Columns
from bot.formats.tables.rows import Line, texts
from bot.wording import phrase

NAME = "csv"


def sniff(source: Source) -> float:
    """Tell how much a file looks like a sheet of questions, from its first rows."""
    if is_zip(source.content):
        return 0.0
    head = source.content[:20_000]
    named = source.name.casefold().endswith((".csv", ".tsv"))
    text, _ = decoded(head[: head.rfind(b"\n") + 1] or head)
    if text.lstrip()[:1] in {"{", "[", "<"} and not named:
        return 0.0
    rows = separated(text)[0].rows
    wide = sum(len(row.cells) > 1 for row in rows)
    if headers.find(rows):
        return 0.9
    if not rows or wide < len(rows) * headers.MOSTLY:
        return 0.2 if named and wide else 0.0
    return 0.7 if named else 0.55 * ("\t" in text)


def read(source: Source) -> Haul:
    """Read the rows of a file, or the sheets of one that is a workbook by mistake."""
    return read_sheets(source, NAME)


def read_sheets(source: Source, name: str) -> Haul:
    """Read every sheet of a file. Raises FileRefused for a container that cannot be trusted."""
    sheets, found = grids(source)
    remarks = list(found)
    questions: list[Question] = []
    for grid in sheets:
        questions += _Sheet(grid, remarks).questions()
    if not questions:
        reason = phrase("No row of the table is a question.")
        cure = phrase("Name the columns question, option 1, option 2, correct in the first row.")
        remarks.append(remark(Severity.NOTE, places.FILE, "", reason, cure))
    return Haul(format=name, questions=tuple(questions), remarks=tuple(remarks))


class _Sheet:
    """One sheet on its way to questions; what concerns all of it goes to `remarks`."""

    def __init__(self, grid: Grid, remarks: list[Remark]) -> None:
        self._grid = grid
        self._rows: Sequence[Row] = grid.rows
        self._columns: Columns | None = None
        if found := headers.find(grid.rows):
            at, self._columns = found
            self._rows = grid.rows[at + 1 :]
        else:
            self._columns = headers.guess(grid.rows)
            remarks += self._guessed(self._columns)
        if self._columns and self._is_encoded(self._columns):
            self._rows = [_decoded(row) for row in self._rows]
            reason = phrase("The texts are written for addresses, with %20 for a space.")
            remarks.append(
                remark(Severity.NOTE, self._place(), "", reason, phrase("They were decoded."))
            )
        if self._columns:
            remarks += self._unused(self._columns)

    def questions(self) -> Iterator[Question]:
        """Give the question of every row that holds more than its number."""
        columns = self._columns
        if columns is None:
            return
        pairs = ((columns.first("key", row), texts(columns, row)) for row in self._rows)
        reading = keying.understood(pairs, numbers=columns.counts)
        for row in self._rows:
            if question := Line(self._grid, columns, row).question(reading):
                yield question

    def _place(self) -> str:
        return places.sheet(self._grid.name) if self._grid.name else places.FILE

    def _guessed(self, columns: Columns | None) -> Iterator[Remark]:
        reason = phrase("No row names the columns.")
        if columns is None:
            action = phrase("Nothing was read; name them question, option 1, option 2, correct.")
            yield remark(Severity.SKIPPED, self._place(), "", reason, action)
            return
        stem, key = columns.roles["stem"][0], columns.roles.get("key", [])
        taken = [phrase("column {number} for the question", number=stem + 1)]
        if columns.options:
            taken.append(phrase("{count} columns for options", count=len(columns.options)))
        taken += [phrase("column {number} for the answer", number=at + 1) for at in key]
        action = phrase("Taken were {columns}.", columns=taken)
        yield remark(Severity.CHANGED, self._place(), "", reason, action)

    def _is_encoded(self, columns: Columns) -> bool:
        stems = [text for row in self._rows if (text := columns.first("stem", row))]
        spaced = any(" " in stem for stem in stems)
        return not spaced and any("%20" in stem for stem in stems)

    def _unused(self, columns: Columns) -> Iterator[Remark]:
        for at, name in columns.strange.items():
            filled = next((row for row in self._rows if row.cell(at)), None)
            if filled:
                reason = phrase("Nothing is known about the column {name}.", name=name or at + 1)
                place = self._grid.place(filled, at)
                yield remark(
                    Severity.CHANGED,
                    place,
                    filled.cell(at),
                    reason,
                    phrase("The column was left out."),
                )


def _decoded(row: Row) -> Row:
    return Row(line=row.line, cells=tuple(map(unquote, row.cells)))
