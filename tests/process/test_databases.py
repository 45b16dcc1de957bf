"""`kuis run` on PostgreSQL: a server that restarts, and processes that follow one another."""

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.storage import open_store, upgrade
from adapters.storage.schema import METADATA
from tests.fakes.bot_api import BotApi
from tests.helpers.services import free_port, quiz, running, until, until_serving
from tests.helpers.with_postgres import Server, own_server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with own_server() as mine:
        if mine is None:
            pytest.skip("no PostgreSQL binaries are installed here")
        asyncio.run(upgrade(mine.url))
        yield mine


@pytest.fixture
async def fresh(server: Server) -> Server:
    """The server, with nothing in its tables."""
    engine = create_async_engine(server.url)
    tables = ", ".join(table.name for table in METADATA.sorted_tables)
    async with engine.begin() as connection:
        await connection.execute(text(f"TRUNCATE {tables}"))
    await engine.dispose()
    return server


def vote(api: BotApi, poll, people: range) -> None:
    for number in people:
        assert api.world.vote(api.world.person(number, f"Voter {number}"), poll, 0)


async def counted(url: str) -> int:
    async with await open_store(url) as store:
        (session,) = await store.unfinished()
        return (await store.tally(session.id, 0)).answered


async def test_a_database_that_restarts_in_mid_quiz_loses_no_vote(fresh: Server, tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api, DATABASE_URL=fresh.url) as service:
        group, poll = await quiz(api)
        vote(api, poll, range(2000, 2040))
        fresh.stop()
        vote(api, poll, range(2040, 2080))
        await asyncio.sleep(1)
        unready = await service.get("/readyz")
        fresh.start()
        vote(api, poll, range(2080, 2120))
        await until(lambda: not api.unheard)
        answered = await counted(fresh.url)
        api.world.say(api.world.people[1001], "/stop", group)
        await until(lambda: "Final standings" in str(api.world.by_bot(group)[-1]))

        assert answered == 120
        assert unready[0] == 503
        assert (await service.get("/readyz"))[0] == 200
        assert len([m for m in api.world.by_bot(group) if "poll" in m]) == 1
        assert await service.metric("kuis_failures_total") >= 0


async def test_a_database_that_hangs_for_five_seconds_is_waited_for(fresh: Server, tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api, DATABASE_URL=fresh.url) as service:
        _, poll = await quiz(api)
        fresh.pause()
        vote(api, poll, range(2000, 2040))
        await asyncio.sleep(5)
        fresh.go_on()
        await until(lambda: not api.unheard)

        assert await counted(fresh.url) == 40
        assert await service.metric("kuis_answers_total") == 40


async def test_a_hanging_database_does_not_keep_a_process_from_ending(
    fresh: Server, tmp_path: Path
):
    async with BotApi() as api, running(tmp_path, api, DATABASE_URL=fresh.url) as service:
        _, poll = await quiz(api)
        fresh.pause()
        vote(api, poll, range(2000, 2010))
        await asyncio.sleep(0.5)
        begun = time.monotonic()
        service.send(signal.SIGTERM)
        await service.ended(10.5)
        took = time.monotonic() - begun
        fresh.go_on()

    assert took < 10


async def test_when_the_leader_dies_the_other_process_goes_on_with_its_quiz(
    fresh: Server, tmp_path: Path
):
    async with (
        BotApi() as api,
        running(tmp_path, api, DATABASE_URL=fresh.url) as one,
        running(tmp_path, api, DATABASE_URL=fresh.url) as two,
    ):
        group, poll = await quiz(api)
        vote(api, poll, range(2000, 2050))
        await one.kill()
        vote(api, poll, range(2050, 2100))
        await until_serving(two)
        await until(lambda: not api.unheard)
        answered = await counted(fresh.url)
        api.world.say(api.world.people[1001], "/stop", group)
        await until(lambda: "Final standings" in str(api.world.by_bot(group)[-1]))

        assert answered == 100
        assert len([m for m in api.world.by_bot(group) if "poll" in m]) == 1


async def test_a_process_that_ends_in_order_hands_over_at_once(fresh: Server, tmp_path: Path):
    async with (
        BotApi() as api,
        running(tmp_path, api, DATABASE_URL=fresh.url) as one,
        running(tmp_path, api, DATABASE_URL=fresh.url) as two,
    ):
        await quiz(api)
        one.send(signal.SIGTERM)
        code = await one.ended()
        await until_serving(two)

        assert code == 0
        assert await two.metric("kuis_open_sessions") == 1


async def test_webhook_workers_share_one_database(fresh: Server, tmp_path: Path):
    ports = [free_port(), free_port()]
    async with BotApi() as api:
        hooks = [
            {
                "DATABASE_URL": fresh.url,
                "TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{port}",
                "PORT": str(port),
            }
            for port in ports
        ]
        async with (
            running(tmp_path, api, **hooks[0]) as one,
            running(tmp_path, api, **hooks[1]) as two,
        ):
            assert "telegram: serving" in (await one.get("/readyz"))[1]
            _, poll = await quiz(api)
            paths = [f"http://127.0.0.1:{port}" for port in ports]
            hook = str(api.webhook["url"])
            for number in range(40):
                path = paths[number % 2]
                api.webhook["url"] = path + hook.removeprefix(paths[0]).removeprefix(paths[1])
                vote(api, poll, range(2000 + number, 2001 + number))
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.5)

            assert await counted(fresh.url) == 40
            shares = [await each.metric("kuis_answers_total") for each in (one, two)]
            assert sum(shares) == 40
            assert min(shares) > 0
