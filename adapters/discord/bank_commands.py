"""Bank commands: question banks come in as attachments, and go out as files."""

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from adapters.discord import limits
from adapters.discord.asking import Asked, obey, suggest
from adapters.discord.reception import spoken_by
from adapters.discord.visit import Visit
from bot.desk import Desk, Reply, Request
from bot.menus import notice
from bot.text import literal
from bot.wording import phrase

MOST_BYTES = 25 * 1024 * 1024


@app_commands.describe(file=locale_str(phrase("A file with questions")))
@app_commands.rename(file=locale_str("file", id="berkas"))
async def import_(interaction: Asked, file: discord.Attachment) -> None:
    """Take a file with questions."""

    async def take(desk: Desk, visit: Visit, request: Request) -> Reply:
        away = desk.banking.turned_away(request, file.filename, file.size, MOST_BYTES)
        if away:
            return away
        try:
            content = await file.read()
        except discord.DiscordException:
            sentence = spoken_by(visit).say(
                "I could not fetch {file}. Please send it once more.", file=literal(file.filename)
            )
            return Reply(panel=notice(sentence))
        return await desk.imported(request, file.filename, content)

    await obey(interaction, take)


async def suggest_format(interaction: Asked, typed: str) -> list[Choice[str]]:
    """Suggest the formats that a pack can be written in."""
    formats = interaction.client.reception.desk.banking.exporting.formats()
    wanted = typed.strip().lower()
    found = [name for name in formats if wanted in name]
    return [Choice(name=name, value=name) for name in found[: limits.SUGGESTIONS]]


@app_commands.describe(
    pack=locale_str(phrase("Which quiz")),
    format=locale_str(phrase("For which program; without it Kuis' own")),
)
@app_commands.rename(pack=locale_str("pack", id="paket"), format=locale_str("format", id="format"))
@app_commands.autocomplete(pack=suggest, format=suggest_format)
async def export(
    interaction: Asked,
    pack: str,
    format: str = "",  # noqa: A002 - what people see
) -> None:
    """Give a pack as a file."""
    wanted = f"{pack} {format}".strip()
    await obey(interaction, lambda desk, _, request: desk.obey(request, "export", wanted))


CALLBACKS: dict[str, Callable[..., Any]] = {"import": import_, "export": export}
