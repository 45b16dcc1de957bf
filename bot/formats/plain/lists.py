"""Lists: lines put together to questions, whether those are numbered or only their options are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.formats.plain.lines import Line, read

FEWEST = 2


@dataclass(slots=True, kw_only=True)
class Entry:
    """A question as far as its lines were read; `more` are further lines of options."""

    line: int
    label: str = ""
    stem: list[str] = field(default_factory=list)
    options: list[Line] = field(default_factory=list)
    more: dict[int, list[str]] = field(default_factory=dict)
    key: str = ""
    reason: list[str] = field(default_factory=list)
    explains: bool = False


@dataclass(slots=True, kw_only=True)
class List:
    """The questions of a file, the lines above them and those that belong to none."""

    entries: list[Entry] = field(default_factory=list)
    above: list[Line] = field(default_factory=list)
    strays: list[Line] = field(default_factory=list)


def listed(text: str) -> List:
    """Put the lines of a text together to questions."""
    lines = read(text)
    reader = _Reader(_stem_style(lines))
    for line in lines:
        reader.take(line)
    reader.end()
    return reader.found


_PAIR = re.compile(r"([0-9]{1,4})\s*[.):=–-]?\s*\(?([A-Za-z])\)?(?![A-Za-z])")
_PAIRS = re.compile(rf"(?:{_PAIR.pattern}[\s,;|]*)+")


def _stem_style(lines: Sequence[Line]) -> tuple[str, int] | None:
    """Tell which numbers begin questions; none if they begin anew below every question."""
    end = next((at for at, line in enumerate(lines) if line.role == "answers"), len(lines))
    numbered = [line for line in lines[:end] if line.role == "numbered"]
    if not numbered:
        return None
    first = numbered[0]
    same = [line for line in numbered if _is_like(line, first.style, first.indent)]
    begun = [line for line in same if line.label == first.label]
    if len(begun) > 1 and all(_follows_text(lines, line) for line in begun):
        return None
    return first.style, first.indent


def _is_like(line: Line, style: str, indent: int) -> bool:
    return line.style == style and abs(line.indent - indent) <= 1


def _follows_text(lines: Sequence[Line], line: Line) -> bool:
    above = (other.role for other in reversed(lines[: line.number - 1]) if other.role != "blank")
    return next(above, "") == "text"


class _Reader:
    """Takes lines one by one; without a style of numbers, the text above options is a stem."""

    def __init__(self, style: tuple[str, int] | None) -> None:
        self.found = List()
        self._style = style
        self._waiting: list[Line] = []
        self._after_blank = False
        self._in_answers = False

    def take(self, line: Line) -> None:
        """Put a line where it belongs."""
        if line.role == "blank":
            self._after_blank = True
            return
        if not (self._in_answers and self._answer(line)):
            self._in_answers = False
            self._place(line)
        self._after_blank = False

    def end(self) -> None:
        """Put aside what was waiting for options that never came."""
        for line in self._waiting:
            self._stray(line)
        self._waiting = []

    @property
    def _entry(self) -> Entry | None:
        return self.found.entries[-1] if self.found.entries else None

    def _place(self, line: Line) -> None:
        entry = self._entry
        match line.role:
            case "numbered" if self._style and _is_like(line, *self._style):
                self._begin(Entry(line=line.number, label=line.label, stem=[line.text]))
            case "numbered" | "option":
                self._option(line)
            case "key" if entry and not self._waiting:
                entry.key, entry.explains = line.text, False
            case "reason" if entry and not self._waiting:
                entry.reason, entry.explains = [line.text], True
            case "answers":
                self._in_answers = True
            case _:
                self._text(line, entry)

    def _begin(self, entry: Entry) -> None:
        self.end()
        self.found.entries.append(entry)

    def _stray(self, line: Line) -> None:
        (self.found.strays if self.found.entries else self.found.above).append(line)

    def _option(self, line: Line) -> None:
        if self._waiting:
            stem = [waiting.text for waiting in self._waiting]
            number = self._waiting[0].number
            self._waiting = []
            self._begin(Entry(line=number, stem=stem))
        if entry := self._entry:
            entry.options.append(line)
            entry.explains = False
        else:
            self._stray(line)

    def _text(self, line: Line, entry: Entry | None) -> None:
        if entry and entry.explains and not self._after_blank:
            entry.reason.append(line.text)
        elif entry and self._style and not entry.options and not entry.key:
            entry.stem += [""] * self._after_blank + [line.text]
        elif entry and entry.options and self._continues(line, entry.options[-1]):
            entry.more.setdefault(len(entry.options) - 1, []).append(line.text)
        elif self._style:
            self._stray(line)
        else:
            if self._after_blank:
                self.end()
            self._waiting.append(line)

    def _continues(self, line: Line, option: Line) -> bool:
        return not self._waiting and not self._after_blank and line.indent > option.indent

    def _answer(self, line: Line) -> bool:
        """Take a line such as `1. b  2. c` below a heading for the answers."""
        if not _PAIRS.fullmatch(line.raw):
            return False
        by_label = {entry.label or str(at): entry for at, entry in enumerate(self.found.entries, 1)}
        for number, letter in _PAIR.findall(line.raw):
            if entry := by_label.get(number):
                entry.key = letter
        return True
