"""Two rooms become one: what happens when a platform gives a room a name that is taken."""

from sqlalchemy import and_, delete, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import scoring, totals
from adapters.storage.database import Database
from adapters.storage.packs import stamped
from adapters.storage.rows import changed_row, row_session, stepped_aside
from adapters.storage.schema import (
    ACTIVE,
    aliases,
    asked,
    challenges,
    corrections,
    dailies,
    packs,
    parcels,
    reminders,
    responses,
    rooms,
    scores,
    sessions,
)
from adapters.storage.values import now
from bot.banks import community_of
from bot.people import Alias


async def merge(connection: AsyncConnection, database: Database, *, kept: str, other: str) -> None:
    """Give everything of the other room to the one that is kept, and forget the other.

    Where both have an active session in the same place, the other room's is paused (it can be
    taken up later), or finished if only its summary was left to show. Settings and title are
    those of the room that is kept, and so is its daily question if it has one; of two scores for
    the same week the earlier one counts.
    """
    await _step_aside(connection, kept=kept, other=other)
    await _give_banks(connection, database, kept=kept, other=other)
    for table in (sessions, responses, reminders, corrections, challenges):
        await connection.execute(update(table).where(table.c.room == other).values(room=kept))
    await connection.execute(
        scoring.earliest(database, scores, scores.c.room == other, joined=scores, room=kept)
    )
    await _add_asked(connection, database, kept=kept, other=other)
    if not await connection.scalar(select(dailies.c.room).where(dailies.c.room == kept)):
        await connection.execute(update(dailies).where(dailies.c.room == other).values(room=kept))
    for emptied in (
        delete(dailies).where(dailies.c.room == other),
        delete(scores).where(scores.c.room == other),
        delete(asked).where(asked.c.scope_room == other),
        delete(aliases).where(aliases.c.kind == "room", aliases.c.target == other),
        delete(rooms).where(rooms.c.id == other),
    ):
        await connection.execute(emptied)
    await totals.recount_merged(connection, database, kept=kept, other=other)


async def take_banks_along(
    connection: AsyncConnection, database: Database, *, old: Alias, new: Alias
) -> None:
    """Let the packs of a whole group keep their place when the group has a new name."""
    before, after = community_of(old), community_of(new)
    moved = await connection.execute(
        update(packs)
        .where(packs.c.reach == before.reach.value, packs.c.target == before.target)
        .values(target=after.target, version=packs.c.version + 1)
    )
    if moved.rowcount:
        await stamped(connection, database)


async def _give_banks(
    connection: AsyncConnection, database: Database, *, kept: str, other: str
) -> None:
    moved = await connection.execute(
        update(packs)
        .where(packs.c.target == other)
        .values(target=kept, version=packs.c.version + 1)
    )
    if moved.rowcount:
        await stamped(connection, database)
    await connection.execute(update(parcels).where(parcels.c.room == other).values(room=kept))


async def _step_aside(connection: AsyncConnection, *, kept: str, other: str) -> None:
    taken = select(sessions.c.owner).where(sessions.c.room == kept, ACTIVE)
    crowded = await connection.execute(
        select(sessions).where(sessions.c.room == other, ACTIVE, sessions.c.owner.in_(taken))
    )
    for row in crowded.mappings().all():
        aside = stepped_aside(row_session(row), now())
        await connection.execute(
            update(sessions).where(sessions.c.id == aside.id).values(changed_row(aside))
        )


async def _add_asked(
    connection: AsyncConnection, database: Database, *, kept: str, other: str
) -> None:
    names = [column.name for column in asked.columns]
    moved = select(literal(kept), *(asked.c[name] for name in names if name != "scope_room")).where(
        and_(asked.c.scope_room == other)
    )
    insert = database.insert(asked).from_select(names, moved)
    await connection.execute(
        insert.on_conflict_do_update(
            index_elements=list(asked.primary_key.columns),
            set_={"times": asked.c.times + func.coalesce(insert.excluded.times, 0)},
        )
    )
