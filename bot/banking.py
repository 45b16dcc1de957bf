"""Banking: files and polls that people hand in become packs, once they say so."""

from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

from bot.actions import Action, Verb
from bot.aside import Aside
from bot.banks import (
    MOST_ITEMS,
    MOST_PACKS,
    Parcel,
    Stage,
)
from bot.commands import Place
from bot.deciding import Deciding
from bot.drafts import Draft
from bot.errors import FileRefused
from bot.exporting import Exporting
from bot.features import Feature, Tools
from bot.formats.findings import Source
from bot.managing import Managing
from bot.menus import notice
from bot.panels import Panel, Role
from bot.parcelling import of_polls, read, welcome
from bot.requests import Reply, Request
from bot.restating import Restating
from bot.text import Markdown, literal, tidy
from bot.wording import Words

MEBIBYTE = 1024 * 1024
KEPT_FOR = timedelta(days=7)
SWEEP = timedelta(hours=1)
NAME = 80


class Banking(Feature):
    """Imports, exports, and what can be done with packs that were brought in."""

    commands: ClassVar[frozenset[str]] = frozenset({"import", "done", "export"})
    verbs: ClassVar[frozenset[Verb]] = frozenset({Verb.BANK})

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        super().__init__(tools)
        self.exporting = Exporting(tools)
        self.managing = Managing(tools)
        self._deciding = Deciding(tools)
        self._next_sweep = tools.clock.now()
        self._restating = Restating(tools)
        self._aside = Aside()

    # ------------------------------------------------------------ what is handed in

    def turned_away(self, request: Request, name: str, size: int, most: int) -> Reply | None:
        """Say why a file need not even be fetched; None if it is welcome. Sizes are in bytes."""
        words = self.tools.words(request)
        if not _may(request):
            sentence = words.say(
                "Only moderators may bring in questions here. In your own chat with me you may, "
                "for yourself."
            )
            return Reply(panel=notice(sentence))
        if size <= most:
            return None
        sentence = words.say(
            "{file} has {size} MB; I can take {most} MB at most. Please send the questions alone, "
            "without pictures, or in several files.",
            file=literal(_shown(name)),
            size=words.number(round(size / MEBIBYTE, 1)),
            most=most // MEBIBYTE,
        )
        return Reply(panel=notice(sentence))

    async def imported(self, request: Request, name: str, content: bytes) -> Reply:
        """Take a file, and say what would become of it."""
        if away := self.turned_away(request, name, 0, 0):
            return away
        words = self.tools.words(request)
        name = _shown(name)
        try:
            brought = await self._aside.do(read, Source(name=name, content=content), words)
        except FileRefused as refused:
            return self._refused(words, str(refused))
        except TimeoutError:
            return self._refused(words, words.say("It takes too long to read {file}.", file=name))
        if collecting := await self._begun(request, Stage.COLLECTING):
            await self.tools.store.drop_parcel(collecting.id)
        return await self._deciding.report(request, brought)

    async def collected(self, request: Request, poll: Draft) -> Reply | None:
        """Take a poll that somebody has forwarded; only at the first one is anything said."""
        if away := self.turned_away(request, "", 0, 0):
            return away
        words = self.tools.words(request)
        found = await self._begun(request, Stage.COLLECTING)
        parcel = found or self._deciding.parcel(request, stage=Stage.COLLECTING)
        if len(parcel.waiting) >= MOST_ITEMS:
            sentence = words.say("{most} are the most in one quiz. Type /done.", most=MOST_ITEMS)
            return Reply(panel=notice(sentence))
        drafts = (*parcel.waiting, poll)
        now = self.tools.clock.now()
        await self.tools.store.keep_parcel(replace(parcel, waiting=drafts, changed=now))
        if len(drafts) > 1:
            return None
        sentence = words.say("Got it. Forward me the next one, or type /done to make a quiz of it.")
        return Reply(panel=notice(sentence))

    async def expects(self, request: Request) -> bool:
        """Tell whether somebody has said here that they will hand something in."""
        return await self._begun(request, Stage.COLLECTING) is not None

    async def heard(self, request: Request, text: str) -> Reply | None:
        """Take a text as the title that somebody was asked for; None if nobody was."""
        parcel = await self._begun(request, Stage.RENAMING)
        if parcel is None:
            return None
        await self.tools.store.drop_parcel(parcel.id)
        return await self.managing.rename(request, parcel.pack, text, allowed=True)

    # ------------------------------------------------------------ commands and buttons

    async def obey(self, request: Request, name: str, rest: str) -> Reply | None:
        """Obey a command."""
        match name:
            case "import":
                return await self._invite(request)
            case "done":
                return await self._finish(request, rest)
            case _:
                return await self.exporting.export(request, rest)

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Do what a button asks for."""
        what, _, about = action.value.partition(".")
        match what:
            case "see" | "give" | "key" | "keep" | "drop":
                return await self._deciding.press(request, what, about, action.turn)
            case "name":
                return await self._ask_title(request, about)
            case "again" if held := await self.managing.held(request, about):
                return await self._restating.again(request, held)
            case "file":
                held = await self.managing.held(request, about)
                return await self.exporting.file(request, held.pack.editions[0]) if held else None
            case _:
                return await self.managing.press(request, what, about, action.turn)

    async def tick(self, platforms: Collection[str]) -> None:  # noqa: ARG002 - for all of them
        """Learn of what others have brought in, and forget what nobody has confirmed."""
        await self.tools.host.shelves.refresh()
        now = self.tools.clock.now()
        if now >= self._next_sweep:
            self._next_sweep = now + SWEEP
            await self.tools.store.drop_parcels(now - KEPT_FOR)

    async def _invite(self, request: Request) -> Reply:
        if away := self.turned_away(request, "", 0, 0):
            return away
        words = self.tools.words(request)
        for parcel in await self.tools.store.parcels(request.person.id):
            here = request.place is Place.PRIVATE or parcel.room == request.room.id
            if here and parcel.stage is Stage.READY:
                return Reply(panel=await self._deciding.shown(parcel, words))
        found = await self._begun(request, Stage.COLLECTING)
        parcel = found or self._deciding.parcel(request, stage=Stage.COLLECTING)
        await self.tools.store.keep_parcel(replace(parcel, changed=self.tools.clock.now()))
        reply = words.say("Send it as a reply to this message.")
        sentences = (
            words.say(
                "Send me a file with questions: a table (Kahoot's, Excel, CSV), Moodle, Aiken, "
                "Anki, QTI, or a plain list."
            ),
            reply if request.place is Place.ROOM else "",
            words.say("Or forward me quiz polls, one by one, and then type /done."),
            words.say(
                "At most {items} questions in a quiz, and {packs} quizzes for each person.",
                items=MOST_ITEMS,
                packs=MOST_PACKS,
            ),
        )
        panel = Panel(role=Role.NOTICE, body=tuple(map(Markdown, filter(None, sentences))))
        return Reply(panel=panel)

    async def _finish(self, request: Request, title: str) -> Reply:
        words = self.tools.words(request)
        collecting = await self._begun(request, Stage.COLLECTING)
        if collecting is None or not collecting.waiting:
            sentence = words.say("Nothing is waiting. Forward me some quiz polls first.")
            return Reply(panel=notice(sentence))
        try:
            brought = of_polls(collecting.waiting, tidy(title), words)
        except FileRefused as refused:
            return self._refused(words, str(refused))
        await self.tools.store.drop_parcel(collecting.id)
        return await self._deciding.report(request, brought)

    async def _ask_title(self, request: Request, pack: str) -> Reply:
        """Ask for the new title of a pack; where forms are, the chat asks by itself."""
        words = self.tools.words(request)
        if await self.managing.held(request, pack) is None:
            return await self.managing.press(request, "card", pack, 0)
        found = await self._begun(request, Stage.RENAMING)
        renaming = found or self._deciding.parcel(request, stage=Stage.RENAMING)
        await self.tools.store.keep_parcel(replace(renaming, pack=pack))
        sentence = words.say("What shall it be called? Reply to this message.")
        return Reply(panel=notice(sentence), public=True, asks=True)

    # ------------------------------------------------------------ helpers

    async def _begun(self, request: Request, stage: Stage) -> Parcel | None:
        """Give what somebody has begun in a room and not ended."""
        for parcel in await self.tools.store.parcels(request.person.id):
            if parcel.stage is stage and parcel.room == request.room.id:
                return parcel
        return None

    def _refused(self, words: Words, why: str) -> Reply:
        body = (literal(why), Markdown(welcome(words)))
        return Reply(panel=Panel(role=Role.NOTICE, body=body))


def _shown(name: str) -> str:
    """Give a file's name as it can be shown: on one line, not turned around, not too long."""
    return tidy(name)[-NAME:] or "file"


def _may(request: Request) -> bool:
    if request.place is Place.PRIVATE or request.moderator:
        return True
    return request.room.settings.importers == "everyone"
