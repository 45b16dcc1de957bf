"""The workshop: work that would keep everybody waiting, and pictures."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from bot.posters import Poster

Done = TypeVar("Done")


class Workshop(Protocol):
    """Where work is done that takes more than a moment, while everything else goes on."""

    async def apart(self, work: Callable[[], Done]) -> Done:
        """Do some work (pure: it shares nothing that changes) and give what comes of it."""

    async def picture(self, poster: Poster, *, dark: bool) -> bytes | None:
        """Draw a poster as PNG, for a light or a dark background; None where nobody can."""


class Corner:
    """A workshop without tools: work is done on the spot, and pictures are not drawn."""

    async def apart(self, work: Callable[[], Done]) -> Done:
        """Do the work at once."""
        return work()

    async def picture(self, poster: Poster, *, dark: bool) -> bytes | None:  # noqa: ARG002 - the port
        """Draw nothing."""
        return None
