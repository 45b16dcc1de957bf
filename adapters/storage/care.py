"""Taking care of a database: what is in it, and a copy for bad days."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import func, select

from adapters.storage.database import Database, parse_url
from adapters.storage.opening import MEMORY, revision_of
from adapters.storage.schema import HEAD, METADATA
from bot.errors import StoreError


async def info(url: str) -> dict[str, object]:
    """Tell what a database is and holds, for people to read; a password is not shown.

    `rows` maps tables to their sizes and is empty where there are no tables yet.
    """
    if url == MEMORY:
        return {"url": url, "kind": "memory", "revision": HEAD, "head": HEAD, "rows": {}}
    parsed = parse_url(url)
    shown = parsed.set(drivername=parsed.get_backend_name(), query={})
    database = Database(parsed)
    try:
        async with database.reading() as connection:
            revision = await connection.run_sync(revision_of)
            tables = METADATA.sorted_tables if revision == HEAD else []
            rows = {
                table.name: await connection.scalar(select(func.count()).select_from(table))
                for table in tables
            }
    finally:
        await database.close()
    return {
        "url": shown.render_as_string(),
        "kind": parsed.get_backend_name(),
        "revision": revision,
        "head": HEAD,
        "rows": rows,
    }


async def backup(url: str, file: Path, *, overwrite: bool = False) -> None:
    """Copy an SQLite database into a file while it is in use; the copy opens as a store.

    Raises StoreError for any other database, and if the file exists and may not be overwritten.
    A copy that fails half way leaves what was there untouched.
    """
    if url == MEMORY or parse_url(url).get_backend_name() != "sqlite":
        msg = "Only an SQLite database is copied here. Use `pg_dump` for PostgreSQL."
        raise StoreError(msg)
    source = Path(parse_url(url).database or "")
    await asyncio.to_thread(_backup, source, file, overwrite=overwrite)


def _backup(source: Path, file: Path, *, overwrite: bool) -> None:
    if not source.is_file():
        msg = f"There is no database at {source}. Check the path."
        raise StoreError(msg)
    if file.exists() and not overwrite:
        msg = f"{file} exists. Choose another name, or say that it may be overwritten."
        raise StoreError(msg)
    _copy(source, file)


def _copy(source: Path, file: Path) -> None:
    part = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(part)) as copy:
            original.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        part.replace(file)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        msg = f"The backup could not be written to {file} ({error}). Nothing was changed."
        raise StoreError(msg) from error
