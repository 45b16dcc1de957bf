"""How somebody is doing, and how it is put into words."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ids import PackId, RoomId
from bot.posters import Poster, next_step, poster, told
from bot.progress import Move, Progress, Step, Subject, Sureness, Week
from bot.text import plain
from bot.wording import words
from tests.helpers.learning import PACKS, TODAY, diligent, progressed, step

EN, ID = words("en"), words("id")
WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)


def days_ago(days: float) -> datetime:
    return WEDNESDAY - timedelta(days=days)


def text(found: Poster) -> str:
    return "\n".join(map(plain, told(found)))


def test_nothing_has_been_answered_yet():
    found = progressed([])

    assert found == Progress(
        today=TODAY,
        step=Step(move=Move.NEW, pack=PackId("gradient"), title="Gradient accumulation", items=12),
    )
    assert found.accuracy == 0


def test_the_first_answer_of_a_week_counts_and_the_others_are_practice():
    taken = [
        step("gradient00", 0.0, days_ago(7)),
        step("gradient00", 1.0, days_ago(6.9)),
        step("gradient00", 1.0, days_ago(0)),
        step("gradient00", 1.0, days_ago(0), room=RoomId("other")),
        step("gradient01", 0.5, days_ago(0)),
    ]

    found = progressed(taken)

    assert (found.answered, found.right, found.points, found.sessions) == (4, 2.5, 250, 3)
    assert found.weeks == (
        Week(monday=date(2026, 2, 23), answered=1, right=0.0),
        Week(monday=date(2026, 3, 2), answered=3, right=2.5),
    )
    assert found.accuracy == 0.625


def test_weeks_have_no_gaps_and_older_ones_fall_out():
    found = progressed([step("gradient00", 1.0, days_ago(7 * weeks)) for weeks in (20, 3, 0)])

    assert [week.answered for week in found.weeks] == [1, 0, 0, 1]


def test_an_item_is_mastered_when_the_last_answer_is_right_and_not_the_only_right_one():
    answers = {"00": (1, 1), "01": (0, 1, 1), "02": (1,), "03": (1, 1, 0), "04": (0, 1)}
    taken = [
        step(f"gradient{item}", float(grade), days_ago(10 - number))
        for item, grades in answers.items()
        for number, grade in enumerate(grades)
    ]
    taken.sort(key=lambda one: one.at)

    (subject,) = progressed(taken).subjects

    assert (subject.mastered, subject.items) == (2, 12)
    assert (subject.pack, subject.title) == ("gradient", "Gradient accumulation")


def test_subjects_are_those_of_last_time_first_and_a_pack_that_is_gone_is_left_out():
    taken = [
        step("linear00", 1.0, days_ago(3), pack=PackId("linear")),
        step("gone00", 1.0, days_ago(2), pack=PackId("gone")),
        step("gradient00", 1.0, days_ago(1)),
    ]

    found = progressed(taken, "id")

    assert [one.title for one in found.subjects] == ["Akumulasi gradien", PACKS["linear"][1]]
    assert found.answered == 3


@pytest.mark.parametrize(
    ("ago", "streak"), [((0, 1, 2, 4), 3), ((1, 2), 2), ((2, 3), 0), ((), 0), ((0,), 1)]
)
def test_a_streak_is_of_days_in_a_row_and_today_is_not_over(ago: tuple[int, ...], streak: int):
    found = progressed([step("gradient00", 1.0, days_ago(days)) for days in reversed(ago)])

    assert found.streak == streak


def test_days_are_those_of_the_last_twelve_weeks_by_the_persons_calendar():
    found = progressed([step("gradient00", 1.0, days_ago(days)) for days in (120, 79, 2, 2, 0)])

    assert found.days == (date(2025, 12, 15), date(2026, 3, 2), date(2026, 3, 4))


def test_what_to_do_next_is_first_what_was_missed_then_unseen_then_once_more_then_new():
    every = [f"gradient{number:02}" for number in range(12)]
    once = [step(item, 1.0, days_ago(9)) for item in every]
    missed = [*once, step("gradient03", 0.0, days_ago(8)), step("gradient04", 0.5, days_ago(8))]
    twice = [*once, *(step(item, 1.0, days_ago(1)) for item in every)]

    def move(taken: list) -> tuple[Move, int]:
        found = progressed(taken).step
        assert found
        return found.move, found.items

    assert move(missed) == (Move.MISSED, 2)
    assert move(once[:5]) == (Move.UNSEEN, 7)
    assert move([*once, *twice[-3:]]) == (Move.AGAIN, 9)
    assert move(twice) == (Move.NEW, 30)


def test_who_has_mastered_everything_is_told_so():
    everything = [
        step(f"{pack}{number:02}", 1.0, days_ago(days), pack=PackId(pack))
        for days in (9, 2)
        for pack, (_, _, count) in PACKS.items()
        for number in range(count)
    ]

    found = progressed(everything)

    assert found.step is None
    assert "mastered everything" in next_step(None, EN)


@pytest.mark.parametrize(
    ("move", "beginning"),
    [
        (Move.MISSED, "Go over 1 question in “P”"),
        (Move.UNSEEN, "Meet 1 question in “P”"),
        (Move.AGAIN, "Answer 1 question in “P” right once more"),
        (Move.NEW, "Begin something new: “P”"),
    ],
)
def test_the_next_step_is_a_sentence(move: Move, beginning: str):
    found = Step(move=move, pack=PackId("p"), title="P", items=1)

    assert next_step(found, EN).startswith(beginning)


def test_a_poster_tells_everything_in_words():
    found = text(poster("Ani", progressed(diligent()), EN))

    assert "164 of 228 right at first try (72%)" in found
    assert "16,400 points · 36 quizzes taken" in found
    assert "Feb 23 91% · Mar 2 100%" in found
    assert "Probability 79% (19 of 24 mastered)" in found
    assert "You answered on 36 days. 6 days in a row!" in found
    assert "Dec 27, 29; Jan 2–4, 8" in found
    assert "Go over 5 questions" in found
    assert "sure" not in found


def test_in_indonesian_too():
    found = text(poster("Ani", progressed(diligent(), "id"), ID))

    assert "164 dari 228 benar pada percobaan pertama (72%)" in found
    assert "16.400 poin · 36 kuis diikuti" in found
    assert "6 hari berturut-turut!" in found


def test_how_sure_somebody_was_is_told_where_they_were_asked():
    sure = (
        Sureness(sure=True, answered=4, right=3.0),
        Sureness(sure=False, answered=0, right=0.0),
    )
    found = replace(progressed(diligent()), calibration=sure)

    assert "Sure 75% (4 answers)" in text(poster("Ani", found, EN))
    assert "Not sure 0% (0 answers)" in text(poster("Ani", found, EN))


def test_a_week_without_answers_has_no_share():
    found = progressed([step("gradient00", 1.0, days_ago(7 * weeks)) for weeks in (2, 0)])

    bars = poster("Ani", found, EN).weeks.bars

    assert [(bar.label, bar.share) for bar in bars] == [
        ("Feb 16", 1.0),
        ("Feb 23", None),
        ("Mar 2", 1.0),
    ]
    assert bars[1].figure == "–"


def test_a_subject_in_which_nothing_counted_has_no_share():
    odd = Subject(pack=PackId("p"), title="P", answered=0, right=0.0, mastered=0, items=3)
    found = replace(progressed([]), subjects=(odd,))

    assert poster("Ani", found, EN).subjects.bars[0].share == 0


@pytest.mark.parametrize(
    ("ago", "months"),
    [
        ((0,), ["Mar"]),
        ((8, 0), ["Mar"]),
        ((10, 0), ["Feb", "Mar"]),
        ((77, 0), ["Dec", "Jan", "Feb", "Mar"]),
        ((), ["Mar"]),
    ],
)
def test_months_are_named_where_they_begin_and_never_side_by_side(ago, months: list[str]):
    found = progressed([step("gradient00", 1.0, days_ago(days)) for days in ago])

    calendar = poster("Ani", found, EN).calendar

    assert [name for _, name in calendar.months] == months
    assert calendar.weeks <= 12
    columns = [(at - calendar.first).days // 7 for at, _ in calendar.months]
    assert all(after - before > 1 for before, after in pairwise(columns))


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from((0.0, 0.5, 1.0)), st.floats(0, 200)),
        max_size=60,
    )
)
def test_any_history_can_be_summed_up_and_told(history: list[tuple[int, float, float]]):
    taken = [
        step(f"linear{item:02}", grade, days_ago(ago), pack=PackId("linear"))
        for item, grade, ago in sorted(history, key=lambda one: -one[2])
    ]

    found = progressed(taken)

    assert found.answered <= len(taken)
    assert 0 <= found.accuracy <= 1
    assert found.streak <= len({one.at.date() for one in taken})
    assert sum(week.answered for week in found.weeks) <= found.answered
    made = poster("Ani", found, EN)
    shown = text(made)
    assert all(bar.label in shown for bar in (*made.weeks.bars, *made.subjects.bars))
    assert made.next in shown
