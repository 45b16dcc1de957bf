"""Rich text: Markdown source, read into a few plain shapes that every chat can draw.

A chat draws `blocks(source)`; where it cannot format at all it shows `plain(source)`.
Texts that are not Markdown (names, typed answers) pass through `literal` first.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NewType, TypeAlias

from bot.formulas import readable

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

Markdown = NewType("Markdown", str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of text in one style; a formula's text is already readable Unicode."""

    text: str
    strong: bool = False
    emphasis: bool = False
    struck: bool = False
    code: bool = False
    formula: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Spans that flow; `level` above 0 marks a heading."""

    spans: tuple[Span, ...]
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Lines to show in one width, as they are."""

    source: str
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A formula on a line of its own, in LaTeX."""

    tex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image: an address or a file's path, and the text for who cannot see it."""

    source: str
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """List entries; `start` is None for bullets."""

    entries: tuple[tuple["Block", ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Quoted blocks."""

    blocks: tuple["Block", ...]


Block: TypeAlias = Paragraph | Code | Formula | Picture | Listing | Quote

# One line without a sign that Markdown could read, nor the beginning of a list.
_BARE = re.compile(r"(?![0-9]+[.)]|[-+=:|\s])[^\x00-\x1f\x7f-\xa0\u2028\u2029\\`*_\[\]<>&$~#]+")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$&=:])")


def literal(text: str) -> Markdown:
    """Write any text as Markdown that shows exactly that text, on one line."""
    return Markdown(_SPECIAL.sub(r"\\\1", " ".join(text.split())))


def parser() -> "MarkdownIt":
    """Make the one Markdown reader that packs and messages share."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - 70 ms that `kuis --help` need not pay
    from mdit_py_plugins.dollarmath import dollarmath_plugin  # noqa: PLC0415 - as above
    from mdit_py_plugins.dollarmath.index import math_inline_dollar  # noqa: PLC0415 - as above

    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    markdown.use(dollarmath_plugin, allow_labels=False, allow_blank_lines=False)
    formula = math_inline_dollar(allow_space=False, allow_digits=False, allow_double=True)

    def at_the_start_too(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001 - its call
        # The rule looks at the sign before the dollar, and at the start finds the last one.
        source, state.src = state.src, state.src + " "
        found = formula(state, silent)
        state.src = source
        return found

    markdown.inline.ruler.at("math_inline", at_the_start_too)
    return markdown


@lru_cache(maxsize=2048)
def blocks(source: Markdown) -> tuple[Block, ...]:
    """Read Markdown into blocks."""
    if _BARE.fullmatch(source):  # ten times as fast, and most options are like this
        return (Paragraph(spans=(Span(text=source.rstrip()),)),)
    return tuple(_blocks(_shared_parser().parse(source)))


@lru_cache(maxsize=4096)
def plain(source: Markdown) -> str:
    """Give the text alone: what a poll, a label or a search sees."""
    return "\n".join(_plain_lines(blocks(source)))


def is_plain(source: Markdown) -> bool:
    """Tell whether the text loses nothing when it is shown without any formatting."""
    match blocks(source):
        case ():
            return True
        case (Paragraph(spans=spans, level=0),):
            text = "".join(span.text for span in spans)
            return "\n" not in text and all(span == Span(text=span.text) for span in spans)
        case _:
            return False


def pictures(source: Markdown) -> tuple[Picture, ...]:
    """List the images of a text, in order."""
    return tuple(block for block in blocks(source) if isinstance(block, Picture))


def shorten(text: str, limit: int) -> str:
    """Cut plain text to a limit in characters: after a sentence if one ends late enough, and
    always with an ellipsis that says there is more.
    """
    if len(text) <= limit:
        return text
    head = text[: limit - 2]
    sentence = max((m.end() for m in re.finditer(r"[.!?…](?=\s)", head)), default=0)
    if sentence >= limit // 3:
        return f"{head[:sentence]} …"
    word = head.rfind(" ")
    return head[: word if word >= limit // 2 else limit - 2].rstrip() + " …"


def tidy(text: str) -> str:
    """Fold what a server would fold before it counts: NFC, one space for a run, no controls."""
    composed = unicodedata.normalize("NFC", text)
    if composed.isprintable():  # then there is no other space and no control among it
        return " ".join(composed.split())
    shown = "".join(" " if c.isspace() else c for c in composed)
    kept = (c for c in shown if c == "\u200d" or unicodedata.category(c) not in {"Cc", "Cf"})
    return " ".join("".join(kept).split())


@lru_cache(maxsize=1)
def _shared_parser() -> "MarkdownIt":
    return parser()


def _blocks(tokens: Sequence["Token"]) -> Iterator[Block]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        end = _closing(tokens, at)
        inner = tokens[at + 1 : end]
        match token.type:
            case "paragraph_open" | "heading_open":
                level = int(token.tag[1]) if token.type == "heading_open" else 0
                yield from _paragraphs(inner[0].children or [], level)
            case "bullet_list_open":
                yield Listing(entries=tuple(_entries(inner)))
            case "ordered_list_open":
                yield Listing(
                    entries=tuple(_entries(inner)), start=int(token.attrs.get("start", 1))
                )
            case "blockquote_open":
                yield Quote(blocks=tuple(_blocks(inner)))
            case "table_open":
                yield Code(source=_table(inner))
            case _:
                yield from _leaf(token)
        at = end + 1


def _leaf(token: "Token") -> Iterator[Block]:
    match token.type:
        case "fence" | "code_block":
            language = token.info.split()[0] if token.info.split() else ""
            yield Code(source=token.content.rstrip("\n"), language=language)
        case "math_block":
            yield Formula(tex=token.content.strip())
        case "hr":
            yield Paragraph(spans=(Span(text="———"),))
        case _:  # html_block
            yield Paragraph(spans=(Span(text=token.content.strip()),))


def _closing(tokens: Sequence["Token"], at: int) -> int:
    """Find where the block that opens at a token ends."""
    end, depth = at, int(tokens[at].nesting)
    while depth > 0:
        end += 1
        depth += tokens[end].nesting
    return end


def _entries(tokens: Sequence["Token"]) -> Iterator[tuple[Block, ...]]:
    at = 0
    while at < len(tokens):
        end = _closing(tokens, at)
        yield tuple(_blocks(tokens[at + 1 : end]))
        at = end + 1


def _paragraphs(children: Sequence["Token"], level: int) -> Iterator[Block]:
    """Split inline content at its images and display formulas, which stand on their own."""
    spans: list[Span] = []
    for part in _inline(children):
        if isinstance(part, Span):
            spans.append(part)
            continue
        if any(span.text.strip() for span in spans):
            yield Paragraph(spans=_merged(spans), level=level)
        spans = []
        yield part
    if any(span.text.strip() for span in spans):
        yield Paragraph(spans=_merged(spans), level=level)


def _spans(children: Sequence["Token"]) -> Iterator[Span]:
    return (part for part in _inline(children) if isinstance(part, Span))


_MARKS = {"strong", "em", "s"}


def _marked(style: Span, name: str, *, on: bool) -> Span:
    if name == "strong":
        return replace(style, strong=on)
    return replace(style, emphasis=on) if name == "em" else replace(style, struck=on)


def _inline(children: Sequence["Token"]) -> Iterator[Span | Picture | Formula]:
    style = Span(text="")
    for token in children:
        name, _, edge = token.type.rpartition("_")
        if name in _MARKS and edge in {"open", "close"}:
            style = _marked(style, name, on=edge == "open")
            continue
        match token.type:
            case "link_open":
                style = replace(style, link=str(token.attrs.get("href", "")))
            case "link_close":
                style = replace(style, link="")
            case "math_inline_double":
                yield Formula(tex=token.content.strip())
            case "image":
                alt = "".join(span.text for span in _spans(token.children or []))
                yield Picture(source=str(token.attrs.get("src", "")), alt=alt)
            case _:
                yield _styled(token, style)


def _styled(token: "Token", style: Span) -> Span:
    match token.type:
        case "softbreak":
            return replace(style, text=" ")
        case "hardbreak":
            return replace(style, text="\n")
        case "code_inline":
            return replace(style, text=token.content, code=True)
        case "math_inline":
            return replace(style, text=readable(token.content), formula=True)
        case _:  # text, html_inline
            return replace(style, text=token.content)


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Join neighbours of the same style, and trim the two ends."""
    joined: list[Span] = []
    for span in spans:
        if joined and replace(joined[-1], text="") == replace(span, text=""):
            joined[-1] = replace(span, text=joined[-1].text + span.text)
        elif span.text:
            joined.append(span)
    joined[0] = replace(joined[0], text=joined[0].text.lstrip())
    joined[-1] = replace(joined[-1], text=joined[-1].text.rstrip())
    return tuple(span for span in joined if span.text)


def _table(tokens: Sequence["Token"]) -> str:
    """Set a table in one width: chats have no tables, but they have code blocks."""
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append("".join(span.text for span in _spans(token.children or [])))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def _plain_lines(content: Sequence[Block]) -> Iterator[str]:
    for block in content:
        match block:
            case Paragraph():
                yield "".join(span.text for span in block.spans)
            case Code():
                yield block.source
            case Formula():
                yield readable(block.tex)
            case Picture():
                yield f"[{block.alt}]" if block.alt else ""
            case Quote():
                yield from _plain_lines(block.blocks)
            case Listing():
                for place, entry in enumerate(block.entries):
                    mark = "•" if block.start is None else f"{block.start + place}."
                    yield f"{mark} " + "\n  ".join(_plain_lines(entry))
