"""The daily question on Discord: set in a channel, answered alone, revealed the next morning."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.packs import Library
from bot.session import DAILY
from tests.helpers.discord_looks import buttons, shown
from tests.helpers.discord_stage import Stage, performance
from tests.helpers.samples import CHOICE, pack

JAKARTA = ZoneInfo("Asia/Jakarta")


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance(Library([pack(CHOICE)])):
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


def boss(stage: Stage) -> Any:
    role = stage.guild.create_role("boss", permissions=stage.permissions(manage_guild=True))
    return stage.member("boss", roles=[role])


async def tick(stage: Stage) -> None:
    with stage.env._bot_scope():  # noqa: SLF001 - what follows is the bot's work
        desk = stage.chat.client.reception.desk
        task = asyncio.create_task(desk.tick({"discord"}))
    await stage.env.settle()
    await task


def soon(stage: Stage) -> datetime:
    """Give a time of day in Jakarta that comes within the hour."""
    return (stage.env.now() + timedelta(minutes=30)).astimezone(JAKARTA)


async def day_of_question(stage: Stage) -> Any:
    await stage.env.advance_time(86_400)
    await tick(stage)
    return stage.public()[-2:]


async def letter(stage: Stage, *, right: bool = True) -> str:
    room = await stage.store.room(stage.alias(stage.channel))
    session = await stage.store.open_session(room.id, DAILY)
    staged = stage.host.narrator.staged(session, 0, None)
    places = enumerate(staged.order)
    return next("ABC"[at] for at, place in places if (place == CHOICE.key) is right)


async def test_everybody_is_told_alone_at_once_and_all_together_the_next_day(stage: Stage) -> None:
    moderator, ann = boss(stage), stage.member("ann")
    when = soon(stage)
    refused = await ann.slash(stage.channel, "daily", action="set", time="07:30")
    assert "Only a moderator" in shown(refused.response)

    await moderator.slash(
        stage.channel, "daily", time=f"{when:%H:%M}", zone="Asia/Jakarta", days="every day"
    )
    told = stage.public()[-1]
    await stage.env.advance_time(31 * 60)
    await tick(stage)
    await tick(stage)
    question = stage.public()[-1]
    right = await ann.click(question, label=await letter(stage))
    wrong = await moderator.click(question, label=await letter(stage, right=False))
    reveal, second = await day_of_question(stage)

    assert f"Every day at **{when:%H:%M}** (WIB · Jakarta)" in shown(told)
    assert "Daily question" in shown(question)
    assert list(buttons(question)) == ["A", "B", "C"]
    assert right.response.ephemeral
    assert "Right!" in shown(right.response)
    assert "Not quite" in shown(wrong.response)
    assert "1945" not in shown(right.response) + shown(wrong.response)
    assert "The answer to the daily question" in shown(reveal)
    assert "Jakarta has been the capital" in shown(reveal)
    assert "Right: ann" in shown(reveal)
    assert reveal.reference.message_id == question.id
    assert "Daily question" in shown(second)
    assert second.id > reveal.id


async def test_a_quiz_runs_beside_it_and_is_what_stop_means(stage: Stage) -> None:
    moderator = boss(stage)
    await moderator.slash(stage.channel, "daily", time=f"{soon(stage):%H:%M}", zone="Asia/Jakarta")
    await stage.env.advance_time(31 * 60)
    await tick(stage)
    question = stage.public()[-1]
    await moderator.slash(stage.channel, "quiz", pack="mixed", mode="live", seconds=20)
    assert "Daily question" not in shown(stage.public()[-1])

    await moderator.slash(stage.channel, "stop")
    assert "Final standings" in shown(stage.public()[-1])
    told = await moderator.slash(stage.channel, "stop")

    assert "There is no quiz here" in shown(told.response)
    answered = await moderator.click(question, label=await letter(stage))
    assert "Right!" in shown(answered.response)


async def test_the_zone_is_asked_for_in_private_and_the_state_can_be_seen(stage: Stage) -> None:
    moderator, ann = boss(stage), stage.member("ann")

    asked = await moderator.slash(stage.channel, "daily", time="07:30", days="weekdays")
    assert "In which time zone is it **07:30**?" in shown(asked.response)
    chosen = await moderator.click(asked.response, label="New York")
    state = await ann.slash(stage.channel, "daily")
    off = await moderator.slash(stage.channel, "daily", action="off")

    assert "From Monday to Friday at **07:30** (New York)" in shown(chosen.response)
    assert "The next one comes on" in shown(state.response)
    assert state.response.ephemeral
    assert off.response.ephemeral
    assert "There is no daily question any more." in shown(stage.public()[-1])


async def test_in_indonesian(stage: Stage) -> None:
    stage.in_indonesian()
    await stage.allow(language="id")
    moderator = boss(stage)
    when = soon(stage)
    await moderator.slash(stage.channel, "daily", time=f"{when:%H.%M}", zone="WIB")
    told = stage.public()[-1]
    await stage.env.advance_time(31 * 60)
    for _ in range(3):
        await tick(stage)
        question = stage.public()[-1]
        answered = await moderator.click(question, label=await letter(stage))
        await stage.env.advance_time(86_400)
        await tick(stage)
    reveal = stage.public()[-2]
    state = await moderator.slash(stage.channel, "daily")

    assert f"Setiap hari pukul **{when:%H.%M}** (WIB · Jakarta)" in shown(told).replace(
        "\u200b", ""
    )
    assert "Pertanyaan harian" in shown(question)
    assert "Jawaban dan alasannya muncul bersama pertanyaan berikutnya." in shown(answered.response)
    assert "Jawaban pertanyaan harian" in shown(reveal)
    assert "🔥 Berturut-turut: boss 3 hari" in shown(reveal)
    assert "3 benar, 3 dari 3 hari" in shown(state.response)
    assert "Kamu beruntun 3 hari" in shown(state.response)


async def test_where_the_bot_may_not_write_it_is_switched_off_and_can_be_switched_on_from_afar(
    stage: Stage,
) -> None:
    moderator = boss(stage)
    await moderator.slash(stage.channel, "daily", time=f"{soon(stage):%H:%M}", zone="Asia/Jakarta")
    for _ in range(2):  # the question, then the notice about it
        stage.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    await stage.env.advance_time(31 * 60)
    await tick(stage)
    await tick(stage)

    private = stage.in_private(moderator)
    told = private.dm_channel.history(viewer=private)[-1]
    room = await stage.store.room(stage.alias(stage.channel))
    assert "It is switched off now" in shown(told)
    assert (await stage.store.daily(room.id)).next_at is None
    await private.click(told, label="Switch it on again")

    assert (await stage.store.daily(room.id)).next_at is not None


async def test_zones_and_options_are_offered_in_both_languages(stage: Stage) -> None:
    (request,) = [r for r in stage.env.http_requests if r.path.endswith("/commands")]
    (daily,) = [command for command in request.json if command["name"] == "daily"]

    options = {option["name"]: option for option in daily["options"]}

    assert daily["name_localizations"] == {"id": "harian"}
    assert list(options) == ["action", "time", "pack", "days", "zone"]
    assert options["time"]["name_localizations"] == {"id": "waktu"}
    assert [choice["value"] for choice in options["action"]["choices"]] == ["show", "set", "off"]
    assert options["pack"]["autocomplete"]
    found = await stage.member("ann").autocomplete(stage.channel, "daily", "zone", "jak")
    assert [choice["value"] for choice in found] == ["Asia/Jakarta"]
