"""The database: connections that are set up for what is done with them, and errors in one sentence.

SQLite is written through one connection, with BEGIN IMMEDIATE, so that a second process waits its
turn instead of failing in the middle (docs/decisions/0002). Reads have connections of their own.
"""

import asyncio
import re
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlalchemy import URL, Connection, Table, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import await_only

from bot.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

Insert: TypeAlias = "sqlite.Insert | postgresql.Insert"

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
_BUSY_SECONDS = "5"
_PATIENCE = 3.0
_TRY_AGAIN = 0.05
_WRITES = "kuis_writes"
NOTHING_DONE = "lost before the commit: it can safely be done again"
"""Noted on an error after which the whole transaction may be tried once more."""

_BEGIN = "BEGIN IMMEDIATE"
_CURES = (
    ("disk is full", "The disk is full. Make room on it, then try again."),
    ("readonly", "The database is read-only. Let the program write to its file and its folder."),
    ("read-only", "The database is read-only. Connect to one that can be written."),
    ("no space left", "The database's disk is full. Make room on it, then try again."),
    ("could not extend", "The database's disk is full. Make room on it, then try again."),
    ("starting up", "The database is just starting. Try again in a moment."),
    ("shutting down", "The database is shutting down. Start it again."),
    (
        "terminating connection",
        "The database was stopped. Wait until it is back, or start it.",
    ),
    ("connection is closed", "The connection to the database broke off. Try again in a moment."),
    ("connection was closed", "The connection to the database broke off. Try again in a moment."),
    ("too many", "The database has no connection left. Raise its max_connections."),
    ("locked", "Another program keeps the database locked. Close it, or try again in a moment."),
    ("unable to open", "The database cannot be opened. Check its path and who may write there."),
    ("not a database", "The file is not a Kuis database. Check its path, or restore a backup."),
    ("malformed", "The database file is damaged. Stop the program and restore a backup."),
    ("no such table", "The database has no tables yet. Run `kuis db upgrade`."),
    ('relation "', "The database has no tables yet. Run `kuis db upgrade`."),
    ('database "', "The server has no such database. Make it with `createdb`, or check the name."),
    ('role "', "The server does not know this user. Check the user in the database URL."),
    ("password authentication", "The server refuses the password. Check it in the database URL."),
    ("foreign key", "It refers to something that is not in the database (any more)."),
)


def parse_url(url: str) -> URL:
    """Read a database URL and fill in the driver.

    Raises StoreError for one that no driver is here for.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        shown = re.sub("://.*@", "://...@", url)  # a password may be in it
        msg = f"`{shown}` is no database URL. Write `sqlite:///kuis.db` or `postgresql://...`."
        raise StoreError(msg) from error
    family = parsed.drivername.partition("+")[0]
    if family not in _DRIVERS:
        msg = f"Kuis cannot use {family}. Write `sqlite:///kuis.db` or `postgresql://...`."
        raise StoreError(msg)
    if family == "sqlite" and parsed.database in {None, "", ":memory:"}:
        msg = "An SQLite database needs a file: `sqlite:///kuis.db`. To keep nothing: `memory:`."
        raise StoreError(msg)
    if family == "sqlite" and "timeout" not in parsed.query:
        parsed = parsed.update_query_dict({"timeout": _BUSY_SECONDS})
    return parsed.set(drivername=_DRIVERS[family])


@contextmanager
def told() -> Iterator[None]:
    """Turn what a database driver raises into a StoreError that says what to do."""
    try:
        yield
    except (SQLAlchemyError, OSError, OverflowError) as error:
        raise StoreError(_cure(error)) from error


def out_of_reach(error: BaseException | None) -> bool:
    """Tell whether the database as a whole is the trouble, and not what it was asked."""
    return isinstance(error, OperationalError | OSError) or cut_off(error)


def cut_off(error: BaseException | None) -> bool:
    """Tell whether the connection was lost, as when a server is restarted."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


class Database:
    """One engine, many short reads, and one connection that writes."""

    def __init__(self, url: URL) -> None:
        """Make the engine; nothing is opened before the first use."""
        self.engine = _engine(url)
        self.local = url.get_backend_name() == "sqlite"
        self._writer: AsyncConnection | None = None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Lend a connection for reading; each statement sees the latest commit."""
        with told():
            async with self.engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Lend the writing connection with a transaction begun; it commits at the end.

        Only the writer's line may call this: there is one such connection. After an error a new
        one is opened, since nobody knows in what state the old one is.
        """
        connection = self._writer or await self._connect()
        committing = False
        try:
            async with connection.begin() as transaction:
                yield connection
                committing = True
                await transaction.commit()
        except BaseException as error:
            self._writer = None
            if not committing and cut_off(error):
                error.add_note(NOTHING_DONE)
            with suppress(DBAPIError, OSError):
                await connection.close()
            raise

    async def at_once(self, statement: str, values: Sequence[Any]) -> Sequence[Any]:
        """Run one statement on SQLite's writing connection, in a transaction of its own.

        Only the writer's line may call this. It is one hop to the database's thread.
        """
        connection = self._writer or await self._connect()
        raw = await connection.get_raw_connection()
        try:
            driver: Any = raw.driver_connection
            found: Sequence[Any] = await driver.execute_fetchall(statement, values)
        except BaseException as error:
            self._writer = None
            with suppress(DBAPIError, OSError):
                await connection.close()
            if isinstance(error, sqlite3.Error):  # as if it had come through SQLAlchemy
                raise DBAPIError.instance(statement, None, error, sqlite3.Error) from error
            raise
        return found

    async def close(self) -> None:
        """Close every connection."""
        if self._writer:
            await self._writer.close()
            self._writer = None
        await self.engine.dispose()

    def insert(self, table: Table) -> Insert:
        """Give the insert of this database's dialect, which knows `on_conflict_do_...`."""
        if self.local:
            from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415 - one of the two

            return insert(table)
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - brings its driver along

        return postgresql.insert(table)

    async def _connect(self) -> AsyncConnection:
        connection = await self.engine.connect()
        self._writer = await connection.execution_options(**{_WRITES: True})
        return self._writer


def _engine(url: URL) -> AsyncEngine:
    local = url.get_backend_name() == "sqlite"
    # parameters are personal; a server may have been restarted since a connection was last used
    engine = create_async_engine(url, hide_parameters=True, pool_pre_ping=not local)
    if local:
        event.listen(engine.sync_engine, "connect", _set_up)
        event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - a driver's own class
    """Take transactions out of sqlite3's hands, and ask for WAL, durability and foreign keys."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        _patiently(cursor, f"PRAGMA {pragma}")
    cursor.close()


def _patiently(cursor: Any, statement: str) -> None:  # noqa: ANN401 - a driver's own class
    """Carry out a pragma; while another program sets up the journal of a new file it is locked,
    and for that SQLite does not wait by itself.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            cursor.execute(statement)
        except sqlite3.OperationalError as error:
            if time.monotonic() > until or "locked" not in str(error):
                raise
            await_only(asyncio.sleep(_TRY_AGAIN))
        else:
            return


def _begin(connection: Connection) -> None:
    """Begin for real; straight at the driver, since each statement of a cursor is four hops."""
    if connection.get_execution_options().get(_WRITES):
        driver: Any = connection.connection.driver_connection
        try:
            await_only(driver.execute_fetchall(_BEGIN))
        except sqlite3.Error as error:
            raise OperationalError(_BEGIN, None, error) from error


def _cure(error: Exception) -> str:
    said = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    lowered = said.lower()
    for sign, cure in _CURES:
        if sign in lowered:
            return cure
    if isinstance(error, OSError):
        return f"The database is out of reach ({said}). Check its address and that it runs."
    return f"The database failed ({said.splitlines()[0] if said else type(error).__name__})."
