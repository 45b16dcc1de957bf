"""Corrections in SQL: challenges, the keys that follow from them, and everybody scored again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import regrading
from adapters.storage.database import Database
from adapters.storage.schema import aliases, challenges, corrections
from adapters.storage.values import Row, from_ms, to_ms
from adapters.storage.writing import Line
from bot.corrections import (
    EVERYWHERE,
    Challenge,
    Correction,
    News,
    Reason,
    Rescored,
    State,
)
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.items import Item
from bot.rescoring import counted

MOST = 500
_STAMP = select(func.coalesce(func.max(corrections.c.stamp), 0))
_OPEN = challenges.c.state == State.OPEN.value


class SqlCorrections:
    """The part of the store that knows what was wrong."""

    _database: Database
    _line: Line

    async def challenge(self, challenge: Challenge) -> bool:
        """Keep a challenge; only one for each person, item and room. Tells whether it is new.

        One that is still open takes on a reason that is said later.
        """
        row = _challenge_row(challenge)
        same = [challenges.c[name] == row[name] for name in ("participant", "pack", "item", "room")]
        reason = update(challenges).where(*same, _OPEN).values(reason=row["reason"])

        async def work(connection: AsyncConnection) -> bool:
            known = await connection.scalar(select(func.count()).where(*same))
            if known and challenge.reason is not Reason.UNSAID:
                await connection.execute(reason)
            if not known:
                insert = self._database.insert(challenges).values(row).on_conflict_do_nothing()
                await connection.execute(insert)
            return not known

        return await self._line.write(work, alone=True)

    async def challenges(self, room: RoomId | None = None) -> Sequence[Challenge]:
        """List the open challenges, oldest first: of a room, or of all; at most 500."""
        query = select(challenges).where(_OPEN, *_in(room))
        query = query.order_by(challenges.c.at, challenges.c.session).limit(MOST)
        async with self._database.reading() as connection:
            return [_challenge(row) for row in (await connection.execute(query)).mappings()]

    async def reject(
        self, pack: PackId, item: ItemId, room: RoomId | None, by: ParticipantId, at: datetime
    ) -> int:
        """Turn down the open challenges of an item in a room, or in all; gives how many."""
        decision = (
            update(challenges)
            .where(_OPEN, challenges.c.pack == pack, challenges.c.item == item, *_in(room))
            .values(state=State.REJECTED.value, decider=by, decided=to_ms(at))
        )

        async def work(connection: AsyncConnection) -> int:
            return (await connection.execute(decision)).rowcount

        return await self._line.write(work, alone=True)

    async def stamp(self) -> int:
        """Give a number that grows with every correction and everything taken back."""
        async with self._database.reading() as connection:
            return int(await connection.scalar(_STAMP) or 0)

    async def corrections(self) -> tuple[int, Sequence[Correction]]:
        """Give the stamp, and every correction there ever was, oldest first."""
        async with self._database.reading() as connection:
            found = await connection.execute(select(corrections).order_by(corrections.c.id))
            rows = found.mappings().all()
        return max((row["stamp"] for row in rows), default=0), [_correction(row) for row in rows]

    async def correct(
        self, correction: Correction, versions: Sequence[Item], *, trial: bool = False
    ) -> Rescored:
        """Keep a correction and grade every response to the item that it reaches again, in one
        transaction; challenges in its room are accepted. A `trial` only tells what would change.
        """
        if trial:
            async with self._database.reading() as connection:
                log = [*await _log(connection, correction), correction]
                changed = await regrading.changes(connection, correction, versions, log)
            return counted(correction, changed)

        async def work(connection: AsyncConnection) -> Rescored:
            await regrading.alone(connection)
            last = await connection.scalar(select(func.max(corrections.c.id)))
            kept = replace(correction, id=(last or 0) + 1)
            log = [*await _log(connection, kept), kept]
            changed = await regrading.changes(connection, kept, versions, log)
            rescored = counted(kept, changed)
            stamp = await connection.scalar(_STAMP)
            row = _correction_row(rescored, (stamp or 0) + 1)
            await connection.execute(corrections.insert().values(row))
            await connection.execute(_acceptance(kept))
            await regrading.write(connection, self._database, changed)
            return rescored

        return await self._line.write(work, alone=True)

    async def undo(
        self, correction: int, versions: Sequence[Item], *, trial: bool = False
    ) -> Rescored | None:
        """Take a correction back, as `correct` makes it; None if there is none in force.

        Its challenges are open again.
        """
        if trial:
            async with self._database.reading() as connection:
                found = await _standing(connection, correction)
                if found is None:
                    return None
                log = [one for one in await _log(connection, found) if one.id != correction]
                changed = await regrading.changes(connection, found, versions, log)
            return counted(replace(found, undone=True), changed)

        async def work(connection: AsyncConnection) -> Rescored | None:
            await regrading.alone(connection)
            found = await _standing(connection, correction)
            if found is None:
                return None
            log = [one for one in await _log(connection, found) if one.id != correction]
            changed = await regrading.changes(connection, found, versions, log)
            stamp = await connection.scalar(_STAMP)
            taken_back = update(corrections).where(corrections.c.id == correction)
            await connection.execute(taken_back.values(undone=True, stamp=(stamp or 0) + 1))
            reopened = update(challenges).where(challenges.c.correction == correction)
            await connection.execute(
                reopened.values(state=State.OPEN.value, correction=0, told=False)
            )
            await regrading.write(connection, self._database, changed)
            return counted(replace(found, undone=True), changed)

        return await self._line.write(work, alone=True)

    async def news(self, platforms: Sequence[str]) -> Sequence[News]:
        """Take what rooms of platforms are to be told; each is given once, to one process."""
        there = select(aliases.c.target).where(
            aliases.c.kind == "room", aliases.c.platform.in_(platforms)
        )
        untold = (
            challenges.c.state == State.ACCEPTED.value,
            challenges.c.told.is_(False),
            challenges.c.room.in_(there),
        )
        taking = (
            update(challenges)
            .where(*untold)
            .values(told=True)
            .returning(challenges.c.room, challenges.c.correction)
        )

        async def work(connection: AsyncConnection) -> list[News]:
            taken = {(room, by) for room, by in await connection.execute(taking)}
            made = corrections.c.id.in_({by for _, by in taken})
            rows = await connection.execute(select(corrections).where(made))
            by_id = {row["id"]: row for row in rows.mappings()}
            return [_news(by_id[by], room) for room, by in sorted(taken) if by in by_id]

        async with self._database.reading() as connection:
            if not await connection.scalar(select(func.count()).where(*untold)):
                return []
        return await self._line.write(work, alone=True)


def _in(room: RoomId | None) -> list[ColumnElement[bool]]:
    return [] if room is None else [challenges.c.room == room]


def _acceptance(kept: Correction) -> Any:  # noqa: ANN401 - one of SQLAlchemy's own
    """Give the statement that accepts the challenges a correction answers.

    The room in which it was made is told by who has made it.
    """
    here = _in(None if kept.room == EVERYWHERE else kept.room)
    return (
        update(challenges)
        .where(_OPEN, challenges.c.pack == kept.pack, challenges.c.item == kept.item, *here)
        .values(
            state=State.ACCEPTED.value,
            decider=kept.by,
            decided=to_ms(kept.at),
            correction=kept.id,
            told=kept.room != EVERYWHERE,
        )
    )


async def _log(connection: AsyncConnection, about: Correction) -> list[Correction]:
    query = select(corrections).where(
        corrections.c.pack == about.pack, corrections.c.item == about.item
    )
    found = await connection.execute(query.order_by(corrections.c.id))
    return [_correction(row) for row in found.mappings()]


async def _standing(connection: AsyncConnection, number: int) -> Correction | None:
    query = select(corrections).where(corrections.c.id == number, corrections.c.undone.is_(False))
    row = (await connection.execute(query)).mappings().first()
    return _correction(row) if row else None


def _challenge_row(challenge: Challenge) -> dict[str, Any]:
    return {
        "session": challenge.session,
        "turn": challenge.turn,
        "participant": challenge.participant,
        "room": challenge.room,
        "pack": challenge.pack,
        "item": challenge.item,
        "reason": challenge.reason.value,
        "at": to_ms(challenge.at),
        "state": challenge.state.value,
        "decider": "",
        "correction": 0,
        "told": False,
    }


def _challenge(row: Row) -> Challenge:
    return Challenge(
        session=SessionId(row["session"]),
        turn=row["turn"],
        room=RoomId(row["room"]),
        pack=PackId(row["pack"]),
        item=ItemId(row["item"]),
        participant=ParticipantId(row["participant"]),
        at=from_ms(row["at"]),
        reason=Reason(row["reason"]),
        state=State(row["state"]),
    )


def _correction_row(rescored: Rescored, stamp: int) -> dict[str, Any]:
    kept = rescored.correction
    return {
        "id": kept.id,
        "stamp": stamp,
        "pack": kept.pack,
        "item": kept.item,
        "room": kept.room,
        "marks": _written(kept.keys),
        "was": _written(kept.was),
        "decider": kept.by,
        "at": to_ms(kept.at),
        "undone": kept.undone,
        "effect": json.dumps(dict(rescored.rooms)),
    }


def _correction(row: Row) -> Correction:
    return Correction(
        id=row["id"],
        pack=PackId(row["pack"]),
        item=ItemId(row["item"]),
        keys=_read(row["marks"]),
        was=_read(row["was"]),
        room=RoomId(row["room"]),
        by=ParticipantId(row["decider"]),
        at=from_ms(row["at"]),
        undone=row["undone"],
    )


def _news(row: Row, room: str) -> News:
    people: Mapping[str, int] = json.loads(row["effect"])
    return News(
        room=RoomId(room),
        pack=PackId(row["pack"]),
        item=ItemId(row["item"]),
        people=people.get(room, 0),
    )


def _written(places: frozenset[int]) -> str:
    return ",".join(map(str, sorted(places)))


def _read(written: str) -> frozenset[int]:
    return frozenset(int(part) for part in written.split(",") if part)
