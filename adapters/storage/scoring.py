"""Scores derived from responses: one statement for closing a turn, for rebuilding and for merging.

Of a person's responses to an item in a room the earliest in a week counts, whatever the order in
which turns are closed; so deriving all scores again gives the rows that are there.
"""

from sqlalchemy import ColumnElement, FromClause, Table, func, literal, select, tuple_

from adapters.storage.database import Database, Insert
from adapters.storage.schema import responses, scores

_KEY = ("room", "participant", "pack", "item", "week")
_ORDER = ("at", "session", "turn")
_REST = ("session", "turn", "points", "grade", "at", "elapsed")


def derive(database: Database, *conditions: ColumnElement[bool], joined: FromClause) -> Insert:
    """Give the statement that makes scores of the responses which fulfil conditions."""
    return earliest(database, responses, *conditions, joined=joined)


def earliest(
    database: Database,
    source: Table,
    *conditions: ColumnElement[bool],
    joined: FromClause,
    room: str | None = None,
) -> Insert:
    """Put rows of `source` among the scores, under another room if one is given.

    Rows of the same key are narrowed to the earliest first: PostgreSQL refuses to touch a row
    twice in one statement. They go in by key, so that two programs cannot block one another.
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
    names = (*_KEY, *_REST)
    first = (
        select(*(numbered.c[name] for name in names))
        .where(numbered.c.number == 1)
        .order_by(*(numbered.c[name] for name in _KEY))
    )
    insert = database.insert(scores).from_select(names, first)
    new = insert.excluded
    return insert.on_conflict_do_update(
        index_elements=_KEY,
        set_={name: new[name] for name in _REST},
        where=tuple_(*(new[name] for name in _ORDER))
        < tuple_(*(scores.c[name] for name in _ORDER)),
    )
