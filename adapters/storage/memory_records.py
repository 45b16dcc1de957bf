"""Records in memory."""

from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence

from adapters.storage.memory_responses import MemoryData
from adapters.storage.record_rows import row_answer, row_result, row_taken
from adapters.storage.values import response_row
from bot.ids import ParticipantId
from bot.ports import Response
from bot.records import Answer, Latest, Result, Taken, Where


class MemoryRecords(MemoryData):
    """The part of the store that gives responses in bulk; each comes in one chunk."""

    async def answers(self, where: Where) -> AsyncIterator[Sequence[Answer]]:
        """Give the first response of each participant to each item, among those that are meant."""
        backwards = sorted(self._meant(where), key=_order, reverse=True)
        first = {(one.participant, one.pack, one.item): one for one in backwards}
        yield [row_answer(response_row(one)) for one in first.values()]

    async def results(self, where: Where) -> AsyncIterator[Sequence[Result]]:
        """Give all responses that are meant, by session, turn and time."""

        def order(one: Response) -> tuple[object, ...]:
            session = self._sessions[one.session]
            return session.started, session.id, one.turn, one.at, one.participant

        yield [
            row_result(
                response_row(one)
                | {
                    "shared": self._sessions[one.session].owner is None,
                    "name": self._shown(one.participant),
                }
            )
            for one in sorted(self._meant(where), key=order)
        ]

    async def latest(self, where: Where) -> Sequence[Latest]:
        """Sum up the last response of each participant to each item, by pack and item."""
        forwards = sorted(self._meant(where), key=_order)
        last = {(one.participant, one.pack, one.item): one for one in forwards}
        people = Counter((one.pack, one.item) for one in last.values())
        right = Counter((one.pack, one.item) for one in last.values() if one.grade >= 1)
        return [
            Latest(pack=key[0], item=key[1], people=count, right=right[key])
            for key, count in sorted(people.items())
        ]

    async def taken(self, people: Collection[ParticipantId]) -> AsyncIterator[Sequence[Taken]]:
        """Give all responses of one person, who may be several participants, oldest first."""
        theirs = (one for one in self._meant(Where()) if one.participant in people)
        yield [row_taken(response_row(one)) for one in sorted(theirs, key=_order)]

    def _meant(self, where: Where) -> list[Response]:
        return [one for one in self._responses.values() if self._is_meant(one, where)]

    def _is_meant(self, one: Response, where: Where) -> bool:
        session = self._sessions[one.session]
        return (
            one.turn < session.closed
            and where.pack in {None, one.pack}
            and where.session in {None, one.session}
            and where.room in {None, session.room}
            and where.community in {"", self._rooms[session.room].community}
        )


def _order(one: Response) -> tuple[object, ...]:
    return one.at, one.session, one.turn
