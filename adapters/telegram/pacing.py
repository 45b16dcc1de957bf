"""Pacing: how fast Telegram lets a bot speak, in each chat and in all of them together.

About one message a second in a chat, with short bursts; 20 operations a minute in a group, edits
included; about 30 a second everywhere (PLATFORMS.md A.6).
"""

import asyncio
import heapq
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from itertools import count

from bot.ports import Clock

REMEMBERED = 4096


class Urgency(IntEnum):
    """What goes first when a chat may not take everything at once."""

    QUIZ = 0
    REPLY = 1
    CHATTER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The speeds: a chat's own by the second and (in groups) by the minute, and everything's."""

    burst: int = 4
    chat_per_second: float = 1.0
    group_per_minute: int = 20
    per_second: float = 30.0


class Bucket:
    """Tokens that fill up evenly; times are seconds."""

    def __init__(self, *, size: float, per_second: float, now: float) -> None:
        """Begin full."""
        self._size = size
        self._rate = per_second
        self._tokens = size
        self._at = now

    def wait(self, now: float) -> float:
        """Give the seconds until there is a token."""
        self._fill(now)
        return max(0.0, (1 - self._tokens) / self._rate)

    def take(self, now: float) -> None:
        """Take a token, also one that is not there yet."""
        self._fill(now)
        self._tokens -= 1

    def _fill(self, now: float) -> None:
        self._tokens = min(self._size, self._tokens + max(0.0, now - self._at) * self._rate)
        self._at = now


class Minute:
    """At most so many in any 60 seconds."""

    def __init__(self, most: int) -> None:
        """Begin empty."""
        self._most = most
        self._taken: deque[float] = deque()

    def wait(self, now: float) -> float:
        """Give the seconds until one more fits."""
        while self._taken and now - self._taken[0] >= 60:  # noqa: PLR2004 - a minute
            self._taken.popleft()
        return 60 - (now - self._taken[0]) if len(self._taken) >= self._most else 0.0

    def take(self, now: float) -> None:
        """Count one."""
        self._taken.append(now)

    def left(self, now: float) -> int:
        """Give how many more fit now."""
        self.wait(now)
        return self._most - len(self._taken)


class Lane:
    """The sends of one chat: one after another, the urgent ones first, none too soon."""

    def __init__(self, *, clock: Clock, pace: Pace, group: bool) -> None:
        """Begin with an empty lane."""
        self._clock = clock
        now = clock.now().timestamp()
        self._bucket = Bucket(size=pace.burst, per_second=pace.chat_per_second, now=now)
        self._minute = Minute(pace.group_per_minute) if group else None
        self._waiting: list[tuple[int, int]] = []
        self._numbers = count()
        self._busy = False
        self._news = asyncio.Event()
        self._paused_until = 0.0

    @property
    def idle(self) -> bool:
        """Tell whether nothing waits or goes out here."""
        return not self._busy and not self._waiting

    @property
    def left(self) -> int:
        """Give how many operations the chat's minute still takes."""
        return self._minute.left(self._now()) if self._minute else self._bucket_left()

    @asynccontextmanager
    async def turn(self, urgency: Urgency) -> AsyncIterator[None]:
        """Wait for one's turn, and let the next one go after the block."""
        ticket = (int(urgency), next(self._numbers))
        heapq.heappush(self._waiting, ticket)
        try:
            await self._until_first(ticket)
        except BaseException:
            self._waiting.remove(ticket)
            heapq.heapify(self._waiting)
            self._tell()
            raise
        try:
            yield
        finally:
            self._busy = False
            self._tell()

    def take(self) -> None:
        """Count one more operation within a turn."""
        now = self._now()
        self._bucket.take(now)
        if self._minute:
            self._minute.take(now)

    async def pause(self, seconds: float) -> None:
        """Be silent for a while, as Telegram asks; only this chat waits."""
        self._paused_until = self._now() + seconds
        await self._sleep(seconds)

    async def _until_first(self, ticket: tuple[int, int]) -> None:
        while True:
            if self._busy or self._waiting[0] != ticket:
                await self._news.wait()
            elif (wait := self._wait()) > 0:
                await self._sleep(wait)
            else:
                heapq.heappop(self._waiting)
                self._busy = True
                return self.take()

    def _wait(self) -> float:
        now = self._now()
        minute = self._minute.wait(now) if self._minute else 0.0
        return max(self._bucket.wait(now), minute, self._paused_until - now)

    def _bucket_left(self) -> int:
        return 0 if self._bucket.wait(self._now()) else 1

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def _now(self) -> float:
        return self._clock.now().timestamp()

    async def _sleep(self, seconds: float) -> None:
        await self._clock.sleep_until(self._clock.now() + timedelta(seconds=seconds))


class Lanes:
    """The lanes of all chats, and the bucket they share."""

    def __init__(self, *, clock: Clock, pace: Pace) -> None:
        """Take the clock that is waited on, and the speeds."""
        self._clock = clock
        self._pace = pace
        self._lanes: OrderedDict[int, Lane] = OrderedDict()
        now = clock.now().timestamp()
        self._all = Bucket(size=pace.per_second, per_second=pace.per_second, now=now)

    def lane(self, chat_id: int) -> Lane:
        """Give the lane of a chat; ids below zero are groups and channels."""
        lane = self._lanes.get(chat_id)
        if lane is None:
            lane = Lane(clock=self._clock, pace=self._pace, group=chat_id < 0)
            self._lanes[chat_id] = lane
        self._lanes.move_to_end(chat_id)
        if len(self._lanes) > REMEMBERED:
            self._drop_idle()
        return lane

    async def everyone(self) -> None:
        """Wait until the bot as a whole may speak."""
        now = self._clock.now()
        wait = self._all.wait(now.timestamp())
        self._all.take(now.timestamp())
        if wait > 0:
            await self._clock.sleep_until(now + timedelta(seconds=wait))

    def _drop_idle(self) -> None:
        oldest = list(self._lanes)[: REMEMBERED // 2]
        for chat_id in oldest:
            if self._lanes[chat_id].idle:
                del self._lanes[chat_id]
