"""`kuis run discord` as a process of its own, that can be killed and started again."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.helpers.discord_wire import PATIENCE, TOKEN, WireDiscord, until

ROOT = Path(__file__).parent.parent.parent


@dataclass(kw_only=True)
class Process:
    """`kuis run discord` as a process of its own."""

    wire: WireDiscord
    folder: Path
    token: str = TOKEN
    chats: tuple[str, ...] = ("discord",)
    more: dict[str, str] = field(default_factory=dict)
    child: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait until it has said hello to the gateway."""
        before = self.wire.identified
        self.child = await self.spawn()
        await until(lambda: self.wire.identified > before, child=self.child)
        await asyncio.sleep(0.7)  # what was under way is taken up after that

    async def spawn(self) -> asyncio.subprocess.Process:
        """Start it."""
        environment = {
            **os.environ,
            "DISCORD_TOKEN": self.token,
            "TELEGRAM_TOKEN": "",
            "DATABASE_URL": f"sqlite:///{self.folder}/kuis.db",
            "KUIS_LANGUAGE": "en",
            "KUIS_TEST_DISCORD": str(self.wire.port),
            "PYTHONWARNINGS": "ignore",
            **self.more,
        }
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.helpers.discord_launch",
            "run",
            *self.chats,
            cwd=ROOT,
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def kill(self) -> None:
        """End it as a power failure would."""
        assert self.child
        self.child.kill()
        await self.child.wait()
        self.wire._send = None  # noqa: SLF001 - its socket is gone

    async def end(self) -> tuple[int, str]:
        """Ask it to end, and give its exit code and what it complained about."""
        assert self.child
        if self.child.returncode is None:
            self.child.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            _, complaint = await self.child.communicate()
        return self.child.returncode or 0, complaint.decode()


@contextlib.asynccontextmanager
async def connected(folder: Path) -> AsyncIterator[tuple[WireDiscord, Process]]:
    """Give a Discord and a bot that is connected to it."""
    wire = WireDiscord()
    await wire.start()
    process = Process(wire=wire, folder=folder)
    try:
        await process.start()
        yield wire, process
    finally:
        if process.child and process.child.returncode is None:
            process.child.kill()
            await process.child.wait()
        await wire.stop()
