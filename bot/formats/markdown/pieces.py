"""Pieces: the blocks that a pack is made of, with their lines, and what marks an answer.

Only blocks matter to a pack. Every text is kept as its source and formatted when it is shown.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.text import parser

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# `[ ]` and `[x]`, and `[x 50%]` for a weight; also what people type instead of them, so that it
# can be reported. The groups are the mark, the weight and the space behind.
BOX = re.compile(
    r"\[\s*([xXvV✓✔√*]?)\s*([-+\u2212]?\s*[0-9]+(?:[.,][0-9]+)?\s*%)?\s*\](?![(\[:])(\s*)"
)
GOOD_BOX = re.compile(r"\[(?: |[xX]|(?:[xX] )?-?[0-9]+(?:\.[0-9]+)?%)\]")
CREDIT = re.compile(r"\[([0-9]+(?:\.[0-9]+)?)%\](?:\s+|$)")
ANSWER = re.compile(r"=(?![=>])\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A block: its first token, the tokens inside, and its lines from `start` to before `end`."""

    token: "Token"
    inner: Sequence["Token"]
    start: int
    end: int

    @property
    def type(self) -> str:
        """Name the block: paragraph, heading, fence, blockquote, ..."""
        return self.token.type.removesuffix("_open")

    @property
    def text(self) -> str:
        """Give the source of a paragraph or a heading without its signs; else nothing."""
        return self.inner[0].content if self.type in {"paragraph", "heading"} else ""


def read(source: str) -> tuple[Piece, ...]:
    """Split Markdown into its outermost blocks."""
    return tuple(split(_reader().parse(source)))


def split(tokens: Sequence["Token"]) -> Iterator[Piece]:
    """Split tokens into the outermost blocks among them."""
    depth = first = 0
    for at, token in enumerate(tokens):
        if depth == 0:
            first = at
        depth += token.nesting
        if depth == 0:
            start, end = tokens[first].map or (0, 0)
            yield Piece(token=tokens[first], inner=tokens[first + 1 : at], start=start, end=end)


def weight(percent: str) -> float:
    """Read a weight in per cent, to the last digit."""
    return float(Decimal(percent) / 100)


def percent(weight: float) -> str:
    """Write a weight in per cent so that `weight` gives it back."""
    text = f"{Decimal(repr(weight)) * 100:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + "%"


def first(entry: Piece) -> Piece | None:
    """Give the first block of a list entry, if it has any."""
    return next(split(entry.inner), None)


def first_text(entry: Piece) -> str:
    """Give the text that a list entry begins with."""
    block = first(entry)
    return block.text if block else ""


def is_answers(piece: Piece) -> bool:
    """Tell whether a block is a list of options with boxes, or of answers with `=`."""
    if piece.type not in {"bullet_list", "ordered_list"}:
        return False
    texts = (first_text(entry) for entry in split(piece.inner))
    return any(BOX.match(text) or ANSWER.match(text) for text in texts)


def is_open(piece: Piece, lines: Sequence[str]) -> bool:
    """Tell whether a block is a code fence without its end."""
    if piece.type != "fence":
        return False
    mark = piece.token.markup
    closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}\s*")
    return piece.start + 1 == piece.end or not closing.fullmatch(lines[piece.end - 1])


def is_one_paragraph(source: str) -> bool:
    """Tell whether Markdown is a single paragraph and nothing else."""
    found = read(source)
    whole = (0, source.count("\n") + 1)
    return [(p.type, p.start, p.end) for p in found] == [("paragraph", *whole)]


def ends_in_quote(source: str) -> bool:
    """Tell whether the last block is a quote."""
    found = read(source)
    return bool(found) and found[-1].type == "blockquote"


def is_one_quote(source: str) -> bool:
    """Tell whether the only block is a quote."""
    return [piece.type for piece in read(source)] == ["blockquote"]


def quote(text: str) -> str:
    """Write a text as a quote."""
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def unquote(text: str) -> str:
    """Give the text of a quote."""
    return "\n".join(re.sub(r"^ {0,3}>[ \t]?", "", line) for line in text.split("\n"))


def width(entry: str) -> int:
    """Count the columns before the text of a list entry: what belongs to it is indented as far."""
    line = entry.expandtabs(4)
    sign = re.match(r" *(?:[-+*]|[0-9]+[.)])", line)
    before = sign.end() if sign else 0
    gap = indent(line[before:])
    return before + (gap if 0 < gap <= _CODE and line[before:].strip() else 1)


def indent(line: str) -> int:
    """Count the columns of white space before a line."""
    body = line.lstrip(" \t")
    return len(line[: len(line) - len(body)].expandtabs(4))


def dedent(line: str, columns: int) -> str:
    """Take so many columns of white space off a line, or what it has of them."""
    body = line.lstrip(" \t")
    return " " * (indent(line) - columns) + body


_CODE = 4


@lru_cache(maxsize=1)
def _reader() -> "MarkdownIt":
    """Make a reader of blocks: nothing inline, no underlined headings, no HTML blocks."""
    blocks = parser().disable(["lheading", "html_block"])
    blocks.core.ruler.enableOnly(["normalize", "block"])
    return blocks
