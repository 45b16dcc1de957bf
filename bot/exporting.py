"""Exporting: a pack as a file, in Kuis' own format or another program's."""

from bot.aside import Aside
from bot.errors import UnknownPack
from bot.features import Tools
from bot.formats import registry
from bot.formats.findings import Remark
from bot.menus import notice, unknown_quiz
from bot.packs import Edition
from bot.panels import Panel, Role
from bot.requests import Reply, Request
from bot.text import Markdown, literal, shorten
from bot.wording import Words

NATIVE = "native"
MOST_LINES = 4
LINE = 140


class Exporting:
    """Gives back the packs that a person sees."""

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        self._tools = tools
        self._aside = Aside()

    def formats(self) -> tuple[str, ...]:
        """Name the formats that a pack can be given in."""
        return registry.writers()

    async def export(self, request: Request, rest: str) -> Reply:
        """Give a pack as a file: its name, and perhaps the name of a format after it."""
        words = self._tools.words(request)
        if not rest.strip():
            formats = " ".join(f"`{name}`" for name in self.formats())
            sentence = words.say(
                "Write `/export` and the name of a quiz. A format may follow: {formats}.",
                formats=formats,
            )
            return Reply(panel=notice(sentence))
        name, _, last = rest.strip().rpartition(" ")
        known = name and last.lower() in self.formats()
        wanted, format_ = (name, last.lower()) if known else (rest, NATIVE)
        seen = await self._tools.shelf(request)
        try:
            pack = seen.find(wanted)
        except UnknownPack as unknown:
            return Reply(panel=notice(unknown_quiz(unknown, words)))
        return await self.file(request, pack.edition(words.language), format_)

    async def file(self, request: Request, edition: Edition, name: str = NATIVE) -> Reply:
        """Give an edition as a file, and say what the format cannot carry."""
        words = self._tools.words(request)
        writer = registry.writer(name)
        content, remarks = await self._aside.do(writer.write, edition)
        lines = [_line(one, words) for one in remarks[:MOST_LINES]]
        if more := len(remarks) - len(lines):
            lines.append(words.plural("… and {n} more", "… and {n} more", more))
        panel = Panel(
            role=Role.NOTICE,
            heading=edition.title,
            body=(Markdown(words.plural("{n} question", "{n} questions", len(edition.items))),),
            notes=tuple(map(Markdown, lines)),
        )
        file = f"{edition.id}.{edition.language}{writer.SUFFIX}"
        return Reply(
            panel=panel,
            file=(file, content if isinstance(content, bytes) else content.encode()),
        )


def _line(one: Remark, words: Words) -> str:
    line = f"{words.tell(one.place)}: {words.tell(one.reason)} {words.tell(one.action)}"
    return "~ " + literal(shorten(line, LINE))
