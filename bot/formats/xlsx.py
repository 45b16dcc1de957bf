"""XLSX: question sheets in a workbook. See `bot.formats.tables`."""

from bot.formats.containers import is_zip
from bot.formats.findings import Haul, Source
from bot.formats.tables.reading import read_sheets
from bot.formats.tables.writing import write_xlsx as write

__all__ = ["NAME", "SUFFIX", "read", "sniff", "write"]

NAME = "xlsx"
SUFFIX = ".xlsx"


def sniff(source: Source) -> float:
    """Tell whether a file is a workbook."""
    return 0.95 if is_zip(source.content) and b"xl/workbook" in source.content else 0.0


def read(source: Source) -> Haul:
    """Read every sheet of a workbook. Raises FileRefused for one that cannot be trusted."""
    return read_sheets(source, NAME)
