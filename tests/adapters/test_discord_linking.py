"""Joining accounts on Discord: every word of it for the person alone, in both languages."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.links import digest
from bot.people import Alias
from tests.helpers.discord_looks import buttons, shown
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance():
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def code_for(stage: Stage, person: Any) -> str:
    told = (await person.slash(stage.channel, "link")).response
    assert told.ephemeral
    found = re.search(r"`/(?:link|tautkan) ([A-Z2-9]{4}-[A-Z2-9]{4})`", shown(told))
    assert found, shown(told)
    return found[1]


async def identities(stage: Stage, person: Any) -> list[str]:
    who = await stage.store.participant(stage.alias(person))
    return list(await stage.store.identities(who.id))


async def tick(stage: Stage) -> None:
    """Let the few seconds pass after which what is due is done."""
    with stage.env._bot_scope():  # noqa: SLF001 - what follows is the bot's work
        await stage.chat.client.reception.desk.tick({"discord"})
    await stage.env.settle()


@pytest.mark.parametrize("indonesian", [False, True])
async def test_two_accounts_are_joined_and_separated(stage: Stage, indonesian: bool) -> None:  # noqa: FBT001 - a parameter
    if indonesian:
        stage.in_indonesian()
    bee, ann = stage.member("bee"), stage.member("ann")

    confirm = (await ann.slash(stage.channel, "link", code=await code_for(stage, bee))).response
    question = "Gabungkan dengan **bee di Discord**" if indonesian else "Join with **bee on Discord"
    assert question in shown(confirm)
    await ann.click(confirm, label="Ya, itu aku" if indonesian else "Yes, that is me")
    assert ("satu orang" if indonesian else "one person") in shown(confirm)
    assert len(await identities(stage, bee)) == 2

    ask = (await ann.slash(stage.channel, "unlink")).response
    await ann.click(ask, label=next(iter(buttons(ask))))
    assert ("terpisah lagi" if indonesian else "on its own again") in shown(ask)
    assert len(await identities(stage, bee)) == 1
    assert stage.public() == []


async def test_who_made_the_code_is_written_to_and_may_separate(stage: Stage) -> None:
    bee, ann = stage.member("bee"), stage.member("ann")
    confirm = (await ann.slash(stage.channel, "link", code=await code_for(stage, bee))).response
    await ann.click(confirm, label="Yes, that is me")

    await tick(stage)

    private = stage.in_private(bee)
    (told,) = private.dm_channel.history()
    assert "ann on Discord are one person now" in shown(told)
    await private.click(told, label="Separate")
    assert len(await identities(stage, bee)) == 1


async def test_an_account_of_another_platform_is_joined_by_its_code(stage: Stage) -> None:
    """As when Telegram runs beside it, over the same store."""
    ann = stage.member("ann")
    quiz = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, count=1)).response
    await ann.click(quiz, label=await stage.letter(ann))
    tia = await stage.store.participant(Alias(platform="telegram", external="7"), name="Tia")
    chat = await stage.store.room(Alias(platform="telegram", external="7"))
    await stage.store.offer_code(tia.id, chat.id, digest("ABCDEFGH"), stage.env.now())
    confirm = (await ann.slash(stage.channel, "link", code="abcd efgh")).response
    await ann.click(confirm, label="Yes, that is me")
    await tick(stage)

    privacy = (await ann.slash(stage.channel, "privacy")).response

    assert "You are joined with Tia on Telegram." in shown(privacy)
    assert len(await stage.store.history(tia.id)) == 1
    assert len(await stage.store.joined_by_code({"telegram"})) == 1


async def test_a_confirmation_works_for_nobody_else(stage: Stage) -> None:
    bee, ann, eve = (stage.member(name) for name in ("bee", "ann", "eve"))
    confirm = (await ann.slash(stage.channel, "link", code=await code_for(stage, bee))).response
    custom_id = buttons(confirm)["Yes, that is me"]["custom_id"]

    record, payload = stage.press(eve, confirm, custom_id)
    await stage.at_once([payload])

    assert "not good" in shown(stage.told(record))
    assert len(await identities(stage, bee)) == 1
    await stage.env.advance_time(601)
    late = await ann.click(confirm, label="Yes, that is me")
    assert "not good" in shown(late.response)
    assert len(await identities(stage, bee)) == 1


async def test_guesses_are_stopped(stage: Stage) -> None:
    ann = stage.member("ann")
    said = []
    for _ in range(6):
        said.append(shown((await ann.slash(stage.channel, "link", code="AAAA-AAAA")).response))
        await stage.env.advance_time(5)

    assert all("not good" in text for text in said[:5])
    assert "Too many wrong codes" in said[5]


async def test_nobody_is_named_on_boards_who_does_not_want_to_be(stage: Stage) -> None:
    ann = stage.member("ann")
    quiz = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, count=1)).response
    await ann.click(quiz, label=await stage.letter(ann))
    privacy = (await ann.slash(stage.channel, "privacy")).response

    await ann.click(privacy, label="Hide my name")
    await ann.slash(stage.channel, "leaderboard")
    stage.in_indonesian()

    (board,) = stage.public()
    assert "**A learner** · 100 points" in shown(board)
    await ann.click(privacy, label="Show my name")
    assert "ann" in shown(privacy)
