"""What answers say about their items, against an independent computation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.analysis import (
    Doubt,
    Misconception,
    analyse,
    correlation,
    hardest,
    mastered,
    misconceptions,
    wilson,
)
from bot.ids import ItemId, PackId, ParticipantId
from bot.items import Choice, Item
from bot.records import Answer, Latest
from bot.submissions import Chosen, Typed
from tests.helpers.learning import answered, items
from tests.helpers.samples import MULTI, SHORT, TRUE, option


def by_id(*found: Item) -> dict[ItemId, Item]:
    return {item.id: item for item in found}


def answer(who: int, item: str, place: int, *, right: bool, seconds: float = 5.0) -> Answer:
    return Answer(
        participant=ParticipantId(f"p{who:03}"),
        item=ItemId(item),
        submission=Chosen(frozenset({place})),
        grade=float(right),
        seconds=seconds,
    )


def test_ten_thousand_answers_are_analysed_as_numpy_does_it():
    answers = answered(250, 40)
    grades = np.zeros((250, 40))
    places = np.zeros((250, 40), dtype=int)
    seconds = np.zeros((250, 40))
    for at, one in enumerate(answers):
        cell = divmod(at, 40)
        grades[cell], seconds[cell] = one.grade, one.seconds
        (places[cell],) = one.submission.options  # type: ignore[union-attr]

    insights = analyse(answers, by_id(*items(40)))

    assert len(answers) == 10_000
    assert len(insights) == 40
    for number, one in enumerate(insights):
        own = grades[:, number]
        rest = grades.sum(axis=1) - own
        r = np.corrcoef(own, rest)[0, 1]
        assert one.discrimination
        assert one.discrimination.value == pytest.approx(r, abs=1e-9)
        spread = 1.959964 / np.sqrt(250 - 3)
        low, high = np.tanh(np.arctanh(r) + np.array([-spread, spread]))
        assert (one.discrimination.low, one.discrimination.high) == pytest.approx((low, high))
        assert one.difficulty.value == pytest.approx(own.mean())
        assert one.seconds == pytest.approx(np.median(seconds[:, number]))
        counts = np.bincount(places[:, number], minlength=4)
        assert [option.chosen for option in one.options] == counts.tolist()
        # means of other items differ by a constant only, so numpy's order of rests is ours
        surplus = (grades - grades.mean(axis=0)).sum(axis=1) - (own - own.mean())
        order = np.argsort(np.round(surplus / 39, 9), kind="stable")
        for group, name in ((order[:68], "lower"), (order[-68:], "upper")):
            counts = np.bincount(places[group, number], minlength=4)
            assert [getattr(option, name) for option in one.options] == counts.tolist()
        assert one.group == 68


@pytest.mark.parametrize("seed", range(8))
def test_a_wrong_key_among_forty_items_is_the_only_one_suspected(seed: int):
    answers = answered(250, 40, planted=17, seed=seed)

    insights = analyse(answers, by_id(*items(40)))

    suspected = {one.item: one.rival for one in insights if one.doubt}
    assert suspected == {"p17": 2}
    assert "p17" not in {one.item for one in hardest(insights, 40)}
    assert "p17" not in {one.item for one in misconceptions(insights, 40)}


@pytest.mark.parametrize("seed", range(4))
def test_without_a_wrong_key_none_is_suspected_in_a_small_class(seed: int):
    insights = analyse(answered(35, 40, seed=seed), by_id(*items(40)))

    assert [one.item for one in insights if one.doubt is Doubt.BACKWARDS] == []


def test_a_class_of_thirty_five_is_enough_to_find_a_wrong_key():
    insights = analyse(answered(35, 40, planted=5, seed=2), by_id(*items(40)))

    (suspected,) = [one for one in insights if one.doubt]
    assert (suspected.item, suspected.rival) == ("p05", 2)


def test_of_few_answers_nothing_is_claimed():
    insights = analyse(answered(9, 40), by_id(*items(40)))

    assert all(one.discrimination is None and one.group == 0 for one in insights)
    assert all(one.doubt is None and not one.dead for one in insights)
    assert hardest(insights, 3) == misconceptions(insights, 3) == ()


def test_who_has_answered_hardly_anything_else_is_not_compared():
    answers = [answer(who, item, 1, right=True) for who in range(20) for item in ("p00", "p01")]

    first, second = analyse(answers, by_id(*items(2)))

    assert (first.answered, first.discrimination, first.group) == (20, None, 0)
    assert second.difficulty.value == 1


def test_everybody_may_have_had_other_items():
    """Half of the people had twenty hard items, the others twenty easy ones: both count."""
    answers = [
        one
        for one in answered(200, 40, seed=3)
        if int(one.participant[-4:]) % 2 == int(one.item[1:]) // 20
    ]

    insights = analyse(answers, by_id(*items(40)))

    assert {one.answered for one in insights} == {100}
    found = [one.discrimination.value for one in insights if one.discrimination]
    assert 0.2 < np.mean(found) < 0.6


def test_an_answer_to_what_is_not_in_the_pack_is_left_out():
    assert analyse([answer(1, "gone", 0, right=False)], by_id(*items(2))) == ()


def test_distractors_that_nobody_chooses_are_dead_once_enough_have_answered():
    dead = [answer(who, "p00", 0 if who < 8 else 1, right=who >= 8) for who in range(40)]
    early = dead[:39]

    (enough,) = analyse(dead, by_id(*items(1)))
    (few,) = analyse(early, by_id(*items(1)))

    assert enough.dead == (2, 3)
    assert few.dead == ()


def test_items_with_several_keys_and_typed_ones_are_looked_at_too():
    answers = [
        replace(answer(who, "primes", 0, right=True), submission=Chosen(frozenset({0, 2})))
        for who in range(4)
    ]
    answers += [
        replace(answer(who, "rate", 0, right=who > 1), submission=Typed("eta")) for who in range(4)
    ]
    answers += [answer(who, "sky", 1, right=False) for who in range(4)]

    multi, short, true = analyse(answers, by_id(MULTI, SHORT, TRUE))

    assert [(o.chosen, o.key) for o in multi.options] == [
        (4, True),
        (0, False),
        (4, True),
        (0, False),
    ]
    assert (short.options, short.difficulty.value) == ((), 0.5)
    assert [(o.chosen, o.key) for o in true.options] == [(0, True), (4, False)]


def test_a_typed_item_that_the_better_ones_get_wrong_is_suspect_without_a_rival():
    answers = answered(100, 40, planted=0, seed=4)
    typed = [
        replace(one, item=ItemId("rate"), submission=Typed("x")) if one.item == "p00" else one
        for one in answers
    ]

    insights = analyse(typed, by_id(SHORT, *items(40)[1:]))

    (suspected,) = [one for one in insights if one.doubt]
    assert (suspected.item, suspected.doubt, suspected.rival) == ("rate", Doubt.BACKWARDS, None)


def test_a_key_is_suspect_where_only_the_best_prefer_something_else():
    """The crowd guesses the key, the upper group knows better; the correlation is unclear."""
    answers = [
        answer(who, f"p{number:02}", 1, right=number <= who % 10)
        for who in range(60)
        for number in range(1, 10)
    ]
    for who in range(60):
        place = 2 if who % 10 >= 8 else (1 if who % 10 >= 4 else 0)
        answers.append(answer(who, "p00", place, right=place == 1))

    (first, *_) = analyse(answers, by_id(*items(10)))

    assert (first.doubt, first.rival) == (Doubt.RIVAL, 2)
    assert first.discrimination
    assert first.discrimination.high > 0


def test_a_misconception_is_what_a_fifth_or_more_believe():
    answers = [answer(who, "p00", 0 if who < 3 else 1, right=who >= 3) for who in range(12)]
    answers += [answer(who, "p01", 0 if who < 2 else 1, right=who >= 2) for who in range(12)]

    found = misconceptions(analyse(answers, by_id(*items(2))), 5)

    assert found == (Misconception(item=ItemId("p00"), place=0, chosen=3, answered=12),)
    assert found[0].share == 0.25


def test_a_group_has_mastered_what_four_fifths_last_got_right():
    def last(people: int, right: int) -> Latest:
        return Latest(pack=PackId("p"), item=ItemId("i"), people=people, right=right)

    assert mastered([last(10, 8), last(10, 7), last(1, 1), last(2, 2), last(3, 2)]) == 2


def test_wilsons_interval_is_that_of_the_textbooks():
    found = wilson(0.3, 10)

    assert (found.low, found.high) == pytest.approx((0.1078, 0.6032), abs=1e-4)
    assert wilson(0.0, 5).low == pytest.approx(0)
    assert wilson(1.0, 5).high == pytest.approx(1)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(-5, 5)), max_size=60))
def test_a_correlation_lies_within_its_interval(pairs: list[tuple[float, float]]):
    found = correlation(pairs)

    if found:
        assert -1 <= found.low <= found.value + 1e-5
        assert found.value - 1e-5 <= found.high <= 1
    else:
        flat = len(pairs) < 4 or min(np.ptp(np.array(pairs), axis=0)) < 1e-5
        assert flat


def test_a_perfect_correlation_has_an_interval():
    found = correlation([(float(n % 2), float(n % 2)) for n in range(20)])

    assert found
    assert found.value == pytest.approx(1)
    assert found.low > 0.99


@given(st.integers(0, 10**6))
def test_the_order_of_answers_changes_nothing(seed: int):
    answers = answered(12, 5, seed=seed)
    shuffled = sorted(answers, key=lambda one: (one.seconds, one.item))

    by_order = analyse(answers, by_id(*items(5)))
    by_time = analyse(shuffled, by_id(*items(5)))

    for one, other in zip(by_order, by_time, strict=True):
        assert one.options == other.options
        assert one.difficulty.value == pytest.approx(other.difficulty.value)


def test_an_item_without_a_distractor_is_not_doubted():
    lonely = Choice(id=ItemId("p00"), stem=items(1)[0].stem, options=(option("only"),), key=0)
    answers = [
        replace(one, submission=Chosen(frozenset({0}))) if one.item == "p00" else one
        for one in answered(40, 10)
    ]

    (first, *_) = analyse(answers, by_id(lonely, *items(10)[1:]))

    assert (first.answered, first.doubt, first.rival) == (40, None, None)
