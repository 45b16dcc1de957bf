"""Opening a store: its tables are made, kept up to date, and never touched by an older program."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, make_url, text
from sqlalchemy.schema import CreateIndex, CreateTable

from adapters.storage import MemoryStore, SqlStore, info, open_store, upgrade
from adapters.storage.database import Database, parse_url
from adapters.storage.opening import MIGRATIONS
from adapters.storage.schema import HEAD, METADATA, REVISIONS
from bot.errors import StoreError
from tests.storage.worlds import World, alias


async def test_a_new_file_is_made_with_its_folders_and_tables(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/deep/down/kuis.db"

    async with await open_store(url) as store:
        await World.made(store)

    found = await info(url)
    assert (found["revision"], found["kind"]) == (HEAD, "sqlite")
    assert found["rows"] == {
        "aliases": 4,
        "asked": 0,
        "challenges": 0,
        "corrections": 0,
        "codes": 0,
        "links": 0,
        "dailies": 0,
        "notes": 0,
        "packs": 0,
        "parcels": 0,
        "participants": 3,
        "reminders": 0,
        "rooms": 1,
        "sessions": 0,
        "responses": 0,
        "scores": 0,
        "totals": 0,
        "tries": 0,
    }


async def test_memory_is_opened_by_its_name():
    assert isinstance(await open_store("memory:"), MemoryStore)
    assert (await info("memory:"))["kind"] == "memory"
    assert await upgrade("memory:") == HEAD


async def test_programs_that_open_a_new_file_together_all_can(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/kuis.db"

    stores = await asyncio.gather(*(open_store(url) for _ in range(4)))

    assert len({(await store.room(alias("hall"))).id for store in stores}) == 1
    for store in stores:
        await store.close()


@pytest.mark.parametrize("change", [open_store, upgrade])
async def test_a_database_of_a_newer_program_is_refused(url: str, change):
    await _at(url, "9999")
    try:
        with pytest.raises(StoreError, match="newer Kuis"):
            await change(url)
        assert (await info(url))["revision"] == "9999"
    finally:
        await _at(url, HEAD)


async def test_postgresql_is_upgraded_only_when_asked(postgresql_url: str):
    await _execute(postgresql_url, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    with pytest.raises(StoreError, match="kuis db upgrade"):
        await open_store(postgresql_url)

    revision = await upgrade(postgresql_url)

    assert revision == HEAD
    async with await open_store(postgresql_url) as store:
        assert isinstance(store, SqlStore)


async def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path):
    (tmp_path / "kuis.db").write_text("Dear diary, " * 100)

    with pytest.raises(StoreError, match="not a Kuis database"):
        await open_store(f"sqlite:///{tmp_path}/kuis.db")


async def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "file").touch()

    with pytest.raises(StoreError):
        await open_store(f"sqlite:///{tmp_path}/file/kuis.db")


@pytest.mark.parametrize(
    "url", ["kuis", "mysql://localhost/kuis", "sqlite://", "sqlite:///:memory:"]
)
async def test_a_url_that_names_no_store_is_answered_with_one_that_does(url: str):
    with pytest.raises(StoreError, match=r"sqlite:///kuis\.db"):
        await open_store(url)


async def test_a_server_out_of_reach_is_said():
    with pytest.raises(StoreError, match="out of reach"):
        await open_store("postgresql://kuis@127.0.0.1:1/kuis")


@pytest.mark.parametrize(
    ("change", "said"), [({"database": "nope"}, "no such database"), ({"username": "eve"}, "user")]
)
async def test_a_server_that_refuses_is_understood(postgresql_url: str, change, said):
    address = make_url(postgresql_url).set(**change).render_as_string(hide_password=False)

    with pytest.raises(StoreError, match=said):
        await open_store(address)


async def test_a_password_is_not_shown(postgresql_url: str):
    found = await info(postgresql_url.replace("kuis@", "kuis:secret@"))

    assert "secret" not in str(found)


async def test_the_migrations_lead_to_the_schema(url: str):
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, METADATA))

    assert await _with(url, differences) == []


async def test_the_migrations_write_the_same_tables_as_the_schema(sqlite_url: str):
    def written(connection: Connection) -> set[str]:
        rows = connection.scalars(text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
        return {_plain(sql) for sql in rows if "alembic" not in sql}

    def meant(connection: Connection) -> set[str]:
        dialect = connection.dialect
        tables = METADATA.sorted_tables
        indexes = [index for table in tables for index in table.indexes]
        return {
            *(_plain(str(CreateTable(table).compile(dialect=dialect))) for table in tables),
            *(_plain(str(CreateIndex(index).compile(dialect=dialect))) for index in indexes),
        }

    assert await _with(sqlite_url, written) == await _with(sqlite_url, meant)


def test_the_program_knows_every_migration_in_order():
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config).walk_revisions()

    assert tuple(script.revision for script in scripts)[::-1] == REVISIONS


def test_opening_a_file_that_is_up_to_date_imports_no_alembic(sqlite_url: str):
    program = (
        "import asyncio, sys; from adapters.storage import open_store;"
        f"asyncio.run(open_store({sqlite_url!r})); print('alembic' in sys.modules)"
    )

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)  # noqa: S603

    assert said.stdout.split() == [b"False"]


def _plain(sql: str) -> str:
    return " ".join(sql.replace('"', "").replace("( ", "(").replace(" )", ")").split())


async def _at(url: str, revision: str) -> None:
    await _execute(url, f"UPDATE alembic_version SET version_num = '{revision}'")  # noqa: S608


async def _execute(url: str, *statements: str) -> None:
    database = Database(parse_url(url))
    async with database.writing() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await database.close()


async def _with(url: str, read):
    database = Database(parse_url(url))
    async with database.reading() as connection:
        found = await connection.run_sync(read)
    await database.close()
    return found


async def test_totals_of_an_older_database_are_those_of_a_rebuild(sqlite_url: str):
    """The migration fills them with the same sums that are kept from then on."""
    async with await open_store(sqlite_url) as store:
        world = await World.made(store)
        await world.played("one", world.ann, 1, 0.5, 1 / 3)
        await world.played("two", world.ben, 0, 1)
    kept = await _totals(sqlite_url)
    await _execute(
        sqlite_url,
        *(
            f"DROP TABLE {table}"
            for table in (
                "totals",
                "tries",
                "codes",
                "links",
                "reminders",
                "packs",
                "parcels",
                "challenges",
                "corrections",
                "dailies",
            )
        ),
        "DROP INDEX ix_responses_item",
        "ALTER TABLE sessions DROP COLUMN keeper",
        "ALTER TABLE responses DROP COLUMN sure",
        "UPDATE alembic_version SET version_num = '0001'",
    )

    assert await upgrade(sqlite_url) == HEAD

    assert await _totals(sqlite_url) == kept
    assert len(kept) == 8


async def _totals(url: str) -> list[tuple[object, ...]]:
    def read(connection: Connection) -> list[tuple[object, ...]]:
        rows = connection.execute(text("SELECT * FROM totals ORDER BY room, week, participant"))
        return [tuple(row) for row in rows]

    return await _with(url, read)
