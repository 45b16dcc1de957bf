from pathlib import Path

import pytest
from hypothesis import given, settings

from bot.drafts import Draft
from bot.formats import plain
from bot.formats.findings import Haul
from bot.formats.importing import bring_in
from tests.helpers.foreign import (
    NEED_CORPUS,
    assert_adds_up,
    brought,
    damaged,
    mutated,
    said,
    source,
    survived,
)

SEED = Path(__file__).parents[3] / "shared" / "seed" / "quiz-akumulasi-gradien.txt"
RUSSIAN = "1. Что такое проект?\nO. цель\nO. язык C++ +\nO. план+\n\n2. Кто?\nO. он+\nO. она\n"
TRIVIA = "#Q Who?\nReally?\n^ Ada\nA Ada\nB Bob\n\n#Q So?\n^ True\nA False\nB True\n"


def read(text: str) -> Haul:
    return plain.read(source(text, "list.txt"))


def drafts(text: str) -> list[Draft]:
    return [question.draft for question in read(text).questions if question.draft]


def right(text: str) -> list[str]:
    """Give the right options of every question, joined."""
    return ["+".join(o.text for o in draft.options if o.is_key) for draft in drafts(text)]


def shapes(text: str) -> list[tuple[str, list[str]]]:
    return [(draft.stem, [o.text for o in draft.options]) for draft in drafts(text)]


# Shapes


@pytest.mark.parametrize(
    "text",
    [
        "1. Why?\n• a\n• b\n2. Who?\n• c\n• d\n",
        "1) Why?\n   - a\n   - b\n\n2) Who?\n   - c\n   - d\n",
        "1. Why?\na) a\nb) b\n2. Who?\na) c\nb) d\n",
        "1. Why?\n1) a\n2) b\n2. Who?\n1) c\n2) d\n",
        "**1. Why?**\nA. a\nB. b\n\n**2. Who?**\nA. c\nB. d\n",
        "Question 1: Why?\n(A) a\n(B) b\nQuestion 2: Who?\n(A) c\n(B) d\n",
        "Soal 1.\nWhy?\nA. a\nB. b\nSoal 2.\nWho?\nA. c\nB. d\n",
        "Why?\n* a\n* b\n\nWho?\n* c\n* d\n",
        "Why?\n1. a\n2. b\nWho?\n1. c\n2. d\n",
        "Why?\n\nA: a\nB: b\n\nWho?\n\nA: c\nB: d\n",
        "## 1. Why?\n☐ a\n☐ b\n## 2. Who?\n☐ c\n☐ d\n",
    ],
)
def test_lists_of_many_shapes_are_read_and_wait_for_their_answers(text: str):
    assert shapes(text) == [("Why?", ["a", "b"]), ("Who?", ["c", "d"])]
    assert right(text) == ["", ""]
    assert plain.sniff(source(text)) > 0.5


def test_a_stem_and_an_option_may_take_several_lines():
    text = "1. Look at this:\n\nwhy?\n- a\n  and more\n- b\n"

    assert shapes(text) == [("Look at this:\n\nwhy?", ["a\\\nand more", "b"])]


def test_what_stands_around_the_questions_is_reported():
    haul = read("# My quiz\nHave fun.\n\n1. Why?\n- a\n- b\n\nThe end.\n")

    assert haul.title == "My quiz"
    assert [(one.place, one.excerpt) for one in haul.remarks] == [
        ("line 2", "Have fun."),
        ("line 8", "The end."),
    ]


def test_text_between_bulleted_questions_is_reported():
    haul = read("Title\n\nWhy?\n- a\n- b\n\nA remark.\n\nWho?\n- c\n- d\n\nBye.\n")

    assert [question.draft.stem for question in haul.questions if question.draft] == [
        "Why?",
        "Who?",
    ]
    assert haul.title == "Title"
    assert [one.excerpt for one in haul.remarks] == ["A remark.", "Bye."]


def test_options_above_every_question_belong_to_none():
    haul = read("- a\n- b\n1. Why?\n- c\n- d\n")

    assert haul.title == "a"
    assert [one.excerpt for one in haul.remarks] == ["b"]


def test_a_number_without_words_is_skipped():
    haul = read("1. \n- a\n- b\n")

    assert haul.questions[0].draft is None
    assert haul.questions[0].remarks[0].excerpt == "a"
    assert read("1.\n2. Why?\n- a\n").questions[0].draft is None


def test_repeated_options_are_left_out_and_named():
    assert said(read("1. Why?\n- a\n- b\n- b\n")) == ["Option 3 repeats another one."]


def test_prose_is_no_list_of_questions():
    assert said(read("Dear all,\nhow are you?\n")) == ["There are no questions in it."]
    assert plain.sniff(source("Dear all,\nhow are you?\n")) == 0.0


# Keys


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (RUSSIAN, ["язык C+++план", "он"]),
        ("1. Why?\n*a) x\nb) y\n2. Who?\na) z\n*b) w\n", ["x", "w"]),
        ("1. Why?\n[x] a. x\n[ ] b. y\n", ["x"]),
        ("1. Why?\n- [x] x\n- [ ] y\n", ["x"]),
        ("1. Why?\na) x ✓\nb) y\n2. Who?\na) z\nb) w\n", ["x", ""]),
        ("1. Why?\na) ✅ x\nb) y\n", ["x"]),
        ("1. Why?\n- x (correct)\n- y\n", ["x"]),
        ("1. Why?\n- x (Benar)\n- y\n", ["x"]),
        ("1. Why?\n- **x**\n- y\n2. Who?\n- z\n- **w**.\n", ["x", "w"]),
        ("1. Why?\n- x*\n- y\n", ["x"]),
        ("** 1. Perché?\n_ x\n^_ y\n", ["y"]),
        ("1. Why?\n+ a. x\nb. y\n", ["x"]),
    ],
)
def test_marks_show_what_is_right(text: str, keys: list[str]):
    assert right(text) == keys


def test_a_plus_that_few_options_have_is_a_part_of_them():
    text = "".join(f"{n}. Why {n}?\n- a\n- b\n" for n in range(5)) + "6. Grade?\n- A+\n- B\n"

    assert right(text) == [""] * 6
    assert drafts(text)[-1].options[0].text == "A+"


def test_a_mark_on_all_options_means_nothing():
    assert right("1. Why?\n* a) x\n* b) y\n") == [""]


@pytest.mark.parametrize(
    "line",
    ["Answer: B", "ANSWER: b", "Jawaban: B. y", "Kunci jawaban: 2", "**Answer:** y",
     "Ответ: 2", "Correct answer: B) y", "Respuesta correcta: b"],
)  # fmt: skip
def test_a_line_below_names_the_answer(line: str):
    assert right(f"1. Why?\na) x\nb) y\n{line}\n2. Who?\na) z\nb) w\n{line}\n")[0] == "y"


def test_a_letter_of_another_alphabet_is_found_by_its_label():
    assert right("1. Кто?\nа) он\nб) она\nОтвет: б\n") == ["она"]


def test_an_answer_that_is_no_option_is_reported():
    haul = read("1. Why?\na) x\nb) y\nAnswer: none of them\n")

    assert said(haul) == ["The answer none of them is none of the options."]


def test_an_answer_that_contradicts_the_marks_is_reported():
    haul = read("1. Why?\na) x ✓\nb) y\nAnswer: b\n")

    assert "not the option that is marked" in said(haul)[0]


def test_a_question_without_options_takes_its_answer_as_words():
    first, _ = drafts("1. Why?\nAnswer: so\n2. Who?\n- a\n- b\n")

    assert first.accepted == ("so",)


def test_answers_at_the_end_are_given_to_their_questions():
    text = "1. Why?\na) x\nb) y\n2. Who?\na) z\nb) w\n\nKunci Jawaban:\n1. b  2-A, 9. c\nBye\n"

    assert right(text) == ["y", "z"]
    assert [one.excerpt for one in read(text).remarks] == ["Bye"]


def test_answers_at_the_end_of_questions_without_numbers_count_them():
    text = "Why?\nA) x\nB) y\n\nWho?\nA) z\nB) w\n\nAnswers\n1. B 2. A\n"

    assert right(text) == ["y", "z"]


def test_an_explanation_is_the_rationale():
    text = "1. Why?\n- a ✓\n- b\nPenjelasan: because\nof that\n\nStray\n2. Who?\n- c\n- d\n"

    assert drafts(text)[0].rationale == "because\\\nof that"
    assert [one.excerpt for one in read(text).remarks] == ["Stray"]


def test_an_answer_above_every_question_is_only_text():
    assert read("Answer: B\nExplanation: x\n1. Why?\n- a\n- b\n").title == "B"


# OpenTriviaQA


def test_open_trivia_qa_is_read():
    assert shapes(TRIVIA) == [("Who?\\\nReally?", ["Ada", "Bob"]), ("So?", ["False", "True"])]
    assert right(TRIVIA) == ["Ada", "True"]
    assert plain.sniff(source(TRIVIA)) == 0.95


def test_an_odd_entry_of_open_trivia_qa_is_reported():
    haul = read("#Q Who?\n^ Eve\nA Ada\nsomething\nB Bob\n#Q When?\n^ now\n#Q \n^\n#Q Huh?\n")

    assert said(haul)[:2] == ["The line is no option.", "The answer is none of the options."]
    assert [bool(question.draft) for question in haul.questions] == [True, True, False, True]
    assert [q.draft.accepted for q in haul.questions if q.draft][1] == ("now",)


# Anything


def test_sniffing_leaves_other_formats_alone():
    assert plain.sniff(source("---\nid: x\n---\n1. Why?\n- a\n- b\n")) == 0.0
    assert plain.sniff(source('{"question": 1}')) == 0.0
    assert plain.sniff(source("")) == 0.0


@given(mutated(RUSSIAN.encode(), TRIVIA.encode(), b"Why?\n1. a\nAnswer: b\n\nAnswers\n1. B\n"))
@settings(max_examples=200, deadline=None)
def test_anything_is_survived(content: bytes):
    survived(plain, content)


@pytest.mark.parametrize("variant", damaged(RUSSIAN.encode()))
def test_damaged_lists_are_survived(variant: bytes):
    survived(plain, variant)


def test_a_megabyte_of_one_line_is_read_in_time():
    survived(plain, b"1. " + b"a) b " * 200_000)


@pytest.mark.skipif(not SEED.exists(), reason="the seed page is not on this machine")
def test_the_seed_page_is_read_and_waits_for_its_answers():
    found = bring_in(source(SEED.read_bytes(), SEED.name))

    assert_adds_up(found)
    assert (found.format, found.found, len(found.waiting)) == ("plain", 8, 8)
    assert all(len(draft.options) == 4 for draft in found.waiting)
    assert found.edition.title == "Kuis Akumulasi Gradien"


@NEED_CORPUS
def test_the_corpus_is_read():
    result = brought("plain/007-opentriviaqa.txt")

    assert (result.found, result.questions) == (207, 207)
