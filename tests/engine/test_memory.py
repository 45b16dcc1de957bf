"""Memory: what FSRS makes of somebody's responses, and that it is FSRS and nothing else."""

import sys
from datetime import UTC, date, datetime, timedelta
from subprocess import run
from zoneinfo import ZoneInfo

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agenda import FEWEST, LIMIT, MOST, agenda, fitting, mistakes
from bot.ids import ItemId, PackId
from bot.memory import (
    ENOUGH,
    Card,
    Key,
    Rating,
    Trace,
    cards,
    day_of,
    rated,
    rating,
    seconds_each,
)
from tests.helpers.learner import DAYS, PACKS, Learner

UTC_ZONE = ZoneInfo("UTC")
NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
KEY: Key = (PackId("p"), ItemId("i"))
GRADES = st.sampled_from([0.0, 0.5, 1.0])
SECONDS = st.floats(0, 600)
GAPS = st.sampled_from([0.01, 3.0, 24.0, 50.0, 5000.0])
UNSURE = st.sampled_from([None, True, False])


def trace(grade: float = 1.0, *, hours: float = 0.0, item: str = "i", **more: object) -> Trace:
    at = NOON + timedelta(hours=hours)
    return Trace(pack=PackId("p"), item=ItemId(item), grade=grade, at=at, **more)  # type: ignore[arg-type]


def choice(*_: object) -> str:
    return "Choice"


@st.composite
def histories(draw: st.DrawFn) -> list[Trace]:
    """Responses to one item over days, or several on one day."""
    hours = 0.0
    found = []
    for gap in draw(st.lists(st.sampled_from([0.01, 3.0, 24.0, 50.0, 700.0]), max_size=12)):
        hours += gap
        found.append(trace(draw(GRADES), hours=hours, elapsed=draw(SECONDS), unsure=draw(UNSURE)))
    return found


def interval(traces: list[Trace]) -> int:
    return cards(traces, choice, UTC_ZONE)[KEY].interval


# ------------------------------------------------------------ the rule


@pytest.mark.parametrize(
    ("grade", "more", "expected"),
    [
        (0.0, {}, Rating.AGAIN),
        (0.0, {"unsure": True}, Rating.AGAIN),
        (0.0, {"elapsed": 0.1}, Rating.AGAIN),
        (0.5, {}, Rating.HARD),
        (0.5, {"elapsed": 0.1}, Rating.HARD),
        (1.0, {}, Rating.GOOD),
        (1.0, {"unsure": False}, Rating.GOOD),
        (1.0, {"unsure": True, "elapsed": 0.1}, Rating.HARD),
        (1.0, {"elapsed": 4.9}, Rating.EASY),
        (1.0, {"elapsed": 5.0}, Rating.GOOD),
        (1.0, {"elapsed": 9999.0}, Rating.GOOD),
        (1.0, {"elapsed": 0.0}, Rating.GOOD),
    ],
)
def test_the_rule_is_as_it_is_written_down(grade: float, more: dict[str, object], expected: Rating):
    assert rating(trace(grade, **more), usual=10.0) is expected


def test_without_a_usual_time_nothing_is_quick():
    assert rating(trace(elapsed=0.1), usual=None) is Rating.GOOD


def test_an_item_that_was_answered_the_same_day_is_not_easy_for_being_quick():
    assert rating(trace(elapsed=0.1), usual=10.0, repeated=True) is Rating.GOOD


@given(
    one=GRADES,
    other=GRADES,
    elapsed=SECONDS,
    usual=st.none() | SECONDS,
    unsure=UNSURE,
    again=st.booleans(),
)
def test_a_better_grade_is_never_rated_worse(
    one: float,
    other: float,
    elapsed: float,
    usual: float | None,
    *,
    unsure: bool | None,
    again: bool,
):
    low, high = sorted((one, other))
    given_ = {"elapsed": elapsed, "unsure": unsure}

    worse = rating(trace(low, **given_), usual=usual, repeated=again)
    better = rating(trace(high, **given_), usual=usual, repeated=again)

    assert worse <= better


def test_the_usual_time_is_ones_own_for_that_kind_and_is_learned_from_right_answers():
    before = [trace(hours=n, item=f"n{n}", elapsed=10.0) for n in range(ENOUGH)]
    wrong = [trace(0.0, hours=n, item=f"w{n}", elapsed=0.1) for n in range(9)]
    quick = trace(hours=50, elapsed=4.0)

    known = rated([*before, *wrong, quick], choice, UTC_ZONE)[-1]
    unknown = rated([*before[1:], *wrong, quick], choice, UTC_ZONE)[-1]
    other = rated([*before, quick], lambda _, item: item[0], UTC_ZONE)[-1]

    assert [known[2], unknown[2], other[2]] == [Rating.EASY, Rating.GOOD, Rating.GOOD]


@given(histories(), histories())
def test_a_rating_depends_on_what_came_before_only(past: list[Trace], future: list[Trace]):
    later = [trace(one.grade, hours=9999 + n, elapsed=1.0) for n, one in enumerate(future)]

    alone = rated(past, choice, UTC_ZONE)

    assert rated([*past, *later], choice, UTC_ZONE)[: len(alone)] == alone


# ------------------------------------------------------------ what FSRS makes of it


@given(histories().filter(bool), GAPS, SECONDS)
def test_a_wrong_answer_never_lengthens_an_interval(past: list[Trace], gap: float, elapsed: float):
    hours = (past[-1].at - NOON).total_seconds() / 3600 + gap

    after = [*past, trace(0.0, hours=hours, elapsed=elapsed)]

    assert interval(after) <= interval(past)


@given(past=histories().filter(bool), gap=GAPS, elapsed=SECONDS, unsure=UNSURE)
def test_one_more_right_answer_never_shortens_an_interval(
    past: list[Trace], gap: float, elapsed: float, *, unsure: bool | None
):
    hours = (past[-1].at - NOON).total_seconds() / 3600 + gap

    after = [*past, trace(1.0, hours=hours, elapsed=elapsed, unsure=unsure)]

    assert interval(after) >= interval(past)


@given(histories().filter(bool), GRADES, GRADES)
def test_a_better_last_answer_never_comes_back_sooner(past: list[Trace], one: float, other: float):
    low, high = sorted((one, other))
    hours = (past[-1].at - NOON).total_seconds() / 3600 + 30

    worse, better = ([*past, trace(grade, hours=hours)] for grade in (low, high))

    assert interval(worse) <= interval(better)


@given(st.permutations(range(6)))
def test_the_order_in_which_responses_are_listed_does_not_matter(order: list[int]):
    past = [trace(n % 2, hours=30 * n, elapsed=n) for n in range(6)]

    assert cards([past[n] for n in order], choice, UTC_ZONE) == cards(past, choice, UTC_ZONE)


def test_an_item_that_exists_no_more_has_no_card_and_leaves_no_trace_in_others():
    past = [trace(hours=n, item=f"n{n % 3}", elapsed=9.0) for n in range(12)]

    kept = cards(past, lambda _, item: None if item == "n1" else "Choice", UTC_ZONE)

    without = [one for one in past if one.item != "n1"]
    assert kept == cards(without, choice, UTC_ZONE)
    assert {item for _, item in kept} == {"n0", "n2"}


def test_days_are_those_of_ones_own_calendar():
    jakarta = ZoneInfo("Asia/Jakarta")
    late = trace(hours=6)  # 18:00 in London, 01:00 of the next day in Jakarta

    (here,) = cards([late], choice, UTC_ZONE).values()
    (there,) = cards([late], choice, jakarta).values()

    assert (here.last, there.last) == (date(2026, 3, 4), date(2026, 3, 5))
    assert (there.due - here.due).days == 1
    assert day_of(late.at, jakarta) == date(2026, 3, 5)


def test_reviewing_a_little_earlier_each_day_still_counts_as_another_day():
    daily = [trace(hours=23.5 * n) for n in range(4)]

    assert interval(daily) > interval(daily[:1])


# ------------------------------------------------------------ a learner over ninety days


def directly(learner: Learner) -> dict[Key, fsrs.Card]:
    """Drive the package itself with the ratings that the learner's responses were given."""
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    found: dict[Key, fsrs.Card] = {}
    for one, day, how in rated(learner.traces, choice, UTC_ZONE):
        key = (one.pack, one.item)
        then = datetime(day.year, day.month, day.day, tzinfo=UTC)
        card = found.get(key) or fsrs.Card(card_id=1, due=then)
        found[key], _ = scheduler.review_card(card, fsrs.Rating(how.value), then)
    return found


def test_ninety_days_agree_with_the_package_driven_directly():
    learner = Learner(seed=7)

    days = [learner.live(day) for day in range(DAYS)]

    ours, theirs = cards(learner.traces, choice, UTC_ZONE), directly(learner)
    assert {key: (card.due, card.stability) for key, card in ours.items()} == {
        key: (card.due.date(), card.stability) for key, card in theirs.items()
    }
    assert len(ours) == sum(PACKS.values())
    assert [day.due for day in days] == [day.expected for day in days]
    assert sum(day.reviewed for day in days) > 300
    retained = sum(day.right for day in days) / sum(day.reviewed for day in days)
    assert 0.84 <= retained <= 0.96


def test_the_learner_meets_every_pack_in_turns_most_urgent_first():
    learner = Learner(seed=7)
    for day in range(20):
        learner.live(day)

    due = agenda(
        cards(learner.traces, choice, UTC_ZONE).values(), now=learner.noon(20), zone=UTC_ZONE
    ).due

    forgotten = [(learner.noon(20).date() - card.last).days / card.stability for card in due]
    assert forgotten == sorted(forgotten, reverse=True)
    assert len({card.pack for card in due[:6]}) > 1


# ------------------------------------------------------------ the agenda


def card(item: str, *, due: int, grade: float = 1.0, ago: float = 2.0, **more: object) -> Card:
    at = NOON - timedelta(days=ago)
    fields = {"stability": 3.0, **more}
    return Card(
        pack=PackId("p"),
        item=ItemId(item),
        grade=grade,
        at=at,
        last=at.date(),
        due=NOON.date() + timedelta(days=due),
        **fields,  # type: ignore[arg-type]
    )


def test_what_is_due_by_today_is_listed_and_tomorrow_is_counted():
    found = agenda(
        [card("a", due=-3), card("b", due=0), card("c", due=1), card("d", due=9)],
        now=NOON,
        zone=UTC_ZONE,
    )

    assert {one.item for one in found.due} == {"a", "b"}
    assert found.tomorrow == 1
    assert [one.item for one in found.later] == ["c", "d"]


def test_what_is_equally_urgent_is_mixed_by_the_seed_alone():
    same = [card(f"i{n}", due=0) for n in range(20)]
    orders = [
        [one.item for one in agenda(given_, now=NOON, zone=UTC_ZONE, seed=seed).due]
        for given_, seed in ((same, 1), (same[::-1], 1), (same, 2))
    ]

    assert orders[0] == orders[1] != orders[2]


def test_mistakes_are_recent_latest_first_and_at_most_twenty():
    many = [card(f"i{n:02}", due=1, grade=0.0, ago=n) for n in range(40)]
    right = card("r", due=1, ago=0)

    found = mistakes([*many, right], now=NOON)

    assert [one.item for one in found] == [f"i{n:02}" for n in range(20)]
    assert mistakes([card("old", due=1, grade=0.5, ago=31)], now=NOON) == []
    assert len(mistakes([card("half", due=1, grade=0.5, ago=30)], now=NOON)) == 1


@given(st.none() | st.floats(0.1, 5000), st.none() | st.integers(1, 120))
def test_a_review_is_neither_empty_nor_endless(each: float | None, minutes: int | None):
    count = fitting(each, minutes)

    assert FEWEST <= count <= MOST if minutes is None else 1 <= count <= LIMIT


def test_a_quick_person_gets_more_in_five_minutes():
    assert (fitting(None), fitting(5.0), fitting(60.0), fitting(5.0, 2)) == (10, 20, 5, 8)


def test_ones_pace_is_the_median_of_what_was_timed():
    timed = [trace(hours=n, elapsed=e) for n, e in enumerate((0.0, 4.0, 6.0, 900.0))]

    assert seconds_each(timed) == 6.0
    assert seconds_each([trace()]) is None


def test_fsrs_is_loaded_only_when_it_is_needed_and_brings_nothing_heavy():
    code = (
        "import sys, bot.desk, adapters.cli; assert 'fsrs' not in sys.modules;"
        "import fsrs; assert not {'torch', 'numpy', 'pandas'} & set(sys.modules)"
    )

    done = run([sys.executable, "-c", code], check=False, capture_output=True)  # noqa: S603

    assert done.returncode == 0, done.stderr.decode()
