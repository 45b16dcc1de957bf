"""Reviews on Discord: one message only the person sees, and a reminder in direct messages."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.desk import Desk
from bot.effects import Trouble
from bot.errors import DeliveryError
from bot.packs import Library
from tests.adapters.test_telegram_review import two_packs
from tests.helpers.discord_looks import buttons, enabled, shown
from tests.helpers.discord_stage import Stage, performance

DAY = timedelta(days=1).total_seconds()


@pytest.fixture(params=["memory:", "sqlite:///{}/kuis.db"])
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    url = request.param.format(tmp_path)
    async for stage in performance(library=Library(two_packs()), url=url):
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def through(stage: Stage, person: Any, message: Any, place: Any, *, right: bool) -> None:
    """Answer whatever a message asks until the result."""
    while await stage.session(person, place):
        letter = await stage.letter(person, place, right=right)
        await person.click(message, label=letter)
        await person.click(message, label=enabled(message)[0])


async def played(stage: Stage, person: Any, *, right: bool) -> None:
    for pack in ("land", "water"):
        message = (await person.slash(stage.channel, "quiz", pack=pack)).response
        await through(stage, person, message, stage.channel, right=right)


async def tick(stage: Stage) -> None:
    """Let the program do what is due."""
    desk: Desk = stage.chat.client.reception.desk
    with stage.env._bot_scope():  # noqa: SLF001 - what follows is the bot's work
        task = asyncio.create_task(desk.tick({"discord"}))
    await stage.env.settle()
    await task


async def test_a_review_is_one_private_message_from_question_to_result(stage: Stage) -> None:
    ann = stage.member("ann")
    await played(stage, ann, right=False)
    early = (await ann.slash(stage.channel, "review")).response
    assert "Nothing is due today. Due tomorrow: **2**." in shown(early)
    await stage.env.advance_time(DAY)

    message = (await ann.slash(stage.channel, "review")).response
    assert "1/2" in shown(message)
    await through(stage, ann, message, stage.channel, right=True)

    assert message.ephemeral
    assert "Due today **0**, tomorrow **0**." in shown(message)
    assert list(buttons(message)) == ["Remind me daily"]
    assert stage.public() == []


async def test_a_review_speaks_indonesian(stage: Stage) -> None:
    stage.in_indonesian()
    ann = stage.member("ann")
    await played(stage, ann, right=False)
    await stage.env.advance_time(DAY)

    message = (await ann.slash(stage.channel, "review")).response
    await through(stage, ann, message, stage.channel, right=True)

    assert "Perlu diulang hari ini **0**, besok **0**." in shown(message)


async def test_mistakes_are_replayed_and_taken_to_anki(stage: Stage) -> None:
    ann = stage.member("ann")
    await played(stage, ann, right=False)

    message = (await ann.slash(stage.channel, "missed")).response
    await through(stage, ann, message, stage.channel, right=False)

    assert "What you missed" in shown(message)
    file = (await ann.click(message, label="Take to Anki")).response
    assert [one.filename for one in file.attachments] == ["kuis-missed.apkg"]
    assert stage.public() == []


async def test_a_reminder_is_not_for_a_channel(stage: Stage) -> None:
    ann = stage.member("ann")

    told = (await ann.slash(stage.channel, "review", remind="19:00 UTC")).response

    assert "our own chat" in shown(told)


async def test_a_reminder_comes_as_a_direct_message(stage: Stage) -> None:
    ann = stage.in_private(stage.member("ann"))
    home = ann.dm_channel
    for pack in ("land", "water"):
        message = (await ann.slash("quiz", pack=pack)).response
        await through(stage, ann, message, home, right=False)
    told = (await ann.slash("review", remind="19:00 Asia/Jakarta")).response
    assert "I will remind you at 19:00 (WIB, Jakarta)" in shown(told)
    person = await stage.store.participant(stage.alias(ann))
    due = (await stage.store.reminder(person.id)).due
    await stage.env.advance_time((due - stage.env.now()).total_seconds() + DAY + 60)

    await tick(stage)
    await tick(stage)

    (reminder,) = [m for m in home.history() if "waiting for you" in shown(m)]
    assert not reminder.flags.ephemeral
    review = (await ann.click(reminder, label="Review")).response
    assert "1/2" in shown(review)
    await ann.click(reminder, label="Stop reminding me")
    assert await stage.store.reminder(person.id) is None


async def test_who_cannot_be_written_to_is_reminded_no_more(stage: Stage) -> None:
    ann = stage.in_private(stage.member("ann"))
    message = (await ann.slash("quiz", pack="land")).response
    await through(stage, ann, message, ann.dm_channel, right=False)
    await ann.slash("review", remind="19:00 Asia/Jakarta")
    person = await stage.store.participant(stage.alias(ann))
    due = (await stage.store.reminder(person.id)).due
    await stage.env.advance_time((due - stage.env.now()).total_seconds() + DAY + 60)
    stage.chat._sender.post = forbidden  # noqa: SLF001 - Discord closes the door

    await tick(stage)

    assert await stage.store.reminder(person.id) is None


async def forbidden(*_: Any, **__: Any) -> str:
    raise DeliveryError(Trouble.BLOCKED.value)
