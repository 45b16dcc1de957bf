"""The daily question of `kuis run` as a process: killed before the hour, back after it."""

from dataclasses import replace
from pathlib import Path

from adapters.clock import SystemClock
from adapters.storage import open_store
from bot.people import Alias
from tests.fakes.bot_api import BotApi
from tests.helpers.services import running, until

GROUP = -100200300


async def test_a_process_that_was_down_at_the_hour_makes_up_for_it_once(tmp_path: Path):
    async with BotApi() as api:
        ani = api.world.person(1001, "Ani")
        group = api.world.group(GROUP, "Study group", admins={ani.id})
        async with running(tmp_path, api) as service:
            api.world.say(ani, "/daily set 07:30 UTC gradient", group)
            await until(lambda: api.world.by_bot(group))
            service.process.kill()
            await service.process.wait()
        async with await open_store(f"sqlite:///{tmp_path}/kuis.db") as store:
            room = await store.room(Alias(platform="telegram", external=str(GROUP)))
            daily = await store.daily(room.id)
            assert daily
            missed = SystemClock().now()
            minute = missed.hour * 60 + missed.minute
            schedule = replace(daily.schedule, minute=minute)
            due = replace(daily, schedule=schedule, last=None, next_at=missed)
            assert await store.change_daily(daily, due)

        async with running(tmp_path, api):
            await until(lambda: len(api.world.by_bot(group)) > 1, 20)
            (query,) = [api.world.press(ani, api.world.by_bot(group)[1], "A")]
            await until(lambda: api.answer_to(query))
        async with running(tmp_path, api):
            api.world.say(ani, "/daily", group)
            await until(lambda: len(api.world.by_bot(group)) > 2, 20)

        texts = [message["text"] for message in api.world.by_bot(group)]
        assert len(texts) == 3
        assert texts[1].startswith("Daily question · ")
        assert "The next one comes on" in texts[2]
        assert "answered A" in api.answer_to(query)["text"]
