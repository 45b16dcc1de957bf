"""Sessions in SQL: stored at every step, moved on by compare-and-swap."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Executable, RowMapping, Select, case, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import scoring
from adapters.storage.database import Database
from adapters.storage.rows import changed_row, row_session, session_row, was_asked
from adapters.storage.schema import ACTIVE, asked, responses, sessions
from adapters.storage.writing import Line
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.ports import Conflict
from bot.session import Phase, Session


class SqlSessions:
    """The part of the store that knows where each quiz stands."""

    _database: Database
    _line: Line

    async def start(self, session: Session) -> None:
        """Store a new session. Raises Conflict if its place is taken."""
        insert = sessions.insert().values(session_row(session))
        await self._line.write(lambda connection: _placed(connection, insert), alone=True)

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
        """List the active sessions, oldest first: what a program that comes back takes up."""
        query = select(sessions).where(ACTIVE).order_by(sessions.c.started, sessions.c.id)
        async with self._database.reading() as connection:
            return [row_session(row) for row in (await connection.execute(query)).mappings()]

    async def save(self, before: Session, after: Session) -> bool:
        """Move a session on, if it still is in the phase and turn of `before`.

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
        swap = (
            update(sessions)
            .where(sessions.c.id == before.id)
            .where(sessions.c.phase == before.phase.value, sessions.c.turn == before.turn)
            .values(changed_row(after))
            .returning(sessions.c.room, sessions.c.owner)
        )
        place = await _placed(connection, swap)
        if not place:
            return False
        if after.closed > before.closed:
            await self._close(connection, before, after)
        if was_asked(before, after):
            await self._note(connection, before, place)
        return True

    async def _close(self, connection: AsyncConnection, before: Session, after: Session) -> None:
        turns = responses.c.turn.between(before.closed, after.closed - 1)
        statement = scoring.derive(
            self._database, responses.c.session == before.id, turns, joined=responses
        )
        await connection.execute(statement)

    async def _note(self, connection: AsyncConnection, session: Session, place: RowMapping) -> None:
        await connection.execute(
            self._database.insert(asked)
            .values(
                scope_room=place["room"],
                scope_owner=place["owner"],
                pack=session.pack,
                item=session.item,
                times=1,
            )
            .on_conflict_do_update(
                index_elements=list(asked.primary_key.columns),
                set_={"times": asked.c.times + 1},
            )
        )


async def _placed(connection: AsyncConnection, statement: Executable) -> RowMapping | None:
    """Carry out what may take a place, and give the row if one comes back."""
    try:
        result = await connection.execute(statement)
    except IntegrityError as error:
        if "unique" in str(error.orig).lower():
            raise Conflict(str(error.orig)) from error
        raise
    return result.mappings().first() if result.returns_rows else None
