"""Dailies in SQL: the question of the day of each room, opened once by whoever comes first."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.guarding import Guard
from adapters.storage.responses import SHOWN
from adapters.storage.rows import session_row
from adapters.storage.schema import aliases, dailies, participants, responses, sessions
from adapters.storage.sessions import placed
from adapters.storage.values import Row, from_ms, to_ms
from adapters.storage.writing import Line
from bot.dailies import Daily, DailyAnswer, Schedule, day_of
from bot.ids import PackId, ParticipantId, RoomId, SessionId
from bot.session import DAILY, Phase, Session


class SqlDailies:
    """The part of the store that knows what is asked every day."""

    _database: Database
    _line: Line
    _guard: Guard

    async def daily(self, room: RoomId) -> Daily | None:
        """Give the daily question of a room, also if it is switched off."""
        async with self._database.reading() as connection:
            query = select(dailies).where(dailies.c.room == room)
            row = (await connection.execute(query)).mappings().first()
        return row_daily(row) if row else None

    async def change_daily(self, before: Daily | None, after: Daily) -> bool:
        """Keep a daily question if it still is what it was; it is committed when this returns."""
        if before:
            return await self._line.write(lambda connection: _swap(connection, before, after))
        insert = self._database.insert(dailies).values(daily_row(after)).on_conflict_do_nothing()

        async def work(connection: AsyncConnection) -> bool:
            made = await connection.execute(insert.returning(dailies.c.room))
            return made.first() is not None

        return await self._line.write(work)

    async def open_daily(self, before: Daily, after: Daily, session: Session) -> bool:
        """Change it and store the session of the day, both or neither.

        Raises Conflict if there is such a session already, or another one is still active.
        """
        insert = sessions.insert().values({**session_row(session), "keeper": self._guard.number})

        async def work(connection: AsyncConnection) -> bool:
            if not await _swap(connection, before, after):
                return False
            await placed(connection, insert)
            return True

        return await self._line.write(work, alone=True)

    async def dailies_due(self, platforms: Collection[str], now: datetime) -> Sequence[Daily]:
        """List those in rooms of platforms that have to be looked at by now, or whose question
        is paused.
        """
        rooms = select(aliases.c.target).where(
            aliases.c.kind == "room", aliases.c.platform.in_(platforms)
        )
        joined = dailies.outerjoin(sessions, sessions.c.id == dailies.c.session)
        query = (
            select(dailies)
            .select_from(joined)
            .where(dailies.c.next_at.is_not(None), dailies.c.room.in_(rooms))
            .where(or_(dailies.c.next_at <= to_ms(now), sessions.c.phase == Phase.PAUSED.value))
            .order_by(dailies.c.next_at, dailies.c.room)
        )
        async with self._database.reading() as connection:
            return [row_daily(row) for row in (await connection.execute(query)).mappings()]

    async def daily_days(self, room: RoomId, since: date) -> Mapping[date, PackId]:
        """Give the dates on which a question reached the room, oldest first, and its pack."""
        seen = sessions.c.state.contains('"opened":"')  # nothing that people write looks like it
        query = select(sessions.c.id, sessions.c.pack).where(*_here(room, since), seen)
        async with self._database.reading() as connection:
            found = (await connection.execute(query)).all()
        days = {day_of(SessionId(session)): PackId(pack) for session, pack in found}
        return {day: days[day] for day in sorted(days) if day >= since}

    async def daily_answers(
        self, room: RoomId, since: date, *, of: ParticipantId | None = None
    ) -> Sequence[DailyAnswer]:
        """List the answers to questions that are closed, in the order in which they came: those
        of everybody, or `of` one person.
        """
        joined = sessions.join(responses, responses.c.session == sessions.c.id).outerjoin(
            participants, participants.c.id == responses.c.participant
        )
        query = (
            select(sessions.c.id, responses.c.participant, SHOWN, responses.c.grade)
            .select_from(joined)
            .where(*_here(room, since), responses.c.turn < sessions.c.closed)
            .order_by(responses.c.at, responses.c.participant)
        )
        if of:
            query = query.where(responses.c.participant == of)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        found = (
            DailyAnswer(
                day=day_of(SessionId(session)),
                participant=ParticipantId(who),
                name=name,
                grade=grade,
            )
            for session, who, name, grade in rows
        )
        return [one for one in found if one.day >= since]


def daily_row(daily: Daily) -> dict[str, Any]:
    """Write a daily question as a row."""
    schedule = daily.schedule
    return {
        "room": daily.room,
        "minute": schedule.minute,
        "zone": schedule.zone,
        "days": "".join(map(str, sorted(schedule.days))),
        "source": schedule.source,
        "starter": daily.starter,
        "language": daily.language,
        "last": daily.last and daily.last.isoformat(),
        "session": daily.session,
        "next_at": daily.next_at and to_ms(daily.next_at),
    }


def row_daily(row: Row) -> Daily:
    """Read a daily question back."""
    return Daily(
        room=RoomId(row["room"]),
        schedule=Schedule(
            minute=row["minute"],
            zone=row["zone"],
            days=frozenset(map(int, row["days"])),
            source=row["source"],
        ),
        starter=ParticipantId(row["starter"]),
        language=row["language"],
        last=date.fromisoformat(row["last"]) if row["last"] else None,
        session=SessionId(row["session"]),
        next_at=None if row["next_at"] is None else from_ms(row["next_at"]),
    )


async def _swap(connection: AsyncConnection, before: Daily, after: Daily) -> bool:
    unchanged = (dailies.c[name].is_not_distinct_from(v) for name, v in daily_row(before).items())
    swap = update(dailies).where(*unchanged).values(daily_row(after)).returning(dailies.c.room)
    return (await connection.execute(swap)).first() is not None


def _here(room: RoomId, since: date) -> tuple[ColumnElement[bool], ...]:
    """Narrow sessions to the daily ones of a room; a day more, since zones differ."""
    start = datetime.combine(since, time(), UTC) - timedelta(days=1)
    place = and_(sessions.c.room == room, sessions.c.owner == DAILY)
    return place, sessions.c.started >= to_ms(start)
