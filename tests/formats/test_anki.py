import io
import json
import sqlite3
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import closing

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.drafts import Draft
from bot.errors import FileRefused
from bot.formats import anki
from bot.formats.anki import collection, schema
from bot.formats.findings import Haul
from bot.items import Choice, Option, ShortText
from bot.packs import Edition
from bot.text import Markdown
from tests.helpers.foreign import (
    NEED_CORPUS,
    again,
    brought,
    editions,
    mutated,
    said,
    shown,
    source,
    survived,
)

BASIC = ("Front", "Back")
EXPORT = (
    "#separator:tab\n#html:true\n#deck:Things::Small\n#tags column:3\n"
    "Two + <b>two</b>?\t4\tmaths easy\n"
    '"Say ""hi"""\thi&amp;bye\t\n'
)


def old(notes: Iterable[Sequence[str]], names: Sequence[str] = BASIC, tags: str = "") -> bytes:
    """Make a collection of schema 11."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(schema.TABLES)
        base.execute(schema.INSERT_COL, schema.col("Small things", 5, 7, names))
        for number, fields in enumerate(notes, 1):
            flds = "\x1f".join(fields)
            base.execute(schema.INSERT_NOTE, (number, str(number), 7, 0, tags, flds, "", 0))
            base.execute(schema.INSERT_CARD, (number, number, 5, 0, number))
        base.commit()
        return base.serialize()


def new(notes: Iterable[Sequence[str]], names: Sequence[str] = BASIC) -> bytes:
    """Make a collection of schema 18, as far as it is read, packed with zstd."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.create_collation("unicase", lambda a, b: (a > b) - (a < b))
        base.executescript("""
            create table col (id integer); create table cards (id, nid, did);
            create table notes (id integer primary key, mid, tags text, flds text);
            create table decks (id integer primary key, name text collate unicase);
            create table fields (ntid, ord, name text collate unicase, primary key (ntid, ord));
            insert into decks values (5, 'Big' || char(31) || 'Deck');
        """)
        base.executemany("insert into fields values (7, ?, ?)", enumerate(names))
        for number, fields in enumerate(notes, 1):
            flds = "\x1f".join(fields)
            base.execute("insert into notes values (?, 7, '', ?)", (number, flds))
            base.execute("insert into cards values (?, ?, 5)", (number, number))
        base.commit()
        return zstandard.compress(base.serialize())


def package(**files: bytes) -> bytes:
    """Make a package; a double underscore in a name stands for the point."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, data in files.items():
            made.writestr(name.replace("__", ".").removeprefix("n"), data)
    return content.getvalue()


def read(content: bytes | str) -> Haul:
    return anki.read(source(content, "deck.apkg"))


def notes(*fields: Sequence[str], names: Sequence[str] = BASIC) -> Haul:
    return read(package(collection__anki2=old(fields, names)))


def drafts(haul: Haul) -> list[Draft]:
    return [draft for q in haul.questions if q.draft for draft in (q.draft, *q.more)]


# Packages


@pytest.mark.parametrize(
    "content",
    [
        package(collection__anki2=old([("<b>2</b> + 2?", "four")])),
        package(collection__anki2=old([]), collection__anki21=old([("<b>2</b> + 2?", "four")])),
        package(collection__anki2=old([]), collection__anki21b=new([("<b>2</b> + 2?", "four")])),
    ],
    ids=["anki2", "anki21", "anki21b"],
)
def test_packages_of_all_ages_are_read(content: bytes):
    haul = read(content)

    assert [(draft.stem, draft.accepted) for draft in drafts(haul)] == [("**2** + 2?", ("four",))]
    assert haul.title in {"Small things", "Deck"}
    assert anki.sniff(source(content)) == 0.97


def test_the_note_that_old_versions_are_shown_is_no_question():
    haul = notes(("Please update to the latest Anki version, then import the file again.", ""))

    assert haul.questions == ()
    assert said(haul) == ["The package holds only the note that old versions of Anki are shown."]


def test_tags_of_notes_are_kept():
    haul = read(package(collection__anki2=old([("Q?", "a")], tags=" one two ")))

    assert drafts(haul)[0].tags == ("one", "two")


def test_fields_that_nobody_knows_are_reported_once():
    haul = notes(("a?", "b", "c"), ("d?", "e", "f"), names=("Ask", "Say", "Other"))

    assert [draft.accepted for draft in drafts(haul)] == [("b",), ("e",)]
    assert [(one.place, one.excerpt) for one in haul.remarks] == [("note 1", "c")]


def test_a_note_without_text_is_skipped():
    haul = notes(("", ""), ("[sound:a.mp3]", "b"), ("<img src='lost.png'>", "x"))

    assert [question.draft for question in haul.questions] == [None] * 3
    assert "Sounds cannot be played here." in said(haul)


def test_an_essay_by_its_type_is_skipped():
    haul = notes(("Tell", "x", "essay"), names=("Front", "Back", "Type"))

    assert [question.draft for question in haul.questions] == [None]


def test_a_gap_makes_a_question_and_several_make_several():
    haul = notes(
        ("{{c1::Paris::city}} is in {{c2::France}}, {{c1::not {{c3::Rome}}}}.", "Extra<br>line"),
        ("{{c1::[sound:x.mp3]}}", ""),
        names=("Text", "Back Extra"),
    )

    assert [(draft.stem, draft.accepted) for draft in drafts(haul)] == [
        ("_____ (city) is in France, not Rome.", ("Paris",)),
        ("Paris is in _____, not Rome.", ("France",)),
        ("Paris is in France, not _____.", ("Rome",)),
    ]
    assert drafts(haul)[0].rationale == "Extra\\\nline"
    assert len(haul.questions) == 2
    assert haul.questions[1].draft is None


@pytest.mark.parametrize(
    ("names", "fields"),
    [
        (("Question", "Title", "QType (0=kprim,1=mc,2=sc)", "Q_1", "Q_2", "Q_3", "Answers"),
         ("Why?", "t", "1", "a", "b", "c", "0 1 1")),
        (("Question", "A", "B", "C", "Answer"), ("Why?", "a", "b", "c", "B, C")),
        (("Prompt", "Option 1", "Option 2", "Option 3", "Correct"), ("Why?", "a", "b", "c", "2,3")),
    ],
)  # fmt: skip
def test_fields_for_options_make_a_choice(names: Sequence[str], fields: Sequence[str]):
    (draft,) = drafts(notes(fields, names=names))

    assert [(o.text, o.is_key) for o in draft.options] == [("a", False), ("b", True), ("c", True)]


def test_pictures_come_along_by_names_without_spaces():
    media = {"0": "a b.png", "1": "unused.png", "2": "../evil.png"}
    content = package(
        collection__anki2=old(
            [
                ('Who? <img src="a%20b.png">', "x"),
                ('<img src="none.png"> and <img src="https://e.org/c.png">', "y"),
            ]
        ),
        media=json.dumps(media).encode(),
        n0=b"PNG",
        n1=b"PNG",
        n2=b"PNG",
    )

    haul = read(content)

    assert dict(haul.files) == {"a-b.png": b"PNG"}
    assert "![](a-b.png)" in drafts(haul)[0].stem
    assert "![](https://e.org/c.png)" in drafts(haul)[1].stem
    assert said(haul) == ["The picture none.png is not in the package."]


def test_pictures_of_new_packages_are_unpacked():
    entry = b"\x0a\x05a.png\x10\x03"
    listed = b"\x0a" + bytes([len(entry)]) + entry + b"\x0a\x02\x10\x01"
    content = package(
        collection__anki21b=new([('<img src="a.png"> Who?', "x")]),
        media=zstandard.compress(listed),
        n0=zstandard.compress(b"PNG"),
    )

    assert dict(read(content).files) == {"a.png": b"PNG"}


@pytest.mark.parametrize("media", [b"{", b"[1]", b"\x0a\xff", collection.ZSTD])
def test_a_broken_list_of_media_loses_only_the_media(media: bytes):
    content = package(collection__anki2=old([("Q?", "a")]), media=media)

    assert len(drafts(read(content))) == 1


def test_long_names_of_media_are_read():
    name = "n" * 200
    entry = b"\x0a" + b"\xc8\x01" + name.encode()

    assert collection._listed(b"\x0a\xcb\x01" + entry) == {"0": name}  # noqa: SLF001


# Damage


ANY_NOTES = """
    drop table notes; create table notes (id, mid, tags, flds);
    insert into notes values (null, null, null, 'a');
"""


def changed(statement: str) -> bytes:
    """Make a collection with something done to it."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.deserialize(old([("Q?", "a")]))
        base.executescript(statement)
        base.commit()
        return base.serialize()


@pytest.mark.parametrize(
    "statement",
    [
        "update col set models = '[]'",
        "update col set models = 'nothing'",
        "update col set models = '{\"7\": 1}'",
        'update col set models = \'{"7": {"flds": 3}}\', decks = \'{"5": 3}\'',
        "delete from col",
        "drop table cards",
        "update notes set flds = cast(x'80ff' as text)",
        "update notes set flds = x'80ff', tags = 3, mid = 'x'",
        ANY_NOTES,
    ],
)
def test_a_collection_with_odd_parts_is_read_as_far_as_it_goes(statement: str):
    haul = survived(anki, package(collection__anki2=changed(statement)))

    assert haul
    assert len(haul.questions) == 1


@pytest.mark.parametrize(
    "content",
    [
        package(other=b"x"),
        package(collection__anki2=b""),
        package(collection__anki2=b"SQLite format 3\x00" + b"x" * 500),
        package(collection__anki2=changed("drop table notes")),
        package(collection__anki2=changed("""
            drop table notes;
            create view notes as with recursive n(id) as (select 1 union all select id + 1 from n)
            select id, 7 as mid, '' as tags, 'a' as flds from n
        """)),
        package(collection__anki21b=collection.ZSTD + b"broken"),
        package(collection__anki2=old([("Q?", "a")]))[:-200],
    ],
)  # fmt: skip
def test_a_package_that_cannot_be_read_is_refused(content: bytes):
    with pytest.raises(FileRefused):
        read(content)


def test_a_query_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collection, "MOST_STEPS", collection.FEW_STEPS)
    content = package(collection__anki2=old([("Q?", "a")] * 20_000))

    with pytest.raises(FileRefused, match="interrupted"):
        read(content)


def test_too_many_notes_are_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collection, "MOST_NOTES", 2)

    haul = notes(*[("Q?", "a")] * 5)

    assert len(haul.questions) == 2
    assert haul.remarks[0].place == "note 3"


def test_notes_that_are_larger_than_their_collection_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collection, "LARGEST_ENTRY", 1000)

    with pytest.raises(FileRefused, match="larger"):
        notes(*[("Q?", "a" * 300)] * 5)


def test_a_bomb_of_zstd_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collection, "LARGEST_ENTRY", 1000)

    with pytest.raises(FileRefused, match="too much"):
        read(package(collection__anki21b=zstandard.compress(b"0" * 5000)))


@given(st.integers(0, 60_000), st.binary(min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_any_damage_to_a_collection_is_survived(at: int, noise: bytes):
    whole = old([("Q?", "a"), ("{{c1::x}} y", "b")])
    at %= len(whole)

    survived(anki, package(collection__anki2=whole[:at] + noise + whole[at + len(noise) :]))


# Text exports


def test_a_text_export_is_read_by_its_head():
    haul = read(EXPORT)

    assert [(d.stem, d.accepted, d.tags) for d in drafts(haul)] == [
        ("Two + **two**?", ("4",), ("maths", "easy")),
        ('Say "hi"', ("hi&bye",), ()),
    ]
    assert haul.title == "Small"
    assert [question.remarks for question in haul.questions] == [(), ()]


def test_columns_of_an_export_may_be_named():
    head = "#separator:;\n#columns:Answer,Question,Guid\n#guid column:3\n#html:false\n"
    text = f"{head}4;2 <b> 2?;g\n"

    (draft,) = drafts(read(text))

    assert (draft.stem, draft.accepted) == ("2 \\<b> 2?", ("4",))


def test_an_export_of_nothing_is_empty():
    assert read("#separator:tab\n#html:true").questions == ()


def test_sniffing_an_export_needs_its_head():
    assert anki.sniff(source(EXPORT)) == 0.97
    assert anki.sniff(source("a\tb\n")) == 0.0
    assert anki.sniff(source(package(other=b"x"))) == 0.0


@given(mutated(EXPORT.encode(), b"#separator:Comma\n#columns:a,b\n#tags column:x\n1,2\n"))
@settings(max_examples=150, deadline=None)
def test_any_text_is_survived(content: bytes):
    survived(anki, content)


# Writing


def test_a_package_has_the_tables_that_anki_looks_for():
    option = Option(text=Markdown("a"))
    item = Choice(id="q", stem=Markdown("**Why?**"), options=(option, option), key=0)
    content, _ = anki.write(Edition(id="p", title="P", language="en", items=(item,)))

    with zipfile.ZipFile(io.BytesIO(bytes(content))) as opened:
        data = opened.read("collection.anki2")
        assert opened.read("media") == b"{}"
    with closing(sqlite3.connect(":memory:")) as base:
        base.deserialize(data)
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        note = base.execute("select mid, flds, sfld, csum from notes").fetchone()
        card = base.execute("select nid, did from cards").fetchone()
        models, decks = map(json.loads, base.execute("select models, decks from col").fetchone())
    assert models[str(note[0])]["flds"][0]["name"] == "Front"
    assert note[1].split("\x1f")[:2] == ["<strong>Why?</strong>", "a"]
    assert note[2] == "Why?"
    assert decks[str(card[1])]["name"] == "P"


def test_writing_twice_gives_the_same_package():
    pack = Edition(id="p", title="P", language="en", items=())

    assert anki.write(pack) == anki.write(pack)


def test_what_a_note_cannot_hold_is_reported():
    options = (Option(text=Markdown("a"), weight=1.0), Option(text=Markdown("b"), weight=0.5))
    item = Choice(
        id="q", stem=Markdown("![x](y.png)"), options=options, key=0, tags=("two words", "one")
    )
    _, remarks = anki.write(Edition(id="p", title="P", language="en", items=(item,), licence="CC0"))

    assert [one.reason for one in remarks] == [
        "A package has no place for the pack's language, licence.",
        "A tag of Anki has no spaces: two words.",
        "A note has no place for what single options or answers earn.",
        "The picture y.png is not in the package.",
    ]
    assert anki.write(Edition(id="p", title="", language="", items=()))[1] == ()


@given(editions())
@settings(max_examples=60, deadline=None)
def test_a_package_gives_back_what_was_written(pack: Edition):
    content, remarks = anki.write(pack)

    changed = {one.place.removeprefix("item ") for one in remarks}
    kept = [one for one in pack.items if one.id not in changed]
    assert {shown(one) for one in kept} <= set(again(anki, content))


def test_a_text_that_looks_like_a_formula_is_reported():
    item = ShortText(id="s", stem=Markdown(r"What is \\(0\\)?"), accepted=("x",))
    _, remarks = anki.write(Edition(id="p", title="", language="", items=(item,)))

    assert [one.place for one in remarks] == ["item s"]


@NEED_CORPUS
@pytest.mark.parametrize(
    ("path", "form", "found", "imported"),
    [
        ("anki/001-qas-math.txt", "", 91, 91),
        ("anki/001-qas-math.txt", "anki", 91, 91),
        ("anki/004-anki-media.apkg", "", 1, 0),
        ("anki/006-anki-update1.apkg", "", 1, 1),
    ],
)
def test_the_corpus_is_read(path: str, form: str, found: int, imported: int):
    result = brought(path, format=form)

    assert (result.found, result.questions) == (found, imported)
