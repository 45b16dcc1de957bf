"""Dailies: when a room's question of the day is due, how long a streak is, and what is kept.

A date has one daily question at most, by the calendar of the schedule's zone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from bot.ids import PackId, ParticipantId, RoomId, SessionId
from bot.session import Session

EVERY_DAY = frozenset(range(7))
LEAST_REST = timedelta(hours=3)
"""A question that is late needs at least this long until the next one, or it is left out."""

_DAY = timedelta(days=1)
_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """When and from what: `minute` of the local day, the name of a time zone, weekdays from 0
    (Monday) to 6, and a pack's id, tags like `#history #art`, or "" for all packs in turn.
    """

    minute: int
    zone: str
    days: frozenset[int] = EVERY_DAY
    source: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no time of day, no week and no zone (ValueError or its kind)."""
        if not (0 <= self.minute < _MINUTES and self.days and self.days <= EVERY_DAY):
            msg = f"no schedule: minute {self.minute} on days {sorted(self.days)}"
            raise ValueError(msg)
        ZoneInfo(self.zone)

    def today(self, now: datetime) -> date:
        """Give the date it is by the schedule's calendar."""
        return now.astimezone(ZoneInfo(self.zone)).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class Daily:
    """A room's daily question as it is kept.

    `last` is the latest date that is dealt with, `session` the question of that time, `next_at`
    when to look again (None: switched off). `starter` switched it on, `language` was theirs.
    """

    room: RoomId
    schedule: Schedule
    starter: ParticipantId
    language: str = ""
    last: date | None = None
    session: SessionId = SessionId("")
    next_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyAnswer:
    """What somebody made of the question of a day that is over; `name` is for boards."""

    day: date
    participant: ParticipantId
    name: str
    grade: float


class Dailies(Protocol):
    """The daily questions of rooms, switched and opened by compare-and-swap."""

    async def daily(self, room: RoomId) -> Daily | None:
        """Give the daily question of a room, also if it is switched off."""

    async def change_daily(self, before: Daily | None, after: Daily) -> bool:
        """Keep a daily question if it still is what it was; it is committed when this returns."""

    async def open_daily(self, before: Daily, after: Daily, session: Session) -> bool:
        """Change it and store the session of the day, both or neither.

        Raises Conflict if there is such a session already, or another one is still active.
        """

    async def dailies_due(self, platforms: Collection[str], now: datetime) -> Sequence[Daily]:
        """List those in rooms of platforms that have to be looked at by now, or whose question
        is paused.
        """

    async def daily_days(self, room: RoomId, since: date) -> Mapping[date, PackId]:
        """Give the dates on which a question reached the room, oldest first, and its pack."""

    async def daily_answers(
        self, room: RoomId, since: date, *, of: ParticipantId | None = None
    ) -> Sequence[DailyAnswer]:
        """List the answers to questions that are closed, in the order in which they came: those
        of everybody, or `of` one person.
        """


# ---------------------------------------------------------------- when


def occurrence(schedule: Schedule, day: date) -> datetime | None:
    """Give the instant, in UTC, of the question of a date; None if there is none.

    A local time that occurs twice on that date means the first one. One that does not exist
    means the first instant after the gap; if that is on another date, the last second before it.
    A date that does not exist at all has no question.
    """
    zone = ZoneInfo(schedule.zone)
    wall = datetime.combine(day, time(*divmod(schedule.minute, 60)))
    at = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if day.weekday() not in schedule.days:
        return None
    if at.astimezone(zone).replace(tzinfo=None) == wall:
        return at
    after = _end_of_gap(wall, zone)
    for candidate in (after, after - timedelta(seconds=1)):
        if candidate.astimezone(zone).date() == day:
            return candidate
    return None


def due(schedule: Schedule, last: date | None, now: datetime) -> date | None:
    """Give the date whose question is to be posted now; None if there is nothing to do.

    `last` is the latest date that was dealt with: no question is posted for it or any before it.
    Only today's question can be due, from its instant on. So one that was missed, because no
    process was running, is made up for as long as it is the same local date and there are at
    least three hours until the next one; otherwise it is left out.
    """
    today = schedule.today(now)
    at = occurrence(schedule, today)
    if at is None or now < at or (last is not None and today <= last):
        return None
    _, following = upcoming(schedule, today, now)
    return today if following - now >= LEAST_REST else None


def upcoming(schedule: Schedule, last: date | None, now: datetime) -> tuple[date, datetime]:
    """Give the first question after `now` on a date after `last`: its date and its instant."""
    day = schedule.today(now)
    if last is not None and last >= day:
        day = last + _DAY
    while True:  # a week has such a day, and a date that does not exist is alone
        found = occurrence(schedule, day)
        if found and found > now:
            return day, found
        day += _DAY


def dealt_with(schedule: Schedule, last: date | None, now: datetime) -> date | None:
    """Give the latest date there is nothing to do for when a schedule begins to hold: today if
    its time has passed, so that nobody is asked at once what was meant for the morning.
    """
    today = schedule.today(now)
    at = occurrence(schedule, today)
    if at and at <= now:
        return max(today, last) if last else today
    return last


def _end_of_gap(wall: datetime, zone: ZoneInfo) -> datetime:
    """Find the instant at which clocks were set forward over a local time."""
    low = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    high = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    new = high.astimezone(zone).utcoffset()
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
        if middle.astimezone(zone).utcoffset() == new:
            high = middle
        else:
            low = middle
    return high


# ---------------------------------------------------------------- streaks


def streak(days: Sequence[date], answered: Collection[date]) -> int:
    """Count the days of a streak that reaches up to the last of `days`, which are in order.

    A streak is a run of questions in which at most one was missed in each week from Monday to
    Sunday; its length is the number of those that were answered. A day without a question is
    neither.
    """
    return sum(day in answered for day in run(days, answered))


def run(days: Sequence[date], answered: Collection[date]) -> Sequence[date]:
    """Give the last of `days` that a streak is made of, with those that were forgiven."""
    forgiven = set[date]()
    for number, day in enumerate(reversed(days)):
        if day in answered:
            continue
        monday = day - day.weekday() * _DAY
        if monday in forgiven:
            return days[len(days) - number :]
        forgiven.add(monday)
    return days


# ---------------------------------------------------------------- sessions


def session_of(room: RoomId, day: date) -> SessionId:
    """Name the session of a room and date: that there can be only one is up to every store."""
    return SessionId(f"d{day:%Y%m%d}{room}")


def day_of(session: SessionId) -> date:
    """Give the date in such a name."""
    return date(int(session[1:5]), int(session[5:7]), int(session[7:9]))
