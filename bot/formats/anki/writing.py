"""Writing an Anki package of schema 11, which every version of Anki can import.

The note type has a field for each option, so that reading gives the same items again; its card
asks, and shows the answer with the rationale. Ids follow from those of pack and items: a package
that is imported twice does not double the cards.
"""

import hashlib
import io
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing

from bot.formats import places
from bot.formats.anki import schema
from bot.formats.findings import PARTS, Remark, Severity
from bot.formats.markup import survives, to_html
from bot.formats.plaintext import LEFT_OUT, remark
from bot.formats.tables.writing import KINDS, answers, credits_of, settings, texts_of
from bot.items import Item, Numeric, ShortText, keys
from bot.packs import Edition
from bot.text import pictures
from bot.wording import phrase

EPOCH = (1980, 1, 1, 0, 0, 0)


def write(edition: Edition) -> tuple[bytes, tuple[Remark, ...]]:
    """Write an edition as a package with one note an item, and say what a note cannot hold."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in (("collection.anki2", _collection(edition)), ("media", b"{}")):
            opened.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return package.getvalue(), tuple(_lost(edition))


def _collection(edition: Edition) -> bytes:
    width = max((len(answers(item, edition.language)) for item in edition.items), default=0)
    names = schema.names(width)
    deck = _number("deck", edition.id)
    model = _number("model", str(width))
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(schema.TABLES)
        base.execute(schema.INSERT_COL, schema.col(edition.title, deck, model, names))
        for place, item in enumerate(edition.items):
            number = _number("note", edition.id) + place
            fields = _fields(item, edition.language, width)
            first = re.sub(r"<[^<>]*>", "", fields[0])
            checksum = int(hashlib.sha1(first.encode(), usedforsecurity=False).hexdigest()[:8], 16)
            guid = hashlib.sha256(f"{edition.id}/{item.id}".encode()).hexdigest()[:10]
            tags = "".join(f" {_tag(tag)}" for tag in item.tags)
            flds = "\x1f".join(fields)
            base.execute(
                schema.INSERT_NOTE,
                (number, guid, model, schema.MADE, f"{tags} ", flds, first, checksum),
            )
            base.execute(schema.INSERT_CARD, (number, number, deck, schema.MADE, place + 1))
        base.commit()
        return base.serialize()


def _number(kind: str, name: str) -> int:
    """Make a number of a name that looks like milliseconds since 1970, as Anki's ids do."""
    digest = hashlib.sha256(f"kuis {kind} {name}".encode()).digest()
    return 1_300_000_000_000 + int.from_bytes(digest[:5], "big") % 300_000_000 * 1000


def _fields(item: Item, language: str, width: int) -> tuple[str, ...]:
    options = answers(item, language)
    typed = isinstance(item, ShortText | Numeric)
    texts = [schema.escaped(o.text) if typed else to_html(o.text) for o in options]
    right = sorted(keys(item))
    shown = texts if typed else [texts[place] for place in right]
    gap = [""] * (width - len(options))
    return (
        to_html(item.stem),
        "<br>".join(shown),
        to_html(item.rationale),
        *texts,
        *gap,
        *(to_html(option.rationale) for option in options),
        *gap,
        ",".join(str(place + 1) for place in right),
        KINDS[type(item).__name__],
        " ".join(settings(item)),
        str(item.seconds or ""),
        item.id,
    )


def _tag(tag: str) -> str:
    return re.sub(r"\s+", "_", tag)


def _lost(edition: Edition) -> Iterator[Remark]:
    names = ("language", "description", "licence", "author", "source")
    if kept := [PARTS[name] for name in names if getattr(edition, name)]:
        reason = phrase("A package has no place for the pack's {kept}.", kept=kept)
        yield remark(Severity.CHANGED, places.FILE, edition.title, reason, LEFT_OUT)
    for item in edition.items:
        yield from _changed(item)
        if not all(map(survives, texts_of(item, edition.language))):
            reason = phrase("Some formatting of its texts is not the same in HTML.")
            yield remark(Severity.CHANGED, places.item(item.id), item.stem, reason)


def _changed(item: Item) -> Iterator[Remark]:
    place = places.item(item.id)
    if spaced := [tag for tag in item.tags if _tag(tag) != tag]:
        reason = phrase("A tag of Anki has no spaces: {spaced}.", spaced=", ".join(spaced))
        yield remark(Severity.CHANGED, place, item.stem, reason, phrase("They became underscores."))
    if credits_of(item):
        reason = phrase("A note has no place for what single options or answers earn.")
        yield remark(Severity.CHANGED, place, item.stem, reason, LEFT_OUT)
    local = [p.source for p in pictures(item.stem) if not p.source.startswith("http")]
    if local:
        reason = phrase("The picture {name} is not in the package.", name=local[0])
        yield remark(
            Severity.CHANGED, place, item.stem, reason, phrase("Put it into Anki's media folder.")
        )
