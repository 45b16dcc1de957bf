"""Grades, from 0 to 1."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.grading import LONGEST, best, fits, grade, worth
from bot.items import Item, ShortText
from bot.submissions import Chosen, Submission, Typed
from tests.helpers.samples import CHOICE, ITEMS, MULTI, NUMBER, SHORT, TRUE


def chosen(*places: int) -> Chosen:
    return Chosen(frozenset(places))


ACCENTED = replace(SHORT, accepted=("café au lait",))


@pytest.mark.parametrize(
    ("item", "submission", "expected"),
    [
        (CHOICE, chosen(1), 1.0),
        (CHOICE, chosen(0), 0.0),
        (TRUE, chosen(0), 1.0),
        (TRUE, chosen(1), 0.0),
        (MULTI, chosen(0, 2), 1.0),
        (MULTI, chosen(0), 0.5),
        (MULTI, chosen(0, 1), 0.0),
        (MULTI, chosen(0, 1, 2, 3), 0.0),
        (MULTI, chosen(1, 3), 0.0),
        (NUMBER, Typed("3.14"), 1.0),
        (NUMBER, Typed(" 3,15 "), 1.0),
        (NUMBER, Typed("3.16"), 0.0),
        (NUMBER, Typed("pi"), 0.0),
        (SHORT, Typed("  LEARNING\u00a0 rate "), 1.0),
        (SHORT, Typed("step size."), 1.0),
        (SHORT, Typed("ｓｔｅｐ　ｓｉｚｅ"), 1.0),
        (SHORT, Typed("learningrate"), 0.0),
        (ACCENTED, Typed("cafe au lait"), 0.0),
        (ACCENTED, Typed("cafe\u0301 au lait"), 1.0),
        (replace(ACCENTED, any_accents=True), Typed("Cafe au lait"), 1.0),
        (NUMBER, chosen(0), 0.0),
    ],
)
def test_an_answer_earns_its_grade(item: Item, submission: Submission, expected: float):
    assert grade(item, submission) == expected


@pytest.mark.parametrize(
    ("typed", "typos", "expected"),
    [
        ("learnign rate", 1, 1.0),
        ("learning rat", 1, 1.0),
        ("learning ratex", 1, 1.0),
        ("leaning rite", 1, 0.0),
        ("leaning rite", 2, 1.0),
        ("learnign rate", 0, 0.0),
        ("rate", 2, 0.0),
    ],
)
def test_typos_are_forgiven_as_far_as_the_author_allows(typed: str, typos: int, expected: float):
    assert grade(replace(SHORT, typos=typos), Typed(typed)) == expected


@pytest.mark.parametrize(
    ("item", "submission", "fit"),
    [
        (CHOICE, chosen(2), True),
        (CHOICE, chosen(3), False),
        (CHOICE, chosen(0, 1), False),
        (CHOICE, chosen(), False),
        (TRUE, chosen(1), True),
        (TRUE, chosen(2), False),
        (MULTI, chosen(0, 3), True),
        (MULTI, chosen(), False),
        (MULTI, chosen(4), False),
        (NUMBER, Typed("1e-3"), True),
        (NUMBER, Typed("many"), False),
        (SHORT, Typed("x"), True),
        (SHORT, Typed("  "), False),
        (SHORT, Typed("x" * (LONGEST + 1)), False),
        (SHORT, chosen(0), False),
    ],
)
def test_what_cannot_be_an_answer_does_not_fit(item: Item, submission: Submission, fit: bool):  # noqa: FBT001
    assert fits(item, submission) is fit


def test_an_answer_in_the_other_language_is_right_too():
    other = replace(SHORT, accepted=("laju pembelajaran",))

    assert best((SHORT, other), Typed("Laju pembelajaran")) == 1.0


SUBMISSIONS = st.frozensets(st.integers(0, 5), max_size=6).map(Chosen) | st.text().map(Typed)


@given(st.sampled_from(ITEMS), SUBMISSIONS)
def test_every_grade_lies_between_nothing_and_everything(item: Item, submission: Submission):
    assert 0 <= grade(item, submission) <= 1


@given(st.text(min_size=1, max_size=20).filter(str.strip))
def test_an_accepted_text_is_always_accepted(text: str):
    item = ShortText(id=SHORT.id, stem=SHORT.stem, accepted=(text,))

    assert grade(item, Typed(text)) == 1.0


@given(st.frozensets(st.integers(0, 3)), st.integers(0, 3))
def test_one_more_right_option_never_earns_less(places: frozenset[int], more: int):
    better = places | ({more} & MULTI.keys)

    assert grade(MULTI, Chosen(better)) >= grade(MULTI, Chosen(places))


HALF = replace(CHOICE.options[0], weight=0.5)
WEIGHED = replace(
    MULTI,
    options=tuple(
        replace(option, weight=weight)
        for option, weight in zip(MULTI.options, (0.6, -0.25, 0.4, None), strict=True)
    ),
)


@pytest.mark.parametrize(
    ("item", "submission", "expected"),
    [
        (replace(CHOICE, options=(HALF, *CHOICE.options[1:])), chosen(0), 0.5),
        (replace(CHOICE, options=(HALF, *CHOICE.options[1:])), chosen(1), 1.0),
        (WEIGHED, chosen(0), 0.6),
        (WEIGHED, chosen(0, 2), 1.0),
        (WEIGHED, chosen(0, 1), 0.35),
        (WEIGHED, chosen(1), 0.0),
        (WEIGHED, chosen(0, 3), 0.1),
        (replace(SHORT, credits=(1.0, 0.75)), Typed("step size"), 0.75),
        (replace(SHORT, credits=(1.0, 0.75)), Typed("learning rate"), 1.0),
        (replace(NUMBER, credits=(0.5,)), Typed("3.14"), 0.5),
    ],
)
def test_weights_of_the_author_count(item: Item, submission: Submission, expected: float):
    assert grade(item, submission) == expected


def test_an_option_that_does_not_exist_earns_nothing():
    assert grade(CHOICE, chosen(1, 9)) == 1.0
    assert [worth(TRUE, 0), worth(TRUE, 1), worth(MULTI, 1), worth(CHOICE, 0)] == [1, 0, -0.5, 0]


def test_credits_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="2 credits do not fit 1 accepted answers"):
        replace(NUMBER, credits=(1.0, 0.5))
