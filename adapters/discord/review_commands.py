"""Slash commands for reviews: what is due, what was missed, and the daily reminder."""

from collections.abc import Callable
from typing import Any

from discord import app_commands
from discord.app_commands import Range, locale_str

from adapters.discord.asking import Asked, obey
from bot.reviewing import LONGEST
from bot.wording import phrase


@app_commands.describe(
    minutes=locale_str(phrase("About how many minutes")),
    remind=locale_str(phrase("A daily reminder: 19:00 Asia/Jakarta, or off")),
)
@app_commands.rename(
    minutes=locale_str("minutes", id="menit"), remind=locale_str("remind", id="ingatkan")
)
async def review(
    interaction: Asked, minutes: Range[int, 1, LONGEST] | None = None, remind: str = ""
) -> None:
    """Review what is due."""
    rest = f"remind {remind}" if remind else str(minutes or "")
    await obey(interaction, lambda desk, _, request: desk.obey(request, "review", rest))


async def missed(interaction: Asked) -> None:
    """Ask again what was missed lately."""
    await obey(interaction, lambda desk, _, request: desk.obey(request, "missed", ""))


CALLBACKS: dict[str, Callable[..., Any]] = {"review": review, "missed": missed}
