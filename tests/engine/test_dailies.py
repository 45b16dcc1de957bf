"""When a daily question is due, and how long a streak is."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.dailies import (
    EVERY_DAY,
    Schedule,
    day_of,
    dealt_with,
    due,
    occurrence,
    session_of,
    streak,
    upcoming,
)
from bot.ids import RoomId

ZONES = [
    "America/New_York",
    "Europe/Berlin",
    "Asia/Jakarta",
    "America/Los_Angeles",
    "Australia/Lord_Howe",
    "America/Nuuk",
    "America/Sao_Paulo",
    "America/Havana",
    "Asia/Beirut",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
    "UTC",
]
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
schedules = st.builds(
    Schedule,
    minute=st.integers(0, 1439),
    zone=st.sampled_from(ZONES),
    days=st.frozensets(st.integers(0, 6), min_size=1),
)
dates = st.dates(date(2010, 1, 1), date(2030, 12, 31))
# clocks are set in these weeks, or were
changes = st.sampled_from(
    [
        date(2026, 3, 8),
        date(2026, 11, 1),
        date(2026, 3, 29),
        date(2026, 10, 25),
        date(2026, 4, 5),
        date(2026, 10, 4),
        date(2024, 3, 30),
        date(2011, 12, 30),
        date(2018, 11, 4),
        date(2018, 2, 18),
        date(2026, 3, 28),
    ]
).flatmap(lambda day: st.integers(-2, 2).map(lambda more: day + more * DAY))
days = dates | changes


def schedule(text: str, zone: str, **more: object) -> Schedule:
    hour, minute = map(int, text.split(":"))
    return Schedule(minute=hour * 60 + minute, zone=zone, **more)  # type: ignore[arg-type]


def local(at: datetime | None, zone: str) -> str:
    assert at
    return at.astimezone(ZoneInfo(zone)).strftime("%d %H:%M:%S %z")


@pytest.mark.parametrize(
    ("zone", "time_", "day", "expected"),
    [
        ("America/New_York", "02:30", date(2026, 3, 8), "08 03:00:00 -0400"),
        ("America/New_York", "01:30", date(2026, 11, 1), "01 01:30:00 -0400"),
        ("Europe/Berlin", "02:00", date(2026, 3, 29), "29 03:00:00 +0200"),
        ("Europe/Berlin", "02:59", date(2026, 10, 25), "25 02:59:00 +0200"),
        ("Australia/Lord_Howe", "02:15", date(2026, 10, 4), "04 02:30:00 +1100"),
        ("Australia/Lord_Howe", "01:45", date(2026, 4, 5), "05 01:45:00 +1100"),
        ("America/Sao_Paulo", "00:30", date(2018, 11, 4), "04 01:00:00 -0200"),
        ("America/Nuuk", "23:30", date(2024, 3, 30), "30 22:59:59 -0200"),
        ("Asia/Jakarta", "00:00", date(2026, 12, 2), "02 00:00:00 +0700"),
        ("America/Los_Angeles", "00:00", date(2026, 12, 2), "02 00:00:00 -0800"),
    ],
)
def test_a_time_that_is_missing_or_double_on_a_date_still_happens_once(
    zone: str, time_: str, day: date, expected: str
):
    assert local(occurrence(schedule(time_, zone), day), zone) == expected


def test_a_date_that_does_not_exist_has_no_question():
    samoa = schedule("07:30", "Pacific/Apia")

    assert occurrence(samoa, date(2011, 12, 30)) is None
    assert local(occurrence(samoa, date(2011, 12, 31)), samoa.zone) == "31 07:30:00 +1400"


@given(schedules, days)
def test_the_question_of_a_date_comes_on_that_date_and_as_near_to_its_time_as_there_is(
    plan: Schedule, day: date
):
    zone = ZoneInfo(plan.zone)
    at = occurrence(plan, day)

    if day.weekday() not in plan.days:
        assert at is None
        return
    every = _minutes(day, zone)
    if not every:
        assert at is None
        return
    assert at
    assert at.astimezone(zone).date() == day
    wall = time(*divmod(plan.minute, 60))
    same_or_later = [minute for minute, shown in every if shown >= wall]
    # not before the time is shown first, nor a minute after something later is
    assert at == same_or_later[0] if same_or_later else at == every[-1][0] + 59 * SECOND


def _minutes(day: date, zone: ZoneInfo) -> list[tuple[datetime, time]]:
    """List every minute of a local date, by brute force, with what clocks show."""
    start = datetime.combine(day, time(), UTC) - timedelta(hours=16)
    found = []
    for number in range(56 * 60):
        at = start + timedelta(minutes=number)
        shown = at.astimezone(zone)
        if shown.date() == day:
            found.append((at, shown.time()))
    return found


@settings(max_examples=60)
@given(schedules, days, st.data())
def test_however_time_passes_every_date_has_one_question_at_most_and_none_is_early(
    plan: Schedule, first: date, data: st.DataObject
):
    """Somebody looks at any moments, with gaps of any length between."""
    now = datetime.combine(first, time(), UTC)
    last = dealt_with(plan, None, now)
    seen = list[date]()
    for _ in range(40):
        now += timedelta(seconds=data.draw(st.sampled_from([5, 600, 3600, 6 * 3600, 30 * 3600])))
        day = due(plan, last, now)
        if day is None:
            continue
        last = day
        seen.append(day)
        at = occurrence(plan, day)
        assert at
        assert at <= now
        assert plan.today(now) == day

    assert seen == sorted(set(seen))
    assert all(day.weekday() in plan.days for day in seen)


@settings(max_examples=40)
@given(schedules, days)
def test_who_never_sleeps_posts_on_every_date_there_is(plan: Schedule, first: date):
    now = datetime.combine(first, time(), UTC)
    last = dealt_with(plan, None, now)
    seen = list[date]()
    end = now + 10 * DAY
    while True:
        expected, at = upcoming(plan, last, now)
        if at > end:
            break
        assert due(plan, last, at - SECOND) is None
        assert due(plan, last, at) == expected
        seen.append(expected)
        last, now = expected, at

    possible = [plan.today(datetime.combine(first, time(), UTC)) + n * DAY for n in range(13)]
    wanted = [
        day
        for day in possible
        if (at := occurrence(plan, day)) and datetime.combine(first, time(), UTC) < at <= end
    ]
    assert seen == wanted


def test_what_was_missed_is_made_up_on_the_same_date_unless_the_next_one_is_near():
    morning, night = schedule("07:30", "Asia/Jakarta"), schedule("01:00", "Asia/Jakarta")
    day, before = date(2026, 12, 2), date(2026, 12, 1)

    def jakarta(hour: int, minute: int = 0, *, of: date = day) -> datetime:
        return datetime.combine(of, time(hour, minute), ZoneInfo("Asia/Jakarta")).astimezone(UTC)

    assert due(morning, before, jakarta(16)) == day
    assert due(morning, before, jakarta(23, 59)) == day
    assert due(morning, before, jakarta(0, 1, of=day + DAY)) is None
    assert due(night, before, jakarta(22)) == day
    assert due(night, before, jakarta(22, 1)) is None
    assert due(morning, day, jakarta(16)) is None


def test_nobody_is_asked_at_once_when_the_time_has_passed_today():
    plan = schedule("07:30", "Asia/Jakarta")
    noon = datetime(2026, 12, 2, 5, 0, tzinfo=UTC)
    dawn = noon - timedelta(hours=11)

    assert dealt_with(plan, None, noon) == date(2026, 12, 2)
    assert dealt_with(plan, date(2026, 12, 3), noon) == date(2026, 12, 3)
    assert dealt_with(plan, None, dawn) is None
    assert upcoming(plan, date(2026, 12, 2), noon)[0] == date(2026, 12, 3)


def test_a_schedule_that_can_never_happen_is_refused():
    with pytest.raises(ValueError, match="no schedule"):
        Schedule(minute=1440, zone="UTC")
    with pytest.raises(ValueError, match="no schedule"):
        Schedule(minute=0, zone="UTC", days=frozenset())
    with pytest.raises(ZoneInfoNotFoundError):
        Schedule(minute=0, zone="Asia/Atlantis")


# ---------------------------------------------------------------- streaks


def test_one_missed_day_a_week_is_forgiven():
    week = [date(2026, 11, 30) + n * DAY for n in range(7)]  # Monday to Sunday

    assert streak(week, set(week)) == 7
    assert streak(week, set(week) - {week[3]}) == 6
    assert streak(week, set(week) - {week[6]}) == 6
    assert streak(week, set(week) - {week[1], week[3]}) == 4
    assert streak(week, set()) == 0
    assert streak([], set()) == 0


def test_each_week_forgives_anew_and_days_without_a_question_are_not_missed():
    two_weeks = [date(2026, 11, 30) + n * DAY for n in range(14)]
    working = [day for day in two_weeks if day.weekday() < 5]

    assert streak(two_weeks, set(two_weeks) - {two_weeks[6], two_weeks[7]}) == 12
    assert streak(working, set(working)) == 10


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=40))
def test_a_streak_is_the_longest_run_up_to_now_that_misses_one_a_week_at_most(
    steps: list[tuple[int, bool]],
):
    day = date(2026, 11, 30)
    asked, answered = list[date](), set[date]()
    for gap, right in steps:
        day += (gap + 1) * DAY
        asked.append(day)
        if right:
            answered.add(day)

    def allowed(run: list[date]) -> bool:
        missed = [day.isocalendar()[:2] for day in run if day not in answered]
        return len(missed) == len(set(missed))

    runs = [asked[start:] for start in range(len(asked) + 1)]
    longest = max(len(answered & set(run)) for run in runs if allowed(run))
    assert streak(asked, answered) == longest


def test_a_session_has_its_room_and_date_in_its_name():
    name = session_of(RoomId("0123456789ab"), date(2026, 12, 2))

    assert name.isalnum()
    assert day_of(name) == date(2026, 12, 2)
    assert set(EVERY_DAY) == set(range(7))
