"""Joining accounts: its slash commands, answered for one's own eyes wherever they are typed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from discord import app_commands
from discord.app_commands import Range, locale_str

from adapters.discord.asking import Asked, obey
from bot.commands import Place
from bot.desk import Desk, Reply, Request
from bot.wording import phrase

LONGEST = 40


@app_commands.describe(code=locale_str(phrase("The code that your other account shows")))
@app_commands.rename(code=locale_str("code", id="kode"))
async def link(interaction: Asked, code: Range[str, 0, LONGEST] = "") -> None:
    """Show a code, or enter the one that another account shows."""
    await obey(interaction, lambda desk, _, request: _alone(desk, request, "link", code))


async def unlink(interaction: Asked) -> None:
    """Separate this account from the others."""
    await obey(interaction, lambda desk, _, request: _alone(desk, request, "unlink", ""))


CALLBACKS: dict[str, Callable[..., Any]] = {"link": link, "unlink": unlink}


async def _alone(desk: Desk, request: Request, name: str, rest: str) -> Reply | None:
    """Obey in private: nobody else in the channel sees what was typed, or the reply."""
    return await desk.obey(replace(request, place=Place.PRIVATE), name, rest)
