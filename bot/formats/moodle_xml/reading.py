"""Reading Moodle XML: every question as a draft, pictures as files, and what cannot be asked."""

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bot.cleaning import slug
from bot.drafts import MOST_ACCEPTED, Draft, DraftOption, spelled
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.matching import matched
from bot.formats.moodle_texts import (
    HTML,
    KINDS,
    PLAIN,
    WILDCARD,
    Texts,
    category_tags,
    has_wildcard,
    told,
    without_wildcards,
)
from bot.formats.moodle_xml.elements import elements
from bot.formats.plaintext import LEFT_OUT, remark
from bot.intervals import interval
from bot.items import Interval
from bot.text import literal, plain
from bot.wording import phrase

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "moodle-xml"

_UNASKED = {
    "essay": phrase("It asks for an essay, which nobody can grade at once."),
    "description": phrase("It is a text without a question."),
    "cloze": phrase("It is a Cloze question with several blanks."),
    "multianswer": phrase("It is a Cloze question with several blanks."),
}
_CALCULATED = phrase("Its numbers are drawn anew for everybody.")
_FULL = 100 - 1e-3
_ABSURD = 1e6


def read(source: Source) -> Haul:
    """Read the questions of a Moodle XML file. Raises FileRefused for a hostile one."""
    found = elements(source.content, "question")
    pictures = _Pictures()
    questions: list[Question] = []
    tags: tuple[str, ...] = ()
    whole = 0
    for element in found.found:
        if element.get("type") == "category":
            tags = category_tags(_text(element.find("category")))
            continue
        whole += any(_text(element.find(name)) for name in _COMBINED)
        questions.append(_Reader(element, len(questions) + 1, tags, pictures).question())
    remarks = list(found.remarks)
    if whole:
        reason = phrase("Feedback for any right, partly right or wrong answer has no place here.")
        action = phrase("It was left out; questions that had it: {count}.", count=whole)
        remarks.append(remark(Severity.NOTE, places.FILE, "", reason, action))
    return Haul(
        format=NAME,
        questions=tuple(questions),
        remarks=tuple(remarks),
        files=pictures.files,
    )


_COMBINED = ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback")


@dataclass(slots=True)
class _Pictures:
    """The files inside a bank, by names that no two of them share."""

    files: dict[str, bytes] = field(default_factory=dict)

    def add(self, name: str, data: bytes) -> str:
        """Keep a file, and give the name that it goes by."""
        stem, dot, ending = re.sub(r"[^\w.-]+", "-", name[-80:]).strip(".-").rpartition(".")
        stem, ending = (stem, f".{ending}") if dot else (ending or "picture", "")
        free = f"{stem}{ending}"
        number = 1
        while self.files.get(free, data) != data:
            number += 1
            free = f"{stem}-{number}{ending}"
        self.files[free] = data
        return free

    def embed(self, source: str) -> str:
        """Keep a picture that is written into a text as a `data:` address."""
        match = re.match(r"data:image/(\w+)[^,]*;base64,(.+)", source, re.DOTALL)
        data = _decoded(match[2]) if match else None
        return self.add(f"picture.{match[1]}", data) if match and data else ""


class _Reader:
    """One question on its way to a draft."""

    def __init__(
        self, element: "Element", number: int, tags: tuple[str, ...], pictures: _Pictures
    ) -> None:
        self._element = element
        self._kind = element.get("type", "")
        self._place = places.question(number)
        self._remarks: list[Remark] = []
        named = dict(self._files(pictures))
        self._texts = Texts(files=named, embed=pictures.embed)
        own = (_text(tag).replace(",", ";") for tag in element.iterfind("tags/tag"))
        self._tags = (*tags, *filter(None, own))

    def question(self) -> Question:
        """Read the question."""
        drafts = self._drafts()
        self._note_losses()
        excerpt = plain(self._stem()) if self._texts.lost or isinstance(drafts, str) else ""
        self._remarks += self._texts.remarks(self._place, excerpt)
        if isinstance(drafts, str):
            skipped = remark(Severity.SKIPPED, self._place, excerpt, drafts)
            return Question(draft=None, remarks=(skipped, *self._remarks))
        return Question(draft=drafts[0], more=drafts[1:], remarks=tuple(self._remarks))

    def _files(self, pictures: _Pictures) -> Iterator[tuple[str, str]]:
        for file in self._element.iter("file"):
            name, data = file.get("name", ""), _decoded(file.text or "")
            path = f"{file.get('path') or '/'}{name}".lstrip("/")
            if data is None or not name:
                self._changed(phrase("The file {name} in it is damaged.", name=name[:100]))
            else:
                yield path, pictures.add(name, data)

    def _drafts(self) -> tuple[Draft, ...] | str:
        """Make the drafts, or say why there are none."""
        if len(self._answers()) > MOST_ACCEPTED or len(self._element) > MOST_ACCEPTED * 2:
            return phrase("It has more than {most} answers.", most=MOST_ACCEPTED)
        match self._kind:
            case "multichoice":
                return (self._choice(),)
            case "truefalse":
                return (self._truth(),)
            case "shortanswer":
                return self._short()
            case "numerical":
                return self._number()
            case "matching":
                return self._matching()
            case kind if kind.startswith("calculated"):
                return _CALCULATED
            case kind:
                unknown = phrase(
                    "Questions of the kind “{kind}” cannot be asked here.", kind=kind[:40]
                )
                return _UNASKED.get(kind, unknown)

    def _choice(self) -> Draft:
        single = _is_true(_text(self._element.find("single")) or "true")
        answers = self._answers()
        most = max((worth for _, worth in answers), default=0.0)
        most = min(most, _FULL) if most > 0 else 101.0
        options = tuple(
            DraftOption(
                text=self._markdown(answer),
                is_key=worth >= most if single else worth > 0,
                weight=_weight(worth, single=single, best=worth >= most),
                rationale=self._markdown(answer.find("feedback")),
            )
            for answer, worth in answers
        )
        if single and sum(option.is_key for option in options) > 1:
            reason = phrase("Several options are right although only one may be chosen.")
            self._changed(reason, phrase("People are asked to choose all of them."))
        ordered = not _is_true(_text(self._element.find("shuffleanswers")) or "true")
        several = None if single else True
        return replace(self._draft(), options=options, several=several, keep_order=ordered)

    def _truth(self) -> Draft:
        found = {
            _text(answer).strip().lower(): (answer, worth) for answer, worth in self._answers()
        }
        options = tuple(
            DraftOption(
                text=word,
                is_key=(pair := found.get(word.lower())) is not None and pair[1] > 0,
                rationale=self._markdown(pair[0].find("feedback")) if pair else "",
            )
            for word in ("True", "False")
        )
        return replace(self._draft(), options=options)

    def _short(self) -> tuple[Draft, ...] | str:
        texts = [self._typed_text(answer) for answer, _ in self._answers()]
        if any(map(has_wildcard, texts)):
            self._changed(WILDCARD, phrase("The * was left out of it."))
        if _is_true(_text(self._element.find("usecase"))):
            reason = phrase("Moodle tells capitals from small letters in its answers.")
            self._changed(reason, phrase("Here both are accepted."))
        names = [self._markdown(answer) for answer, _ in self._answers()]
        accepted = list(map(without_wildcards, texts))
        return (self._typed(accepted, names),)

    def _typed_text(self, answer: "Element") -> str:
        text = _text(answer).strip()
        return text if answer.get("format") == "plain_text" else self._texts.typed(text)

    def _number(self) -> tuple[Draft, ...] | str:
        accepted: list[str | Interval] = []
        for answer, _ in self._answers():
            value, spread = _text(answer).strip(), _text(answer.find("tolerance")).strip()
            number = interval(f"{value} ± {spread.removeprefix('-')}" if spread else value)
            if number is None and value not in {"", "*"}:
                self._changed(
                    phrase("The answer “{value}” is no number, and was left out.", value=value[:40])
                )
            accepted.append("" if number is None else number)
        if any(_text(unit.find("unit_name")) for unit in self._element.iterfind("units/unit")):
            self._changed(
                phrase("Its answers have units."), phrase("Only the number is asked for.")
            )
        if not any(isinstance(entry, Interval) for entry in accepted):
            return phrase("None of its answers is a number.")
        names = [literal(spelled(entry)) for entry in accepted]
        return (replace(self._typed(accepted, names), as_text=False),)

    def _matching(self) -> tuple[Draft, ...] | str:
        pairs = [
            (self._markdown(pair), from_side(_text(pair.find("answer"))))
            for pair in self._element.iterfind("subquestion")
        ]
        return matched(self._draft(), pairs) or phrase("It has no two right sides to choose from.")

    def _typed(self, accepted: "list[str] | list[str | Interval]", names: Sequence[str]) -> Draft:
        """Make a draft of the answers that earn something; feedback goes into the rationale."""
        answers = self._answers()
        kept = [
            (entry, worth / 100)
            for entry, (_, worth) in zip(accepted, answers, strict=True)
            if entry and worth > 0
        ]
        feedback = [self._markdown(answer.find("feedback")) for answer, _ in answers]
        reasons = (told(name, text) for name, text in zip(names, feedback, strict=True) if text)
        draft = self._draft()
        return replace(
            draft,
            accepted=tuple(entry for entry, _ in kept),
            credits=tuple(round(worth, 7) for _, worth in kept),
            rationale="\n\n".join(filter(None, (draft.rationale, *reasons))),
            as_text=True,
        )

    def _draft(self) -> Draft:
        name = _text(self._element.find("idnumber")) or _text(self._element.find("name"))
        return Draft(
            stem=self._stem(),
            id=slug(name) if name.strip() else "",
            rationale=self._markdown(self._element.find("generalfeedback")),
            tags=self._tags,
        )

    def _stem(self) -> str:
        return self._markdown(self._element.find("questiontext"))

    def _answers(self) -> list[tuple["Element", float]]:
        return [
            (one, _fraction(one.get("fraction", ""))) for one in self._element.iterfind("answer")
        ]

    def _markdown(self, element: "Element | None") -> str:
        if element is None:
            return ""
        kind = KINDS.get(element.get("format", ""), HTML)
        return self._texts.markdown(_text(element).strip(), kind)

    def _note_losses(self) -> None:
        if self._element.find("hint/text") is not None:
            hints = [one for one in self._element.iterfind("hint") if _text(one).strip()]
            self._changed(
                phrase("It has hints for a second try, which nobody has here.")
            ) if hints else None

    def _changed(self, reason: str, action: str = LEFT_OUT) -> None:
        found = remark(Severity.CHANGED, self._place, "", reason, action)
        self._remarks += [] if found in self._remarks else [found]


def from_side(text: str) -> str:
    """Write a right side, which Moodle takes as plain text."""
    return Texts().markdown(text.strip(), HTML if "<" in text else PLAIN)


def _weight(worth: float, *, single: bool, best: bool) -> float | None:
    """Give a weight unless it is the usual one of a single choice."""
    usual = 100 if best else 0
    return None if single and abs(worth - usual) < 100 - _FULL else round(worth / 100, 7)


def _text(element: "Element | None") -> str:
    """Give the text of an element, which Moodle puts into a `<text>` of its own."""
    if element is None:
        return ""
    inner = element.find("text")
    return ((element if inner is None else inner).text or "").strip("\n")


def _fraction(text: str) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        return 0.0
    return value if abs(value) <= _ABSURD else 0.0


def _is_true(text: str) -> bool:
    return text.strip().lower() in {"1", "true"}


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
