"""Headers: which column of a sheet holds what, by its name, or by how it looks without one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.formats.tables.grid import Row
from bot.formats.tables.names import COUNTS, NUMBERED, ROLES, simplified

MOST_LINES_ABOVE = 60
LONGEST_NAME = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The places of the columns by role; those of options by their number or letter.

    `counts` tells that keys are numbers of options, whatever the options say. `strange` holds the
    names of the columns that nothing is known about.
    """

    roles: dict[str, list[int]] = field(default_factory=dict)
    options: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    credits: dict[str, int] = field(default_factory=dict)
    strange: dict[int, str] = field(default_factory=dict)
    counts: bool = False

    def first(self, role: str, row: Row) -> str:
        """Give the cell of a role in a row; empty if there is no such column."""
        return next((cell for cell in self.all(role, row) if cell), "")

    def all(self, role: str, row: Row) -> list[str]:
        """Give all cells of a role in a row."""
        return [row.cell(column) for column in self.roles.get(role, ())]


def find(rows: Sequence[Row]) -> tuple[int, Columns] | None:
    """Find the row that names the columns, wherever it stands; None if there is none."""
    for at, row in enumerate(rows[:MOST_LINES_ABOVE]):
        if any(len(cell) > LONGEST_NAME for cell in row.cells):
            continue
        columns = _named(row)
        roles = columns.roles
        if "stem" in roles and (columns.options or roles.keys() & {"key", "wrong", "options"}):
            return at, columns
        if translated := _translated(row):
            return at, translated
    return None


def guess(rows: Sequence[Row]) -> Columns | None:
    """Tell the columns of a sheet without names apart by how they look; None if it has one only.

    The question is the first of the longest columns. After it come options and a key that names
    one of them, or else only the answer.
    """
    width = max((len(row.cells) for row in rows), default=0)
    shares = [_looks(rows, column) for column in range(width)]
    longest = max((length for length, _ in shares), default=0.0)
    stem = next((at for at, (length, _) in enumerate(shares) if length >= longest * LONG), 0)
    answers = [
        at
        for at, (length, filled) in enumerate(shares)
        if at > stem and filled >= FILLED and length < longest * LONG
    ]
    run = [at for place, at in enumerate(answers) if at == stem + 1 + place]
    if not run:
        run = [stem + 1] if stem + 1 < width else []
    if not run:
        return None
    roles = {"stem": [stem]}
    *options, key = run
    if len(options) >= FEWEST and _differ(rows, options) and _names_options(rows, options, key):
        roles["key"] = [key]
    elif len(run) > FEWEST and _differ(rows, run):
        options = run
    else:
        options, roles["key"] = [], [run[0]]
    used = {stem, *options, *roles.get("key", ())}
    strange = {at: "" for at in range(width) if at not in used}
    numbered = {str(place): at for place, at in enumerate(options, 1)}
    return Columns(roles=roles, options=numbered, strange=strange)


LONG = 0.6
FILLED = 0.5
MOSTLY = 0.8
FEWEST = 2
_MARK = re.compile(r"(.+?) ?[#:.-]? ?([1-9][0-9]?|[a-z])")
_MARK_FIRST = re.compile(r"([1-9][0-9]?|[a-z])(?:st|nd|rd|th)? (.+)")
_IN_LANGUAGE = re.compile(r"[^:]+:[a-z]{2,3}(?:-[a-z]{2,4})?")


def _named(row: Row) -> Columns:
    columns = Columns()
    counts = False
    letters = _lettered(row)
    for at, cell in enumerate(row.cells):
        name = simplified(cell)
        if not name:
            continue
        if name in ROLES:
            columns.roles.setdefault(ROLES[name], []).append(at)
            counts = counts or (ROLES[name] == "key" and bool(COUNTS.search(cell.casefold())))
        elif at in letters:
            columns.options[name] = at
        elif numbered := _numbered(name):
            role, mark = numbered
            if role == "wrong":
                columns.roles.setdefault("wrong", []).append(at)
            else:
                places: dict[str, dict[str, int]] = {
                    "option": columns.options,
                    "points": columns.points,
                    "reason": columns.reasons,
                    "credit": columns.credits,
                }
                places[role].setdefault(mark, at)
        else:
            columns.strange[at] = cell.strip()
    return replace(columns, counts=counts)


def _translated(row: Row) -> Columns | None:
    """Read a deck whose columns are `country, capital, capital:de, …`: only the first two count."""
    names = [cell.strip() for cell in row.cells]
    bases = {name.partition(":")[0] for name in names[1:] if _IN_LANGUAGE.fullmatch(name)}
    keys = [at for at, name in enumerate(names) if at and name in bases]
    if len(keys) != 1:
        return None
    strange = {at: name for at, name in enumerate(names) if at and at not in keys}
    return Columns(roles={"stem": [0], "key": keys}, strange=strange)


def _numbered(name: str) -> tuple[str, str] | None:
    """Split `answer 1`, `option_a` or `1st answer` into what it is and which one."""
    if (match := _MARK.fullmatch(name)) and match[1] in NUMBERED:
        return NUMBERED[match[1]], match[2]
    if (match := _MARK_FIRST.fullmatch(name)) and match[2] in NUMBERED:
        return NUMBERED[match[2]], match[1]
    return None


def _lettered(row: Row) -> set[int]:
    """Find columns that are just called A, B, C or 1, 2, 3, side by side from the first on."""
    names = [simplified(cell) for cell in row.cells]
    for first in ("a", "1"):
        if first in names and names.count(first) == 1:
            start = names.index(first)
            run = 0
            while start + run < len(names) and names[start + run] == chr(ord(first) + run):
                run += 1
            if run >= FEWEST:
                return set(range(start, start + run))
    return set()


def _looks(rows: Sequence[Row], column: int) -> tuple[float, float]:
    """Give the mean length of a column's cells, and the share of them that is filled."""
    lengths = [len(cell) for row in rows if (cell := row.cell(column))]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    return mean, len(lengths) / len(rows)


def _names_options(rows: Sequence[Row], options: Sequence[int], key: int) -> bool:
    """Tell whether a column names one of the options nearly always: by number, letter or text."""
    fitting = 0
    for row in rows:
        value = row.cell(key).casefold()
        texts = {row.cell(option).casefold() for option in options} - {""}
        letter = len(value) == 1 and "a" <= value < chr(ord("a") + len(options))
        number = value.isdecimal() and len(value) == 1 and int(value) <= len(options)
        fitting += len(texts) > 1 and (value in texts or letter or number)
    return fitting >= len(rows) * MOSTLY


def _differ(rows: Sequence[Row], options: Sequence[int]) -> bool:
    """Tell whether columns nearly always hold different texts, as options do."""
    filled = [[cell for at in options if (cell := row.cell(at))] for row in rows]
    return sum(len(set(cells)) == len(cells) for cells in filled) >= len(rows) * MOSTLY
