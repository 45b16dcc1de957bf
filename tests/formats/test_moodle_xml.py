"""Moodle XML: all it carries, and whatever is wrong with it."""

import base64
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import FileRefused
from bot.formats import moodle_xml
from bot.formats.findings import Source
from bot.formats.importing import Import
from bot.items import Choice, Interval, Item, MultiChoice, Numeric, Option, ShortText, TrueFalse
from bot.packs import Edition
from bot.text import Markdown
from tests.helpers.banks import brought, brought_or_refused, editions, mutated, read_or_refused
from tests.helpers.oracles import SHARED, bare
from tests.helpers.samples import edition

CORPUS = sorted((SHARED / "corpus" / "moodle-xml").glob("*")) if SHARED.exists() else []
absent = pytest.mark.skipif(not CORPUS, reason="../shared/corpus is not there")
PICTURE = base64.b64encode(b"\x89PNG...").decode()


def bank(*questions: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>{"".join(questions)}</quiz>'


def question(kind: str, body: str, stem: str = "Stem?", name: str = "Name") -> str:
    return (
        f'<question type="{kind}"><name><text>{name}</text></name>'
        f'<questiontext format="html"><text><![CDATA[{stem}]]></text></questiontext>'
        f"{body}</question>"
    )


def answer(fraction: str, text: str, feedback: str = "", more: str = "") -> str:
    told = f"<feedback><text>{feedback}</text></feedback>" if feedback else ""
    return f'<answer fraction="{fraction}" format="html"><text>{text}</text>{told}{more}</answer>'


def read(*questions: str) -> Import:
    return brought(bank(*questions), "bank.xml")


def item(text: str) -> Item:
    found = read(text)
    assert found.skipped == 0, found.report
    return found.imported[0]


def reasons(*questions: str) -> list[tuple[str, str]]:
    return [(one.place, one.reason) for one in read(*questions).report]


def test_a_choice_with_all_that_belongs_to_it():
    found = item(
        question(
            "multichoice",
            "<generalfeedback><text>Since 1945.</text></generalfeedback>"
            "<idnumber>q-7</idnumber><single>true</single><shuffleanswers>0</shuffleanswers>"
            + answer("0", "Bandung", "West.")
            + answer("100", "Jakarta")
            + answer("-25", "Medan")
            + "<tags><tag><text>cities</text></tag><tag><text>a,b</text></tag></tags>",
            "<p>Capital?</p>",
        )
    )

    assert isinstance(found, Choice)
    assert (found.id, found.stem, found.rationale) == ("q-7", "Capital?", "Since 1945.")
    assert [(o.text, o.weight, o.rationale) for o in found.options] == [
        ("Bandung", None, "West."),
        ("Jakarta", None, ""),
        ("Medan", -0.25, ""),
    ]
    assert (found.key, found.keep_order, found.tags) == (1, True, ("cities", "a;b"))


def test_several_right_answers_keep_their_weights():
    found = item(
        question(
            "multichoice",
            "<single>false</single>" + answer("60", "a") + answer("40", "b") + answer("0", "c"),
        )
    )

    assert isinstance(found, MultiChoice)
    assert [o.weight for o in found.options] == [0.6, 0.4, 0.0]
    assert found.keys == {0, 1}


def test_two_full_answers_in_a_single_choice_are_reported():
    text = question("multichoice", answer("100", "a") + answer("100", "b") + answer("0", "c"))

    assert isinstance(item(text), MultiChoice)
    assert [reason for _, reason in reasons(text)] == [
        "Several options are right although only one may be chosen."
    ]


def test_the_best_answer_is_the_right_one_even_if_none_is_full():
    found = item(question("multichoice", answer("90", "a") + answer("50", "b") + answer("x", "c")))

    assert isinstance(found, Choice)
    assert (found.key, [o.weight for o in found.options]) == (0, [0.9, 0.5, None])


def test_a_choice_without_a_right_answer_waits():
    found = read(question("multichoice", answer("0", "a") + answer("1e99", "b")))

    assert len(found.waiting) == 1


def test_true_and_false():
    found = item(question("truefalse", answer("0", "true", "No.") + answer("100", "false", "Yes.")))

    assert isinstance(found, TrueFalse)
    assert (found.key, found.when_true, found.when_false) == (False, "No.", "Yes.")


def test_true_and_false_without_one_of_the_two():
    found = item(question("truefalse", answer("100", "true")))

    assert isinstance(found, TrueFalse)
    assert found.key


def test_short_answers():
    text = question(
        "shortanswer",
        "<usecase>1</usecase>"
        + answer("100", "Crete", "Yes.")
        + answer("50", "Kr*eta")
        + answer("0", "Greece", "The island!")
        + answer("100", "&lt;b&gt;x&lt;/b&gt;"),
    )

    found = item(text)

    assert isinstance(found, ShortText)
    assert (found.accepted, found.credits) == (("Crete", "Kreta", "x"), (1.0, 0.5, 1.0))
    assert found.rationale == "**Crete**: Yes.\n\n**Greece**: The island!"
    assert [reason for _, reason in reasons(text)] == [
        "A * in an answer stands for any text in Moodle.",
        "Moodle tells capitals from small letters in its answers.",
    ]


def test_numbers_with_tolerances_and_units():
    unit = "<units><unit><multiplier>1</multiplier><unit_name>cm</unit_name></unit></units>"
    text = question(
        "numerical",
        answer("100", "150", more="<tolerance>2</tolerance>")
        + answer("50", "1,5")
        + answer("0", "*", "No.")
        + answer("0", "many")
        + unit,
    )

    found = item(text)

    assert isinstance(found, Numeric)
    assert found.accepted == (
        Interval(low=148, high=152, value=150),
        Interval(low=1.5, high=1.5, value=1.5),
    )
    assert found.rationale == "**…**: No."
    assert [reason for _, reason in reasons(text)] == [
        "The answer “many” is no number, and was left out.",
        "Its answers have units.",
    ]


def test_pairs_become_choices_and_count_once():
    pair = "<subquestion><text>{}</text><answer><text>{}</text></answer></subquestion>"
    found = read(
        question("matching", pair.format("a", "1") + pair.format("b", "2") + pair.format("", "3"))
    )

    assert (found.found, found.questions, found.kinds) == (1, 1, {"Choice": 2})
    assert [(one.id, one.stem) for one in found.imported] == [
        ("name-1", "Stem?\n\na"),
        ("name-2", "Stem?\n\nb"),
    ]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("essay", "It asks for an essay, which nobody can grade at once."),
        ("description", "It is a text without a question."),
        ("cloze", "It is a Cloze question with several blanks."),
        ("calculatedmulti", "Its numbers are drawn anew for everybody."),
        ("ddmarker", "Questions of the kind “ddmarker” cannot be asked here."),
        ("numerical", "None of its answers is a number."),
        ("matching", "It has no two right sides to choose from."),
    ],
)
def test_what_cannot_be_asked_is_skipped_with_its_reason(kind: str, reason: str):
    found = read(question("truefalse", answer("100", "true")), question(kind, ""))

    assert found.skipped == 1
    assert [(one.place, one.reason) for one in found.report] == [("question 2", reason)]


def test_a_question_of_absurd_length_is_skipped():
    found = read(question("shortanswer", answer("100", "x") * 501), question("x", "<a/>" * 1001))

    assert [one.reason for one in found.report] == ["It has more than 500 answers."] * 2


def test_categories_are_tags():
    path = "<text>$course$/top/Sets/A, B</text>"
    category = f'<question type="category"><category>{path}</category></question>'

    found = read(category, question("truefalse", answer("100", "true")))

    assert (found.found, found.imported[0].tags) == (1, ("Sets", "A; B"))


def test_pictures_inside_become_files():
    file = '<file name="{}" path="/" encoding="base64">{}</file>'
    stem = (
        '<img src="@@PLUGINFILE@@/my%20map.png?x=1" alt="map"/>'
        f'<img src="data:image/png;base64,{PICTURE}"><img src="data:text/plain,x">Where?'
    )
    found = read(
        question("truefalse", answer("100", "true") + file.format("my map.png", PICTURE), stem),
        question("truefalse", answer("100", "true") + file.format("my map.png", "AAAA"), stem),
        question("truefalse", answer("100", "true") + file.format("..", "AAAA"), stem),
        question("truefalse", answer("100", "true") + file.format("x", "?"), "x"),
    )

    assert found.imported[0].stem.startswith("![map](my-map.png)![](picture.png)")
    assert found.imported[1].stem.startswith("![map](my-map-2.png)")
    assert set(found.files) == {"my-map.png", "picture.png", "my-map-2.png", "picture"}
    assert found.files["my-map.png"] == b"\x89PNG..."
    assert ("question 4", "The file x in it is damaged.") in [
        (one.place, one.reason) for one in found.report
    ]


def test_hints_and_feedback_for_the_whole_are_reported():
    text = question(
        "truefalse",
        answer("100", "true")
        + "<correctfeedback><text>Well done</text></correctfeedback>"
        + "<hint><text>Think.</text></hint>",
    )

    assert reasons(text, text.replace("Think.", "")) == [
        ("file", "Feedback for any right, partly right or wrong answer has no place here."),
        ("question 1", "It has hints for a second try, which nobody has here."),
        ("item stem", "The same question stands before it: item name."),
    ]


# Whatever is wrong with it


def test_a_file_cut_off_gives_what_stands_before():
    text = bank(question("truefalse", answer("100", "true")), question("truefalse", ""))[:-40]

    found = brought(text, "bank.xml")

    assert (found.found, found.questions) == (1, 1)
    assert found.report[0].reason.startswith("It is no complete XML")
    assert found.report[0].action == (
        "What stands before was read, 1 entries; what follows is lost."
    )


@pytest.mark.parametrize(
    "stem", ["a &nbsp; b", "a & b", "a &unknown; b", "a \x0b b", "a &amp; b &"]
)
def test_entities_and_signs_that_xml_forbids_are_repaired(stem: str):
    text = bank(question("truefalse", answer("100", "true"))).replace("Name", stem)

    found = brought(text, "bank.xml")

    assert found.questions == 1
    assert found.report[0].action == "Entities, signs and encoding were repaired."


def test_an_encoding_that_is_not_the_one_announced_is_repaired():
    text = bank(question("truefalse", answer("100", "true"), "Où ?"))

    assert brought(text.encode("cp1252"), "bank.xml").imported[0].stem == "Où ?"
    assert brought(text.encode("utf-16"), "bank.xml").imported[0].stem == "Où ?"
    unknown = text.replace("UTF-8", "klingon").encode()
    assert brought(unknown, "bank.xml").imported[0].stem == "Où ?"


def test_a_trap_of_entities_is_refused():
    bomb = '<!DOCTYPE quiz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + bank("&b;")[38:]

    with pytest.raises(FileRefused, match="entities of its own"):
        brought(bomb, "bank.xml")


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        (bank(), 1.0),
        ('<foo><question type="x"/></foo>', 0.5),
        ("<questestinterop/>", 0.0),
        ("{T}", 0.0),
    ],
)
def test_moodle_xml_is_recognised(text: str, sure: float):
    assert moodle_xml.sniff(Source(name="x", content=text.encode())) == sure
    assert moodle_xml.sniff(Source(name="x", content=text.encode("utf-16"))) == sure


# Writing


def test_a_written_bank_is_read_as_the_same():
    text, remarks = moodle_xml.write(edition())

    assert remarks == ()
    assert brought(text).imported == edition().items


def test_what_moodle_cannot_carry_is_reported():
    options = (Option(text=Markdown("a")), Option(text=Markdown("b")))
    timed = Choice(
        id="x",
        stem="x",
        options=options,
        key=0,
        seconds=30,
        keep_order=True,  # type: ignore[arg-type]
    )

    text, remarks = moodle_xml.write(edition(timed))

    assert [one.reason for one in remarks] == ["Moodle knows no time for a single question."]
    assert brought(text).imported[0].keep_order  # type: ignore[union-attr]


@settings(max_examples=150, deadline=None)
@given(editions())
def test_whatever_is_written_comes_back(drawn: Edition):
    text, remarks = moodle_xml.write(drawn)

    assert remarks == ()
    assert brought(text, format="moodle-xml").imported == drawn.items


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(st.binary(max_size=80), st.text("<>&;/quizestonyp=\"' ", max_size=80).map(str.encode))
)
def test_nothing_but_refusals_is_raised(content: bytes):
    read_or_refused(moodle_xml, content)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_bank_gives_a_report(data: st.DataObject):
    text, _ = moodle_xml.write(edition())

    brought_or_refused(data.draw(mutated(text.encode())), format="moodle-xml")


# Real files


@absent
@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.name)
def test_a_real_file_is_read(file: Path):
    found = brought(file.read_bytes(), file.name)

    assert found.format == "moodle-xml"
    assert found.found


@absent
def test_the_same_bank_as_gift_imports_the_same():
    one = brought((SHARED / "corpus/gift/025-asker-reales-es.txt").read_bytes())
    other = brought((SHARED / "corpus/moodle-xml/001-asker-reales-es.xml").read_bytes())

    assert (one.questions, one.kinds) == (other.questions, other.kinds)
    assert [item.id for item in one.imported] == [item.id for item in other.imported]
    # The two list options and pairs in different orders.
    assert sorted(map(_sides, one.imported)) == sorted(map(_sides, other.imported))


def _sides(item: Item) -> tuple[str, ...]:
    match item:
        case Choice():
            texts = [bare(o.text) for o in item.options]
            return bare(item.stem), texts[item.key], *sorted(texts)
        case TrueFalse():
            return bare(item.stem), str(item.key)
        case ShortText():
            return bare(item.stem), *item.accepted
        case _:
            return (bare(item.stem),)
