"""What boards say, and the rows they are read from."""

from sqlalchemy import select

from adapters.storage import SqlStore
from adapters.storage.schema import scores, totals
from bot.ports import BoardQuery, Store
from tests.storage.worlds import NOON


async def boards(store: Store) -> list[tuple[str, int, float, int]]:
    """Give the leaderboard of everybody everywhere."""
    board = await store.leaderboard(BoardQuery(room=None, limit=10_000), NOON)
    return [(row.name, row.points, row.correct, row.answered) for row in board.rows]


async def rows(store: Store) -> list[tuple[object, ...]]:
    """Give all scores and totals, if they are kept in tables."""
    if not isinstance(store, SqlStore):
        return []
    async with store.engine.connect() as connection:
        return [
            tuple(row)
            for table in (scores, totals)
            for row in await connection.execute(select(table).order_by(*table.primary_key.columns))
        ]


async def is_as_rebuilt(store: Store) -> bool:
    """Tell whether deriving everything again changes nothing; it is derived again."""
    before = await rows(store), await boards(store)
    await store.rebuild()
    return before == (await rows(store), await boards(store))
