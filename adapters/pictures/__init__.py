"""Pictures: posters drawn with matplotlib, which is loaded when the first one is wanted."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from bot.posters import Poster

__all__ = ["Studio"]

Done = TypeVar("Done")


class Studio:
    """A workshop in threads: the event loop goes on while one picture at a time is drawn."""

    def __init__(self) -> None:
        """Wait for orders."""
        self._one = asyncio.Lock()

    async def apart(self, work: Callable[[], Done]) -> Done:
        """Do some work in a thread."""
        return await asyncio.to_thread(work)

    async def picture(self, poster: Poster, *, dark: bool) -> bytes | None:
        """Draw a poster as PNG, in a thread: the first takes a second, others a fraction."""
        async with self._one:
            return await asyncio.to_thread(_drawn, poster, dark=dark)


def _drawn(poster: Poster, *, dark: bool) -> bytes:
    from adapters.pictures.drawing import draw  # noqa: PLC0415 - half a second and 30 MB

    return draw(poster, dark=dark)
