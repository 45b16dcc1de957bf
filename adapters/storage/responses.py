"""Responses in SQL: recorded in groups under one guard, and read in sets."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    case,
    delete,
    func,
    literal,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.recording import KEY, Key, open_turns
from adapters.storage.remembering import Remembered
from adapters.storage.rows import full_time
from adapters.storage.schema import (
    participants,
    responses,
    scores,
    sessions,
)
from adapters.storage.values import response_row, row_response
from adapters.storage.writing import Line
from bot import submissions
from bot.ids import ParticipantId, SessionId
from bot.ports import Receipt, Response, Tally
from bot.scoring import Standing
from bot.session import Session

SHOWN = func.coalesce(func.nullif(participants.c.nickname, ""), participants.c.name, "")
"""The name of a participant for other people to see."""


class SqlResponses:
    """The part of the store that knows what everybody answered."""

    _database: Database
    _line: Line
    _forgotten: Remembered[bool]

    async def record(self, response: Response, *, replace: bool = False) -> Receipt:
        """Keep a response if its turn is still open; it is committed when this returns.

        A second one from the same participant changes nothing, unless `replace` lets it. One that
        was graded before the latest correction is STALE, and not kept.

        Who was forgotten a moment ago, and is still known to a chat, answers in vain.
        """
        if self._forgotten.get(response.participant):
            return Receipt.CLOSED
        return await self._line.record(
            response_row(response), replace=replace, keyed=response.keyed
        )

    async def response(
        self, session: SessionId, turn: int, participant: ParticipantId
    ) -> Response | None:
        """Give what a participant answered in a turn."""
        found = await self._responses(*_is((session, turn, participant)))
        return found[0] if found else None

    async def withdraw(self, session: SessionId, turn: int, participant: ParticipantId) -> bool:
        """Take a response back while its turn is open; tell whether there was one."""
        removal = delete(responses).where(*_is((session, turn, participant)))

        async def work(connection: AsyncConnection) -> bool:
            if (session, turn) not in await open_turns(connection, {session}):
                return False
            removed = await connection.execute(removal.returning(responses.c.turn))
            return removed.first() is not None

        return await self._line.write(work)

    async def responses(self, session: SessionId, participant: ParticipantId) -> Sequence[Response]:
        """List a participant's responses in a session, in the order of turns."""
        return await self._responses(
            responses.c.session == session, responses.c.participant == participant
        )

    async def practice(self, session: SessionId, participant: ParticipantId) -> int:
        """Count a participant's responses in a session that do not count for boards."""
        same = (scores.c[name] == responses.c[name] for name in (*KEY, "pack", "item", "week"))
        counts = select(scores.c.room).where(*same).exists()
        query = (
            select(func.count())
            .select_from(responses.join(sessions, sessions.c.id == responses.c.session))
            .where(responses.c.session == session, responses.c.participant == participant)
            .where(responses.c.turn < sessions.c.closed, ~counts)
        )
        async with self._database.reading() as connection:
            return int(await connection.scalar(query) or 0)

    async def tally(self, session: SessionId, turn: int) -> Tally:
        """Count how the room answered a turn."""
        here = (responses.c.session == session, responses.c.turn == turn)
        right = func.sum(case((responses.c.grade >= 1, 1), else_=0))
        wrong = responses.c.sure.is_(True) & (responses.c.grade <= 0)
        misled = func.sum(case((wrong, 1), else_=0))
        counts = select(responses.c.submission, func.count(), right, misled).where(*here)
        joined = select(func.count(responses.c.participant.distinct()))
        async with self._database.reading() as connection:
            groups = (await connection.execute(counts.group_by(responses.c.submission))).all()
            fastest = (await connection.execute(_fastest(*here))).all()
            everyone = await connection.scalar(joined.where(responses.c.session == session))
        return Tally(
            counts={submissions.load(submission): count for submission, count, _, _ in groups},
            answered=sum(count for _, count, _, _ in groups),
            correct=sum(int(correct) for _, _, correct, _ in groups),
            fastest=[(name, elapsed / 1000) for name, elapsed in fastest],
            joined=everyone or 0,
            misled=sum(int(misled) for *_, misled in groups),
        )

    async def standings(self, session: Session) -> Sequence[Standing]:
        """Sum up a session for everyone in it, not ranked; an unanswered turn of a timed session
        counts its full time.
        """
        allowed = _allowed(session)
        query = (
            select(
                responses.c.participant,
                func.max(SHOWN),
                func.sum(responses.c.points),
                func.sum(responses.c.grade),
                func.count(),
                func.sum(responses.c.elapsed),
                func.sum(case((responses.c.turn < session.closed, allowed), else_=0)),
            )
            .select_from(_named())
            .where(responses.c.session == session.id)
            .group_by(responses.c.participant)
        )
        limit = full_time(session, range(session.closed))
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [
            Standing(
                participant=ParticipantId(who),
                name=name,
                points=int(points),
                correct=float(grades),
                answered=count,
                seconds=(int(elapsed) + 1000 * (limit - int(used))) / 1000,
            )
            for who, name, points, grades, count, elapsed, used in rows
        ]

    async def _responses(self, *conditions: ColumnElement[bool]) -> Sequence[Response]:
        query = select(responses).where(*conditions).order_by(responses.c.turn)
        async with self._database.reading() as connection:
            return [row_response(row) for row in (await connection.execute(query)).mappings()]


def _is(key: Key) -> list[ColumnElement[bool]]:
    return [responses.c[name] == value for name, value in zip(KEY, key, strict=True)]


def _named() -> FromClause:
    return responses.outerjoin(participants, participants.c.id == responses.c.participant)


def _fastest(*here: ColumnElement[bool]) -> Select[Any]:
    return (
        select(SHOWN, responses.c.elapsed)
        .select_from(_named())
        .where(*here, responses.c.grade >= 1)
        .order_by(responses.c.elapsed, responses.c.at, responses.c.participant)
        .limit(3)
    )


def _allowed(session: Session) -> ColumnElement[int]:
    """Give the seconds that a response's turn allows, as an expression."""
    if not session.rules.timed:
        return literal(0)
    own = {turn: seconds for turn, seconds in enumerate(session.seconds) if seconds}
    if not own:
        return literal(session.rules.seconds)
    return case(own, value=responses.c.turn, else_=session.rules.seconds)
