"""Lookups: boards, packs, settings, help and one's own data, for who asks."""

import json
from collections.abc import Sequence
from dataclasses import replace

from bot import menus, own_data
from bot.actions import Action
from bot.commands import Place
from bot.effects import Refusal
from bot.features import Tools
from bot.ids import ParticipantId
from bot.packs import Library
from bot.people import ANONYMOUS, Participant
from bot.ports import Board, BoardQuery, Merit, Period, Scope
from bot.requests import Reply, Request
from bot.summing import leaderboard, own_place
from bot.text import Markdown, literal
from bot.wording import Words, choose


class Lookups:
    """Answers questions that no session is needed for."""

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        self._tools = tools
        self._store = tools.store
        self._library = tools.library
        self._clock = tools.clock

    def words(self, request: Request) -> Words:
        """Give the words for a private reply to the person."""
        return self._tools.words(request)

    def refusal(self, request: Request, why: Refusal) -> Reply:
        """Say politely why not."""
        return self._tools.refusal(request, why)

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

    async def shelf(self, request: Request) -> Library:
        """Give the packs that somebody sees where they are."""
        return await self._tools.shelf(request)

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
        everybody = await self._store.identities(request.person.id)
        count = sum([await self._store.response_count(one) for one in everybody])
        others = await self._others(everybody)
        spoken = self.words(request)
        panel = own_data.privacy(request.person, others, count, spoken)
        await self.shelf(request)
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
        await self._call(request, chosen)
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
        everybody = await self._store.identities(request.person.id)
        match what:
            case "export":
                content = json.dumps(await self._rows(everybody), ensure_ascii=False, indent=1)
                sentence = spoken.say("This is everything I keep about you.")
                file = ("kuis-data.json", content.encode())
                return Reply(panel=menus.notice(sentence), file=file)
            case "hide" | "show":
                nickname = ANONYMOUS if what == "hide" else ""
                await self._call(request, nickname)
                person = replace(request.person, nickname=nickname)
                return replace(await self.privacy(replace(request, person=person)), replaces=True)
            case "delete":
                others = await self._others(everybody)
                return Reply(panel=own_data.really_delete(others, spoken), replaces=True)
            case "delete!" | "delete!!":
                for one in everybody if what == "delete!!" else everybody[:1]:
                    await self._store.forget(one)
                return Reply(panel=own_data.deleted(spoken), replaces=True)
            case _:
                return self.refusal(request, Refusal.GONE)

    async def _call(self, request: Request, nickname: str) -> None:
        """Let boards call a person by a nickname, wherever they are joined."""
        for one in await self._store.identities(request.person.id):
            await self._store.set_participant(one, nickname=nickname)

    async def _others(self, everybody: Sequence[ParticipantId]) -> Sequence[Participant]:
        """Give who else somebody is, from their identities."""
        known = await self._store.participants(everybody[1:])
        return [known[one] for one in everybody[1:] if one in known]

    async def _rows(self, everybody: Sequence[ParticipantId]) -> dict[str, list[object]]:
        """Gather every row about somebody, each once."""
        rows: dict[str, dict[str, object]] = {}
        for one in everybody:
            for table, found in (await self._store.export(one)).items():
                rows.setdefault(table, {}).update((json.dumps(row), row) for row in found)
        return {table: list(found.values()) for table, found in rows.items()}
