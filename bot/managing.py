"""Managing: packs that people have brought in are renamed, taken out of sight and deleted."""

from collections.abc import Sequence

from bot.banks import LONGEST_TITLE, community, place
from bot.features import Tools
from bot.ids import PackId
from bot.menus import PAGE, notice
from bot.packs import Held, Home, Reach
from bot.panels import Button, Panel, Role
from bot.reports import act
from bot.requests import Reply, Request
from bot.text import Markdown, literal, shorten, tidy
from bot.wording import Words


class Managing:
    """Lets owners and moderators look after packs."""

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        self._tools = tools

    def any(self, request: Request) -> bool:
        """Tell whether there is anything that somebody may look after."""
        return bool(self._list(request))

    async def held(self, request: Request, pack: str) -> Held | None:
        """Give a pack that somebody may look after: their own, or as a moderator the room's."""
        await self._tools.host.shelves.know(PackId(pack))
        held = self._tools.library.held(pack)
        if held is None:
            return None
        own = held.owner == request.person.id
        return held if own or (request.moderator and held.home in _rooms(request)) else None

    async def press(self, request: Request, what: str, pack: str, page: int) -> Reply:
        """Do what a button asks for."""
        await self._tools.host.shelves.look(request.room, request.person.id)
        words = self._tools.words(request)
        if what == "list":
            return Reply(panel=_shelf(self._list(request), page, words), replaces=True)
        held = await self.held(request, pack)
        if held is None:
            return self._gone(request)
        store = self._tools.store
        match what:
            case "hide" | "show":
                await store.set_pack(held.pack.id, published=what == "show")
            case "delete":
                return Reply(panel=_sure(held, words), replaces=True)
            case "delete!":
                await store.delete_pack(held.pack.id)
                await self._tools.host.shelves.refresh()
                sentence = words.say("“{title}” is deleted.", title=literal(_title(held)))
                back = Button(label=words.say("‹ Back"), action=act("list"))
                panel = Panel(role=Role.NOTICE, body=(Markdown(sentence),), buttons=(back,))
                return Reply(panel=panel, replaces=True)
            case _:
                pass
        await self._tools.host.shelves.refresh()
        now = self._tools.library.held(held.pack.id) or held
        return Reply(panel=_card(now, words), replaces=True)

    async def rename(
        self, request: Request, pack: str, title: str, *, allowed: bool = False
    ) -> Reply:
        """Give a pack another title; `allowed` to who was asked for one."""
        await self._tools.host.shelves.know(PackId(pack))
        words = self._tools.words(request)
        held = self._tools.library.held(pack) if allowed else await self.held(request, pack)
        if held is None:
            return self._gone(request)
        chosen = shorten(tidy(title), LONGEST_TITLE)
        if not chosen:
            return Reply(panel=notice(words.say("A quiz needs a name.")))
        await self._tools.store.set_pack(held.pack.id, title=chosen)
        await self._tools.host.shelves.refresh()
        sentence = words.say("It is called “{title}” now.", title=literal(chosen))
        return Reply(panel=notice(sentence))

    def _list(self, request: Request) -> Sequence[Held]:
        library = self._tools.library
        found = {held.pack.id: held for held in library.owned(request.person.id)}
        if request.moderator:
            found |= {held.pack.id: held for held in library.at(_rooms(request))}
        return tuple(found.values())

    def _gone(self, request: Request) -> Reply:
        sentence = self._tools.words(request).say(
            "Only who brought in this quiz or a moderator can do that."
        )
        return Reply(panel=notice(sentence))


def _rooms(request: Request) -> Sequence[Home]:
    room = request.room
    own = dict.fromkeys((place(room), Home(reach=Reach.ROOM, target=room.id)))
    return tuple(own | ({community(room): None} if room.community else {}))


def _title(held: Held) -> str:
    return held.pack.editions[0].title


def _shelf(found: Sequence[Held], page: int, words: Words) -> Panel:
    """List packs to look after, a page at a time."""
    pages = max(1, -(-len(found) // PAGE))
    page = min(page, pages - 1)
    buttons = [
        Button(label=_label(held), action=act("card", held.pack.id))
        for held in found[page * PAGE : (page + 1) * PAGE]
    ]
    if page:
        buttons.append(Button(label=words.say("‹ Back"), action=act("list", turn=page - 1)))
    if page + 1 < pages:
        buttons.append(Button(label=words.say("More ›"), action=act("list", turn=page + 1)))
    none = words.say("Nobody has brought in a quiz that you could change.")
    body = words.say("Which one?") if found else none
    return Panel(
        role=Role.NOTICE,
        heading=words.say("Your quizzes"),
        progress=f"{page + 1}/{pages}" if pages > 1 else "",
        body=(Markdown(body),),
        buttons=tuple(buttons),
    )


def _label(held: Held) -> str:
    hidden = "" if held.published else "🚫 "
    return f"{hidden}{_title(held)} · {len(held.pack.item_ids)}"


def _card(held: Held, words: Words) -> Panel:
    """Show a pack, and what can be done with it."""
    where = {
        Reach.ROOM: words.say("Only this room sees it."),
        Reach.COMMUNITY: words.say("All rooms here see it."),
        Reach.PERSON: words.say("Only you see it."),
    }[held.home.reach]
    hidden = words.say("It is hidden: nobody can start it.")
    pack = held.pack.id
    sight = (words.say("Hide"), "hide") if held.published else (words.say("Show again"), "show")
    return Panel(
        role=Role.NOTICE,
        heading=_title(held),
        body=(
            Markdown(words.plural("{n} question", "{n} questions", len(held.pack.item_ids))),
            Markdown(where if held.published else hidden),
        ),
        buttons=(
            Button(label=words.say("Rename"), action=act("name", pack)),
            Button(label=sight[0], action=act(sight[1], pack)),
            Button(label=words.say("Get as a file"), action=act("file", pack)),
            Button(label=words.say("Delete"), action=act("delete", pack)),
            Button(label=words.say("‹ Back"), action=act("list")),
        ),
    )


def _sure(held: Held, words: Words) -> Panel:
    sentence = words.say(
        "“{title}” and its questions will be deleted. What people have scored stays.",
        title=literal(_title(held)),
    )
    return Panel(
        role=Role.NOTICE,
        body=(Markdown(sentence),),
        buttons=(
            Button(label=words.say("Delete it"), action=act("delete!", held.pack.id)),
            Button(label=words.say("‹ Back"), action=act("card", held.pack.id)),
        ),
    )
