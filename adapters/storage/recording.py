"""Recording: many responses in one statement, under the guard that their turns are open.

The statement that inserts asks itself which turns are open, and whether a key was corrected since
the group was graded. On SQLite it is a transaction of its own, so a group costs one hop to the
thread of the database; what it does not insert (its turn is closed, there is an earlier one, or
its grade is out of date) goes on to a transaction that finds out why.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import ARRAY, CursorResult, Integer, bindparam, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.schema import corrections, responses, sessions
from adapters.storage.writing import Handed
from bot.ports import Receipt
from bot.session import Phase

Key: TypeAlias = tuple[str, int, str]
Row: TypeAlias = dict[str, Any]
Turns: TypeAlias = Mapping[tuple[str, int], int]
"""The turns that are open, each with the stamp of the latest correction."""

KEY = ("session", "turn", "participant")
OPEN = (Phase.ASKING.value, Phase.OPEN.value)
_NAMES = tuple(column.name for column in responses.c)
_GIVEN = tuple(name for name in _NAMES if name != "room")
_PHASES = ", ".join(f"'{phase}'" for phase in OPEN)
_INTO = f"INSERT INTO responses ({', '.join(_NAMES)})"
_NEW = f"ON CONFLICT DO NOTHING RETURNING {', '.join(KEY)}"

_LATEST = "(SELECT COALESCE(MAX(stamp), 0) FROM corrections)"
_STAMP = select(func.coalesce(func.max(corrections.c.stamp), 0)).scalar_subquery()
_WHICH_OPEN = (
    select(sessions.c.id, sessions.c.turn, _STAMP)
    .where(sessions.c.id.in_(bindparam("ids", expanding=True)), sessions.c.phase.in_(OPEN))
    .order_by(sessions.c.id)
    .with_for_update(read=True)
)
_CHANGE = (
    update(responses)
    .where(*(responses.c[name] == bindparam(f"its_{name}") for name in KEY))
    .values({name: bindparam(name) for name in _GIVEN if name not in KEY})
)


class Recorder:
    """Records responses on the connection that writes."""

    def __init__(self, database: Database) -> None:
        """Take the database; what it is decides how many can be recorded how."""
        self._database = database
        self._arrays = text(_from_arrays()).bindparams(
            bindparam("ids", type_=ARRAY(sessions.c.id.type)),
            bindparam("keyed", type_=Integer),
            *(bindparam(name, type_=ARRAY(responses.c[name].type)) for name in _GIVEN),
        )

    async def at_once(self, group: Sequence[Handed]) -> Sequence[Receipt | None]:
        """Record in one statement that is a transaction of its own, where the database can.

        None for each that was not inserted, which may be all of them.
        """
        if not self._database.local:
            return [None] * len(group)
        statement, values = _from_values(group)
        found = await self._database.at_once(statement, values)
        return _new(group, {(session, turn, who) for session, turn, who in found})

    async def keep(self, connection: AsyncConnection, group: Sequence[Handed]) -> Sequence[Receipt]:
        """Record in a transaction that is begun, and tell of each response what became of it."""
        inserted = await self._insert(connection, group)
        left = [handed for handed in group if _key(handed.row) not in inserted]
        turns: Turns = {}
        if left or len(inserted) < len(group):
            turns = await open_turns(connection, {handed.row["session"] for handed in group})
            fresh = [handed for handed in left if _keyed_lately(handed, turns)]
            if len(fresh) < len(left):  # one that is out of date keeps the others back
                inserted |= await self._insert(connection, fresh)
        receipts = [
            receipt or _why(handed, turns)
            for handed, receipt in zip(group, _new(group, inserted), strict=True)
        ]
        await _change(connection, group, receipts)
        return receipts

    async def _insert(self, connection: AsyncConnection, group: Sequence[Handed]) -> set[Key]:
        found: CursorResult[Any]
        if not group:
            return set()
        if self._database.local:
            statement, values = _from_values(group)
            found = await connection.exec_driver_sql(statement, tuple(values))
        else:
            rows = list(_first(group).values())
            columns = {name: [row[name] for row in rows] for name in _GIVEN}
            ids = sorted({row["session"] for row in rows})
            given = {"ids": ids, "keyed": _oldest(group), **columns}
            found = await connection.execute(self._arrays, given)
        return {(row.session, row.turn, row.participant) for row in found}


async def open_turns(connection: AsyncConnection, ids: Collection[str]) -> Turns:
    """Give those of some sessions that can be answered, with their turns, and the stamp of the
    latest correction; both stay so until the transaction ends.
    """
    found = await connection.execute(_WHICH_OPEN, {"ids": sorted(ids)})
    return {(session, turn): stamp for session, turn, stamp in found}


def _from_values(group: Sequence[Handed]) -> tuple[str, list[Any]]:
    """Write the insert for SQLite, and its values: the rows are literal, a sign for each value."""
    rows = list(_first(group).values())
    row = f"({', '.join('?' * len(_GIVEN))})"
    at = {name: f"v.column{place}" for place, name in enumerate(_GIVEN, 1)} | {"room": "s.room"}
    statement = (
        f"{_INTO} SELECT {', '.join(at[name] for name in _NAMES)}"  # noqa: S608 - as above
        f" FROM (VALUES {', '.join([row] * len(rows))}) v"
        f" JOIN sessions s ON s.id = {at['session']} AND s.turn = {at['turn']}"
        f" WHERE s.phase IN ({_PHASES}) AND ? >= {_LATEST} {_NEW}"
    )
    return statement, [*(row[name] for row in rows for name in _GIVEN), _oldest(group)]


def _from_arrays() -> str:
    """Write the insert for PostgreSQL: an array for each column; the sessions stay as they are."""
    chosen = ", ".join("t.room" if name == "room" else f"v.{name}" for name in _NAMES)
    arrays = ", ".join(f":{name}" for name in _GIVEN)
    return (
        "WITH turns AS (SELECT id, turn, room FROM sessions"  # noqa: S608 - as above
        f" WHERE id = ANY(:ids) AND phase IN ({_PHASES}) AND :keyed >= {_LATEST}"
        " ORDER BY id FOR SHARE)"
        f" {_INTO} SELECT {chosen} FROM unnest({arrays}) AS v({', '.join(_GIVEN)})"
        f" JOIN turns t ON t.id = v.session AND t.turn = v.turn {_NEW}"
    )


def _first(group: Sequence[Handed]) -> dict[Key, Row]:
    """Give the first row of each key; copies inside one group are told apart here."""
    first: dict[Key, Row] = {}
    for handed in group:
        first.setdefault(_key(handed.row), handed.row)
    return first


def _new(group: Sequence[Handed], inserted: set[Key]) -> list[Receipt | None]:
    receipts: list[Receipt | None] = []
    for handed in group:
        key = _key(handed.row)
        receipts.append(Receipt.RECORDED if key in inserted else None)
        inserted.discard(key)
    return receipts


def _oldest(group: Sequence[Handed]) -> int:
    """Give the stamp by which the whole group was graded, or a later one."""
    return min(handed.keyed for handed in group)


def _turn(handed: Handed) -> tuple[str, int]:
    return handed.row["session"], handed.row["turn"]


def _keyed_lately(handed: Handed, turns: Turns) -> bool:
    return _turn(handed) in turns and handed.keyed >= turns[_turn(handed)]


def _why(handed: Handed, turns: Turns) -> Receipt:
    if _turn(handed) not in turns:
        return Receipt.CLOSED
    if not _keyed_lately(handed, turns):
        return Receipt.STALE
    return Receipt.CHANGED if handed.replace else Receipt.ALREADY


async def _change(
    connection: AsyncConnection, group: Sequence[Handed], receipts: Sequence[Receipt]
) -> None:
    """Overwrite earlier responses; when one person changes twice in a group, the last holds."""
    changed = {
        _key(handed.row): handed.row
        for handed, receipt in zip(group, receipts, strict=True)
        if receipt is Receipt.CHANGED
    }
    if changed:
        rows = [{**{f"its_{name}": row[name] for name in KEY}, **row} for row in changed.values()]
        await connection.execute(_CHANGE, rows)


def _key(row: Row) -> Key:
    return row["session"], row["turn"], row["participant"]
