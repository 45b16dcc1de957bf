"""A terminal whose lines are typed in advance, over a store in memory."""

import io
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from rich.console import Console
from rich.text import Text

from adapters.storage import MemoryStore
from adapters.terminal import reviewing
from adapters.terminal.chat import PLATFORM, Sitting, Terminal, sit_down
from adapters.terminal.screen import Screen
from adapters.terminal.starting import Start, Wanted
from bot.host import Host
from bot.packs import Library, Pack
from bot.ports import Store
from bot.session import Session
from bot.wording import words
from tests.helpers.doubles import Watch

_SEEDS = itertools.count(1)


@dataclass
class Visit:
    """What was printed, and where the session stands."""

    printed: str
    store: Store
    session: Session | None

    def __contains__(self, text: str) -> bool:
        return text in self.printed


async def visit(  # noqa: PLR0913 - all that can be different, each by name
    *typed: str,
    packs: Iterable[Pack],
    store: Store | None = None,
    wanted: Wanted | reviewing.Wanted | None = None,
    days: float = 0,
    language: str = "en",
    width: int | None = None,
    name: str = "Ann",
) -> Visit:
    """Type lines, one after another; with a `width` at a window, else from a pipe.

    What is `wanted` is a quiz or a review; it is so many `days` later than for others.
    """
    store = store or MemoryStore()
    output = io.StringIO()
    lines = iter(typed)
    console = Console(
        file=output, width=width, force_terminal=width is not None, no_color=True, highlight=False
    )
    screen = Screen(
        console=console,
        words=words(language),
        read=lambda: next((f"{line}\n" for line in lines), ""),
        interactive=width is not None,
    )
    terminal = Terminal(screen)
    room, me = await sit_down(store, name=name, language=language, time_zone="UTC")
    library = Library(packs)
    clock = Watch()
    await clock.move_to(clock.now() + timedelta(days=days))
    host = Host(
        store=store,
        clock=clock,
        library=library,
        chats={PLATFORM: terminal},
        seeds=lambda: next(_SEEDS),
    )
    sitting = Sitting(host=host, clock=clock, terminal=terminal, screen=screen, room=room, me=me)
    if isinstance(wanted, reviewing.Wanted):
        review = reviewing.Review(sitting=sitting, library=library, store=store)
        session = await review.begin(wanted)
    else:
        start = Start(sitting=sitting, library=library, sessions=store)
        session = await start.begin(wanted or Wanted(pack="mixed", keep_order=True))
    if session:
        await sitting.play(session)
    printed = output.getvalue()
    return Visit(
        printed=printed if width is None else Text.from_ansi(printed).plain,
        store=store,
        session=await store.session(session) if session else None,
    )
