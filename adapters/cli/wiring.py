"""Wiring: the settings become a store, a library and a host."""

import getpass
import secrets
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from adapters import packs
from adapters.clock import SystemClock
from adapters.pictures import Studio
from adapters.settings import Settings
from adapters.storage import MemoryStore, SqlStore, open_store
from bot.desk import Desk
from bot.errors import Problem
from bot.host import Host
from bot.ids import PackId
from bot.packs import Library, Pack
from bot.ports import Chat, Clock
from bot.shelving import Shelves
from bot.text import tidy
from bot.watching import Watcher
from bot.wording import Words

SEEDS = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What every chat is made with."""

    settings: Settings
    store: SqlStore | MemoryStore
    library: Library
    clock: Clock

    def host(self, chats: Mapping[str, Chat], watcher: Watcher | None = None) -> Host:
        """Make a host that speaks through these chats, and is watched if anybody looks on."""
        return Host(
            store=self.store,
            clock=self.clock,
            library=self.library,
            chats=chats,
            seeds=lambda: secrets.randbelow(SEEDS),
            language=self.settings.spoken,
            watcher=watcher,
        )

    async def know(self, *packs: PackId) -> None:
        """Learn of packs that people have brought in, as far as there are any of these ids."""
        await Shelves(store=self.store, library=self.library).know(*packs)

    async def pack(self, name: str) -> Pack:
        """Give the pack that somebody means, also one that was brought in, by its id.

        Raises UnknownPack.
        """
        await self.know(PackId(name))
        held = self.library.held(name)
        return held.pack if held else self.library.find(name)

    def desk(self, host: Host) -> Desk:
        """Make the desk that serves commands and buttons over a host."""
        return Desk(
            host=host,
            store=self.store,
            library=self.library,
            clock=self.clock,
            language=self.settings.spoken,
            workshop=Studio(),
        )


@asynccontextmanager
async def unpacked(settings: Settings, words: Words) -> AsyncIterator[Kit]:
    """Open the store and load the packs, for as long as the block runs."""
    loaded = library(settings, words)
    async with await open_store(settings.database_url) as store:
        yield Kit(settings=settings, store=store, library=loaded, clock=SystemClock())


def library(settings: Settings, words: Words) -> Library:
    """Load every pack; one line on stderr names each file that is left out."""
    loaded = packs.load(settings.pack_paths)
    for line in left_out(loaded.problems, words):
        sys.stderr.write(f"{line}\n")
    return loaded.library


def left_out(problems: Iterable[Problem], words: Words) -> Iterable[str]:
    """Say which files are left out, and where to read why."""
    for file in dict.fromkeys(problem.file for problem in problems):
        yield words.say("Left out {file}. `kuis check {file}` says why.", file=file)


def user_name(name: str | None, words: Words) -> str:
    """Give the name somebody plays under: the one given, or that of the system's user."""
    if name and (shown := tidy(name)):
        return shown
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return words.say("Player")
