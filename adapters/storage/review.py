"""What reviews need, in SQL: all that somebody has answered, and who wants to be reminded."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.schema import aliases, reminders, responses
from adapters.storage.values import from_ms, reminder_row, row_reminder, to_ms
from adapters.storage.writing import Line
from bot.ids import ItemId, PackId, ParticipantId
from bot.memory import Trace
from bot.reminders import Reminder


class SqlReview:
    """The part of the store that knows what was answered when, and who wants to be reminded."""

    _database: Database
    _line: Line

    async def memories(self, participants: Collection[ParticipantId]) -> Sequence[Trace]:
        """List all responses of participants who are one person, oldest first."""
        names = ("pack", "item", "grade", "at", "elapsed", "sure")
        query = (
            select(*(responses.c[name] for name in names))
            .where(responses.c.participant.in_(participants))
            .order_by(responses.c.at, responses.c.session, responses.c.turn)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [
            Trace(
                pack=PackId(pack),
                item=ItemId(item),
                grade=grade,
                at=from_ms(at),
                elapsed=elapsed / 1000,
                unsure=None if sure is None else not sure,
            )
            for pack, item, grade, at, elapsed, sure in rows
        ]

    async def reminder(self, participant: ParticipantId) -> Reminder | None:
        """Give somebody's reminder."""
        query = select(reminders).where(reminders.c.participant == participant)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).mappings().first()
        return row_reminder(row) if row else None

    async def set_reminder(self, reminder: Reminder) -> None:
        """Keep a reminder in the place of an earlier one."""
        row = reminder_row(reminder)
        upsert = (
            self._database.insert(reminders)
            .values(row)
            .on_conflict_do_update(index_elements=[reminders.c.participant], set_=row)
        )
        await self._line.write(lambda connection: connection.execute(upsert))

    async def drop_reminder(self, participant: ParticipantId) -> None:
        """Remind somebody no more."""
        removal = delete(reminders).where(reminders.c.participant == participant)
        await self._line.write(lambda connection: connection.execute(removal))

    async def due_reminders(
        self, platforms: Collection[str], now: datetime, *, limit: int = 50
    ) -> Sequence[Reminder]:
        """List what is due by now in rooms of platforms, longest due first."""
        rooms = select(aliases.c.target).where(
            aliases.c.kind == "room", aliases.c.platform.in_(platforms)
        )
        query = (
            select(reminders)
            .where(reminders.c.due <= to_ms(now), reminders.c.room.in_(rooms))
            .order_by(reminders.c.due, reminders.c.participant)
            .limit(limit)
        )
        async with self._database.reading() as connection:
            return [row_reminder(row) for row in (await connection.execute(query)).mappings()]

    async def claim_reminder(self, before: Reminder, after: Reminder) -> bool:
        """Change a reminder if it is still due as `before` has it; of several who try one may."""
        change = (
            update(reminders)
            .where(reminders.c.participant == before.participant)
            .where(reminders.c.due == to_ms(before.due))
            .values(reminder_row(after))
            .returning(reminders.c.participant)
        )

        async def work(connection: AsyncConnection) -> bool:
            return (await connection.execute(change)).first() is not None

        return await self._line.write(work)
