"""Boards of many: nobody is counted one by one, and the places are the same."""

from collections.abc import Sequence

from adapters.storage import SqlStore, open_store
from adapters.storage.boards import MANY
from adapters.storage.database import Database, parse_url
from adapters.storage.schema import totals
from bot.ids import ParticipantId
from bot.people import Room
from bot.ports import Board, BoardQuery
from tests.storage.worlds import NOON, World


async def filled(url: str, room: Room, points: Sequence[int]) -> None:
    database = Database(parse_url(url))
    rows = [
        {
            "room": room.id,
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
        await filled(url, world.hall, points)

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
