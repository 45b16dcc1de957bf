"""What a response costs: one live turn that ten times as many people answer, and group commit.

    python -m bench.responses

Ratios of one run can be trusted, absolute figures cannot: every round does both things, in turn,
and the medians are compared. Raw is sqlite3 alone in a thread: same schema, same pragmas, same
group size, a guard and a duplicate check.
"""

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

from adapters.storage import SqlStore, open_store
from adapters.storage.values import response_row
from bot.draw import Draw
from bot.ids import ItemId, PackId, ParticipantId, SessionId
from bot.modes import Mode, Rules
from bot.people import Alias, week_of
from bot.ports import Response
from bot.session import Phase, Session
from bot.submissions import Chosen

FEW, MANY = 1_000, 10_000
GROUP = 100
ANSWERS = 5_000
ROUNDS = 7
NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


async def main() -> None:
    """Measure and print a small table."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{folder}/kuis.db"
        store = await open_store(url)
        assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
        await _crowd(store, "warm", FEW)
        few, many, ours, raw, alone = [], [], [], [], []
        for number in range(ROUNDS):
            few.append(await _crowd(store, f"few{number}", FEW))
            many.append(await _crowd(store, f"many{number}", MANY))
            ours.append(await _grouped(store, f"group{number}", GROUP, ANSWERS))
            alone.append(await _grouped(store, f"alone{number}", 1, ANSWERS // 20))
            raw.append(
                await asyncio.to_thread(raw_sqlite, f"{folder}/raw{number}.db", f"{folder}/kuis.db")
            )
        await store.close()
    _print(few=few, many=many, ours=ours, raw=raw, alone=alone)


async def _crowd(store: SqlStore, name: str, count: int) -> float:
    """Give the seconds a response costs when so many answer one live turn, which then closes."""
    session = await opened(store, name)
    crowd = sample(session, count)
    begun = perf_counter()
    await asyncio.gather(*map(store.record, crowd))
    closed = replace(session, phase=Phase.REVEALING, closed=1)
    await store.save(session, closed)
    return (perf_counter() - begun) / count


async def _grouped(store: SqlStore, name: str, at_once: int, count: int) -> float:
    """Give the durable responses a second when so many callers each wait for theirs."""
    crowd = iter(sample(await opened(store, name), count))

    async def caller() -> None:
        for response in crowd:
            await store.record(response)

    begun = perf_counter()
    await asyncio.gather(*(caller() for _ in range(at_once)))
    return count / (perf_counter() - begun)


def raw_sqlite(file: str, like: str, group: int = GROUP, answers: int = ANSWERS) -> float:
    """Give the durable responses a second of sqlite3 alone, in groups of a size."""
    connection = _raw_database(file, like)
    session = sample_session("raw", "room")
    rows = [response_row(response) for response in sample(session, answers)]
    slots = ", ".join(f":{name}" for name in rows[0])
    insert = f"INSERT INTO responses VALUES ({slots}) ON CONFLICT DO NOTHING RETURNING participant"  # noqa: S608
    begun = perf_counter()
    for start in range(0, len(rows), group):
        connection.execute("BEGIN IMMEDIATE")
        guard = "SELECT 1 FROM sessions WHERE id = 'raw' AND turn = 0 AND phase = 'open'"
        if connection.execute(guard).fetchone():
            for row in rows[start : start + group]:
                connection.execute(insert, row).fetchone()
        connection.execute("COMMIT")
    seconds = perf_counter() - begun
    connection.close()
    return answers / seconds


def _raw_database(file: str, like: str) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    with sqlite3.connect(like) as other:
        for (sql,) in other.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
            connection.execute(sql)
    connection.execute("INSERT INTO rooms VALUES ('room', '', '', '{}')")
    connection.execute(
        "INSERT INTO sessions VALUES"
        " ('raw', 'room', '', 1, 'live', 'open', 0, 0, 'p', 'x', 0, NULL, NULL, '', 0)"
    )
    return connection


async def opened(store: SqlStore, name: str) -> Session:
    """Start a live session in a room of its own, with its first item open."""
    room = await store.room(Alias(platform="bench", external=name))
    session = sample_session(name, room.id)
    await store.start(session)
    begun = replace(session, phase=Phase.OPEN)
    await store.save(session, begun)
    return begun


def sample_session(name: str, room: str) -> Session:
    """Make a live session of one item."""
    return Session(
        id=SessionId(name),
        room=room,  # type: ignore[arg-type]
        starter=ParticipantId("starter"),
        pack=PackId("pack"),
        language="en",
        rules=Rules(mode=Mode.LIVE),
        draw=Draw(seed=1, items=(ItemId("item"),)),
        started=NOON,
    )


def sample(session: Session, count: int) -> Sequence[Response]:
    """Make right answers of so many people to the first item."""
    first = Response(
        session=session.id,
        turn=0,
        participant=ParticipantId("p"),
        room=session.room,
        pack=session.pack,
        item=session.item,
        submission=Chosen(frozenset({1})),
        grade=1.0,
        points=100,
        at=NOON,
        elapsed=5.0,
        week=week_of(NOON, NOON.tzinfo),  # type: ignore[arg-type]
    )
    return [replace(first, participant=ParticipantId(f"p{n:06}")) for n in range(count)]


def _print(**rounds: Sequence[float]) -> None:
    of: Callable[[str], float] = lambda name: median(rounds[name])  # noqa: E731
    growth = median(m / f for m, f in zip(rounds["many"], rounds["few"], strict=True))
    share = median(o / r for o, r in zip(rounds["ours"], rounds["raw"], strict=True))
    group = median(o / a for o, a in zip(rounds["ours"], rounds["alone"], strict=True))
    print(f"one response among {FEW:>6,}        {of('few') * 1e6:8.0f} us")
    print(
        f"one response among {MANY:>6,}        {of('many') * 1e6:8.0f} us   x {growth:.2f} (<= 1.5)"
    )
    print(f"{GROUP} at once, durable          {of('ours'):8,.0f} /s")
    print(f"one at a time, durable        {of('alone'):8,.0f} /s   : {GROUP} at once x {group:.1f}")
    print(f"sqlite3 in groups of {GROUP}      {of('raw'):8,.0f} /s   : Kuis {share:.2f} of it")


if __name__ == "__main__":
    asyncio.run(main())
