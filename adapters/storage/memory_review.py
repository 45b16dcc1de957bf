"""What reviews need, in memory."""

from collections.abc import Collection, Sequence
from datetime import datetime

from adapters.storage.memory_responses import MemoryData
from adapters.storage.values import reminder_row, row_reminder
from bot.ids import ParticipantId
from bot.memory import Trace
from bot.reminders import Reminder


class MemoryReview(MemoryData):
    """The part of the store that knows what was answered when, and who wants to be reminded."""

    async def memories(self, participants: Collection[ParticipantId]) -> Sequence[Trace]:
        """List all responses of participants who are one person, oldest first."""
        theirs = [one for one in self._responses.values() if one.participant in participants]
        return [
            Trace(
                pack=one.pack,
                item=one.item,
                grade=one.grade,
                at=one.at,
                elapsed=one.elapsed,
                unsure=None if one.sure is None else not one.sure,
            )
            for one in sorted(theirs, key=lambda one: (one.at, one.session, one.turn))
        ]

    async def reminder(self, participant: ParticipantId) -> Reminder | None:
        """Give somebody's reminder."""
        return self._reminders.get(participant)

    async def set_reminder(self, reminder: Reminder) -> None:
        """Keep a reminder in the place of an earlier one."""
        self._reminders[reminder.participant] = row_reminder(reminder_row(reminder))

    async def drop_reminder(self, participant: ParticipantId) -> None:
        """Remind somebody no more."""
        self._reminders.pop(participant, None)

    async def due_reminders(
        self, platforms: Collection[str], now: datetime, *, limit: int = 50
    ) -> Sequence[Reminder]:
        """List what is due by now in rooms of platforms, longest due first."""
        due = [
            one
            for one in self._reminders.values()
            if one.due <= now and self._rooms[one.room].alias.platform in platforms
        ]
        return sorted(due, key=lambda one: (one.due, one.participant))[:limit]

    async def claim_reminder(self, before: Reminder, after: Reminder) -> bool:
        """Change a reminder if it is still due as `before` has it."""
        stored = self._reminders.get(before.participant)
        if stored is None or stored.due != before.due:
            return False
        await self.set_reminder(after)
        return True
