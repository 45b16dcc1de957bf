"""Serving: the chats of one process from their start to their end, and the signs of life it gives.

A chat that only one process may run at a time (polling Telegram; Discord, or a range of its
shards) waits until it leads. Whoever dies is followed by who waits; sessions that nobody looks
after any more are looked for every few seconds.
"""

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from adapters.cli.wiring import Kit
from bot.desk import Desk
from bot.errors import KuisError, StoreError
from bot.host import Host
from bot.ports import Chat, Store
from bot.watching import Unwatched, Watcher
from bot.wording import words

_log = logging.getLogger(__name__)

STOP_SECONDS = 8.0
LAST_SECONDS = 9.5
SWEEP_SECONDS = 5.0
STAND_BY_SECONDS = 1.0
TIDY_EVERY = timedelta(days=1)


class Served(Chat, Protocol):
    """A chat that runs in this process."""

    async def start(self, *, host: Host, desk: Desk, store: Store) -> None:
        """Connect; panels can be shown afterwards. Raises KuisError."""

    async def serve(self) -> None:
        """Take in what people do, until `stop`."""

    async def stop(self) -> None:
        """Take nothing in any more, and let what is under way end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """A chat to be run, and the name under which only one process may; empty: any number."""

    chat: Served
    lead: str = ""


async def serve(kit: Kit, runners: Mapping[str, Runner]) -> None:
    """Run chats until the process is told to stop. A chat that fails ends the others.

    SIGTERM and Ctrl-C end it politely; a second one at once. Raises KuisError.
    """
    stopped = asyncio.Event()
    _on_signals(stopped)
    async with _watched(kit, runners) as (watcher, states):
        service = Service(kit=kit, runners=runners, watcher=watcher, states=states)
        await service.run(stopped)


class Service:
    """The chats of this process; `states` says how each of them is."""

    def __init__(
        self,
        *,
        kit: Kit,
        runners: Mapping[str, Runner],
        watcher: Watcher,
        states: dict[str, str],
    ) -> None:
        """Make the host that all of them share."""
        self._kit = kit
        self._runners = runners
        self._states = states
        self._host = kit.host({name: one.chat for name, one in runners.items()}, watcher)
        self._desk = kit.desk(self._host)

    async def run(self, stopped: asyncio.Event) -> None:
        """Run every chat until told to stop, or until one of them fails."""
        running = [asyncio.create_task(self._run(name)) for name in self._runners]
        waiting = asyncio.create_task(stopped.wait())
        tasks: list[asyncio.Task[Any]] = [
            *running,
            waiting,
            asyncio.create_task(self._sweep()),
            asyncio.create_task(self._do_what_is_due()),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._states.update(dict.fromkeys(self._runners, "stopping"))
            await self._stop(tasks)

    async def _run(self, name: str) -> None:
        """Wait until this chat is ours to run, go on with what was under way, and serve."""
        runner = self._runners[name]
        await self._wait_to_lead(name, runner.lead)
        self._states[name] = "starting"
        await runner.chat.start(host=self._host, desk=self._desk, store=self._kit.store)
        taken = await self._host.recover({name})
        self._states[name] = "serving"
        _log.info("serving", extra={"chat": name, "sessions": taken})
        await runner.chat.serve()

    async def _wait_to_lead(self, name: str, lead: str) -> None:
        while lead and not await self._kit.store.lead(lead):
            if self._states[name] != "standing by":
                self._states[name] = "standing by"
                _log.warning("another process runs this chat; standing by", extra={"chat": name})
            await asyncio.sleep(STAND_BY_SECONDS)

    async def _sweep(self) -> None:
        """See every few seconds whether we still lead, and whether anybody left sessions behind."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                for name in self._serving():
                    await self._still_leads(name)
                if taken := await self._host.recover(self._serving()):
                    _log.warning("took over", extra={"sessions": taken})
            except StoreError as error:
                _log.warning("the store is out of reach", extra={"why": str(error)})
            except KuisError:
                raise
            except Exception:  # noqa: BLE001 - an edge: logged, and tried again
                _log.exception("sweep failed")

    async def _do_what_is_due(self) -> None:
        """Do every few seconds what nobody asks for, and tidy up once a day."""
        clock, kept = self._kit.clock, self._kit.settings.kept
        tidied = datetime.min.replace(tzinfo=UTC)
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._desk.tick(self._serving())
                if clock.now() - tidied > TIDY_EVERY:
                    tidied = clock.now()
                    gone = await self._kit.store.tidy(tidied, kept)
                    _log.info("tidied", extra=asdict(gone))
            except StoreError as error:
                _log.warning("the store is out of reach", extra={"why": str(error)})
            except Exception:  # noqa: BLE001 - an edge: logged, and tried again
                _log.exception("not done")

    def _serving(self) -> set[str]:
        return {name for name, state in self._states.items() if state == "serving"}

    async def _still_leads(self, name: str) -> None:
        lead = self._runners[name].lead
        if lead and not await self._kit.store.lead(lead):
            language = words(self._kit.settings.spoken)
            raise KuisError(
                language.say(
                    "Another process has taken over {chat}. Start this one again to stand by.",
                    chat=name,
                )
            )

    async def _stop(self, tasks: list[asyncio.Task[Any]]) -> None:
        """Take nothing in any more, finish, and free the sessions for whoever comes next."""
        with contextlib.suppress(TimeoutError, StoreError):
            async with asyncio.timeout(STOP_SECONDS):
                chats = [runner.chat for runner in self._runners.values()]
                await asyncio.gather(*(chat.stop() for chat in chats), return_exceptions=True)
                await self._host.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def _watched(
    kit: Kit, runners: Mapping[str, Runner]
) -> AsyncIterator[tuple[Watcher, dict[str, str]]]:
    """Open the lookout, if a port is set for it."""
    states = dict.fromkeys(runners, "starting")
    port = kit.settings.watched_at
    if not port:
        yield Unwatched(), states
        return
    from adapters.watching import Counts, Lookout  # noqa: PLC0415 - loaded if wanted

    counts = Counts()
    lookout = Lookout(counts=counts, store=kit.store, states=lambda: states)
    await lookout.open(port)
    try:
        yield counts, states
    finally:
        await lookout.close()


def _on_signals(stopped: asyncio.Event) -> None:
    def stop() -> None:
        if stopped.is_set():
            os._exit(1)
        stopped.set()
        last = threading.Timer(LAST_SECONDS, os._exit, [1])  # a store that hangs ends here
        last.daemon = True
        last.start()

    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows knows only Ctrl-C
            loop.add_signal_handler(name, stop)
