"""Markdown task lists: a heading that asks, `- [x]` before what is right, as on GitHub."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.options import distinct
from bot.formats.plaintext import LEFT_OUT, MOST_LINES, decoded, remark
from bot.wording import phrase

NAME = "task-list"
FEWEST = 2


def sniff(source: Source) -> float:
    """Tell how much a file looks like task lists that answer questions."""
    text, _ = decoded(source.content[:30_000])
    lines = _lines(text)
    boxes = sum(line.is_box for line in lines)
    if boxes < FEWEST or text.startswith("---\n"):
        return 0.0
    return 0.85 if any(line.heading for line in lines) else 0.7


def read(source: Source) -> Haul:
    """Read every section that has a task list; texts are Markdown and stay as they are."""
    text, remarks = decoded(source.content, most_lines=MOST_LINES)
    lines = _lines(text)
    sections = list(_sections(lines))
    title = next((s[0].heading for s in sections if s[0].heading and not _boxes(s)), "")
    found = [_question(section) for section in sections if _is_question(section)]
    strays = (
        remark(Severity.NOTE, places.line(line.number), line.text, _ASIDE, LEFT_OUT)
        for section in sections
        if not _is_question(section)
        for line in section
        if line.text.strip() and not (title and line.heading == title)
    )
    notes = (*remarks, *strays)
    if not found:
        cure = phrase("Write a heading that asks, and below it - [x] right and - [ ] wrong.")
        nothing = remark(
            Severity.NOTE, places.FILE, "", phrase("There are no questions in it."), cure
        )
        notes = (*notes, nothing)
    return Haul(format=NAME, questions=tuple(found), remarks=notes, title=title)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line with its number from 1: maybe a heading, maybe an option; code is neither."""

    number: int
    text: str
    heading: str = ""
    is_box: bool = False
    is_key: bool = False
    in_code: bool = False


_ASIDE = phrase("The text belongs to no question.")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_BOX = re.compile(r"(\s*)(?:[-*+]|[0-9]{1,3}[.)])\s+\[([ xX*]?)\](?:\s+(.*)|$)")
_NUMBER = re.compile(r"(?:[*_]{2})?(?:\S{1,14}\s?)?[0-9]{1,4}[.):]\s+(?=\S)")
_LABEL = re.compile(r"^[*_]{0,2}(?:explanation|penjelasan)\s*:?[*_]{0,2}\s*:?\s*", re.IGNORECASE)
_PICTURE = re.compile(r"!\[[^\]]*\]\(\s*<?([^)\s>]+)")
_BLOCK = re.compile(r"\s*(?:!\[|<img)")


def _lines(text: str) -> list[_Line]:
    found: list[_Line] = []
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        inside = bool(fence)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        if inside or mark:
            found.append(_Line(number=number, text=line, in_code=True))
        elif box := _BOX.fullmatch(line):
            key = box[2] not in {"", " "}
            found.append(_Line(number=number, text=box[3] or "", is_box=True, is_key=key))
        elif heading := _HEADING.fullmatch(line):
            found.append(_Line(number=number, text=line, heading=heading[1]))
        else:
            found.append(_Line(number=number, text=line))
    return found


def _sections(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Divide a file at its headings, or at the paragraph above each list if there are none."""
    starts = [at for at, line in enumerate(lines) if line.heading]
    if not any(_boxes(lines[start:end]) for start, end in _spans(starts, len(lines))):
        starts = list(_paragraphs(lines))
    for start, end in _spans(sorted({0, *starts}), len(lines)):
        if any(line.text.strip() or line.is_box for line in lines[start:end]):
            yield list(lines[start:end])


def _spans(starts: Sequence[int], end: int) -> Iterator[tuple[int, int]]:
    return zip(starts, [*starts[1:], end], strict=False)


def _paragraphs(lines: Sequence[_Line]) -> Iterator[int]:
    """Find where the paragraph directly above each list begins."""
    in_list = False
    start = 0
    for at, line in enumerate(lines):
        blank = not line.text.strip() and not line.is_box
        if line.is_box and not in_list:
            in_list = True
            yield start
        elif not line.is_box and not blank and not line.in_code and not line.text[0].isspace():
            if in_list or not lines[at - 1].text.strip():
                start = at
            in_list = False


def _boxes(section: Sequence[_Line]) -> list[int]:
    return [at for at, line in enumerate(section) if line.is_box]


def _is_question(section: Sequence[_Line]) -> bool:
    """Tell whether a section asks: it has options, or at least a number before its heading."""
    return bool(_boxes(section) or _NUMBER.match(section[0].heading))


def _question(section: Sequence[_Line]) -> Question:
    first = section[0]
    boxes = _boxes(section)
    place = places.line(first.number)
    if not boxes:
        reason = phrase("There are no options below the question.")
        return Question(
            draft=None, remarks=(remark(Severity.SKIPPED, place, first.heading, reason),)
        )
    head = section[: boxes[0]]
    opening = first.heading or (head[0].text if head else "")
    opening = _NUMBER.sub("", opening, count=1)
    body = "\n".join(line.text for line in head[1:])
    options, below = _options(section, boxes)
    stem = "\n\n".join(filter(None, (opening.strip(), body.strip("\n").rstrip())))
    if not stem:
        reason = phrase("There is no question above the options.")
        excerpt = section[boxes[0]].text
        return Question(draft=None, remarks=(remark(Severity.SKIPPED, place, excerpt, reason),))
    rationale = _LABEL.sub("", "\n".join(line.text for line in below).strip())
    options, repeated = distinct(options, place)
    draft = Draft(stem=stem, line=first.number, options=options, rationale=rationale)
    whole = "\n".join(line.text for line in section)
    return Question(draft=draft, remarks=(*_lost(whole, place, opening), *repeated))


def _options(
    section: Sequence[_Line], boxes: Sequence[int]
) -> tuple[tuple[DraftOption, ...], Sequence[_Line]]:
    """Give the options with the code and the pictures below each, and what stands below all."""
    ends = [*boxes[1:], len(section)]
    parts = [list(section[start + 1 : end]) for start, end in zip(boxes, ends, strict=True)]
    illustrated = any(any(line.text.strip() for line in part) for part in parts[:-1])
    last = parts[-1]
    cut = _own(last, illustrated=illustrated)
    parts[-1] = last[:cut]
    options = tuple(
        DraftOption(
            text=_joined(section[start].text, part),
            is_key=section[start].is_key,
            line=section[start].number,
        )
        for start, part in zip(boxes, parts, strict=True)
    )
    return options, last[cut:]


def _own(lines: Sequence[_Line], *, illustrated: bool) -> int:
    """Count the lines below the last option that belong to it: indented ones, and code or a
    picture if the other options have such too.
    """
    kept = 0
    for at, line in enumerate(lines):
        indented = line.text[:1].isspace() and line.text.strip()
        block = illustrated and (line.in_code or _BLOCK.match(line.text))
        if indented or block:
            kept = at + 1
        elif line.text.strip():
            break
    return kept


def _joined(text: str, more: Sequence[_Line]) -> str:
    """Put an option and the lines below it together, less the indentation they share."""
    shown = [line.text.expandtabs(4) for line in more]
    filled = [line for line in shown if line.strip()]
    if not filled:
        return text
    indent = min(len(line) - len(line.lstrip()) for line in filled)
    below = "\n".join(line[indent:] for line in shown)
    return f"{text}\n{below}".strip()


def _lost(text: str, place: str, stem: str) -> Iterator[Remark]:
    for picture in dict.fromkeys(_PICTURE.findall(text)):
        if not re.match(r"https?://", picture):
            reason = phrase("The picture {name} is not in the file.", name=picture[:60])
            action = phrase("Its name was kept; put the picture beside the pack.")
            yield remark(Severity.CHANGED, place, stem, reason, action)
