"""A key corrected after 5,000 responses, among 100,000 others: against the bare SQL of that.

    python -m bench.rescore

The bare SQL knows which submissions are right and needs no item: three updates straight at
sqlite3. Kuis reads every response and its session, grades it by the session's rules, and writes.
Nobody else can write meanwhile, so the time is also how long an answer waits at most.
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
from bench.responses import NOON, opened, sample
from bot.corrections import Correction
from bot.ids import ItemId, PackId
from bot.items import Choice, Option
from bot.session import Phase
from bot.text import Markdown

ANSWERS, ROOMS = 5_000, 50
OTHERS, OTHER_ROOMS = 100_000, 20
ROUNDS = 5
PACK, ITEM = PackId("pack"), ItemId("item")
_HERE = "pack = 'pack' AND item = 'item'"
_WORTH = "CASE submission WHEN '#{key}' THEN {worth} ELSE 0 END"
BARE = (
    *(
        "UPDATE totals SET points = points + new.p, credit = credit + new.c FROM"  # noqa: S608
        f" (SELECT {room} AS room, {week} AS week, participant, SUM({{points}} - points) AS p,"
        f" SUM(CAST(ROUND(({{grade}} - grade) * 720720) AS INTEGER)) AS c FROM responses"
        f" WHERE {_HERE} GROUP BY 1, 2, 3) AS new WHERE totals.room = new.room"
        " AND totals.week = new.week AND totals.participant = new.participant"
        for room in ("room", "''")
        for week in ("week", "''")
    ),
    (
        "UPDATE scores SET points = new.p, grade = new.g FROM"  # noqa: S608
        " (SELECT room, participant, week, {points} AS p, {grade} AS g FROM responses"
        f" WHERE {_HERE}) AS new WHERE scores.room = new.room"
        " AND scores.participant = new.participant AND scores.pack = 'pack'"
        " AND scores.item = 'item' AND scores.week = new.week"
    ),
    f"UPDATE responses SET points = {{points}}, grade = {{grade}} WHERE {_HERE}",  # noqa: S608
)


async def main() -> None:
    """Measure both in turn and print the medians and their ratio."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        async with await open_store(f"sqlite:///{folder}/kuis.db") as store:
            assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
            for number in range(OTHER_ROOMS):
                await _answered(store, f"other{number}", OTHERS // OTHER_ROOMS, "another")
            for number in range(ROOMS):
                await _answered(store, f"room{number}", ANSWERS // ROOMS, PACK)
            for _ in range(ROUNDS):
                ours.append(await _ours(store))
                bare.append(await asyncio.to_thread(_bare, f"{folder}/kuis.db", 2))
                await asyncio.to_thread(_bare, f"{folder}/kuis.db", 1)
    ratio = median(one / two for one, two in zip(ours, bare, strict=True))
    print(f"correct a key of {ANSWERS:,} responses: {median(ours) * 1000:.0f} ms")
    print(f"the bare SQL of it:             {median(bare) * 1000:.0f} ms")
    print(f"ratio                           {ratio:.2f}")


async def _answered(store: SqlStore, name: str, count: int, pack: str) -> None:
    """Let so many answer one item: every second one says B, the others C."""
    session = await opened(store, name)
    crowd = [
        replace(
            one,
            pack=PackId(pack),
            submission=replace(one.submission, options=frozenset({1 + number % 2})),  # type: ignore[arg-type]
            grade=float(number % 2 == 0),
            points=100 * (number % 2 == 0),
        )
        for number, one in enumerate(sample(session, count))
    ]
    await asyncio.gather(*map(store.record, crowd))
    await store.save(session, replace(session, phase=Phase.REVEALING, closed=1))


async def _ours(store: SqlStore) -> float:
    """Correct the key and take it back; give the seconds of the first."""
    options = tuple(Option(text=Markdown(text)) for text in "ABCD")
    item = Choice(id=ITEM, stem=Markdown("Which?"), options=options, key=1)
    keys = {"keys": frozenset({2}), "was": frozenset({1})}
    begun = perf_counter()
    done = await store.correct(Correction(pack=PACK, item=ITEM, at=NOON, **keys), [item])
    seconds = perf_counter() - begun
    assert done.responses == ANSWERS  # noqa: S101 - or there is nothing to compare
    await store.undo(done.correction.id, [item])
    return seconds


def _bare(file: str, key: int) -> float:
    worth = {
        "points": _WORTH.format(key=key, worth=100),
        "grade": _WORTH.format(key=key, worth="1.0"),
    }
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        begun = perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        for statement in BARE:
            connection.execute(statement.format(**worth))
        connection.execute("COMMIT")
        return perf_counter() - begun


if __name__ == "__main__":
    asyncio.run(main())
