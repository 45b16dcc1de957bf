"""Question sheets: CSV and TSV here, XLSX in `bot.formats.xlsx`."""

from bot.formats.tables.reading import NAME, read, sniff
from bot.formats.tables.writing import write

__all__ = ["NAME", "SUFFIX", "read", "sniff", "write"]

SUFFIX = ".csv"
