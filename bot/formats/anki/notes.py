"""Notes: one note of Anki as a question, or as one for each of its gaps."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote

from bot.drafts import Draft
from bot.formats import places
from bot.formats.anki.collection import Note
from bot.formats.anki.schema import SHOWN
from bot.formats.findings import Question, Remark, Severity
from bot.formats.html import from_html
from bot.formats.markup import from_markup
from bot.formats.plaintext import LEFT_OUT, remark
from bot.formats.tables import headers, keying
from bot.formats.tables.grid import Grid, Row
from bot.formats.tables.headers import Columns
from bot.formats.tables.rows import Dialect, Line, texts
from bot.text import Markdown, plain
from bot.wording import phrase


class Deck:
    """Turns notes into questions; `used` are the media that they show, by their new names."""

    def __init__(self, remarks: list[Remark], media: Mapping[str, bytes]) -> None:
        """Take the media there are, and where to say what concerns more than one note."""
        self.used: dict[str, bytes] = {}
        self._media = media
        self._remarks = remarks
        self._seen: dict[tuple[str, ...], Columns] = {}
        self._found: list[Remark] = []
        self._place = ""

    def question(self, note: Note) -> Question:
        """Make a question of a note."""
        self._place = places.note(note.id)
        self._found = []
        columns = self._columns(note)
        if any(_SOUND.search(field) for field in note.fields):
            reason = phrase("Sounds cannot be played here.")
            self._say(Severity.CHANGED, note.fields[0], reason, phrase("They were left out."))
        fields = [_SOUND.sub("", field) for field in note.fields]
        at = next((at for at, field in enumerate(fields) if _CLOZE.search(field)), None)
        drafts = self._noted(fields, columns) if at is None else self._gaps(fields, at)
        tagged = [replace(draft, tags=(*draft.tags, *note.tags), line=0) for draft in drafts]
        return Question(
            draft=tagged[0] if tagged else None,
            more=tuple(tagged[1:]),
            remarks=tuple(replace(one, place=self._place) for one in self._found),
        )

    def _say(self, severity: Severity, excerpt: str, reason: str, action: str = "") -> None:
        self._found.append(remark(severity, self._place, excerpt, reason, action))

    def _columns(self, note: Note) -> Columns:
        """Tell the fields of a note type apart, saying once which of them are left out."""
        if note.names not in self._seen:
            self._seen[note.names] = columns = _columns(note.names)
            for at, name in columns.strange.items():
                if name.casefold() not in _TITLES and at < len(note.fields):
                    reason = phrase(
                        "The field {name} is neither question nor answer.", name=name or at + 1
                    )
                    excerpt = note.fields[at]
                    self._remarks.append(
                        remark(
                            Severity.CHANGED,
                            self._place,
                            excerpt,
                            reason,
                            LEFT_OUT,
                        )
                    )
        return self._seen[note.names]

    def _noted(self, fields: Sequence[str], columns: Columns) -> list[Draft]:
        row = Row(line=0, cells=tuple(fields))
        options = texts(columns, row)
        key = columns.first("key", row)
        if options and _BITS.fullmatch(key):
            bits = enumerate(re.findall("[01]", key), 1)
            numbers = ",".join(str(at) for at, bit in bits if bit == "1")
            row = Row(line=0, cells=tuple(numbers if field == key else field for field in fields))
        dialect = Dialect(text=self._markdown, word=_word)
        line = Line(Grid(rows=()), columns, row, dialect)
        question = line.question(keying.Reading(numbers=bool(options)))
        if question is None or (question.draft and not question.draft.stem):
            self._say(Severity.SKIPPED, "", phrase("The note has no text."))
            return []
        self._found += question.remarks
        return [question.draft] if question.draft else []

    def _gaps(self, fields: Sequence[str], at: int) -> list[Draft]:
        """Make a draft of each gap, the others filled, the other fields as rationale."""
        source = fields[at]
        rest = [field for other, field in enumerate(fields) if other != at and field.strip()]
        rationale = self._markdown("<br>".join(rest))
        drafts: list[Draft] = []
        for gap in _CLOZE.finditer(source):
            answer, _, hint = gap[1].partition("::")
            blank = f"_____ ({hint})" if hint else "_____"
            stem = _filled(source[: gap.start()]) + blank + _filled(source[gap.end() :])
            draft = Draft(stem=self._markdown(stem), rationale=rationale, as_text=True)
            if word := _word(answer):
                drafts.append(replace(draft, accepted=(word,)))
        if not drafts:
            self._say(Severity.SKIPPED, source, phrase("There is no text in the gaps."))
        return drafts

    def _markdown(self, field: str) -> str:
        return from_markup(field, self._image)

    def _image(self, source: str) -> str:
        """Keep a picture of the package under a name without spaces; say if it is not there."""
        if re.match(r"https?://", source):
            return source
        name = unquote(source)
        if name not in self._media:
            reason = phrase("The picture {name} is not in the package.", name=name[:60])
            self._say(Severity.CHANGED, "", reason, LEFT_OUT)
            return ""
        new = re.sub(r"[^\w.-]+", "-", name)
        self.used[new] = self._media[name]
        return new


_CLOZE = re.compile(r"\{\{c[0-9]+::((?:(?!\{\{c[0-9]+::).)*?)\}\}", re.DOTALL)
_SOUND = re.compile(r"\[sound:[^\]]*\]|\[anki:[^\]]*\]")
_BITS = re.compile(r"[01](?:\s*[01])+")
_OPTION = re.compile(r"^Q_([1-9])$")
_TITLES = {"qtype", "title", SHOWN.casefold()}


def _columns(names: Sequence[str]) -> Columns:
    """Tell fields apart by their names, or else by their order."""
    numbered = tuple(_OPTION.sub(r"option \1", name) for name in names)
    found = headers.find([Row(line=1, cells=numbered)])
    if found:
        return found[1]
    strange = {at: name for at, name in enumerate(names) if at > 1}
    return Columns(roles={"stem": [0], "key": [1]}, strange=strange)


def _word(field: str) -> str:
    """Give the text of a field as somebody would type it."""
    return " ".join(plain(Markdown(from_html(field))).split())


def _filled(text: str) -> str:
    """Write the gaps of a text as if they had been answered, inner ones first."""
    while _CLOZE.search(text):
        text = _CLOZE.sub(lambda gap: gap[1].partition("::")[0], text)
    return re.sub(r"\{\{c[0-9]+::|\}\}", "", text)
