import base64
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings

from bot.drafts import Draft
from bot.formats import opentdb
from bot.formats.findings import Haul
from tests.helpers.foreign import NEED_CORPUS, brought, damaged, mutated, said, source, survived

ENTRY = {
    "type": "multiple",
    "difficulty": "easy",
    "category": "Science: Computers",
    "question": "What does &quot;HTTP&quot; use, &deg;C?",
    "correct_answer": "TCP",
    "incorrect_answers": ["UDP", "ICMP", "ARP"],
}
TRUE = {
    "type": "boolean",
    "difficulty": "hard",
    "category": "Art",
    "question": "It is so.",
    "correct_answer": "False",
    "incorrect_answers": ["True"],
}
PLAIN = json.dumps({"response_code": 0, "results": [ENTRY, TRUE]})


def read(text: str | object) -> Haul:
    return opentdb.read(source(text if isinstance(text, str) else json.dumps(text), "q.json"))


def drafts(text: str | object) -> list[Draft]:
    return [question.draft for question in read(text).questions if question.draft]


def right(text: str | object) -> list[list[str]]:
    return [[o.text for o in draft.options if o.is_key] for draft in drafts(text)]


def test_a_question_has_its_answers_in_order_of_the_alphabet_and_labels_as_tags():
    first, second = drafts(PLAIN)

    assert first.stem == 'What does "HTTP" use, °C?'
    assert [(o.text, o.is_key) for o in first.options] == [
        ("ARP", False),
        ("ICMP", False),
        ("TCP", True),
        ("UDP", False),
    ]
    assert first.tags == ("Science: Computers", "easy")
    assert [(o.text, o.is_key) for o in second.options] == [("True", False), ("False", True)]


def test_the_licence_and_the_authors_are_kept():
    haul = read(PLAIN)

    assert (haul.licence, haul.source) == ("CC BY-SA 4.0", "https://opentdb.com")
    assert "Open Trivia Database" in haul.author


def test_other_banks_are_given_no_licence():
    assert read([{"question": "Why?", "answer": "So"}]).licence == ""


@pytest.mark.parametrize(
    "encode",
    [quote, quote_plus, lambda text: base64.b64encode(text.encode()).decode()],
    ids=["url3986", "urlLegacy", "base64"],
)
def test_the_encodings_of_the_interface_are_undone(encode: Callable[[str], str]):
    entry = {
        **{name: encode(str(ENTRY[name])) for name in ("type", "difficulty", "category")},
        "question": encode("Is 100% of é < &amp;?"),
        "correct_answer": encode("50 % + more"),
        "incorrect_answers": [encode("no way"), encode("a+b")],
    }

    (draft,) = drafts([entry])

    assert draft.stem == "Is 100% of é < \\&amp;?"
    assert [o.text for o in draft.options if o.is_key] == ["50 % + more"]


def test_single_words_that_need_no_encoding_are_left_alone():
    (draft,) = drafts([{**ENTRY, "question": "Why?", "correct_answer": "&lt;"}])

    assert [o.text for o in draft.options if o.is_key] == ["<"]


def test_what_is_no_base64_is_left_alone():
    entry = {**ENTRY, "type": "bXVsdGlwbGU=", "question": "Not encoded!"}

    assert drafts([entry])[0].stem == "Not encoded!"


@pytest.mark.parametrize(
    ("more", "keys"),
    [
        ({"options": ["a", "b", "c"], "answer": "b"}, ["b"]),
        ({"options": ["a", "b", "c"], "answer": "B"}, ["b"]),
        ({"options": ["x", "y", "z"], "answer": ["A", "C"]}, ["x", "z"]),
        ({"options": ["x", "y", "z"], "correctIndex": 1}, ["y"]),
        ({"choices": {"A": "x", "B": "y"}, "correct": "B"}, ["y"]),
        ({"choices": {"A": "x", "B": "y"}, "correct": "Q"}, []),
        ({"answers": ["x", "y"], "correct_answer": "y"}, ["y"]),
        ({"answers": [{"text": "x"}, {"text": "y", "correct": True}]}, ["y"]),
        ({"answers": [{"option": "x", "isCorrect": "true"}, {"other": 1}, "y"]}, ["x"]),
        ({"options": ["x", "y"], "answer": "w"}, []),
        ({"options": ["x", "y"]}, []),
        ({"options": ["x", "y", "z"], "answer": "Z9"}, []),
        ({"answer": True}, ["True"]),
        ({"answer": False}, ["False"]),
        ({"correct_answer": None, "incorrect_answers": ["x", "y"]}, []),
    ],
)
def test_other_shapes_are_understood(more: dict[str, object], keys: list[str]):
    assert right([{"question": "Why?", **more}]) == [keys]


def test_a_number_is_counted_from_0_and_the_doubt_is_reported():
    text = [{"question": "Why?", "options": ["x", "y", "z"], "answer": 1}]

    assert right(text) == [["y"]]
    assert said(read(text)) == ["The key is counted from 0."]


def test_a_key_that_is_no_option_is_reported():
    assert said(read([{"question": "Why?", "options": ["x", "y"], "answer": "w"}])) == [
        "The key is none of the options; it still needs an answer."
    ]


@pytest.mark.parametrize(
    ("answer", "accepted"),
    [("30", ("30",)), (["a", "b"], ("a", "b")), ([" a ", None, {}], ("a",)), (7, ("7",)), ("", ())],
)
def test_questions_and_answers_ask_for_typing(answer: object, accepted: tuple[str, ...]):
    (draft,) = drafts([{"question": "كم؟", "answer": answer}])

    assert draft.accepted == accepted


def test_a_list_of_answers_alone_is_what_may_be_typed():
    assert drafts([{"question": "Why?", "answers": ["a", "b"]}])[0].accepted == ("a", "b")


def test_an_explanation_is_the_rationale():
    assert drafts([{"question": "Why?", "answer": "x", "explanation": "*So*"}])[0].rationale == (
        "\\*So\\*"
    )


def test_questions_are_found_wherever_they_stand():
    text = {"data": {"rounds": [{"name": "one", "questions": [{"question": "A?", "answer": "b"}]}]}}

    assert [draft.stem for draft in drafts(text)] == ["A?"]


def test_questions_nested_beyond_reason_are_not_looked_for():
    value: object = {"question": "A?", "answer": "b"}
    for _ in range(9):
        value = [value]

    assert said(read(value)) == ["There are no questions in it."]


def test_a_question_without_words_is_skipped():
    haul = read([{"question": " ", "answer": "x"}])

    assert haul.questions[0].draft is None
    assert haul.questions[0].remarks[0].place == "question 1"


def test_json_lines_are_read_without_complaint():
    text = '{"question": "A?", "answer": "b"}\n{"question": "C?", "answer": "d"}\n'

    assert len(drafts(text)) == 2
    assert said(read(text)) == []


def test_a_truncated_file_gives_the_questions_that_are_whole():
    haul = read(PLAIN[:-40])

    assert [question.draft.stem[:4] for question in haul.questions if question.draft] == ["What"]
    assert "no complete JSON" in said(haul)[0]


def test_broken_objects_are_given_up_after_a_while():
    haul = read('{"question": ' * 200)

    assert haul.questions == ()


def test_a_file_nested_too_deeply_is_refused():
    assert said(read("[" * 100_000))[0] == "The file is nested too deeply."


def test_too_many_questions_are_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opentdb, "MOST_QUESTIONS", 1)

    haul = read(PLAIN)

    assert len(haul.questions) == 1
    assert haul.remarks[0].place == "question 2"


def test_sniffing_looks_at_the_content():
    assert opentdb.sniff(source(PLAIN)) == 0.98
    assert opentdb.sniff(source('[{"Question": 1}]', "x.json")) == 0.9
    assert opentdb.sniff(source('[{"Question": 1}]', "x.txt")) == 0.8
    assert opentdb.sniff(source("[1]", "x.json")) == 0.3
    assert opentdb.sniff(source("[1]", "x.txt")) == 0.0
    assert opentdb.sniff(source("Why?", "x.json")) == 0.0


@given(mutated(PLAIN.encode(), b'[{"question": "a", "answers": [{"text": "x"}, 3]}]'))
@settings(max_examples=150, deadline=None)
def test_anything_is_survived(content: bytes):
    survived(opentdb, content, "x.json")


@pytest.mark.parametrize("variant", damaged(PLAIN.encode()))
def test_damaged_files_are_survived(variant: bytes):
    survived(opentdb, variant)


@NEED_CORPUS
@pytest.mark.parametrize(
    ("path", "found", "imported"),
    [("json/002-opentdb-full.json", 5250, 5250), ("json/004-arabic-trivia.json", 1751, 1749)],
)
def test_the_corpus_is_read(path: str, found: int, imported: int):
    result = brought(path)

    assert (result.found, result.questions) == (found, imported)
