"""Whatever Discord refuses, loses or delays: no quiz is stuck, and somebody is told what to do."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.effects import Trouble
from bot.packs import Library
from tests.helpers.discord_looks import shown
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance():
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def start(stage: Stage, person: Any, channel: Any = None, **options: Any) -> Any:
    options = {"pack": SEED_QUIZ, "mode": "live", "seconds": 20, **options}
    return await person.slash(channel or stage.channel, "quiz", **options)


ERRORS = [
    (403, 50013, Trouble.NO_PERMISSION, "Allow me to send messages"),
    (403, 50001, Trouble.NO_PERMISSION, "Allow me to send messages"),
    (404, 10003, Trouble.ROOM_GONE, "Start it again elsewhere"),
    (400, 50083, Trouble.ROOM_CLOSED, "thread is closed"),
    (403, 160005, Trouble.ROOM_CLOSED, "thread is closed"),
    (429, 20016, Trouble.UNREACHABLE, "Nothing is lost"),
    (500, 0, Trouble.UNREACHABLE, "Nothing is lost"),
    (400, 50035, Trouble.MISHAP, "Something went wrong on my side"),
]


@pytest.mark.parametrize(("status", "code", "trouble", "cure"), ERRORS)
async def test_a_question_that_cannot_be_posted_pauses_the_quiz_and_tells_the_starter(
    stage: Stage, status: int, code: int, trouble: Trouble, cure: str
) -> None:
    ann = stage.member("ann")
    for _ in range(2):  # the question, then the notice about it
        stage.env.inject_error("POST", "/channels/*/messages", status=status, code=code)

    told = await start(stage, ann)
    session = await stage.session()

    assert session
    assert session.trouble is trouble
    assert cure in shown(told.response)
    await ann.slash(stage.channel, "resume")
    assert "1/8" in shown(stage.public()[-1])
    await ann.slash(stage.channel, "stop")
    assert await stage.session() is None


async def test_a_permission_taken_away_in_the_middle_is_told_to_the_starter_directly(
    stage: Stage,
) -> None:
    ann = stage.member("ann")
    await start(stage, ann, count=2)
    for method in ("PATCH", "POST"):
        stage.env.inject_error(method, "/channels/*/messages", status=403, code=50013)
    stage.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013)

    await stage.env.advance_time(22)

    session = await stage.session()
    assert session
    assert session.trouble is Trouble.NO_PERMISSION
    direct = stage.in_private(ann).dm_channel.history(viewer=stage.in_private(ann))
    assert "Allow me to send messages" in shown(direct[-1])


async def test_a_click_while_the_quiz_is_paused_is_told_so(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    await start(stage, ann, count=2)
    question = stage.public()[-1]
    await stage.pause(Trouble.UNREACHABLE)

    told = await ben.click(question, label="A")

    assert "paused" in shown(told.response)


async def test_a_deleted_channel_pauses_its_quiz_and_frees_everything(stage: Stage) -> None:
    ann = stage.member("ann")
    other = stage.guild.create_text_channel("lain")
    await start(stage, ann, other)

    stage.env.backend.delete_channel(other.id)
    await stage.env.settle()

    session = await stage.session(channel=other)
    assert session
    assert session.trouble is Trouble.ROOM_GONE


async def test_a_deleted_thread_pauses_its_quiz(stage: Stage) -> None:
    ann = stage.member("ann")
    thread = stage.thread("belajar")
    await start(stage, ann, thread)

    stage.env.backend.delete_channel(thread.id)
    await stage.env.settle()

    session = await stage.session(channel=thread)
    assert session
    assert session.trouble is Trouble.ROOM_GONE


async def test_being_removed_pauses_and_being_added_again_lets_it_go_on(stage: Stage) -> None:
    ann = stage.member("ann")
    await start(stage, ann, count=2)

    stage.env.backend.emit("GUILD_DELETE", {"id": str(stage.guild.id)})
    await stage.env.settle()
    session = await stage.session()
    await stage.restart()
    await ann.slash(stage.channel, "resume")

    assert session
    assert session.trouble is Trouble.ROOM_GONE
    assert "1/2" in shown(stage.public()[-1])


async def test_a_slow_database_is_no_reason_to_miss_the_three_seconds(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    await start(stage, ann, count=2)
    question = stage.public()[-1]
    alone = (await ben.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    stage.slow(4.0)

    record, payload = stage.press(ann, question, stage.id_of(question, "A"))
    private, click = stage.press(ben, alone, stage.id_of(alone, "A"))
    command, typed = stage.command(ben, "stats")
    await stage.at_once([payload, click, typed])
    await stage.env.advance_time(1.6)
    acknowledged = [record.responded, private.responded, command.responded]
    await stage.env.advance_time(30)

    assert acknowledged == [True, True, True]
    assert "You answered **A**" in shown(stage.followup(record))
    assert "Right!" in shown(alone) or "Not quite" in shown(alone)
    assert "ben" in shown(stage.told(command))


async def test_an_answer_counts_even_if_nobody_can_be_told_any_more(stage: Stage) -> None:
    ann = stage.member("ann")
    await start(stage, ann, count=1)
    question = stage.public()[-1]
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)

    await ann.click(question, label=await stage.letter())
    await stage.env.advance_time(22)

    assert "**ann** · 100 points" in shown(stage.public()[-1])


async def test_an_answer_counts_even_if_the_token_has_expired_meanwhile(stage: Stage) -> None:
    ann = stage.member("ann")
    await start(stage, ann, mode="relaxed", count=1)
    question = stage.public()[-1]
    stage.slow(16 * 60)
    record, payload = stage.press(ann, question, stage.id_of(question, await stage.letter()))

    await stage.at_once([payload])
    await stage.env.advance_time(17 * 60)
    await ann.click(question, label="Show the answer")

    assert record.responded
    assert "1 of 1 answer was right" in shown(stage.public()[0])


async def test_a_private_quiz_whose_verdict_was_lost_goes_on_at_the_next_click(
    stage: Stage,
) -> None:
    ann = stage.member("ann")
    quiz = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    letter = await stage.letter(ann)
    await ann.click(quiz, label=letter)
    assert "1/8" in shown(quiz)

    await ann.click(quiz, label=letter)

    assert "Right!" in shown(quiz)


async def test_another_process_that_answers_first_is_no_error(stage: Stage) -> None:
    ann = stage.member("ann")
    quiz = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    stage.env.inject_error("POST", "/interactions/*/*/callback", status=400, code=40060)

    await ann.click(quiz, label=await stage.letter(ann))

    session = await stage.session(ann)
    assert session
    assert session.phase.value == "revealed"


async def test_a_fault_of_our_own_becomes_one_polite_sentence(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    ann = stage.member("ann")
    stage.break_store()

    told = await ann.slash(stage.channel, "stats")

    assert "Something went wrong on my side" in shown(told.response)
    assert "interaction failed" in caplog.text


async def test_an_old_button_of_a_quiz_whose_questions_are_gone_is_told_so(stage: Stage) -> None:
    ann = stage.member("ann")
    quiz = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    await ann.click(quiz, label=await stage.letter(ann))
    old = stage.id_of(quiz, "Next")
    await ann.click(quiz, label="Next")
    stage.use(Library())

    record, payload = stage.press(ann, quiz, old)
    await stage.at_once([payload])

    assert "This quiz is over." in shown(stage.told(record))


async def test_a_leaderboard_that_may_not_be_posted_is_shown_to_who_asked(stage: Stage) -> None:
    ann = stage.member("ann")
    stage.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)

    told = await ann.slash(stage.channel, "leaderboard")

    assert "Only you can see this" in shown(told.response)
    assert told.response.ephemeral


async def test_two_channels_share_nothing_at_all(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    other = stage.guild.create_text_channel("lain")
    await asyncio.sleep(0)
    await start(stage, ann, count=2)
    await start(stage, ben, other, count=3)

    await ann.click(stage.public()[-1], label=await stage.letter())
    await stage.env.advance_time(22)

    assert "1 of 1 answer was right" in shown(stage.public()[0])
    assert "Nobody answered" in shown(stage.public(other)[0])
