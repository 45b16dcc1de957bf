"""`kuis run`: the bots whose tokens are set, in one process."""

import sys
from collections.abc import Sequence

import typer

from adapters import settings
from adapters.cli.loading import loading
from adapters.cli.logs import start_logging
from adapters.cli.serving import Runner, serve
from adapters.cli.wiring import Kit, unpacked
from adapters.settings import read_shards
from bot.wording import Words, words

USAGE = 2
CHATS = ("telegram", "discord")


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
    start_logging(chosen.log, chosen.secrets)
    async with unpacked(chosen, language) as kit:
        with loading():
            runners = {chat: _runner(chat, there[chat], kit) for chat in wanted}
        await serve(kit, runners)


def _runner(name: str, token: str, kit: Kit) -> Runner:
    """Make a chat; only now are the SDKs of those that are wanted loaded."""
    chosen = kit.settings
    if name == "telegram":
        from adapters.telegram import TelegramChat  # noqa: PLC0415 - an SDK, loaded if wanted

        telegram = TelegramChat(
            token=token,
            clock=kit.clock,
            api_url=chosen.telegram_api_url,
            webhook_url=chosen.telegram_webhook_url,
            port=chosen.port,
        )
        many = bool(chosen.telegram_webhook_url) and kit.store.shared
        return Runner(chat=telegram, lead="" if many else name)
    from adapters.discord import DiscordChat  # noqa: PLC0415 - an SDK, loaded if wanted

    shards = read_shards(chosen.shards)
    options = {"shard_ids": list(shards[0]), "shard_count": shards[1]} if shards else {}
    discord = DiscordChat(token=token, clock=kit.clock, **options)
    return Runner(chat=discord, lead=f"{name} {chosen.shards}".strip().replace("/", "of"))


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
