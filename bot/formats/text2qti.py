"""text2qti: plain text around Markdown, `1. stem`, `*a) right`, `[*] right too`, `= 1.5 +- 0.1`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.options import distinct
from bot.formats.plaintext import LEFT_OUT, MOST_LINES, decoded, remark
from bot.intervals import interval
from bot.items import Interval
from bot.wording import phrase

NAME = "text2qti"


def sniff(source: Source) -> float:
    """Tell how much a file looks like text2qti, by the signs that nothing else has."""
    text, _ = decoded(source.content[:30_000])
    lines = [_piece(number, line) for number, line in enumerate(_unfenced(text), 1)]
    roles = {line.role for line in lines}
    if "question" not in roles:
        return 0.0
    if roles & {"quiz", "several", "number", "short", "essay", "group"} or any(
        line.role == "choice" and line.is_key for line in lines
    ):
        return 0.88
    return 0.0


def read(source: Source) -> Haul:
    """Read every question; in a page about text2qti, those of its examples."""
    text, remarks = decoded(source.content, most_lines=MOST_LINES)
    reader = _Reader()
    for number, line in enumerate(_unfenced(text), 1):
        reader.take(_piece(number, line))
    questions = tuple(_question(entry) for entry in reader.entries)
    notes = (*remarks, *reader.remarks)
    if not questions:
        cure = phrase("Write a question as 1. and its options as a) and *b).")
        nothing = remark(
            Severity.NOTE, places.FILE, "", phrase("There are no questions in it."), cure
        )
        notes = (*notes, nothing)
    return Haul(format=NAME, questions=questions, remarks=notes, title=reader.title)


@dataclass(slots=True, kw_only=True)
class _Piece:
    """A line that begins something, with what it begins; `more` are the lines below it."""

    number: int
    role: str
    text: str = ""
    is_key: bool = False
    raw: str = ""
    more: list[str] = field(default_factory=list)
    feedback: list["_Piece"] = field(default_factory=list)

    @property
    def markdown(self) -> str:
        """Give the text with the lines below it, less their common indentation."""
        lines = [line.expandtabs(4) for line in self.more]
        indent = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
        return "\n".join((self.text, *(line[indent:] for line in lines))).strip()


@dataclass(slots=True, kw_only=True)
class _Entry:
    """A question as far as its pieces were read."""

    stem: _Piece
    answers: list[_Piece] = field(default_factory=list)


_PATTERNS: tuple[tuple[str, str], ...] = (
    ("quiz", r"(?:quiz title|quiz description)(?=:)"),
    ("setting", r"(?:shuffle answers|show correct answers|one question at a time)(?=:)"),
    ("setting", r"(?:can't go back|feedback is solution|solutions (?:sample|randomize) \w+)(?=:)"),
    ("title", r"title:"),
    ("points", r"points:"),
    ("text", r"text(?: title)?:"),
    ("group", r"GROUP$|END_GROUP$|(?:pick|solutions pick|points per question):"),
    ("comment", r"COMMENT$|END_COMMENT$|%"),
    ("code", r"```+\s*\{"),
    ("question", r"[0-9]+\.(?:\s+|$)"),
    ("choice", r"\*?[a-zA-Z]\)(?:\s+|$)"),
    ("several", r"\[[ *]?\](?:\s+|$)"),
    ("number", r"=\s+"),
    ("short", r"\*\s+"),
    ("feedback", r"\.\.\.\s+"),
    ("verdict", r"[+-]\s+"),
    ("solution", r"!\s+"),
    ("essay", r"_{3,}\s*$|\^{3,}\s*$"),
    ("gap", r"@(?:gap|match)\b"),
)  # fmt: skip
_BEGIN = [(role, re.compile(pattern, re.IGNORECASE)) for role, pattern in _PATTERNS]
_FENCE = re.compile(r"(`{3,})\s*(\{)?")
_NUMBER = re.compile(r"[0-9]+\.\s+\S")


def _piece(number: int, line: str) -> _Piece:
    """Tell what a line begins: nothing if it is blank, indented or just text."""
    source = line.rstrip()
    if not source:
        return _Piece(number=number, role="blank")
    if source[0] in " \t":
        return _Piece(number=number, role="inner", text=source)
    for role, pattern in _BEGIN:
        if match := pattern.match(source):
            key = match[0].startswith("*") if role == "choice" else "[*]" in match[0]
            text = source[match.end() :].strip() if role != "quiz" else source
            return _Piece(number=number, role=role, raw=source, text=text, is_key=key)
    return _Piece(number=number, role="stray", raw=source, text=source)


def _unfenced(text: str) -> Sequence[str]:
    """Give the lines of a file; of a page with examples in fences only those, at their places."""
    lines = text.split("\n")
    kept = [""] * len(lines)
    fence = ""
    asked = example = False
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence, example = mark[1], not mark[2]
        elif mark and line.rstrip() == fence:
            fence = ""
        elif fence and example:
            kept[at] = line
            asked = asked or bool(_NUMBER.match(line))
        elif line.startswith("Quiz title:") and not fence:
            return lines
    return kept if asked else lines


_ANSWERS = {"choice", "several", "number", "short", "essay", "gap"}
_NAMES = {
    "title": phrase("titles of questions"),
    "points": phrase("points"),
    "setting": phrase("settings"),
}
_REPLIES = {"feedback", "verdict", "solution"}


class _Reader:
    """Takes pieces one by one, and puts each where it belongs."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self.remarks: list[Remark] = []
        self.title = ""
        self._open: _Piece | None = None
        self._blanks = 0
        self._hidden = ""
        self._told: set[str] = set()

    def take(self, piece: _Piece) -> None:
        """Take the next line of a file."""
        if self._is_hidden(piece):
            return
        if piece.role == "blank":
            self._blanks += 1
            return
        if piece.role in {"inner", "stray"} and self._continue(piece):
            return
        self._blanks = 0
        self._open = None
        self._begin(piece)

    def _is_hidden(self, piece: _Piece) -> bool:
        """Pass over comments and code, up to the line that ends them."""
        if self._hidden:
            if piece.raw.startswith(self._hidden):
                self._hidden = ""
            return True
        if piece.role == "code":
            reason = phrase("Code that would write questions is not run.")
            self._say(piece, reason, Severity.SKIPPED)
            self._hidden = "```"
        elif piece.raw == "COMMENT":
            self._hidden = "END_COMMENT"
        return piece.role in {"code", "comment"}

    def _continue(self, piece: _Piece) -> bool:
        """Add a line to what is open: an indented one, or one directly below a stem."""
        if self._open is None or (piece.role == "stray" and self._open.role != "question"):
            return False
        self._open.more += [""] * self._blanks + [piece.text]
        self._blanks = 0
        return True

    def _begin(self, piece: _Piece) -> None:
        entry = self.entries[-1] if self.entries else None
        match piece.role:
            case "question":
                self.entries.append(_Entry(stem=piece))
                self._open = piece
            case role if entry and role in _ANSWERS:
                entry.answers.append(piece)
                self._open = piece
            case role if entry and role in _REPLIES:
                owner = entry.answers[-1] if entry.answers else entry.stem
                owner.feedback.append(piece)
                self._open = piece
            case "quiz":
                self._quiz(piece)
            case "title" | "points" | "setting":
                self._open = _Piece(number=piece.number, role=piece.role)
                if piece.role not in self._told:
                    self._told.add(piece.role)
                    self._say(
                        piece,
                        phrase(
                            "There is no place here for these: {names}.", names=_NAMES[piece.role]
                        ),
                        Severity.NOTE,
                    )
            case "group":
                reason = phrase("Questions of a group are drawn at random there.")
                if piece.text.isdecimal():
                    self._say(piece, reason, Severity.CHANGED, phrase("All of them were taken."))
            case _:
                self._say(piece, phrase("The text belongs to no question."), Severity.NOTE)

    def _quiz(self, piece: _Piece) -> None:
        name, _, value = piece.text.partition(":")
        if name.casefold().endswith("title"):
            self.title = value.strip()
        else:
            self._say(piece, phrase("The quiz has a description."), Severity.NOTE)

    def _say(self, piece: _Piece, reason: str, severity: Severity, action: str = "") -> None:
        place = places.line(piece.number)
        action = action or LEFT_OUT
        self.remarks.append(remark(severity, place, piece.text, reason, action))


def _question(entry: _Entry) -> Question:
    stem, answers = entry.stem, entry.answers
    place = places.line(stem.number)
    roles = {answer.role for answer in answers}
    reason = _unasked(stem.markdown, roles)
    if reason:
        return Question(draft=None, remarks=(remark(Severity.SKIPPED, place, stem.text, reason),))
    remarks = list(_unheard(entry, place))
    options, more = distinct(map(_option, answers if roles <= {"choice", "several"} else ()), place)
    numbers = [_number(answer.markdown) for answer in answers if answer.role == "number"]
    draft = Draft(
        stem=stem.markdown,
        line=stem.number,
        options=options,
        accepted=(*numbers, *(a.text for a in answers if a.role == "short")),
        rationale=_rationale(stem),
        several="several" in roles if options else None,
        as_text="short" in roles,
    )
    return Question(draft=draft, remarks=(*remarks, *more))


def _unasked(stem: str, roles: set[str]) -> str:
    """Say why a question cannot be asked here."""
    if not stem:
        return phrase("There is no question.")
    if "essay" in roles:
        return phrase("An essay or a file to upload cannot be graded here.")
    if "gap" in roles:
        return phrase("Gaps to fill from a list cannot be asked here.")
    if len(roles) > 1:
        return phrase("The question has answers of several kinds.")
    return ""


def _option(answer: _Piece) -> DraftOption:
    return DraftOption(
        text=answer.markdown,
        is_key=answer.is_key,
        rationale="\n\n".join(piece.markdown for piece in answer.feedback),
        line=answer.number,
    )


def _number(text: str) -> str | Interval:
    """Read `1.4142 +- 0.0001`, `[1.2598, 1.2600]` and `1_000`; else leave it for the report."""
    text = re.sub(r"(?<=[0-9])_(?=[0-9])", "", text)
    bounds = re.fullmatch(r"\[(.+),(.+)\]", text)
    if bounds and (found := interval(f"{bounds[1].strip()}..{bounds[2].strip()}")):
        return found
    return interval(text) or text


def _rationale(stem: _Piece) -> str:
    shown = (piece.markdown for piece in stem.feedback if piece.role != "verdict")
    return "\n\n".join(shown)


def _unheard(entry: _Entry, place: str) -> Iterator[Remark]:
    """Report the feedback that has no place here."""
    for piece in entry.stem.feedback:
        if piece.role == "verdict":
            reason = phrase("Feedback for all right or all wrong responses has no place here.")
            yield remark(Severity.CHANGED, place, piece.text, reason, LEFT_OUT)
    for answer in entry.answers:
        if answer.role in {"number", "short"} and answer.feedback:
            reason = phrase("Feedback for a typed answer has no place here.")
            excerpt = answer.feedback[0].text
            yield remark(Severity.CHANGED, place, excerpt, reason, LEFT_OUT)
