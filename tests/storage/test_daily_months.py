"""A month of daily questions on a real database: two processes, downtimes, clocks that are set."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from adapters.storage import SqlStore, open_store
from bot.commands import Place
from bot.dailies import LEAST_REST, Schedule, occurrence
from bot.desk import Desk
from bot.errors import StoreError
from bot.host import Host
from bot.packs import Library
from bot.panels import Role
from bot.people import Alias, Room
from bot.ports import Post
from bot.requests import Request
from bot.session import DAILY, Phase
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, TRUE, pack

HERE = {"test"}
LIBRARY = Library([pack(CHOICE, TRUE)])
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
PLACES = {
    "new-york": "02:30 America/New_York",
    "berlin": "02:30 Europe/Berlin",
    "lord-howe": "02:15 Australia/Lord_Howe",
    "jakarta": "00:00 Asia/Jakarta",
    "los-angeles": "00:00 America/Los_Angeles",
    "weekdays": "22:30 UTC weekdays",
}


@dataclass
class Log:
    """What everybody in every room has seen, and when; one chat for all processes."""

    watch: Watch
    seen: list[tuple[Room, Role, datetime]] = field(default_factory=list)

    async def show(self, post: Post) -> str:
        await asyncio.sleep(0)
        self.seen.append((post.room, post.panel.role, self.watch.now()))
        return str(len(self.seen))


@dataclass
class Process:
    """A process that can be killed and started again."""

    url: str
    log: Log
    store: SqlStore | None = None
    host: Any = None
    desk: Any = None

    async def start(self) -> None:
        store = await open_store(self.url)
        assert isinstance(store, SqlStore)
        self.store = store
        self.host = Host(
            store=store,
            clock=self.log.watch,
            library=LIBRARY,
            chats={"test": self.log},
            seeds=count(1).__next__,
        )
        self.desk = Desk(host=self.host, store=store, library=LIBRARY, clock=self.log.watch)
        await self.host.recover()

    async def kill(self, *others: "Process") -> None:
        """End it without a good-bye, once what rings in any process has been heard."""
        if self.store:
            await heard(self, *others)
            await self.host._timers.close()  # noqa: SLF001 - as above
            await self.store.close()
        self.store = None

    async def tick(self, *, alone: bool = False) -> None:
        """Do what the service does every few seconds; a database that is busy is tried again."""
        with suppress(StoreError):
            if alone or self.host._unsettled:  # noqa: SLF001 - on SQLite nobody else may do that
                await self.host.recover()
            await self.desk.tick(HERE)


def plan(seed: int, start: datetime, end: datetime) -> Iterator[tuple[datetime, bool, bool]]:
    """Say for every hour which of two processes are alive; now and then neither is."""
    chance = random.Random(seed)  # noqa: S311 - a plan, not a secret
    one = two = True
    both_down_until = start
    at = start
    while at < end:
        at += HOUR
        if at > both_down_until and chance.random() < 0.03:
            both_down_until = at + chance.choice([1, 5, 16, 23, 40]) * HOUR
        one = one if chance.random() > 0.04 else not one
        two = two if chance.random() > 0.04 else not two
        down = at < both_down_until
        yield at, one and not down, (two or not one) and not down


def expected(schedule: Schedule, alive: list[datetime], since: datetime) -> set[date]:
    """Find by brute force on which dates somebody was there in time."""
    found = set()
    for at in alive:
        today = schedule.today(at)
        due = occurrence(schedule, today)
        following = (occurrence(schedule, today + n * DAY) for n in range(1, 9))
        after = next(one for one in following if one)
        if due and since < due <= at and after - at >= LEAST_REST:
            found.add(today)
    return found


async def heard(*processes: Process) -> None:
    """Wait for timers that ring; a connection that is cut in the middle would be complained of."""
    asleep = {task for one in processes if one.host for task in one.host._timers._tasks.values()}  # noqa: SLF001
    ringing = [
        task
        for task in asyncio.all_tasks()
        if task.get_coro().__name__ == "_ring" and task not in asleep  # type: ignore[union-attr]
    ]
    await asyncio.gather(*ringing)


async def everybody_ticks(processes: list[Process], now: datetime) -> None:
    """Let time stand still until there is nothing left to do, as ticks come every few seconds."""
    living = [process for process in processes if process.store]
    for _ in range(40):
        await asyncio.gather(*(process.tick(alone=len(living) == 1) for process in living))
        if not any([await one.store.dailies_due(HERE, now) for one in living if one.store]):
            return
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("start", "days"),
    [(datetime(2026, 3, 6, tzinfo=UTC), 32), (datetime(2026, 10, 23, tzinfo=UTC), 11)],
)
async def test_every_room_has_exactly_one_question_a_date_whatever_happens(
    sqlite_url: str, start: datetime, days: int
):
    log = Log(Watch())
    await log.watch.move_to(start)
    processes = [Process(sqlite_url, log), Process(sqlite_url, log)]
    for process in processes:
        await process.start()
    first = processes[0].store
    assert first
    rooms = {name: await first.room(Alias(platform="test", external=name)) for name in PLACES}
    ann = await first.participant(Alias(platform="test", external="ann"), name="Ann")
    for name, when in PLACES.items():
        request = Request(room=rooms[name], person=ann, place=Place.ROOM, moderator=True)
        await processes[0].desk.obey(request, "daily", f"set {when}")
    schedules = {}
    for name, room in rooms.items():
        daily = await first.daily(room.id)
        assert daily
        schedules[name] = daily.schedule
    alive = []

    for at, *up in plan(days, start, start + days * DAY):
        for process, wanted in zip(processes, up, strict=True):
            if process.store and not wanted:
                await process.kill(*processes)
        await log.watch.move_to(at)
        await heard(
            *processes
        )  # on SQLite a newcomer takes what others have in hand for left behind
        for process, wanted in zip(processes, up, strict=True):
            if wanted and not process.store:
                await process.start()
        if any(up):
            alive.append(at)
        await everybody_ticks(processes, at)
    for process in processes:
        await process.kill(*processes)

    for name, room in rooms.items():
        zone = ZoneInfo(schedules[name].zone)
        posts = Counter(
            at.astimezone(zone).date()
            for where, role, at in log.seen
            if where.id == room.id and role is Role.QUESTION
        )
        assert set(posts) == expected(schedules[name], alive, start), name
        assert set(posts.values()) == {1}, name
        assert len(posts) >= days // 3
        reveals = sum(where.id == room.id and role is Role.REVEAL for where, role, _ in log.seen)
        assert reveals in {len(posts) - 1, len(posts)}, name


async def test_two_processes_that_look_at_the_same_instant_post_once_in_each_room(url: str):
    log = Log(Watch())
    processes = [Process(url, log), Process(url, log)]
    for process in processes:
        await process.start()
    store = processes[0].store
    assert store
    ann = await store.participant(Alias(platform="test", external="ann"), name="Ann")
    for number in range(12):
        room = await store.room(Alias(platform="test", external=f"room {number}"))
        request = Request(room=room, person=ann, place=Place.ROOM, moderator=True)
        await processes[0].desk.obey(request, "daily", "set 19:30 Asia/Jakarta")

    for _ in range(3):
        await log.watch.move_to(log.watch.now() + (HOUR if not log.seen else DAY))
        await everybody_ticks(processes, log.watch.now())
    for process in processes:
        await process.kill(*processes)

    asked = Counter(room.id for room, role, _ in log.seen if role is Role.QUESTION)
    revealed = Counter(room.id for room, role, _ in log.seen if role is Role.REVEAL)
    assert (len(asked), set(asked.values())) == (12, {3})
    assert (len(revealed), set(revealed.values())) == (12, {2})


# ---------------------------------------------------------------- killed between claim and post


async def test_a_process_that_is_killed_between_claim_and_post_is_followed(url: str):
    """A child process claims the day, stores the session and is killed before it can speak."""
    child = subprocess.Popen(  # noqa: ASYNC220, S603 - it is to be killed
        [sys.executable, "-m", "tests.storage.claiming", url], stdout=subprocess.PIPE
    )
    assert child.stdout
    assert await asyncio.to_thread(child.stdout.readline) == b"claimed\n"
    os.kill(child.pid, signal.SIGKILL)
    await asyncio.to_thread(child.communicate)
    log = Log(Watch())
    process = Process(url, log)

    await process.start()
    for _ in range(100):  # a server takes a moment to notice that the process is gone
        if log.seen:
            break
        await asyncio.sleep(0.05)
        await process.host.recover()
        await process.tick()

    assert process.store
    (daily,) = [await process.store.daily(room.id) for room, *_ in log.seen]
    assert daily
    session = await process.store.session(daily.session)
    assert session
    assert (session.phase, session.place) == (Phase.OPEN, DAILY)
    assert [role for _, role, _ in log.seen] == [Role.QUESTION]
    await process.kill()


@pytest.mark.parametrize("step", range(6))
async def test_wherever_a_process_dies_there_is_one_post_or_at_most_one_repeated(
    sqlite_url: str, step: int
):
    """The store goes away after so many more writes; another process goes on."""
    log = Log(Watch())
    dying, next_one = Process(sqlite_url, log), Process(sqlite_url, log)
    await dying.start()
    await dying.tick()  # what other features do once is done
    store = dying.store
    assert store
    room = await store.room(Alias(platform="test", external="here"))
    ann = await store.participant(Alias(platform="test", external="ann"), name="Ann")
    request = Request(room=room, person=ann, place=Place.ROOM, moderator=True)
    await dying.desk.obey(request, "daily", "set 19:00 Asia/Jakarta")  # NOON in UTC
    daily = await store.daily(room.id)
    assert daily
    assert await store.change_daily(daily, replace(daily, last=None, next_at=log.watch.now()))
    left = iter(range(step))
    write = store._line.write  # noqa: SLF001 - where everything goes through

    async def until_it_dies(*given: Any, **more: Any) -> Any:
        if next(left, None) is None:
            raise asyncio.CancelledError
        return await write(*given, **more)

    store._line.write = until_it_dies  # type: ignore[method-assign] # noqa: SLF001
    with pytest.raises(asyncio.CancelledError) if step < 2 else nullcontext():
        await dying.tick()
    store._line.write = write  # type: ignore[method-assign] # noqa: SLF001
    before = len(log.seen)
    await dying.kill()

    await next_one.start()
    await next_one.tick()
    await next_one.tick()

    questions = [role for _, role, _ in log.seen]
    assert set(questions) == {Role.QUESTION}
    # only who dies after speaking and before noting it is repeated
    assert len(questions) == (2 if before and step == 1 else 1)
    await next_one.kill()
