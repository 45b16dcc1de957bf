"""Trees: XML of any QTI version with its names in one style, and its texts as HTML."""

import html
import re
from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element

from bot.wording import phrase

GAP = "_____"
ROOTS = ("questestinterop", "assessmentItem", "assessmentTest", "POOL")


class Broken(ValueError):
    """XML that cannot be read; the message says why."""


def parse(data: bytes) -> Element:
    """Read a document: names without namespaces, and those of QTI 3 as in QTI 2. Raises Broken."""
    from defusedxml import DefusedXmlException  # noqa: PLC0415 - loaded when needed
    from defusedxml.ElementTree import ParseError, fromstring  # noqa: PLC0415 - as above

    begin = max(data.find(b"<?xml"), 0) or max(data.find(b"<"), 0)
    try:
        root: Element = fromstring(data[begin:])
    except DefusedXmlException:
        msg = phrase("it defines entities, which may hide anything")
        raise Broken(msg) from None
    except (ParseError, ValueError, LookupError) as broken:
        raise Broken(str(broken)) from None
    for element in root.iter():
        _unify(element)
    return root


def fragments(data: bytes) -> list[Element]:
    """Read the items of a broken document one by one, those that are whole."""
    found: list[Element] = []
    for match in _WHOLE.finditer(data):
        try:
            found.append(parse(b"<r %s>%s</r>" % (_PREFIXES, match[0])))
        except Broken:
            continue
    return [item for root in found for item in root]


def text(element: Element | None) -> str:
    """Give all text below an element, on one line."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def inner(element: Element, hidden: Collection[Element] = (), blank: Element | None = None) -> str:
    """Write what is below an element as HTML, without some elements, with a gap for another."""
    parts = [html.escape(element.text or "", quote=False)]
    for child in element:
        if child is blank:
            parts.append(GAP)
        elif child not in hidden:
            parts.append(_outer(child, hidden, blank))
        parts.append(html.escape(child.tail or "", quote=False))
    return "".join(parts)


_WHOLE = re.compile(
    rb"<(item|assessmentItem|qti-assessment-item)(?=[\s>])[^<>]*>.*?</\1\s*>", re.DOTALL
)
_PREFIXES = b'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
_MATHML = "http://www.w3.org/1998/Math/MathML"
_VOID = {"br", "hr", "img"}
_KEPT = {"src", "alt", "href", "data", "type"}


def _unify(element: Element) -> None:
    name = str(element.tag).rpartition("}")[2]
    modern = name.startswith("qti-")
    element.tag = _camel(name.removeprefix("qti-")) if modern else name
    attributes = {str(key).rpartition("}")[2]: value for key, value in element.attrib.items()}
    element.attrib.clear()
    for key, value in attributes.items():
        element.set(_camel(key) if modern else key, value)


def _camel(name: str) -> str:
    first, *words = name.split("-")
    return first + "".join(word.capitalize() for word in words)


def _outer(element: Element, hidden: Collection[Element], blank: Element | None) -> str:
    name = str(element.tag)
    if name == "math":
        return f"\\({html.escape(_tex(element), quote=False)}\\)"
    if name == "object" and element.get("type", "image").startswith("image"):
        source, alt = element.get("data", ""), text(element)
        return f'<img src="{html.escape(source)}" alt="{html.escape(alt)}">'
    attributes = "".join(
        f' {key}="{html.escape(value)}"' for key, value in element.attrib.items() if key in _KEPT
    )
    if name in _VOID:
        return f"<{name}{attributes}>"
    below = inner(element, hidden, blank)
    return f"<{name}{attributes}>{below}</{name}>" if below.strip() else below


def _tex(element: Element) -> str:
    """Write MathML as TeX, as far as school formulas go; its own TeX if it brings some."""
    for note in element.iter("annotation"):
        if "tex" in note.get("encoding", "").casefold():
            return text(note)
    return " ".join("".join(_math(element)).split())


def _math(element: Element) -> Iterator[str]:
    parts = ["".join(_math(child)) for child in element]
    match (element.tag, parts):
        case ("mfrac", [above, below]):
            yield f"\\frac{{{above}}}{{{below}}}"
        case ("msup", [base, up]):
            yield f"{base}^{{{up}}}"
        case ("msub", [base, down]):
            yield f"{base}_{{{down}}}"
        case ("msubsup", [base, down, up]):
            yield f"{base}_{{{down}}}^{{{up}}}"
        case ("msqrt", _):
            yield f"\\sqrt{{{''.join(parts)}}}"
        case ("mroot", [base, root]):
            yield f"\\sqrt[{root}]{{{base}}}"
        case ("mtext", _):
            yield f"\\text{{{text(element)}}}"
        case _:
            yield from parts or [text(element)]
