"""Markup: rich text (`bot.text`) as the HTML that Telegram reads. The one place that escapes.

A text becomes chunks of HTML, each whole by itself, so that messages can be cut between them.
Telegram counts what is left after parsing, in code points.
"""

import html
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
    shorten,
)

MESSAGE = 4096
DESCRIPTION = 1024
ALERT = 200
_TAG = re.compile(r"<[^>]*>")
_LINK = re.compile(r"(?:https?|tg|mailto):", re.IGNORECASE)


def escape(text: str) -> str:
    """Write any text as HTML that shows exactly it."""
    return html.escape(text, quote=False)


def bold(text: str) -> str:
    """Write plain text in bold."""
    return f"<b>{escape(text)}</b>" if text else ""


def chunks(source: Markdown, prefix: str = "") -> list[str]:
    """Set a text; `prefix` is HTML that goes before its first word."""
    found = [_block(block) for block in blocks(source)]
    if not prefix:
        return found
    first = blocks(source)[:1]
    if first and isinstance(first[0], Paragraph):
        return [prefix + found[0], *found[1:]]
    return [prefix.rstrip(), *found]


def line(source: Markdown) -> str:
    """Set a text so that it goes into the middle of a line, if it is a single paragraph."""
    return "\n".join(chunks(source))


def unmarked(marked: str) -> str:
    """Give what is left of HTML when it is parsed."""
    return html.unescape(_TAG.sub("", marked))


def length(marked: str) -> int:
    """Count HTML as Telegram does."""
    return len(unmarked(marked))


def joined(parts: Iterable[str]) -> str:
    """Put chunks below one another."""
    return "\n\n".join(part for part in parts if part)


def messages(parts: Sequence[str], most: int = MESSAGE) -> list[str]:
    """Put chunks into as few messages as hold them; nothing is left out."""
    found: list[str] = []
    for part in parts:
        for piece in _pieces(part, most):
            whole = joined([found[-1], piece]) if found else piece
            if found and length(whole) <= most:
                found[-1] = whole
            elif piece:
                found.append(piece)
    return found


def cut(text: str, most: int) -> str:
    """Shorten plain text, by code points and by UTF-16 units: which of them counts is not told."""
    short = shorten(text, most)
    while len(short.encode("utf-16-le")) // 2 > most:
        short = shorten(text, len(short) - 1)
    return short


def isolated(name: str) -> str:
    """Keep a name that is read from right to left from turning its line around."""
    return f"\u2068{name}\u2069"


def _pieces(part: str, most: int) -> list[str]:
    if length(part) <= most:
        return [part]
    plain = unmarked(part)
    pieces: list[str] = []
    while plain:
        head = plain[:most]
        at = max(head.rfind("\n"), head.rfind(" ")) if len(plain) > most else 0
        end = at if at > most // 2 else most
        pieces.append(plain[:end].strip())
        plain = plain[end:]
    if part.startswith("<pre>"):
        return [f"<pre>{escape(piece)}</pre>" for piece in pieces if piece]
    return [escape(piece) for piece in pieces if piece]


def _block(block: Block) -> str:
    match block:
        case Paragraph(spans=spans, level=level):
            text = "".join(map(_span, spans))
            return f"<b>{text}</b>" if level else text
        case Code(source=source, language=language):
            return _code(source, language)
        case Formula(tex=tex):
            return escape(readable(tex))
        case Picture(alt=alt):
            return f"<i>[{escape(alt)}]</i>" if alt else ""
        case Quote(blocks=inner):
            return f"<blockquote>{_quoted(inner)}</blockquote>"
        case Listing():
            return "\n".join(_entries(block))


def _code(source: str, language: str) -> str:
    if not language:
        return f"<pre>{escape(source)}</pre>"
    named = html.escape(language)
    return f'<pre><code class="language-{named}">{escape(source)}</code></pre>'


def _quoted(inner: Sequence[Block]) -> str:
    """Set blocks inside a quote, which cannot hold another quote."""
    texts = (_quoted(b.blocks) if isinstance(b, Quote) else _block(b) for b in inner)
    return "\n".join(texts)


def _entries(listing: Listing) -> Iterator[str]:
    for place, entry in enumerate(listing.entries):
        mark = "•" if listing.start is None else f"{listing.start + place}."
        text = "\n".join(map(_block, entry))
        yield f"{mark} {text}" if "<pre>" in text else f"{mark} {text}".replace("\n", "\n   ")


def _span(span: Span) -> str:
    text = escape(span.text)
    if span.code:
        return f"<code>{text}</code>"
    for wanted, tag in ((span.strong, "b"), (span.emphasis, "i"), (span.struck, "s")):
        if wanted:
            text = f"<{tag}>{text}</{tag}>"
    if span.link and _LINK.match(span.link):
        return f'<a href="{html.escape(span.link)}">{text}</a>'
    return text
