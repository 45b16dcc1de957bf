"""Boards in SQL: leaderboards and histories, read from scores."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import persons, ranking, regrading, scoring, totals
from adapters.storage.links import SqlLinks
from adapters.storage.persons import Kin
from adapters.storage.remembering import Remembered
from adapters.storage.rows import row_session
from adapters.storage.schema import responses, scores, sessions
from adapters.storage.values import row_response
from bot.ids import ParticipantId
from bot.ports import Board, BoardQuery, Merit, Response
from bot.session import Session

MANY = 10_000
"""So many on a board are counted only once a minute."""

MANY_LINKED = 1000
"""So many who are linked are read only once a minute; oneself always."""


class SqlBoards(SqlLinks):
    """The part of the store that knows who is how good."""

    _shapes: Remembered[ranking.Shape]
    _large: set[ranking.Place]

    async def leaderboard(self, query: BoardQuery, now: datetime) -> Board:
        """Give the top of a leaderboard, ranked, and one's own place.

        Points of a room or of everybody, for a week or for ever, are read from an index however
        many stand on the board. For all else everybody's sums are looked at. Everywhere a person
        counts once, whatever participants they are.
        """
        async with self._database.reading() as connection:
            if query.merit is Merit.POINTS and (place := ranking.kept(query, now)):
                return await self._kept(connection, query, place)
            return await ranking.of_all(connection, query, now)

    async def _kept(
        self, connection: AsyncConnection, query: BoardQuery, place: ranking.Place
    ) -> Board:
        known = self._shapes.get(place)
        if known is None and place in self._large:
            known = self._shapes.put(place, await ranking.shape(connection, place))
        kin = await self._kin_on(connection, place, query.me)
        board = await ranking.of_kept(connection, query, place, known, kin)
        if board.total >= MANY:
            self._large.add(place)
        return board

    async def _kin_on(
        self, connection: AsyncConnection, place: ranking.Place, me: ParticipantId | None
    ) -> Kin:
        """Give who is linked, where that counts; many of them are read only once a minute."""
        room, week = place
        if room != ranking.EVERYWHERE:
            return persons.NOBODY
        if known := self._kin.get(week):
            person = await persons.person_of(connection, me) if me else ""
            return known.renewed(await persons.on_board(connection, week, person))
        kin = Kin(await persons.on_board(connection, week))
        return self._kin.put(week, kin) if kin.size >= MANY_LINKED else kin

    async def history(
        self, participant: ParticipantId, *, limit: int = 50
    ) -> Sequence[tuple[Session, Sequence[Response]]]:
        """List a person's sessions, latest first, with their responses: of all participants
        that are linked with this one.
        """
        mine = responses.c.participant.in_(await self.identities(participant))
        theirs = select(responses.c.session).where(mine)
        latest = (
            select(sessions)
            .where(sessions.c.id.in_(theirs))
            .order_by(sessions.c.started.desc(), sessions.c.id.desc())
            .limit(limit)
        )
        async with self._database.reading() as connection:
            found = [row_session(row) for row in (await connection.execute(latest)).mappings()]
            given = await connection.execute(
                select(responses)
                .where(mine, responses.c.session.in_([session.id for session in found]))
                .order_by(responses.c.turn, responses.c.at)
            )
            rows = [row_response(row) for row in given.mappings()]
        return [(one, [row for row in rows if row.session == one.id]) for one in found]

    async def rebuild(self) -> int:
        """Derive all scores again from the responses; give how many rows there are."""
        joined = responses.join(sessions, sessions.c.id == responses.c.session)
        closed = responses.c.turn < sessions.c.closed
        statement = scoring.earliest(self._database, responses, closed, joined=joined)

        async def work(connection: AsyncConnection) -> int:
            await regrading.in_turn(connection)
            await connection.execute(delete(scores))
            await connection.execute(statement)
            await totals.recount(connection, self._database)
            return int(await connection.scalar(select(func.count()).select_from(scores)) or 0)

        return await self._line.write(work, alone=True)
