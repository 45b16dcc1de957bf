"""Markup: our Markdown as HTML, for formats that speak it, and theirs with its pictures."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

from bot.formats.html import from_html
from bot.text import Block, Code, Markdown, blocks, parser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token


def to_html(text: Markdown) -> str:
    r"""Write a text as HTML that shows the same: tags in it as text, formulas in `\(…\)`.

    A single paragraph has no tags around it.
    """
    shown = str(_writer().render(text)).strip()
    only = re.fullmatch(r"<p>((?:(?!</?p>).)*)</p>", shown, re.DOTALL)
    return only[1] if only else shown


def from_markup(text: str, image: Callable[[str], str]) -> Markdown:
    """Write HTML as Markdown; what has only pictures that are left out is nothing."""
    words = re.sub(r"<[^<>]*>|&nbsp;|\s", "", text)
    shown = from_html(text, image)
    return Markdown("") if not words and "![" not in shown and _IMAGE.search(text) else shown


def survives(text: Markdown) -> bool:
    """Tell whether a text looks the same after it was HTML; which language code is in may go."""

    def look(shown: Markdown) -> list[Block]:
        return [replace(b, language="") if isinstance(b, Code) else b for b in blocks(shown)]

    return look(from_markup(to_html(text), str)) == look(text)


_IMAGE = re.compile(r"<img\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _writer() -> "MarkdownIt":
    writer = parser()
    writer.options["xhtmlOut"] = True
    rules: dict[str, Any] = writer.renderer.rules  # type: ignore[attr-defined]  # of its RendererHTML
    rules["math_inline"] = _formula
    rules["math_inline_double"] = rules["math_block"] = _display
    rules["html_inline"] = rules["html_block"] = _tag
    return writer


def _formula(tokens: "Sequence[Token]", at: int, *_: object) -> str:
    return f"\\({escape(tokens[at].content.strip(), quote=False)}\\)"


def _display(tokens: "Sequence[Token]", at: int, *_: object) -> str:
    return f"\\[{escape(tokens[at].content.strip(), quote=False)}\\]"


def _tag(tokens: "Sequence[Token]", at: int, *_: object) -> str:
    return escape(tokens[at].content, quote=False)
