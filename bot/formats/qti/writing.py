"""Writing QTI 2.1: a package of a manifest and a document for each item.

Items keep their ids behind `kuis-`, so that reading gives the same ones. A rationale is feedback
that hides only from a response nobody can give.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from html import escape

from bot.formats import places
from bot.formats.findings import PARTS, Remark, Severity
from bot.formats.markup import survives, to_html
from bot.formats.plaintext import LEFT_OUT, remark
from bot.formats.tables.writing import answers, credits_of, texts_of
from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse, keys
from bot.packs import Edition
from bot.text import Markdown, pictures
from bot.wording import phrase

EPOCH = (1980, 1, 1, 0, 0, 0)
PREFIX = "kuis-"


def write(edition: Edition) -> tuple[bytes, tuple[Remark, ...]]:
    """Write an edition as a package, and say what QTI 2.1 does not carry."""
    remarks = list(_lost(edition))
    documents: dict[str, str] = {}
    for item in edition.items:
        if isinstance(item, Numeric) and _tolerance(item) is None:
            reason = phrase("QTI 2.1 takes one number with an equal tolerance to both sides.")
            remarks.append(remark(Severity.SKIPPED, places.item(item.id), item.stem, reason))
        else:
            documents[f"items/{PREFIX}{item.id}.xml"] = _item(item, edition.language)
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as opened:
        for path, text in {"imsmanifest.xml": _manifest(edition, documents), **documents}.items():
            content = _UNFIT.sub("\ufffd", text).encode()
            opened.writestr(zipfile.ZipInfo(path, EPOCH), content)
    return package.getvalue(), tuple(remarks)


_UNFIT = re.compile("[\ufffe\uffff]")
_SCHEMA = "http://www.imsglobal.org/xsd/imsqti_v2p1"


def _manifest(edition: Edition, paths: dict[str, str]) -> str:
    resources = "\n".join(
        f'    <resource identifier="r{number}" type="imsqti_item_xmlv2p1" href="{path}">'
        f'<file href="{path}"/></resource>'
        for number, path in enumerate(paths, 1)
    )
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="{PREFIX}{edition.id}">
  <metadata>
    <schema>QTIv2.1 Package</schema>
    <schemaversion>1.0.0</schemaversion>
    <lom xmlns="http://ltsc.ieee.org/xsd/LOM"><general><title><string>{escape(edition.title)}\
</string></title></general></lom>
  </metadata>
  <organizations/>
  <resources>
{resources}
  </resources>
</manifest>
"""


def _item(item: Item, language: str) -> str:
    typed = isinstance(item, ShortText | Numeric)
    several = isinstance(item, MultiChoice)
    body = _entry(item) if typed else _choices(item, language)
    score = _near(item) if isinstance(item, Numeric) else _MAPPED if typed else _MATCH
    reply = "" if typed else _REPLY
    rationale = (
        f'  <modalFeedback outcomeIdentifier="FEEDBACK" identifier="NEVER" showHide="hide">'
        f"{to_html(item.rationale)}</modalFeedback>\n"
        if item.rationale
        else ""
    )
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="{_SCHEMA}" identifier="{PREFIX}{item.id}" title="{item.id}" \
adaptive="false" timeDependent="false" xml:lang="{language}">
{_declaration(item)}
  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
  <outcomeDeclaration identifier="FEEDBACK" cardinality="{"multiple" if several else "single"}" \
baseType="identifier"/>
  <itemBody>
    <div>{to_html(item.stem)}</div>
{body}
  </itemBody>
  <responseProcessing>
{score}{reply}
  </responseProcessing>
{rationale}</assessmentItem>
"""


_SCORED = """\
    <responseCondition>
      <responseIf>
        {test}
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue>\
</setOutcomeValue>
      </responseIf>
    </responseCondition>"""
_MATCH = _SCORED.format(
    test='<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>'
)
_MAPPED = """\
    <setOutcomeValue identifier="SCORE"><mapResponse identifier="RESPONSE"/></setOutcomeValue>"""
_REPLY = """
    <setOutcomeValue identifier="FEEDBACK"><variable identifier="RESPONSE"/></setOutcomeValue>"""


def _declaration(item: Item) -> str:
    match item:
        case Choice() | MultiChoice() | TrueFalse():
            values = [_name(item, place) for place in sorted(keys(item))]
            kind, mapping = "identifier", ""
        case ShortText():
            values, kind = [item.accepted[0]], "string"
            entries = (
                f'<mapEntry mapKey="{escape(text)}" mappedValue="1" caseSensitive="false"/>'
                for text in item.accepted
            )
            mapping = f'\n    <mapping defaultValue="0">{"".join(entries)}</mapping>'
        case Numeric():
            values, kind, mapping = [repr(item.accepted[0].value)], "float", ""
    cardinality = "multiple" if isinstance(item, MultiChoice) else "single"
    listed = "".join(f"<value>{escape(value)}</value>" for value in values)
    return (
        f'  <responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" '
        f'baseType="{kind}">\n    <correctResponse>{listed}</correctResponse>{mapping}\n'
        f"  </responseDeclaration>"
    )


def _name(item: Item, place: int) -> str:
    if isinstance(item, TrueFalse):
        return "false" if place else "true"
    return f"C{place + 1}"


def _choices(item: Item, language: str) -> str:
    most = 0 if isinstance(item, MultiChoice) else 1
    fixed = ' fixed="true"' if getattr(item, "keep_order", False) else ""
    choices = (
        f'      <simpleChoice identifier="{_name(item, place)}"{fixed}>{to_html(option.text)}'
        f"{_reason(_name(item, place), option.rationale)}</simpleChoice>"
        for place, option in enumerate(answers(item, language))
    )
    lines = "\n".join(choices)
    return (
        f'    <choiceInteraction responseIdentifier="RESPONSE" shuffle="{str(not fixed).lower()}" '
        f'maxChoices="{most}">\n{lines}\n    </choiceInteraction>'
    )


def _reason(name: str, rationale: Markdown) -> str:
    if not rationale:
        return ""
    return (
        f'<feedbackInline outcomeIdentifier="FEEDBACK" identifier="{name}" showHide="show">'
        f"{to_html(rationale)}</feedbackInline>"
    )


def _entry(item: Item) -> str:
    length = ' expectedLength="20"' if isinstance(item, ShortText) else ""
    return f'    <p><textEntryInteraction responseIdentifier="RESPONSE"{length}/></p>'


def _tolerance(item: Numeric) -> Decimal | None:
    """Give the one tolerance to both sides of the only interval, if it is like that."""
    first, *others = item.accepted
    below = _exact(first.value) - _exact(first.low)
    return None if others or below != _exact(first.high) - _exact(first.value) else below


def _exact(value: float) -> Decimal:
    return Decimal(repr(value))


def _near(item: Numeric) -> str:
    width = _tolerance(item)
    test = (
        f'<equal toleranceMode="absolute" tolerance="{width} {width}">'
        '<variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>'
    )
    return _SCORED.format(test=test)


def _lost(edition: Edition) -> Iterator[Remark]:
    names = ("description", "tags", "licence", "author", "source")
    if kept := [PARTS[name] for name in names if getattr(edition, name)]:
        reason = phrase("The package has no place for the pack's {kept}.", kept=kept)
        yield remark(Severity.CHANGED, places.FILE, edition.title, reason, LEFT_OUT)
    for item in edition.items:
        lost = [name for name, value in _extras(item) if value]
        same = all(map(survives, texts_of(item, edition.language)))
        lost += [] if same else [phrase("some formatting of its texts")]
        if lost:
            reason = phrase("QTI 2.1 has no place for {lost}.", lost=lost)
            place = places.item(item.id)
            yield remark(Severity.CHANGED, place, item.stem, reason, LEFT_OUT)


def _extras(item: Item) -> Iterator[tuple[str, object]]:
    """Name what an item may have that is not written."""
    yield phrase("the time"), item.seconds
    yield phrase("tags"), item.tags
    yield phrase("credits"), credits_of(item)
    yield phrase("pictures"), any(not p.source.startswith("http") for p in pictures(item.stem))
    if isinstance(item, ShortText):
        yield phrase("forgiven accents"), item.any_accents
        yield phrase("forgiven typos"), item.typos
