"""Collections: the notes and media in an Anki package, old or new, read without writing a file.

Packages since 2.1.50 hold `collection.anki21b`, packed with zstd and of schema 18; beside it lies
an old `collection.anki2` with one note that asks to update Anki. Schema 11 keeps its note types as
JSON in the table `col`, schema 18 in tables.
"""

import io
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

from bot.errors import FileRefused
from bot.formats import places
from bot.formats.containers import LARGEST_ENTRY, unpack
from bot.formats.findings import Remark, Severity
from bot.formats.plaintext import remark
from bot.wording import phrase

MOST_NOTES = 20_000
MOST_STEPS = 50_000_000
FEW_STEPS = 10_000
ZSTD = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note: its number, the names of its fields, their HTML, and its tags."""

    id: int
    names: tuple[str, ...]
    fields: tuple[str, ...]
    tags: tuple[str, ...]
    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """What a package holds; `media` by the names that notes use."""

    notes: tuple[Note, ...]
    media: Mapping[str, bytes]
    remarks: tuple[Remark, ...]


def collection(content: bytes) -> Collection:
    """Read a package. Raises FileRefused if it is damaged or holds no collection."""
    container = unpack(content)
    files = container.files
    name = next((name for name in _NAMES if name in files), "")
    if not name:
        msg = phrase("There is no Anki collection in the package.")
        raise FileRefused(msg)
    try:
        notes = tuple(_notes(_unpacked(files[name])))
    except (sqlite3.Error, ValueError, OverflowError, MemoryError) as broken:
        raise _damaged(str(broken)) from None
    remarks = list(container.remarks)
    if len(notes) > MOST_NOTES:
        reason = phrase("The package has more than {most} notes.", most=MOST_NOTES)
        place = places.note(notes[-1].id)
        action = phrase("It and the ones after it were left out; export single decks.")
        remarks.append(remark(Severity.SKIPPED, place, "", reason, action))
    return Collection(notes=notes[:MOST_NOTES], media=_media(files), remarks=tuple(remarks))


_NAMES = ("collection.anki21b", "collection.anki21", "collection.anki2")


def _damaged(why: str) -> FileRefused:
    return FileRefused(
        phrase("The Anki collection is damaged ({why}). Please export it again.", why=why)
    )


def _unpacked(data: bytes) -> bytes:
    """Unpack zstd up to the size that an entry of a package may have."""
    if not data.startswith(ZSTD):
        return data
    import zstandard  # noqa: PLC0415 - loaded when needed

    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)) as stream:
            content: bytes = stream.read(LARGEST_ENTRY + 1)
    except zstandard.ZstdError as broken:
        raise ValueError(str(broken)) from None
    if len(content) > LARGEST_ENTRY:
        raise _damaged(phrase("it unpacks into too much"))
    return content


def _notes(data: bytes) -> Iterator[Note]:
    if len(data) > 20:  # noqa: PLR2004 - the header says if a log stood beside it; there is none
        data = data[:18] + b"\x01\x01" + data[20:]
    with closing(sqlite3.connect(":memory:")) as base:
        base.deserialize(data)
        base.text_factory = _text
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_ENTRY)
        steps = iter(range(MOST_STEPS // FEW_STEPS))
        base.set_progress_handler(lambda: int(next(steps, None) is None), FEW_STEPS)
        base.execute("pragma trusted_schema = off")
        tables = {
            name for (name,) in base.execute("select name from sqlite_master where type = 'table'")
        }
        if not {"notes", "col"} <= tables:
            raise _damaged(phrase("it has no notes"))
        names = _fields(base) if "fields" in tables else _models(base)
        decks = _decks(base, tables)
        rows = base.execute(
            "select id, mid, tags, flds from notes order by id limit ?", (MOST_NOTES + 1,)
        )
        left = LARGEST_ENTRY  # pages that a damaged collection uses twice must not fill the memory
        for number, model, tags, fields in rows:
            left -= len(_string(fields))
            if left < 0:
                raise _damaged(phrase("its notes are larger than it"))
            yield Note(
                id=number if isinstance(number, int) else 0,
                names=names.get(str(model), ()),
                fields=tuple(_string(fields).split("\x1f")),
                tags=tuple(_string(tags).split()),
                deck=decks.get(str(number), ""),
            )


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _string(value: object) -> str:
    """Read a cell of a column of texts, in which SQLite may hold anything."""
    match value:
        case None:
            return ""
        case bytes():
            return _text(value)
        case _:
            return str(value)


def _fields(base: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Read the names of fields by note type from schema 18."""
    names: dict[str, tuple[str, ...]] = {}
    for model, name in base.execute("select ntid, name from fields order by ntid, ord"):
        names[str(model)] = (*names.get(str(model), ()), str(name))
    return names


def _models(base: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Read the names of fields by note type from schema 11."""
    models = _json(base, "models")
    names: dict[str, tuple[str, ...]] = {}
    for number, model in models.items():
        fields = model.get("flds") if isinstance(model, dict) else None
        listed = fields if isinstance(fields, list) else []
        names[str(number)] = tuple(str(f.get("name", "")) for f in listed if isinstance(f, dict))
    return names


def _decks(base: sqlite3.Connection, tables: set[str]) -> dict[str, str]:
    """Read the name of each note's deck, from its first card."""
    if "cards" not in tables:
        return {}
    if "decks" in tables:
        pairs = base.execute("select id, name from decks")
        names = {str(number): str(name).replace("\x1f", "::") for number, name in pairs}
    else:
        decks = _json(base, "decks").items()
        names = {str(number): str(d.get("name", "")) for number, d in decks if isinstance(d, dict)}
    cards = base.execute("select nid, min(did) from cards group by nid")
    return {str(note): names.get(str(deck), "") for note, deck in cards}


def _json(base: sqlite3.Connection, column: str) -> Mapping[str, object]:
    row = base.execute(f"select {column} from col limit 1").fetchone()  # noqa: S608 - our own word
    try:
        found = json.loads(row[0]) if row else {}
    except (TypeError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _media(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Give the media by name: the list is JSON in old packages, a packed message in new ones."""
    try:
        listed = _unpacked(files.get("media", b"{}"))
        names = _listed(listed)
        return {
            name: _unpacked(files[entry])
            for entry, name in names.items()
            if entry in files and "/" not in name and "\\" not in name
        }
    except (ValueError, RecursionError, LookupError):
        return {}


def _listed(data: bytes) -> dict[str, str]:
    if data.lstrip().startswith(b"{"):
        found = json.loads(data)
        return {str(entry): str(name) for entry, name in found.items()}
    return {str(at): name for at, name in enumerate(_message_names(data))}


_ENTRY, _NAME = 0x0A, 0x0A  # field 1 of either message, with its length before it


def _message_names(data: bytes) -> Iterator[str]:
    """Read the names in a message of media entries: field 1 of each field 1."""
    at = 0
    while at < len(data) and data[at] == _ENTRY:
        size, at = _varint(data, at + 1)
        entry, at = data[at : at + size], at + size
        if entry[:1] == bytes([_NAME]):
            length, start = _varint(entry, 1)
            yield entry[start : start + length].decode(errors="replace")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Read a number of seven bits a byte; give it and where it ends."""
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
    return value | data[at] << shift, at + 1
