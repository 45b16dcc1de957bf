"""Draws follow from their seed."""

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.draw import draw, option_order
from bot.ids import ItemId
from bot.packs import Pack
from tests.helpers.samples import CHOICE, ITEMS, MULTI, NUMBER, TRUE, edition, option, pack

SEEDS = st.integers(0, 2**63)


@given(SEEDS, st.integers(1, 9))
def test_the_same_seed_draws_the_same_items(seed: int, count: int):
    once, again = (draw(pack(), seed=seed, count=count) for _ in range(2))

    assert once == again
    assert len(once.items) == len(set(once.items)) == min(count, len(ITEMS))


@given(SEEDS)
def test_nothing_repeats_until_everything_was_asked(seed: int):
    asked: Counter[ItemId] = Counter()

    for turn in range(10):
        asked.update(draw(pack(), seed=seed + turn, count=1, asked=asked).items)
        assert max(asked.values()) - min(asked[item.id] for item in ITEMS) <= 1

    assert set(asked.values()) == {2}


def test_different_seeds_draw_different_orders():
    orders = {draw(pack(), seed=seed).items for seed in range(50)}

    assert len(orders) > 20


def test_a_pick_can_be_limited_to_what_was_missed():
    missed = frozenset({MULTI.id, TRUE.id})

    assert set(draw(pack(), seed=1, only=missed).items) == missed


@given(SEEDS)
def test_items_keep_the_order_of_the_file_when_asked_to(seed: int):
    fixed = Pack(editions=(edition(shuffle=False),))
    in_file = tuple(item.id for item in ITEMS)

    assert draw(pack(), seed=seed, keep_order=True).items == in_file
    assert draw(fixed, seed=seed).items == in_file


def test_options_are_shuffled_evenly():
    first = Counter(option_order([CHOICE], seed=seed, keep_order=False)[0] for seed in range(600))

    assert set(first) == {0, 1, 2}
    assert min(first.values()) > 150


@given(SEEDS)
def test_options_keep_their_order_where_shuffling_would_spoil_them(seed: int):
    leaning = replace(CHOICE, options=(option("One"), option("Two"), option("All of the above")))
    other = replace(CHOICE, options=(option("Satu"), option("Dua"), option("Tiga")))

    assert option_order([TRUE], seed=seed, keep_order=False) == (0, 1)
    assert option_order([NUMBER], seed=seed, keep_order=False) == ()
    assert option_order([CHOICE], seed=seed, keep_order=True) == (0, 1, 2)
    assert option_order([leaning], seed=seed, keep_order=False) == (0, 1, 2)
    assert option_order([other, leaning], seed=seed, keep_order=False) == (0, 1, 2)
