"""`kuis run telegram` as a child process, against the fake Bot API of the test."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.storage import open_store
from bot.people import Alias
from bot.ports import Response
from tests.fakes.bot_api import TOKEN, BotApi
from tests.fakes.telegram_world import Person
from tests.helpers.telegrams import Spectator

START_SECONDS = 20.0


class Child(Spectator):
    """A process that can be killed and started again over the same database."""

    def __init__(self, api: BotApi, folder: Path, **more: str) -> None:
        super().__init__(api)
        self.database = f"sqlite+aiosqlite:///{folder / 'kuis.db'}"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TELEGRAM_TOKEN": TOKEN,
            "TELEGRAM_API_URL": api.url,
            "DATABASE_URL": self.database,
            "KUIS_LANGUAGE": "en",
            "KUIS_LOG": "info",
            "PYTHONWARNINGS": "default",
            **more,
        }
        self.log = folder / "log"

    async def start(self, *, ready: bool = True) -> None:
        before = self.api.polled
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", "telegram", env=self.environment, stderr=log
            )
        if ready:
            async with asyncio.timeout(START_SECONDS):
                await self.until(lambda: self.api.polled > before)

    def check(self) -> None:
        if self.process.returncode not in {None, 0, -9}:
            raise AssertionError(self.log.read_text()[-4000:])

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        for fault in self.api.faults:
            fault.times = 0
            fault.release.set()

    async def end(self) -> int:
        """Ask it politely to end, and give its exit code."""
        if self.process.returncode is None:
            self.process.terminate()
        async with asyncio.timeout(START_SECONDS):
            return await self.process.wait()

    async def responses(self, person: Person) -> list[Response]:
        """Read what is stored of a person's answers, over all sessions."""
        async with await open_store(self.database) as store:
            alias = Alias(platform="telegram", external=str(person.id))
            who = await store.participant(alias)
            return [one for _, given in await store.history(who.id) for one in given]


@asynccontextmanager
async def child(folder: Path, **more: Any) -> AsyncIterator[Child]:
    """Run a process for a block."""
    async with BotApi() as api:
        made = Child(api, folder, **more)
        await made.start()
        try:
            yield made
        finally:
            await made.kill()
