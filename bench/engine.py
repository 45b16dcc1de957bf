"""An answer through the whole engine: how many a second, how long each takes, on both databases.

    python -m bench.engine      (and with KUIS_TEST_POSTGRES naming a server, there too)

The engine reads, grades, stores and confirms each answer; the chat is one that says nothing. Raw is
the bare driver: the same rows in groups of the same size, under the same guard, each group durable.
Ratios of one run can be trusted. Latencies are taken at half of what the engine can carry, where
answers arrive at random.
"""

import asyncio
import gc
import os
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import asyncpg
from sqlalchemy import make_url

from adapters.clock import SystemClock
from adapters.storage import SqlStore, open_store, upgrade
from adapters.storage.values import response_row
from bench.responses import GROUP, opened, raw_sqlite, sample
from bench.servers import fresh
from bot.answering import Given
from bot.host import Host
from bot.ids import ItemId, ParticipantId
from bot.modes import Mode, Rules
from bot.packs import Library
from bot.people import Alias, Participant
from bot.ports import Post
from bot.session import Session
from bot.submissions import Chosen
from bot.wishes import Wish
from tests.helpers.samples import CHOICE, pack

ANSWERS = 5_000
ITEMS = 10
ROUNDS = 5
SECONDS = 4.0


class Silent:
    """A chat that shows everything at once to nobody."""

    async def show(self, post: Post) -> str:  # noqa: ARG002 - as the port has it
        """Say nothing."""
        return "m"


class Engine:
    """A host over a store, and people without end."""

    def __init__(self, store: SqlStore) -> None:
        """Make the host."""
        self.store = store
        self.clock = SystemClock()
        self.pack = pack(*(replace(CHOICE, id=ItemId(f"i{number}")) for number in range(ITEMS)))
        self.numbers = count()
        self.host = Host(
            store=store,
            clock=self.clock,
            library=Library([self.pack]),
            chats={"bench": Silent()},
            seeds=count(1).__next__,
        )

    async def opened(self) -> Session:
        """Start a live quiz in a room of its own."""
        number = next(self.numbers)
        room = await self.store.room(Alias(platform="bench", external=f"room {number}"))
        by = await self.store.participant(Alias(platform="bench", external="starter"), name="S")
        wish = Wish(pack=self.pack, rules=Rules(mode=Mode.LIVE, seconds=600, keep_order=True))
        session = await self.host.start(wish, room=room, by=by)
        assert isinstance(session, Session)  # noqa: S101 - tells the type checker
        return session

    async def answer(self, session: Session, number: int) -> None:
        """Take one answer; it is durable when this returns."""
        external = f"{session.id}-{number}"
        person = Participant(
            id=ParticipantId(external),
            alias=Alias(platform="bench", external=external),
            name="P",
        )
        given = Given(
            session=session.id,
            turn=0,
            answer=Chosen(frozenset({number % 3})),
            by=person,
            at=self.clock.now(),
            told=True,
        )
        assert await self.host.answer(given) is None  # noqa: S101 - else it measures nothing

    async def alone(self) -> None:
        """Let somebody take a quiz alone, from its start to its end."""
        number = next(self.numbers)
        room = await self.store.room(Alias(platform="bench", external=f"room {number}"))
        by = await self.store.participant(Alias(platform="bench", external=f"{number}"), name="P")
        wish = Wish(pack=self.pack, rules=Rules(mode=Mode.EXAM, keep_order=True))
        session = await self.host.start(wish, room=room, by=by)
        assert isinstance(session, Session)  # noqa: S101 - tells the type checker
        for turn in range(ITEMS):
            answer = Chosen(frozenset({1}))
            now = self.clock.now()
            given = Given(session=session.id, turn=turn, answer=answer, by=by, at=now)
            assert await self.host.answer(given) is None  # noqa: S101 - as above


async def main() -> None:
    """Measure SQLite, and PostgreSQL if there is one."""
    gc.freeze()  # as `kuis run` does when it is loaded
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{folder}/kuis.db"

        async def raw(number: int) -> float:
            return await asyncio.to_thread(
                raw_sqlite, f"{folder}/raw{number}.db", f"{folder}/kuis.db"
            )

        def one_by_one() -> float:
            return 1 / raw_sqlite(f"{folder}/one.db", f"{folder}/kuis.db", 1, 300)

        await _measure("SQLite", url, raw)
        print(f"SQLite: a bare commit of one answer takes {one_by_one() * 1e3:.2f} ms")
    if server := os.environ.get("KUIS_TEST_POSTGRES"):
        url = await fresh(server, "kuis_bench_engine")
        await _measure("PostgreSQL", url, lambda number: _raw_postgres(url, number))


async def _measure(name: str, url: str, raw: Callable[[int], Awaitable[float]]) -> None:
    await upgrade(url)
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
        engine = Engine(store)
        await _throughput(engine, GROUP, 1_000)
        ours, stored, bare = [], [], []
        for number in range(ROUNDS):
            ours.append(await _throughput(engine, GROUP, ANSWERS))
            stored.append(await _recorded(engine))
            bare.append(await raw(number))
        alone = 1 / await _throughput(engine, 1, 300)
        rate = median(ours) / 2
        took = await _at_rate(engine, rate)
        begun = perf_counter()
        await asyncio.gather(*(engine.alone() for _ in range(GROUP)))
        turns = GROUP * ITEMS / (perf_counter() - begun)
    share = median(one / two for one, two in zip(ours, bare, strict=True))
    kept = median(one / two for one, two in zip(stored, bare, strict=True))
    cuts = quantiles(took, n=100)
    print(f"{name}: {GROUP} answers at once, whole engine {median(ours):8,.0f} /s")
    print(f"{name}: the same, the store alone            {median(stored):8,.0f} /s")
    print(f"{name}: bare driver in groups of {GROUP}         {median(bare):8,.0f} /s")
    print(f"{name}: engine {share:.2f} of bare, store {kept:.2f} of bare")
    print(f"{name}: {GROUP} people who take an exam alone  {turns:8,.0f} questions/s")
    print(f"{name}: one at a time {alone * 1e3:.2f} ms")
    print(f"{name}: at {rate:,.0f} /s  p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms")


async def _throughput(engine: Engine, at_once: int, answers: int) -> float:
    """Give the answers a second when so many callers each wait for theirs."""
    session = await engine.opened()
    return await _many(at_once, answers, lambda number: engine.answer(session, number))


async def _recorded(engine: Engine) -> float:
    """Give the answers a second of the store alone."""
    crowd = sample(await opened(engine.store, f"store {next(engine.numbers)}"), ANSWERS)
    return await _many(GROUP, ANSWERS, lambda number: engine.store.record(crowd[number]))


async def _many(at_once: int, answers: int, do: Callable[[int], Awaitable[object]]) -> float:
    numbers: Iterator[int] = iter(range(answers))

    async def caller() -> None:
        for number in numbers:
            await do(number)

    begun = perf_counter()
    await asyncio.gather(*(caller() for _ in range(at_once)))
    return answers / (perf_counter() - begun)


async def _at_rate(engine: Engine, rate: float) -> Sequence[float]:
    """Give the seconds each answer took that arrived at random, so many a second."""
    session = await engine.opened()
    chance = random.Random(1)  # noqa: S311 - a load, not a secret
    took: list[float] = []

    async def one(number: int) -> None:
        begun = perf_counter()
        await engine.answer(session, number)
        took.append(perf_counter() - begun)

    begun = due = perf_counter()
    tasks = []
    while due < begun + SECONDS:
        due += chance.expovariate(rate)
        if due > perf_counter():
            await asyncio.sleep(due - perf_counter())
        tasks.append(asyncio.create_task(one(len(tasks))))
    await asyncio.gather(*tasks)
    return took


_GUARD = (
    "SELECT 1 FROM sessions WHERE id = $1 AND turn = 0 AND phase IN ('asking', 'open') FOR SHARE"
)


async def _raw_postgres(url: str, number: int) -> float:
    """Give the durable answers a second of asyncpg alone: a guard, and an array for each column."""
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
        session = await opened(store, f"raw {number}")
    rows = [response_row(response) for response in sample(session, ANSWERS)]
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    kinds = {
        "turn": "int",
        "grade": "float8",
        "points": "int",
        "at": "bigint",
        "elapsed": "bigint",
        "sure": "bool",
    }
    arrays = ", ".join(f"${at}::{kinds.get(name, 'text')}[]" for at, name in enumerate(rows[0], 1))
    insert = (
        f"INSERT INTO responses SELECT * FROM unnest({arrays})"  # noqa: S608 - names of columns
        " ON CONFLICT DO NOTHING RETURNING participant"
    )
    begun = perf_counter()
    for start in range(0, len(rows), GROUP):
        group = rows[start : start + GROUP]
        async with connection.transaction():
            if await connection.fetch(_GUARD, session.id):
                await connection.fetch(insert, *([row[name] for row in group] for name in rows[0]))
    seconds = perf_counter() - begun
    await connection.close()
    return ANSWERS / seconds


if __name__ == "__main__":
    asyncio.run(main())
