"""Half an hour of votes with faults in between, to see whether the program grows.

    python -m bench.soak                 30 minutes, 200 votes a second
    python -m bench.soak --minutes 5

A real `kuis run` on an SQLite file. Every ten seconds its resident memory and its open handles
are read; what is compared are the medians of the third after the first sixth and of the last sixth.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from adapters.storage import info, upgrade
from tests.fakes.bot_api import BotApi
from tests.helpers.services import Service, started

ROOMS = 16
CROWD = 1_000
VOTES_A_SECOND = 200
TICK = 0.05
SAMPLE_SECONDS = 10.0
FAULTS: tuple[dict[str, Any], ...] = (
    {"method": "getUpdates", "kind": "drop"},
    {"method": "getUpdates", "kind": "drop", "after": True},
    {"method": "getUpdates", "code": 502, "description": "Bad Gateway", "times": 3},
    {"method": "sendMessage", "code": 502, "description": "Bad Gateway"},
    {
        "method": "sendPoll",
        "code": 429,
        "description": "Too Many Requests: retry after 2",
        "parameters": {"retry_after": 2},
    },
    {"method": "sendMessage", "kind": "drop", "after": True},
)


@dataclass(kw_only=True)
class Soak:
    """The run: rooms that play all the time, and what was seen of the program."""

    api: BotApi
    service: Service
    chance: random.Random
    votes: int = 0
    memory: list[int] = field(default_factory=list)
    handles: list[int] = field(default_factory=list)
    faults: int = 0
    done: dict[int, int] = field(default_factory=dict)

    async def run(self, minutes: float) -> None:
        """Play for so many minutes."""
        world = self.api.world
        for room in range(ROOMS):
            admin = world.person(100 + room, f"Admin {room}")
            world.group(-1000 - room, f"Group {room}", admins={admin.id})
        people = [world.person(10_000 + n, f"Voter {n}") for n in range(CROWD)]
        tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._trouble())]
        lasting = time.monotonic() + minutes * 60
        order = [self.chance.sample(people, CROWD) for _ in range(ROOMS)]
        turns: dict[int, tuple[int, int]] = {}
        begun = due = time.monotonic()
        while time.monotonic() < lasting:
            due += TICK
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            for room in range(ROOMS):
                self._host(room)
            wanted = round((due - begun) * VOTES_A_SECOND) - self.votes
            for _ in range(min(wanted, VOTES_A_SECOND)):
                self._one(self.chance.randrange(ROOMS), order, turns)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _host(self, room: int) -> None:
        """Begin a quiz where none runs, and press Start."""
        world = self.api.world
        chat, admin = world.chats[-1000 - room], world.people[100 + room]
        last = next(reversed(world.by_bot(chat)), None)
        said = str(last.get("text")) if last else ""
        mark = (last or {}).get("message_id", 0)
        if self.done.get(room) == mark:
            return
        if last is None or "Final standings" in said:
            self.done[room] = mark
            world.say(admin, "/quiz gradient", chat)
        elif any("Start" in button["text"] for button in world.buttons(last)):
            self.done[room] = mark
            world.press(admin, last, "Start")

    def _one(self, room: int, order: list[Any], turns: dict[int, tuple[int, int]]) -> None:
        """Let the next person of a room vote in its open poll."""
        world = self.api.world
        last = next(reversed(world.by_bot(world.chats[-1000 - room])), None)
        if not last or "poll" not in last:
            return
        message, at = turns.get(room, (0, 0))
        at = at + 1 if message == last["message_id"] else 0
        turns[room] = (last["message_id"], at)
        if at < CROWD and world.vote(order[room][at], last, self.chance.randrange(3)):
            self.votes += 1

    async def _watch(self) -> None:
        process = Path("/proc") / str(self.service.process.pid)
        while True:
            await asyncio.sleep(SAMPLE_SECONDS)
            pages = int((process / "statm").read_text().split()[1])
            self.memory.append(pages * os.sysconf("SC_PAGE_SIZE") // 1024)
            self.handles.append(len(list((process / "fd").iterdir())))

    async def _trouble(self) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(5, 15))
            if any(fault.times for fault in self.api.faults):
                continue  # the last one has not been met yet
            self.api.fail(**self.chance.choice(FAULTS))
            self.faults += 1


def _print(soak: Soak, kept: int, minutes: float) -> None:
    sixth = max(1, len(soak.memory) // 6)
    rate = soak.votes / (minutes * 60)
    print(f"{soak.votes:,} votes in {minutes:g} minutes ({rate:.0f} /s), {soak.faults} faults")
    print(f"{kept:,} of them in the database")
    for name, seen, unit in (("memory", soak.memory, "kB"), ("handles", soak.handles, "")):
        early, late = median(seen[sixth : 3 * sixth]), median(seen[-sixth:])
        print(f"{name}: {early:,.0f} {unit} early, {late:,.0f} {unit} late, x {late / early:.3f}")


async def main() -> None:
    """Read what was asked for, run it and print what was seen."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=30)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        url = f"sqlite:///{folder}/kuis.db"
        await upgrade(url)
        async with BotApi() as api:
            service = await started(Path(folder), api, DATABASE_URL=url)
            await service.ready()
            chance = random.Random(1)  # noqa: S311 - a load, not a secret
            soak = Soak(api=api, service=service, chance=chance)
            try:
                await soak.run(asked.minutes)
                while api.unheard:  # noqa: ASYNC110 - another program decides
                    await asyncio.sleep(0.1)
            finally:
                await service.kill()
        rows = (await info(url))["rows"]
        assert isinstance(rows, dict)  # noqa: S101 - tells the type checker
    _print(soak, rows["responses"], asked.minutes)


if __name__ == "__main__":
    asyncio.run(main())
