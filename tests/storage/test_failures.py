"""A database that fails: what people hear, what is kept, and how it goes on."""

import asyncio
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.storage import SqlStore, open_store, upgrade
from bot.errors import StoreError
from bot.ids import ParticipantId
from bot.ports import Receipt, Response
from bot.submissions import Typed
from tests.helpers.with_postgres import Server, own_server
from tests.storage.worlds import NOON, World


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with own_server() as mine:
        if mine is None:
            pytest.skip("no PostgreSQL binaries are installed here")
        asyncio.run(upgrade(mine.url))
        yield mine


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted(tmp_path / "disk", "3m") as disk:
        yield disk


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """Give a folder on a small disk of its own, in memory."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(command, check=False).returncode:  # noqa: S603
        pytest.skip("a small disk can only be mounted as root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)  # noqa: S603, S607


async def opened(url: str) -> tuple[SqlStore, World, list[Response]]:
    """Open a store with a session, and give answers of two hundred people to it."""
    store = await open_store(url)
    assert isinstance(store, SqlStore)
    world = await World.made(store)
    world.hall = await store.room(replace(world.hall.alias, external=str(time.time_ns())))
    session = await world.opened(str(time.time_ns()), room=world.hall)
    one = world.response(session, world.ann, room=world.hall)
    return store, world, [replace(one, participant=ParticipantId(f"p{n}")) for n in range(200)]


async def test_a_disk_that_fills_up_keeps_what_was_acknowledged_and_says_so(small_disk: Path):
    store, _, crowd = await opened(f"sqlite:///{small_disk}/kuis.db")
    long = [replace(one, submission=Typed("x" * 40_000)) for one in crowd]
    async with store:
        outcomes = [await _tried(store, one) for one in long]
        kept = outcomes.count(Receipt.RECORDED)
        _enlarge(small_disk)
        receipts = await asyncio.gather(*map(store.record, long))
        tally = await store.tally(crowd[0].session, 0)

    assert 0 < kept < 200
    assert {str(one) for one in outcomes if isinstance(one, StoreError)} == {
        "The disk is full. Make room on it, then try again."
    }
    assert receipts.count(Receipt.ALREADY) == kept
    assert (receipts.count(Receipt.RECORDED), tally.answered) == (200 - kept, 200)


async def test_a_restarted_server_is_not_noticed_by_who_comes_next(server: Server):
    store, world, crowd = await opened(server.url)
    async with store:
        await store.record(crowd[0])
        server.stop()
        server.start()

        alone = await store.record(crowd[1])
        read = await store.room_by_id(world.hall.id)
        counted = await store.tally(crowd[0].session, 0)
        claimed = await store.claim({"test"}, NOON)

    assert (alone, read, counted.answered) == (Receipt.RECORDED, world.hall, 2)
    assert claimed == []


async def test_while_the_server_is_down_everybody_is_told_and_nothing_is_lost(server: Server):
    store, _, crowd = await opened(server.url)
    async with store:
        before = await asyncio.gather(*map(store.record, crowd[:50]))
        server.stop("immediate")
        down = await asyncio.gather(*map(store.record, crowd[50:100]), return_exceptions=True)
        with pytest.raises(StoreError, match="out of reach"):
            await store.tally(crowd[0].session, 0)
        server.start()
        again = await asyncio.gather(*map(store.record, crowd[:100]))

    assert before == [Receipt.RECORDED] * 50
    assert {type(one) for one in down} == {StoreError}
    assert {str(one).partition(".")[0].partition(" (")[0] for one in down} <= {
        "The database is out of reach",
        "The connection to the database broke off",
        "The database was stopped",
    }
    assert again == [Receipt.ALREADY] * 50 + [Receipt.RECORDED] * 50


async def test_answers_in_the_very_moment_of_a_crash_are_kept_if_they_were_acknowledged(
    server: Server,
):
    store, _, crowd = await opened(server.url)
    async with store:
        coming = [asyncio.ensure_future(_trickle(store, part)) for part in _parts(crowd)]
        await asyncio.sleep(0.02)
        server.stop("immediate")
        acknowledged = {one for part in await asyncio.gather(*coming) for one in part}
        server.start()
        missing = [
            who for who in acknowledged if await store.response(crowd[0].session, 0, who) is None
        ]
        again = await asyncio.gather(*map(store.record, crowd))

    assert missing == []
    assert again.count(Receipt.ALREADY) >= len(acknowledged)
    assert set(again) <= {Receipt.ALREADY, Receipt.RECORDED}


async def test_a_server_that_is_held_up_for_five_seconds_only_makes_people_wait(server: Server):
    store, _, crowd = await opened(server.url)
    async with store:
        await store.record(crowd[0])
        server.pause()
        begun = time.monotonic()
        coming = asyncio.gather(*map(store.record, crowd))
        reading = asyncio.ensure_future(store.tally(crowd[0].session, 0))
        ticks = await _ticks(5.0)
        server.go_on()
        receipts = await coming
        waited = time.monotonic() - begun
        await reading

    assert receipts == [Receipt.ALREADY] + [Receipt.RECORDED] * 199
    assert ticks > 80  # the rest of the program went on meanwhile
    assert waited < 8


async def test_the_lead_is_lost_with_the_connection_and_taken_up_again(server: Server):
    one, two = await open_store(server.url), await open_store(server.url)
    async with one, two:
        assert await one.lead("telegram")
        server.stop()
        with pytest.raises(StoreError):
            await one.lead("telegram")
        server.start()

        assert await one.lead("telegram")
        assert not await two.lead("telegram")


async def test_a_server_whose_disk_is_full_says_so_and_recovers():
    with (
        tempfile.TemporaryDirectory(prefix="kuis-disk-") as folder,
        mounted(_open_to_all(Path(folder)) / "disk", "90m") as disk,
    ):
        options = "-c max_wal_size=32MB -c min_wal_size=32MB -c shared_buffers=4MB"
        with own_server(options, disk) as mine:
            if mine is None:
                pytest.skip("no PostgreSQL binaries are installed here")
            await upgrade(mine.url)
            store, _, crowd = await opened(mine.url)
            ballast = disk / "ballast"
            _fill(ballast, disk)
            text = "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(30_000))
            long = [
                replace(one, submission=Typed(text[n:] + text[:n])) for n, one in enumerate(crowd)
            ]
            outcomes = [await _tried(store, one) for one in long]
            ballast.unlink()
            async with store:
                again = [await _tried_until(store, one) for one in long]

    refused = [one for one in outcomes if isinstance(one, StoreError)]
    assert "disk is full" in str(refused[0])
    kept = [n for n, one in enumerate(outcomes) if one is Receipt.RECORDED]
    assert all(again[n] is Receipt.ALREADY for n in kept)


def _open_to_all(folder: Path) -> Path:
    folder.chmod(0o755)
    return folder


def _enlarge(disk: Path) -> None:
    command = ["mount", "-o", "remount,size=30m", str(disk)]
    subprocess.run(command, check=True)  # noqa: S603 - our own disk


def _fill(ballast: Path, disk: Path) -> None:
    left = shutil.disk_usage(disk).free - 200_000
    ballast.write_bytes(b"x" * max(0, left))


async def _tried(store: SqlStore, one: Response) -> Receipt | StoreError:
    try:
        return await store.record(one)
    except StoreError as error:
        return error


async def _tried_until(store: SqlStore, one: Response) -> Receipt:
    for _ in range(100):
        outcome = await _tried(store, one)
        if isinstance(outcome, Receipt):
            return outcome
        await asyncio.sleep(0.2)
    raise AssertionError(outcome)


async def _trickle(store: SqlStore, part: list[Response]) -> list[ParticipantId]:
    done = []
    for one in part:
        try:
            await store.record(one)
        except StoreError:
            break
        done.append(one.participant)
    return done


def _parts(crowd: list[Response]) -> list[list[Response]]:
    return [crowd[n::20] for n in range(20)]


async def _ticks(seconds: float) -> int:
    """Count how often the loop comes round, of a hundred times."""
    count = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(seconds / 100)
        count += 1
    return count
