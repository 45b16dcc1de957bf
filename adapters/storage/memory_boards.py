"""Boards in memory."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from adapters.storage.memory_responses import MemoryData
from adapters.storage.persons import together
from adapters.storage.values import monday, since, to_ms
from bot.ids import ParticipantId
from bot.ports import Board, BoardQuery, Merit, Period, Response, Scope
from bot.scoring import Standing, rank, rank_by_accuracy
from bot.session import Session


class MemoryBoards(MemoryData):
    """The part of the store that knows who is how good."""

    async def leaderboard(self, query: BoardQuery, now: datetime) -> Board:
        """Give the top of a leaderboard, ranked, and one's own place."""
        start = since(query.period, query.room, now)
        week = monday(query.room, now)
        theirs: dict[ParticipantId, list[Response]] = defaultdict(list)
        for score in self._scores.values():
            here = self._reaches(query, score)
            by_week = query.period is Period.WEEK
            if here and (score.week.isoformat() == week if by_week else to_ms(score.at) >= start):
                theirs[score.participant].append(score)
        everywhere = query.room is None or query.scope is Scope.EVERYWHERE
        if everywhere:
            people = self._by_person(theirs, query.me)
            rows = [self._sum(who, self._person_name(who), people[who]) for who in people]
        else:
            rows = [self._sum(who, self._shown(who), theirs[who]) for who in theirs]
        if query.merit is Merit.ACCURACY:
            ranked = rank_by_accuracy(row for row in rows if row.answered >= query.minimum)
        else:
            ranked = rank(rows)
        mine = next((row for row in ranked if row.participant == query.me), None)
        return Board(rows=ranked[: query.limit], total=len(ranked), mine=mine)

    async def history(
        self, participant: ParticipantId, *, limit: int = 50
    ) -> Sequence[tuple[Session, Sequence[Response]]]:
        """List a person's sessions, latest first, with their responses: of all participants
        that are linked with this one.
        """
        mine = self._identities(participant)
        theirs = [one for one in self._responses.values() if one.participant in mine]
        theirs.sort(key=lambda one: (one.turn, one.at))
        ids = {one.session for one in theirs}
        latest = sorted(
            (one for one in self._sessions.values() if one.id in ids),
            key=lambda one: (one.started, one.id),
            reverse=True,
        )
        return [
            (session, [one for one in theirs if one.session == session.id])
            for session in latest[:limit]
        ]

    async def rebuild(self) -> int:
        """Derive all scores again from the responses; give how many rows there are."""
        self._scores.clear()
        for response in self._responses.values():
            if response.turn < self._sessions[response.session].closed:
                self._score(response)
        return len(self._scores)

    def _reaches(self, query: BoardQuery, score: Response) -> bool:
        if query.room is None or query.scope is Scope.EVERYWHERE:
            return True
        if query.scope is Scope.COMMUNITY and query.room.community:
            return self._rooms[score.room].community == query.room.community
        return score.room == query.room.id

    def _by_person(
        self, theirs: Mapping[ParticipantId, list[Response]], me: ParticipantId | None
    ) -> Mapping[ParticipantId, list[Response]]:
        """Put scores of linked participants together: under oneself, or one of them."""
        found: dict[ParticipantId, list[Response]] = defaultdict(list)
        for who, scores in theirs.items():
            same = self._identities(who)
            found[me if me in same else min(same)] += scores
        return found

    def _person_name(self, participant: ParticipantId) -> str:
        known = self._identities(participant)
        latest = [one for who, one in reversed(self._participants.items()) if who in known]
        return together([(one.name, one.nickname) for one in latest])

    def _sum(self, participant: ParticipantId, name: str, scores: Sequence[Response]) -> Standing:
        return Standing(
            participant=participant,
            name=name,
            points=sum(score.points for score in scores),
            correct=sum(score.grade for score in scores),
            answered=len(scores),
            seconds=round(sum(score.elapsed for score in scores), 3),
        )
