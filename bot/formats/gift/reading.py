"""Reading GIFT: every question of a file as a draft, and what was repaired or cannot be asked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bot.cleaning import slug
from bot.drafts import MOST_ACCEPTED, Draft, DraftOption, spelled
from bot.formats import places
from bot.formats.aiken import lettered
from bot.formats.findings import Haul, Question, Remark, Severity
from bot.formats.gift import answers as cut
from bot.formats.gift.signs import is_repaired, shown
from bot.formats.gift.splitting import BLANK, CATEGORY, GLUED, UNCLOSED, URL, Block, blocks
from bot.formats.html import from_html
from bot.formats.matching import matched
from bot.formats.moodle_texts import (
    HTML,
    KINDS,
    MOODLE,
    PLAIN,
    WILDCARD,
    Texts,
    category_tags,
    has_wildcard,
    told,
    without_wildcards,
)
from bot.formats.plaintext import remark
from bot.items import Interval
from bot.text import literal, plain
from bot.wording import phrase

BLANKS = "_____"


def haul(name: str, text: str, remarks: Sequence[Remark]) -> Haul:
    """Read all questions of a file."""
    questions: list[Question] = []
    file_remarks = list(remarks)
    tags: tuple[str, ...] = ()
    for block in blocks(text):
        if block.text.startswith(CATEGORY):
            tags = category_tags(shown(block.text.removeprefix(CATEGORY)))
            file_remarks += _mended(block, GLUED)
        else:
            questions.append(_Reader(block, tags).question())
    return Haul(format=name, questions=tuple(questions), remarks=tuple(file_remarks))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """A question taken apart; escaped signs are hidden, and `answers` is None without braces."""

    name: str
    stem: str
    answers: str | None
    general: str
    spare: bool


_ACTIONS = {
    GLUED: phrase("It was read as if there were one."),
    BLANK: phrase("The answers were read across it."),
    UNCLOSED: phrase("The answers were read to the end of the question."),
    URL: phrase("Write \\// or put something before it if it belongs to the question."),
}
_SKIPPED = {
    "essay": phrase("It asks for an essay, which nobody can grade at once."),
    "cloze": phrase("It is a Cloze question with several blanks."),
    "description": phrase("It has no braces with answers."),
}
_TAG = re.compile(r"\[tag:([^\]\n]+)\]")
_IDNUMBER = re.compile(r"\[id:([^\]\n]+)\]")
_FORMAT = re.compile(r"\[(html|moodle|plain|markdown)\]", re.IGNORECASE)


def _mended(block: Block, *only: str) -> Iterator[Remark]:
    for reason in block.mended:
        if not only or reason in only:
            severity = Severity.NOTE if reason == URL else Severity.CHANGED
            place, excerpt = places.line(block.line), shown(block.text)
            yield remark(severity, place, excerpt, reason, _ACTIONS[reason])


class _Reader:
    """One block on its way to a question."""

    def __init__(self, block: Block, tags: tuple[str, ...]) -> None:
        self._block = block
        self._parts = _taken_apart(block.text)
        self._texts = Texts()
        comments = "\n".join(block.comments)
        self._tags = (*tags, *(tag.replace(",", ";") for tag in _TAG.findall(comments)))
        self._id = next(iter(_IDNUMBER.findall(comments)), "")
        self._remarks = list(_mended(block))
        kind = _FORMAT.match(self._parts.stem)
        self._kind = KINDS[kind[1].lower()] if kind else MOODLE

    @cached_property
    def _excerpt(self) -> str:
        return plain(from_html(shown(_unformatted(self._parts.stem))))

    def question(self) -> Question:
        """Read the block."""
        answers = self._parts.answers
        kind = "description" if answers is None else cut.kind(answers)
        if kind == "description" and (draft := lettered(self._parts.stem, self._block.line)):
            self._changed(
                phrase("It has no braces, but options and a line with the answer."),
                phrase("That was read."),
            )
            return Question(draft=replace(draft, tags=self._tags), remarks=tuple(self._remarks))
        if kind in _SKIPPED:
            return self._skipped(_SKIPPED[kind])
        self._report_repairs()
        drafts = self._drafts(kind, answers or "")
        if isinstance(drafts, str):
            return self._skipped(drafts)
        first, *more = drafts
        if self._texts.lost:
            self._remarks += self._texts.remarks(places.line(self._block.line), self._excerpt)
        return Question(draft=first, more=tuple(more), remarks=tuple(self._remarks))

    def _drafts(self, kind: str, answers: str) -> tuple[Draft, ...] | str:
        """Make the drafts, or say why there are none."""
        if answers.count("=") + answers.count("~") > MOST_ACCEPTED:
            return phrase("It has more than {most} answers.", most=MOST_ACCEPTED)
        match kind:
            case "multichoice":
                return (self._choice(answers),)
            case "truefalse":
                return (self._truth(answers),)
            case "match":
                return self._match(answers)
            case "numerical":
                return self._numbers(answers)
            case _:
                return (self._texts_to_type(answers),)

    def _choice(self, answers: str) -> Draft:
        found = tuple(cut.choices(answers))
        keyed = any(answer.is_key for answer in found)
        for answer in found:
            self._changed(answer.repaired, phrase("It stands in the question as an option."))
        if any(answer.is_key and answer.weight is not None for answer in found):
            self._changed(
                phrase("A weight stands behind =."),
                phrase("It was read as one, not as part of the answer."),
            )
        options = tuple(
            DraftOption(
                text=self._markdown(answer.text),
                is_key=answer.is_key if keyed else (answer.weight or 0) > 0,
                weight=_weight(answer, keyed=keyed),
                rationale=self._markdown(answer.feedback),
                line=self._block.line,
            )
            for answer in found
        )
        if sum(answer.is_key for answer in found) > 1:
            reason = phrase("Several answers are marked as right with =.")
            self._changed(reason, phrase("People are asked to choose all of them."))
        return replace(self._draft(), options=options, several=None if keyed else True)

    def _truth(self, answers: str) -> Draft:
        is_true, wrong, right, repaired = cut.truth(answers)
        if repaired:
            self._changed(
                phrase("TRUE and FALSE are in small letters."),
                phrase("It was read as true or false all the same."),
            )
        reasons = (right, wrong) if is_true else (wrong, right)
        options = tuple(
            DraftOption(text=word, is_key=key, rationale=self._markdown(reason))
            for word, key, reason in zip(
                ("True", "False"), (is_true, not is_true), reasons, strict=True
            )
        )
        return replace(self._draft(), options=options)

    def _match(self, answers: str) -> tuple[Draft, ...] | str:
        found = tuple(cut.pairs(answers))
        pairs = [pair for pair in found if pair]
        if len(pairs) < len(found):
            self._changed(phrase("A pair has no arrow."), phrase("The pair was left out."))
        sides = [(self._markdown(left), self._side(right)) for left, right in pairs]
        drafts = matched(self._draft(), sides)
        return drafts or phrase("It has no two right sides to choose from.")

    def _side(self, right: str) -> str:
        """Write a right side, which Moodle takes as plain text."""
        return Texts().markdown(shown(right), HTML if "<" in right else PLAIN)

    def _texts_to_type(self, answers: str) -> Draft:
        found = tuple(cut.texts(answers))
        texts = [self._typed_text(answer.text) for answer in found]
        if any(map(has_wildcard, texts)):
            self._changed(WILDCARD, phrase("The * was left out of it."))
        accepted = list(map(without_wildcards, texts))
        return self._typed(found, accepted, [self._markdown(answer.text) for answer in found])

    def _typed_text(self, text: str) -> str:
        """Give an accepted answer, which is plain text even in a question in HTML."""
        match = _FORMAT.match(text)
        bare = shown(text[match.end() if match else 0 :]).strip()
        return bare if match and match[1].lower() == PLAIN else self._texts.typed(bare)

    def _numbers(self, answers: str) -> tuple[Draft, ...] | str:
        found = tuple(cut.numbers(answers))
        accepted: list[Interval | str] = []
        for answer in found:
            number, repaired = cut.accepted(answer.text)
            self._changed(repaired, phrase("Please check the number."))
            if number is None and answer.text:
                reason = phrase("An answer is no number, and was left out.")
                self._changed(reason, phrase("Write a number, 3:0.1 or 1..5."))
            accepted.append("" if number is None else number)
        if not any(isinstance(entry, Interval) for entry in accepted):
            return phrase("None of its answers is a number.")
        names = [literal(spelled(entry)) for entry in accepted]
        return (replace(self._typed(found, accepted, names), as_text=False),)

    def _typed(
        self,
        found: Sequence[cut.Answer],
        accepted: Sequence[str | Interval],
        names: Sequence[str],
    ) -> Draft:
        """Make a draft of the answers that earn something; feedback goes into the rationale."""
        worth = [1.0 if answer.weight is None else answer.weight for answer in found]
        kept = [place for place, entry in enumerate(accepted) if entry and worth[place] > 0]
        reasons = [
            told(name, self._markdown(answer.feedback))
            for name, answer in zip(names, found, strict=True)
            if answer.feedback
        ]
        draft = self._draft()
        return replace(
            draft,
            accepted=tuple(accepted[place] for place in kept),
            credits=tuple(worth[place] for place in kept),
            rationale="\n\n".join(filter(None, (draft.rationale, *reasons))),
            as_text=True,
        )

    def _draft(self) -> Draft:
        parts = self._parts
        return Draft(
            stem=self._markdown(parts.stem),
            id=slug(self._id or shown(parts.name)) if self._id or parts.name else "",
            line=self._block.line,
            rationale=self._markdown(parts.general),
            tags=self._tags,
        )

    def _markdown(self, text: str) -> str:
        """Write a text of the question as Markdown; its format is the stem's unless it says so."""
        match = _FORMAT.match(text)
        kind = KINDS[match[1].lower()] if match else self._kind
        return self._texts.markdown(shown(text[match.end() if match else 0 :]).strip(), kind)

    def _report_repairs(self) -> None:
        parts = self._parts
        if is_repaired(parts.answers or "") or is_repaired(parts.stem, "{}\\"):
            reason = phrase(
                "Signs that GIFT reserves stand in a formula or a tag without a backslash."
            )
            self._changed(reason, phrase("They were read as part of it."))
        if parts.spare:
            self._changed(
                phrase("It has more than one pair of braces."),
                phrase("The first one holds the answers."),
            )

    def _changed(self, reason: str, action: str) -> None:
        if reason:
            place = places.line(self._block.line)
            found = remark(Severity.CHANGED, place, self._excerpt, reason, action)
            self._remarks += [] if found in self._remarks else [found]

    def _skipped(self, reason: str) -> Question:
        skipped = remark(Severity.SKIPPED, places.line(self._block.line), self._excerpt, reason)
        return Question(draft=None, remarks=(skipped, *self._remarks))


def _weight(answer: cut.Answer, *, keyed: bool) -> float | None:
    """Give a weight unless it is the usual one; without any `=` nothing is usual."""
    if not keyed:
        return answer.weight or 0.0
    return None if answer.weight == float(answer.is_key) else answer.weight


def _unformatted(text: str) -> str:
    return _FORMAT.sub("", text, count=1) if _FORMAT.match(text) else text


def _taken_apart(text: str) -> _Parts:
    """Take a question apart where Moodle does: at its title, the first braces, the last `####`."""
    name = ""
    if text.startswith("::") and (end := text.find("::", 2)) > 0:
        name, text = text[2:end].strip(), text[end + 2 :].strip()
    start, end = text.find("{"), text.find("}")
    if start < 0 or end < start:
        return _Parts(name=name, stem=text, answers=None, general="", spare=False)
    inside = text[start + 1 : end]
    if "{" in inside:
        end = _balanced(text, start) or end
        inside = text[start + 1 : end]
    blank = "" if end == len(text) - 1 else BLANKS
    answers, marks, general = inside.strip().rpartition("####")
    return _Parts(
        name=name,
        stem=f"{text[:start]}{blank}{text[end + 1 :]}".strip(),
        answers=(answers if marks else general).strip(),
        general=general.strip() if marks else "",
        spare=bool(re.search(r"\{\s*[=~#TF}]", text[end + 1 :])),
    )


def _balanced(text: str, start: int) -> int:
    """Find the brace that closes the one at `start`, if all between are in pairs; else 0."""
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return 0
