"""What a vote in a poll costs: the whole bot against the bare library with an empty handler.

    python -m bench.telegram

Both fetch the same votes over HTTP from the tests' own Bot API server, which runs in a process of
its own: thousands of people who answer one live question after another. Bare is
python-telegram-bot's `Application`, which polls, parses and calls an empty `PollAnswerHandler`.
The bot does all it does: parses, finds the person, grades, commits to SQLite on disk, and
acknowledges only then. Ratios of one run can be trusted, absolute figures cannot: the rounds take
turns.
"""

import asyncio
import contextlib
import itertools
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, ClassVar

from aiohttp import ClientSession, web
from telegram.ext import Application, PollAnswerHandler

from adapters.clock import SystemClock
from adapters.packs import load
from adapters.storage import open_store
from adapters.telegram import TelegramChat
from bot.desk import Desk
from bot.host import Host
from bot.modes import Mode, Rules
from bot.people import Alias
from bot.ports import Store
from bot.wishes import Wish
from tests.fakes.bot_api import TOKEN, BotApi

VOTES = 3_000
ROUNDS = 5
GROUP = -1_000_000_000_000
TARGET = 0.5


async def main() -> None:
    """Measure and print a small table."""
    rates: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        async with served() as server, await open_store(f"sqlite:///{folder}/kuis.db") as store:
            bot = Bot(server, store)
            await bot.open()
            for number in range(-1, ROUNDS):
                ours = await bot.rate(number)
                empty = await by_the_library(server)
                if number >= 0:  # the first one makes everybody's acquaintance
                    rates.append((ours, empty))
            await bot.close()
    ratio = median(ours / empty for ours, empty in rates)
    print("round    bot/s   bare/s  ratio")
    for number, (ours, empty) in enumerate(rates, 1):
        print(f"{number:5} {ours:8.0f} {empty:8.0f} {ours / empty:6.2f}")
    print(f"median ratio {ratio:.2f}, target {TARGET}")
    if "--check" in sys.argv and ratio < TARGET:
        sys.exit(1)


class Bot:
    """The whole bot, as `kuis run` puts it together."""

    def __init__(self, server: "Server", store: Store) -> None:
        """Take where its Bot API is, and its store on disk."""
        clock = SystemClock()
        self._server = server
        self._store = store
        self._library = load([Path("questions")]).library
        self._chat = TelegramChat(token=TOKEN, api_url=server.bots, clock=clock)
        seeds = itertools.count(1000)
        self._host = Host(
            store=store,
            clock=clock,
            library=self._library,
            chats={"telegram": self._chat},
            seeds=lambda: next(seeds),
        )
        self._desk = Desk(host=self._host, store=store, library=self._library, clock=clock)

    async def open(self) -> None:
        """Connect and listen."""
        await self._chat.start(host=self._host, desk=self._desk, store=self._store)
        self._serving = asyncio.create_task(self._chat.serve())

    async def close(self) -> None:
        """End."""
        await self._chat.stop()
        await self._serving
        await self._host.close()

    async def rate(self, number: int) -> float:
        """Give how many votes a second are stored and acknowledged."""
        group = Alias(platform="telegram", external=str(GROUP - number))
        room = await self._store.room(group, title="Bench")
        host = Alias(platform="telegram", external="9")
        starter = await self._store.participant(host, name="Host")
        wish = Wish(pack=self._library.find("gradient"), rules=Rules(mode=Mode.LIVE, seconds=600))
        session = await self._host.start(wish, room=room, by=starter)
        seconds = await self._server.vote()
        tally = await self._store.tally(session.id, 0)  # type: ignore[union-attr] # a fresh room
        if tally.answered != VOTES:
            sys.exit(f"{tally.answered} of {VOTES} votes were counted")
        return VOTES / seconds


async def by_the_library(server: "Server") -> float:
    """Give how many votes a second reach an empty handler."""
    left = VOTES
    empty = asyncio.Event()

    async def handler(*_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            empty.set()

    builder = Application.builder().token(TOKEN).base_url(f"{server.bare}/bot")
    app = builder.base_file_url(f"{server.bare}/file/bot").build()
    app.add_handler(PollAnswerHandler(handler))
    async with app:
        await app.start()
        await app.updater.start_polling(allowed_updates=["poll_answer"])  # type: ignore[union-attr]
        begun = perf_counter()
        await server.again()
        await empty.wait()
        seconds = perf_counter() - begun
        await app.updater.stop()  # type: ignore[union-attr]
        await app.stop()
    return VOTES / seconds


class Server:
    """The process with a Bot API for each side, as seen from here."""

    def __init__(self, bots: str, bare: str, client: ClientSession) -> None:
        """Take the two addresses."""
        self.bots = bots
        self.bare = bare
        self._client = client

    async def vote(self) -> float:
        """Have everybody vote, and give the seconds until all votes are acknowledged."""
        async with self._client.post(f"{self.bots}/vote") as answer:
            return float(await answer.text())

    async def again(self) -> None:
        """Deliver the same votes to the bare library."""
        async with self._client.post(f"{self.bare}/again") as answer:
            answer.raise_for_status()


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[Server]:
    """Run the server for a block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.telegram", "--serve", stdout=asyncio.subprocess.PIPE
    )
    if process.stdout is None:
        raise RuntimeError
    bots, bare = (await process.stdout.readline()).decode().split()
    try:
        async with ClientSession() as client:
            yield Server(bots, bare, client)
    finally:
        process.terminate()
        await process.wait()


class VotingApi(BotApi):
    """The fake, with two more addresses: one that makes everybody vote, one that repeats it."""

    votes: ClassVar[list[dict[str, Any]]] = []

    def routes(self, app: web.Application) -> None:
        """Add them."""
        app.router.add_post("/vote", self._everybody)
        app.router.add_post("/again", self._once_more)

    async def _everybody(self, _: web.Request) -> web.Response:
        poll = list(self.world.polls.values())[-1]
        people = [self.world.person(5000 + n, f"Person {n}") for n in range(VOTES)]
        self.votes[:] = [self.world.poll_answer(poll, who, [who.id % 4]) for who in people]
        begun = perf_counter()
        last = self._deliver_all()
        while self.confirmed < last:  # noqa: ASYNC110 - the fake has no event for it
            await asyncio.sleep(0.002)
        return web.Response(text=str(perf_counter() - begun))

    async def _once_more(self, _: web.Request) -> web.Response:
        self._deliver_all()
        return web.Response()

    def _deliver_all(self) -> int:
        for vote in self.votes:
            self.emit_raw({"update_id": next(self._ids), "poll_answer": vote})
        return int(self.updates[-1]["update_id"])


async def serve() -> None:
    """Be the server, until terminated."""
    async with VotingApi() as bots, VotingApi() as bare:
        for number in range(-1, ROUNDS):
            bots.world.group(GROUP - number, "Bench")
        print(bots.url, bare.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve() if "--serve" in sys.argv else main())
