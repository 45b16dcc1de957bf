"""Markup: rich text (`bot.text`) as lines that fit a width, with code and formulas."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.style import Style
from rich.syntax import ANSISyntaxTheme, Syntax
from rich.text import Text

from bot.formulas import readable
from bot.text import (
    Block,
    Code,
    Formula,
    Listing,
    Markdown,
    Paragraph,
    Picture,
    Quote,
    Span,
    blocks,
)

NARROWEST = 8

# The terminal's own colours, and of those only the ones that read well on black and on white.
THEME = ANSISyntaxTheme(
    {
        ("Keyword",): Style.parse("magenta"),
        ("Operator", "Word"): Style.parse("magenta"),
        ("Name", "Function"): Style.parse("bold"),
        ("Name", "Class"): Style.parse("bold"),
        ("Name", "Builtin"): Style.parse("cyan"),
        ("Name", "Decorator"): Style.parse("cyan"),
        ("Literal", "String"): Style.parse("green"),
        ("Literal", "Number"): Style.parse("cyan"),
        ("Comment",): Style.parse("dim italic"),
    }
)


def lines_of(
    source: Markdown, console: Console, width: int | None, *, tight: bool = False
) -> list[Text]:
    """Set a text in lines of at most `width` cells; None wraps nothing.

    Blocks have a blank line between them unless they are set `tight`.
    """
    return list(_set(blocks(source), console, width, tight=tight))


def wrapped(text: Text, console: Console, width: int | None) -> list[Text]:
    """Break a text where it has line breaks, and between words where it is too wide."""
    lines = text.split("\n") if width is None else text.wrap(console, max(NARROWEST, width))
    kept = list(lines) or [Text()]
    for line in kept:
        line.rstrip()
    return kept


def hang(front: Text, lines: Iterable[Text], *, rest: int | None = None) -> Iterator[Text]:
    """Put something in front of the first line, and indent the others as far (or by `rest`)."""
    indent = Text(" " * (front.cell_len if rest is None else rest))
    for number, line in enumerate(lines):
        yield Text.assemble(front if number == 0 else indent, line) if line else line


def _set(
    content: Sequence[Block], console: Console, width: int | None, *, tight: bool = False
) -> Iterator[Text]:
    for number, block in enumerate(content):
        if number and not tight:
            yield Text()
        yield from _block(block, console, width)


def _block(block: Block, console: Console, width: int | None) -> Iterable[Text]:
    match block:
        case Paragraph():
            text = Text().join(_span(span, console) for span in block.spans)
            text.stylize_before("bold" if block.level else "")
            return wrapped(text, console, width)
        case Code():
            return _code(block, console, width)
        case Formula():
            formula = Text(readable(block.tex), "cyan not bold")
            return hang(Text("  "), wrapped(formula, console, _less(width, 2)), rest=4)
        case Picture():
            text = Text(f"[{block.alt}] {block.source}" if block.alt else block.source, "italic")
            return wrapped(text, console, width)
        case Quote():
            return _barred(_set(block.blocks, console, _less(width, 2)))
        case Listing():
            return _listing(block, console, width)


def _span(span: Span, console: Console) -> Text:
    style = Style(
        bold=span.strong or None,
        italic=span.emphasis or None,
        strike=span.struck or None,
        color="cyan" if span.code or span.formula else None,
        link=span.link or None,
    )
    text = Text(span.text, style)
    if span.link and not console.is_terminal and span.link != span.text:
        text.append(f" ({span.link})")
    return text


def _code(code: Code, console: Console, width: int | None) -> Iterator[Text]:
    """Highlight code; in a pipe it is only indented, so that it can be copied."""
    syntax = Syntax(code.source, code.language or "text", theme=THEME, word_wrap=True)
    text = syntax.highlight(code.source)
    text.rstrip()
    text.stylize_before("not bold")
    lines = (part for line in text.split("\n") for part in _folded(line, console, width))
    if console.is_terminal:
        yield from _barred(lines)
    else:
        for line in lines:
            yield from hang(Text("    "), [line])


def _folded(line: Text, console: Console, width: int | None) -> Iterator[Text]:
    """Break a line of code that is too wide, so that the rest stands further in than its start."""
    depth = len(line.plain) - len(line.plain.lstrip())
    room = _less(width, 2 + depth + 2)
    first, *rest = wrapped(line[depth:], console, room)
    yield Text.assemble(" " * depth, first)
    for part in rest:
        yield Text.assemble(" " * (depth + 2), part)


def _listing(listing: Listing, console: Console, width: int | None) -> Iterator[Text]:
    for place, entry in enumerate(listing.entries):
        front = Text("• " if listing.start is None else f"{listing.start + place}. ")
        yield from hang(front, _set(entry, console, _less(width, front.cell_len)))


def _barred(lines: Iterable[Text]) -> Iterator[Text]:
    for line in lines:
        whole = Text.assemble(("│ ", "dim not bold"), line)
        whole.rstrip()
        yield whole


def _less(width: int | None, by: int) -> int | None:
    return None if width is None else max(NARROWEST, width - by)
