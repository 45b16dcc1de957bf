"""Discord's own polls as a way to answer: votes are events, the list of voters is the truth."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import discord
import pytest

from tests.helpers.discord_looks import shown
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance():
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def start(stage: Stage, person: Any, **options: Any) -> Any:
    """Start a quiz in polls and give the first one."""
    options = {"pack": SEED_QUIZ, "mode": "live", "seconds": 30, "style": "poll", **options}
    await person.slash(stage.channel, "quiz", **options)
    return polls(stage)[-1]


def polls(stage: Stage) -> list[Any]:
    return [message for message in stage.public() if message.poll]


async def answer(stage: Stage, *, right: bool = True) -> int:
    return "ABCD".index(await stage.letter(right=right)) + 1


async def test_votes_are_added_moved_and_withdrawn_until_our_own_deadline(stage: Stage) -> None:
    ann, ben, eve = stage.member("ann"), stage.member("ben"), stage.member("eve")
    poll = await start(stage, ann, count=1)
    good, bad = await answer(stage), await answer(stage, right=False)

    await ann.vote(poll, answer=good)
    await ben.vote(poll, answer=bad)
    await ben.set_poll_votes(poll, answers=[good])
    await eve.vote(poll, answer=good)
    await eve.remove_vote(poll, answer=good)
    await stage.env.advance_time(33)

    assert poll.poll.duration.total_seconds() == 3600
    closed = polls(stage)[-1]
    assert closed.poll.is_finalized() or closed.poll.expires_at <= stage.env.now()
    reveal = next(m for m in stage.public() if "The answer" in shown(m))
    assert "2 of 2 answers were right" in shown(reveal)
    assert reveal.reference.message_id == poll.id
    standings = shown(stage.public()[-1])
    assert "**ann** · 100 points" in standings
    assert "**ben** · 100 points" in standings
    assert "eve" not in standings


async def test_votes_cast_and_withdrawn_while_the_bot_was_away_are_counted(stage: Stage) -> None:
    ann, ben, eve = stage.member("ann"), stage.member("ben"), stage.member("eve")
    poll = await start(stage, ann, count=1)
    good, bad = await answer(stage), await answer(stage, right=False)
    await ann.vote(poll, answer=bad)
    await eve.vote(poll, answer=good)

    with stage.deaf():
        await ann.set_poll_votes(poll, answers=[good])
        await ben.vote(poll, answer=good)
        await eve.remove_vote(poll, answer=good)
    await stage.restart()
    await stage.env.advance_time(45)

    reveal = next(m for m in stage.public() if "The answer" in shown(m))
    assert "2 of 2 answers were right" in shown(reveal)
    assert "**ben** · 100 points" in shown(stage.public()[-1])
    assert "eve" not in shown(stage.public()[-1])


async def test_a_question_too_long_for_a_poll_is_written_above_letters(stage: Stage) -> None:
    ann = stage.member("ann")
    stage.in_indonesian()
    await start(stage, ann)
    seen = []
    for _ in range(8):
        poll = polls(stage)[-1]
        seen.append((poll.content, [a.text for a in poll.poll.answers]))
        await stage.env.advance_time(32 + 9)

    assert len(polls(stage)) == 8
    lettered = [content for content, texts in seen if texts == ["A", "B", "C", "D"]]
    longest = max((o.text for o in stage.options("id")), key=len)
    assert len(longest) == 101
    assert any(longest in content.replace("\\", "") for content in lettered)
    assert 0 < len(lettered) < 8


async def test_polls_can_be_the_setting_of_the_server(stage: Stage) -> None:
    ann = stage.member("ann")
    await stage.allow(style="poll")

    await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, mode="live")

    assert len(polls(stage)) == 1


async def test_a_stopped_quiz_closes_its_poll(stage: Stage) -> None:
    ann = stage.member("ann")
    poll = await start(stage, ann)
    await ann.vote(poll, answer=await answer(stage))

    await ann.slash(stage.channel, "stop")

    closed = polls(stage)[-1].poll
    assert closed.is_finalized() or closed.expires_at <= stage.env.now()
    assert "**ann** · 100 points" in shown(stage.public()[-1])


async def test_where_polls_are_forbidden_the_starter_is_told_what_to_do(stage: Stage) -> None:
    ann = stage.member("ann")
    stage.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)

    told = await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, mode="live", style="poll")

    public = " ".join(shown(message) for message in stage.public())
    assert "I may not send polls here" in public + shown(told.response)


async def test_votes_in_polls_of_others_are_none_of_our_business(stage: Stage) -> None:
    ann = stage.member("ann")
    poll = discord.Poll(question="Lunch?", duration=timedelta(hours=1))
    poll.add_answer(text="Soto").add_answer(text="Gado-gado")
    message = await stage.post(poll)

    await ann.vote(message, answer=1)

    assert await stage.session() is None
