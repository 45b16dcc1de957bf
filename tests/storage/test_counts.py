"""Counts that carry no noise: what a crowd costs in commits, statements and thread hops."""

import asyncio
import threading
from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import event

from adapters.storage import SqlStore, open_store
from bot.ids import ParticipantId
from bot.ports import BoardQuery, Receipt
from bot.session import Phase
from tests.storage.worlds import NOON, World

OUTSTANDING = 100


async def crowded(store: SqlStore, count: int) -> Counter[Receipt]:
    """Let a hundred callers answer, each as soon as the last answer is acknowledged."""
    world = await World.made(store)
    session = await world.opened()
    one = world.response(session, world.ann)
    numbers = iter(range(count))

    async def caller() -> list[Receipt]:
        return [
            await store.record(replace(one, participant=ParticipantId(f"p{number}")))
            for number in numbers
        ]

    receipts = await asyncio.gather(*(caller() for _ in range(OUTSTANDING)))
    return Counter(receipt for part in receipts for receipt in part)


@pytest.mark.parametrize("count", [1000, 3000])
async def test_a_crowd_shares_commits_and_statements(url: str, count: int):
    counted: Counter[str] = Counter()
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        engine = store.engine.sync_engine
        event.listen(engine, "commit", lambda *_: counted.update(["commits"]))
        event.listen(engine, "before_cursor_execute", lambda *_: counted.update(["statements"]))

        receipts = await crowded(store, count)

        assert receipts == {Receipt.RECORDED: count}
        assert counted["commits"] <= count / 10
        assert counted["statements"] <= 3 * counted["commits"]


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
