"""Privacy in SQL: everything that is kept about a person, to be seen and to be deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Table, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import links as linking
from adapters.storage import regrading
from adapters.storage.database import Database
from adapters.storage.packs import stamped
from adapters.storage.persons import Kin
from adapters.storage.remembering import Remembered
from adapters.storage.schema import (
    aliases,
    asked,
    challenges,
    codes,
    corrections,
    dailies,
    links,
    notes,
    packs,
    parcels,
    participants,
    reminders,
    responses,
    rooms,
    scores,
    sessions,
    totals,
    tries,
)
from adapters.storage.traces import is_own_room, names
from adapters.storage.writing import Line
from bot.codec import dump, load
from bot.ids import ParticipantId
from bot.packs import Reach
from bot.people import Alias, Participant, Room

NOBODY = ParticipantId("")
"""Who has started a shared session whose starter is not known any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """Where else somebody is found: in rooms that are theirs alone, and in notes by their keys."""

    rooms: Sequence[str] = ()
    notes: Sequence[str] = ()


NO_TRACES = Traces()


def about(person: ParticipantId, traces: Traces = NO_TRACES) -> Mapping[Table, ColumnElement[bool]]:
    """Say which rows of which tables are about a person, in an order in which they can go."""
    own = traces.rooms
    named = (aliases.c.kind == "participant") & (aliases.c.target == person)
    place = (aliases.c.kind == "room") & aliases.c.target.in_(own)
    return {
        totals: (totals.c.participant == person) | totals.c.room.in_(own),
        scores: (scores.c.participant == person) | scores.c.room.in_(own),
        responses: (responses.c.participant == person) | responses.c.room.in_(own),
        asked: (asked.c.scope_owner == person) | asked.c.scope_room.in_(own),
        challenges: (challenges.c.participant == person) | challenges.c.room.in_(own),
        sessions: or_(
            sessions.c.owner == person, sessions.c.starter == person, sessions.c.room.in_(own)
        ),
        packs: (packs.c.owner == person) | packs.c.target.in_(own),
        parcels: (parcels.c.owner == person) | parcels.c.room.in_(own),
        tries: tries.c.participant == person,
        codes: (codes.c.participant == person) | (codes.c.guest == person),
        links: links.c.participant == person,
        reminders: (reminders.c.participant == person) | reminders.c.room.in_(own),
        notes: notes.c.key.in_(traces.notes),
        dailies: (dailies.c.starter == person) | dailies.c.room.in_(own),
        aliases: named | place,
        rooms: rooms.c.id.in_(own),
        participants: participants.c.id == person,
    }


class SqlPrivacy:
    """The part of the store that shows and deletes what is kept about somebody."""

    _database: Database
    _line: Line
    _people: Remembered[Participant]
    _rooms: Remembered[Room]
    _kin: Remembered[Kin]
    _forgotten: Remembered[bool]

    async def response_count(self, participant: ParticipantId) -> int:
        """Count the responses of a participant."""
        query = select(func.count()).where(responses.c.participant == participant)
        async with self._database.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def export(
        self, participant: ParticipantId
    ) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Give every row about a participant, by table, as values that JSON can hold."""
        async with self._database.reading() as connection:
            traces = await _traces(connection, participant)
            decided = corrections.c.decider == participant
            shown = {**about(participant, traces), corrections: decided}
            return {
                table.name: [
                    dict(row)
                    for row in (await connection.execute(select(table).where(rows))).mappings()
                ]
                for table, rows in shown.items()
            }

    async def forget(self, participant: ParticipantId) -> None:
        """Delete everything about a participant, in one transaction, and what links them.

        Their own sessions go with their responses, and their own packs; what is shared stays,
        without their name, unless it was in a room that is theirs alone.
        """
        async with self._database.reading() as reader:
            traces = await _traces(
                reader, participant
            )  # every note is looked at: not while writing

        async def work(connection: AsyncConnection) -> None:
            await regrading.in_turn(connection)
            await _unname(connection, participant)
            await linking.part(connection, participant)
            shared = (packs.c.owner == participant) & (packs.c.reach != Reach.PERSON.value)
            nameless = {"owner": NOBODY, "version": packs.c.version + 1}
            await connection.execute(update(packs).where(shared).values(nameless))
            await stamped(connection, self._database)
            for table, rows in about(participant, traces).items():
                await connection.execute(delete(table).where(rows))

        self._forgotten.put(participant, value=True)  # also for what is handed in meanwhile
        try:
            await self._line.write(work, alone=True)
        except BaseException:
            self._forgotten.clear()
            raise
        for remembered in (self._people, self._rooms, self._kin):
            remembered.clear()


async def _traces(connection: AsyncConnection, person: ParticipantId) -> Traces:
    """Look for what names somebody by what their platform calls them."""
    found_rooms, found_notes = list[str](), list[str]()
    theirs = select(aliases.c.platform, aliases.c.external)
    theirs = theirs.where(aliases.c.kind == "participant", aliases.c.target == person)
    for platform, external in (await connection.execute(theirs)).all():
        named = Alias(platform=platform, external=external)
        found_rooms += [
            row.target
            for row in await _containing(connection, aliases, external, aliases.c.external)
            if row.kind == "room"
            and is_own_room(Alias(platform=row.platform, external=row.external), named)
        ]
        columns = (notes.c.key, notes.c.value)
        found_notes += [
            row.key
            for row in await _containing(connection, notes, external, *columns)
            if names(row.key, row.value, external)
        ]
    return Traces(rooms=found_rooms, notes=found_notes)


async def _containing(
    connection: AsyncConnection, table: Table, part: str, *columns: ColumnElement[str]
) -> Sequence[Any]:
    anywhere = or_(*(column.contains(part, autoescape=True) for column in columns))
    return (await connection.execute(select(table).where(anywhere))).all()


async def _unname(connection: AsyncConnection, person: ParticipantId) -> None:
    theirs = dailies.c.starter == person
    await connection.execute(update(dailies).where(theirs).values(starter=NOBODY))
    started = (sessions.c.starter == person) & sessions.c.shared
    found = await connection.execute(select(sessions.c.id, sessions.c.state).where(started))
    for session, state in found.all():
        nameless = dump(replace(load(state), starter=NOBODY))
        await connection.execute(
            update(sessions).where(sessions.c.id == session).values(starter=NOBODY, state=nameless)
        )
    for table in (corrections, challenges):
        decided = update(table).where(table.c.decider == person)
        await connection.execute(decided.values(decider=NOBODY))
