"""Scores derived from responses: the same statements for closing a turn and for rebuilding.

Of a person's responses to an item in a room the earliest in a week counts, whatever the order in
which turns are closed; so deriving all scores again gives the rows that are there.
"""

from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    Table,
    bindparam,
    func,
    literal,
    select,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import totals
from adapters.storage.database import Database, Insert
from adapters.storage.schema import responses, scores

_KEY = ("room", "participant", "pack", "item", "week")
_ORDER = ("at", "session", "turn")
_REST = ("session", "turn", "points", "grade", "at", "elapsed")


async def keep(
    connection: AsyncConnection, database: Database, session: str, since: int, until: int
) -> None:
    """Make scores of the responses to some turns of a session, and let the totals follow."""
    values = {"its_session": session, "since": since, "until": until}
    for statement in _keeping(database, single=since == until):
        await connection.execute(statement, values)


@lru_cache(maxsize=4)
def _keeping(database: Database, *, single: bool) -> tuple[Insert, Insert]:
    """Write the statements of `keep`, once: that takes longer than to carry them out.

    `single` says that the responses are of one turn: then nobody has two of the same key.
    """
    conditions = (
        responses.c.session == bindparam("its_session"),
        responses.c.turn.between(bindparam("since"), bindparam("until")),
    )
    if single:
        columns = [responses.c[name] for name in (*_KEY, *_REST)]
        in_order = [responses.c[name] for name in _KEY]
        first = select(*columns).where(*conditions).order_by(*in_order)
    else:
        first = _first(responses, *conditions, joined=responses)
    return totals.grow(database, first.subquery("first_ones")), _better(database, first)


def earliest(
    database: Database,
    source: Table,
    *conditions: ColumnElement[bool],
    joined: FromClause,
    room: str | None = None,
) -> Insert:
    """Put rows of `source` among the scores, under another room if one is given.

    The totals do not follow.
    """
    return _better(database, _first(source, *conditions, joined=joined, room=room))


def _first(
    source: Table, *conditions: ColumnElement[bool], joined: FromClause, room: str | None = None
) -> Select[Any]:
    """Narrow rows of the same key to the earliest: PostgreSQL refuses to touch a row twice in one
    statement. They are given by key, so that two programs cannot block one another.
    """
    key: dict[str, ColumnElement[str]] = {name: source.c[name] for name in _KEY}
    if room is not None:
        key["room"] = literal(room).label("room")
    partition = [source.c[name] for name in _KEY if name != "room" or room is None]
    order = [source.c[name] for name in _ORDER]
    number = func.row_number().over(partition_by=partition, order_by=order).label("number")
    numbered = (
        select(*key.values(), *(source.c[name] for name in _REST), number)
        .select_from(joined)
        .where(*conditions)
        .subquery()
    )
    return (
        select(*(numbered.c[name] for name in (*_KEY, *_REST)))
        .where(numbered.c.number == 1)
        .order_by(*(numbered.c[name] for name in _KEY))
    )


def _better(database: Database, first: Select[Any]) -> Insert:
    """Insert scores; where there is one already, the earlier one counts."""
    insert = database.insert(scores).from_select((*_KEY, *_REST), first)
    new = insert.excluded
    return insert.on_conflict_do_update(
        index_elements=_KEY,
        set_={name: new[name] for name in _REST},
        where=tuple_(*(new[name] for name in _ORDER))
        < tuple_(*(scores.c[name] for name in _ORDER)),
    )
