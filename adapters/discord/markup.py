"""Markup: rich text (`bot.text`) as Discord's Markdown, with everything escaped that would bite."""

import re
from collections.abc import Iterable, Iterator, Sequence

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

_ADDRESS = re.compile(r"(https?://[^\s<>|*`]+)")
_SPECIAL = re.compile(r"([\\*_~|`<\[\]@])")
_AT_LINE_START = re.compile(r"^(\s*)([>#\-+]|\d+(?=\.))", re.MULTILINE)
_FENCE = re.compile("```")
INVISIBLE = "\u200b"


def discord_text(source: Markdown, *, tight: bool = False) -> str:
    """Write a text as Discord shows it; its pictures go elsewhere (see `bot.text.pictures`).

    Blocks have a blank line between them unless they are set `tight`.
    """
    return joined(blocks(source), "\n" if tight else "\n\n")


def joined(content: Sequence[Block], between: str = "\n\n") -> str:
    """Write blocks one below the other."""
    return between.join(part for block in content if (part := _block(block)))


def escaped(text: str) -> str:
    """Write plain text so that Discord shows exactly that: no style, no mention, no link text."""
    parts = _ADDRESS.split(text)
    return "".join(
        part if place % 2 else _line_starts(_SPECIAL.sub(r"\\\1", part))
        for place, part in enumerate(parts)
    )


def _line_starts(text: str) -> str:
    def escape(match: re.Match[str]) -> str:
        if match[2].isdigit():
            return f"{match[1]}{match[2]}{INVISIBLE}"
        return f"{match[1]}\\{match[2]}"

    return _AT_LINE_START.sub(escape, text)


def _block(block: Block) -> str:
    match block:
        case Paragraph(spans=spans, level=level):
            text = "".join(_styled(spans))
            return f"**{text}**" if level and not any(span.strong for span in spans) else text
        case Code(source=source, language=language):
            return f"```{language}\n{_FENCE.sub(f'``{INVISIBLE}`', source)}\n```"
        case Formula(tex=tex):
            return f"> {escaped(readable(tex))}"
        case Picture():
            return ""
        case Quote(blocks=inner):
            return "\n".join(f"> {line}" for line in joined(inner).split("\n"))
        case Listing(entries=entries, start=start):
            return "\n".join(_entries(entries, start))


def _entries(entries: Iterable[tuple[Block, ...]], start: int | None) -> Iterator[str]:
    for place, entry in enumerate(entries):
        mark = "-" if start is None else f"{start + place}."
        yield f"{mark} " + joined(entry, "\n").replace("\n", "\n  ")


def _styled(spans: Iterable[Span]) -> Iterator[str]:
    for span in spans:
        yield _link(span) if span.link else _span(span)


def _link(span: Span) -> str:
    if not re.fullmatch(r"https?://[^\s<>()]+", span.link):
        return _span(span)
    text = span.text.replace("[", "(").replace("]", ")")
    return f"[{_SPECIAL.sub(_escape_once, text)}](<{span.link}>)"


def _escape_once(match: re.Match[str]) -> str:
    return f"\\{match[1]}"


def _span(span: Span) -> str:
    if span.code:
        fence = "``" if "`" in span.text else "`"
        pad = " " if fence == "``" else ""
        return f"{fence}{pad}{span.text}{pad}{fence}"
    core = span.text.strip()
    if not core:
        return span.text
    before, after = span.text.split(core, 1)
    shown = escaped(core)
    for mark, on in (("**", span.strong), ("*", span.emphasis), ("~~", span.struck)):
        shown = f"{mark}{shown}{mark}" if on else shown
    return before + shown + after
