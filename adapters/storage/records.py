"""Records in SQL: one set-based query each, read in chunks."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, case, func, select

from adapters.storage.database import Database
from adapters.storage.record_rows import row_answer, row_result, row_taken
from adapters.storage.responses import SHOWN
from adapters.storage.schema import participants, responses, rooms, sessions
from adapters.storage.values import Row
from bot.ids import ItemId, PackId, ParticipantId
from bot.records import Answer, Latest, Result, Taken, Where

CHUNK = 500
"""So many rows are turned into values at a time; then others have their turn."""

T = TypeVar("T")

_CLOSED = responses.join(
    sessions, (sessions.c.id == responses.c.session) & (responses.c.turn < sessions.c.closed)
)
_SAME = (responses.c.participant, responses.c.pack, responses.c.item)
_ORDER = (responses.c.at, responses.c.session, responses.c.turn)


class SqlRecords:
    """The part of the store that gives responses in bulk."""

    _database: Database

    def answers(self, where: Where) -> AsyncIterator[Sequence[Answer]]:
        """Give the first response of each participant to each item, among those that are meant."""
        nth = func.row_number().over(partition_by=_SAME, order_by=_ORDER).label("nth")
        ranked = _meant(where, select(responses, nth).select_from(_CLOSED)).subquery()
        query = select(ranked).where(ranked.c.nth == 1)
        return self._chunks(query, row_answer)

    def results(self, where: Where) -> AsyncIterator[Sequence[Result]]:
        """Give all responses that are meant, by session, turn and time."""
        named = _CLOSED.outerjoin(participants, participants.c.id == responses.c.participant)
        columns = select(responses, sessions.c.shared, SHOWN.label("name")).select_from(named)
        order = (sessions.c.started, sessions.c.id, responses.c.turn, responses.c.at)
        query = _meant(where, columns).order_by(*order, responses.c.participant)
        return self._chunks(query, row_result)

    async def latest(self, where: Where) -> Sequence[Latest]:
        """Sum up the last response of each participant to each item, by pack and item."""
        backwards = [column.desc() for column in _ORDER]
        nth = func.row_number().over(partition_by=_SAME, order_by=backwards).label("nth")
        ranked = _meant(where, select(responses, nth).select_from(_CLOSED)).subquery()
        item = (ranked.c.pack, ranked.c.item)
        right = func.sum(case((ranked.c.grade >= 1, 1), else_=0))
        query = select(*item, func.count(), right).where(ranked.c.nth == 1).group_by(*item)
        async with self._database.reading() as connection:
            found = (await connection.execute(query.order_by(*item))).all()
        return [
            Latest(pack=PackId(pack), item=ItemId(item), people=people, right=int(right))
            for pack, item, people, right in found
        ]

    def taken(self, people: Collection[ParticipantId]) -> AsyncIterator[Sequence[Taken]]:
        """Give all responses of one person, who may be several participants, oldest first."""
        theirs = responses.c.participant.in_(sorted(people))
        query = select(responses).select_from(_CLOSED).where(theirs).order_by(*_ORDER)
        return self._chunks(query, row_taken)

    async def _chunks(
        self, query: Select[Any], made: Callable[[Row], T]
    ) -> AsyncIterator[Sequence[T]]:
        async with self._database.reading() as connection:
            found = await connection.stream(query)
            async for rows in found.mappings().partitions(CHUNK):
                yield [made(row) for row in rows]


def _meant(where: Where, query: Select[Any]) -> Select[Any]:
    conditions: list[ColumnElement[bool]] = []
    if where.pack is not None:
        conditions.append(responses.c.pack == where.pack)
    if where.session is not None:
        conditions.append(sessions.c.id == where.session)
    if where.room is not None:
        conditions.append(sessions.c.room == where.room)
    if where.community:
        span = select(rooms.c.id).where(rooms.c.community == where.community)
        conditions.append(sessions.c.room.in_(span))
    return query.where(*conditions)
