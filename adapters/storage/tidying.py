"""Tidying: what nobody needs any more is deleted, and answers after as long as somebody chose.

Answers go by whole weeks, which are what scores and totals are made of: so a board loses exactly
what those weeks gave, and deriving everything again would give the rows that are there.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Table, and_, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import regrading, totals
from adapters.storage.database import Database
from adapters.storage.schema import notes, responses, rooms, scores, sessions
from adapters.storage.values import to_ms
from adapters.storage.writing import Line, Work
from bot.people import week_of
from bot.session import Phase

NOTES_KEPT = timedelta(days=90)
LATEST = ZoneInfo("Etc/GMT+12")
"""Where a week begins last: what is answered from an instant on is nowhere of an earlier week."""

PASSING = ("telegram.poll.", "telegram.unreadable.", "discord.poll.")
"""Beginnings of the keys of notes that are about one message, which is forgotten some day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """How many rows were deleted."""

    notes: int = 0
    responses: int = 0
    sessions: int = 0


class SqlTidying:
    """The part of the store that forgets what is old."""

    _database: Database
    _line: Line

    async def tidy(self, now: datetime, keep: timedelta | None = None) -> Tidied:
        """Delete notes about messages of long ago and, with `keep`, the answers of every week
        that ended longer ago than that, with the quizzes that are left empty.

        Each week is a transaction of its own, so that answers that come in need not wait long.
        """
        gone = await self._line.write(lambda connection: _notes(connection, now))
        if keep is None:
            return Tidied(notes=gone)
        before = now - keep
        first_kept = week_of(before, LATEST).isoformat()
        old = sessions.c.started < to_ms(before)
        answers = 0
        while week := await self._oldest_before(first_kept, old):
            answers += await self._line.write(self._forgetting(week, old), alone=True)
        ended = await self._line.write(
            lambda connection: _empty(connection, to_ms(before)), alone=True
        )
        return Tidied(notes=gone, responses=answers, sessions=ended)

    async def _oldest_before(self, first_kept: str, old: ColumnElement[bool]) -> str | None:
        weeks = select(func.min(responses.c.week)).where(_of(old))
        async with self._database.reading() as connection:
            oldest = await connection.scalar(weeks)
        return oldest if oldest and oldest < first_kept else None

    def _forgetting(self, week: str, old: ColumnElement[bool]) -> Work[int]:
        async def work(connection: AsyncConnection) -> int:
            await regrading.in_turn(connection)
            await totals.forget_week(connection, self._database, week)
            here = scores.c.room.in_(select(rooms.c.id))
            await connection.execute(delete(scores).where(here, scores.c.week == week))
            return await _deleted(connection, responses, and_(_of(old), responses.c.week == week))

        return work


def _of(old: ColumnElement[bool]) -> ColumnElement[bool]:
    """Narrow responses to those of old sessions, which are found by their key."""
    return responses.c.session.in_(select(sessions.c.id).where(old))


async def _notes(connection: AsyncConnection, now: datetime) -> int:
    old = notes.c.at < to_ms(now - NOTES_KEPT)
    about_a_message = or_(*(notes.c.key.startswith(beginning) for beginning in PASSING))
    return await _deleted(connection, notes, and_(old, about_a_message))


async def _empty(connection: AsyncConnection, before: int) -> int:
    none_left = ~select(responses.c.turn).where(responses.c.session == sessions.c.id).exists()
    ended = and_(sessions.c.phase == Phase.FINISHED.value, sessions.c.finished < before)
    return await _deleted(connection, sessions, and_(ended, none_left))


async def _deleted(
    connection: AsyncConnection, table: Table, condition: ColumnElement[bool]
) -> int:
    count = await connection.scalar(select(func.count()).select_from(table).where(condition))
    await connection.execute(delete(table).where(condition))
    return int(count or 0)
