"""A real `kuis run` under a stream of votes, killed at random instants: nothing may be lost.

    python -m bench.crash                        200 kills, an SQLite file
    python -m bench.crash --kills 50 --postgres  on the server that KUIS_TEST_POSTGRES names
    python -m bench.crash --kills 50 --postgres --processes 2   one of two is killed

A vote is acknowledged when Telegram is told to forget it (the offset of getUpdates has passed it).
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.storage import open_store, upgrade
from bench.counting import CROWD, ROOMS, Count, Report, Vote, turn_of
from bench.servers import fresh
from tests.fakes.bot_api import BotApi
from tests.helpers.services import Service, started, until_serving

CALM = 0.2
CALM_SECONDS = 14.0


@dataclass(kw_only=True)
class Siege:
    """The run: a Bot API, rooms full of people, and processes that are killed."""

    api: BotApi
    folder: Path
    url: str
    chance: random.Random
    votes: list[Vote] = field(default_factory=list)
    running: list[Service] = field(default_factory=list)
    ended: bool = False

    async def run(self, kills: int, processes: int) -> Report:
        """Play, kill and start again; then let everything end, and count."""
        self._rooms()
        for _ in range(processes):
            self.running.append(await self._start())
        await self.running[0].ready()
        for room in range(ROOMS):
            self._begin(room)
        tasks = [asyncio.create_task(self._vote()), asyncio.create_task(self._watch())]
        while not any(vote.confirmed for vote in self.votes):  # noqa: ASYNC110 - however slow it is
            await asyncio.sleep(0.05)
        for _ in range(kills):
            await asyncio.sleep(self.chance.uniform(0.05, 1.5))
            if self.chance.random() < CALM:  # a turn can end only some time after a start
                await asyncio.sleep(self.chance.uniform(0, CALM_SECONDS))
            await self.running.pop(0).kill()
            self.running.append(await self._start())
            if self.chance.random() < 0.8:  # noqa: PLR2004 - sometimes while it starts
                await self._one_serves()
        await self._end()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return await Count(api=self.api, url=self.url, votes=self.votes).report(kills)

    async def _start(self) -> Service:
        return await started(self.folder, self.api, DATABASE_URL=self.url)

    async def _one_serves(self) -> None:
        """Wait until one of the processes serves; which one is theirs to settle."""
        waiting = [asyncio.create_task(until_serving(service)) for service in self.running]
        done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        done.pop().result()

    def _rooms(self) -> None:
        world = self.api.world
        for room in range(ROOMS):
            admin = world.person(100 + room, f"Admin {room}")
            world.group(-1000 - room, f"Group {room}", admins={admin.id})
        for number in range(CROWD):
            world.person(1000 + number, f"Voter {number}")

    def _begin(self, room: int) -> None:
        world = self.api.world
        world.say(world.people[100 + room], "/quiz gradient", world.chats[-1000 - room])

    async def _vote(self) -> None:
        """Press Start where a quiz is offered, and vote wherever one may."""
        world = self.api.world
        pressed: set[int] = set()
        while True:
            await asyncio.sleep(0.02)
            room = self.chance.randrange(ROOMS)
            there = world.by_bot(world.chats[-1000 - room])
            if not there:
                continue
            if self._offered(there[-1]) and there[-1]["message_id"] not in pressed:
                pressed.add(there[-1]["message_id"])
                world.press(world.people[100 + room], there[-1], "Start")
            elif "poll" in there[-1] and not self.ended:
                for _ in range(3):
                    self._one_vote(room, there[-1])
            elif "Final standings" in str(there[-1].get("text")) and not self.ended:
                self._begin(room)
                await asyncio.sleep(0.5)

    def _offered(self, message: dict[str, Any]) -> bool:
        return any("Start" in button["text"] for button in self.api.world.buttons(message))

    def _one_vote(self, room: int, message: dict[str, Any]) -> None:
        world = self.api.world
        person = world.people[1000 + self.chance.randrange(CROWD)]
        poll = world.polls[message["poll"]["id"]]
        choice = self.chance.randrange(len(poll.options))
        turn = turn_of(poll.question)
        if turn < 0 or not world.vote(person, message, choice):
            return
        vote = Vote(
            update=self.api.updates[-1]["update_id"],
            poll=poll.id,
            room=room,
            turn=turn,
            person=person.id,
            right=choice in poll.keys,
            until=poll.sent + (poll.open_period or 1e9),
        )
        self.votes.append(vote)

    async def _watch(self) -> None:
        """Note when each vote is acknowledged."""
        at = 0
        while True:
            while at < len(self.votes) and self.votes[at].update <= self.api.confirmed:
                self.votes[at].confirmed = time.time()
                at += 1
            await asyncio.sleep(0.005)

    async def _end(self) -> None:
        """Stop every quiz, as their admins would, and wait until all is said."""
        self.ended = True
        await self._one_serves()
        while self.api.unheard:  # noqa: ASYNC110 - another program decides
            await asyncio.sleep(0.05)
        for room in range(ROOMS):
            admin = self.api.world.people[100 + room]
            self.api.world.say(admin, "/stop", self.api.world.chats[-1000 - room])
        async with await open_store(self.url) as store:
            for _ in range(600):
                if not await store.unfinished() and not self.api.unheard:
                    break
                await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)
        for service in self.running:
            await service.kill()


async def besiege(
    folder: Path, url: str, *, kills: int, processes: int = 1, seed: int = 1
) -> Report:
    """Run it all against a database, and give the report."""
    await upgrade(url)
    async with BotApi() as api:
        siege = Siege(api=api, folder=folder, url=url, chance=random.Random(seed))  # noqa: S311
        try:
            return await siege.run(kills, processes)
        finally:
            for service in siege.running:
                await service.kill()


async def main() -> None:
    """Read what was asked for, run it and print the report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{folder}/kuis.db"
        if asked.postgres:
            url = await fresh(os.environ["KUIS_TEST_POSTGRES"], "kuis_crash")
        report = await besiege(
            Path(folder), url, kills=asked.kills, processes=asked.processes, seed=asked.seed
        )
    print(report)
    print("every promise was kept" if report.good else "SOMETHING WAS LOST")


if __name__ == "__main__":
    asyncio.run(main())
