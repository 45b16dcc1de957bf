"""Together on Discord: live and relaxed quizzes for a whole channel."""

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.helpers.discord_looks import buttons, enabled, shown
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance, public_operations


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance():
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def start(stage: Stage, person: Any, channel: Any = None, **options: Any) -> Any:
    """Start a shared quiz and give the message with the first question."""
    place = channel or stage.channel
    options = {"pack": SEED_QUIZ, "mode": "live", "seconds": 20, **options}
    result = await person.slash(place, "quiz", **options)
    assert result.response.ephemeral
    return stage.public(place)[-1]


async def test_thirty_members_play_in_a_channel_while_a_thread_has_its_own_quiz(
    stage: Stage,
) -> None:
    members = stage.members(30)
    thread = stage.thread("belajar")
    chance = random.Random(5)  # noqa: S311 - who answers what, not a secret
    await start(stage, members[0], count=3)
    await start(stage, members[1], thread, count=2)
    right = 0
    stage.env.http_requests.clear()

    for turn in range(3):
        question = stage.public()[-1]
        assert f"{turn + 1}/3" in shown(question)
        assert "<t:" in shown(question)
        good, bad = await stage.letter(), await stage.letter(right=False)
        for member in members:
            letter = good if chance.random() < 0.6 else bad
            right += letter == good
            told = await member.click(question, label=letter)
            assert told.response.ephemeral
            assert ("Right!" if letter == good else "Not quite") in shown(told.response)
        await stage.env.advance_time(22)
        reveal = next(m for m in stage.public() if m.id == question.id)
        assert "of 30 answers were right" in shown(reveal)
        assert enabled(reveal) == ["Challenge"]
        assert await stage.votes(reveal) == 30
        await stage.env.advance_time(9)

    end = stage.public()[-1]
    rows = [row async for row in stage.standings_shown(end)]
    assert "Final standings" in shown(end)
    assert len(rows) == 15
    assert "and 15 more" in shown(end)
    room = await stage.store.room(stage.alias(stage.channel))
    session = stage.finished(room.id)
    standings = await stage.store.standings(session)
    assert sum(row.points for row in standings) == right * 100
    assert public_operations(stage, stage.channel) <= 2 * 3 + 1
    assert len(stage.public(thread)) >= 2


async def test_clicks_at_once_late_and_twice_each_get_their_own_answer(stage: Stage) -> None:
    ann, ben, eve = stage.member("ann"), stage.member("ben"), stage.member("eve")
    question = await start(stage, ann, count=2)
    good, bad = await stage.letter(), await stage.letter(right=False)
    ids = {label: part["custom_id"] for label, part in buttons(question).items()}
    presses = [
        stage.press(ann, question, ids[good]),
        stage.press(ann, question, ids[bad]),
        stage.press(ben, question, ids[bad]),
    ]

    await stage.at_once(payload for _, payload in presses)
    told = [shown(stage.told(record)) for record, _ in presses]
    await stage.env.advance_time(22)
    late_record, late = stage.press(eve, question, ids[good])
    await stage.at_once([late])

    assert sum("already answered" in text for text in told[:2]) == 1
    assert "Not quite" in told[2]
    assert "Too late by" in shown(stage.told(late_record)) or "closed" in shown(
        stage.told(late_record)
    )
    assert "2 answers" in shown(question_now(stage, question))


async def test_an_answer_can_be_changed_until_the_close_where_the_room_allows_it(
    stage: Stage,
) -> None:
    ann = stage.member("ann")
    await stage.allow(may_change=True, verdict_at_once=False)
    question = await start(stage, ann, count=1)
    good, bad = await stage.letter(), await stage.letter(right=False)

    first = await ann.click(question, label=bad)
    second = await ann.click(question, label=good)
    await stage.env.advance_time(22)

    assert "Locked in" in shown(first.response)
    assert f"**{good}**" in shown(second.response)
    assert "1 of 1 answer was right" in shown(question_now(stage, question))


async def test_somebody_may_join_in_the_middle(stage: Stage) -> None:
    ann, late = stage.member("ann"), stage.member("late")
    question = await start(stage, ann, count=2)
    await ann.click(question, label=await stage.letter())
    await stage.env.advance_time(22 + 9)

    await late.click(stage.public()[-1], label=await stage.letter())
    await stage.env.advance_time(22 + 9)

    end = shown(stage.public()[-1])
    assert "**ann** · 100 points · 1/1 right" in end
    assert "**late** · 100 points · 1/1 right" in end


async def test_a_relaxed_quiz_waits_for_who_started_it_and_hears_no_others(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    question = await start(stage, ann, mode="relaxed", count=2)
    await ben.click(question, label=await stage.letter())

    refused = await ben.click(question, label="Show the answer")
    assert "Only who started the quiz" in shown(refused.response)
    await ann.click(question, label="Show the answer")
    assert "The answer" in shown(question_now(stage, question))
    await ann.click(question_now(stage, question), label="Next")

    assert "2/2" in shown(stage.public()[-1])


async def test_skip_and_stop_are_for_starters_and_for_who_manages_events(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    role = stage.guild.create_role("hosts", permissions=stage.permissions(manage_events=True))
    host = stage.member("host", roles=[role])
    await start(stage, ann, count=3)

    refused = await ben.slash(stage.channel, "skip")
    skipped = await host.slash(stage.channel, "skip")
    session = await stage.session()
    await host.slash(stage.channel, "stop")

    assert "Only who started the quiz" in shown(refused.response)
    assert "Skipped." in shown(skipped.response)
    assert session
    assert session.phase.value == "revealed"
    assert await stage.session() is None
    assert "Final standings" in shown(stage.public()[-1])


async def test_a_second_quiz_in_a_channel_is_refused_but_private_ones_go_on(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    await start(stage, ann)

    second = await ben.slash(stage.channel, "quiz", pack=SEED_QUIZ, mode="live")
    alone = await ben.slash(stage.channel, "quiz", pack=SEED_QUIZ)

    assert "already running here" in shown(second.response)
    assert "1/8" in shown(alone.response)


@pytest.mark.parametrize("phase", ["ASKING", "OPEN", "REVEALING", "REVEALED"])
async def test_a_restart_in_any_phase_loses_nothing_and_the_quiz_goes_on(
    stage: Stage, phase: str
) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    question = await start(stage, ann, count=2)
    if phase != "ASKING":
        await ann.click(question, label=await stage.letter())
    if phase in {"REVEALING", "REVEALED"}:
        await stage.env.advance_time(22)
    if phase in {"ASKING", "REVEALING"}:
        await stage.lose(phase)

    await stage.restart()
    now = stage.public()[-1]
    if phase == "ASKING":
        await ann.click(now, label=await stage.letter())
    if phase == "OPEN":
        told = await ben.click(now, label=await stage.letter(right=False))
        assert "Not quite" in shown(told.response)
    await stage.env.advance_time(80)

    end = shown(stage.public()[-1])
    assert "Final standings" in end
    assert "**ann** · 100 points" in end
    assert len([m for m in stage.public() if "1/2" in shown(m)]) <= 2


async def test_a_reveal_is_sent_anew_when_the_question_is_gone(stage: Stage) -> None:
    ann = stage.member("ann")
    question = await start(stage, ann, count=1)
    await ann.click(question, label=await stage.letter())
    stage.env.backend.delete_message(stage.channel.id, question.id)

    await stage.env.advance_time(22)

    assert any("The answer" in shown(message) for message in stage.public())


async def test_a_reveal_is_sent_anew_when_the_question_is_older_than_an_hour(stage: Stage) -> None:
    ann = stage.member("ann")
    question = await start(stage, ann, mode="relaxed", count=1)
    await ann.click(question, label=await stage.letter())
    await stage.env.advance_time(3700)

    await ann.click(question, label="Show the answer")

    assert "The answer" not in shown(question_now(stage, question))
    assert "The answer" in shown(stage.public()[-1])


def question_now(stage: Stage, question: Any) -> Any:
    return next(message for message in stage.public() if message.id == question.id)
