"""Lookups: boards, packs, settings, help and one's own data, for who asks."""

import json
from dataclasses import replace

from bot import menus
from bot.actions import Action
from bot.banks import homes
from bot.commands import Place
from bot.effects import Refusal
from bot.packs import Library
from bot.ports import Board, BoardQuery, Clock, Merit, Period, Scope, Store
from bot.requests import Reply, Request
from bot.shelving import Shelves
from bot.summing import leaderboard, own_place, refused
from bot.text import Markdown, literal
from bot.wording import Words, choose, words


class Lookups:
    """Answers questions that no session is needed for."""

    def __init__(
        self,
        *,
        store: Store,
        library: Library,
        clock: Clock,
        shelves: Shelves,
        language: str = "en",
    ) -> None:
        """Take the collaborators; `language` is what is spoken to who has not chosen any."""
        self._store = store
        self._library = library
        self._clock = clock
        self._shelves = shelves
        self._language = language

    def words(self, request: Request) -> Words:
        """Give the words for a private reply to the person."""
        room = request.room.settings.language
        return words(choose(request.person.language, room, self._language))

    async def leaderboard(
        self,
        request: Request,
        period: Period = Period.WEEK,
        scope: Scope = Scope.ROOM,
        merit: Merit = Merit.POINTS,
    ) -> Reply:
        """Show a leaderboard, in the language of the room if it is for all."""
        board = await self.board(request, period, scope, merit)
        spoken = self.words(request)
        panel = leaderboard(board, period, merit, request.room.title, spoken)
        return Reply(panel=panel, public=request.place is Place.ROOM)

    async def board(
        self, request: Request, period: Period, scope: Scope, merit: Merit = Merit.POINTS
    ) -> Board:
        """Read a leaderboard with the person's own place."""
        query = BoardQuery(
            room=request.room, scope=scope, period=period, merit=merit, me=request.person.id
        )
        return await self._store.leaderboard(query, self._clock.now())

    async def stats(self, request: Request) -> Reply:
        """Tell somebody how they are doing, everywhere."""
        board = await self.board(request, Period.ALL, Scope.EVERYWHERE)
        sessions = await self._store.history(request.person.id)
        spoken = self.words(request)
        return Reply(panel=menus.stats(request.person, board.mine, len(sessions), spoken))

    async def shelf(self, request: Request) -> Library:
        """Give the packs that somebody sees where they are."""
        await self._shelves.look(request.room, request.person.id)
        return self._library.within(homes(request.room, request.person.id))

    async def packs(self, request: Request, page: int = 0) -> Reply:
        """List the packs."""
        return Reply(panel=menus.packs(await self.shelf(request), page, self.words(request)))

    def suggestions(
        self, language: str, typed: str, most: int, seen: Library | None = None
    ) -> list[tuple[str, str]]:
        """Give titles and ids of packs that fit what somebody has typed so far.

        `seen` are the packs that they see; those of files if it is not known where they are.
        """
        wanted = typed.strip().casefold()
        found = [(pack.edition(language).title, pack) for pack in seen or self._library]
        fitting = (
            (title, str(pack.id))
            for title, pack in found
            if any(wanted in edition.title.casefold() for edition in pack.editions)
            or wanted in pack.id.casefold()
        )
        return sorted(fitting)[:most]

    async def greeting(self, request: Request) -> Reply:
        """Welcome somebody."""
        name = request.person.name
        shelf = await self.shelf(request)
        return Reply(panel=menus.greeting(name, shelf, self.words(request)))

    def help(self, request: Request) -> Reply:
        """Say how everything works."""
        platform = request.room.alias.platform
        return Reply(panel=menus.help_(request.place, self.words(request), platform))

    def languages(self, request: Request) -> Reply:
        """Offer the languages."""
        return Reply(panel=menus.languages(self.words(request)))

    def settings(self, request: Request) -> Reply:
        """Show the settings of a room to who may change them."""
        if not request.moderator:
            return self.refusal(request, Refusal.MODERATORS)
        return Reply(panel=menus.settings(request.room, self.words(request)))

    async def privacy(self, request: Request) -> Reply:
        """Say what is kept about somebody."""
        count = await self._store.response_count(request.person.id)
        spoken = self.words(request)
        panel = menus.privacy(request.person, count, spoken)
        await self._shelves.look(request.room, request.person.id)
        if packs := len(self._library.owned(request.person.id)):
            brought = spoken.plural(
                "I also keep {n} quiz that you have brought in.",
                "I also keep {n} quizzes that you have brought in.",
                packs,
            )
            panel = replace(panel, body=(*panel.body, Markdown(brought)))
        return Reply(panel=panel)

    async def nickname(self, request: Request, name: str) -> Reply:
        """Let somebody choose what boards call them; an empty name takes it back."""
        chosen = " ".join(name.split())[:32]
        await self._store.set_participant(request.person.id, nickname=chosen)
        shown = literal(chosen or request.person.name)
        sentence = self.words(request).say("On boards you are called {name}.", name=shown)
        return Reply(panel=menus.notice(sentence))

    async def own_place(self, request: Request, action: Action) -> Reply:
        """Tell somebody where they stand on the leaderboard that a button belongs to."""
        since, _, by = action.value.partition(".")
        period = Period(since) if since in Period._value2member_map_ else Period.WEEK
        merit = Merit(by) if by in Merit._value2member_map_ else Merit.POINTS
        scope = list(Scope)[action.turn % len(Scope)]
        board = await self.board(request, period, scope, merit)
        return Reply(panel=menus.notice(own_place(board, self.words(request))))

    async def turn(self, request: Request, value: str) -> Reply:
        """Change the setting that a button names: a room's, or one's own."""
        name, _, wanted = value.partition("=")
        if name == "me":
            language = choose(wanted)
            await self._store.set_participant(request.person.id, language=language)
            now = replace(request, person=replace(request.person, language=language))
            return replace(await self.greeting(now), replaces=True)
        if value.startswith("me:"):
            return await self._own_data(request, value.removeprefix("me:"))
        if not request.moderator:
            return self.refusal(request, Refusal.MODERATORS)
        settings = menus.turned(request.room.settings, value)
        if settings is None:
            return self.refusal(request, Refusal.GONE)
        await self._store.set_settings(request.room.id, settings)
        now = replace(request, room=replace(request.room, settings=settings))
        return replace(self.settings(now), replaces=True)

    async def _own_data(self, request: Request, what: str) -> Reply:
        spoken = self.words(request)
        if what == "export":
            rows = await self._store.export(request.person.id)
            content = json.dumps(rows, ensure_ascii=False, indent=1).encode()
            sentence = spoken.say("This is everything I keep about you.")
            return Reply(panel=menus.notice(sentence), file=("kuis-data.json", content))
        if what == "delete":
            return Reply(panel=menus.really_delete(spoken), replaces=True)
        if what != "delete!":
            return self.refusal(request, Refusal.GONE)
        await self._store.forget(request.person.id)
        return Reply(panel=menus.deleted(spoken), replaces=True)

    def refusal(self, request: Request, why: Refusal) -> Reply:
        """Say politely why not."""
        return Reply(panel=refused(why, self.words(request)))
