"""Regrading in SQL: responses to one item graded again, and scores and totals made to follow.

The new grades are worked out off the loop, put into a scratch table, and taken over in three
statements. Nothing else writes meanwhile: SQLite has one writer, on PostgreSQL the sessions are
locked, which every answer and every step begins with.
"""

import asyncio
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Column,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    and_,
    delete,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import CreateTable

from adapters.storage import totals
from adapters.storage.database import Database
from adapters.storage.rows import row_session
from adapters.storage.schema import responses, scores, sessions
from adapters.storage.values import row_response
from bot.corrections import EVERYWHERE, Correction
from bot.ids import RoomId
from bot.items import Item
from bot.ports import Response
from bot.rescoring import Rekeyed, regraded, rekeyed
from bot.session import Session

BATCH = 500

scratch = Table(
    "kuis_regraded",
    MetaData(),
    *(Column(name, String) for name in ("session", "participant", "room", "pack", "item", "week")),
    Column("turn", Integer),
    Column("points", Integer),
    Column("grade", Float),
    prefixes=["TEMPORARY"],
)
_SCORE = ("room", "participant", "pack", "item", "week", "session", "turn")
_RESPONSE = ("session", "turn", "participant")


async def alone(connection: AsyncConnection) -> None:
    """Wait until all that is being written is committed, and let nothing more begin."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("LOCK TABLE sessions, scores IN EXCLUSIVE MODE"))


async def in_turn(connection: AsyncConnection) -> None:
    """Wait until no correction is being made. To begin with, where scores are written before any
    session is locked: in another order two programs could block one another.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("LOCK TABLE sessions IN ROW SHARE MODE"))


async def changes(
    connection: AsyncConnection,
    correction: Correction,
    versions: Sequence[Item],
    log: Sequence[Correction],
) -> list[Response]:
    """Give the responses that `correction` reaches and that are worth something else by `log`."""
    about = [responses.c.pack == correction.pack, responses.c.item == correction.item]
    if correction.room != EVERYWHERE:
        about.append(responses.c.room == correction.room)
    found = await connection.execute(select(responses).where(*about))
    given = await asyncio.to_thread(lambda: [row_response(row) for row in found.mappings()])
    changed: list[Response] = []
    every = sorted({one.session for one in given})
    for start in range(0, len(every), BATCH):
        ids = every[start : start + BATCH]
        rows = await connection.execute(select(sessions).where(sessions.c.id.in_(ids)))
        here = await asyncio.to_thread(lambda: [row_session(row) for row in rows.mappings()])  # noqa: B023
        wanted = frozenset(ids)
        theirs = [one for one in given if one.session in wanted]
        theirs += await _around(connection, here, theirs)
        changed += await asyncio.to_thread(
            _regraded, here, theirs, lambda room: rekeyed(versions, correction.pack, log, room)
        )
    return changed


async def _around(
    connection: AsyncConnection, here: Sequence[Session], theirs: Sequence[Response]
) -> list[Response]:
    """Give the other responses of the same people where streaks earn a bonus."""
    streaky = [one.id for one in here if one.rules.streak_bonus]
    if not streaky:
        return []
    known = {(one.session, one.turn, one.participant) for one in theirs}
    people = {(one.session, one.participant) for one in theirs}
    rows = await connection.execute(select(responses).where(responses.c.session.in_(streaky)))
    return [
        row_response(row)
        for row in rows.mappings()
        if (row["session"], row["participant"]) in people
        and (row["session"], row["turn"], row["participant"]) not in known
    ]


def _regraded(
    here: Sequence[Session],
    theirs: list[Response],
    keyed: Callable[[RoomId], Rekeyed],
) -> list[Response]:
    by_id = {one.id: one for one in here}
    changed: list[Response] = []
    held: dict[str, Rekeyed] = {}
    theirs.sort(key=lambda one: one.session)
    for name, group in groupby(theirs, key=lambda one: one.session):
        session = by_id[name]
        if session.room not in held:
            held[session.room] = keyed(session.room)
        changed += regraded(session, group, held[session.room])
    return changed


async def write(
    connection: AsyncConnection, database: Database, changed: Sequence[Response]
) -> None:
    """Take over new grades and points, in responses, scores and totals."""
    if not changed:
        return
    await connection.execute(CreateTable(scratch, if_not_exists=True))
    await connection.execute(delete(scratch))
    await connection.execute(scratch.insert(), await asyncio.to_thread(_rows, changed))
    counting = and_(*(scores.c[name] == scratch.c[name] for name in _SCORE))
    the_same = and_(*(responses.c[name] == scratch.c[name] for name in _RESPONSE))
    new = {"points": scratch.c.points, "grade": scratch.c.grade}
    await connection.execute(totals.shift(database, scratch, counting))
    await connection.execute(update(scores).where(counting).values(new))
    await connection.execute(update(responses).where(the_same).values(new))
    await connection.execute(delete(scratch))


def _rows(changed: Sequence[Response]) -> list[dict[str, Any]]:
    return [
        {
            "session": one.session,
            "turn": one.turn,
            "participant": one.participant,
            "room": one.room,
            "pack": one.pack,
            "item": one.item,
            "week": one.week.isoformat(),
            "points": one.points,
            "grade": one.grade,
        }
        for one in changed
    ]
