"""Counts that carry no noise: what a crowd costs in commits, statements and thread hops."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest
from sqlalchemy import event

from adapters.storage import SqlStore, open_store
from bot.ids import ParticipantId
from bot.ports import BoardQuery, Receipt
from bot.session import Phase, Session
from tests.storage.worlds import NOON, World

OUTSTANDING = 100


async def begun(store: SqlStore) -> tuple[World, Session]:
    world = await World.made(store)
    return world, await world.opened()


async def answers(
    store: SqlStore, world: World, session: Session, numbers: Iterable[int]
) -> Counter[Receipt]:
    """Let a hundred callers answer, each as soon as the last answer is acknowledged."""
    one = world.response(session, world.ann)
    waiting = iter(numbers)

    async def caller() -> list[Receipt]:
        return [
            await store.record(replace(one, participant=ParticipantId(f"p{number}")))
            for number in waiting
        ]

    receipts = await asyncio.gather(*(caller() for _ in range(OUTSTANDING)))
    return Counter(receipt for part in receipts for receipt in part)


async def crowded(store: SqlStore, count: int) -> Counter[Receipt]:
    world, session = await begun(store)
    return await answers(store, world, session, range(count))


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("count", [1000, 3000])
async def test_a_crowd_shares_commits_and_statements(url: str, count: int):
    counted: Counter[str] = Counter()
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        engine = store.engine.sync_engine
        world, session = await begun(store)
        event.listen(engine, "commit", lambda *_: counted.update(["commits"]))
        event.listen(engine, "before_cursor_execute", lambda *_: counted.update(["statements"]))

        receipts = await answers(store, world, session, range(count))

    assert receipts == {Receipt.RECORDED: count}
    assert counted["commits"] <= count / 10
    assert counted["statements"] <= 3 * counted["commits"]


@pytest.mark.parametrize("count", [1000, 3000])
async def test_a_group_in_a_file_is_one_statement_and_one_hop(
    sqlite_url: str, count: int, monkeypatch: pytest.MonkeyPatch
):
    """Count what reaches SQLite itself, and what is sent to its thread."""
    statements: list[str] = []
    hops: list[object] = []
    async with await open_store(sqlite_url) as store:
        assert isinstance(store, SqlStore)
        world, session = await begun(store)
        await answers(store, world, session, range(1))  # the connection is open from now on
        writer = store._database._writer  # noqa: SLF001 - the one connection that writes
        driver = (await writer.get_raw_connection()).driver_connection
        await driver.set_trace_callback(statements.append)
        send = driver._execute  # noqa: SLF001 - all that a driver does passes here
        monkeypatch.setattr(driver, "_execute", lambda *job: (hops.append(job), send(*job))[1])

        receipts = await answers(store, world, session, range(1, count + 1))
        sent = len(hops)

    groups = [one for one in statements if one.startswith("INSERT INTO responses")]
    assert receipts == {Receipt.RECORDED: count}
    assert statements == groups
    assert sent == len(groups) <= count / 10


async def test_who_answers_twice_costs_a_group_two_statements_more(sqlite_url: str):
    statements: list[str] = []
    async with await open_store(sqlite_url) as store:
        assert isinstance(store, SqlStore)
        world, session = await begun(store)
        await answers(store, world, session, range(50))
        writer = store._database._writer  # noqa: SLF001 - as above
        driver = (await writer.get_raw_connection()).driver_connection
        await driver.set_trace_callback(statements.append)

        receipts = await answers(store, world, session, range(100))

    assert receipts == {Receipt.RECORDED: 50, Receipt.ALREADY: 50}
    assert [one.split()[0] for one in statements] == [
        "INSERT",
        "BEGIN",
        "INSERT",
        "SELECT",
        "COMMIT",
    ]


async def test_answers_are_acknowledged_kept_and_scored_in_the_same_number(url: str):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        receipts = await crowded(store, 1500)
        session = await store.session("s")
        assert session
        await store.save(session, replace(session, phase=Phase.REVEALING, closed=1))
        tally = await store.tally(session.id, 0)
        board = await store.leaderboard(BoardQuery(room=None), NOON)
        scored = await store.rebuild()

    assert (receipts[Receipt.RECORDED], tally.answered, board.total, scored) == (1500,) * 4


async def test_the_database_is_never_called_on_the_thread_of_the_loop(sqlite_url: str):
    threads: set[int] = set()
    async with await open_store(sqlite_url) as store:
        assert isinstance(store, SqlStore)

        def trace(connection, *_):
            connection.driver_connection._conn.set_trace_callback(  # noqa: SLF001 - sqlite3's own
                lambda _sql: threads.add(threading.get_ident())
            )

        event.listen(store.engine.sync_engine, "checkout", trace)
        await crowded(store, 300)
        await store.leaderboard(BoardQuery(room=None), NOON)

    assert threads
    assert threading.get_ident() not in threads
