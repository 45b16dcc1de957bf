"""Aiken as Moodle reads it, and as people really write it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.drafts import Draft, DraftOption
from bot.formats import aiken
from bot.formats.findings import Source
from bot.items import Choice, Item, MultiChoice, Option, ShortText, TrueFalse, keys
from bot.packs import Edition
from bot.text import Markdown, literal, plain
from tests.helpers.banks import (
    brought,
    brought_or_refused,
    editions,
    mutated,
    read_or_refused,
    words,
)
from tests.helpers.oracles import SHARED, bare, disagreement, oracle
from tests.helpers.samples import CHOICE, TRUE, edition

CORPUS = sorted((SHARED / "corpus" / "aiken").glob("*")) if SHARED.exists() else []
absent = pytest.mark.skipif(not CORPUS, reason="../shared/corpus is not there")

TWO = """What is the capital?
A. Bandung
B. Jakarta
ANSWER: B

Which is prime?
A) 9
B) 11
ANSWER: B
"""


def read(text: str) -> tuple[Item, ...]:
    found = brought(text, format="aiken")
    assert found.skipped == 0, found.report
    return found.imported


def options(item: Item) -> list[tuple[str, bool]]:
    assert isinstance(item, Choice | MultiChoice)
    return [(plain(o.text), at in keys(item)) for at, o in enumerate(item.options)]


def test_questions_with_letters_and_an_answer_line():
    first, second = read(TWO)

    assert (first.stem, first.line) == ("What is the capital?", 1)
    assert options(first) == [("Bandung", False), ("Jakarta", True)]
    assert options(second) == [("9", False), ("11", True)]


def test_without_empty_lines_between_questions():
    assert len(read(TWO.replace("\n\n", "\n").replace("\n", "\r\n"))) == 2


def test_a_question_of_several_lines_and_an_option_that_goes_on():
    (item,) = read("Look:\nx = 1\n\nWhat is x?\nA. one\n  and no more\n\nB. two\nAnswer: a\n")

    assert plain(item.stem) == "Look:\nx = 1\nWhat is x?"
    assert options(item) == [("one and no more", True), ("two", False)]


def test_texts_are_literal():
    (item,) = read("What does <b> do_it_ *now*?\nA. <b>\nB. 1. &amp;\nANSWER: A")

    assert plain(item.stem) == "What does <b> do_it_ *now*?"
    assert [text for text, _ in options(item)] == ["<b>", "1. &amp;"]


@pytest.mark.parametrize(
    "line", ["ANSWER: A, C", "Answer: A and C", "ANS: AC".replace("AC", "A;C")]
)
def test_several_letters_make_several_right_answers(line: str):
    found = brought(f"q?\nA. a\nB. b\nC. c\n{line}", format="aiken")

    assert options(found.imported[0]) == [("a", True), ("b", False), ("c", True)]
    assert [one.reason for one in found.report] == ["Several options are right."]


@pytest.mark.parametrize(
    "line", ["answer: b", "ANSWER:B", "Respuesta: b)", "JAWABAN: B.", "ANSWER B", "Réponse = (B)"]
)
def test_answer_lines_in_other_spellings(line: str):
    (item,) = read(f"q?\nA. a\nB. b\n{line}")

    assert options(item) == [("a", False), ("b", True)]


def test_feedback_is_the_rationale():
    (item,) = read("q?\nA. a\nB. b\nANSWER: A\nFEEDBACK: Because *x*.\ngfeed. So there.")

    assert plain(item.rationale) == "Because *x*.\nSo there."


def test_letters_without_a_sign_behind_them():
    found = read("Is this valid?\nA Yes\nB No\nANSWER: A\n\nq?\nA A\nB B\nANSWER: B")

    assert options(found[0]) == [("Yes", True), ("No", False)]
    assert options(found[1]) == [("A", False), ("B", True)]


def test_a_word_that_is_a_letter_is_no_option():
    (item,) = read("A cat sat\nA mat?\nA. a\nB. b\nANSWER: A")

    assert plain(item.stem) == "A cat sat\nA mat?"


def test_true_and_false_are_a_statement():
    (item,) = read("The sky is blue.\nA. True\nB. False\nANSWER: A")

    assert isinstance(item, TrueFalse)


def test_a_question_without_an_answer_waits():
    found = brought("q?\nA. a\nB. b\n\nr?\nA. c\nB. d\nANSWER: B\n\ns?\nA. e\nB. f\nANSWER: X")

    assert (found.found, found.questions, len(found.waiting)) == (3, 1, 2)
    assert [(one.place, one.reason) for one in found.report] == [
        ("line 10", "The answer “X” is none of its options.")
    ]


def test_the_extended_dialect_with_headings():
    text = """category
CORE
Top

multichoice
1. Which?
A. a
B. b
ANSWER: A

essay
2. Write about it.
gfeed. Much.

shortanswer
3. Two and two?
Answer: 4, four
truefalse
4. It is so.
Answer: True
"""

    found = brought(text, format="aiken")

    assert (found.found, found.questions, found.skipped) == (4, 3, 1)
    choice, short, truth = found.imported
    assert isinstance(choice, Choice)
    assert isinstance(short, ShortText)
    assert isinstance(truth, TrueFalse)
    assert short.accepted == ("4", "four")
    assert truth.key
    assert [(one.place, one.reason) for one in found.report] == [
        ("line 12", "It has no options A, B, …")
    ]


def test_a_category_at_the_end_is_no_question():
    assert brought("q?\nA. a\nB. b\nANSWER: A\n\ncategory\nx", format="aiken").found == 1


def test_more_options_than_letters_belong_to_the_last_one():
    letters = "".join(f"{chr(65 + at)}. {at}\n" for at in range(26))

    (item,) = read(f"q?\n{letters}more\nANSWER: A")

    assert options(item)[-1] == ("25 more", False)


def test_one_question_alone_is_read_for_other_formats():
    text = "q?\na) x\nb) y\nAnswer: b"

    draft = aiken.lettered(text, 7)

    assert draft
    assert [(o.text, o.is_key, o.line) for o in draft.options] == [("x", False, 8), ("y", True, 9)]
    assert aiken.lettered(TWO, 1) is None
    assert aiken.lettered("q?\na) x\nb) y\nAnswer: z", 1) is None
    assert aiken.lettered("q?", 1) is None


@pytest.mark.parametrize(
    ("text", "least"), [(TWO, 0.9), ("q?\na) x\nb) y\nAnswer: b", 0.7), ("Only text.", 0.0)]
)
def test_aiken_is_recognised(text: str, least: float):
    assert aiken.sniff(Source(name="x", content=text.encode())) == least


# Writing


def test_written_choices_are_read_as_the_same():
    bare_choice = Choice(
        id=CHOICE.id,
        stem=CHOICE.stem,
        options=tuple(Option(text=o.text) for o in CHOICE.options),
        key=1,
    )
    statement = TrueFalse(id=TRUE.id, stem=TRUE.stem, key=False)

    text, remarks = aiken.write(edition(bare_choice, statement, language="id"))

    assert remarks == ()
    assert "A. Benar\nB. Salah\nANSWER: B" in text
    assert [(one.stem, keys(one)) for one in brought(text).imported] == [
        (bare_choice.stem, frozenset({1})),
        (statement.stem, frozenset({1})),
    ]


def test_what_aiken_cannot_carry_is_reported():
    rich = Choice(
        id=CHOICE.id,
        stem=Markdown("**Which?**"),
        options=(Option(text=Markdown("a"), weight=0.5), Option(text=Markdown("b"))),
        key=1,
        tags=("x",),
    )

    _, remarks = aiken.write(edition(rich, *edition().items))

    assert [(one.severity.value, one.place, one.reason) for one in remarks] == [
        ("changed", "item capital", "Aiken has no weights."),
        ("changed", "item capital", "Aiken has no formatting; lines were joined."),
        ("changed", "item capital", "Aiken has no rationale, time or tags for a question."),
        ("changed", "item capital", "Aiken has no rationale for an option."),
        ("changed", "item capital", "Aiken has no rationale, time or tags for a question."),
        ("skipped", "item primes", "Aiken has no questions with several right answers."),
        ("changed", "item sky", "Aiken has no rationale for an option."),
        ("skipped", "item rate", "Aiken has no questions with typed answers."),
        ("skipped", "item pi", "Aiken has no questions with typed answers."),
    ]


@settings(max_examples=150, deadline=None)
@given(editions(words.map(literal)))
def test_what_aiken_can_carry_comes_back(drawn: Edition):
    choices = tuple(one for one in drawn.items if isinstance(one, Choice | TrueFalse))

    text, _ = aiken.write(drawn)

    found = brought(text, format="aiken").imported if choices else ()
    assert [_sides(one) for one in found] == [_sides(one) for one in choices]


def _sides(item: Item) -> tuple[str, list[str], frozenset[int]]:
    texts = item.options if isinstance(item, Choice) else ()
    return (
        " ".join(plain(item.stem).split()),
        [" ".join(plain(o.text).split()) for o in texts],
        keys(item),
    )


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=80), st.text("ABab.):\n ANSWER", max_size=80).map(str.encode)))
def test_nothing_but_refusals_is_raised(content: bytes):
    read_or_refused(aiken, content)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_damaged_bank_gives_a_report(data: st.DataObject):
    brought_or_refused(data.draw(mutated(TWO.encode())), format="aiken")


# Real files


@absent
@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.name)
def test_a_real_file_is_aiken_and_its_report_adds_up(file: Path):
    found = brought(file.read_bytes(), file.name)

    assert found.format == "aiken"
    assert found.questions


@absent
@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.name)
def test_what_moodle_accepts_agrees(file: Path):
    questions = aiken.read(Source(name=file.name, content=file.read_bytes())).questions
    ours = {bare(one.draft.stem)[-20:]: one for one in questions if one.draft}
    differing = [
        (moodle["text"][:40], why)
        for moodle in oracle("aiken", file)
        if (why := disagreement(ours[bare(moodle["text"])[-20:]], moodle))
    ]

    assert [one for one in differing if not one[1].startswith(EXPLAINED)] == []


# docs/formats.md: Moodle keeps the last line of a question only, takes no true or false, and
# imports a question whose options are all the same once their pictures are gone.
EXPLAINED = ("stem", "kind", "cannot be built: f:29")


def test_drafts_have_no_ids_of_their_own():
    question = aiken.read(Source(name="x", content=TWO.encode())).questions[0]

    assert question.draft == Draft(
        stem="What is the capital?",
        line=1,
        options=(
            DraftOption(text="Bandung", line=2),
            DraftOption(text="Jakarta", is_key=True, line=3),
        ),
    )
