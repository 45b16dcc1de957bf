"""Taking care of a database: what is in it, and a copy for bad days."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Column, Integer, MetaData, Table, func, select

from adapters.storage.database import Database, parse_url, told
from adapters.storage.opening import MEMORY, known, revision_of
from adapters.storage.schema import HEAD, METADATA, aliases, rooms, sessions
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


async def played_in(url: str, platform: str, *, most: int) -> Sequence[tuple[str, str]]:
    """Give what a platform calls the rooms where quizzes were started last, and their titles.

    Raises StoreError if the database cannot be read.
    """
    if url == MEMORY or not await asyncio.to_thread(_there, url):
        return ()
    latest = (
        select(aliases.c.external, rooms.c.title)
        .join(rooms, rooms.c.id == aliases.c.target)
        .join(sessions, sessions.c.room == rooms.c.id)
        .where(aliases.c.kind == "room", aliases.c.platform == platform)
        .group_by(aliases.c.external, rooms.c.title)
        .order_by(func.max(sessions.c.started).desc())
        .limit(most)
    )
    database = Database(parse_url(url))
    try:
        async with database.reading() as connection:
            return [(external, title) for external, title in await connection.execute(latest)]
    finally:
        await database.close()


def _there(url: str) -> bool:
    parsed = parse_url(url)
    return parsed.get_backend_name() != "sqlite" or Path(parsed.database or "").is_file()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How a database did when it was tried: its revision (None without tables), whether `kuis`
    makes and upgrades it by itself, and the folder whose disk it fills, if that is here.
    """

    url: str
    revision: str | None
    makes_itself: bool
    folder: Path | None


async def trial(url: str) -> Trial:
    """Reach a database and begin to write, without leaving anything behind.

    Raises StoreError for whatever keeps a program from using it; a file that is not there yet is
    no reason.
    """
    if url == MEMORY:
        return Trial(url=url, revision=HEAD, makes_itself=True, folder=None)
    parsed = parse_url(url)
    local = parsed.get_backend_name() == "sqlite"
    folder = await asyncio.to_thread(_folder, Path(parsed.database or "")) if local else None
    shown = parsed.set(drivername=parsed.get_backend_name(), query={}).render_as_string()
    there = not folder or await asyncio.to_thread(Path(parsed.database or "").exists)
    revision = await _tried(Database(parsed)) if there else None
    return Trial(url=shown, revision=revision, makes_itself=local, folder=folder)


def _folder(file: Path) -> Path:
    """Give the folder of a file, or the nearest one there is, after writing something there."""
    folder = next(part for part in file.absolute().parents if part.is_dir())
    try:
        with tempfile.TemporaryFile(dir=folder) as scrap:
            scrap.write(b"kuis")
    except OSError as error:
        msg = f"Nothing can be written to {folder} ({error.strerror}). Check the disk, and who may."
        raise StoreError(msg) from error
    return folder


async def _tried(database: Database) -> str | None:
    trace = Table("kuis_trial", MetaData(), Column("empty", Integer))
    try:
        async with database.reading() as connection:
            revision = await connection.run_sync(revision_of)
        known(revision)
        with suppress(_Enough), told():
            async with database.writing() as connection:
                await connection.run_sync(trace.create)
                raise _Enough
    finally:
        await database.close()
    return revision


class _Enough(Exception):
    """What was tried is taken back."""


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
