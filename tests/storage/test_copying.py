"""Moving an installation to another database: every row arrives, or nothing is changed."""

import asyncio
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from adapters.storage import SqlStore, backup, copy, open_store
from adapters.storage.copying import sums
from bot.dailies import Daily, Schedule
from bot.errors import StoreError
from bot.ids import ParticipantId
from bot.modes import Mode
from bot.ports import BoardQuery, Merit, Period
from tests.storage.worlds import NOON, World, alias


@pytest.fixture
def two(sqlite_url: str, postgresql: str) -> tuple[str, str]:
    """The addresses of an empty SQLite file and of an empty PostgreSQL database."""
    return sqlite_url, postgresql


async def filled(url: str) -> None:
    """A store with a bit of everything in it, and more rows than a batch."""
    async with await open_store(url) as store:
        world = await World.made(store)
        await store.set_participant(world.ben.id, nickname="Bén 🎉", language="id")
        await store.set_note("telegram.poll.1", 'a "quoted" note\nof two lines')
        await world.played("one", world.ann, 1, 0.5, 1 / 3)
        await world.played("two", world.ben, 0, 1, at=NOON + timedelta(days=8))
        schedule = Schedule(minute=450, zone="Asia/Jakarta")
        daily = Daily(room=world.hall.id, schedule=schedule, starter=world.ann.id, next_at=NOON)
        await store.change_daily(None, daily)
        live = await world.opened("live", Mode.LIVE)
        for number in range(1200):
            response = world.response(live, world.cid)
            await store.record(replace(response, participant=ParticipantId(str(number))))


async def state(url: str) -> list[object]:
    """Everything two installations must have in common."""
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        hall = await store.room(alias("hall"))
        boards = [
            await store.leaderboard(BoardQuery(room=room, period=period, merit=merit), NOON)
            for room in (hall, None)
            for period in Period
            for merit in Merit
        ]
        async with store.engine.connect() as connection:
            return [boards, await sums(connection), await store.unfinished()]


@pytest.mark.parametrize("back", [False, True])
async def test_every_row_arrives_on_the_way_there_and_back(two, back):
    source, target = reversed(two) if back else two
    await filled(source)

    rows = await copy(source, target)

    assert rows["responses"] == 1205
    assert rows["participants"] == 3
    assert await state(source) == await state(target)


async def test_a_copy_of_a_copy_is_the_original(two, tmp_path):
    await filled(two[0])
    third = f"sqlite:///{tmp_path}/third.db"

    await copy(*two)
    await copy(two[1], third)

    assert await state(third) == await state(two[0])


async def test_a_copy_can_be_taken_in_use_and_goes_on_alone(sqlite_url, tmp_path):
    target = f"sqlite:///{tmp_path}/target.db"
    await filled(sqlite_url)
    async with await open_store(sqlite_url) as store:
        await copy(sqlite_url, target)
        await store.set_note("later", "x")

    async with await open_store(target) as copied:
        assert await copied.note("later") is None
        await copied.set_note("other", "y")
        assert await copied.rebuild() == 5


async def test_a_target_that_is_not_empty_is_left_alone(sqlite_url, tmp_path):
    target = f"sqlite:///{tmp_path}/target.db"
    await filled(sqlite_url)
    async with await open_store(target) as other:
        await other.set_note("mine", "x")

    with pytest.raises(StoreError, match="not empty"):
        await copy(sqlite_url, target)

    async with await open_store(target) as other:
        assert await other.note("mine") == "x"
        assert await other.unfinished() == []


async def test_a_copy_that_fails_half_way_leaves_nothing(sqlite_url, tmp_path):
    target = f"sqlite:///{tmp_path}/target.db"
    await filled(sqlite_url)
    async with await open_store(target) as other:
        assert isinstance(other, SqlStore)
        async with other.engine.begin() as connection:
            await connection.execute(
                text(
                    "CREATE TRIGGER thief AFTER INSERT ON scores BEGIN"
                    " UPDATE scores SET points = 0; END"
                )
            )

    with pytest.raises(StoreError, match="not like their originals"):
        await copy(sqlite_url, target)

    async with await open_store(target) as other:
        assert await other.unfinished() == []


@pytest.mark.parametrize(("source", "target"), [("memory:", "x.db"), ("x.db", "memory:")])
async def test_memory_is_not_copied(source, target):
    with pytest.raises(StoreError, match="memory"):
        await copy(source, target)


async def test_an_original_of_an_older_program_is_brought_up_to_date_first(tmp_path):
    old = tmp_path / "old.db"
    old.touch()

    with pytest.raises(StoreError, match="kuis db upgrade"):
        await copy(f"sqlite:///{old}", f"sqlite:///{tmp_path}/target.db")


# ------------------------------------------------------------ backups, as docs/operating.md says


async def test_a_backup_in_use_restored_elsewhere_has_the_same_leaderboards(sqlite_url, tmp_path):
    await filled(sqlite_url)
    async with await open_store(sqlite_url):
        await backup(sqlite_url, tmp_path / "copy.db")
    (tmp_path / "elsewhere").mkdir()
    restored = (tmp_path / "copy.db").rename(tmp_path / "elsewhere" / "kuis.db")

    assert await state(f"sqlite:///{restored}") == await state(sqlite_url)


def _tool(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}")) or [shutil.which(name)]
    if found[-1] is None:
        pytest.skip(f"{name} is not installed here")
    return str(found[-1])


async def test_a_dump_of_postgresql_restored_elsewhere_has_the_same_leaderboards(
    postgresql, tmp_path
):
    await filled(postgresql)
    plain = make_url(postgresql).set(drivername="postgresql")
    other = plain.set(database=f"{plain.database}_restored")
    named = [url.render_as_string(hide_password=False) for url in (plain, other)]
    dump = str(tmp_path / "kuis.dump")

    async def run(tool: str, *arguments: str) -> None:
        process = await asyncio.create_subprocess_exec(_tool(tool), *arguments)
        assert await process.wait() == 0

    async with await open_store(postgresql):
        await run("pg_dump", "--format=custom", "--file", dump, named[0])
    await run("psql", "-q", "-c", f"CREATE DATABASE {other.database}", named[0])
    try:
        await run("pg_restore", "--dbname", named[1], dump)

        assert await state(named[1]) == await state(postgresql)
    finally:
        await run("psql", "-q", "-c", f"DROP DATABASE {other.database} WITH (FORCE)", named[0])
