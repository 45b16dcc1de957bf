"""Dailies in memory."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime

from adapters.storage.memory_responses import MemoryData
from bot.dailies import Daily, DailyAnswer, day_of
from bot.ids import PackId, ParticipantId, RoomId
from bot.session import DAILY, Phase, Session


class MemoryDailies(MemoryData):
    """The part of the store that knows what is asked every day."""

    async def start(self, session: Session) -> None:
        """Store a new session. Raises Conflict if its place is taken."""
        raise NotImplementedError

    async def daily(self, room: RoomId) -> Daily | None:
        """Give the daily question of a room, also if it is switched off."""
        return self._dailies.get(room)

    async def change_daily(self, before: Daily | None, after: Daily) -> bool:
        """Keep a daily question if it still is what it was."""
        if self._dailies.get(after.room) != before:
            return False
        self._dailies[after.room] = after
        return True

    async def open_daily(self, before: Daily, after: Daily, session: Session) -> bool:
        """Change it and store the session of the day, both or neither.

        Raises Conflict if there is such a session already, or another one is still active.
        """
        if self._dailies.get(before.room) != before:
            return False
        await self.start(session)
        self._dailies[after.room] = after
        return True

    async def dailies_due(self, platforms: Collection[str], now: datetime) -> Sequence[Daily]:
        """List those in rooms of platforms that have to be looked at by now, or whose question
        is paused.
        """
        looked_at = [
            (one.next_at, one.room, one)
            for one in self._dailies.values()
            if one.next_at is not None
            and self._rooms[one.room].alias.platform in platforms
            and (one.next_at <= now or self._is_paused(one))
        ]
        return [one for *_, one in sorted(looked_at, key=lambda row: row[:2])]

    async def daily_days(self, room: RoomId, since: date) -> Mapping[date, PackId]:
        """Give the dates on which a question reached the room, oldest first, and its pack."""
        days = {day_of(one.id): one.pack for one in self._daily_sessions(room) if one.opened}
        return {day: days[day] for day in sorted(days) if day >= since}

    async def daily_answers(
        self, room: RoomId, since: date, *, of: ParticipantId | None = None
    ) -> Sequence[DailyAnswer]:
        """List the answers to questions that are closed, in the order in which they came: those
        of everybody, or `of` one person.
        """
        closed = {one.id for one in self._daily_sessions(room) if one.closed}
        given = [
            one
            for one in self._responses.values()
            if one.session in closed and day_of(one.session) >= since
            if of in {None, one.participant}
        ]
        return [
            DailyAnswer(
                day=day_of(one.session),
                participant=one.participant,
                name=self._shown(one.participant),
                grade=one.grade,
            )
            for one in sorted(given, key=lambda one: (one.at, one.participant))
        ]

    def _is_paused(self, daily: Daily) -> bool:
        session = self._sessions.get(daily.session)
        return session is not None and session.phase is Phase.PAUSED

    def _daily_sessions(self, room: RoomId) -> list[Session]:
        return [one for one in self._sessions.values() if (one.room, one.place) == (room, DAILY)]
