"""Elements: the questions of an XML file one after another, as far as it can be read at all."""

import html
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.cleaning import CONTROL
from bot.errors import FileRefused
from bot.formats import places
from bot.formats.findings import Remark, Severity
from bot.formats.plaintext import decoded, remark
from bot.wording import phrase

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Elements:
    """The elements that could be read, and what was repaired or lost."""

    found: Sequence["Element"]
    remarks: tuple[Remark, ...] = ()


def elements(content: bytes, tag: str) -> Elements:
    """Read all elements of a name. Raises FileRefused for a file with entities of its own."""
    found, error = _parsed(content, tag)
    if not error:
        return Elements(found=found)
    text, remarks = decoded(content)
    mended, more = _parsed(_mended(text).encode(errors="replace"), tag)
    mended, more = max((mended, more), (found, error), key=lambda read: len(read[0]))
    reason = phrase("It is no complete XML: {why}.", why=str(error))
    repaired = remark(
        Severity.CHANGED,
        places.FILE,
        "",
        reason,
        phrase("Entities, signs and encoding were repaired."),
    )
    if not more:
        return Elements(found=mended, remarks=(*remarks, repaired))
    reason = phrase("It is no complete XML: {why}.", why=str(more))
    action = phrase(
        "What stands before was read, {mended} entries; what follows is lost.", mended=len(mended)
    )
    lost = remark(Severity.SKIPPED, places.FILE, "", reason, action)
    return Elements(found=mended, remarks=(*remarks, lost))


def _parsed(content: bytes, tag: str) -> tuple[list["Element"], str]:
    """Give the elements before the first error, and the error."""
    from xml.etree.ElementTree import ParseError  # noqa: PLC0415 - loaded when needed

    from defusedxml.common import DefusedXmlException  # noqa: PLC0415 - as above
    from defusedxml.ElementTree import iterparse  # noqa: PLC0415 - as above

    found: list[Element] = []
    try:
        for _, element in iterparse(io.BytesIO(content), events=("end",)):
            if element.tag == tag:
                found.append(element)
    except ParseError as error:
        return found, str(error)
    except DefusedXmlException:
        msg = phrase(
            "The XML file defines entities of its own, which could be a trap. Please remove them."
        )
        raise FileRefused(msg) from None
    except (LookupError, ValueError) as error:  # an encoding that nobody knows
        return found, str(error)
    return found, ""


_XML = {"amp", "lt", "gt", "quot", "apos"}


def _mended(text: str) -> str:
    """Write entities of HTML as their signs, and take away what XML forbids."""
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", CONTROL.sub("", text)).lstrip()
    return "".join(_unmarked(text))


def _unmarked(text: str) -> Iterator[str]:
    """Mend what stands outside of CDATA, where everything is text already."""
    at = 0
    while (start := text.find("<![CDATA[", at)) >= 0 and (end := text.find("]]>", start)) >= 0:
        yield _ENTITY.sub(_entity, text[at:start])
        yield text[start : end + 3]
        at = end + 3
    yield _ENTITY.sub(_entity, text[at:])


_ENTITY = re.compile(r"&(#?\w{0,40});?")


def _entity(match: re.Match[str]) -> str:
    if match[0].endswith(";") and (match[1] in _XML or re.fullmatch(r"#x?[0-9a-fA-F]+", match[1])):
        return match[0]
    shown = html.unescape(match[0])
    return shown if shown != match[0] and "&" not in shown else f"&amp;{match[0][1:]}"
