import pytest
from hypothesis import given, settings

from bot.building import build
from bot.drafts import Draft
from bot.formats import text2qti
from bot.formats.findings import Haul, Severity
from bot.items import Interval, MultiChoice, Numeric, ShortText
from tests.helpers.foreign import NEED_CORPUS, brought, damaged, mutated, said, source, survived

PLAIN = """\
Quiz title: Addition
Quiz description: Checking.
shuffle answers: true

Title: One
Points: 2
1.  What is 2+3?
    Really?

    $x$
... General.
+   Right!
-   Wrong!
a)  6
... Too much.
*c) 5
    `five`

2.  Which?
[ ] a
[*] b
[] c

3.  Root?
=   1.4142 +- 0.0001

4.  Who?
*   Santa
*   Saint Nick
... said so
!   A solution.

5.  Essay.
____
"""


def read(text: str) -> Haul:
    return text2qti.read(source(text, "quiz.txt"))


def drafts(text: str) -> list[Draft]:
    return [question.draft for question in read(text).questions if question.draft]


def test_a_choice_has_its_texts_in_markdown_and_its_feedback():
    first = drafts(PLAIN)[0]

    assert first.stem == "What is 2+3?\nReally?\n\n$x$"
    assert [(o.text, o.is_key, o.rationale) for o in first.options] == [
        ("6", False, "Too much."),
        ("5\n`five`", True, ""),
    ]
    assert (first.rationale, first.line, first.several) == ("General.", 7, False)


def test_all_that_apply_numbers_and_words_are_read():
    several, number, words = (build(draft, "f") for draft in drafts(PLAIN)[1:])

    assert isinstance(several, MultiChoice)
    assert several.keys == {1}
    assert isinstance(number, Numeric)
    assert isinstance(words, ShortText)
    assert words.accepted == ("Santa", "Saint Nick")


def test_what_has_no_place_here_is_reported():
    haul = read(PLAIN)

    assert haul.title == "Addition"
    assert said(haul) == [
        "The quiz has a description.",
        "There is no place here for these: settings.",
        "There is no place here for these: titles of questions.",
        "There is no place here for these: points.",
        "Feedback for all right or all wrong responses has no place here.",
        "Feedback for all right or all wrong responses has no place here.",
        "Feedback for a typed answer has no place here.",
        "An essay or a file to upload cannot be graded here.",
    ]


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("[1.2598, 1.26]", Interval(low=1.2598, high=1.26, value=1.2599)),
        ("1_000", Interval(low=1000, high=1000, value=1000)),
        ("10 +- 5%", Interval(low=9.5, high=10.5, value=10)),
        ("[a, b]", "[a, b]"),
        ("some", "some"),
    ],
)
def test_numbers_are_read_in_every_notation(text: str, accepted: object):
    assert drafts(f"1. Number?\n=   {text}\n")[0].accepted == (accepted,)


def test_groups_regions_and_stray_lines_are_reported():
    haul = read("GROUP\npick: 2\n1. Why?\n*a) x\nb) y\nEND_GROUP\nText: Hello\nstray\n  inner\n")

    assert said(haul) == [
        "Questions of a group are drawn at random there.",
        "The text belongs to no question.",
        "The text belongs to no question.",
        "The text belongs to no question.",
    ]


def test_feedback_before_any_question_is_only_text():
    assert (
        said(read("... hello\na) b\n1. Why?\n*a) x\nb) y\n"))[:2]
        == ["The text belongs to no question."] * 2
    )


def test_comments_and_code_that_writes_questions_are_passed_over():
    haul = read(
        "% 1. no\nCOMMENT\n1. no\nEND_COMMENT\n```{.python .run}\n1. no\n```\n1. Yes?\n* y\n"
    )

    assert len(haul.questions) == 1
    assert haul.remarks[0].severity is Severity.SKIPPED


def test_questions_of_no_kind_of_ours_are_skipped():
    text = "1. Gap\n@gap a) b\n\n2. Both\na) x\n* y\n\n3. \n*a) x\n\n4. Upload\n^^^^\n"

    assert [question.draft for question in read(text).questions] == [None] * 4


def test_a_page_about_text2qti_gives_its_examples():
    text = (
        "# About\n\n1. Install\n\n```\n1.  What?\n*a) x\nb)  y\n```\n\n- [x] a\n\n```\nother\n```\n"
    )

    assert [(draft.stem, draft.line) for draft in drafts(text)] == [("What?", 6)]


def test_a_quiz_with_fences_is_not_taken_for_a_page():
    text = "Quiz title: T\n\n1. Code?\n    ```\n    x\n    ```\n*a) x\nb) y\n```\n1. z\n```\n"

    assert drafts(text)[0].stem == "Code?\n```\nx\n```"


def test_a_file_without_questions_says_so():
    assert said(read("")) == ["There are no questions in it."]


def test_sniffing_needs_signs_of_its_own():
    assert text2qti.sniff(source(PLAIN)) == 0.88
    assert text2qti.sniff(source("1. Why?\n*a) x\nb) y\n")) == 0.88
    assert text2qti.sniff(source("1. Why?\na) x\nb) y\n")) == 0.0
    assert text2qti.sniff(source("Why?\n* x\n")) == 0.0


@given(mutated(PLAIN.encode(), b"```\n1. a\n*b) c\n```\n", b"COMMENT\n"))
@settings(max_examples=200, deadline=None)
def test_anything_is_survived(content: bytes):
    survived(text2qti, content)


@pytest.mark.parametrize("variant", damaged(PLAIN.encode()))
def test_damaged_quizzes_are_survived(variant: bytes):
    survived(text2qti, variant)


@NEED_CORPUS
@pytest.mark.parametrize(
    ("path", "found", "imported"),
    [("markdown/001-text2qti-sample.txt", 11, 6), ("markdown/002-text2qti-readme.md", 17, 13)],
)
def test_the_corpus_is_read(path: str, found: int, imported: int):
    result = brought(path)

    assert (result.found, result.questions) == (found, imported)
