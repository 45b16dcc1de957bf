"""Identity: who is there and where, as the engine knows them."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import discord

from adapters.discord.visit import Visit
from bot.commands import Place
from bot.desk import Request
from bot.people import Alias, Participant, Room, Settings
from bot.ports import Store
from bot.wording import LANGUAGES

if TYPE_CHECKING:
    from adapters.discord.client import QuizClient

PLATFORM = "discord"
REMEMBERED = 20_000
FRESH = timedelta(seconds=60)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    person: Participant
    name: str
    until: datetime


class Identity:
    """Finds rooms and participants; people who press a lot are remembered for a minute."""

    def __init__(self, store: Store) -> None:
        """Take where rooms and participants are kept."""
        self._store = store
        self._people: OrderedDict[int, _Known] = OrderedDict()

    async def request(self, visit: Visit) -> Request:
        """Say who wants something, and where; a server's settings hold in all its channels."""
        interaction = visit.interaction
        room = await self.room(interaction)
        if interaction.guild_id is not None:
            settings = (await self.server(interaction.guild_id)).settings
            if settings != room.settings:
                await self._store.set_settings(room.id, settings)
                room = replace(room, settings=settings)
        return Request(
            room=room,
            person=await self.person(interaction, visit.at),
            place=Place.PRIVATE if interaction.guild_id is None else Place.ROOM,
            moderator=is_moderator(interaction.permissions),
            via=visit,
            at=visit.at,
        )

    async def at(self, interaction: "discord.Interaction[QuizClient]", now: datetime) -> Request:
        """Say who is typing and where; nobody is told anything yet."""
        return Request(
            room=await self.room(interaction),
            person=await self.person(interaction, now),
            place=Place.PRIVATE if interaction.guild_id is None else Place.ROOM,
        )

    async def room(self, interaction: "discord.Interaction[QuizClient]") -> Room:
        """Give the room of a channel, thread or conversation."""
        title = getattr(interaction.channel, "name", None) or ""
        return await self._store.room(
            channel_alias(interaction.channel_id or 0),
            title=title,
            community=str(interaction.guild_id or ""),
        )

    async def server(self, guild: int) -> Room:
        """Give the room that keeps the settings of a whole server."""
        alias = Alias(platform=PLATFORM, external=f"server {guild}")
        return await self._store.room(alias, community=str(guild))

    async def person(
        self, interaction: "discord.Interaction[QuizClient]", now: datetime
    ) -> Participant:
        """Give the participant behind an interaction."""
        user = interaction.user
        known = self._people.get(user.id)
        if known and known.name == user.display_name and now < known.until:
            return known.person
        language = interaction.locale.value.split("-")[0]
        person = await self.named(user, language if language in LANGUAGES else "")
        self._people[user.id] = _Known(person=person, name=user.display_name, until=now + FRESH)
        self._people.move_to_end(user.id)
        while len(self._people) > REMEMBERED:
            self._people.popitem(last=False)
        return person

    async def named(self, user: discord.User | discord.Member, language: str = "") -> Participant:
        """Give the participant that a Discord user is, under the name they show."""
        alias = Alias(platform=PLATFORM, external=str(user.id))
        return await self._store.participant(alias, name=user.display_name, language=language)

    async def unnamed(self, user: int) -> Participant:
        """Give the participant of whom a vote tells no more than a number."""
        return await self._store.participant(Alias(platform=PLATFORM, external=str(user)))

    def forget(self, user: int) -> None:
        """Look somebody up again next time: something about them may have changed."""
        self._people.pop(user, None)


def channel_alias(channel: int) -> Alias:
    """Give the name of the room that a channel or thread is."""
    return Alias(platform=PLATFORM, external=str(channel))


def is_moderator(permissions: discord.Permissions) -> bool:
    """Tell whether somebody may steer what others have started."""
    return any(
        (
            permissions.administrator,
            permissions.manage_guild,
            permissions.manage_events,
            permissions.manage_messages,
            permissions.moderate_members,
        )
    )


def with_polls(settings: Settings) -> Settings:
    """Give settings as they must be where votes are answers: they can be seen and changed."""
    if settings.style != "poll" or settings.confidence:  # then it is not polls that ask
        return settings
    return replace(settings, may_change=True, verdict_at_once=False)
