"""Grids: the cells of a sheet as text, whether they come from CSV, TSV or XLSX."""

import csv
import io
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Literal, TypeAlias

from bot.formats import places
from bot.formats.containers import is_zip, unpack
from bot.formats.findings import Remark, Severity, Source
from bot.formats.plaintext import decoded, remark
from bot.wording import phrase

MOST_ROWS = 20_000
MOST_COLUMNS = 256
MOST_CELLS = 250_000
SAMPLE = 200
DELIMITERS = "\t;,|"
EXACT = 1e15

Quoting: TypeAlias = Literal[0, 3]  # csv.QUOTE_MINIMAL, csv.QUOTE_NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The cells of one row, and the line or row that it begins on."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """Give a cell without blanks around it; empty where the row is too short."""
        return self.cells[column].strip() if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The rows of one sheet that hold anything."""

    rows: tuple[Row, ...]
    name: str = ""
    is_sheet: bool = False

    def place(self, row: Row, column: int | None = None) -> str:
        """Name a row or a cell as the author would look it up."""
        if not self.is_sheet:
            return places.line(row.line) if column is None else places.column(row.line, column)
        cell = "" if column is None else f"{letters(column)}{row.line}"
        return places.within(self.name, places.cell(cell) if cell else places.row(row.line))


def grids(source: Source) -> tuple[tuple[Grid, ...], tuple[Remark, ...]]:
    """Read every sheet of a file. Raises FileRefused for a container that cannot be trusted."""
    if is_zip(source.content):
        return _workbook(source.content)
    text, remarks = decoded(source.content)
    grid, more = separated(text)
    return ((grid,) if grid.rows else ()), (*remarks, *more)


def separated(text: str, delimiter: str = "") -> tuple[Grid, tuple[Remark, ...]]:
    """Read CSV or TSV, whatever its delimiter, and quotes only where they are used as such."""
    declared = _DECLARED.match(text)
    delimiter = delimiter or (declared[1] if declared else _delimiter(text))
    quoting = _quoting(text, delimiter)
    rows: list[Row] = []
    remarks: list[Remark] = []
    lines = text.split("\n")
    if declared:
        lines[0] = ""
    for number, cells in _numbered(lines, delimiter, quoting):
        if not isinstance(cells, list):
            reason = phrase("The row cannot be read: {cells}.", cells=cells)
            remarks.append(remark(Severity.SKIPPED, places.line(number), "", reason))
            continue
        if len(rows) >= MOST_ROWS:
            reason = phrase("The table has more than {most} rows.", most=MOST_ROWS)
            remarks.append(remark(Severity.SKIPPED, places.line(number), "", reason, _REST))
            break
        kept = tuple(cells[:MOST_COLUMNS])
        if any(map(str.strip, kept)):
            rows.append(Row(line=number, cells=kept))
    return Grid(rows=tuple(rows)), tuple(remarks)


_REST = phrase("The rest was left out; divide the table into several files.")
_DECLARED = re.compile(r"sep=([;,|\t])\s*(?:\n|$)", re.IGNORECASE)


def _numbered(
    lines: Iterable[str], delimiter: str, quoting: Quoting
) -> Iterator[tuple[int, list[str] | str]]:
    """Give each row with the line that it begins on, or the reason why it cannot be read."""
    taken = 0

    def counted() -> Iterator[str]:
        nonlocal taken
        for line in lines:
            taken += 1
            yield f"{line}\n"

    reader = csv.reader(counted(), delimiter=delimiter, quoting=quoting)
    while True:
        start = taken + 1
        try:
            yield start, next(reader)
        except StopIteration:
            return
        except csv.Error as broken:
            yield start, str(broken)


def _delimiter(text: str) -> str:
    """Choose the sign that cuts the first lines into the most equal pieces."""
    lines = [line for line in text[:200_000].split("\n")[:SAMPLE] if line.strip()]

    def evenness(delimiter: str) -> tuple[float, int]:
        counts = Counter(_pieces(lines, delimiter, csv.QUOTE_MINIMAL))
        width, rows = max(counts.items(), key=lambda pair: (pair[0] > 1, pair[1]), default=(1, 0))
        return (rows / max(1, len(lines)) if width > 1 else 0.0), width

    return max(DELIMITERS, key=evenness)


def _quoting(text: str, delimiter: str) -> Quoting:
    """Tell whether quotes enclose cells: not if one opens that nothing closes properly."""
    lines = text.split("\n")
    try:
        for _ in csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        loose = _torn(lines, delimiter)
        return csv.QUOTE_NONE if loose else csv.QUOTE_MINIMAL
    return csv.QUOTE_MINIMAL


def _torn(lines: Sequence[str], delimiter: str) -> bool:
    """Tell whether reading without quotes gives more even rows than reading with them."""
    bare = Counter(_pieces(lines, delimiter, csv.QUOTE_NONE))
    quoted = Counter(_pieces(lines, delimiter, csv.QUOTE_MINIMAL))
    return max(bare.values(), default=0) > max(quoted.values(), default=0)


def _pieces(lines: Iterable[str], delimiter: str, quoting: Quoting) -> Iterator[int]:
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, quoting=quoting)
    try:
        for cells in reader:
            yield len(cells)
    except csv.Error:
        return


def _workbook(content: bytes) -> tuple[tuple[Grid, ...], tuple[Remark, ...]]:
    """Read a workbook; what its parts claim about their sizes is not believed."""
    container = unpack(content)
    remarks = list(container.remarks)
    found: list[Grid] = []
    left = MOST_CELLS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and validations, which are not read
            for name, rows in _sheets(_narrowed(container.files, remarks)):
                grid, used = _sheet(name, rows, left, remarks)
                left -= used
                found += [grid] if grid.rows else []
    except Exception as broken:  # noqa: BLE001 - openpyxl has no error of its own for bad files
        reason = phrase("The workbook is damaged ({name}).", name=type(broken).__name__)
        remarks.append(
            remark(Severity.SKIPPED, places.FILE, "", reason, phrase("Save it again as XLSX."))
        )
    if len(found) == 1:
        found = [Grid(rows=found[0].rows, is_sheet=True)]
    return tuple(found), tuple(remarks)


_FAR = re.compile(rb"<c r=\"[A-Z]{3}[0-9]+\"[^>]*?(?:/>|>.*?</c>)", re.DOTALL)


def _narrowed(files: Mapping[str, bytes], remarks: list[Remark]) -> bytes:
    """Pack the trusted parts again, without cells to the right of column ZZ, in plain storage."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as narrow:
        for path, data in files.items():
            part, far = (_FAR.subn(b"", data)) if "worksheets/" in path else (data, 0)
            narrow.writestr(path, part)
            if far:
                reason = phrase("{far} cells are far to the right of all others.", far=far)
                remarks.append(remark(Severity.NOTE, places.entry(path), "", reason, _FAR_OUT))
    return packed.getvalue()


_FAR_OUT = phrase("What is to the right of column ZZ was left out.")


def _sheets(content: bytes) -> Iterator[tuple[str, Iterator[tuple[object, ...]]]]:
    from openpyxl import load_workbook  # noqa: PLC0415 - loaded when needed

    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        yield sheet.title, sheet.iter_rows(values_only=True)


def _sheet(
    name: str, rows: Iterator[tuple[object, ...]], left: int, remarks: list[Remark]
) -> tuple[Grid, int]:
    """Read a sheet as far as the cells that are left allow; give it and how many it used."""
    kept: list[Row] = []
    used = 0
    for number, cells in enumerate(rows, 1):
        used += len(cells)
        if used > left or number > MOST_ROWS:
            reason = phrase("The workbook has more than {most} cells.", most=MOST_CELLS)
            place = places.within(name, places.row(number))
            remarks.append(remark(Severity.SKIPPED, place, "", reason, _REST))
            break
        texts = tuple(map(_text, cells[:MOST_COLUMNS]))
        if any(texts):
            kept.append(Row(line=number, cells=texts))
    return Grid(rows=tuple(kept), name=name, is_sheet=True), used


def _text(value: object) -> str:
    """Write a cell as the sheet shows it: 4 for 4.0, TRUE for True, a date as ISO."""
    match value:
        case None:
            return ""
        case float() if value.is_integer() and abs(value) < EXACT:
            return str(int(value))
        case datetime() | date() | time():
            return value.isoformat()
        case _:
            return str(value).strip()


def letters(column: int) -> str:
    """Name a column: A to Z, AA and on."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
