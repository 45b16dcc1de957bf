"""`kuis run`: the bots whose tokens are set, in one process."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import typer

from adapters import settings
from adapters.cli.logs import start_logging
from adapters.cli.wiring import Kit, unpacked
from bot.desk import Desk
from bot.host import Host
from bot.ports import Chat, Store
from bot.wording import Words, words

_log = logging.getLogger(__name__)

USAGE = 2
CHATS = ("telegram", "discord")
STOP_SECONDS = 9.0


class Served(Chat, Protocol):
    """A chat that runs in this process."""

    async def start(self, *, host: Host, desk: Desk, store: Store) -> None:
        """Connect; panels can be shown afterwards. Raises KuisError."""

    async def serve(self) -> None:
        """Take in what people do, until `stop`."""

    async def stop(self) -> None:
        """Take nothing in any more, and let what is under way end."""


def tokens() -> dict[str, str]:
    """Give the tokens that are set, by chat."""
    chosen = settings.load()
    secrets = {"telegram": chosen.telegram_token, "discord": chosen.discord_token}
    return {chat: value for chat in CHATS if (value := secrets[chat].get_secret_value())}


async def run(chats: Sequence[str]) -> None:
    """Run chats until the process is told to stop; with no chat named, all that have a token.

    Raises typer.Exit with code 2 if a token is missing, after saying how to get one.
    """
    chosen = settings.load()
    language = words(chosen.spoken)
    there = tokens()
    wanted = chats or tuple(there)
    if unknown := [chat for chat in wanted if chat not in CHATS]:
        _explain(language.say("There is no chat called {name}.", name=unknown[0]))
    if missing := [chat for chat in (wanted or CHATS) if chat not in there]:
        _explain(*_instructions(missing, language))
    start_logging(chosen.log)
    async with unpacked(chosen, language) as kit:
        await _together(kit, {chat: there[chat] for chat in wanted})


async def _together(kit: Kit, wanted: Mapping[str, str]) -> None:
    """Connect every chat, go on with what was under way, then serve until told to stop.

    SIGTERM and Ctrl-C end it politely; a second one at once. A chat that fails ends the others.
    """
    chats = {name: _chat(name, token, kit) for name, token in wanted.items()}
    host = kit.host(chats)
    desk = kit.desk(host)
    stopped = asyncio.Event()
    _on_signals(stopped)
    try:
        for chat in chats.values():
            await chat.start(host=host, desk=desk, store=kit.store)
        taken = await host.recover()
        _log.info("running", extra={"chats": list(chats), "sessions": taken})
        await _serve(chats.values(), stopped)
    finally:
        async with asyncio.timeout(STOP_SECONDS):
            await asyncio.gather(*(chat.stop() for chat in chats.values()), return_exceptions=True)
            await host.close()


async def _serve(chats: Iterable[Served], stopped: asyncio.Event) -> None:
    serving = [asyncio.create_task(chat.serve()) for chat in chats]
    waiting = asyncio.create_task(stopped.wait())
    done, pending = await asyncio.wait([*serving, waiting], return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    for task in done:
        task.result()


def _on_signals(stopped: asyncio.Event) -> None:
    def stop() -> None:
        if stopped.is_set():
            os._exit(1)
        stopped.set()

    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows knows only Ctrl-C
            loop.add_signal_handler(name, stop)


def _chat(name: str, token: str, kit: Kit) -> Served:
    """Make a chat; only now are the SDKs of those that are wanted loaded."""
    if name == "telegram":
        from adapters.telegram import TelegramChat  # noqa: PLC0415 - an SDK, loaded if wanted

        return TelegramChat(
            token=token,
            clock=kit.clock,
            api_url=kit.settings.telegram_api_url,
            webhook_url=kit.settings.telegram_webhook_url,
            port=kit.settings.port,
        )
    from adapters.discord import DiscordChat  # noqa: PLC0415 - an SDK, loaded if wanted

    return DiscordChat(token=token, clock=kit.clock)


def _explain(*lines: str) -> None:
    sys.stderr.write("\n".join(lines) + "\n")
    raise typer.Exit(USAGE)


def _instructions(missing: Sequence[str], language: Words) -> list[str]:
    cures = {
        "telegram": (
            "TELEGRAM_TOKEN",
            "123456789:AAExampleTokenFromBotFather",
            language.say("Write to https://t.me/BotFather, send /newbot, and copy the token."),
        ),
        "discord": (
            "DISCORD_TOKEN",
            "MTIzNDU2Nzg5MDEyMzQ1Njc4.example.token",
            language.say(
                "Open https://discord.com/developers/applications, choose New Application, then "
                "Bot, then Reset Token, and copy the token."
            ),
        ),
    }
    lines = [language.say("No token is set for: {names}.", names=", ".join(missing))]
    for chat in missing:
        setting, example, cure = cures[chat]
        lines += ["", f"  {setting}={example}", f"  {cure}"]
    where = language.say("Put it in a file called .env or in the environment, then start again.")
    play = language.say("To play here without a bot: kuis play")
    return [*lines, "", where, play]
