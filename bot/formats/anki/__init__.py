"""Anki: packages and text exports, and packages to take missed items home."""

from bot.formats.anki.reading import NAME, read, sniff
from bot.formats.anki.writing import write

__all__ = ["NAME", "SUFFIX", "read", "sniff", "write"]

SUFFIX = ".apkg"
