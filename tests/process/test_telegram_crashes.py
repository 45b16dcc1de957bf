"""`kuis run telegram` as a process: killed at the worst moments, cut off, refused, ended."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.bot_api import BotApi
from tests.helpers.telegram_child import Child, child

pytestmark = pytest.mark.xdist_group("telegram-process")

GROUP = -1001234567890


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Child]:
    async with child(tmp_path) as made:
        yield made


def right(bot: Child, question) -> int:
    return bot.poll_of(question).keys[0]


async def private(bot: Child, wish: str = "/quiz gradient 2"):
    ani = bot.world.person(1001, "Ani")
    bot.world.say(ani, wish)
    (question,) = await bot.new(ani)
    await bot.quiet()
    return ani, question


async def live(bot: Child, wish: str = "/quiz gradient 2 live 5s"):
    ani = bot.world.person(1001, "Ani")
    group = bot.world.group(GROUP, "Study group", admins={ani.id})
    bot.world.say(ani, wish, group)
    (question,) = await bot.new(group)
    await bot.quiet()
    return ani, group, question


async def finish(bot: Child, ani, question) -> str:
    """Answer what is left of a private quiz, and give its summary."""
    while True:
        if question:
            bot.world.vote(ani, question, right(bot, question))
        (verdict,) = await bot.new(ani)
        button = bot.world.buttons(verdict)[0]["text"]
        bot.world.press(ani, verdict, button)
        (question,) = await bot.new(ani)
        if "poll" not in question:
            return question["text"]


async def test_the_seed_quiz_in_the_process_from_start_to_summary(bot: Child):
    ani = bot.world.person(1001, "Ani")
    bot.world.say(ani, "/start")
    (hello,) = await bot.new(ani)
    bot.world.press(ani, hello, "Gradient")
    (question,) = await bot.new(ani)

    summary = await finish(bot, ani, question)
    bot.world.say(ani, "/leaderboard all")
    (board,) = await bot.new(ani)

    assert "8/8" in summary
    assert "800 points" in board["text"]
    assert await bot.end() == 0


async def test_killed_at_any_moment_around_every_answer_it_counts_each_once(tmp_path: Path):
    chance = random.Random(8)  # noqa: S311 - moments to die at
    async with child(tmp_path) as bot:
        ani, question = await private(bot, "/quiz gradient")
        repeats = 0
        for turn in range(8):
            heard = asyncio.Event()
            bot.api.on_updates = heard.set
            bot.world.vote(ani, question, right(bot, question))
            await heard.wait()
            bot.api.on_updates = lambda: None
            await asyncio.sleep(chance.choice([0, 0.001, 0.003, 0.006, 0.01, 0.02, 0.05]))
            await bot.kill()
            await bot.start()
            (verdict,) = await bot.new(ani)
            await bot.quiet()
            more = len(bot.world.by_bot(ani)) - bot._seen[ani.id]  # noqa: SLF001 - its own
            assert more <= 1
            repeats += more
            if more:
                await bot.new(ani)
            assert f"{turn + 1}/8" in verdict["text"]
            bot.world.press(ani, verdict, bot.world.buttons(verdict)[0]["text"])
            (question,) = await bot.new(ani)
            await bot.quiet()

        assert "8/8" in question["text"]
        given = await bot.responses(ani)
        assert sorted(one.turn for one in given) == list(range(8))


@pytest.mark.parametrize("delivered", [False, True])
async def test_killed_after_a_response_was_committed_and_before_it_was_acknowledged(
    bot: Child, *, delivered: bool
):
    ani, question = await private(bot)
    verdict_held = bot.api.fail("sendMessage", kind="hang", after=delivered)
    bot.world.vote(ani, question, right(bot, question))
    await asyncio.wait_for(verdict_held.met.wait(), 10)
    stored = await bot.responses(ani)
    await bot.kill()
    if delivered:
        await bot.new(ani)

    await bot.start()

    (verdict,) = await bot.new(ani)
    assert len(stored) == 1
    assert "Right!" in verdict["text"]
    assert await bot.none(ani)
    bot.world.press(ani, verdict, "Next")
    (question,) = await bot.new(ani)
    assert "2/2" in await finish(bot, ani, question)
    assert len(await bot.responses(ani)) == 2


async def test_killed_when_a_poll_was_sent_and_its_id_not_stored(bot: Child):
    ani = bot.world.person(1001, "Ani")
    held = bot.api.fail("sendPoll", kind="hang", after=True)
    bot.world.say(ani, "/quiz gradient 2")
    await asyncio.wait_for(held.met.wait(), 10)
    (orphan,) = await bot.new(ani)
    bot.world.vote(ani, orphan, 0)
    await asyncio.sleep(0.3)
    await bot.kill()

    await bot.start()

    (question,) = await bot.new(ani)
    assert question["poll"]["question"] == orphan["poll"]["question"]
    assert await bot.none(ani)
    assert "2/2" in await finish(bot, ani, question)


async def test_killed_between_the_close_and_the_reveal(bot: Child):
    ani, group, question = await live(bot)
    bot.world.vote(ani, question, right(bot, question))
    held = bot.api.fail("sendMessage", kind="hang")
    await asyncio.wait_for(held.met.wait(), 15)
    await bot.kill()

    await bot.start()

    (reveal,) = await bot.new(group)
    assert "1 of 1 answer was right" in reveal["text"]
    await bot.quiet()
    (second,) = await bot.slowly(bot.new(group))
    assert "2/2" in second["poll"]["question"]
    bot.world.vote(ani, second, right(bot, second))
    _, summary = await bot.slowly(bot.new(group, 2))
    assert "200 points" in summary["text"]
    assert len(await bot.responses(ani)) == 2


async def test_killed_between_the_reveal_and_the_next_question(bot: Child):
    ani, group, question = await live(bot)
    bot.world.vote(ani, question, right(bot, question))
    (reveal,) = await bot.slowly(bot.new(group))
    await bot.quiet()
    await bot.kill()

    await bot.start()

    (second,) = await bot.slowly(bot.new(group))
    assert "The answer" in reveal["text"]
    assert "2/2" in second["poll"]["question"]
    bot.world.vote(ani, second, right(bot, second))
    _, summary = await bot.slowly(bot.new(group, 2))
    assert "200 points" in summary["text"]


async def test_killed_while_a_question_is_open_it_still_takes_what_was_voted_meanwhile(bot: Child):
    ani, group, question = await live(bot, "/quiz gradient 1 live 20s")
    ben = bot.world.person(1002, "Ben")
    await bot.kill()
    bot.world.vote(ani, question, right(bot, question))

    await bot.start()

    bot.world.vote(ben, question, right(bot, question))
    reveal, summary = await bot.slowly(bot.new(group, 2))
    assert "2 of 2" in reveal["text"]
    assert {"Ani", "Ben"} <= set(
        summary["text"].replace("\u2068", " ").replace("\u2069", " ").split()
    )


async def test_a_hung_dropped_and_conflicting_start_of_a_long_poll_is_survived(bot: Child):
    ani, question = await private(bot)
    for fault in (
        {"kind": "drop"},
        {"code": 502, "description": "Bad Gateway"},
        {"code": 409, "description": "Conflict: terminated by other getUpdates request"},
        {"code": 429, "description": "Too Many", "parameters": {"retry_after": 1}},
    ):
        met = bot.api.fail("getUpdates", **fault)
        bot.world.say(ani, "/help")
        await bot.new(ani)
        await asyncio.wait_for(met.met.wait(), 40)

    assert "2/2" in await finish(bot, ani, question)


async def test_a_bad_token_and_a_second_program_end_with_one_clear_sentence(tmp_path: Path):
    async with BotApi() as api:
        for method, code, words in (
            ("getMe", 401, "kuis: Telegram does not accept the token (401)."),
            ("getUpdates", 409, "kuis: Another program is running this Telegram bot (409)."),
        ):
            folder = tmp_path / method
            folder.mkdir()
            refused = Child(api, folder)
            api.faults.clear()
            api.fail(method, code, "Conflict: terminated by other getUpdates request", times=99)
            await refused.start(ready=False)
            async with asyncio.timeout(40):
                ended = await refused.process.wait()
            said = [x for x in refused.log.read_text().splitlines() if not x.startswith("{")]
            assert ended == 1
            assert said == [next(x for x in said if x.startswith(words))]


async def test_sigterm_lets_what_is_under_way_arrive(bot: Child):
    ani, question = await private(bot)
    slow = bot.api.fail("sendMessage", kind="hold")
    bot.world.vote(ani, question, right(bot, question))
    await asyncio.wait_for(slow.met.wait(), 10)

    ending = asyncio.create_task(bot.end())
    await asyncio.sleep(0.3)
    slow.release.set()

    assert await ending == 0
    (verdict,) = await bot.new(ani)
    assert "Right!" in verdict["text"]
    await bot.start()
    bot.world.press(ani, verdict, "Next")
    (second,) = await bot.new(ani)
    assert "2/2" in second["poll"]["question"]
    assert "Traceback" not in bot.log.read_text()
