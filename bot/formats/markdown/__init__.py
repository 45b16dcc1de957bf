"""Native packs: Markdown in which a heading asks and a list answers. See docs/packs.md."""

from bot.formats.markdown.reading import LONGEST, read
from bot.formats.markdown.writing import write

__all__ = ["LONGEST", "read", "write"]
