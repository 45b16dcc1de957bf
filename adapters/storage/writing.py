"""The line of writes: everything that changes the database, in the order in which it was asked.

What waits together is committed together, so alone a response is on disk at once, and under load
the groups grow by themselves. The task that empties the line ends when the line is empty. A write
goes on when its caller is cancelled, and one that fails never fails its neighbours.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import NOTHING_DONE, Database, out_of_reach, told
from bot.errors import StoreError
from bot.ports import Receipt

T = TypeVar("T")
Work: TypeAlias = Callable[[AsyncConnection], Awaitable[T]]

MOST = 1000
"""How many writes share a commit at most; more would only make the first ones wait."""


@dataclass(slots=True, eq=False, kw_only=True)
class Handed:
    """A response on its way to the disk, as a row; `keyed` as in `bot.ports.Response`."""

    row: dict[str, Any]
    replace: bool
    keyed: int
    future: "asyncio.Future[Receipt]"


@dataclass(slots=True, eq=False, kw_only=True)
class Job(Generic[T]):
    """Any other write; one that is `alone` has a transaction of its own."""

    work: Work[T]
    alone: bool
    future: "asyncio.Future[T]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Records(Protocol):
    """Who records responses: in one statement if that will do, or else in a transaction."""

    async def at_once(self, group: Sequence[Handed]) -> Sequence[Receipt | None]:
        """Record what can be; None for each that was not."""

    async def keep(self, connection: AsyncConnection, group: Sequence[Handed]) -> Sequence[Receipt]:
        """Record in a transaction that is begun."""


class Line:
    """Writes waiting for the one connection that writes."""

    def __init__(self, *, database: Database, recorder: Records) -> None:
        """Take the database, and who records many responses at once."""
        self._database = database
        self._recorder = recorder
        self._waiting: deque[Handed | Job[Any]] = deque()
        self._task: asyncio.Task[None] | None = None

    async def write(self, work: Work[T], *, alone: bool = False) -> T:
        """Do a piece of work in a transaction, after everything that was handed in before."""
        job = Job(work=work, alone=alone)
        self._join(job)
        return await job.future

    def record(
        self, row: dict[str, Any], *, replace: bool, keyed: int = 0
    ) -> "asyncio.Future[Receipt]":
        """Record a response; it is committed when the future is done."""
        future: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        self._join(Handed(row=row, replace=replace, keyed=keyed, future=future))
        return future

    @property
    def waiting(self) -> int:
        """Count what waits for the next commit."""
        return len(self._waiting)

    async def finish(self) -> None:
        """Wait until the line is empty."""
        if self._task:
            await self._task

    def _join(self, job: Handed | Job[Any]) -> None:
        self._waiting.append(job)
        if self._task is None:
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        jobs: list[Handed | Job[Any]] = []
        try:
            while self._waiting:
                jobs = self._take()
                await self._commit(jobs)
        finally:
            self._task = None
            for job in (*jobs, *self._waiting):
                job.future.cancel()

    def _take(self) -> list[Handed | Job[Any]]:
        taken = [self._waiting.popleft()]
        while not _alone(taken[0]) and self._waiting and len(taken) < MOST:
            if _alone(self._waiting[0]):
                break
            taken.append(self._waiting.popleft())
        return taken

    async def _commit(self, jobs: Sequence[Handed | Job[Any]]) -> None:
        """Do jobs in one transaction and tell each caller after the commit.

        If together they fail for a reason that lies in one of them, each gets its own.
        """
        try:
            outcomes = await self._again(jobs)
        except Exception as error:  # noqa: BLE001 - every caller gets it, none is lost
            if len(jobs) > 1 and not out_of_reach(error.__cause__):
                for job in jobs:
                    await self._commit([job])
                return
            outcomes = [error] * len(jobs)
        for job, outcome in zip(jobs, outcomes, strict=True):
            _tell(job.future, outcome)

    async def _again(self, jobs: Sequence[Handed | Job[Any]]) -> list[object]:
        """Do jobs in one transaction; once more if the connection was lost before the commit.

        So a database that was restarted is not noticed by the first who comes afterwards.
        """
        try:
            return await self._once(jobs)
        except StoreError as error:
            if NOTHING_DONE not in getattr(error.__cause__, "__notes__", ()):
                raise
        return await self._once(jobs)

    async def _once(self, jobs: Sequence[Handed | Job[Any]]) -> list[object]:
        with told():
            done: Sequence[Receipt | None] = [None] * len(jobs)
            responses = [job for job in jobs if isinstance(job, Handed)]
            if len(responses) == len(jobs):
                done = await self._recorder.at_once(responses)
            left = [job for job, receipt in zip(jobs, done, strict=True) if receipt is None]
            if not left:
                return list(done)
            async with self._database.writing() as connection:
                rest = iter(await self._run(connection, left))
        return [receipt or next(rest) for receipt in done]

    async def _run(
        self, connection: AsyncConnection, jobs: Sequence[Handed | Job[Any]]
    ) -> list[object]:
        outcomes: list[object] = []
        for handed, group in groupby(jobs, key=lambda job: isinstance(job, Handed)):
            if handed:
                responses = [job for job in group if isinstance(job, Handed)]
                outcomes += await self._recorder.keep(connection, responses)
            else:
                outcomes += [await job.work(connection) for job in group if isinstance(job, Job)]
        return outcomes


def _alone(job: Handed | Job[Any]) -> bool:
    return isinstance(job, Job) and job.alone


def _tell(future: "asyncio.Future[Any]", outcome: object) -> None:
    if future.done():
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
