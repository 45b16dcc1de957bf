"""Tags: HTML to Markdown by markdownify, told what this program's Markdown knows."""

import re
import unicodedata
from functools import lru_cache
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.builder import ParserRejectedMarkup
from markdownify import ATX, MarkdownConverter

from bot.formats.escaping import escaped_part


@lru_cache(maxsize=2048)
def converted(source: str) -> str:
    """Write HTML as Markdown; nothing if it is too broken or too deep to be read."""
    try:
        soup = BeautifulSoup(f"<div>{source}</div>", "html.parser")
        for entry in soup.find_all("li"):
            if entry.parent and entry.parent.name == "li":  # the one before was never closed
                entry.parent.insert_after(entry)
        for cell in soup.find_all(["td", "th", "tr"]):
            if cell.find_parent("table") is None:
                cell.name = "div"
        text = str(_CONVERTER.convert_soup(soup))
    except (ParserRejectedMarkup, RecursionError):
        return ""
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(_tidied(part) if at % 2 == 0 else part for at, part in enumerate(parts)).strip()


class _Converter(MarkdownConverter):
    """Markdown as `bot.text` reads it: no headings, no underline, fenced code, small digits."""

    def escape(self, text: str, parent_tags: set[str]) -> str:
        return escaped_part(text)

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f"\n\n**{text.strip()}**\n\n" if text.strip() else ""

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        source = "".join(str(el.attrs.get("src") or "").split())
        alt = escaped_part(" ".join(str(el.attrs.get("alt") or "").split()))
        return f"![{alt}]({re.sub('[()]', _in_percent, source)})" if source else alt

    def convert_sub(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return _raised(text, "SUBSCRIPT", "_")

    def convert_sup(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return _raised(text, "SUPERSCRIPT", "^")

    def convert_script(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return ""

    convert_style = convert_script


def _tidied(text: str) -> str:
    """Take away what shows nothing: breaks before a paragraph or at the end, spaces at the ends."""
    text = text.replace("\xa0", " ")
    text = re.sub(r"(?<!\\)(?:[ \t]*\\\n)*[ \t]*\\(?=\n[ \t]*(?:\n|$)|$)", "", text)
    return re.sub(r"\n[ \t]*(?=\n)|[ \t]+(?=\n)", _feed, re.sub(r"(?<=\\\n) +", "", text))


def _feed(match: re.Match[str]) -> str:
    return "\n" if match[0].startswith("\n") else ""


_OPTIONS: dict[str, Any] = {
    "heading_style": ATX,
    "bullets": "*",
    "newline_style": "backslash",
    "autolinks": False,
    "strip_pre": None,
    "wrap": False,
}
_CONVERTER = _Converter(**_OPTIONS)


def _in_percent(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def _raised(text: str, kind: str, sign: str) -> str:
    """Write an index or exponent in small signs, or else behind the sign that stands for it."""
    small = [_small(letter, kind) for letter in text.strip()]
    if all(small):
        return "".join(small)
    plain = text.strip()
    return f"{sign}{plain}" if plain.isalnum() and len(plain) == 1 else f"{sign}({plain})"


_NAMES = {"+": "PLUS SIGN", "-": "MINUS", "\N{MINUS SIGN}": "MINUS", "=": "EQUALS SIGN",
          "(": "LEFT PARENTHESIS", ")": "RIGHT PARENTHESIS"}  # fmt: skip


def _small(letter: str, kind: str) -> str:
    name = _NAMES.get(letter) or unicodedata.name(letter, "").removeprefix("DIGIT ")
    if letter in "ni" and kind == "SUPERSCRIPT":
        name = f"LATIN SMALL LETTER {letter.upper()}"
    try:
        return unicodedata.lookup(f"{kind} {name}")
    except KeyError:
        return ""
