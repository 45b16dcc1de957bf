"""Splitting: a GIFT file into questions and categories, mended where they run together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from bot.formats.gift.signs import hidden
from bot.wording import phrase

CATEGORY = "$CATEGORY:"


@dataclass(slots=True)
class Block:
    """The lines of one question, its escaped signs hidden; `mended` says what was done to it."""

    line: int
    lines: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Give the block as a whole."""
        return "\n".join(self.lines).strip()

    @property
    def is_open(self) -> bool:
        """Tell whether braces open here and do not close."""
        return self.text.count("{") > self.text.count("}")


def blocks(text: str) -> Iterator[Block]:
    """Split a file into the blocks between its empty lines, without those that say nothing."""
    found = [part for block in _paragraphs(text) for part in _parted(block)]
    at = 0
    while at < len(found):
        block = found[at]
        at += 1
        if block.is_open and not block.text.startswith(CATEGORY):
            at = _closed(block, found, at)
        if block.text:
            yield block


GLUED = phrase("There is no empty line before it.")
BLANK = phrase("There is an empty line among its answers.")
UNCLOSED = phrase("The brace that opens its answers is never closed.")
URL = phrase("A line that begins with // is a comment, and was left out.")
_MOST_JOINED = 10


def _paragraphs(text: str) -> Iterator[Block]:
    """Split a file at its empty lines; the lines of comments become empty."""
    lines = text.split("\n")
    for is_blank, group in groupby(enumerate(lines, 1), lambda pair: not pair[1].strip()):
        if not is_blank:
            numbered = list(group)
            yield _block(numbered[0][0], [line for _, line in numbered])


def _block(number: int, lines: Sequence[str]) -> Block:
    block = Block(line=number)
    for line in hidden("\n".join(lines)).split("\n"):
        is_comment = line.lstrip().startswith("//")
        block.lines.append("" if is_comment else line)
        if is_comment:
            block.comments.append(line.strip())
            block.mended += [URL] if re.match(r"\s*//\w+[.]\w", line) else []
    return block


def _parted(block: Block) -> Iterator[Block]:
    """Part what should have had an empty line between: categories, and question after question."""
    current = Block(line=block.line, comments=block.comments, mended=block.mended)
    first = last = ""
    depth = braces = 0
    for at, line in enumerate(block.lines):
        text = line.strip()
        whole = depth == 0 and braces > 0 and last.endswith("}")
        apart = text.startswith(CATEGORY) or first.startswith(CATEGORY)
        if text and first and (apart or (whole and _begins(block.lines[at : at + _MOST_LINES]))):
            yield current
            current = Block(line=block.line + at, mended=[GLUED])
            first = last = ""
            depth = braces = 0
        first, last = first or text, text or last
        braces += line.count("{")
        depth = max(0, depth + line.count("{") - line.count("}"))
        current.lines.append(line)
    yield current


_TITLE = re.compile(r"\s*::.+?::")
_ANSWERS = re.compile(r"\{\s*(?:[=~#]|(?:T|F|TRUE|FALSE)\s*[#}])")
_MOST_LINES = 50


def _begins(lines: Sequence[str]) -> bool:
    """Tell whether lines after whole answers begin another question."""
    return bool(_TITLE.match(lines[0]) or _ANSWERS.search("\n".join(lines)))


def _closed(block: Block, found: Sequence[Block], at: int) -> int:
    """Close the braces of a block: further down if the same answers go on there, or at its end."""
    for end in range(at, min(at + _MOST_JOINED, len(found))):
        text = found[end].text
        if _TITLE.match(text) or text.startswith(CATEGORY):
            break
        opening, closing = text.find("{"), text.find("}")
        if opening >= 0 and (closing < 0 or opening < closing):
            break
        if closing >= 0:
            for part in found[at : end + 1]:
                block.lines += ["", *part.lines]
            block.mended.append(BLANK)
            return end + 1
    if _closes_anyway(block.text):
        return at
    block.lines.append("}")
    block.mended.append(UNCLOSED)
    return at


def _closes_anyway(text: str) -> bool:
    """Tell whether the first brace is closed, so that the others are only text."""
    return text.find("}") > text.find("{")
