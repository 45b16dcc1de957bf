"""The Procfile does what a host makes of it: prepares the database, then runs the bot."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from adapters.storage import HEAD, info
from tests.fakes.bot_api import BotApi
from tests.helpers.services import PROJECT, Service, environment, free_port

HONCHO = (sys.executable, "-m", "honcho", "-f", str(PROJECT / "Procfile"), "-d", str(PROJECT))


async def honcho(env: dict[str, str], *arguments: str) -> asyncio.subprocess.Process:
    scripts = str(Path(sys.executable).parent)
    return await asyncio.create_subprocess_exec(
        *HONCHO,
        *arguments,
        env=env | {"PATH": f"{scripts}{os.pathsep}{env['PATH']}"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_release_then_worker_and_an_end_in_order(tmp_path: Path):
    async with BotApi() as api:
        env = environment(tmp_path, api)
        port = free_port()
        release = await honcho(env, "start", "release")
        _, said = await release.communicate()
        assert release.returncode == 0, said.decode()
        assert (await info(env["DATABASE_URL"]))["revision"] == HEAD

        worker = Service(await honcho(env, "start", "-p", str(port), "worker"), port)
        ready = await worker.ready()
        worker.send(signal.SIGTERM)
        await worker.ended()

    assert "telegram: serving" in ready
    assert api.made("getMe")
