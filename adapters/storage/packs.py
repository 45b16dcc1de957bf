"""Packs in SQL: those that people have brought in, and the parcels that wait to be one."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.schema import notes, packs, parcels
from adapters.storage.values import Row, clean, from_ms, new_id, now, to_ms
from adapters.storage.writing import Line
from bot.banks import MOST_PARCELS, Listed, Parcel, StoredPack, dump, load
from bot.ids import PackId, ParticipantId, RoomId
from bot.packs import Home, Reach

STAMP = "packs"


class SqlPacks:
    """The part of the store that keeps banks."""

    _database: Database
    _line: Line

    async def packs_stamp(self) -> str:
        """Give a sign that changes with every change of a pack; empty before the first one."""
        query = select(notes.c.value).where(notes.c.key == STAMP)
        async with self._database.reading() as connection:
            return (await connection.execute(query)).scalar_one_or_none() or ""

    async def pack_index(self) -> Mapping[PackId, Listed]:
        """List every pack."""
        c = packs.c
        query = select(c.id, c.version, c.reach, c.target, c.owner)
        async with self._database.reading() as connection:
            return {
                PackId(pack): Listed(
                    version=version,
                    home=Home(reach=Reach(reach), target=target),
                    owner=ParticipantId(owner),
                )
                for pack, version, reach, target, owner in await connection.execute(query)
            }

    async def stored_packs(self, ids: Collection[PackId]) -> Sequence[StoredPack]:
        """Give packs by their ids, sorted by these; one that is not known is left out."""
        query = select(packs).where(packs.c.id.in_(ids)).order_by(packs.c.id)
        async with self._database.reading() as connection:
            return [_pack(row) for row in (await connection.execute(query)).mappings()]

    async def keep_pack(self, pack: StoredPack, *, parcel: str = "") -> bool:
        """Store a pack, or its corrected form; the parcel it was made of is gone then.

        Nothing is stored, and False given, if the parcel was not there any more.
        """
        row = pack_row(pack)
        changes = {name: row[name] for name in row if name not in {"id", "created", "version"}}
        upsert = (
            self._database.insert(packs)
            .values(row)
            .on_conflict_do_update(
                index_elements=[packs.c.id], set_=changes | {"version": packs.c.version + 1}
            )
        )

        async def work(connection: AsyncConnection) -> bool:
            if parcel:
                gone = await connection.execute(delete(parcels).where(parcels.c.id == parcel))
                if not gone.rowcount:
                    return False
            await connection.execute(upsert)
            await stamped(connection, self._database)
            return True

        return await self._line.write(work)

    async def set_pack(
        self, pack: PackId, *, title: str | None = None, published: bool | None = None
    ) -> None:
        """Rename a pack, or take it out of sight or back."""
        values: dict[str, Any] = {"version": packs.c.version + 1, "changed": to_ms(now())}
        values |= {} if title is None else {"title": clean(title)}
        values |= {} if published is None else {"published": published}
        await self._change(update(packs).where(packs.c.id == pack).values(values))

    async def delete_pack(self, pack: PackId) -> None:
        """Delete a pack; what was answered stays."""
        await self._change(delete(packs).where(packs.c.id == pack))

    async def keep_parcel(self, parcel: Parcel) -> None:
        """Store a parcel as it is now; of its owner's only the latest few stay."""
        row = parcel_row(parcel)
        upsert = (
            self._database.insert(parcels)
            .values(row)
            .on_conflict_do_update(index_elements=[parcels.c.id], set_=row)
        )
        latest = (
            select(parcels.c.id)
            .where(parcels.c.owner == parcel.owner)
            .order_by(parcels.c.changed.desc(), parcels.c.id.desc())
            .limit(MOST_PARCELS)
        )
        old = delete(parcels).where(parcels.c.owner == parcel.owner, parcels.c.id.not_in(latest))

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(upsert)
            await connection.execute(old)

        await self._line.write(work)

    async def parcel(self, parcel: str) -> Parcel | None:
        """Give a parcel."""
        query = select(parcels).where(parcels.c.id == parcel)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).mappings().first()
        return _parcel(row) if row else None

    async def parcels(self, owner: ParticipantId) -> Sequence[Parcel]:
        """List the parcels of a person, the latest first."""
        order = (parcels.c.changed.desc(), parcels.c.id.desc())
        query = select(parcels).where(parcels.c.owner == owner).order_by(*order)
        async with self._database.reading() as connection:
            return [_parcel(row) for row in (await connection.execute(query)).mappings()]

    async def drop_parcel(self, parcel: str) -> None:
        """Forget a parcel."""
        gone = delete(parcels).where(parcels.c.id == parcel)
        await self._line.write(lambda connection: connection.execute(gone))

    async def drop_parcels(self, before: datetime) -> None:
        """Forget the parcels that nobody has touched since."""
        gone = delete(parcels).where(parcels.c.changed < to_ms(before))
        await self._line.write(lambda connection: connection.execute(gone))

    async def _change(self, statement: Any) -> None:  # noqa: ANN401 - an update or a delete
        async def work(connection: AsyncConnection) -> None:
            await connection.execute(statement)
            await stamped(connection, self._database)

        await self._line.write(work)


async def stamped(connection: AsyncConnection, database: Database) -> None:
    """Let every process know that packs have changed."""
    values = {"value": new_id(), "at": to_ms(now())}
    await connection.execute(
        database.insert(notes)
        .values(key=STAMP, **values)
        .on_conflict_do_update(index_elements=[notes.c.key], set_=values)
    )


def pack_row(pack: StoredPack) -> dict[str, Any]:
    """Write a pack as a row."""
    return {
        "id": pack.id,
        "owner": pack.owner,
        "reach": pack.home.reach.value,
        "target": pack.home.target,
        "language": pack.language,
        "title": clean(pack.title),
        "text": clean(pack.text),
        "published": pack.published,
        "version": pack.version,
        "created": to_ms(pack.created),
        "changed": to_ms(pack.changed),
    }


def parcel_row(parcel: Parcel) -> dict[str, Any]:
    """Write a parcel as a row."""
    return {
        "id": parcel.id,
        "owner": parcel.owner,
        "room": parcel.room,
        "state": clean(dump(parcel)),
        "changed": to_ms(parcel.changed),
    }


def _pack(row: Row) -> StoredPack:
    return StoredPack(
        id=PackId(row["id"]),
        owner=ParticipantId(row["owner"]),
        home=Home(reach=Reach(row["reach"]), target=row["target"]),
        language=row["language"],
        title=row["title"],
        text=row["text"],
        created=from_ms(row["created"]),
        changed=from_ms(row["changed"]),
        published=row["published"],
        version=row["version"],
    )


def _parcel(row: Row) -> Parcel:
    return load(
        row["state"],
        id=row["id"],
        owner=ParticipantId(row["owner"]),
        room=RoomId(row["room"]),
        changed=from_ms(row["changed"]),
    )
