"""Places: where something is in a file, as its author would look it up, in words to translate."""

from bot.wording import phrase


def line(number: int) -> str:
    """Name a line of a text, counted from 1."""
    return phrase("line {number}", number=str(number))


def question(number: int) -> str:
    """Name a question by its place among all, counted from 1."""
    return phrase("question {number}", number=str(number))


def item(name: str = "") -> str:
    """Name an item by its id; one that has none is just an item."""
    return phrase("item {name}", name=name) if name else phrase("item")


def entry(path: str) -> str:
    """Name a file within a zip."""
    return phrase("entry {path}", path=path[:200])


def note(number: int) -> str:
    """Name a note by its number in a collection."""
    return phrase("note {number}", number=str(number))


FILE = phrase("file")
"""The file as a whole."""


def sheet(name: str) -> str:
    """Name a sheet of a workbook."""
    return phrase("sheet {name}", name=name)


def row(number: int) -> str:
    """Name a row of a sheet, counted from 1."""
    return phrase("row {number}", number=str(number))


def cell(name: str) -> str:
    """Name a cell such as `B7`."""
    return phrase("cell {name}", name=name)


def within(sheet_: str, place: str) -> str:
    """Name a place in a sheet; the place alone if there is no other sheet, and so no name."""
    return phrase("sheet {name}, {place}", name=sheet_, place=place) if sheet_ else place


def column(number: int, at: int) -> str:
    """Name what stands on a line of a table in a column, counted from 0."""
    return phrase("line {number}, column {column}", number=str(number), column=str(at + 1))
