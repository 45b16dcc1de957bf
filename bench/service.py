"""What a service costs that does nothing: memory for stored sessions, and a cold start.

python -m bench.service
"""

import asyncio
import gc
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from adapters import packs
from adapters.clock import SystemClock
from adapters.settings import ROOT
from adapters.storage import SqlStore, open_store
from adapters.storage.database import Database, parse_url
from adapters.storage.rows import session_row
from adapters.storage.schema import aliases, rooms, sessions
from bench.responses import sample_session
from bot.host import Host
from bot.session import Phase
from tests.fakes.bot_api import BotApi
from tests.helpers.doubles import Recorder
from tests.helpers.services import started

STORED, ACTIVE, ROUNDS = 100_000, 2_000, 5
BARE = "import telegram, sqlalchemy.ext.asyncio, aiosqlite, pydantic_settings, aiohttp, structlog"


async def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        await _memory(f"sqlite:///{folder}/memory.db")
        await _start(Path(folder))


async def _memory(url: str) -> None:
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
        host = Host(
            store=store,
            clock=SystemClock(),
            library=packs.load([ROOT / "questions"]).library,
            chats={"bench": Recorder()},
            seeds=iter(range(10**9)).__next__,
        )
        empty = _resident()
        await _fill(url, "idle", STORED, Phase.PAUSED)
        await host.recover()
        idle = _resident()
        await _fill(url, "open", ACTIVE, Phase.OPEN)
        taken = await host.recover()
        active = _resident()
        await host.close()
    print(f"{STORED:,} sessions that rest     {(idle - empty) / STORED:8.0f} bytes each")
    print(f"{taken:,} sessions under way    {(active - idle) / taken:8.0f} bytes each")


async def _fill(url: str, name: str, count: int, phase: Phase) -> None:
    database = Database(parse_url(url))
    async with database.writing() as connection:
        for start in range(0, count, 10_000):
            numbers = range(start, min(count, start + 10_000))
            ids = [f"{name}{number}" for number in numbers]
            blank = {"title": "", "community": "", "settings": "{}"}
            await connection.execute(rooms.insert(), [{"id": one, **blank} for one in ids])
            named = [
                {"kind": "room", "platform": "bench", "external": one, "target": one} for one in ids
            ]
            await connection.execute(aliases.insert(), named)
            rows = [session_row(replace(sample_session(one, one), phase=phase)) for one in ids]
            await connection.execute(sessions.insert(), rows)
    await database.close()


def _resident() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


async def _start(folder: Path) -> None:
    bare, ready = [], []
    async with BotApi() as api:
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-c", BARE], check=True)  # noqa: ASYNC221, S603
            bare.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            service = await started(folder, api)
            await service.ready()
            ready.append(time.perf_counter() - begun)
            await service.kill()
    ratio = median(one / two for one, two in zip(ready, bare, strict=True))
    print(f"importing the libraries      {median(bare) * 1000:8.0f} ms")
    print(f"until `kuis run` is ready    {median(ready) * 1000:8.0f} ms   x {ratio:.2f} (<= 1.5)")


if __name__ == "__main__":
    asyncio.run(main())
