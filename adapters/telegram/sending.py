"""Sending: every call that speaks in a chat passes here, and fails in words the engine knows."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from adapters.telegram.pacing import Lanes, Urgency
from adapters.telegram.troubles import never_sent, wrapped
from bot.effects import Trouble
from bot.errors import DeliveryError
from bot.ports import Clock

_log = logging.getLogger(__name__)

TRIES = 4
LONGEST_PAUSE = 300.0
T = TypeVar("T")
Call = Callable[[int], Awaitable[T]]
Moved = Callable[[int, int], Awaitable[None]]


class Sender:
    """Speaks in chats, as fast as they allow."""

    def __init__(self, *, lanes: Lanes, clock: Clock, moved: Moved) -> None:
        """Take the lanes, the clock, and who is told that a group has a new id."""
        self._lanes = lanes
        self._clock = clock
        self._moved = moved
        self._new_ids: dict[int, int] = {}
        self._under_way = 0
        self._closed = False

    async def close(self, seconds: float) -> None:
        """Let what is on the wire arrive, and keep back everything after it.

        What is kept back never comes to its end, as if the program had died there: the sessions
        stay as they are stored, and the next start says what was left to say.
        """
        self._closed = True
        for _ in range(round(seconds / 0.05)):
            if not self._under_way:
                return
            await asyncio.sleep(0.05)

    def here(self, chat_id: int) -> int:
        """Give the id a chat has now."""
        return self._new_ids.get(chat_id, chat_id)

    def remember_move(self, old: int, new: int) -> None:
        """Send what is still under way to the new id."""
        self._new_ids[old] = new

    def spare(self, chat_id: int, needed: int) -> bool:
        """Tell whether a chat can take a little more than it has to."""
        return self._lanes.lane(self.here(chat_id)).left >= needed

    async def send(self, chat_id: int, urgency: Urgency, call: Call[T]) -> T:
        """Make a call when it is its turn; it may be made again with another chat id.

        Raises DeliveryError; PerhapsDelivered if nobody can know whether it had its effect.
        """
        lane = self._lanes.lane(self.here(chat_id))
        async with lane.turn(urgency):
            await self._lanes.everyone()
            tries = TRIES
            while True:
                tries -= 1
                try:
                    return await self._on_the_wire(call, self.here(chat_id))
                except RetryAfter as error:
                    await self._pause(lane.pause, error, tries)
                except ChatMigrated as error:
                    await self._move(chat_id, error, tries)
                except (BadRequest, Forbidden) as error:
                    raise wrapped(error) from error
                except NetworkError as error:
                    if tries <= 0 or not never_sent(error):
                        raise wrapped(error) from error
                    await self._wait(2.0 ** (TRIES - tries - 1))
                except TelegramError as error:
                    raise wrapped(error) from error
                lane.take()

    async def _on_the_wire(self, call: Call[T], chat_id: int) -> T:
        if self._closed:
            await _for_ever()
        self._under_way += 1
        try:
            return await call(chat_id)
        except NetworkError:
            if self._closed:
                await _for_ever()
            raise
        finally:
            self._under_way -= 1

    async def _pause(
        self, pause: Callable[[float], Awaitable[None]], error: RetryAfter, tries: int
    ) -> None:
        after = error.retry_after
        seconds = after.total_seconds() if isinstance(after, timedelta) else float(after)
        _log.warning("told to wait", extra={"seconds": seconds})
        if tries <= 0 or seconds > LONGEST_PAUSE:
            raise DeliveryError(Trouble.UNREACHABLE.value, f"retry after {seconds} s") from error
        await pause(seconds + 0.1)

    async def _move(self, chat_id: int, error: ChatMigrated, tries: int) -> None:
        if tries <= 0:
            raise DeliveryError(Trouble.ROOM_GONE.value, str(error)) from error
        self.remember_move(chat_id, error.new_chat_id)
        await self._moved(chat_id, error.new_chat_id)

    async def _wait(self, seconds: float) -> None:
        await self._clock.sleep_until(self._clock.now() + timedelta(seconds=seconds))


async def _for_ever() -> None:
    await asyncio.Event().wait()
