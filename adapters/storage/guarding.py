"""Guarding: what only one of several processes may hold, for as long as it lives.

On PostgreSQL these are advisory locks on a connection of their own: they end with the process,
however it ends, so nobody has to wait for a lease to run out and no clock has to be trusted. An
SQLite file is for one process a chat; a lock on a file beside it keeps a second one waiting.
"""

import asyncio
import os
import secrets
import sys
import zlib
from pathlib import Path

from sqlalchemy import ColumnElement, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, told
from adapters.storage.schema import sessions

_KEEPERS = 0x6B756973
"""The class of the locks that say which keepers of sessions are alive."""

_LEADS = 0x6B75696C
_TRY = text("SELECT pg_try_advisory_lock(:kind, :key)")
_ALIVE = text(
    "sessions.keeper NOT IN (SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory'"  # noqa: S608
    f" AND granted AND objsubid = 2 AND classid = {_KEEPERS} AND database ="
    " (SELECT oid FROM pg_database WHERE datname = current_database()))"
)


class Guard:
    """What this process holds. `number` is its name as a keeper of sessions."""

    def __init__(self, database: Database) -> None:
        """Hold nothing yet."""
        self.number = secrets.randbelow(2**31 - 1) + 1
        self._database = database
        self._connection: AsyncConnection | None = None
        self._held: set[tuple[int, int]] = set()
        self._files: dict[str, int] = {}
        self._one_at_a_time = asyncio.Lock()

    @property
    def shared(self) -> bool:
        """Tell whether several processes may well work on this database."""
        return self._database.engine.dialect.name != "sqlite"

    async def present(self) -> None:
        """Let other processes see that this one is alive. Raises StoreError."""
        if self.shared:
            await self._hold(_KEEPERS, self.number)

    def abandoned(self) -> ColumnElement[bool]:
        """Give the condition for sessions whose keeper is no more."""
        if self.shared:
            return _ALIVE  # type: ignore[return-value] # text is good as a condition
        return sessions.c.keeper != self.number

    async def lead(self, name: str) -> bool:
        """Become the one process that does something, or make sure that it still is this one.

        Raises StoreError while that cannot be known.
        """
        if self.shared:
            return await self._hold(_LEADS, zlib.crc32(name.encode()) & 0x7FFFFFFF)
        if name not in self._files:
            path = self._database.engine.url.database or ""
            number = await asyncio.to_thread(_lock_file, f"{path}.{name}.lock")
            if number is None:
                return False
            self._files[name] = number
        return True

    async def close(self) -> None:
        """Let everything go."""
        async with self._one_at_a_time:
            await self._drop()
        while self._files:
            os.close(self._files.popitem()[1])

    async def _hold(self, kind: int, key: int) -> bool:
        async with self._one_at_a_time:
            try:
                with told():
                    return await self._held_now(kind, key)
            except BaseException:
                await self._drop()
                raise

    async def _held_now(self, kind: int, key: int) -> bool:
        connection = self._connection or await self._connect()
        if (kind, key) in self._held:
            await connection.execute(text("SELECT 1"))  # fails if the locks have gone with it
            return True
        got = await connection.scalar(_TRY, {"kind": kind, "key": key})
        if got:
            self._held.add((kind, key))
        return bool(got)

    async def _connect(self) -> AsyncConnection:
        connection = await self._database.engine.connect()
        self._connection = await connection.execution_options(isolation_level="AUTOCOMMIT")
        return self._connection

    async def _drop(self) -> None:
        """Close the connection for real: in the pool it would keep its locks."""
        connection, self._connection = self._connection, None
        self._held.clear()
        if connection:
            try:
                await connection.invalidate()
                await connection.close()
            except (DBAPIError, OSError):
                pass  # it was gone already


def _lock_file(path: str) -> int | None:
    """Lock a file for as long as it is open; None if another process has it."""
    if sys.platform == "win32" or path.startswith("file:"):
        return os.open(os.devnull, os.O_RDONLY)
    import fcntl  # noqa: PLC0415 - not on Windows

    number = os.open(Path(path), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(number)
        return None
    return number
