"""QTI: 1.2 of Canvas and Blackboard, 2.1 to 3.0, and 2.1 to give back."""

from bot.formats.qti.reading import NAME, read, sniff
from bot.formats.qti.writing import write

__all__ = ["NAME", "SUFFIX", "read", "sniff", "write"]

SUFFIX = ".zip"
