"""Aiken: a question, its options behind letters, and a line `ANSWER: B`; as people really write it.

Moodle wants capitals, one line for the question and one for each option. Here a question may have
several lines, `Answer:` any case and several letters, and a line `FEEDBACK:` may follow.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from string import ascii_uppercase

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.html import from_plain
from bot.formats.plaintext import decoded, remark
from bot.items import Choice, Item, MultiChoice, TrueFalse, keys, option_rationale
from bot.packs import Edition
from bot.text import Markdown, is_plain, plain
from bot.wording import phrase

NAME = "aiken"
SUFFIX = ".txt"
HEAD = 200_000
NEAR = 3  # lines below an option in which the next one is looked for

_OPTION = re.compile(r"\s*([A-Za-z])\s*[.):\]]\s*(\S.*)?$")
_BARE_OPTION = re.compile(r"\s*([A-Z])\s+(\S.*)$")
_ANSWER = re.compile(
    r"\s*(?:ANSWER|ANS|RESPUESTA|R[EÉ]PONSE|RESPOSTA|ANTWORT|RISPOSTA|JAWABAN|KUNCI|ОТВЕТ)\s*"
    r"(?:[:=]\s*(.*)|\s([A-Z]))$",
    re.IGNORECASE,
)
_FEEDBACK = re.compile(r"\s*(?:g?feed(?:back)?)\s*[.:]\s*(.*)$", re.IGNORECASE)
_LETTERS = re.compile(r"\(?([A-Za-z])\)?(?:\s*(?:[,;&+/]|and|y|et|dan)\s*\(?([A-Za-z])\)?)*[.)]?")
_BETWEEN = re.compile(r"[,;&+/]|\band\b|\by\b|\bet\b|\bdan\b", re.IGNORECASE)
_HEADER = re.compile(r"(category|multichoice|essay|shortanswer|truefalse|questionname)\s*:?")


def sniff(source: Source) -> float:
    """Tell how much a file looks like Aiken: answer lines below options with letters."""
    text, _ = decoded(source.content[:HEAD])
    lines = text.splitlines()
    found = [match[1] or match[2] or "" for line in lines if (match := _ANSWER.match(line))]
    answers = sum(bool(_LETTERS.fullmatch(answer.strip())) for answer in found)
    options = sum(bool(_OPTION.match(line) or _BARE_OPTION.match(line)) for line in lines)
    if not answers or options <= answers:
        return 0.0
    exact = len(re.findall(r"^ANSWER: ?[A-Z]\s*$", text, re.MULTILINE))
    return 0.9 if exact * 2 > answers else 0.7


def read(source: Source) -> Haul:
    """Read the questions of an Aiken file."""
    text, remarks = decoded(source.content)
    questions = tuple(question for block in _blocks(text) for question in _questions(block))
    return Haul(format=NAME, questions=questions, remarks=remarks)


def lettered(text: str, line: int) -> Draft | None:
    """Read a single question with letters and a line that names the right ones, if it is that."""
    blocks = list(_blocks(text))
    if len(blocks) != 1 or not blocks[0].options or not blocks[0].answer:
        return None
    (question,) = _questions(blocks[0])
    draft = question.draft
    if draft is None or not any(option.is_key for option in draft.options):
        return None
    options = tuple(replace(o, line=o.line + line - 1) for o in draft.options)
    return replace(draft, line=line, options=options)


@dataclass(slots=True)
class _Block:
    """The lines of one question so far; `kind` is the heading that an extended dialect puts above.

    `ended` tells that an empty line stands after the options, so that the next text is another
    question even if no answer came.
    """

    line: int = 0
    kind: str = ""
    stem: list[str] = field(default_factory=list)
    options: list[tuple[str, list[str], int]] = field(default_factory=list)
    answer: str | None = None
    feedback: list[str] = field(default_factory=list)
    ended: bool = False

    def __bool__(self) -> bool:
        """Tell whether there is a question here."""
        return bool(self.stem or self.options) and self.kind != "category"


def _blocks(text: str) -> Iterator[_Block]:
    """Gather the lines of each question: it ends where a line after its answer asks the next."""
    block = _Block()
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if match := _HEADER.fullmatch(line.strip().lower()):
            if block:
                yield block
            block = _Block(kind=match[1])
        elif not line.strip():
            if block.kind == "category":
                block = _Block()
            block.ended = bool(block.options) and block.answer is None
        elif not _goes_on(block, line, lines[number : number + NEAR]):
            yield block
            block = _Block()
            _add(block, line, number, lines[number : number + NEAR])
        else:
            _add(block, line, number, lines[number : number + NEAR])
    if block:
        yield block


def _goes_on(block: _Block, line: str, rest: Sequence[str]) -> bool:
    """Tell whether a line still belongs to a block."""
    if _FEEDBACK.match(line) or _ANSWER.match(line) or not block:
        return True
    if block.answer is not None:
        return False
    return not block.ended or _option(block, line, rest) is not None


def _add(block: _Block, line: str, number: int, rest: Sequence[str]) -> None:
    """Add a line to a block, as what it looks like."""
    block.line = block.line or number
    if block.stem and (match := _FEEDBACK.match(line)):
        block.feedback.append(match[1].strip())
    elif block.stem and (match := _ANSWER.match(line)):
        block.answer = (match[1] or match[2] or "").strip()
    elif option := _option(block, line, rest):
        letter, text = option
        block.options.append((letter, [text], number))
    elif block.options:
        block.options[-1][1].append(line.strip())
    else:
        block.stem.append(line.rstrip())


def _option(block: _Block, line: str, rest: Sequence[str]) -> tuple[str, str] | None:
    """Read an option if its letter is the one that comes next.

    A letter without a sign behind it may be a word: the first one counts if the next follows.
    """
    place = len(block.options)
    if not block.stem or place >= len(ascii_uppercase):
        return None
    if (match := _OPTION.match(line)) and match[1].upper() == ascii_uppercase[place]:
        return match[1], (match[2] or "").strip()
    match = _BARE_OPTION.match(line)
    if match is None or match[1] != ascii_uppercase[place]:
        return None
    following = next((one for one in rest if one.strip()), "")
    is_list = place > 0 or bool((after := _BARE_OPTION.match(following)) and after[1] == "B")
    return (match[1], match[2].strip()) if is_list else None


def _questions(block: _Block) -> Iterator[Question]:
    if not block.options:
        yield _typed(block)
        return
    answer = block.answer or ""
    keyed = {part.strip("(). ").upper() for part in _BETWEEN.split(answer)} - {""}
    remarks = []
    known = {letter.upper() for letter, _, _ in block.options}
    if answer and not (_LETTERS.fullmatch(answer) and keyed <= known):
        reason = phrase("The answer “{answer}” is none of its options.", answer=answer[:40])
        remarks.append(_said(block, Severity.CHANGED, reason, phrase("It waits for its answer.")))
        keyed = set()
    if len(keyed) > 1:
        action = phrase("People are asked to choose all of them.")
        remarks.append(_said(block, Severity.CHANGED, phrase("Several options are right."), action))
    options = tuple(
        DraftOption(text=from_plain(" ".join(parts)), is_key=letter.upper() in keyed, line=line)
        for letter, parts, line in block.options
    )
    yield Question(draft=replace(_draft(block), options=options), remarks=tuple(remarks))


def _typed(block: _Block) -> Question:
    """Read a question without options, which only the extended dialect knows."""
    answer = (block.answer or "").strip()
    if answer.upper() in {"TRUE", "FALSE"}:
        words = (("True", "TRUE"), ("False", "FALSE"))
        options = tuple(DraftOption(text=w, is_key=answer.upper() == key) for w, key in words)
        return Question(draft=replace(_draft(block), options=options))
    if answer and block.kind == "shortanswer":
        texts = tuple(part.strip() for part in answer.split(",") if part.strip())
        return Question(draft=replace(_draft(block), accepted=texts))
    reason = phrase("It has no options A, B, …")
    return Question(draft=None, remarks=(_said(block, Severity.SKIPPED, reason),))


def _draft(block: _Block) -> Draft:
    return Draft(
        stem=from_plain("\n".join(block.stem)),
        line=block.line,
        rationale=from_plain("\n".join(block.feedback)),
    )


def _said(block: _Block, severity: Severity, reason: str, action: str = "") -> Remark:
    return remark(severity, places.line(block.line), " ".join(block.stem), reason, action)


# Writing


def write(edition: Edition) -> tuple[str, tuple[Remark, ...]]:
    """Write the choices of an edition, and report what Aiken has no place for."""
    remarks: list[Remark] = []
    parts: list[str] = []
    for item in edition.items:
        reasons = _lost(item)
        severity = (
            Severity.SKIPPED if not isinstance(item, Choice | TrueFalse) else Severity.CHANGED
        )
        action = "" if severity is Severity.SKIPPED else phrase("The rest was written.")
        remarks += (
            remark(severity, places.item(item.id), item.stem, one, action) for one in reasons
        )
        if isinstance(item, Choice | TrueFalse):
            parts.append(_written(item, edition.language))
    return "\n\n".join(parts) + "\n", tuple(remarks)


def _lost(item: Item) -> Iterator[str]:
    """Name what of an item is lost."""
    match item:
        case Choice():
            texts: list[Markdown] = [item.stem, *(option.text for option in item.options)]
            if any(option.weight is not None for option in item.options):
                yield phrase("Aiken has no weights.")
        case TrueFalse():
            texts = [item.stem]
        case MultiChoice():
            yield phrase("Aiken has no questions with several right answers.")
            return
        case _:
            yield phrase("Aiken has no questions with typed answers.")
            return
    if not all(map(is_plain, texts)):
        yield phrase("Aiken has no formatting; lines were joined.")
    if any(option_rationale(item, place) for place in range(len(texts) - 1 or 2)):
        yield phrase("Aiken has no rationale for an option.")
    if item.rationale or item.seconds or item.tags:
        yield phrase("Aiken has no rationale, time or tags for a question.")


def _written(item: Choice | TrueFalse, language: str) -> str:
    truth = ("Benar", "Salah") if language == "id" else ("True", "False")
    options = truth if isinstance(item, TrueFalse) else [plain(o.text) for o in item.options]
    (key,) = keys(item)
    lines = [" ".join(plain(item.stem).split())]
    lines += (f"{chr(65 + at)}. {' '.join(text.split())}" for at, text in enumerate(options))
    return "\n".join((*lines, f"ANSWER: {chr(65 + key)}"))
