"""Sessions in SQL: stored at every step, moved on by compare-and-swap."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    Executable,
    RowMapping,
    Select,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import scoring
from adapters.storage.database import Database, Insert
from adapters.storage.guarding import Guard
from adapters.storage.rows import OVERDUE, changed_row, row_session, session_row, was_asked
from adapters.storage.schema import ACTIVE, aliases, asked, sessions
from adapters.storage.values import to_ms
from adapters.storage.writing import Line
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.ports import Conflict
from bot.session import Phase, Session


class SqlSessions:
    """The part of the store that knows where each quiz stands."""

    _database: Database
    _line: Line
    _guard: Guard

    async def start(self, session: Session) -> None:
        """Store a new session. Raises Conflict if its place is taken."""
        insert = sessions.insert().values({**session_row(session), "keeper": self._guard.number})
        await self._line.write(lambda connection: placed(connection, insert), alone=True)

    async def session(self, session: SessionId) -> Session | None:
        """Give a session as it was last saved."""
        return await self._one(select(sessions).where(sessions.c.id == session))

    async def open_session(self, room: RoomId, owner: ParticipantId | None) -> Session | None:
        """Give the session that is not finished: a person's own in a room, or the shared one.

        An active one comes before paused ones, a later one before earlier ones.
        """
        paused = case((sessions.c.phase == Phase.PAUSED.value, 1), else_=0)
        return await self._one(
            select(sessions)
            .where(sessions.c.room == room, sessions.c.owner == (owner or ""))
            .where(sessions.c.phase != Phase.FINISHED.value)
            .order_by(paused, sessions.c.started.desc(), sessions.c.id.desc())
            .limit(1)
        )

    async def unfinished(self) -> Sequence[Session]:
        """List the active sessions, oldest first."""
        query = select(sessions).where(ACTIVE).order_by(sessions.c.started, sessions.c.id)
        async with self._database.reading() as connection:
            return [row_session(row) for row in (await connection.execute(query)).mappings()]

    async def active(self) -> int:
        """Count the active sessions."""
        async with self._database.reading() as connection:
            query = select(func.count()).select_from(sessions).where(ACTIVE)
            return int(await connection.scalar(query) or 0)

    async def claim(self, platforms: Collection[str], now: datetime) -> Sequence[Session]:
        """Take over active sessions in rooms of platforms, oldest first, that no living process
        looks after or whose deadline is long past. No two processes are given the same one.
        """
        await self._guard.present()
        rooms = select(aliases.c.target).where(
            aliases.c.kind == "room", aliases.c.platform.in_(platforms)
        )
        overdue = sessions.c.deadline < to_ms(now - OVERDUE)
        left = (
            select(sessions.c.id)
            .where(ACTIVE, or_(self._guard.abandoned(), overdue), sessions.c.room.in_(rooms))
            .order_by(sessions.c.started, sessions.c.id)
            .with_for_update(skip_locked=True)
        )
        taking = (
            update(sessions)
            .where(sessions.c.id.in_(left))
            .values(keeper=self._guard.number)
            .returning(*sessions.c)
        )

        async def work(connection: AsyncConnection) -> list[Session]:
            return [row_session(row) for row in (await connection.execute(taking)).mappings()]

        taken = await self._line.write(work, alone=True)
        return sorted(taken, key=lambda one: (one.started, one.id))

    async def release(self) -> None:
        """Look after no session any more, so that others may claim them at once."""
        mine = update(sessions).where(ACTIVE, sessions.c.keeper == self._guard.number)
        await self._line.write(lambda connection: connection.execute(mine.values(keeper=0)))

    async def save(self, before: Session, after: Session) -> bool:
        """Move a session on, if it still is in the phase and turn of `before`, with its deadline.

        Raises Conflict if it would take a place that is taken.
        """
        return await self._line.write(
            lambda connection: self._save(connection, before, after), alone=True
        )

    async def asked(
        self, room: RoomId, owner: ParticipantId | None, pack: PackId
    ) -> Mapping[ItemId, int]:
        """Count how often each item was put to a room (or to one person in it)."""
        query = select(asked.c.item, asked.c.times).where(
            asked.c.scope_room == room,
            asked.c.scope_owner == (owner or ""),
            asked.c.pack == pack,
        )
        async with self._database.reading() as connection:
            return {ItemId(row.item): row.times for row in await connection.execute(query)}

    async def _one(self, query: Select[Any]) -> Session | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).mappings().first()
        return row_session(row) if row else None

    async def _save(self, connection: AsyncConnection, before: Session, after: Session) -> bool:
        swap = {
            "its_id": before.id,
            "its_phase": before.phase.value,
            "its_turn": before.turn,
            "its_deadline": before.deadline and to_ms(before.deadline),
            **changed_row(after),
            "keeper": self._guard.number,
        }
        place = await placed(connection, _SWAP, swap)
        if not place:
            return False
        if after.closed > before.closed:
            await self._close(connection, before, after)
        if was_asked(before, after):
            await self._note(connection, before, place)
        return True

    async def _close(self, connection: AsyncConnection, before: Session, after: Session) -> None:
        turns = before.closed, after.closed - 1
        await scoring.keep(connection, self._database, before.id, *turns)

    async def _note(self, connection: AsyncConnection, session: Session, place: RowMapping) -> None:
        values = {
            "scope_room": place["room"],
            "scope_owner": place["owner"],
            "pack": session.pack_at(session.turn),
            "item": session.item,
            "times": 1,
        }
        await connection.execute(_once_more(self._database), values)


# Statements are written once: that takes longer than to carry them out.
_SWAP = (
    update(sessions)
    .where(sessions.c.id == bindparam("its_id"))
    .where(sessions.c.phase == bindparam("its_phase"), sessions.c.turn == bindparam("its_turn"))
    .where(sessions.c.deadline.is_not_distinct_from(bindparam("its_deadline")))
    .returning(sessions.c.room, sessions.c.owner)
)


@lru_cache(maxsize=4)
def _once_more(database: Database) -> Insert:
    return database.insert(asked).on_conflict_do_update(
        index_elements=list(asked.primary_key.columns), set_={"times": asked.c.times + 1}
    )


async def placed(
    connection: AsyncConnection, statement: Executable, values: Mapping[str, Any] | None = None
) -> RowMapping | None:
    """Carry out what may take a place, and give the row if one comes back."""
    try:
        result = await connection.execute(statement, values)
    except IntegrityError as error:
        if "unique" in str(error.orig).lower():
            raise Conflict(str(error.orig)) from error
        raise
    return result.mappings().first() if result.returns_rows else None
