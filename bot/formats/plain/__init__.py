"""Pasted lists: numbered or bulleted questions, as people send them to one another."""

from bot.formats.plain.reading import NAME, read, sniff

__all__ = ["NAME", "read", "sniff"]
