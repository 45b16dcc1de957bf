"""Values in and out of rows: what every store keeps of a response, a room or a time."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import UTC, date, datetime, time, timedelta
from time import time_ns
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from bot import submissions
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.people import Room, Settings, week_of
from bot.ports import Period, Response
from bot.reminders import Reminder

Row: TypeAlias = Mapping[Any, Any]
"""A row of a table, by the names of its columns."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DEFAULTS = asdict(Settings())


def new_id() -> str:
    """Make an id for a room or a participant."""
    return secrets.token_hex(6)


def clean(text: str) -> str:
    """Give text as every database can keep it: without NUL, which PostgreSQL refuses, and
    without lone surrogates, which no encoding has.
    """
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "").encode(errors="replace").decode()


def now() -> datetime:
    """Give the time for what no event carries one: when a person was first seen, say."""
    return from_ms(time_ns() // 1_000_000)


def to_ms(at: datetime) -> int:
    """Write an instant as whole milliseconds since 1970."""
    return (at - _EPOCH) // _MILLISECOND


def from_ms(ms: int) -> datetime:
    """Read an instant back."""
    return _EPOCH + timedelta(milliseconds=ms)


def response_row(response: Response) -> dict[str, Any]:
    """Write a response as a row; built before it is queued, so that a bad one fails alone."""
    return {
        "session": response.session,
        "turn": response.turn,
        "participant": response.participant,
        "room": response.room,
        "pack": response.pack,
        "item": response.item,
        "submission": clean(submissions.dump(response.submission)),
        "grade": response.grade,
        "points": response.points,
        "at": to_ms(response.at),
        "elapsed": round(response.elapsed * 1000),
        "week": response.week.isoformat(),
        "sure": response.sure,
    }


def row_response(row: Row) -> Response:
    """Read a response back from a row."""
    return Response(
        session=SessionId(row["session"]),
        turn=row["turn"],
        participant=ParticipantId(row["participant"]),
        room=RoomId(row["room"]),
        pack=PackId(row["pack"]),
        item=ItemId(row["item"]),
        submission=submissions.load(row["submission"]),
        grade=row["grade"],
        points=row["points"],
        at=from_ms(row["at"]),
        elapsed=row["elapsed"] / 1000,
        week=date.fromisoformat(row["week"]),
        sure=row["sure"],
    )


def reminder_row(reminder: Reminder) -> dict[str, Any]:
    """Write a reminder as a row."""
    return {
        "participant": reminder.participant,
        "room": reminder.room,
        "minute": reminder.minute,
        "zone": reminder.zone,
        "due": to_ms(reminder.due),
        "sent": reminder.sent and to_ms(reminder.sent),
        "ignored": reminder.ignored,
    }


def row_reminder(row: Row) -> Reminder:
    """Read a reminder back from a row."""
    return Reminder(
        participant=ParticipantId(row["participant"]),
        room=RoomId(row["room"]),
        minute=row["minute"],
        zone=row["zone"],
        due=from_ms(row["due"]),
        sent=None if row["sent"] is None else from_ms(row["sent"]),
        ignored=row["ignored"],
    )


def dump_settings(settings: Settings) -> str:
    """Write what a room has chosen; what is at its default is left out."""
    chosen = {name: value for name, value in asdict(settings).items() if value != _DEFAULTS[name]}
    return json.dumps(chosen, ensure_ascii=False, separators=(",", ":"))


def load_settings(stored: str) -> Settings:
    """Read settings back; what this program does not know is ignored."""
    known = {field.name for field in fields(Settings)}
    return Settings(**{name: value for name, value in json.loads(stored).items() if name in known})


def monday(room: Room | None, at: datetime) -> str:
    """Give the week that an instant is in by the room's calendar, as rows have it."""
    zone = room.zone if room else ZoneInfo("UTC")
    return week_of(at, zone).isoformat()


def since(period: Period, room: Room | None, at: datetime) -> int:
    """Give the start of a period in milliseconds, by the room's calendar (UTC without one)."""
    zone = room.zone if room else UTC
    day = at.astimezone(zone).date()
    match period:
        case Period.ALL:
            return 0
        case Period.TODAY:
            first = day
        case Period.WEEK:
            first = day - timedelta(days=day.weekday())
        case Period.MONTH:
            first = day.replace(day=1)
    return to_ms(datetime.combine(first, time(), zone))
