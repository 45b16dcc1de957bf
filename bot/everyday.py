"""Everyday: the daily question of rooms, as people switch it on and off and look at it."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

from bot import menus, mornings
from bot.actions import Action, Verb, encode
from bot.appointments import ZONES, Wanted, read, source_of, sources
from bot.commands import Place
from bot.dailies import (
    EVERY_DAY,
    Daily,
    Schedule,
    day_of,
    dealt_with,
    upcoming,
)
from bot.daybreak import Daybreak
from bot.effects import Refusal, Trouble
from bot.errors import UnknownPack
from bot.features import Feature, Tools
from bot.ids import PackId, SessionId
from bot.packs import short
from bot.people import Participant, Room
from bot.requests import Reply, Request
from bot.session import Phase
from bot.wording import choose

DAY = timedelta(days=1)


class DailyQuestion(Feature):
    """One question a day in a room."""

    commands: ClassVar[frozenset[str]] = frozenset({"daily"})
    verbs: ClassVar[frozenset[Verb]] = frozenset({Verb.DAILY})

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        super().__init__(tools)
        self._daybreak = Daybreak(tools)

    # ------------------------------------------------------------ what people want

    async def obey(self, request: Request, name: str, rest: str) -> Reply | None:  # noqa: ARG002 - there is one
        """Obey `/daily`: show how it is, switch it on or off."""
        spoken = self.tools.words(request)
        if request.place is Place.PRIVATE:
            sentence = spoken.say("The daily question is for groups and channels: type it there.")
            return Reply(panel=menus.notice(sentence))
        wanted = read(rest)
        match wanted.what:
            case "show":
                return await self._show(request)
            case "off":
                return await self._off(request)
            case "set":
                return await self._set(request, wanted)
            case _:
                return Reply(panel=mornings.how_to(spoken))

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Do what a button asks for."""
        if action.value == "off":
            return _pressed(await self._off(request))
        if action.value == "again":
            return await self._again(request, action)
        wanted = self._carried(action.value)
        if wanted is None:
            return self.tools.refusal(request, Refusal.GONE)
        return _pressed(await self._set(request, wanted))

    async def _show(self, request: Request) -> Reply:
        room, me = request.room, request.person.id
        daily = await self.tools.store.daily(room.id)
        now = self.tools.clock.now()
        day = daily.schedule.today(now) if daily else now.astimezone(room.zone).date()
        old = await self._daybreak.session(daily) if daily else None
        if old and old.active:
            day = day_of(old.id) - DAY
        narrator = self.tools.host.narrator
        panel = mornings.state(
            daily,
            self.tools.library,
            self.tools.words(request),
            month=await narrator.month(room.id, day),
            me=me,
            streak=await narrator.streak(room.id, me, day),
        )
        return Reply(panel=panel)

    async def _set(self, request: Request, wanted: Wanted) -> Reply:
        spoken = self.tools.words(request)
        if not request.moderator:
            return self.tools.refusal(request, Refusal.MODERATORS)
        if wanted.minute is None:
            return Reply(panel=mornings.how_to(spoken))
        try:
            source = source_of(wanted.words, await self.tools.shelf_of(request.room))
        except UnknownPack as unknown:
            return self._unknown(request, unknown)
        before = await self.tools.store.daily(request.room.id)
        known = before.schedule.zone if before else ""
        zone = wanted.zone or request.room.settings.time_zone or known
        if not zone:
            return self._which_zone(request, wanted, wanted.minute, source)
        days = wanted.days or EVERY_DAY
        schedule = Schedule(minute=wanted.minute, zone=zone, days=days, source=source)
        daily = await self._keep(request.room, request.person, schedule)
        return Reply(panel=mornings.switched_on(daily, self.tools.library, spoken), public=True)

    async def _keep(self, room: Room, by: Participant, schedule: Schedule) -> Daily:
        """Let a schedule hold from now on; what is open stays open until its own time is over."""
        language = choose(room.settings.language, by.language, self.tools.language)
        while True:
            before = await self.tools.store.daily(room.id)
            now = self.tools.clock.now()
            last = dealt_with(schedule, before.last if before else None, now)
            after = Daily(
                room=room.id,
                schedule=schedule,
                starter=by.id,
                language=language,
                last=last,
                session=before.session if before else SessionId(""),
                next_at=upcoming(schedule, last, now)[1],
            )
            old = await self._daybreak.session(after)
            if old and old.phase is Phase.PAUSED:
                await self._daybreak.stop(old, now)
            if await self.tools.store.change_daily(before, after):
                return after

    async def _off(self, request: Request) -> Reply:
        if not request.moderator:
            return self.tools.refusal(request, Refusal.MODERATORS)
        spoken = self.tools.words(request)
        daily = await self._daybreak.rest(request.room.id)
        old = await self._daybreak.session(daily) if daily else None
        until = ""
        if daily and old and old.active and old.deadline:
            until = mornings.moment(old.deadline, daily.schedule, spoken)
        return Reply(panel=mornings.no_more(until, spoken), public=True)

    async def _again(self, request: Request, action: Action) -> Reply:
        """Switch on what has come to an end by itself, for who had switched it on."""
        session = await self.tools.host.session(action.session)
        daily = await self.tools.store.daily(session.room if session else request.room.id)
        if daily is None:
            return self.tools.refusal(request, Refusal.GONE)
        moderates = request.moderator and request.room.id == daily.room
        if daily.starter != request.person.id and not moderates:
            return self.tools.refusal(request, Refusal.MODERATORS)
        room = await self.tools.store.room_by_id(daily.room)
        if not list(sources(daily.schedule.source, await self.tools.shelf_of(room))):
            gone = mornings.switched_off(
                action.session, Trouble.PACK_GONE, self.tools.words(request)
            )
            return Reply(panel=gone, replaces=True)
        daily = await self._keep(room, request.person, daily.schedule)
        panel = mornings.switched_on(daily, self.tools.library, self.tools.words(request))
        return Reply(panel=panel, replaces=True)

    def _which_zone(self, request: Request, wanted: Wanted, minute: int, source: str) -> Reply:
        pack = short(PackId(source)) if self.tools.library.get(source) else source
        days = "".join(map(str, sorted(wanted.days or EVERY_DAY)))
        values = {}
        for place, (zone, _) in enumerate(ZONES):
            value = f"set,{minute},{days},{place},{pack}"
            if _fits(value):
                values[zone] = value
        panel = mornings.which_zone(minute, values, self.tools.words(request))
        return Reply(panel=panel)

    def _carried(self, value: str) -> Wanted | None:
        """Read what a button carried; None for anything that we have not written."""
        what, *parts = value.split(",", 4)
        if what != "set" or len(parts) != len(("minute", "days", "zone", "source")):
            return None
        minute, days, place, source = parts
        try:
            zone = ZONES[int(place)][0] if place else None
            checked = Schedule(minute=int(minute), zone="UTC", days=frozenset(map(int, days)))
        except (ValueError, IndexError):
            return None
        pack = self.tools.library.get(source)
        return Wanted(
            what=what,
            minute=checked.minute,
            zone=zone,
            days=checked.days,
            words=pack.id if pack else source,
        )

    def _unknown(self, request: Request, unknown: UnknownPack) -> Reply:
        return Reply(panel=menus.notice(menus.unknown_quiz(unknown, self.tools.words(request))))

    async def tick(self, platforms: Collection[str]) -> None:
        """Post what is due in rooms of these platforms, and try again what could not be posted."""
        await self._daybreak.tick(platforms)


def _pressed(reply: Reply) -> Reply:
    """Let a reply take the place of the message with the button, unless it says why not."""
    return replace(reply, public=False, replaces=bool(reply.panel.heading))


def _fits(value: str) -> bool:
    try:
        encode(Action(verb=Verb.DAILY, value=value))
    except ValueError:
        return False
    return True
