"""Timers: one for each session that waits, on our own clock. They ring; who listens decides."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from bot.errors import StoreError
from bot.events import TimeUp
from bot.ids import SessionId
from bot.ports import Clock

_log = logging.getLogger(__name__)

RETRY = timedelta(seconds=2)
LANES = 16

Listener = Callable[[SessionId, TimeUp], Awaitable[None]]


class Timers:
    """The timers of one process. What is due is stored with the sessions, so none is ever lost."""

    def __init__(self, *, clock: Clock, listener: Listener) -> None:
        """Take the clock that is waited on, and who is told."""
        self._clock = clock
        self._listener = listener
        self._tasks: dict[SessionId, asyncio.Task[None]] = {}

    def set(self, session: SessionId, turn: int, at: datetime) -> None:
        """Ring at a time; an earlier timer of the session is forgotten."""
        if old := self._tasks.pop(session, None):
            old.cancel()
        task = asyncio.create_task(self._ring(session, turn, at))
        self._tasks[session] = task
        task.add_done_callback(lambda done: self._forget(session, done))

    async def close(self) -> None:
        """Let all timers go."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, session: SessionId, task: asyncio.Task[None]) -> None:
        if self._tasks.get(session) is task:
            del self._tasks[session]

    async def _ring(self, session: SessionId, turn: int, at: datetime) -> None:
        """Wait, then say so; while the store cannot be reached, again and again."""
        await self._clock.sleep_until(at)
        self._tasks.pop(session, None)
        while True:
            try:
                return await self._listener(session, TimeUp(turn=turn, at=self._clock.now()))
            except StoreError:
                _log.exception("timer will try again", extra={"session": session})
                await self._clock.sleep_until(self._clock.now() + RETRY)
            except Exception:  # noqa: BLE001 - an edge: logged, and no other timer is harmed
                _log.exception("timer failed", extra={"session": session})
                return None


async def together(works: Iterable[Awaitable[None]]) -> None:
    """Do pieces of work that wait for the world side by side, sixteen at a time."""
    lanes = asyncio.Semaphore(LANES)

    async def one(work: Awaitable[None]) -> None:
        async with lanes:
            await work

    await asyncio.gather(*map(one, works))
