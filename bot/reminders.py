"""Reminders: at most one friendly message a day, for who has asked for it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.ids import ParticipantId, RoomId

QUIET_FROM, QUIET_UNTIL = time(22), time(7)
"""Nobody is reminded between these, by their own clock."""

PATIENCE = 7
"""So many reminders in a row that are ignored were enough."""

_TIME = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))?", re.ASCII)
_ZONES = {"wib": "Asia/Jakarta", "wita": "Asia/Makassar", "wit": "Asia/Jayapura", "utc": "UTC"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """Somebody's wish to be reminded.

    `minute` is that of the day on the clock of `zone`, `due` the instant of the next reminder,
    `sent` that of the latest, `ignored` how many in a row had no answer before it was sent.
    """

    participant: ParticipantId
    room: RoomId
    minute: int
    zone: str
    due: datetime
    sent: datetime | None = None
    ignored: int = 0


class Reminders(Protocol):
    """The reminders people have asked for: one a person."""

    async def reminder(self, participant: ParticipantId) -> Reminder | None:
        """Give somebody's reminder."""

    async def set_reminder(self, reminder: Reminder) -> None:
        """Keep a reminder in the place of an earlier one."""

    async def drop_reminder(self, participant: ParticipantId) -> None:
        """Remind somebody no more."""

    async def due_reminders(
        self, platforms: Collection[str], now: datetime, *, limit: int = 50
    ) -> Sequence[Reminder]:
        """List what is due by now in rooms of platforms, longest due first."""

    async def claim_reminder(self, before: Reminder, after: Reminder) -> bool:
        """Change a reminder if it is still due as `before` has it; of several who try one may."""


def following(minute: int, zone: str, after: datetime) -> datetime:
    """Give the first instant after another at which a clock shows a minute of the day, in UTC.

    A time that a clock change leaves out comes an hour later, one that it repeats comes once.
    """
    day = after.astimezone(ZoneInfo(zone)).date()
    while (at := _on(day, minute, zone)) <= after:
        day += timedelta(days=1)
    return at


def timely(reminder: Reminder, now: datetime) -> bool:
    """Tell whether today's reminder may be sent now: it is time, and not in quiet hours.

    One of an earlier day, when nobody was there to send it, is not made up for.
    """
    local = now.astimezone(ZoneInfo(reminder.zone))
    return _on(local.date(), reminder.minute, reminder.zone) <= now and not quiet(local.time())


def quiet(clock: time) -> bool:
    """Tell whether people want to be left alone at a time of day."""
    return not QUIET_UNTIL <= clock < QUIET_FROM


def read_time(word: str) -> int | None:
    """Read a time of day like `19:00`, `7.30` or `19` as a minute of the day."""
    found = _TIME.fullmatch(word)
    if not found:
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    return 60 * hour + minute if hour < 24 and minute < 60 else None  # noqa: PLR2004 - a clock


def read_zone(word: str) -> str | None:
    """Read a time zone like `Asia/Jakarta` or `WIB`; None for what is none."""
    for name in (_ZONES.get(word.casefold(), word), word.title()):
        try:
            return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return None


def shown_time(minute: int) -> str:
    """Write a minute of the day: `19:00`."""
    return f"{minute // 60:02}:{minute % 60:02}"


def _on(day: date, minute: int, zone: str) -> datetime:
    clock = time(minute // 60, minute % 60)
    return datetime.combine(day, clock, ZoneInfo(zone)).astimezone(UTC)
