"""People in SQL: rooms, participants, and the names platforms have for both."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import moving
from adapters.storage.database import Database
from adapters.storage.remembering import Remembered
from adapters.storage.schema import aliases, participants, rooms
from adapters.storage.values import Row, clean, dump_settings, load_settings, new_id, now, to_ms
from adapters.storage.writing import Line
from bot.errors import StoreError
from bot.ids import ParticipantId, RoomId
from bot.people import Alias, Participant, Room, Settings

ROOM = "room"
PARTICIPANT = "participant"


class SqlPeople:
    """The part of the store that knows who and where."""

    _database: Database
    _line: Line
    _rooms: Remembered[Room]
    _people: Remembered[Participant]

    async def room(self, alias: Alias, *, title: str = "", community: str = "") -> Room:
        """Give the room, made on first sight; a title or community that changed is kept."""
        told = _told(title=title, community=community)
        known = self._rooms.get(alias)
        if known and all(getattr(known, name) == text for name, text in told.items()):
            return known
        found = await self._read(_by_alias(rooms, ROOM, alias))
        if not found or _changes(found, told):
            found = await self._line.write(lambda connection: self._room(connection, alias, told))
        return self._met(_room(found, alias))

    async def room_by_id(self, room: RoomId) -> Room:
        """Give a room by our own id.

        Raises StoreError if there is none.
        """
        if known := self._rooms.get(room):
            return known
        found = await self._read(_by_ids(rooms, ROOM, [room]))
        if not found:
            msg = f"There is no room {room}."
            raise StoreError(msg)
        return self._met(_room(found, _alias(found)))

    async def set_settings(self, room: RoomId, settings: Settings) -> None:
        """Keep what a room has chosen."""
        stored = dump_settings(settings)
        change = update(rooms).where(rooms.c.id == room).values(settings=stored)
        await self._line.write(lambda connection: connection.execute(change))
        self._rooms.clear()

    async def move_room(self, old: Alias, new: Alias) -> None:
        """Let a room keep everything under its new name on the platform, at once.

        If the new name is already a room of its own, both become one (`moving.merge`). A name
        that is not known (any more) moves nothing, so being told twice does no harm.
        """

        async def work(connection: AsyncConnection) -> None:
            kept = await _first(connection, _by_alias(rooms, ROOM, old))
            if not kept or old == new:
                return
            other = await _first(connection, _by_alias(rooms, ROOM, new))
            if other:
                await moving.merge(connection, self._database, kept=kept["id"], other=other["id"])
            await moving.take_banks_along(connection, self._database, old=old, new=new)
            named = (aliases.c.kind == ROOM) & _named(old)
            await connection.execute(
                update(aliases).where(named).values(platform=new.platform, external=new.external)
            )

        await self._line.write(work, alone=True)
        self._rooms.clear()

    async def participant(self, alias: Alias, *, name: str = "", language: str = "") -> Participant:
        """Give the participant, made on first sight; a name that changed is kept, a language
        only until one is chosen.
        """
        told = _told(name=name, language=language)
        known = self._people.get((alias, name, language))
        if known:
            return known
        found = await self._read(_by_alias(participants, PARTICIPANT, alias))
        if not found or _changes(found, told):
            found = await self._line.write(
                lambda connection: self._participant(connection, alias, told)
            )
        return self._people.put((alias, name, language), _participant(found, alias))

    async def participants(
        self, ids: Sequence[ParticipantId]
    ) -> Mapping[ParticipantId, Participant]:
        """Give participants by our own ids; one that is not known is left out."""
        async with self._database.reading() as connection:
            found = await connection.execute(_by_ids(participants, PARTICIPANT, ids))
            people = [_participant(row, _alias(row)) for row in found.mappings()]
        return {person.id: person for person in people}

    async def set_participant(
        self,
        participant: ParticipantId,
        *,
        language: str | None = None,
        nickname: str | None = None,
    ) -> None:
        """Keep what a person has chosen; an empty language takes the choice back."""
        values: dict[str, Any] = {}
        if language is not None:
            values |= {"language": language, "language_chosen": bool(language)}
        if nickname is not None:
            values["nickname"] = clean(nickname)
        if values:
            change = update(participants).where(participants.c.id == participant).values(values)
            await self._line.write(lambda connection: connection.execute(change))
            self._people.clear()

    def _met(self, room: Room) -> Room:
        return self._rooms.put(room.alias, self._rooms.put(room.id, room))

    async def _read(self, query: Select[Any]) -> Row | None:
        async with self._database.reading() as connection:
            return await _first(connection, query)

    async def _room(
        self, connection: AsyncConnection, alias: Alias, told: Mapping[str, str]
    ) -> Row:
        blank = {"title": "", "community": "", "settings": "{}"}
        return await self._upsert(connection, rooms, ROOM, alias, told, blank)

    async def _participant(
        self, connection: AsyncConnection, alias: Alias, told: Mapping[str, str]
    ) -> Row:
        blank = {
            "name": "",
            "language": "",
            "language_chosen": False,
            "nickname": "",
            "created": to_ms(now()),
        }
        return await self._upsert(connection, participants, PARTICIPANT, alias, told, blank)

    async def _upsert(
        self,
        connection: AsyncConnection,
        table: Table,
        kind: str,
        alias: Alias,
        told: Mapping[str, str],
        blank: Mapping[str, object],
    ) -> Row:
        """Make a row if its alias is new, by whoever is first; otherwise keep what changed."""
        fresh = new_id()
        made = await connection.execute(
            self._database.insert(aliases)
            .values(kind=kind, platform=alias.platform, external=alias.external, target=fresh)
            .on_conflict_do_nothing()
            .returning(aliases.c.target)
        )
        if made.first():
            await connection.execute(table.insert().values({**blank, **told, "id": fresh}))
        found = await _first(connection, _by_alias(table, kind, alias))
        if not found:
            msg = f"The database has a name for a {kind} that is gone: {alias.external}."
            raise StoreError(msg)
        changes = _changes(found, told)
        if changes:
            await connection.execute(update(table).where(table.c.id == found["id"]).values(changes))
            found = await _first(connection, _by_alias(table, kind, alias)) or found
        return found


async def _first(connection: AsyncConnection, query: Select[Any]) -> Row | None:
    row: Row | None = (await connection.execute(query)).mappings().first()
    return row


def _named(alias: Alias) -> ColumnElement[bool]:
    return (aliases.c.platform == alias.platform) & (aliases.c.external == alias.external)


def _by_alias(table: Table, kind: str, alias: Alias) -> Select[Any]:
    joined = table.join(aliases, (aliases.c.kind == kind) & (aliases.c.target == table.c.id))
    return select(table).select_from(joined).where(_named(alias))


def _by_ids(table: Table, kind: str, ids: Sequence[str]) -> Select[Any]:
    joined = table.outerjoin(aliases, (aliases.c.kind == kind) & (aliases.c.target == table.c.id))
    return (
        select(table, aliases.c.platform, aliases.c.external)
        .select_from(joined)
        .where(table.c.id.in_(ids))
        .order_by(table.c.id, aliases.c.platform, aliases.c.external)
    )


def _told(**told: str) -> dict[str, str]:
    """Keep what a platform really says; nothing said changes nothing."""
    return {name: clean(text) for name, text in told.items() if text}


def _changes(found: Row, told: Mapping[str, str]) -> dict[str, str]:
    chosen = {"language"} if found.get("language_chosen") else set()
    return {name: text for name, text in told.items() if name not in chosen and found[name] != text}


def _alias(row: Row) -> Alias:
    return Alias(platform=row["platform"] or "", external=row["external"] or "")


def _room(row: Row, alias: Alias) -> Room:
    return Room(
        id=RoomId(row["id"]),
        alias=alias,
        title=row["title"],
        community=row["community"],
        settings=load_settings(row["settings"]),
    )


def _participant(row: Row, alias: Alias) -> Participant:
    return Participant(
        id=ParticipantId(row["id"]),
        alias=alias,
        name=row["name"],
        language=row["language"],
        nickname=row["nickname"],
    )
