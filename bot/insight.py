"""Insight: `/stats` for who learns, `/insight` for who teaches."""

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import ClassVar

from bot.actions import Action, Verb
from bot.analysis import analyse, mastered
from bot.commands import Place
from bot.effects import Refusal
from bot.errors import UnknownPack
from bot.features import Feature, Tools
from bot.findings import Study, findings
from bot.ids import ItemId, PackId, RoomId
from bot.items import Item
from bot.menus import notice, unknown_quiz
from bot.packs import Pack, short
from bot.panels import Button, Panel, Role
from bot.posters import poster, told
from bot.progress import Progress, progress
from bot.records import Answer, Result, Taken, Where
from bot.requests import Reply, Request
from bot.sheets import RESULTS, as_file, comma_separated, insight_lines, result_line
from bot.text import Markdown
from bot.wording import Words

LIGHT, DARK = "light", "dark"
LOOK, RESULTS_FILE, ITEMS_FILE = "i", "r", "c"
MOST_PACKS = 12
FRESH = timedelta(minutes=1)
ROOMS = 1000
"""So many rooms are remembered for that long."""
LARGEST = 4_000_000
"""Of characters in a file: in UTF-8 less than any platform takes."""


class Insight(Feature):
    """Shows people how they are doing, and teachers how questions are doing."""

    commands: ClassVar[frozenset[str]] = frozenset({"stats", "insight"})
    verbs: ClassVar[frozenset[Verb]] = frozenset({Verb.INSIGHT})

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        super().__init__(tools)
        self._known: dict[RoomId, tuple[datetime, tuple[int, int]]] = {}

    async def obey(self, request: Request, name: str, rest: str) -> Reply:
        """Show somebody's own progress, or what is known about the questions of a pack."""
        if name == "stats":
            return await self._stats(request, dark=False)
        spoken = self.tools.words(request)
        if request.place is Place.PRIVATE:
            sentence = spoken.say(
                "That is about groups. Type /insight in a group where you are a moderator."
            )
            return Reply(panel=notice(sentence))
        if not request.moderator:
            return self.tools.refusal(request, Refusal.MODERATORS)
        return await self._insight(request, rest)

    async def press(self, request: Request, action: Action) -> Reply:
        """Draw one's own progress in other colours, or give what a teacher wants to see."""
        what, _, about = action.value.partition(".")
        spoken = self.tools.words(request)
        if what in {LIGHT, DARK}:
            if about != request.person.id:
                sentence = spoken.say("These are somebody else's. Type /stats for your own.")
                return Reply(panel=notice(sentence))
            return await self._stats(request, dark=what == DARK, again=True)
        room, _, name = about.partition(".")
        await self.tools.host.shelves.know(PackId(name))
        pack = self.tools.library.get(name)
        if room != request.room.id or pack is None:
            return Reply(panel=notice(spoken.say("That is gone. Type /insight in the group.")))
        if not request.moderator:
            return self.tools.refusal(request, Refusal.MODERATORS)
        match what:
            case "r":
                return await self._results(request, pack)
            case "c":
                return await self._items(request, pack)
            case _:
                return Reply(panel=await self._findings(request, pack))

    # ------------------------------------------------------------ for who learns

    async def _stats(self, request: Request, *, dark: bool, again: bool = False) -> Reply:
        spoken = self.tools.words(request)
        found = await self._progress(request, spoken)
        person = request.person
        group = await self._group(request, spoken)
        if not found.answered:
            nothing = Markdown(spoken.say("Nothing yet. Type /quiz and take your first one!"))
            body = (nothing, *group)
            return Reply(panel=Panel(role=Role.NOTICE, heading=person.name, body=body))
        drawn = poster(person.name, found, spoken)
        picture = await self.tools.workshop.picture(drawn, dark=dark)
        panel = Panel(
            role=Role.NOTICE,
            language=spoken.language,
            heading=drawn.heading,
            body=(*told(drawn), *group),
            buttons=tuple(_after(request, found, spoken, dark=dark if picture else None)),
        )
        named = ("kuis-stats.png", picture) if picture else None
        return Reply(panel=panel, replaces=again, picture=named)

    async def _progress(self, request: Request, spoken: Words) -> Progress:
        taken: list[Taken] = []
        everybody = await self.tools.store.identities(request.person.id)
        async for chunk in self.tools.store.taken(everybody):
            taken += chunk
        await self.tools.host.shelves.know(*dict.fromkeys(one.pack for one in taken))
        today = self.tools.clock.now().astimezone(request.room.zone).date()
        return await self.tools.workshop.apart(
            lambda: progress(
                taken,
                library=self.tools.library,
                today=today,
                zone=request.room.zone,
                language=spoken.language,
            )
        )

    async def _group(self, request: Request, spoken: Words) -> list[Markdown]:
        """Say what a room has mastered together, of the packs it has met."""
        if request.place is Place.PRIVATE:
            return []
        done, there = await self._mastered(request.room.id)
        if not there:
            return []
        sentence = spoken.say(
            "This group has mastered **{mastered} of {items}** questions.",
            mastered=spoken.number(done),
            items=spoken.number(there),
        )
        return [Markdown(sentence)]

    async def _mastered(self, room: RoomId) -> tuple[int, int]:
        """Count the items a room has mastered and all there are; looked up once a minute."""
        now = self.tools.clock.now()
        known = self._known.get(room)
        if known and now - known[0] < FRESH:
            return known[1]
        latest = await self.tools.store.latest(Where(room=room))
        await self.tools.host.shelves.know(*dict.fromkeys(one.pack for one in latest))
        packs = {one.pack: pack for one in latest if (pack := self.tools.library.get(one.pack))}
        there = sum(len(pack.item_ids) for pack in packs.values())
        found = mastered(one for one in latest if one.pack in packs), there
        if len(self._known) >= ROOMS:
            self._known.clear()
        self._known[room] = now, found
        return found

    # ------------------------------------------------------------ for who teaches

    async def _insight(self, request: Request, rest: str) -> Reply:
        spoken = self.tools.words(request)
        if not rest:
            return Reply(panel=await self._shelf(request, spoken))
        try:
            pack = (await self.tools.shelf(request)).find(rest)
        except UnknownPack as unknown:
            shelf = await self._shelf(request, spoken)
            sentence = unknown_quiz(unknown, spoken)
            return Reply(
                panel=Panel(
                    role=Role.NOTICE, body=(Markdown(sentence), *shelf.body), buttons=shelf.buttons
                )
            )
        return Reply(panel=await self._findings(request, pack))

    async def _shelf(self, request: Request, spoken: Words) -> Panel:
        """Offer the packs that were answered here."""
        latest = await self.tools.store.latest(Where(room=request.room.id))
        names = dict.fromkeys(one.pack for one in latest)
        await self.tools.host.shelves.know(*names)
        packs = [pack for name in names if (pack := self.tools.library.get(name))]
        if not packs:
            return notice(spoken.say("Nobody has answered a quiz here yet."))
        return Panel(
            role=Role.NOTICE,
            body=(Markdown(spoken.say("Which quiz?")),),
            buttons=tuple(
                _about(request, LOOK, pack, pack.edition(spoken.language).title)
                for pack in packs[:MOST_PACKS]
            ),
        )

    async def _findings(self, request: Request, pack: Pack) -> Panel:
        spoken = self.tools.words(request)
        where = Where(pack=pack.id, room=request.room.id)
        pack = self.tools.host.narrator.keys.pack(pack.id, request.room.id) or pack
        study = await self._study(where, pack, spoken)
        buttons = (
            _about(request, RESULTS_FILE, pack, spoken.say("All answers (CSV)")),
            _about(request, ITEMS_FILE, pack, spoken.say("Questions (CSV)")),
        )
        return findings(pack.edition(spoken.language).title, study, buttons, spoken)

    async def _study(self, where: Where, pack: Pack, spoken: Words) -> Study:
        answers: list[Answer] = []
        async for chunk in self.tools.store.answers(where):
            answers += chunk
        latest = await self.tools.store.latest(where)
        items = items_of(pack, spoken.language)
        return await self.tools.workshop.apart(
            lambda: Study(
                items=items,
                insights=analyse(answers, items),
                people=len({answer.participant for answer in answers}),
                mastered=mastered(one for one in latest if one.item in items),
            )
        )

    async def _results(self, request: Request, pack: Pack) -> Reply:
        text = comma_separated([RESULTS])
        where = Where(pack=pack.id, room=request.room.id)
        async for chunk in self.tools.store.results(where):
            text += await self.tools.workshop.apart(_writing(chunk))
        sentence = self.tools.words(request).say(
            "Every answer that was given here. What somebody answered alone stands without a name."
        )
        if len(text) > LARGEST:
            why = self.tools.words(request).say(
                "These are too many answers for a file in a chat. Who runs Kuis can give them to "
                "you, with `kuis results`."
            )
            return Reply(panel=notice(why))
        return _file(f"{pack.id}-results.csv", text, sentence)

    async def _items(self, request: Request, pack: Pack) -> Reply:
        spoken = self.tools.words(request)
        study = await self._study(Where(pack=pack.id, room=request.room.id), pack, spoken)
        sentence = spoken.say("One line for each question, with every option.")
        lines = insight_lines(study.insights, study.items)
        return _file(f"{pack.id}-items.csv", comma_separated(lines), sentence)


def room_of(action: Action) -> RoomId | None:
    """Name the room whose questions a button is about; None for one about anything else."""
    what, _, about = action.value.partition(".")
    if action.verb is not Verb.INSIGHT or what in {LIGHT, DARK}:
        return None
    return RoomId(about.partition(".")[0])


def items_of(pack: Pack, language: str) -> dict[ItemId, Item]:
    """Give the items of a pack in a language, where they are translated."""
    found = ((name, pack.item(name, language)) for name in pack.item_ids)
    return {name: item for name, item in found if item}


def _after(request: Request, found: Progress, spoken: Words, *, dark: bool | None) -> list[Button]:
    """Offer what to do next, and the picture in the other colours."""
    buttons = []
    if found.step:
        play = Action(verb=Verb.PLAY, turn=1, value=short(found.step.pack))
        buttons.append(Button(label=found.step.title, action=play, primary=True))
    if dark is not None:
        label = spoken.say("Light") if dark else spoken.say("Dark")
        value = f"{LIGHT if dark else DARK}.{request.person.id}"
        buttons.append(Button(label=label, action=Action(verb=Verb.INSIGHT, value=value)))
    return buttons


def _about(request: Request, what: str, pack: Pack, label: str) -> Button:
    value = f"{what}.{request.room.id}.{short(pack.id)}"
    return Button(label=label, action=Action(verb=Verb.INSIGHT, value=value))


def _writing(chunk: Collection[Result]) -> Callable[[], str]:
    return lambda: comma_separated(result_line(one, names=False) for one in chunk)


def _file(name: str, text: str, sentence: str) -> Reply:
    return Reply(panel=notice(sentence), file=(name, as_file(text)))
