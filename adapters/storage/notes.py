"""Notes in SQL: small things a chat must not forget."""

from sqlalchemy import select

from adapters.storage.database import Database
from adapters.storage.schema import notes
from adapters.storage.values import clean, now, to_ms
from adapters.storage.writing import Line


class SqlNotes:
    """The part of the store that keeps a text under a key."""

    _database: Database
    _line: Line

    async def note(self, key: str) -> str | None:
        """Give what was noted under a key."""
        async with self._database.reading() as connection:
            found = await connection.execute(select(notes.c.value).where(notes.c.key == key))
            return found.scalar_one_or_none()

    async def set_note(self, key: str, value: str) -> None:
        """Note something under a key; it is committed when this returns."""
        values = {"value": clean(value), "at": to_ms(now())}
        upsert = (
            self._database.insert(notes)
            .values(key=key, **values)
            .on_conflict_do_update(index_elements=[notes.c.key], set_=values)
        )
        await self._line.write(lambda connection: connection.execute(upsert))
