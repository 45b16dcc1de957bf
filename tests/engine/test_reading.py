"""What people type, as answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.items import Item
from bot.reading import letter, read
from bot.submissions import Chosen, Typed, dump, load
from tests.helpers.samples import CHOICE, ITEMS, MULTI, NUMBER, SHORT, TRUE

SHUFFLED = {CHOICE.id: (2, 0, 1), MULTI.id: (3, 2, 1, 0), TRUE.id: (0, 1)}


@pytest.mark.parametrize(
    ("item", "typed", "places"),
    [
        (CHOICE, "A", {2}),
        (CHOICE, " b. ", {0}),
        (CHOICE, "c)", {1}),
        (CHOICE, "3", {1}),
        (CHOICE, "  JAKARTA ", {1}),
        (CHOICE, "D", None),
        (CHOICE, "4", None),
        (CHOICE, "0", None),
        (CHOICE, "Paris", None),
        (CHOICE, "é", None),
        (MULTI, "A, C", {3, 1}),
        (MULTI, "ac", {3, 1}),
        (MULTI, "A dan B", {3, 2}),
        (MULTI, "a and b", {3, 2}),
        (MULTI, "2", {0}),
        (MULTI, "11, 9", {2, 1}),
        (MULTI, "D", {0}),
        (MULTI, "A X", None),
        (MULTI, ",", None),
        (TRUE, "a", {0}),
        (TRUE, "B", {1}),
        (TRUE, "benar", {0}),
        (TRUE, "True", {0}),
        (TRUE, "2", {1}),
        (TRUE, "salah", {1}),
        (TRUE, "maybe", None),
    ],
)
def test_options_are_chosen_by_letter_number_or_text(
    item: Item, typed: str, places: set[int] | None
):
    expected = None if places is None else Chosen(frozenset(places))

    assert read(typed, item, SHUFFLED[item.id]) == expected


def test_words_and_numbers_are_taken_as_typed():
    assert read(" Learning Rate ", SHORT, ()) == Typed("Learning Rate")
    assert read("3,14", NUMBER, ()) == Typed("3,14")


@given(st.sampled_from(ITEMS), st.text())
def test_whatever_is_typed_is_read_or_refused(item: Item, typed: str):
    order = SHUFFLED.get(item.id, ())

    submission = read(typed, item, order)

    assert submission is None or load(dump(submission)) == submission


def test_nothing_typed_is_no_answer():
    assert read("  ", CHOICE, (0, 1, 2)) is None
    assert letter(2) == "C"
