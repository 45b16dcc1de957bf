"""Copying a whole installation from one database to another, counted and verified.

Everything is read as it was at one instant and written in one transaction, so a copy that fails
half way leaves the target as empty as it was.
"""

import json
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, parse_url, told
from adapters.storage.opening import MEMORY, known, revision_of, upgrade
from adapters.storage.schema import METADATA
from bot.errors import StoreError

BATCH = 1000
_ROOM = 1 << 64


@dataclass(frozen=True, slots=True)
class Sum:
    """How many rows a table has, and a checksum over all of them in any order."""

    rows: int = 0
    check: int = 0

    def plus(self, rows: Iterable[Mapping[Any, Any]]) -> "Sum":
        """Add rows."""
        marks = [_mark(row) for row in rows]
        return Sum(self.rows + len(marks), (self.check + sum(marks)) % _ROOM)


async def copy(source: str, target: str) -> Mapping[str, int]:
    """Copy every row of a database into an empty one; give how many, by table.

    Raises StoreError if the target is not empty, if a database is not one of this program, or if
    what has arrived is not what was sent; then nothing is changed.
    """
    if MEMORY in {source, target}:
        msg = "What is kept in memory cannot be copied. Name two databases."
        raise StoreError(msg)
    origin, goal = Database(parse_url(source)), Database(parse_url(target))
    try:
        async with _as_of_now(origin) as reader:
            await upgrade(target)
            with told():
                async with goal.writing() as writer:
                    return await _copy(reader, writer)
    finally:
        await origin.close()
        await goal.close()


async def sums(connection: AsyncConnection) -> Mapping[str, Sum]:
    """Count and sum up every table."""
    found = {}
    for table in METADATA.sorted_tables:
        total = Sum()
        async for batch in _batches(connection, table):
            total = total.plus(batch)
        found[table.name] = total
    return found


async def _copy(reader: AsyncConnection, writer: AsyncConnection) -> Mapping[str, int]:
    for table in METADATA.sorted_tables:
        if await writer.scalar(select(func.count()).select_from(table)):
            msg = (
                f"The target is not empty: it has rows in `{table.name}`. Choose an empty database."
            )
            raise StoreError(msg)
    sent = {}
    for table in METADATA.sorted_tables:
        total = Sum()
        async for batch in _batches(reader, table):
            total = total.plus(batch)
            await writer.execute(table.insert(), batch)
        sent[table.name] = total
    arrived = await sums(writer)
    if wrong := [name for name in sent if sent[name] != arrived[name]]:
        msg = f"The copies of {', '.join(wrong)} are not like their originals. Nothing was changed."
        raise StoreError(msg)
    return {name: total.rows for name, total in sent.items()}


async def _batches(
    connection: AsyncConnection, table: Table
) -> AsyncIterator[Sequence[dict[str, Any]]]:
    query = select(table).order_by(*table.primary_key.columns)
    async with connection.stream(query) as result:
        async for rows in result.mappings().partitions(BATCH):
            yield [dict(row) for row in rows]


@asynccontextmanager
async def _as_of_now(database: Database) -> AsyncIterator[AsyncConnection]:
    """Lend a connection that sees one instant for as long as it is used."""
    with told():
        async with database.engine.connect() as connection:
            if database.engine.dialect.name == "sqlite":
                await connection.exec_driver_sql("BEGIN")
            else:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            if not known(await connection.run_sync(revision_of)):
                msg = "The original is not up to date. Run `kuis db upgrade` on it first."
                raise StoreError(msg)
            yield connection


def _mark(row: Mapping[Any, Any]) -> int:
    written = json.dumps(list(row.values()), ensure_ascii=True).encode()
    return (zlib.crc32(written) << 32) | zlib.adler32(written)
