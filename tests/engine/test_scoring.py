"""Points and places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ids import ParticipantId
from bot.modes import Mode, Rules
from bot.scoring import Standing, points, rank, rank_by_accuracy

PLAIN = Rules(mode=Mode.LIVE)
FAST = Rules(mode=Mode.LIVE, speed_bonus=True)
STREAK = Rules(mode=Mode.SOLO, streak_bonus=True)


def standing(name: str, points: int, **more: float) -> Standing:
    fields = {"correct": points / 100, "answered": 10, **more}
    return Standing(participant=ParticipantId(name), name=name, points=points, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "grade", "elapsed", "streak", "earned"),
    [
        (PLAIN, 1.0, 1, 9, 100),
        (PLAIN, 0.5, 29, 0, 50),
        (PLAIN, 0.0, 0, 0, 0),
        (FAST, 1.0, 0, 0, 150),
        (FAST, 1.0, 15, 0, 125),
        (FAST, 1.0, 30, 0, 100),
        (FAST, 1.0, 99, 0, 100),
        (FAST, 0.5, 0, 0, 75),
        (FAST, 0.0, 0, 3, 0),
        (STREAK, 1.0, 5, 0, 100),
        (STREAK, 1.0, 5, 2, 120),
        (STREAK, 1.0, 5, 50, 150),
        (STREAK, 0.5, 5, 3, 50),
    ],
)
def test_points_follow_the_rules(
    rules: Rules, grade: float, elapsed: float, streak: int, earned: int
):
    assert points(grade, rules, elapsed=elapsed, allowed=30, streak=streak) == earned


def test_an_item_without_a_limit_has_no_speed_bonus():
    assert points(1.0, FAST, elapsed=0, allowed=0, streak=0) == 100


@given(st.floats(0, 1), st.floats(0, 60), st.floats(0, 60))
def test_being_faster_never_earns_less(grade: float, one: float, other: float):
    fast, slow = sorted((one, other))

    earned = [points(grade, FAST, elapsed=t, allowed=30, streak=0) for t in (fast, slow)]

    assert earned[0] >= earned[1]


def test_equal_points_share_a_place_and_the_next_place_is_left_out():
    rows = rank([standing("d", 100), standing("a", 300), standing("C", 200), standing("b", 200)])

    assert [(row.place, row.name) for row in rows] == [(1, "a"), (2, "b"), (2, "C"), (4, "d")]


def test_time_breaks_a_tie_only_where_speed_is_part_of_the_game():
    slow, fast = standing("slow", 200, seconds=9), standing("fast", 200, seconds=3)

    assert [row.place for row in rank([slow, fast])] == [1, 1]
    assert [(row.place, row.name) for row in rank([slow, fast], by_time=True)] == [
        (1, "fast"),
        (2, "slow"),
    ]


def test_accuracy_ranks_by_share_then_by_how_much_was_answered():
    rows = rank_by_accuracy(
        [
            standing("half", 500, correct=5.0),
            standing("few", 200, correct=2.0, answered=2),
            standing("many", 900, correct=9.0, answered=9),
            standing("none", 0, correct=0.0, answered=0),
        ]
    )

    assert [(row.place, row.name) for row in rows] == [
        (1, "many"),
        (2, "few"),
        (3, "half"),
        (4, "none"),
    ]
