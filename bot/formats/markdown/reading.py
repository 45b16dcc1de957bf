"""Reading a native pack: an edition, or else everything that is wrong with the file."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.building import build_all
from bot.cleaning import CONTROL, clean, quoted
from bot.drafts import Draft, DraftOption
from bot.errors import Problem
from bot.formats import Reading, refused
from bot.formats.markdown import front_matter, headings, pieces
from bot.formats.markdown.front_matter import Front
from bot.formats.markdown.pieces import ANSWER, BOX, CREDIT, GOOD_BOX, Piece
from bot.wording import phrase

LONGEST = 1024 * 1024
MOST_LINES = 30_000


def read(source: str, file: str) -> Reading:
    """Read a pack. Any text at all may be given; nothing is raised."""
    head = source[: LONGEST + 1].removeprefix("\ufeff")
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(source) > LONGEST or len(lines) > MOST_LINES:
        return refused([_too_long(file)])
    front = front_matter.read(lines, file)
    if isinstance(front, Problem):
        return refused([front])
    drafts, problems = _drafts(lines, front.length, file)
    built = build_all(drafts, file)
    problems += (*front.problems, *_controls(lines, file), *built.problems)
    if not problems and not built.items:
        cure = phrase("Add a heading that asks, and below it a list that answers.")
        problems.append(
            Problem(file=file, line=len(lines), what=phrase("There are no items."), cure=cure)
        )
    if problems:
        return refused(problems)
    return Reading(edition=front_matter.edition(front, built.items, file))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """What one heading and all below it give: at most one draft, and what is wrong with it."""

    drafts: tuple[Draft, ...]
    problems: tuple[Problem, ...]


def sections(source: str, file: str) -> tuple[Front | None, tuple[Section, ...]]:
    """Read the sections of a pack one by one, and its front matter if there is a good one."""
    lines = source[:LONGEST].removeprefix("\ufeff").split("\n")[:MOST_LINES]
    front = front_matter.read(lines, file)
    start = 0 if isinstance(front, Problem) else front.length
    found = tuple(_read_sections(lines, start, file))
    return (None if isinstance(front, Problem) else front), found


def _too_long(file: str) -> Problem:
    most = phrase("{size} MiB and {lines} lines", size=LONGEST // 1024**2, lines=MOST_LINES)
    return Problem(
        file=file,
        line=0,
        what=phrase("The file is longer than a pack may be: {most}.", most=most),
        cure=phrase("Make several packs of it, each with an id of its own."),
    )


def _controls(lines: Sequence[str], file: str) -> Iterator[Problem]:
    for number, line in enumerate(lines, 1):
        if match := CONTROL.search(line):
            code = f"U+{ord(match[0]):04X}"
            sign = phrase("the invisible {code}", code=code)
            yield Problem(
                file=file,
                line=number,
                what=phrase(
                    "Character {place} of the line is {sign}.", place=match.start() + 1, sign=sign
                ),
                cure=phrase("Remove it, and save the file as text in UTF-8."),
            )


def _drafts(lines: Sequence[str], start: int, file: str) -> tuple[list[Draft], list[Problem]]:
    """Read the items below the front matter, which ends before line `start` (from 0)."""
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for section in _read_sections(lines, start, file):
        drafts += section.drafts
        problems += section.problems
    return drafts, problems


def _read_sections(lines: Sequence[str], start: int, file: str) -> Iterator[Section]:
    body = [""] * start + [CONTROL.sub(" ", line) for line in lines[start:]]
    for blocks in _sections(pieces.read("\n".join(body))):
        section = _Section(blocks, body, file)
        drafts = tuple(section.drafts())
        if drafts or section.problems:
            yield Section(drafts=drafts, problems=tuple(section.problems))


def _sections(blocks: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """Split blocks before every heading; what comes before the first one is a section too."""
    starts = [at for at, block in enumerate(blocks) if block.type == "heading"]
    for start, end in zip([0, *starts], [*starts, len(blocks)], strict=True):
        if start < end:
            yield blocks[start:end]


def _is_aside(block: Piece) -> bool:
    """Tell whether a block is for authors only: a rule between items, a comment."""
    return block.type == "hr" or (block.text.startswith("<!--") and block.text.endswith("-->"))


class _Section:
    """The blocks of one item on their way to a draft, and what is wrong with their form."""

    def __init__(self, blocks: Sequence[Piece], lines: Sequence[str], file: str) -> None:
        self.problems: list[Problem] = []
        self._blocks = blocks
        self._lines = lines
        self._file = file
        self._heading = headings.read(blocks[0].text if blocks[0].type == "heading" else "")

    def drafts(self) -> Iterator[Draft]:
        """Give the draft of the item, if there is enough of one to build."""
        heading, *blocks = self._blocks
        if heading.type != "heading":
            self._refuse_first(self._blocks)
            return
        for what, cure in self._heading.faults:
            self._refuse(heading.start, what, cure)
        if pieces.is_open(self._blocks[-1], self._lines):
            fence = self._blocks[-1]
            what = phrase(
                "The code that begins here with {markup} never ends.", markup=fence.token.markup
            )
            self._refuse(
                fence.start,
                what,
                phrase("Type a line {markup} after the code.", markup=fence.token.markup),
            )
            return
        yield self._draft(heading, blocks)

    def _refuse(self, line: int, what: str, cure: str) -> None:
        name = self._heading.id
        self.problems.append(
            Problem(file=self._file, line=line + 1, item=name, what=what, cure=cure)
        )

    def _refuse_first(self, blocks: Sequence[Piece]) -> None:
        for block in blocks:
            if not _is_aside(block):
                what = phrase(
                    "{block} stands above the first question, where nobody sees it.",
                    block=self._quoted(block),
                )
                self._refuse(block.start, what, phrase("Put it below a heading, or remove it."))

    def _quoted(self, block: Piece) -> str:
        return quoted(self._lines[block.start])

    def _source(self, start: int, end: int) -> str:
        return "\n".join(self._lines[start:end])

    def _draft(self, heading: Piece, blocks: Sequence[Piece]) -> Draft:
        """Tell apart the stem, the answers and the rationale, in this order."""
        at = next((at for at, block in enumerate(blocks) if pieces.is_answers(block)), None)
        end = blocks[-1].end if blocks else heading.end
        below = clean(self._source(heading.end, end if at is None else blocks[at].start))
        stem = "\n\n".join(part for part in (self._heading.text, below) if part)
        draft = self._heading.draft(stem, heading.start + 1)
        if at is None:
            return draft
        rationale = "\n\n".join(self._rationale(blocks[at + 1 :]))
        return replace(self._answered(draft, blocks[at]), rationale=rationale)

    def _rationale(self, blocks: Sequence[Piece]) -> Iterator[str]:
        for block in blocks:
            if block.type == "blockquote":
                yield pieces.unquote(self._source(block.start, block.end))
            elif pieces.is_answers(block):
                what = phrase(
                    "A second list of answers begins with {block}.", block=self._quoted(block)
                )
                self._refuse(
                    block.start, what, phrase("Begin all answers of an item with the same sign.")
                )
            elif not _is_aside(block):
                what = phrase(
                    "{block} stands after the answers, where nobody sees it.",
                    block=self._quoted(block),
                )
                self._refuse(
                    block.start, what, phrase("Put it before the list, or type > before it.")
                )

    def _answered(self, draft: Draft, answers: Piece) -> Draft:
        """Read the list of answers, each entry by the sign that it begins with."""
        options: list[DraftOption] = []
        accepted: list[str] = []
        worth: list[float] = []
        for entry in pieces.split(answers.inner):
            text = pieces.first_text(entry)
            self._refuse_lazy_lines(entry)
            if box := BOX.match(text):
                options.append(self._option(entry, box))
            elif sign := ANSWER.match(text):
                credit = CREDIT.match(text, sign.end())
                worth.append(pieces.weight(credit[1]) if credit else 1.0)
                accepted.append(self._accepted(entry, text[(credit or sign).end() :]))
            else:
                self._refuse_unmarked(entry)
        for name in self._heading.idle(typed=not options):
            what = phrase(
                "{name} does nothing for {answers}.",
                name=quoted(name),
                answers=phrase("options") if options else phrase("typed answers"),
            )
            self._refuse(draft.line - 1, what, phrase("Remove it from the braces."))
        return replace(
            draft, options=tuple(options), accepted=tuple(accepted), credits=tuple(worth)
        )

    def _refuse_unmarked(self, entry: Piece) -> None:
        cure = phrase("Type [x] or [ ] before an option, = before an answer to type.")
        if pieces.first_text(entry):
            cure = phrase(
                "Type [x] or [ ] before an option, = before an answer to type. A list that belongs "
                "to the question begins with another sign, such as *."
            )
        what = phrase(
            "{entry} has no box and no =, unlike its neighbours.", entry=self._quoted(entry)
        )
        self._refuse(entry.start, what, cure)

    def _refuse_lazy_lines(self, entry: Piece) -> None:
        """Refuse lines that Markdown counts to an entry although they are not indented."""
        width = pieces.width(self._lines[entry.start])
        for at in range(entry.start + 1, entry.end):
            line = self._lines[at]
            if line.strip() and pieces.indent(line) < width:
                what = phrase("{line} is not indented like the answer above it.", line=quoted(line))
                cure = phrase(
                    "Type {width} spaces before it, or an empty line if it does not belong there.",
                    width=width,
                )
                self._refuse(at, what, cure)

    def _option(self, entry: Piece, box: re.Match[str]) -> DraftOption:
        """Read an option: the text beside its box, or all below a box alone; then the rationale."""
        head, *rest = pieces.split(entry.inner)
        text = head.text[box.end() :]
        good = bool(GOOD_BOX.fullmatch(box[0].rstrip()))
        if not good or (text and not box[3]):
            what = phrase(
                "{text} does not begin with a box that can be read.", text=quoted(head.text)
            )
            self._refuse(entry.start, what, phrase("Type [x] or [ ], and a space after it."))
        reason = head.end
        if not text:
            quote = rest.pop() if rest and rest[-1].type == "blockquote" else None
            reason = quote.start if quote else entry.end
            text, rest = self._inside(entry, head.end, reason), [quote] if quote else []
        rationale = self._inside(entry, reason, entry.end)
        if [block.type for block in rest] == ["blockquote"]:
            rationale = pieces.unquote(rationale)
        return DraftOption(
            text=text,
            is_key=bool(box[1]),
            weight=pieces.weight(box[2][:-1]) if good and box[2] else None,
            rationale=rationale,
            line=entry.start + 1,
        )

    def _inside(self, entry: Piece, start: int, end: int) -> str:
        width = pieces.width(self._lines[entry.start])
        return "\n".join(pieces.dedent(line, width) for line in self._lines[start:end])

    def _accepted(self, entry: Piece, text: str) -> str:
        for block in list(pieces.split(entry.inner))[1:]:
            what = phrase(
                "{block} stands below an answer to type, where nobody sees it.",
                block=self._quoted(block),
            )
            self._refuse(
                block.start, what, phrase("Move it to the quote: a line with > after the list.")
            )
        return _uncoded(" ".join(text.split()))


def _uncoded(text: str) -> str:
    """Take the backticks off an answer that is all code, as in ``= `x_1` ``."""
    match = re.fullmatch(r"(`+)(?!`)(.+?)(?<!`)\1", text)
    if match is None or match[1] in re.findall(r"`+", match[2]):
        return text
    return match[2].strip()
