"""Insight: the slash command for who teaches."""

from collections.abc import Callable
from typing import Any

from discord import app_commands
from discord.app_commands import locale_str

from adapters.discord.asking import Asked, obey, suggest
from bot.wording import phrase


@app_commands.describe(pack=locale_str(phrase("Which quiz")))
@app_commands.rename(pack=locale_str("pack", id="paket"))
@app_commands.autocomplete(pack=suggest)
async def insight(interaction: Asked, pack: str = "") -> None:
    """Show how the questions of a pack are doing here."""
    await obey(interaction, lambda desk, _, request: desk.obey(request, "insight", pack))


CALLBACKS: dict[str, Callable[..., Any]] = {"insight": insight}
