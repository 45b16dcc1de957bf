"""Deciding: what somebody has handed in gets its answers, and becomes a pack or nothing."""

from dataclasses import replace

from bot.actions import Action, Verb
from bot.aside import Aside
from bot.banks import (
    LEFT,
    MOST_PACKS,
    Parcel,
    Stage,
    StoredPack,
    community,
    merged,
    place,
)
from bot.cleaning import slug
from bot.commands import Place
from bot.features import Tools
from bot.formats import markdown
from bot.formats.importing import Import
from bot.ids import PackId
from bot.items import Item
from bot.menus import notice
from bot.packs import Edition, Held, Home, Reach, short
from bot.panels import Button, Panel, Role
from bot.parcelling import welcome
from bot.people import Room
from bot.reports import act, full, key_panel, remarkable, report
from bot.requests import Reply, Request
from bot.restating import Restating
from bot.text import Markdown, literal
from bot.wording import Words

SUFFIX = 6
NAME = 17
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Deciding:
    """Looks after parcels until they are settled."""

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        self._tools = tools
        self._aside = Aside()
        self._restating = Restating(tools)

    def parcel(self, request: Request, stage: Stage = Stage.READY) -> Parcel:
        """Begin a parcel of somebody."""
        return Parcel(
            id=f"{self._tools.host.fresh() % 2**48:012x}",
            owner=request.person.id,
            room=request.room.id,
            changed=self._tools.clock.now(),
            stage=stage,
            shared=request.place is Place.ROOM,
        )

    async def press(self, request: Request, what: str, about: str, turn: int) -> Reply:
        """Do what a button of a parcel asks for."""
        words = self._tools.words(request)
        name, _, more = about.partition(".")
        parcel = await self._tools.store.parcel(name)
        if parcel is None or parcel.stage is not Stage.READY:
            return _settled(words)
        if not _may_decide(request, parcel):
            sentence = words.say("Only who has sent the questions can do that.")
            return Reply(panel=notice(sentence))
        match what:
            case "drop":
                await self._tools.store.drop_parcel(parcel.id)
                return Reply(panel=notice(words.say("Nothing was kept.")), replaces=True)
            case "keep":
                return await self._keep(request, parcel, more)
            case "key":
                parcel = parcel.with_key(turn, more)
                parcel = replace(parcel, changed=self._tools.clock.now())
                await self._tools.store.keep_parcel(parcel)
            case _:
                pass
        if what == "see" or not parcel.unanswered:
            return Reply(panel=await self.shown(parcel, words), replaces=True)
        following = next((at for at in parcel.unanswered if at >= turn), parcel.unanswered[0])
        return Reply(panel=key_panel(parcel, following, words), replaces=True)

    async def report(self, request: Request, brought: Import) -> Reply:
        """Keep what was read until its owner has decided, and say what it is."""
        words = self._tools.words(request)
        edition = brought.edition
        if not brought.imported and not brought.waiting:
            file = literal(brought.file)
            lines = (words.say("I found no questions in {file}.", file=file),)
            body = tuple(
                map(Markdown, (*lines, *remarkable(brought.report, words), welcome(words)))
            )
            return Reply(panel=Panel(role=Role.NOTICE, body=body))
        parcel = replace(
            self.parcel(request),
            title=edition.title,
            file=brought.file,
            language=edition.language,
            text=markdown.write(edition) if edition.items else "",
            found=brought.found,
            imported=brought.questions,
            skipped=brought.skipped,
            waiting=brought.waiting,
            keys=("",) * len(brought.waiting),
            lines=remarkable(brought.report, words),
            credit=(edition.licence, edition.author, edition.source),
            tags=edition.tags,
        )
        await self._tools.store.keep_parcel(parcel)
        content = full(brought, words).encode()
        panel = await self.shown(parcel, words)
        return Reply(panel=panel, file=(f"{slug(edition.title)}-report.txt", content))

    async def shown(self, parcel: Parcel, words: Words) -> Panel:
        """Show a parcel as it is now, and where it may go."""
        room = await self._tools.store.room_by_id(parcel.room)
        await self._tools.host.shelves.look(room, parcel.owner)
        answered = len(parcel.keys) - len(parcel.unanswered) - parcel.keys.count(LEFT)
        ways = _ways(parcel, room, words) if parcel.imported or answered else ()
        note = ""
        if any(self._earlier(parcel, home) for home in _homes(parcel, room).values()):
            note = words.say(
                "You have brought in a quiz of this name before. In the same place this one takes "
                "its place; the questions that have stayed keep their history."
            )
        return report(parcel, ways, words, note=note)

    async def _keep(self, request: Request, parcel: Parcel, reach: str) -> Reply:
        """Make a pack of a parcel, or the corrected form of one that is there."""
        words = self._tools.words(request)
        room = await self._tools.store.room_by_id(parcel.room)
        await self._tools.host.shelves.look(room, parcel.owner)
        home = _homes(parcel, room).get(reach)
        items = await self._aside.do(parcel.items)
        if home is None or not items:
            return Reply(panel=await self.shown(parcel, words), replaces=True)
        old = self._earlier(parcel, home)
        if old is None and len(self._tools.library.owned(parcel.owner)) >= MOST_PACKS:
            sentence = words.say(
                "You have {most} quizzes, which is the most. Delete one with /packs first.",
                most=MOST_PACKS,
            )
            return Reply(panel=notice(sentence))
        pack, kept = self._made(parcel, home, items, old)
        if len(pack.text) > markdown.LONGEST:
            sentence = words.say("The texts are too long for one quiz: please split it.")
            return Reply(panel=notice(sentence))
        if not await self._tools.store.keep_pack(pack, parcel=parcel.id):
            return _settled(words)
        await self._tools.host.shelves.look(room, parcel.owner)
        new = self._tools.library.get(pack.id)
        affected = await self._restating.affected(old.pack, new) if old and new else 0
        panel = _ready(pack, len(items), kept, affected, words)
        return Reply(panel=panel, replaces=True)

    def _made(
        self, parcel: Parcel, home: Home, items: tuple[Item, ...], old: Held | None
    ) -> tuple[StoredPack, int | None]:
        """Give the pack, and how many items of its earlier form it keeps, if there was one."""
        before = old.pack.editions[0].items if old else ()
        both = merged(before, items)
        name = old.pack.id if old else self._free(parcel.title)
        licence, author, source = parcel.credit
        edition = Edition(
            id=name,
            title=parcel.title,
            language=parcel.language,
            items=both.items,
            tags=parcel.tags,
            licence=licence,
            author=author,
            source=source,
        )
        now = self._tools.clock.now()
        pack = StoredPack(
            id=name,
            owner=parcel.owner,
            home=home,
            language=parcel.language,
            title=parcel.title,
            text=markdown.write(edition),
            created=now,
            changed=now,
            published=old.published if old else True,
        )
        return pack, both.kept if old else None

    def _earlier(self, parcel: Parcel, home: Home) -> Held | None:
        """Find a pack of the same title that its owner has brought in for the same home."""
        title = parcel.title.casefold()
        for held in self._tools.library.owned(parcel.owner):
            if held.home == home and held.pack.editions[0].title.casefold() == title:
                return held
        return None

    def _free(self, title: str) -> PackId:
        """Make an id that no other pack has, nowhere."""
        number = self._tools.host.fresh()
        suffix = "".join(_DIGITS[number // 36**at % 36] for at in range(SUFFIX))
        name = PackId(f"{slug(title)[:NAME].strip('-')}-{suffix}")
        return name if self._tools.library.get(name) is None else self._free(title)


def _may_decide(request: Request, parcel: Parcel) -> bool:
    """Tell whether somebody may: who has sent it, and moderators where it was sent.

    Whoever posts as a group or channel presses buttons as themselves.
    """
    there = parcel.shared and parcel.room == request.room.id
    return parcel.owner == request.person.id or (there and request.moderator)


def _settled(words: Words) -> Reply:
    sentence = words.say("This is settled already. To bring in more, type /import.")
    return Reply(panel=notice(sentence), replaces=True)


def _homes(parcel: Parcel, room: Room) -> dict[str, Home]:
    """Give where a parcel may go, by what the buttons call it."""
    own = Home(reach=Reach.PERSON, target=parcel.owner)
    if not parcel.shared:
        return {Reach.PERSON.value: own}
    found = {Reach.ROOM.value: place(room)}
    if room.community and community(room) != place(room):
        found[Reach.COMMUNITY.value] = community(room)
    return found | {Reach.PERSON.value: own}


def _ways(parcel: Parcel, room: Room, words: Words) -> tuple[Button, ...]:
    here = room.title or words.say("this room")
    labels = {
        Reach.ROOM.value: words.say("Confirm: for {room}", room=here),
        Reach.COMMUNITY.value: words.say("Confirm: for all rooms here"),
        Reach.PERSON.value: words.say("Confirm: for myself"),
    }
    homes = _homes(parcel, room)
    waits = bool(parcel.unanswered)
    return tuple(
        Button(
            label=labels[reach] if len(homes) > 1 else words.say("Confirm"),
            action=act("keep", f"{parcel.id}.{reach}"),
            primary=not waits and number == 0,
        )
        for number, reach in enumerate(homes)
    )


def _ready(pack: StoredPack, count: int, kept: int | None, affected: int, words: Words) -> Panel:
    sentences = [
        words.plural(
            "It has {n} question. Start it with /quiz, or find it in /packs.",
            "It has {n} questions. Start it with /quiz, or find it in /packs.",
            count,
        )
    ]
    if kept is not None:
        sentences.append(
            words.plural(
                "It takes the place of its earlier form; {n} question keeps its history.",
                "It takes the place of its earlier form; {n} questions keep their history.",
                kept,
            )
        )
    play = Action(verb=Verb.PLAY, value=short(pack.id))
    buttons = [Button(label=words.say("Play"), action=play, primary=True)]
    if affected:
        sentences.append(
            words.plural(
                "Its keys have changed: {n} answer would be worth something else now.",
                "Its keys have changed: {n} answers would be worth something else now.",
                affected,
            )
        )
        again = Button(label=words.say("Score them again"), action=act("again", pack.id))
        buttons.append(again)
    return Panel(
        role=Role.NOTICE,
        heading=pack.title,
        body=tuple(map(Markdown, sentences)),
        buttons=tuple(buttons),
    )
