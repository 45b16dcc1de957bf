import pytest
from hypothesis import given, settings

from bot.drafts import Draft
from bot.formats import mdbook, task_lists
from bot.formats.findings import Haul
from tests.helpers.foreign import NEED_CORPUS, brought, damaged, mutated, said, source, survived

PLAIN = """\
## Git

#### Q1. Which one?

`git x`

- [ ] one
- [x] two

**Explanation:** because

[Reference](https://example.org)

#### Q2. Which code?

- [ ] A

```java
# no heading
- [x] no option
```

- [x] B

```java
b();
```

Reference
"""


def read(text: str) -> Haul:
    return task_lists.read(source(text, "quiz.md"))


def drafts(text: str) -> list[Draft]:
    return [question.draft for question in read(text).questions if question.draft]


def test_a_heading_asks_and_boxes_answer():
    first = drafts(PLAIN)[0]

    assert first.stem == "Which one?\n\n`git x`"
    assert [(o.text, o.is_key) for o in first.options] == [("one", False), ("two", True)]
    assert first.rationale == "because\n\n[Reference](https://example.org)"
    assert first.line == 3


def test_code_below_an_option_belongs_to_it_and_is_not_looked_into():
    second = drafts(PLAIN)[1]

    assert [o.text for o in second.options] == [
        "A\n\n```java\n# no heading\n- [x] no option\n```",
        "B\n\n```java\nb();\n```",
    ]
    assert second.rationale == "Reference"


def test_the_heading_above_all_is_the_title():
    assert read(PLAIN).title == "Git"


def test_indented_lines_continue_an_option():
    (draft,) = drafts("# Why?\n- [ ] a\n      more\n- [x] b\n  ![x](y.png)\n\nSo\n")

    assert [o.text for o in draft.options] == ["a\nmore", "b\n![x](y.png)"]
    assert draft.rationale == "So"


def test_pictures_that_are_not_there_are_named():
    haul = read("# Why ![](a/b.png)?\n- [x] ![](https://c.d/e.png)\n- [ ] b\n")

    assert said(haul) == ["The picture a/b.png is not in the file."]


def test_boxes_have_many_signs():
    (draft,) = drafts("### प्रश्न 5. क्यों?\n* [X] a\n* [ ] b\n1. [*] c\n+ [] d\n")

    assert draft.stem == "क्यों?"
    assert [o.is_key for o in draft.options] == [True, False, True, False]


def test_an_option_without_words_is_left_out_and_named():
    haul = read("# Why?\n- [x] a\n- [ ] b\n- [ ]\n")

    assert said(haul) == ["Option 3 has no text."]


def test_lists_without_headings_are_asked_by_the_paragraph_above():
    haul = read("Intro\n\nWhy\nis it?\n\n- [x] a\n- [ ] b\n\nBecause.\n\nWho?\n- [ ] c\n- [x] d\n")

    assert [draft.stem for draft in (q.draft for q in haul.questions) if draft] == [
        "Why\n\nis it?",
        "Who?",
    ]
    assert [one.excerpt for one in haul.remarks] == ["Intro"]


def test_a_numbered_heading_without_options_is_skipped_and_another_one_is_only_text():
    haul = read("# Part\n## Q1. Why?\ntext\n## Notes\nabc\n## Q2. Who?\n- [x] a\n- [ ] b\n")

    assert [bool(question.draft) for question in haul.questions] == [False, True]
    assert [one.excerpt for one in haul.remarks] == ["## Notes", "abc"]


def test_a_list_below_nothing_is_skipped():
    haul = read("- [x] a\n- [ ] b\n")

    assert haul.questions[0].draft is None
    assert said(read("Hello\n")) == [
        "The text belongs to no question.",
        "There are no questions in it.",
    ]


def test_a_fence_ends_only_with_its_own_sign():
    (draft,) = drafts("# Why?\n````\n```\n~~~\n````\n- [x] a\n- [ ] b\n")

    assert draft.stem == "Why?\n\n````\n```\n~~~\n````"


def test_sniffing_needs_boxes():
    assert task_lists.sniff(source(PLAIN)) == 0.85
    assert task_lists.sniff(source("Why?\n- [x] a\n- [ ] b\n")) == 0.7
    assert task_lists.sniff(source("---\nid: x\n---\n# Why?\n- [x] a\n- [ ] b\n")) == 0.0
    assert task_lists.sniff(source("# Why?\n- a\n")) == 0.0


@given(mutated(PLAIN.encode(), b"Why?\n- [x] a\n```\n- [ ] b\n"))
@settings(max_examples=200, deadline=None)
def test_anything_is_survived(content: bytes):
    survived(task_lists, content)


@pytest.mark.parametrize("variant", damaged(PLAIN.encode()))
def test_damaged_lists_are_survived(variant: bytes):
    survived(task_lists, variant)


@NEED_CORPUS
@pytest.mark.parametrize(
    ("path", "found", "imported", "waiting"),
    [
        ("markdown/004-linkedin-git.md", 169, 167, 1),
        ("markdown/006-linkedin-android-hi.md", 77, 76, 0),
        ("markdown/007-mdbook-quiz.toml", 3, 2, 0),
    ],
)
def test_the_corpus_is_read(path: str, found: int, imported: int, waiting: int):
    result = brought(path)

    assert (result.found, result.questions, len(result.waiting)) == (found, imported, waiting)


# mdbook-quiz

TOML = """\
[[questions]]
type = "MultipleChoice"
prompt.prompt = "Which?"
prompt.distractors = ["a", "c"]
answer.answer = ["b", "d"]
context = "because"

[[questions]]
type = "ShortAnswer"
prompt.prompt = "Word?"
answer.answer = "mut"
answer.alternatives = ["mutable"]

[[questions]]
type = "Tracing"
prompt.program = "fn main() {}"
"""


def test_mdbook_quizzes_are_read():
    choice, short, tracing = mdbook.read(source(TOML)).questions

    assert choice.draft
    assert short.draft
    assert [(o.text, o.is_key) for o in choice.draft.options] == [
        ("a", False), ("b", True), ("c", False), ("d", True),
    ]  # fmt: skip
    assert (short.draft.accepted, choice.draft.rationale) == (("mut", "mutable"), "because")
    assert tracing.draft is None
    assert mdbook.sniff(source(TOML)) == 0.95
    assert mdbook.sniff(source("[questions]")) == 0.0


@pytest.mark.parametrize("text", ["[[questions]]\nprompt = 1", "questions = [1]", "questions = 2"])
def test_other_toml_has_no_questions(text: str):
    assert all(question.draft is None for question in mdbook.read(source(text)).questions)


def test_broken_toml_is_reported_at_once():
    assert said(mdbook.read(source("[[questions]]\n" + "1. " * 200_000))) == [
        "The file is no TOML."
    ]
    assert "no TOML" in said(mdbook.read(source("[[questions]")))[0]


@given(mutated(TOML.encode()))
@settings(max_examples=100, deadline=None)
def test_any_toml_is_survived(content: bytes):
    survived(mdbook, content)
