"""Bringing in: what was found is imported, waits or is skipped, always, and the report says so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.drafts import Draft, DraftOption
from bot.errors import FileRefused
from bot.formats import importing, native, registry
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.importing import bring_in, worksheet
from bot.formats.judging import doubts, repeated
from bot.formats.keying import filled, split_keys
from bot.items import Choice, Item, MultiChoice, keys
from bot.packs import Edition
from tests.helpers.banks import brought, editions, mutated
from tests.helpers.samples import CHOICE, ITEMS, MULTI, edition

KEYLESS = "---\nid: mixed\ntitle: Mixed\nlanguage: id\n---\n" + "".join(
    f"\n## Which is {n}?\n\n- [ ] one\n- [ ] two\n- [ ] three\n" for n in (1, 2, 3)
)


def reasons(found: importing.Import, severity: Severity | None = None) -> list[tuple[str, str]]:
    return [(one.place, one.reason) for one in found.report if severity in {None, one.severity}]


def haul(*drafts: Draft | None, remarks: tuple[Remark, ...] = ()) -> Haul:
    questions = tuple(Question(draft=draft, remarks=remarks) for draft in drafts)
    return Haul(format="made", questions=questions)


class Made:
    """A format that gives what a test wants."""

    NAME = "made"

    def __init__(self, found: Haul) -> None:
        self.found = found

    def sniff(self, _source: Source) -> float:
        return 1.0

    def read(self, _source: Source) -> Haul:
        return self.found


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch):
    def make(*found: Haul) -> importing.Import:
        formats = {str(at): Made(one) for at, one in enumerate(found)}
        monkeypatch.setattr(registry, "formats_by_name", lambda: formats)
        return bring_in(Source(name="some_bank.v2.txt", content=b"x"))

    return make


def choice(*options: str, key: int = -1, **more: object) -> Draft:
    found = tuple(DraftOption(text=o, is_key=at == key) for at, o in enumerate(options))
    return Draft(stem="Which?", options=found, **more)  # type: ignore[arg-type]


# What becomes of questions


def test_questions_are_imported_wait_or_are_skipped(made):
    found = made(haul(choice("a", "b", key=0), choice("a", "b"), choice("a", "a"), None))

    assert (found.found, found.questions, len(found.waiting), found.skipped) == (4, 1, 1, 2)
    assert reasons(found) == [
        ("question 3", "The option “a” is the same as “a”."),
        ("question 4", "It is of a kind that cannot be asked here."),
    ]


def test_a_question_that_lacks_more_than_its_key_is_skipped_with_everything_wrong(made):
    found = made(haul(Draft(stem="", line=7, options=(DraftOption(text="a"),))))

    assert (found.waiting, found.skipped) == ((), 1)
    assert reasons(found) == [
        ("line 7", "The item asks nothing."),
        ("line 7", "“a” is the only option."),
    ]


def test_a_question_without_any_answers_is_skipped(made):
    assert reasons(made(haul(Draft(stem="Why?")))) == [("question 1", "The item has no answers.")]


def test_a_format_that_says_why_is_not_repeated(made):
    why = Remark(
        severity=Severity.SKIPPED,
        place="line 1",
        excerpt="",
        reason="An essay.",
        action="Left out.",
    )

    assert reasons(made(haul(None, remarks=(why,)))) == [("line 1", "An essay.")]


def test_of_a_question_of_several_items_the_good_ones_are_kept(made):
    question = Question(draft=choice("a", "b", key=0), more=(choice("a", "a", key=0),))

    found = made(Haul(format="made", questions=(question,)))

    assert (found.found, found.questions, len(found.imported), found.skipped) == (1, 1, 1, 0)
    assert len(found.report) == 1


def test_several_right_options_in_a_single_choice_are_a_change(made):
    two = (DraftOption(text="a", is_key=True), DraftOption(text="b", is_key=True))

    found = made(haul(Draft(stem="Which?", options=two, several=False)))

    assert isinstance(found.imported[0], MultiChoice)
    assert reasons(found, Severity.CHANGED) == [
        ("question 1", "Several options are right although only one may be chosen.")
    ]


def test_ids_are_kept_where_they_can_be_and_never_given_twice(made):
    ids = ("Q_7", "Q_7", "not an id", "", "", "which")

    found = made(haul(*(choice("a", "b", key=0, id=one) for one in ids)))

    assert [one.id for one in found.imported] == [
        "Q_7", "which-2", "not-an-id", "which-3", "which-4", "which",
    ]  # fmt: skip


def test_the_first_likely_format_that_finds_anything_reads_the_file(made):
    assert made(haul(), haul(choice("a", "b", key=0))).found == 1
    assert made(haul(), haul()).found == 0


def test_an_edition_is_named_for_its_file(made):
    found = made(haul(choice("a", "b", key=0)))

    assert (found.edition.id, found.edition.title, found.edition.language) == (
        "some-bank",
        "some bank",
        "en",
    )
    assert brought(b"q{T}", "C:\\banks\\.txt").edition.title == "Questions"
    assert brought(b"q{T}", "x", language="id").edition.language == "id"
    assert brought(b"q{T}", "x", spoken="id").edition.language == "id"


# What should be known about good items


def test_what_does_not_fit_a_poll_is_noted():
    long = "x" * 101
    found = brought(f"q {{=a ~{long}}}\n\nr {{~%100%a ~%-100%b ~{long}}}\n\ns{{T}}")

    assert reasons(found) == [
        ("line 1", "It does not fit a poll of Telegram or Discord."),
        ("line 3", "It does not fit a poll of Telegram."),
    ]


def test_weights_are_noted_if_they_do_not_add_up():
    assert reasons(brought("q {~%90%a ~%90%b ~c}")) == [
        ("line 1", "The right options are worth 180 % together, not 100 %.")
    ]


def test_the_same_question_twice_is_noted():
    twice = (*ITEMS, *ITEMS)

    assert [(one.place, one.reason) for one in repeated(twice)] == [
        (place := f"item {item.id}", f"The same question stands before it: {place}.")
        for item in ITEMS
    ]
    twice = ("line 3", "The same question stands before it: line 1.")
    assert reasons(brought("q{T}\n\nq{F}")) == [twice]
    assert list(doubts(CHOICE, "")) == []
    assert list(doubts(MULTI, "")) == []


# Keys for those that wait


def test_keys_are_filled_in_in_order():
    found = brought(KEYLESS, keys="3,,b")

    assert [keys(one) for one in found.imported] == [frozenset({2}), frozenset({1})]
    assert [draft.stem for draft in found.waiting] == ["Which is 2?"]


def test_a_key_that_means_nothing_leaves_the_question_waiting():
    found = brought(KEYLESS, keys="7 ! 1+2 9")

    assert [keys(one) for one in found.imported] == [frozenset({0, 1})]
    assert reasons(found) == [
        ("line 7", "The key “7” names none of the 3 options."),
        ("line 13", "The key “!” names none of the 3 options."),
        ("keys", "1 more keys were given than questions wait for one."),
    ]


@pytest.mark.parametrize(
    ("given_", "parts"),
    [("3,1,4", ("3", "1", "4")), ("c a", ("c", "a")), ([3, "b"], ("3", "b")), (None, ()), ("", ())],
)
def test_keys_are_typed_in_many_ways(given_, parts: tuple[str, ...]):
    assert split_keys(given_) == parts


@pytest.mark.parametrize("key", ["", "0", "-", "?"])
def test_a_key_may_be_left_open(key: str):
    assert filled(choice("a", "b"), key) == (choice("a", "b"), None)


def test_a_worksheet_is_filled_in_and_brought_in_again():
    sheet = worksheet(brought(KEYLESS))

    assert brought(sheet).found == len(brought(sheet).waiting) == 3
    done = brought(sheet.replace("- [ ] two", "- [x] two"))
    assert [keys(one) for one in done.imported] == [frozenset({1})] * 3
    assert (done.edition.id, done.edition.language) == ("mixed", "id")
    truth = brought(
        KEYLESS.replace("one", "True").replace("two", "False").replace("- [ ] three", "")
    )
    assert "- [x]" not in worksheet(truth)


# Doors


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"MZ\x90\x00", "a program"),
        (b"\x7fELF", "a program"),
        (b"%PDF-1.7", "a PDF"),
        (b"\xd0\xcf\x11\xe0", "old Office file"),
        (b"\x89PNG", "a picture"),
        (b"  \n", "is empty"),
        (b"x" * (5 * 1024 * 1024 + 1), "5 MiB are the most"),
        (b"PK\x03\x04" + bytes(20 * 1024 * 1024), "20 MiB are the most"),
        (b"Nothing that anybody asks.", "looks like none of the formats"),
    ],
)
def test_what_is_no_bank_is_refused_in_one_sentence(content: bytes, words: str):
    with pytest.raises(FileRefused, match=words):
        bring_in(Source(name="a.bin", content=content))


def test_formats_are_known_by_name():
    assert {"gift", "aiken", "moodle-xml", "native"} <= set(registry.readers())
    assert {"gift", "aiken", "moodle-xml", "native"} <= set(registry.writers())
    assert registry.writer("GIFT").SUFFIX == ".gift"
    with pytest.raises(FileRefused, match="There is no format “klingon” here"):
        brought(b"x", format="klingon")
    with pytest.raises(FileRefused, match="There is no format"):
        registry.writer("klingon")


# Native packs among the others


@settings(max_examples=60, deadline=None)
@given(editions())
def test_a_native_pack_comes_back_whole(drawn: Edition):
    text, remarks = native.write(drawn)

    assert remarks == ()
    assert brought(text).imported == drawn.items


def test_a_native_pack_keeps_what_its_front_matter_says():
    made = edition(tags=("one", "two"), licence="CC0", author="Ani", source="here", language="id")

    found = bring_in(Source(name="x.md", content=native.write(made)[0].encode()))

    assert found.edition == Edition(
        id=made.id,
        title=made.title,
        language="id",
        items=made.items,
        tags=("one", "two"),
        licence="CC0",
        author="Ani",
        source="here",
    )


def test_good_items_of_a_native_pack_are_kept_when_others_are_not():
    text = KEYLESS.replace("- [ ] one", "- [x] one", 1) + "\n## Broken\n\n- [x]a\n- [ ] b\n"

    found = brought(text)

    assert (found.questions, len(found.waiting), found.skipped) == (1, 2, 1)
    assert [reason for _, reason in reasons(found)] == [
        "“[x]a” does not begin with a box that can be read."
    ]


def test_a_native_pack_may_lack_its_front_matter():
    found = brought("## Q?\n\n- [x] a\n- [ ] b\n", format="native")

    assert found.questions == 1
    assert native.sniff(Source(name="x", content=b"## Q")) == 0


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_damaged_pack_gives_a_report(data: st.DataObject):
    content = data.draw(mutated(native.write(edition())[0].encode()))

    if content.strip():
        brought(content, format="native")


def test_options_keep_their_weights_in_a_native_pack():
    item: Item = brought("q {=a ~%50%b ~%-12.5%c ~d}").imported[0]
    assert isinstance(item, Choice)

    text, _ = native.write(edition(item))

    assert "- [50%] b\n- [-12.5%] c\n- [ ] d" in text
    assert brought(text).imported == (item,)
