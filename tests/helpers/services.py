"""`kuis run` as a real child process, against the fake Bot API of the test."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from tests.fakes.bot_api import TOKEN, BotApi

PROJECT = Path(__file__).parents[2]
PATIENCE = 20.0
GROUP = -1001234567890


class Service:
    """A running bot: what it says, how it is, and signals for it."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.process = process
        self.port = port
        self.log: list[str] = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stderr
        async for line in self.process.stderr:
            self.log.append(line.decode())

    @property
    def said(self) -> str:
        return "".join(self.log)

    async def get(self, path: str) -> tuple[int, str]:
        async with (
            ClientSession() as client,
            client.get(f"http://127.0.0.1:{self.port}{path}") as answer,
        ):
            return answer.status, await answer.text()

    async def ready(self) -> str:
        """Wait until it serves (or stands by), and give what it says."""
        for _ in range(round(PATIENCE / 0.05)):
            assert self.process.returncode is None, self.said
            try:
                status, text = await self.get("/readyz")
            except OSError:
                status, text = 0, ""
            if status == 200:
                return text
            await asyncio.sleep(0.05)
        raise AssertionError(self.said)

    async def metric(self, name: str) -> float:
        """Give the sum of a metric over all its labels."""
        _, text = await self.get("/metrics")
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if line[:1] not in {"", "#"})
        return sum(float(value) for key, value in lines if key.partition("{")[0] == name)

    def send(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)

    async def ended(self, seconds: float = 12.0) -> int:
        async with asyncio.timeout(seconds):
            code = await self.process.wait()
            await self._reading
        return code

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.send(signal.SIGCONT)
            self.send(signal.SIGKILL)
        await self.process.wait()
        await self._reading


def environment(folder: Path, api: BotApi, **more: str) -> dict[str, str]:
    """Give the environment of a bot that knows nothing but what a test tells it."""
    return {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(PROJECT),
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_API_URL": api.url,
        "DATABASE_URL": f"sqlite:///{folder}/kuis.db",
        "KUIS_LANGUAGE": "en",
        "KUIS_TIME_ZONE": "UTC",
        **more,
    }


async def started(folder: Path, api: BotApi, *chats: str, **more: str) -> Service:
    """Start a bot; its health is on a free port."""
    port = int(more.pop("KUIS_HEALTH_PORT", "") or free_port())
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "run",
        *(chats or ("telegram",)),
        env=environment(folder, api, KUIS_HEALTH_PORT=str(port), **more),
        cwd=folder,
        stderr=asyncio.subprocess.PIPE,
    )
    return Service(process, port)


@asynccontextmanager
async def running(folder: Path, api: BotApi, *chats: str, **more: str) -> AsyncIterator[Service]:
    """Run a bot for a block, from when it is ready."""
    service = await started(folder, api, *chats, **more)
    try:
        await service.ready()
        yield service
    finally:
        await service.kill()


async def until(what: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait for something to become true, and give it."""
    for _ in range(round(seconds / 0.01)):
        if found := what():
            return found
        await asyncio.sleep(0.01)
    raise AssertionError("waited in vain")  # noqa: EM101, TRY003


async def quiz(api: BotApi):
    """Have the admin of a group start a live quiz, and give the first poll."""
    world = api.world
    ani = world.person(1001, "Ani Secretname")
    group = world.group(GROUP, "Study group", admins={ani.id})
    world.say(ani, "/quiz gradient", group)
    card = (await until(lambda: world.by_bot(group)))[0]
    world.press(ani, card, "Start")
    poll = await until(lambda: next((m for m in world.by_bot(group) if "poll" in m), None))
    await asyncio.sleep(0.3)  # until the bot, too, knows that it was delivered
    return group, poll


async def until_serving(service: Service) -> None:
    for _ in range(200):
        with suppress(OSError):
            if "telegram: serving" in (await service.get("/readyz"))[1]:
                return
        await asyncio.sleep(0.1)
    raise AssertionError(service.said)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
