"""Cleaning: texts as other programs write them, in the one form that packs keep."""

import re
import unicodedata
import zlib
from collections.abc import Iterable
from itertools import dropwhile

from bot.ids import ItemId
from bot.text import Markdown, shorten, tidy

# What no text may hold; tabs and line feeds stay. Lone surrogates cannot be stored.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
SLUG = 48


def clean(text: str) -> Markdown:
    """Write Markdown in one way: line feeds, no controls, spaces for leading tabs, no edges."""
    unified = CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = dropwhile(str.isspace, (_untabbed(line) + "\n" for line in unified.split("\n")))
    body = "".join(lines).rstrip()
    return Markdown(body if body.startswith("    ") else body.lstrip())


def tags(texts: Iterable[str]) -> tuple[str, ...]:
    """Tidy tags: split at commas, each once, without the signs that attributes are made of."""
    parts = (tidy(re.sub(r'[{}"\\]', "", part)) for text in texts for part in text.split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def slug(text: str) -> ItemId:
    """Make an id from a text: its first words, or a number if none can be spelled in ASCII."""
    folded = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    if len(words) > SLUG:
        words = words[: SLUG + 1].rpartition("-")[0] or words[:SLUG]
    return ItemId(words or f"item-{zlib.crc32(text.encode(errors='replace')):08x}")


def quoted(text: str) -> str:
    """Quote the offending words of a problem, shortened."""
    return f"“{shorten(tidy(text[:500]), 50)}”"


def _untabbed(line: str) -> str:
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].expandtabs(4) + body
