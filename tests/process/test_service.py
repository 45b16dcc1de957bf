"""`kuis run` as a service: it starts, says how it is, and ends as it is told to."""

import asyncio
import json
import signal
import sys
from pathlib import Path

from adapters.storage import open_store
from tests.fakes.bot_api import TOKEN, BotApi
from tests.helpers.services import (
    Service,
    environment,
    free_port,
    quiz,
    running,
    started,
    until,
    until_serving,
)


async def test_a_service_says_that_it_is_alive_and_ready_and_counts_what_happens(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api) as service:
        _, poll = await quiz(api)
        voters = [api.world.person(2000 + n, f"Voter {n}") for n in range(20)]
        for voter in voters:
            api.world.vote(voter, poll, 0)
        await until(lambda: not api.unheard)
        healthy = await service.get("/healthz")
        ready = await service.get("/readyz")

        assert healthy == (200, "alive\n")
        assert ready == (200, "telegram: serving\nstore: serving\n")
        assert await service.metric("kuis_answers_total") == 20
        assert await service.metric("kuis_replies_total") == 20
        assert await service.metric("kuis_commit_seconds_count") == 20
        assert await service.metric("kuis_open_sessions") == 1
        assert await service.metric("process_open_fds") > 0


async def test_a_platform_that_makes_us_wait_and_what_goes_wrong_are_counted(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api) as service:
        api.fail("sendMessage", 429, "Too Many Requests", parameters={"retry_after": 1})
        await quiz(api)

        assert await service.metric("kuis_rate_limit_pauses_total") == 1
        assert await service.metric("kuis_log_records_total") >= 1


async def test_sigterm_finishes_what_was_begun_and_exits_with_0_in_ten_seconds(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api) as service:
        group, poll = await quiz(api)
        voters = [api.world.person(2000 + n, f"Voter {n}") for n in range(50)]
        for voter in voters:
            api.world.vote(voter, poll, 0)
        said = len(api.world.by_bot(group))
        service.send(signal.SIGTERM)

        code = await service.ended(10.0)

        assert code == 0
        assert len(api.world.by_bot(group)) == said
        assert "Traceback" not in service.said
        heard = 50 - len([one for one in api.unheard if "poll_answer" in one])
        async with await open_store(f"sqlite:///{tmp_path}/kuis.db") as store:
            (session,) = await store.unfinished()
            assert (await store.tally(session.id, 0)).answered >= heard


async def test_a_second_signal_ends_it_at_once(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api) as service:
        fault = api.fail("sendMessage", kind="hang", times=9)
        api.world.say(api.world.person(1, "Ann"), "/help")
        await asyncio.wait_for(fault.met.wait(), 10)
        service.send(signal.SIGINT)
        await asyncio.sleep(0.3)
        assert service.process.returncode is None
        service.send(signal.SIGINT)

        assert await service.ended(1.0) == 1


async def test_a_server_that_never_answers_does_not_keep_it_from_ending(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api) as service:
        fault = api.fail("sendMessage", kind="hang", times=9)
        api.world.say(api.world.person(1, "Ann"), "/help")
        await asyncio.wait_for(fault.met.wait(), 10)
        service.send(signal.SIGTERM)

        assert await service.ended(10.0) == 0


async def test_it_is_alive_but_not_ready_while_it_connects(tmp_path: Path):
    async with BotApi() as api:
        fault = api.fail("getMe", kind="hold")
        service = await started(tmp_path, api)
        await asyncio.wait_for(fault.met.wait(), 15)

        alive, ready = await service.get("/healthz"), await service.get("/readyz")
        fault.release.set()
        later = await service.ready()
        await service.kill()

    assert alive[0] == 200
    assert (ready[0], ready[1].splitlines()[0]) == (503, "telegram: starting")
    assert "telegram: serving" in later


async def test_a_second_process_stands_by_and_takes_over_when_the_first_one_dies(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api) as first:
        group, _ = await quiz(api)
        async with running(tmp_path, api) as second:
            standing_by = (await second.get("/readyz"))[1]
            await first.kill()
            await until_serving(second)
            api.world.say(api.world.person(7, "Ann"), "/help")
            await until(lambda: api.world.by_bot(api.world.chats[7]))

            assert "standing by" in standing_by
            assert await second.metric("kuis_open_sessions") == 1
            assert len([m for m in api.world.by_bot(group) if "poll" in m]) == 1


async def test_a_port_that_is_taken_is_said_in_one_sentence(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api) as first:
        second = await started(tmp_path, api, KUIS_HEALTH_PORT=str(first.port))

        assert await second.ended() == 1
        assert second.said.startswith(f"kuis: Port {first.port} cannot be listened on")


async def test_port_is_enough_where_no_webhook_needs_it(tmp_path: Path):
    async with BotApi() as api:
        port = str(free_port())
        environment_ = environment(tmp_path, api, PORT=port)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=environment_, stderr=asyncio.subprocess.PIPE
        )
        service = Service(process, int(port))

        assert "serving" in await service.ready()
        await service.kill()


async def test_a_token_never_gets_into_the_log(tmp_path: Path):
    async with BotApi() as api, running(tmp_path, api, KUIS_LOG="debug") as service:
        api.fail("getUpdates", kind="drop")
        api.fail("sendMessage", kind="drop", times=3)
        ani = api.world.person(1001, "Ani Secretname")
        for _ in range(4):
            api.world.say(ani, "/help")
        await until(lambda: "no updates" in service.said and api.world.by_bot(ani))
        service.send(signal.SIGTERM)
        await service.ended()

        assert all(json.loads(line)["event"] for line in service.log)
        assert TOKEN not in service.said
        assert TOKEN.partition(":")[2] not in service.said
        assert "Secretname" not in service.said
