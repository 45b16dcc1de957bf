"""Reading Anki: notes of packages and text exports as questions.

A basic note becomes an answer to type; a cloze note one for each gap; a note with fields for
options becomes a choice.
"""

import html
import re
from collections.abc import Iterator, Mapping

from bot.formats import places
from bot.formats.anki.collection import Note, collection
from bot.formats.anki.notes import Deck
from bot.formats.containers import is_zip
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.plaintext import decoded, remark
from bot.formats.tables.grid import Grid, separated
from bot.wording import phrase

NAME = "anki"
UPDATE = "Please update to the latest Anki version"


def sniff(source: Source) -> float:
    """Tell how much a file looks like Anki: a package with a collection, or an export's head."""
    if is_zip(source.content):
        return 0.97 if b"collection.anki2" in source.content else 0.0
    return 0.97 if _HEAD.match(source.content.removeprefix(b"\xef\xbb\xbf")) else 0.0


def read(source: Source) -> Haul:
    """Read every note. Raises FileRefused for a package that cannot be trusted."""
    if not is_zip(source.content):
        return _exported(source)
    found = collection(source.content)
    remarks = list(found.remarks)
    notes = found.notes
    if len(notes) == 1 and any(UPDATE in field for field in notes[0].fields):
        reason = phrase("The package holds only the note that old versions of Anki are shown.")
        cure = phrase("Export it again, with “Support older Anki versions” ticked.")
        return Haul(
            format=NAME,
            questions=(),
            remarks=(*remarks, remark(Severity.SKIPPED, places.FILE, UPDATE, reason, cure)),
        )
    deck = Deck(remarks, found.media)
    questions = tuple(map(deck.question, notes))
    decks = {note.deck for note in notes}
    title = decks.pop().rpartition("::")[2] if len(decks) == 1 else ""
    return Haul(
        format=NAME,
        questions=questions,
        remarks=tuple(remarks),
        title="" if title == "Default" else title,
        files=deck.used,
    )


_HEAD = re.compile(
    rb"#(?:separator|html|tags|columns|deck|notetype|guid)\b[^\n]{0,40}:", re.IGNORECASE
)
_NAMED = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "pipe": "|", "colon": ":"}


def _exported(source: Source) -> Haul:
    """Read a text export: lines `#key:value`, then a note on each row."""
    text, found = decoded(source.content)
    head: dict[str, str] = {}
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if not line.startswith("#"):
            break
        key, _, value = line[1:].partition(":")
        head[key.strip().casefold()] = value.rstrip("\r")
        lines[at] = ""
    name = head.get("separator", "").strip()
    delimiter = _NAMED.get(name.casefold(), name[:1])
    grid, more = separated("\n".join(lines), delimiter)
    remarks = [*found, *more]
    questions = tuple(_rows(grid, head, remarks))
    title = head.get("deck", "").rpartition("::")[2].strip()
    return Haul(format=NAME, questions=questions, remarks=tuple(remarks), title=title)


def _rows(grid: Grid, head: Mapping[str, str], remarks: list[Remark]) -> Iterator[Question]:
    special = {
        name: int(value) - 1
        for name in ("tags", "guid", "deck", "notetype")
        if (value := head.get(f"{name} column", "").strip()).isdecimal() and int(value) > 0
    }
    named = head.get("columns", "").split("\t" if "\t" in head.get("columns", "") else ",")
    width = max((len(row.cells) for row in grid.rows), default=0)
    kept = [at for at in range(width) if at not in special.values()]
    names = tuple(named[at].strip() if at < len(named) else "" for at in kept)
    plainly = head.get("html", "").strip().casefold() == "false"
    notes = [
        Note(
            id=row.line,
            names=names,
            fields=tuple(html.escape(row.cell(at)) if plainly else row.cell(at) for at in kept),
            tags=tuple(row.cell(special["tags"]).split()) if "tags" in special else (),
            deck="",
        )
        for row in grid.rows
    ]
    yield from map(Deck(remarks, {}).question, notes)
