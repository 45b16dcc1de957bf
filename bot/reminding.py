"""Reminding: takes wishes for a daily reminder, and sends what is due."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, time
from zoneinfo import ZoneInfo

from bot import review_panels as panels
from bot.actions import Action
from bot.commands import Place
from bot.effects import Refusal, Trouble
from bot.errors import DeliveryError, StoreError
from bot.features import Tools
from bot.memory import day_of
from bot.panels import Panel
from bot.recollecting import Known, Recollection
from bot.reminders import (
    PATIENCE,
    Reminder,
    following,
    quiet,
    read_time,
    read_zone,
    timely,
)
from bot.requests import Reply, Request
from bot.summing import refused
from bot.wording import Words, choose, words

_log = logging.getLogger(__name__)

OFF = frozenset({"off", "stop", "mati", "berhenti"})
PASSING = frozenset({Trouble.UNREACHABLE.value, Trouble.MISHAP.value})
"""Troubles that may be over tomorrow; all others end a reminder."""


class Reminding:
    """Looks after everybody's reminders."""

    def __init__(self, tools: Tools, recollection: Recollection) -> None:
        """Take what to work with."""
        self._tools = tools
        self._store = tools.store
        self._recollection = recollection

    async def obey(self, request: Request, said: Sequence[str]) -> Reply:
        """Set a reminder as typed: `19:00`, `19:00 Asia/Jakarta`, `off`, or nothing yet."""
        spoken = self._tools.words(request)
        if not said:
            return await self._offer(request)
        if said[0].casefold() in OFF:
            return await self._off(request)
        minute = read_time(said[0])
        zone = read_zone(said[1]) if said[1:] else ""
        if minute is None or zone is None or said[2:]:
            return Reply(panel=panels.usage(spoken))
        return await self._at(request, minute, zone)

    async def press(self, request: Request, action: Action) -> Reply:
        """Do what a button asks for."""
        name, _, zone = action.value.partition("=")
        known = read_zone(zone) if name == "zone" else ""
        match name:
            case "times":
                return await self._offer(request)
            case "at" | "zone" if action.turn < 24 * 60 and known is not None:
                return replace(await self._at(request, action.turn, known), replaces=True)
            case "off":
                return replace(await self._off(request), replaces=True)
            case _:
                return Reply(panel=refused(Refusal.GONE, self._tools.words(request)))

    async def tick(self, platforms: Collection[str]) -> None:
        """Send what is due by now in rooms of these platforms, each to one person at most once."""
        now = self._tools.clock.now()
        for reminder in await self._store.due_reminders(platforms, now):
            try:
                await self._remind(reminder, now)
            except StoreError:
                raise
            except Exception:  # noqa: BLE001 - an edge: one that fails must not keep others waiting
                _log.exception("not reminded", extra={"participant": reminder.participant})

    # ------------------------------------------------------------ wishes

    async def _offer(self, request: Request) -> Reply:
        spoken = self._tools.words(request)
        if request.place is not Place.PRIVATE:
            return Reply(panel=panels.only_in_private(spoken))
        return Reply(panel=panels.times(spoken))

    async def _at(self, request: Request, minute: int, zone: str) -> Reply:
        spoken = self._tools.words(request)
        if request.place is not Place.PRIVATE:
            return Reply(panel=panels.only_in_private(spoken))
        if quiet(time(minute // 60, minute % 60)):
            return Reply(panel=panels.at_night(spoken))
        before = await self._store.reminder(request.person.id)
        zone = zone or request.room.settings.time_zone or (before.zone if before else "")
        if not zone:
            return Reply(panel=panels.zones(minute, spoken))
        reminder = Reminder(
            participant=request.person.id,
            room=request.room.id,
            minute=minute,
            zone=zone,
            due=following(minute, zone, _free(before, zone, self._tools.clock.now())),
            sent=before.sent if before else None,
        )
        await self._store.set_reminder(reminder)
        return Reply(panel=panels.reminded(reminder, spoken))

    async def _off(self, request: Request) -> Reply:
        await self._store.drop_reminder(request.person.id)
        return Reply(panel=panels.unreminded(self._tools.words(request)))

    # ------------------------------------------------------------ sending

    async def _remind(self, reminder: Reminder, now: datetime) -> None:
        """Claim a reminder, then send it: whoever dies in between has sent none, never two."""
        after = replace(reminder, due=following(reminder.minute, reminder.zone, now))
        if not timely(reminder, now) or await self._told_elsewhere(reminder, now):
            await self._store.claim_reminder(reminder, after)
            return
        known = await self._recollection.of(reminder.participant, ZoneInfo(reminder.zone))
        agenda = known.agenda(now=now)
        ignored = _ignored(reminder, known)
        spoken = await self._words(reminder)
        if not agenda.due:
            after = replace(after, ignored=0 if ignored == 0 else reminder.ignored)
            await self._store.claim_reminder(reminder, after)
        elif await self._store.claim_reminder(reminder, replace(after, sent=now, ignored=ignored)):
            over = ignored >= PATIENCE
            await self._send(
                reminder, panels.farewell(spoken) if over else panels.reminding(agenda, spoken)
            )
            if over:
                await self._store.drop_reminder(reminder.participant)

    async def _told_elsewhere(self, reminder: Reminder, now: datetime) -> bool:
        """Tell whether the person was reminded on this day already, under another account."""
        zone = ZoneInfo(reminder.zone)
        for one in await self._store.identities(reminder.participant):
            other = None if one == reminder.participant else await self._store.reminder(one)
            if other and other.sent and day_of(other.sent, zone) == day_of(now, zone):
                return True
        return False

    async def _send(self, reminder: Reminder, panel: Panel) -> None:
        """Write to somebody; who cannot be reached for good is reminded no more."""
        room = await self._store.room_by_id(reminder.room)
        try:
            await self._tools.host.post(room, panel)
        except DeliveryError as error:
            _log.info("not reminded", extra={"why": str(error)})
            if error.reason not in PASSING:
                await self._store.drop_reminder(reminder.participant)

    async def _words(self, reminder: Reminder) -> Words:
        room = await self._store.room_by_id(reminder.room)
        people = await self._store.participants([reminder.participant])
        person = people.get(reminder.participant)
        wished = person.language if person else ""
        return words(choose(wished, room.settings.language, self._tools.language))


def _ignored(reminder: Reminder, known: Known) -> int:
    """Count the reminders in a row that were not followed by any answer."""
    if reminder.sent is None or (known.answered and known.answered > reminder.sent):
        return 0
    return reminder.ignored + 1


def _free(before: Reminder | None, zone: str, now: datetime) -> datetime:
    """Give the earliest instant for the next reminder: who had one today gets none again today."""
    if before is None or before.sent is None:
        return now
    place = ZoneInfo(zone)
    sent = before.sent.astimezone(place).date()
    if sent < now.astimezone(place).date():
        return now
    return datetime.combine(sent, time.max, place)
