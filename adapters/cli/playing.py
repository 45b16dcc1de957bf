"""`kuis play`: sits a person down in front of a screen."""

import logging
from dataclasses import dataclass, field

from adapters import settings
from adapters.cli.wiring import unpacked, user_name
from adapters.terminal.chat import PLATFORM, Sitting, Terminal, sit_down
from adapters.terminal.screen import Screen
from adapters.terminal.starting import Start, Wanted, unknown_pack
from bot.errors import KuisError, UnknownPack
from bot.text import Markdown, plain
from bot.wording import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was typed after `kuis play`."""

    name: str | None = None
    language: str | None = None
    wanted: Wanted = field(default_factory=Wanted)


async def play(asked: Asked, *, chat: type[Terminal] = Terminal) -> None:
    """Play one quiz on the input and the output of this process, through a chat made for it.

    Raises KuisError for a pack that does not exist.
    """
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
        sitting = Sitting(
            host=kit.host({PLATFORM: terminal}),
            clock=kit.clock,
            terminal=terminal,
            screen=screen,
            room=room,
            me=me,
        )
        start = Start(sitting=sitting, library=kit.library, sessions=kit.store)
        try:
            session = await start.begin(asked.wanted)
        except UnknownPack as error:
            raise KuisError(plain(Markdown(unknown_pack(error, screen.words)))) from None
        if session:
            await sitting.play(session)
