"""Every store there is, as one fixture: a new one joins the contract by a line in STORES."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.storage import MemoryStore, SqlStore, open_store, upgrade
from adapters.storage.schema import METADATA
from tests.storage.worlds import World

SQL = ("sqlite", "postgresql")
STORES = ("memory", *SQL)


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest) -> str:
    return _fresh(request)


@pytest.fixture(params=SQL)
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, for tests that open it more than once."""
    return _fresh(request)


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[SqlStore | MemoryStore]:
    async with await open_store(store_url) as opened:
        yield opened


@pytest.fixture
async def world(store: SqlStore | MemoryStore) -> World:
    return await World.made(store)


@pytest.fixture
def sqlite_url(request: pytest.FixtureRequest) -> str:
    return _sqlite(request)


@pytest.fixture
def postgresql(request: pytest.FixtureRequest) -> str:
    """The address of an empty PostgreSQL database."""
    return _postgresql(request)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with its tables, to be copied: faster than migrating for each test."""
    file = tmp_path_factory.mktemp("template") / "kuis.db"
    asyncio.run(upgrade(f"sqlite:///{file}"))
    return file


@pytest.fixture(scope="session")
def postgresql_url(worker_id: str) -> Iterator[str]:
    """A database of this test worker's own, on the server that KUIS_TEST_POSTGRES names."""
    server = os.environ.get("KUIS_TEST_POSTGRES")
    if not server:
        pytest.skip("KUIS_TEST_POSTGRES names no server; `make test` starts one if it can")
    name = f"kuis_{worker_id}"
    address = make_url(server).set(database=name).render_as_string(hide_password=False)
    asyncio.run(_execute(server, f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"))
    asyncio.run(upgrade(address))
    yield address
    asyncio.run(_execute(server, f"DROP DATABASE {name} WITH (FORCE)"))


def _fresh(request: pytest.FixtureRequest) -> str:
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return _sqlite(request)
    return _postgresql(request)


def _postgresql(request: pytest.FixtureRequest) -> str:
    address: str = request.getfixturevalue("postgresql_url")
    tables = ", ".join(table.name for table in METADATA.sorted_tables)
    asyncio.run(_execute(address, f"TRUNCATE {tables}"))
    return address


def _sqlite(request: pytest.FixtureRequest) -> str:
    file = request.getfixturevalue("tmp_path") / "kuis.db"
    shutil.copy(request.getfixturevalue("template"), file)
    return f"sqlite:///{file}"


async def _execute(url: str, *statements: str) -> None:
    address = make_url(url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(address, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()
