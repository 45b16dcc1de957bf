"""The slash command of challenges."""

from collections.abc import Callable
from typing import Any

from adapters.discord.asking import Asked, obey


async def challenges(interaction: Asked) -> None:
    """Show what is challenged to who may decide."""
    await obey(interaction, lambda desk, _, request: desk.obey(request, "challenges", ""))


CALLBACKS: dict[str, Callable[..., Any]] = {"challenges": challenges}
