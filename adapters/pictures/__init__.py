"""Pictures: posters drawn with matplotlib, which is loaded when the first one is wanted."""

import asyncio
import logging
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from bot.posters import Poster

__all__ = ["Studio"]

_log = logging.getLogger(__name__)

Done = TypeVar("Done")
REMEMBERED = 50
"""So many pictures are kept for who looks twice: about 2 MB."""


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
            try:
                return await asyncio.to_thread(_drawn, poster, dark=dark)
            except Exception:  # noqa: BLE001 - the text says the same; why is in the log
                _log.exception("no picture")
                return None


@lru_cache(maxsize=REMEMBERED)
def _drawn(poster: Poster, *, dark: bool) -> bytes:
    from adapters.pictures.drawing import draw  # noqa: PLC0415 - half a second and 30 MB

    return draw(poster, dark=dark)
