import pytest
import yaml
from hypothesis import given, settings

from bot.building import build
from bot.drafts import Draft
from bot.formats import red_trivia
from bot.formats.findings import Haul, Severity
from bot.items import ShortText
from tests.helpers.foreign import NEED_CORPUS, brought, damaged, mutated, said, source, survived

PLAIN = """\
AUTHOR: Ada
DESCRIPTION: About things.
CONFIG:
  delay: 20
  bot_plays: true
What is 007?:
- 007
- 1:30
"What is \\"No\\"?":
- No
Who?:
- 'yes'
- ~
"""


def read(text: str) -> Haul:
    return red_trivia.read(source(text, "list.yaml"))


def drafts(text: str) -> list[Draft]:
    return [question.draft for question in read(text).questions if question.draft]


def test_answers_are_taken_as_they_are_written():
    assert drafts(PLAIN)[0].accepted == ("007", "1:30")


def test_a_bare_truth_means_all_its_spellings_as_in_red():
    no, quoted = drafts(PLAIN)[1:]

    assert no.accepted == ("No", "False", "Off")
    assert quoted.accepted == ("yes", "~")


@pytest.mark.parametrize("word", ["yes", "TRUE", "on", "True"])
def test_a_bare_affirmation_keeps_its_own_spelling_first(word: str):
    (draft,) = drafts(f"Is it?:\n- {word}\n")

    assert draft.accepted[0] == word
    assert {"True", "Yes", "On"} <= set(draft.accepted)


def test_numbers_are_words_to_type():
    built = build(drafts("When was it?:\n- 1945\n")[0], "f")

    assert isinstance(built, ShortText)


def test_settings_of_the_list_are_used_or_reported():
    haul = read(PLAIN)

    assert haul.author == "Ada"
    assert {draft.seconds for draft in drafts(PLAIN)} == {"20"}
    assert said(haul) == ["The list has settings: bot_plays.", "The list has a description."]


@pytest.mark.parametrize("delay", ["0", "soon", "9999"])
def test_a_delay_that_is_no_time_is_left_out(delay: str):
    assert drafts(f"CONFIG:\n  delay: {delay}\nWhat?:\n- x\n")[0].seconds == ""


def test_a_picture_in_a_question_is_shown_below_it():
    (draft,) = drafts('"Who is it? https://example.org/a.png":\n- Ada\n')

    assert draft.stem == "Who is it?\n\n![](https://example.org/a.png)"


def test_a_single_answer_needs_no_list():
    assert drafts("What?: this\n")[0].accepted == ("this",)


def test_a_question_without_answers_waits():
    assert [draft.accepted for draft in drafts("What?:\nWho?: []\n")] == [(), ()]


@pytest.mark.parametrize(
    "text",
    [
        "? [a, b]\n: - x\n",
        "What?:\n- [a, b]\n",
        "What?:\n  a: b\n",
        '"":\n- x\n',
        "- just a list\n",
    ],
)
def test_what_no_trivia_list_holds_is_skipped(text: str):
    haul = read(text)

    assert [question.draft for question in haul.questions] == [None]
    assert haul.questions[0].remarks[0].severity is Severity.SKIPPED


def test_a_broken_entry_is_mended_and_the_others_are_kept():
    haul = read('AUTHOR: Ada\nFirst one?:\n- a\nPercent?:\n- %\n- "50"\n\nLast one?:\n- z\n')

    assert [question.draft.accepted for question in haul.questions if question.draft] == [
        ("a",),
        ("%", "50"),
        ("z",),
    ]
    assert [one.place for one in haul.questions[1].remarks] == ["line 4"]
    assert haul.author == "Ada"


def test_an_entry_that_is_broken_beyond_repair_is_skipped():
    haul = read("Good?:\n- a\nBad: [\n- b\nNothing here\n%\n")

    assert [bool(question.draft) for question in haul.questions] == [True, False, False, False]


def test_a_comment_in_a_broken_file_is_no_question():
    assert len(read("# hello\n\nPercent?:\n- %\n# bye\n").questions) == 1


def test_an_empty_file_says_so():
    assert said(read("")) == ["There are no questions in it."]


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 50_000, "{a: " * 50_000])
def test_deep_nesting_is_survived(text: str):
    survived(red_trivia, text.encode())


def test_deep_nesting_is_survived_without_the_reader_in_c(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(yaml, "CBaseLoader")

    haul = read("[" * 5000)

    assert [question.draft for question in haul.questions] == [None]


def test_anchors_are_not_multiplied():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )

    haul = survived(red_trivia, bomb.encode())

    assert haul


def test_sniffing_needs_questions_and_lists():
    assert red_trivia.sniff(source(PLAIN, "x.yaml")) == 0.97
    assert red_trivia.sniff(source("What is it?:\n- x\n", "x.txt")) == 0.5
    assert red_trivia.sniff(source("a: b\n", "x.yml")) == 0.1
    assert red_trivia.sniff(source("a: b\n", "x.txt")) == 0.0


@given(mutated(PLAIN.encode(), b"Q?:\n- %\n- [a\n"))
@settings(max_examples=150, deadline=None)
def test_anything_is_survived(content: bytes):
    survived(red_trivia, content, "x.yaml")


@pytest.mark.parametrize("variant", damaged(PLAIN.encode()))
def test_damaged_lists_are_survived(variant: bytes):
    survived(red_trivia, variant)


@NEED_CORPUS
@pytest.mark.parametrize(
    ("name", "found"),
    [("001-red-general", 709), ("003-red-elements", 118), ("005-red-computers", 164),
     ("007-red-whosthatpokemon3", 135), ("009-red-worldcapitals", 197)],
)  # fmt: skip
def test_the_corpus_is_read(name: str, found: int):
    result = brought(f"red-trivia/{name}.yaml")

    assert (result.found, result.questions) == (found, found)
    assert result.kinds == {"ShortText": found}
