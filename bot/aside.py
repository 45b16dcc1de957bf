"""Aside: work that takes longer than a moment, done in a thread, a little of it at a time."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE = 2
SECONDS = 60.0
"""Nobody waits longer; what a thread is still doing then comes to nothing."""


class Aside:
    """Does work in threads, so that everybody else is served meanwhile."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._free = asyncio.Semaphore(AT_ONCE)

    async def do(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Give what a piece of work gives. Raises TimeoutError if it takes too long."""
        async with self._free:
            return await asyncio.wait_for(asyncio.to_thread(work, *given, **named), SECONDS)
