"""A stage: the whole bot in this process, with the real library, against the fake Bot API."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from adapters import packs
from adapters.clock import SystemClock
from adapters.storage import MemoryStore
from adapters.telegram import TelegramChat
from adapters.telegram.pacing import Pace
from bot.desk import Desk
from bot.host import Host
from bot.packs import Library, Pack
from bot.people import Alias
from bot.ports import Clock, Store
from bot.session import Session
from tests.fakes.bot_api import TOKEN, BotApi
from tests.fakes.telegram_world import Person, Poll
from tests.helpers.doubles import Watch

SEED_QUIZ = Path(__file__).parents[2] / "questions" / "machine-learning"
QUICK = Pace(burst=1000, chat_per_second=1000, group_per_minute=10_000, per_second=10_000)
PATIENCE = 10.0
T = TypeVar("T")


class Spectator:
    """Somebody who sees what the bot says, and waits for it."""

    def __init__(self, api: BotApi) -> None:
        self.api = api
        self.world = api.world
        self._seen: dict[int, int] = {}
        self.patience = PATIENCE

    async def slowly(self, waiting: Awaitable[T]) -> T:
        """Wait for something that takes as long as a question does."""
        before, self.patience = self.patience, 40.0
        try:
            return await waiting
        finally:
            self.patience = before

    def check(self) -> None:
        """Raise if the bot has come to an end by itself."""

    async def until(self, what: Callable[[], Any]) -> Any:
        """Wait for something to become true, and give it."""
        for _ in range(round(self.patience / 0.005)):
            self.check()
            if found := what():
                return found
            await asyncio.sleep(0.005)
        raise AssertionError(f"waited in vain; the bot said:\n{self.api.transcript()}")  # noqa: EM102, TRY003

    async def quiet(self, seconds: float = 0.15) -> None:
        """Wait until everything the bot heard is handled and nothing more is said."""
        calm = 0.0
        before = -1
        while calm < seconds:
            await asyncio.sleep(0.01)
            now = len(self.api.calls)
            calm = calm + 0.01 if now == before and not self.api.unheard else 0.0
            before = now

    async def new(self, chat: Any, count: int = 1) -> list[dict[str, Any]]:
        """Wait for so many more messages of the bot in a chat, and give the next ones."""
        seen = self._seen.setdefault(chat.id, 0)
        await self.until(lambda: len(self.world.by_bot(chat)) >= seen + count)
        found = self.world.by_bot(chat)[seen : seen + count]
        self._seen[chat.id] = seen + len(found)
        return found

    async def none(self, chat: Any) -> bool:
        """Tell whether the bot, when all is quiet, has said nothing more in a chat."""
        await self.quiet()
        return len(self.world.by_bot(chat)) == self._seen.get(chat.id, 0)

    def poll_of(self, message: dict[str, Any]) -> Poll:
        return self.world.polls[message["poll"]["id"]]


class Stage(Spectator):
    """A Telegram and a bot in it; `library` is what can be played."""

    def __init__(self, api: BotApi, *packs_: Pack, clock: Clock | None = None, **more: Any) -> None:
        super().__init__(api)
        self.clock = clock or SystemClock()
        self.store: Store = more.pop("store", None) or MemoryStore()
        self.library = Library(packs_) if packs_ else packs.load([SEED_QUIZ]).library
        self.seeds = random.Random(more.pop("seed", 11))  # noqa: S311 - draws, not secrets
        self.language = more.pop("language", "en")
        self.workshop = more.pop("workshop", None)
        self.settings = {"pace": QUICK} | more
        if isinstance(self.clock, Watch):
            self.world.now = lambda: self.clock.now().timestamp()

    async def open(self) -> None:
        self.chat = TelegramChat(
            token=TOKEN, api_url=self.api.url, clock=self.clock, **self.settings
        )
        self.host = Host(
            store=self.store,
            clock=self.clock,
            library=self.library,
            chats={"telegram": self.chat},
            seeds=lambda: self.seeds.randrange(2**53),
            language=self.language,
        )
        self.desk = Desk(
            host=self.host,
            store=self.store,
            library=self.library,
            clock=self.clock,
            language=self.language,
            workshop=self.workshop,
        )
        await self.chat.start(host=self.host, desk=self.desk, store=self.store)
        await self.host.recover()
        self.serving = asyncio.create_task(self.chat.serve())

    async def close(self) -> None:
        await self.chat.stop()
        await self.serving
        await self.host.close()

    def check(self) -> None:
        if self.serving.done():
            self.serving.result()

    async def pass_time(self, seconds: float) -> None:
        """Move the clock, where it is one that can be moved."""
        assert isinstance(self.clock, Watch)
        await self.quiet(0.05)
        await self.clock.move_to(self.clock.now() + timedelta(seconds=seconds))

    async def session(self, chat: Any, owner: Person | None = None, thread: int = 0) -> Session:
        """Give the session of a room that is not finished."""
        alias = Alias(platform="telegram", external=f"{chat.id}" + (f"/{thread}" if thread else ""))
        room = await self.store.room(alias)
        who = None
        if owner:
            person = Alias(platform="telegram", external=str(owner.id))
            who = (await self.store.participant(person)).id
        found = await self.store.open_session(room.id, who)
        assert found
        return found


@asynccontextmanager
async def staged(*packs_: Pack, **more: Any):
    """Open a stage for a block."""
    async with BotApi() as api:
        stage = Stage(api, *packs_, **more)
        await stage.open()
        try:
            yield stage
        finally:
            await stage.close()


async def asked(stage: Stage, person: Person, wish: str = "/quiz") -> dict[str, Any]:
    """Have a person start a quiz in their own chat, and give its first question."""
    stage.world.say(person, wish)
    (question,) = await stage.new(person)
    return question
