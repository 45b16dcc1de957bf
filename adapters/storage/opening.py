"""Opening a store: the right one for a URL, with its tables at the revision of this program."""

from pathlib import Path

from sqlalchemy import URL, Connection, inspect, text

from adapters.storage.database import Database, parse_url, told
from adapters.storage.memory import MemoryStore
from adapters.storage.schema import HEAD, REVISIONS
from adapters.storage.sql import SqlStore
from bot.errors import StoreError

MEMORY = "memory:"
MIGRATIONS = Path(__file__).parent / "migrations"


async def open_store(url: str) -> SqlStore | MemoryStore:
    """Open the store a URL names: `sqlite:///kuis.db`, `postgresql://...` or `memory:`.

    A local SQLite file is made, with its folders, and brought up to date. Raises StoreError for
    a database that a newer program has written, and for a PostgreSQL one that is not up to date.
    """
    if url == MEMORY:
        return MemoryStore()
    parsed = parse_url(url)
    await _prepare(parsed, may_upgrade=_is_sqlite(parsed))
    return SqlStore(parsed)


async def upgrade(url: str) -> str:
    """Bring a database up to date and give its revision.

    Raises StoreError if a newer program has written it.
    """
    if url != MEMORY:
        await _prepare(parse_url(url), may_upgrade=True)
    return HEAD


def known(revision: str | None) -> bool:
    """Tell whether a database is up to date; None is one without tables.

    Raises StoreError for a revision that only a newer program can know.
    """
    if revision is not None and revision not in REVISIONS:
        msg = (
            f"A newer Kuis has written this database (schema {revision}, this program reads up"
            f" to {HEAD}). Update the program, or restore a backup from before."
        )
        raise StoreError(msg)
    return revision == HEAD


def revision_of(connection: Connection) -> str | None:
    """Read the revision of a database, without Alembic, whose import is slow."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    stored: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return stored


async def _prepare(url: URL, *, may_upgrade: bool) -> None:
    if _is_sqlite(url):
        _make_folder(url)
    database = Database(url)
    try:
        async with database.reading() as connection:
            ready = known(await connection.run_sync(revision_of))
        if ready:
            return
        if not may_upgrade:
            msg = "The database is not up to date. Run `kuis db upgrade` once, then start again."
            raise StoreError(msg)
        with told():
            async with database.writing() as connection:
                await connection.run_sync(_migrate)
    finally:
        await database.close()


def _migrate(connection: Connection) -> None:
    """Run the missing migrations; asks again first, another process may have been faster."""
    if known(revision_of(connection)):
        return
    from alembic import command  # noqa: PLC0415 - slow, and seldom needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _make_folder(url: URL) -> None:
    """Make the folder of a database file; a `file:` URI is left to whoever wrote it."""
    path = url.database or ""
    if path.startswith("file:"):
        return
    with told():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
