"""Reading QTI: a document, or a package of them, of any version."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from bot.formats import places
from bot.formats.containers import is_zip, unpack
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.plaintext import remark
from bot.formats.qti import classic, modern, pool
from bot.formats.qti.drafting import Desk
from bot.formats.qti.trees import ROOTS, Broken, fragments, parse, text
from bot.wording import phrase

NAME = "qti"


def sniff(source: Source) -> float:
    """Tell how much a file looks like QTI: by its elements, or a package by its names."""
    if is_zip(source.content):
        named = source.name.casefold().endswith((".imscc", ".dat"))
        manifest = b"imsmanifest.xml" in source.content
        suspect = not any(mark in source.content for mark in _OTHERS)
        return 0.95 if manifest else 0.8 if named else 0.3 if suspect else 0.0
    head = source.content[:40_000]
    return 0.95 if _ROOT.search(head) else 0.0


def read(source: Source) -> Haul:
    """Read every item. Raises FileRefused for a package that cannot be trusted."""
    package = is_zip(source.content)
    container = unpack(source.content) if package else None
    files = container.files if container else {"": source.content}
    bank = _Bank(files, list(container.remarks) if container else [])
    for path, data in files.items():
        if not package or posixpath.splitext(path)[1].casefold() in _SUFFIXES:
            bank.take(path, data)
    if not bank.questions:
        reason = phrase("There are no QTI items in it.")
        cure = phrase("Export the quiz again as QTI, or send its items one by one.")
        bank.remarks.append(remark(Severity.NOTE, places.FILE, "", reason, cure))
    return Haul(
        format=NAME,
        questions=tuple(bank.questions),
        remarks=tuple(bank.remarks),
        title=bank.title,
        language=bank.language(),
        files=bank.used,
    )


_OTHERS = (b"xl/workbook", b"collection.anki2", b"word/document", b"ppt/presentation")
_SUFFIXES = {".xml", ".qti", ".dat"}
_ITEM = re.compile(rb"<(?:\w+:)?(?:assessmentItem|qti-assessment-item|item)[\s>]")
_ROOT = re.compile(
    rb"<(?:\w+:)?(?:questestinterop|assessmentItem|qti-assessment-item|assessmentTest"
    rb"|qti-assessment-test|POOL)[\s>]"
)


class _Bank:
    """The questions of all documents of a file."""

    def __init__(self, files: Mapping[str, bytes], remarks: list[Remark]) -> None:
        self.questions: list[Question] = []
        self.remarks = remarks
        self.title = ""
        self.used: dict[str, bytes] = {}
        self._files = files
        self._languages: Counter[str] = Counter()
        self._whole = {
            posixpath.basename(path).partition(".")[0]
            for path in files
            if path.startswith("non_cc_assessments/")
        }

    def language(self) -> str:
        """Give the language of most items, if they say so."""
        return max(self._languages, key=self._languages.__getitem__, default="")

    def take(self, path: str, data: bytes) -> None:
        """Read a document of the package, or the only one."""
        if posixpath.dirname(path) in self._whole:
            if posixpath.basename(path) == "assessment_qti.xml":
                reason = phrase(
                    "It holds a part of a quiz that stands whole in non_cc_assessments."
                )
                self._say(Severity.NOTE, path, reason, phrase("It was not read twice."))
            return
        try:
            root = parse(data)
        except Broken as broken:
            self._salvage(path, data, broken)
            return
        if root.tag == "manifest":
            self.title = self.title or text(root.find("metadata//title"))
        elif root.tag in ROOTS:
            self._read(path, root)

    def _say(self, severity: Severity, path: str, reason: str, action: str) -> None:
        place = places.entry(path) if path else places.FILE
        self.remarks.append(remark(severity, place, "", reason, action))

    def _salvage(self, path: str, data: bytes, broken: Broken) -> None:
        """Read the items of a broken document that are whole."""
        items = fragments(data)
        action = (
            phrase("What is whole in it was kept: {count} items.", count=len(items))
            if items
            else ""
        )
        severity = Severity.CHANGED if items else Severity.SKIPPED
        self._say(
            severity, path, phrase("It is no complete XML: {why}.", why=broken.args[0]), action
        )
        desk = Desk(self._files, self.used, path)
        self.questions += [_question(item, desk) for item in items]
        if not items and _ITEM.search(data):
            desk.begin(places.item())
            self.questions.append(
                desk.skip("", phrase("It is no complete XML: {why}.", why=broken.args[0]))
            )

    def _read(self, path: str, root: Element) -> None:
        desk = Desk(self._files, self.used, path)
        if not self.title:
            self.title = _title(root)
        for item in _items(root):
            self._languages.update(filter(None, [modern.language(item)]))
            self.questions.append(_question(item, desk))


def _items(root: Element) -> Iterator[Element]:
    """Go through the items of a document."""
    if root.tag == "POOL":
        yield from (one for one in root if str(one.tag).startswith(pool.PREFIX))
    elif root.tag == "questestinterop":
        yield from root.iter("item")
    elif root.tag == "assessmentItem":
        yield root


def _title(root: Element) -> str:
    if root.tag == "POOL":
        found = root.find("TITLE")
        return found.get("value", "") if found is not None else ""
    named = root if root.tag == "assessmentTest" else root.find("assessment")
    return named.get("title", "") if named is not None else ""


def _question(item: Element, desk: Desk) -> Question:
    try:
        if item.tag == "assessmentItem":
            return modern.question(item, desk)
        if item.tag == "item":
            return classic.question(item, desk)
        return pool.question(item, desk)
    except RecursionError:
        return desk.skip("", phrase("It is nested too deeply."))
