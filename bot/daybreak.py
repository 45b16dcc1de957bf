"""Daybreak: what the clock does about daily questions: it closes one and posts the next.

Whoever's tick comes first claims a date: in one transaction the row moves on and the session of
that date, which has the room and the date in its name, is stored. From then on it is a session
like any other, which every process goes on with after a crash. So there is exactly one a date.
"""

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256

from bot import mornings
from bot.appointments import choose_pack, sources
from bot.dailies import (
    Daily,
    due,
    session_of,
    upcoming,
)
from bot.effects import PASSING, Trouble
from bot.errors import StoreError
from bot.events import Resumed, Skipped, Stopped
from bot.features import Tools
from bot.ids import ItemId, RoomId, SessionId
from bot.modes import Mode, Rules
from bot.narrator import YEAR
from bot.packs import Pack
from bot.people import Participant, Room
from bot.ports import Conflict
from bot.session import DAILY, Phase, Session
from bot.timers import together
from bot.wishes import Wish, fulfil
from bot.wording import choose, words

_log = logging.getLogger(__name__)

RULES = Rules(mode=Mode.DAILY, grace=0.0, style="buttons")
TRY_AGAIN = timedelta(minutes=2)
PATIENCE = timedelta(hours=1)


class Daybreak:
    """Looks after the daily questions of rooms."""

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        self._tools = tools
        self._tried: dict[RoomId, datetime] = {}

    async def tick(self, platforms: Collection[str]) -> None:
        """Post what is due in rooms of these platforms, and try again what could not be posted."""
        now = self._tools.clock.now()
        found = await self._tools.store.dailies_due(platforms, now)
        await together(self._look_after(daily, now) for daily in found)

    async def _look_after(self, daily: Daily, now: datetime) -> None:
        try:
            await self._attend(daily, now)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - an edge: logged, and no other room is harmed
            _log.exception("daily question failed", extra={"room": daily.room})

    async def _attend(self, daily: Daily, now: datetime) -> None:
        old = await self.session(daily)
        if old and old.phase is Phase.PAUSED:
            if old.trouble not in PASSING:
                await self.rest(daily.room)
                return
            await self._try_again(daily, old, now)
        if daily.next_at is None or daily.next_at > now:
            return
        day = due(daily.schedule, daily.last, now)
        if day is None:
            following = upcoming(daily.schedule, daily.last, now)[1]
            await self._tools.store.change_daily(daily, replace(daily, next_at=following))
        elif await self._closed(daily, now):
            _, following = upcoming(daily.schedule, day, now)
            name = session_of(daily.room, day)
            await self._open(replace(daily, last=day, session=name, next_at=following), daily, now)

    async def _try_again(self, daily: Daily, old: Session, now: datetime) -> None:
        """Show once more what could not be shown, for as long as it makes sense."""
        asking = old.paused_in is not Phase.REVEALING
        late = due(daily.schedule, None, now) != daily.last
        if (asking and late) or now < self._tried.get(daily.room, now):
            return
        self._tried[daily.room] = now + TRY_AGAIN
        event = Resumed(at=now, by=old.starter, moderator=True)
        await self._tools.host.steer(old.id, event)

    async def _closed(self, daily: Daily, now: datetime) -> bool:
        """End the question before; tell whether its place is free now."""
        old = await self.session(daily)
        if old and old.active:
            event = Skipped(at=now, by=old.starter, moderator=True, turn=old.turn)
            await self._tools.host.steer(old.id, event)
            old = await self.session(daily)
        if old and old.phase is Phase.PAUSED:
            waits = old.paused_in is Phase.REVEALING and now < (daily.next_at or now) + PATIENCE
            if waits or old.trouble not in PASSING:
                return False
            await self.stop(old, now)
            old = await self.session(daily)
        return old is None or old.phase is Phase.FINISHED

    async def _open(self, after: Daily, before: Daily, now: datetime) -> None:
        store = self._tools.store
        if await store.session(after.session):
            await store.change_daily(before, after)
            return
        room = await store.room_by_id(after.room)
        session = await self._drawn(after, room, now)
        if session is None:
            await self.rest(after.room)
            spoken = words(choose(room.settings.language, after.language, self._tools.language))
            gone = mornings.switched_off(SessionId(""), Trouble.PACK_GONE, spoken)
            await self._tools.host.announce(room, gone)
            return
        try:
            opened = await store.open_daily(before, after, session)
        except Conflict:
            return
        if opened:
            self._tried[room.id] = now + TRY_AGAIN
            await self._tools.host.begin(session)

    async def _drawn(self, daily: Daily, room: Room, now: datetime) -> Session | None:
        """Draw the item of a day; None if what it is to be from is gone."""
        candidates = list(sources(daily.schedule.source, await self._tools.shelf_of(room)))
        if not candidates:
            return None
        asked = {pack.id: await self._asked(room, pack) for pack, _ in candidates}
        used = await self._tools.store.daily_days(room.id, now.date() - YEAR)
        latest = {pack: day for day, pack in used.items()}
        pack, only = choose_pack(candidates, asked, latest)
        session = fulfil(
            Wish(pack=pack, rules=RULES, count=1, only=only),
            room=room,
            by=Participant(id=daily.starter, alias=room.alias, name=""),
            language=choose(room.settings.language, daily.language, self._tools.language),
            asked=asked[pack.id],
            seed=int(sha256(daily.session.encode()).hexdigest()[:12], 16),
            session_id=daily.session,
            at=now,
        )
        return replace(session, deadline=daily.next_at)

    async def _asked(self, room: Room, pack: Pack) -> Mapping[ItemId, int]:
        return await self._tools.store.asked(room.id, DAILY, pack.id)

    async def session(self, daily: Daily) -> Session | None:
        """Give the session of the latest question, as it is stored."""
        return await self._tools.store.session(daily.session) if daily.session else None

    async def stop(self, session: Session, now: datetime) -> None:
        """End a question without a word; what was answered counts."""
        event = Stopped(at=now, by=session.starter, moderator=True)
        await self._tools.host.steer(session.id, event)

    async def rest(self, room: RoomId) -> Daily | None:
        """Switch a daily question off, whatever else happens to it meanwhile."""
        while daily := await self._tools.store.daily(room):
            if await self._tools.store.change_daily(daily, replace(daily, next_at=None)):
                return daily
        return None
