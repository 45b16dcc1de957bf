"""Foreign texts as our Markdown: HTML, or plain text, with the formulas of either left alone.

What looks like formatting but was not meant as such is escaped, and what would vanish is shown
as it was written: `<a>` is a good answer to a question about HTML.
"""

import html
import re
from collections.abc import Callable

from bot.formats.escaping import escaped
from bot.text import Markdown

# No chat carries a tenth of it; a picture written into the text is taken out before.
LONGEST = 50_000

Rename = Callable[[str], str]


def from_plain(text: str) -> Markdown:
    """Write a plain text as Markdown that shows it; lines stay lines, formulas formulas."""
    if _BARE.fullmatch(text) and "_" not in text:
        return Markdown(text.strip())
    kept = _Formulas()
    lines = _lines(kept.hidden(_without_marks(text[:LONGEST])))
    return Markdown(kept.shown("\n\n".join("\\\n".join(map(escaped, part)) for part in lines)))


def from_html(text: str, image: Rename | None = None, *, lines: bool = False) -> Markdown:
    """Write HTML as Markdown; a text without any is plain.

    `image` names the picture that a `src` means, or gives nothing to leave it out. With `lines` a
    line feed in the source is one in the text, as in Moodle's own format.
    """
    if "<" not in text and "&" not in text:
        return from_plain(text[:LONGEST] if lines else " ".join(text[:LONGEST].split()))
    text = _renamed(_without_marks(text), image or _same)[:LONGEST]
    if not is_html(text):
        return from_plain(text if lines else " ".join(text.split()))
    kept = _Formulas()
    source = _guarded(kept.hidden(text))
    if lines:
        source = "".join(map(_broken, _PRE.split(source)))
    from bot.formats.tags import converted  # noqa: PLC0415 - 60 ms for those who need it

    source = re.sub(r"(<pre(?:\s[^<>]*)?>)\s*\n", r"\1", source, flags=re.IGNORECASE)
    shown = kept.shown(converted(source)).strip()
    return Markdown(shown) if shown else from_plain(html.unescape(text))


def bare(text: str) -> str:
    """Give the text of HTML without any formatting, as people type it; tags alone stay."""
    shown = " ".join(html.unescape(_TAG.sub("", text)).split())
    return shown or html.unescape(text)


def is_html(text: str) -> bool:
    """Tell whether a text has a tag or an entity that HTML knows."""
    return bool(_TAG.search(text) or _ENTITY.search(text) or "<!--" in text)


def losses(text: str) -> tuple[str, ...]:
    """Name what a HTML text holds that Markdown cannot carry."""
    found = dict.fromkeys(match[1].lower() for match in _LOST.finditer(text))
    return tuple(found)


def remote_images(text: str) -> tuple[str, ...]:
    """List the addresses of pictures that are not in the file."""
    found = (match[2] for match in _SRC.finditer(text) if _REMOTE.match(match[2]))
    return tuple(dict.fromkeys(html.unescape(source) for source in found))


# A line of words: nothing in it means anything to Markdown.
_BARE = re.compile(r"[^\W\d_][\w ,;:.?!'\"()/%¿¡“”’-]*")
_PAIRED = (
    "a|abbr|address|article|aside|audio|b|bdi|bdo|big|blockquote|body|button|caption|center|cite"
    "|code|del|details|dfn|dl|div|em|fieldset|figcaption|figure|font|footer|form|h[1-6]|head|header"
    "|html|i|iframe|ins|kbd|label|legend|main|map|mark|math|menu|nav|object|ol|pre|q|s|samp|script"
    "|section|select|small|span|strike|strong|style|sub|summary|sup|svg|table|tbody|textarea|tfoot"
    "|thead|time|title|tt|u|ul|var|video"
)
_SINGLE = "area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|source|td|th|tr|wbr"
_TAG = re.compile(rf"</?(?:{_PAIRED}|{_SINGLE})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_OPEN_OR_CLOSE = re.compile(rf"<(/?)({_PAIRED})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_SINGLE_TAG = re.compile(rf"<(?:{_SINGLE})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_LOST = re.compile(
    r"<(audio|video|iframe|object|embed|form|input|select|textarea|script|style|svg)(?=[\s/>])",
    re.IGNORECASE,
)
_SRC = re.compile(r"(<img\b[^<>]*?\ssrc\s*=\s*[\"']?)([^\"'<>\s][^\"'<>]*)", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[A-Za-z][^<>]*>")
_REMOTE = re.compile(r"(?:https?:)?//", re.IGNORECASE)


def _same(source: str) -> str:
    return source


def _renamed(text: str, image: Rename) -> str:
    """Give every picture of a text the name that it goes by from now on."""
    text = _ANY_TAG.sub(_quotes_closed, text)
    return _SRC.sub(lambda m: m[1] + html.escape(image(html.unescape(m[2]).strip())), text)


def _quotes_closed(match: re.Match[str]) -> str:
    """Close a quote that nobody closed, or all behind it would be part of it."""
    tag = match[0]
    return re.sub(r"/?>$", '">', tag) if tag.count('"') % 2 else tag


def _without_marks(text: str) -> str:
    """Take out the private signs that stand for formulas, and unify line feeds."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_NO_MARKS)


def _lines(text: str) -> list[list[str]]:
    """Split a text into paragraphs of lines."""
    parts = re.split(r"\n\s*\n", text.strip())
    return [[line.strip() for line in part.split("\n")] for part in parts]


def _guarded(source: str) -> str:
    """Show a tag that is never closed, or never opened, as the text that it must be.

    Among other HTML an end without a beginning is a slip, and so is a beginning with attributes.
    """
    opened: dict[str, list[re.Match[str]]] = {}
    ends: list[re.Match[str]] = []
    pairs = 0
    for match in _OPEN_OR_CLOSE.finditer(source):
        name = match[2].lower()
        if not match[1]:
            opened.setdefault(name, []).append(match)
        elif opened.get(name):
            opened[name].pop()
            pairs += 1
        else:
            ends.append(match)
    starts = (match for rest in opened.values() for match in rest)
    alone = [match for match in starts if re.fullmatch(r"<\w+>", match[0])]
    if not pairs and not _SINGLE_TAG.search(source):
        alone += ends
    for match in sorted(alone, key=re.Match.start, reverse=True):
        start, end = match.span()
        source = source[:start] + html.escape(match[0], quote=False) + source[end:]
    return source


_PRE = re.compile(r"(<pre(?=[\s>]).*?</pre\s*>)", re.DOTALL | re.IGNORECASE)


def _broken(part: str) -> str:
    """Break the lines of a text where its source does, but not between tags and in code."""
    if _PRE.match(part):
        return part
    return re.sub(r"\n(?!\s*(?:<|$))", "<br>\n", re.sub(r">\s+<", "> <", part))


_FIRST, _LAST = "\ue000", "\ue001"
_NO_MARKS = {ord(_FIRST): None, ord(_LAST): None}
_FORMULA = re.compile(
    r"(?<!\\)\$\$(.{1,1500}?)\$\$"
    r"|(?<![\\$0-9])\$(?![\s$])((?:\\.|[^$\\\n]){1,500}?)(?<!\s)\$(?![0-9$])"
    r"|(?<!\\)\\\((.{1,1500}?)\\\)"
    r"|(?<!\\)\\\[(.{1,1500}?)\\\]",
    re.DOTALL,
)


class _Formulas:
    """Formulas set aside under signs that nothing else in a text can have."""

    def __init__(self) -> None:
        self._found: list[str] = []

    def hidden(self, text: str) -> str:
        """Put a sign where each formula stands."""
        return _FORMULA.sub(self._hide, text)

    def shown(self, text: str) -> str:
        """Put the formulas back, between dollars."""
        return re.sub(f"{_FIRST}([0-9]+){_LAST}", lambda m: self._found[int(m[1])], text)

    def _hide(self, match: re.Match[str]) -> str:
        inner = match[1] or match[2] or match[3] or match[4]
        tex = " ".join(html.unescape(re.sub(r"<[^<>]*>", " ", inner)).split())
        if not tex or "$" in tex:
            return match[0]
        double = match[1] is not None or match[4] is not None
        self._found.append(f"$${tex}$$" if double else f"${tex}$")
        return f"{_FIRST}{len(self._found) - 1}{_LAST}"
