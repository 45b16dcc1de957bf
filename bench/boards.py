"""Leaderboards of ten thousand and of a million participants, in SQLite and in PostgreSQL.

    python -m bench.boards            (and with KUIS_TEST_POSTGRES naming a server, there too)

The top ten must cost the same however many stand on the board (at most 1.5 times), and one's own
place among a million at most 50 ms.
"""

import asyncio
import os
import random
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from sqlalchemy import insert, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.storage import SqlStore, open_store, upgrade
from adapters.storage.database import Database
from adapters.storage.schema import participants, rooms, totals
from bench.responses import NOON
from bot.ids import ParticipantId, RoomId
from bot.people import Alias, Room
from bot.ports import BoardQuery, Merit

SIZES = (10_000, 1_000_000)
BATCH = 20_000
LIKELY = 0.6
ROUNDS = 15


async def main() -> None:
    """Measure and print a small table."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        await _measure("SQLite", f"sqlite:///{folder}/kuis.db")
    if server := os.environ.get("KUIS_TEST_POSTGRES"):
        async with _own(server) as url:
            await _measure("PostgreSQL", url)


class _own:  # noqa: N801 - used like a function
    """A database of the bench's own on a server."""

    def __init__(self, server: str) -> None:
        self._server = server

    async def __aenter__(self) -> str:
        await self._do("DROP DATABASE IF EXISTS kuis_bench", "CREATE DATABASE kuis_bench")
        return (
            make_url(self._server).set(database="kuis_bench").render_as_string(hide_password=False)
        )

    async def __aexit__(self, *_: object) -> None:
        await self._do("DROP DATABASE kuis_bench WITH (FORCE)")

    async def _do(self, *statements: str) -> None:
        engine = create_async_engine(self._server, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            for statement in statements:
                await connection.execute(text(statement))
        await engine.dispose()


async def _measure(name: str, url: str) -> None:
    await upgrade(url)
    store = await open_store(url)
    assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
    times: dict[str, list[float]] = {}
    for size in SIZES:
        room = await _filled(store, size)
        middle = ParticipantId(f"{size}-{size // 2}")
        last = ParticipantId(f"{size}-{size - 1}")
        ask: dict[str, Callable[[], Awaitable[Any]]] = {
            "top ten": lambda r=room: store.leaderboard(BoardQuery(room=r), NOON),
            "place in the middle": lambda r=room, m=middle: store.leaderboard(
                BoardQuery(room=r, me=m), NOON
            ),
            "last place": lambda r=room, m=last: store.leaderboard(BoardQuery(room=r, me=m), NOON),
            "by accuracy": lambda r=room: store.leaderboard(
                BoardQuery(room=r, merit=Merit.ACCURACY), NOON
            ),
        }
        for what, asking in ask.items():
            times.setdefault(what, []).append(await _timed(asking, what))
    await store.close()
    print(f"{name:<24}" + "".join(f"{size:>14,}" for size in SIZES) + "     times")
    for what, (few, many) in times.items():
        print(f"  {what:<22}{few * 1000:>11.2f} ms{many * 1000:>11.2f} ms{many / few:>9.1f}")


async def _timed(asking: Callable[[], Awaitable[Any]], what: str) -> float:
    for _ in range(2):  # the shape of a large board is looked at once a minute
        await asking()
    rounds = 3 if what == "by accuracy" else ROUNDS
    taken = []
    for _ in range(rounds):
        begun = perf_counter()
        await asking()
        taken.append(perf_counter() - begun)
    return median(taken)


async def _filled(store: SqlStore, size: int) -> Room:
    chance = random.Random(size)  # noqa: S311 - a sample, no secret
    room = Room(id=RoomId(f"room{size}"), alias=Alias(platform="bench", external=str(size)))
    database = Database(store.engine.url)
    async with database.writing() as connection:
        await connection.execute(
            insert(rooms), [{"id": room.id, "title": "", "community": "", "settings": "{}"}]
        )
        for start in range(0, size, BATCH):
            people, sums = [], []
            for number in range(start, min(size, start + BATCH)):
                name = f"{size}-{number}"
                answered = 1 + int(chance.expovariate(0.02))
                right = sum(chance.random() < LIKELY for _ in range(min(answered, 20)))
                right = right * answered // min(answered, 20)
                people.append({**BLANK, "id": name, "name": f"Person {number}"})
                sums.append(
                    {
                        "room": room.id,
                        "week": "",
                        "participant": name,
                        "points": 100 * right,
                        "credit": 720_720 * right,
                        "answered": answered,
                        "elapsed": chance.randrange(1000, 20_000) * answered,
                    }
                )
            await connection.execute(insert(participants), people)
            await connection.execute(insert(totals), sums)
        await connection.execute(text("ANALYZE"))
    await database.close()
    return room


BLANK = {"language": "", "language_chosen": False, "nickname": "", "created": 0}


if __name__ == "__main__":
    asyncio.run(main())
