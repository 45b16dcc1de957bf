"""Recording: many responses in one statement, under the guard that their turns are open.

The statement that inserts asks itself which turns are open. On SQLite it is a transaction of its
own, so a group costs one hop to the thread of the database; the few that it does not insert
(their turn is closed, or there is an earlier one) go on to a transaction that finds out why.
"""

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

from sqlalchemy import ARRAY, CursorResult, bindparam, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.schema import responses, sessions
from adapters.storage.writing import Handed
from bot.ports import Receipt
from bot.session import Phase

Key: TypeAlias = tuple[str, int, str]
Row: TypeAlias = dict[str, Any]

KEY = ("session", "turn", "participant")
OPEN = (Phase.ASKING.value, Phase.OPEN.value)
_NAMES = tuple(column.name for column in responses.c)
_GIVEN = tuple(name for name in _NAMES if name != "room")
_PHASES = ", ".join(f"'{phase}'" for phase in OPEN)
_INTO = f"INSERT INTO responses ({', '.join(_NAMES)})"
_NEW = f"ON CONFLICT DO NOTHING RETURNING {', '.join(KEY)}"

_WHICH_OPEN = (
    select(sessions.c.id, sessions.c.turn)
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
            *(bindparam(name, type_=ARRAY(responses.c[name].type)) for name in _GIVEN),
        )

    async def at_once(self, group: Sequence[Handed]) -> Sequence[Receipt | None]:
        """Record in one statement that is a transaction of its own, where the database can.

        None for each that was not inserted, which may be all of them.
        """
        if not self._database.local:
            return [None] * len(group)
        rows = list(_first(group).values())
        values = [row[name] for row in rows for name in _GIVEN]
        found = await self._database.at_once(_from_values(len(rows)), values)
        return _new(group, {(session, turn, who) for session, turn, who in found})

    async def keep(self, connection: AsyncConnection, group: Sequence[Handed]) -> Sequence[Receipt]:
        """Record in a transaction that is begun, and tell of each response what became of it."""
        inserted = await self._insert(connection, list(_first(group).values()))
        receipts = _new(group, inserted)
        left = [handed for handed, receipt in zip(group, receipts, strict=True) if not receipt]
        if not left:
            return [receipt for receipt in receipts if receipt]
        turns = await open_turns(connection, {handed.row["session"] for handed in left})
        whole = [
            receipt or _why(handed, turns) for handed, receipt in zip(group, receipts, strict=True)
        ]
        await _change(connection, group, whole)
        return whole

    async def _insert(self, connection: AsyncConnection, rows: Sequence[Row]) -> set[Key]:
        found: CursorResult[Any]
        if self._database.local:
            values = tuple(row[name] for row in rows for name in _GIVEN)
            found = await connection.exec_driver_sql(_from_values(len(rows)), values)
        else:
            columns = {name: [row[name] for row in rows] for name in _GIVEN}
            ids = sorted({row["session"] for row in rows})
            found = await connection.execute(self._arrays, {"ids": ids, **columns})
        return {(row.session, row.turn, row.participant) for row in found}


async def open_turns(connection: AsyncConnection, ids: Collection[str]) -> set[tuple[str, int]]:
    """Give those of some sessions that can be answered, with their turns; they stay so until the
    transaction ends.
    """
    found = await connection.execute(_WHICH_OPEN, {"ids": sorted(ids)})
    return {(session, turn) for session, turn in found}


def _from_values(count: int) -> str:
    """Write the insert for SQLite: the rows are literal, with a sign for each value."""
    row = f"({', '.join('?' * len(_GIVEN))})"
    at = {name: f"v.column{place}" for place, name in enumerate(_GIVEN, 1)} | {"room": "s.room"}
    return (
        f"{_INTO} SELECT {', '.join(at[name] for name in _NAMES)}"  # noqa: S608 - as above
        f" FROM (VALUES {', '.join([row] * count)}) v"
        f" JOIN sessions s ON s.id = {at['session']} AND s.turn = {at['turn']}"
        f" WHERE s.phase IN ({_PHASES}) {_NEW}"
    )


def _from_arrays() -> str:
    """Write the insert for PostgreSQL: an array for each column; the sessions stay as they are."""
    chosen = ", ".join("t.room" if name == "room" else f"v.{name}" for name in _NAMES)
    arrays = ", ".join(f":{name}" for name in _GIVEN)
    return (
        "WITH turns AS (SELECT id, turn, room FROM sessions"  # noqa: S608 - as above
        f" WHERE id = ANY(:ids) AND phase IN ({_PHASES}) ORDER BY id FOR SHARE)"
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


def _why(handed: Handed, turns: set[tuple[str, int]]) -> Receipt:
    if (handed.row["session"], handed.row["turn"]) not in turns:
        return Receipt.CLOSED
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
