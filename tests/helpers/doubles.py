"""A chat that remembers and a clock that stands still: stand-ins for the world."""

import asyncio
from datetime import datetime

from bot.errors import DeliveryError
from bot.panels import Panel, Role
from bot.ports import Post
from tests.helpers.samples import NOON


class Recorder:
    """A chat that keeps what it was asked to show; `refuse` makes it fail with a reason."""

    def __init__(self) -> None:
        self.posts: list[Post] = []
        self.refuse: dict[Role, str] = {}

    async def show(self, post: Post) -> str:
        await asyncio.sleep(0)
        if reason := self.refuse.get(post.panel.role):
            raise DeliveryError(reason, "by the test")
        self.posts.append(post)
        return f"m{len(self.posts)}"

    def panels(self, role: Role | None = None) -> list[Panel]:
        return [p.panel for p in self.posts if role is None or p.panel.role is role]

    @property
    def last(self) -> Post:
        return self.posts[-1]


class Watch:
    """A clock that moves when it is told to, and rings what is due then."""

    def __init__(self) -> None:
        self._now = NOON
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        return self._now

    async def sleep_until(self, at: datetime) -> None:
        while self._now < at:
            await self._moved.wait()

    async def move_to(self, at: datetime) -> None:
        """Move on, and let everything that follows from it happen."""
        self._now = at
        self._moved.set()
        self._moved = asyncio.Event()
        await settle()


async def settle() -> None:
    """Let everything that can run do so."""
    for _ in range(200):
        await asyncio.sleep(0)
