"""The directory: rooms and participants by what Telegram calls them, and who may steer where."""

from collections import OrderedDict
from dataclasses import replace
from datetime import datetime, timedelta

from telegram import Bot, Chat
from telegram.error import TelegramError

from adapters.telegram.places import (
    CHANNEL,
    PLATFORM,
    PRIVATE,
    Someone,
    Spot,
    community,
    spot_of,
    title,
)
from bot.commands import Place
from bot.errors import StoreError
from bot.ids import RoomId
from bot.people import Participant, Room
from bot.ports import Clock, Store
from bot.requests import Request

FRESH = timedelta(minutes=5)
ADMINS_FRESH = timedelta(seconds=60)
REMEMBERED = 20_000


class Directory:
    """Looks up rooms and participants in the store, and remembers participants for a while."""

    def __init__(self, *, bot: Bot, store: Store, clock: Clock) -> None:
        """Take who is asked about admins, and where everybody is kept."""
        self._bot = bot
        self._store = store
        self._clock = clock
        self._people: OrderedDict[Someone, tuple[datetime, Participant]] = OrderedDict()
        self._admins: dict[int, tuple[datetime, frozenset[int]]] = {}
        self._channels: dict[int, bool] = {}

    async def room(self, chat: Chat, spot: Spot) -> Room:
        """Give the room of a chat or topic."""
        if chat.type == CHANNEL and not await self.is_channel(chat.id):
            await self._store.set_note(_channel_key(chat.id), CHANNEL)
            self._channels[chat.id] = True
        named = "" if chat.type == PRIVATE else title(chat)
        return await self._store.room(spot.alias, title=named, community=community(chat))

    async def person(self, someone: Someone) -> Participant:
        """Give a participant as the store has them now."""
        person = await self._store.participant(
            someone.alias, name=someone.name, language=someone.language
        )
        self._people[someone] = (self._clock.now(), person)
        if len(self._people) > REMEMBERED:
            self._people.popitem(last=False)
        return person

    async def known(self, someone: Someone) -> Participant:
        """Give a participant who was looked up a short while ago, or look them up."""
        found = self._people.get(someone)
        if found and self._clock.now() - found[0] < FRESH:
            return found[1]
        return await self.person(someone)

    def forget(self, someone: Someone) -> None:
        """Look somebody up again: they have changed or deleted what is kept."""
        for known in [one for one in self._people if one.external == someone.external]:
            del self._people[known]

    async def is_moderator(self, someone: Someone, spot: Spot) -> bool:
        """Tell whether somebody may steer what others have started.

        That is everybody in their own chat, admins in a group, and a group or channel itself.
        """
        if spot.private:
            return someone.external == str(spot.chat_id)
        if someone.external == f"c{spot.chat_id}":
            return True
        return someone.user_id is not None and someone.user_id in await self._who_may(spot.chat_id)

    async def elsewhere(self, request: Request, someone: Someone, room: RoomId) -> Request:
        """Let a request be about another room, as far as somebody may do there what they want.

        A room that does not exist, or not on Telegram, leaves it as it is.
        """
        try:
            found = await self._store.room_by_id(room)
        except StoreError:
            return request
        if found.alias.platform != PLATFORM or found.id == request.room.id:
            return request
        may = await self.is_moderator(someone, spot_of(found.alias))
        return replace(request, room=found, place=Place.ROOM, moderator=may)

    async def is_channel(self, chat_id: int) -> bool:
        """Tell whether a chat is a channel, also after a restart."""
        if chat_id > 0:
            return False
        if chat_id not in self._channels:
            noted = await self._store.note(_channel_key(chat_id))
            self._channels[chat_id] = noted == CHANNEL
        return self._channels[chat_id]

    async def _who_may(self, chat_id: int) -> frozenset[int]:
        now = self._clock.now()
        known = self._admins.get(chat_id)
        if known and now - known[0] < ADMINS_FRESH:
            return known[1]
        try:
            admins = await self._bot.get_chat_administrators(chat_id)
        except TelegramError:
            return known[1] if known else frozenset()
        found = frozenset(admin.user.id for admin in admins)
        self._admins[chat_id] = (now, found)
        return found


def _channel_key(chat_id: int) -> str:
    return f"telegram.kind.{chat_id}"
