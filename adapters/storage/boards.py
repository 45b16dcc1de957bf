"""Boards in SQL: leaderboards and histories, read from scores."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import CTE, ColumnElement, Float, Row, cast, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import scoring
from adapters.storage.database import Database
from adapters.storage.responses import SHOWN
from adapters.storage.rows import row_session
from adapters.storage.schema import participants, responses, rooms, scores, sessions
from adapters.storage.values import row_response, since
from adapters.storage.writing import Line
from bot.ids import ParticipantId
from bot.ports import Board, BoardQuery, Merit, Response, Scope
from bot.scoring import Standing
from bot.session import Session


class SqlBoards:
    """The part of the store that knows who is how good."""

    _database: Database
    _line: Line

    async def leaderboard(self, query: BoardQuery, now: datetime) -> Board:
        """Give the top of a leaderboard, ranked, and one's own place."""
        placed = _placed(query, now)
        wanted = placed.c.number <= query.limit
        if query.me is not None:
            wanted = or_(wanted, placed.c.participant == query.me)
        statement = select(placed).where(wanted).order_by(placed.c.number)
        async with self._database.reading() as connection:
            found = (await connection.execute(statement)).all()
        mine = [row for row in found if row.participant == query.me]
        return Board(
            rows=[_standing(row) for row in found if row.number <= query.limit],
            total=found[0].total if found else 0,
            mine=_standing(mine[0]) if mine else None,
        )

    async def history(
        self, participant: ParticipantId, *, limit: int = 50
    ) -> Sequence[tuple[Session, Sequence[Response]]]:
        """List a participant's sessions, latest first, with their responses."""
        theirs = select(responses.c.session).where(responses.c.participant == participant)
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
                .where(responses.c.participant == participant)
                .where(responses.c.session.in_([session.id for session in found]))
                .order_by(responses.c.turn)
            )
            rows = [row_response(row) for row in given.mappings()]
        return [(one, [row for row in rows if row.session == one.id]) for one in found]

    async def rebuild(self) -> int:
        """Derive all scores again from the responses; give how many rows there are."""
        joined = responses.join(sessions, sessions.c.id == responses.c.session)
        closed = responses.c.turn < sessions.c.closed
        statement = scoring.derive(self._database, closed, joined=joined)

        async def work(connection: AsyncConnection) -> int:
            await connection.execute(delete(scores))
            await connection.execute(statement)
            return int(await connection.scalar(select(func.count()).select_from(scores)) or 0)

        return await self._line.write(work, alone=True)


def _placed(query: BoardQuery, now: datetime) -> CTE:
    """Rank everyone in the database, so that one's own place is right below any limit."""
    sums = _sums(query, now)
    accuracy = sums.c.correct / cast(sums.c.answered, Float)
    if query.merit is Merit.ACCURACY:
        merits = [accuracy.desc(), sums.c.answered.desc()]
        enough = sums.c.answered >= query.minimum
    else:
        merits = [sums.c.points.desc()]
        enough = sums.c.answered > 0
    rest = [sums.c.seconds, func.lower(SHOWN), sums.c.participant]
    return (
        select(
            *sums.c,
            SHOWN.label("name"),
            func.rank().over(order_by=merits).label("place"),
            func.row_number().over(order_by=[*merits, *rest]).label("number"),
            func.count().over().label("total"),
        )
        .select_from(sums.outerjoin(participants, participants.c.id == sums.c.participant))
        .where(enough)
        .cte("placed")
    )


def _sums(query: BoardQuery, now: datetime) -> CTE:
    return (
        select(
            scores.c.participant,
            func.sum(scores.c.points).label("points"),
            func.sum(scores.c.grade).label("correct"),
            func.count().label("answered"),
            func.sum(scores.c.elapsed).label("seconds"),
        )
        .where(*_reach(query), scores.c.at >= since(query.period, query.room, now))
        .group_by(scores.c.participant)
        .cte("sums")
    )


def _reach(query: BoardQuery) -> list[ColumnElement[bool]]:
    """Narrow scores to a scope; a room that belongs to no community spans only itself."""
    if query.room is None or query.scope is Scope.EVERYWHERE:
        return []
    if query.scope is Scope.COMMUNITY and query.room.community:
        span = select(rooms.c.id).where(rooms.c.community == query.room.community)
        return [scores.c.room.in_(span)]
    return [scores.c.room == query.room.id]


def _standing(row: Row[Any]) -> Standing:
    return Standing(
        participant=ParticipantId(row.participant),
        name=row.name,
        points=int(row.points),
        correct=float(row.correct),
        answered=row.answered,
        seconds=float(row.seconds) / 1000,
        place=row.place,
    )
