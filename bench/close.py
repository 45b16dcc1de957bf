"""Ten thousand answers to one turn: close it, score it, tally it, against the bare SQL of that.

    python -m bench.close

The bare SQL is what a program would send that keeps scores and the sums of its leaderboards: the
same rows, straight at sqlite3. At most twice its time.
"""

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from adapters.storage import SqlStore, open_store
from bench.responses import opened, sample
from bot.session import Phase, Session

ANSWERS = 10_000
ROUNDS = 5
_NEW = "FROM responses r WHERE session = ? AND turn = 0"
_GAINED = (
    "SELECT {room}, {week}, participant, points, CAST(ROUND(grade * 720720) AS INTEGER), 1, elapsed"
)
BARE = (
    "UPDATE sessions SET phase = 'revealing', closed = 1 WHERE id = ? AND phase = 'open'",
    *(
        f"INSERT INTO totals {_GAINED.format(room=room, week=week)} {_NEW}"
        " ON CONFLICT (room, week, participant) DO UPDATE SET points = points + excluded.points,"
        " credit = credit + excluded.credit, answered = answered + 1,"
        " elapsed = elapsed + excluded.elapsed"
        for room in ("room", "''")
        for week in ("week", "''")
    ),
    (
        "INSERT INTO scores SELECT room, participant, pack, item, week, session, turn, points,"
        f" grade, at, elapsed {_NEW} ON CONFLICT DO NOTHING"
    ),
)
TALLY = (
    f"SELECT submission, COUNT(*), SUM(grade >= 1) {_NEW} GROUP BY submission",
    f"SELECT participant, elapsed {_NEW} AND grade >= 1 ORDER BY elapsed, at LIMIT 3",
    "SELECT COUNT(DISTINCT participant) FROM responses WHERE session = ?",
)


async def main() -> None:
    """Measure both in turn and print the medians and their ratio."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        async with await open_store(f"sqlite:///{folder}/kuis.db") as store:
            assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
            for number in range(ROUNDS):
                ours.append(await _ours(store, await _answered(store, f"ours{number}")))
                session = await _answered(store, f"bare{number}")
                bare.append(await asyncio.to_thread(_bare, f"{folder}/kuis.db", session))
    ratio = median(one / two for one, two in zip(ours, bare, strict=True))
    print(f"close, score and tally {ANSWERS:,}: {median(ours) * 1000:.0f} ms")
    print(f"the bare SQL of it:             {median(bare) * 1000:.0f} ms")
    print(f"ratio                           {ratio:.2f} (at most 2)")


async def _answered(store: SqlStore, name: str) -> Session:
    session = await opened(store, name)
    responses = [
        replace(one, elapsed=float(number % 997) / 100)
        for number, one in enumerate(sample(session, ANSWERS))
    ]
    await asyncio.gather(*map(store.record, responses))
    return session


async def _ours(store: SqlStore, session: Session) -> float:
    begun = perf_counter()
    await store.save(session, replace(session, phase=Phase.REVEALING, closed=1))
    tally = await store.tally(session.id, 0)
    assert tally.answered == ANSWERS  # noqa: S101 - or there is nothing to compare
    return perf_counter() - begun


def _bare(file: str, session: Session) -> float:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        begun = perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        for statement in BARE:
            connection.execute(statement, (session.id,))
        connection.execute("COMMIT")
        for statement in TALLY:
            connection.execute(statement, (session.id,)).fetchall()
        return perf_counter() - begun


if __name__ == "__main__":
    asyncio.run(main())
