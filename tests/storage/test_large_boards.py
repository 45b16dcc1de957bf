"""Boards of many: nobody is counted one by one, and the places are the same."""

from collections.abc import Sequence

import pytest
from sqlalchemy import update

from adapters.storage import SqlStore, open_store
from adapters.storage.boards import MANY, MANY_LINKED
from adapters.storage.database import Database, parse_url
from adapters.storage.schema import links, totals
from bot.ids import ParticipantId
from bot.ports import Board, BoardQuery
from tests.storage.worlds import NOON, World


async def filled(url: str, room: str, points: Sequence[int]) -> None:
    database = Database(parse_url(url))
    rows = [
        {
            "room": room,
            "week": "",
            "participant": f"p{number:05}",
            "points": value,
            "credit": 0,
            "answered": 1,
            "elapsed": number,
        }
        for number, value in enumerate(points)
    ]
    async with database.writing() as connection:
        await connection.execute(totals.insert(), rows)
    await database.close()


async def test_places_on_a_large_board_are_those_of_a_board_that_is_counted(url: str):
    points = [100 * (number % 300) for number in range(MANY)]
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        world = await World.made(store)
        await filled(url, world.hall.id, points)

        async def board(number: int) -> Board:
            me = ParticipantId(f"p{number:05}")
            return await store.leaderboard(BoardQuery(room=world.hall, me=me), NOON)

        people = (0, 1, 299, 4711, MANY - 1)
        counted = await board(people[0])
        known = [await board(number) for number in people]

    expected = [1 + sum(other > points[number] for other in points) for number in people]
    assert counted.mine
    assert (counted.mine.place, counted.total) == (expected[0], MANY)
    assert [one.mine and one.mine.place for one in known] == expected
    assert {one.total for one in known} == {MANY}
    assert [row.participant for row in known[0].rows] == [f"p{299 + 300 * n:05}" for n in range(10)]


@pytest.mark.parametrize("linked", [40, 2 * MANY_LINKED])
async def test_linked_people_stand_right_on_a_large_board(url: str, linked: int):
    """Two by two they are one person; so many are read once a minute, oneself always."""
    points = [100 * (number * 7 % 300) for number in range(MANY)]
    people = [points[n] + points[n + 1] for n in range(0, linked, 2)] + points[linked:]
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        await filled(url, "", points)
        await together(url, linked)

        async def board(number: int) -> Board:
            me = ParticipantId(f"p{number:05}")
            return await store.leaderboard(BoardQuery(room=None, me=me), NOON)

        seen = {number: await board(number) for number in (0, 1, 7, 299, 4711, MANY - 1)}
        await more(url, 7, 100_000)
        now = await board(6)

    for number, one in seen.items():
        own = people[number // 2] if number < linked else points[number]
        assert one.mine
        assert (one.mine.points, one.total) == (own, len(people))
        assert one.mine.place == 1 + sum(other > own for other in people)
        assert one.mine.participant == f"p{number:05}"
        assert [row.points for row in one.rows] == sorted(people, reverse=True)[:10]
    assert now.mine
    assert (now.mine.place, now.mine.participant) == (1, "p00006")
    assert now.rows[0] == now.mine


async def together(url: str, count: int) -> None:
    """Link so many, two by two."""
    rows = [{"participant": f"p{n:05}", "person": f"x{n // 2}"} for n in range(count)]
    database = Database(parse_url(url))
    async with database.writing() as connection:
        await connection.execute(links.insert(), rows)
    await database.close()


async def more(url: str, number: int, points: int) -> None:
    """Give somebody points."""
    database = Database(parse_url(url))
    change = update(totals).where(totals.c.participant == f"p{number:05}")
    async with database.writing() as connection:
        await connection.execute(change.values(points=points))
    await database.close()
