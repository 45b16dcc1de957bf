"""Privacy in SQL: everything that is kept about a person, to be seen and to be deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Table, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.remembering import Remembered
from adapters.storage.schema import (
    aliases,
    asked,
    dailies,
    participants,
    responses,
    scores,
    sessions,
    totals,
)
from adapters.storage.writing import Line
from bot.codec import dump, load
from bot.ids import ParticipantId
from bot.people import Participant

NOBODY = ParticipantId("")
"""Who has started a shared session whose starter is not known any more."""


def about(person: ParticipantId) -> Mapping[Table, ColumnElement[bool]]:
    """Say which rows of which tables are about a person, in an order in which they can go."""
    return {
        totals: totals.c.participant == person,
        scores: scores.c.participant == person,
        responses: responses.c.participant == person,
        asked: asked.c.scope_owner == person,
        sessions: (sessions.c.owner == person) | (sessions.c.starter == person),
        dailies: dailies.c.starter == person,
        aliases: (aliases.c.kind == "participant") & (aliases.c.target == person),
        participants: participants.c.id == person,
    }


class SqlPrivacy:
    """The part of the store that shows and deletes what is kept about somebody."""

    _database: Database
    _line: Line
    _people: Remembered[Participant]

    async def response_count(self, participant: ParticipantId) -> int:
        """Count the responses of a person."""
        query = select(func.count()).where(responses.c.participant == participant)
        async with self._database.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def export(
        self, participant: ParticipantId
    ) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Give every row about a person, by table, as values that JSON can hold."""
        async with self._database.reading() as connection:
            return {
                table.name: [
                    dict(row)
                    for row in (await connection.execute(select(table).where(rows))).mappings()
                ]
                for table, rows in about(participant).items()
            }

    async def forget(self, participant: ParticipantId) -> None:
        """Delete everything about a person, in one transaction.

        Their own sessions go with their responses; shared ones stay, without their name.
        """

        async def work(connection: AsyncConnection) -> None:
            await _unname(connection, participant)
            for table, rows in about(participant).items():
                await connection.execute(delete(table).where(rows))

        await self._line.write(work, alone=True)
        self._people.clear()


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
