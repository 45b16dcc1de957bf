"""`kuis play` and `kuis review`: sit a person down in front of a screen."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from adapters import settings
from adapters.cli.wiring import Kit, unpacked, user_name
from adapters.terminal import reviewing
from adapters.terminal.chat import PLATFORM, Sitting, Terminal, sit_down
from adapters.terminal.screen import Screen
from adapters.terminal.starting import Start, Wanted, unknown_pack
from bot.errors import KuisError, UnknownPack
from bot.text import Markdown, plain
from bot.wording import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was typed after `kuis play`; of `kuis review` the first two."""

    name: str | None = None
    language: str | None = None
    wanted: Wanted = field(default_factory=Wanted)


async def play(asked: Asked, *, chat: type[Terminal] = Terminal) -> None:
    """Play one quiz on the input and the output of this process, through a chat made for it.

    Raises KuisError for a pack that does not exist.
    """
    async with _seated(asked, chat) as (kit, sitting):
        start = Start(sitting=sitting, library=kit.library, sessions=kit.store)
        try:
            session = await start.begin(asked.wanted)
        except UnknownPack as error:
            raise KuisError(plain(Markdown(unknown_pack(error, sitting.screen.words)))) from None
        if session:
            await sitting.play(session)


async def review(asked: Asked, wanted: reviewing.Wanted) -> None:
    """Review what is due, on the input and the output of this process; or write a deck.

    Raises KuisError if that cannot be written.
    """
    async with _seated(asked, Terminal) as (kit, sitting):
        start = reviewing.Review(sitting=sitting, library=kit.library, store=kit.store)
        if wanted.anki:
            return await start.take_along(wanted.anki)
        session = await start.begin(wanted)
        if session:
            await sitting.play(session)
        return None


@asynccontextmanager
async def _seated(asked: Asked, chat: type[Terminal]) -> AsyncIterator[tuple[Kit, Sitting]]:
    chosen = settings.load()
    if asked.language:
        chosen = chosen.model_copy(update={"language": asked.language})
    logging.basicConfig(level=chosen.log.upper())
    screen = Screen.of_process(words(chosen.spoken))
    async with unpacked(chosen, screen.words) as kit:
        terminal = chat(screen)
        room, me = await sit_down(
            kit.store,
            name=user_name(asked.name, screen.words),
            language=chosen.spoken,
            time_zone=chosen.zone,
        )
        yield (
            kit,
            Sitting(
                host=kit.host({PLATFORM: terminal}),
                clock=kit.clock,
                terminal=terminal,
                screen=screen,
                room=room,
                me=me,
            ),
        )
