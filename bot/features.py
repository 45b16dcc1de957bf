"""Features: what the desk can do besides running quizzes, each with its commands and buttons.

A feature is a class that takes `Tools`. It names the commands and verbs that are its own; the
desk passes them on, and lets it do every few seconds what is due without anybody asking.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import ClassVar

from bot.actions import Action, Verb
from bot.banks import homes
from bot.effects import Refusal
from bot.host import Host
from bot.ids import ParticipantId
from bot.packs import Library
from bot.people import Room
from bot.ports import Clock, Store
from bot.requests import Reply, Request
from bot.summing import refused
from bot.wishes import Mixture, Wish
from bot.wording import Words, choose, words
from bot.workshop import Corner, Workshop

NOBODY = ParticipantId("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What features work with; `language` is what is spoken to who has not chosen any."""

    host: Host
    store: Store
    library: Library
    clock: Clock
    language: str = "en"
    workshop: Workshop = field(default_factory=Corner)

    def words(self, request: Request) -> Words:
        """Give the words for a private reply to the person."""
        room = request.room.settings.language
        return words(choose(request.person.language, room, self.language))

    def refusal(self, request: Request, why: Refusal) -> Reply:
        """Say politely why not."""
        return Reply(panel=refused(why, self.words(request)))

    async def begin(self, request: Request, wish: Wish | Mixture) -> Reply | None:
        """Start a session for the person, or say why not."""
        begun = await self.host.start(wish, room=request.room, by=request.person, via=request.via)
        return self.refusal(request, begun) if isinstance(begun, Refusal) else None

    async def shelf(self, request: Request) -> Library:
        """Give the packs that somebody sees where they are."""
        return await self._within(request.room, request.person.id)

    async def shelf_of(self, room: Room) -> Library:
        """Give the packs that everybody in a room sees."""
        return await self._within(room, NOBODY)

    async def _within(self, room: Room, person: ParticipantId) -> Library:
        await self.host.shelves.look(room, person)
        return self.library.within(homes(room, person))


class Feature:
    """Something the desk can do; one overrides what it needs."""

    commands: ClassVar[frozenset[str]] = frozenset()
    verbs: ClassVar[frozenset[Verb]] = frozenset()

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        self.tools = tools

    async def obey(self, request: Request, name: str, rest: str) -> Reply | None:
        """Obey one of its commands; `rest` is what was typed after it, or "" for nothing."""
        raise NotImplementedError

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Do what a button with one of its verbs asks for."""
        raise NotImplementedError

    async def tick(self, platforms: Collection[str]) -> None:
        """Do what is due by now in rooms of these platforms; called every few seconds, perhaps
        in several processes at once.
        """
