"""Alone on Discord: one message only the person sees, edited in place from start to result."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.discord_looks import buttons, enabled, shown
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance


@pytest.fixture(params=["memory:", "sqlite:///{}/kuis.db"])
async def stage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stage]:
    async for stage in performance(url=request.param.format(tmp_path)):
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def play(stage: Stage, person: Any, message: Any, *, right: bool = True) -> None:
    """Answer the question that a private message shows."""
    await person.click(message, label=await stage.letter(person, right=right))


async def go_on(person: Any, message: Any) -> None:
    """Press what leads to the next question or to the result."""
    await person.click(message, label=enabled(message)[0])


async def test_the_seed_quiz_is_played_in_one_private_message_with_8_of_8(stage: Stage) -> None:
    ann = stage.member("ann")
    message = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response

    for turn in range(8):
        assert f"{turn + 1}/8" in shown(message)
        assert enabled(message) == ["A", "B", "C", "D"]
        await play(stage, ann, message)
        assert "✅ Right!" in shown(message)
        await go_on(ann, message)

    assert "**8 of 8** right" in shown(message)
    assert message.ephemeral
    assert len(stage.channel.history(viewer=ann)) == 1
    assert stage.public() == []


async def test_mistakes_are_explained_and_can_be_gone_over(stage: Stage) -> None:
    ann = stage.member("ann")
    message = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    for turn in range(8):
        await play(stage, ann, message, right=turn > 1)
        if turn == 0:
            assert "❌ Not quite" in shown(message)
            assert "✅ **" in shown(message)
            assert "❌ **" in shown(message)
        await go_on(ann, message)
    assert "**6 of 8** right" in shown(message)
    assert "To look at again" in shown(message)

    await ann.click(message, label="Go over the missed ones")

    assert "1/2" in shown(message)


async def test_the_option_of_101_characters_is_shown_whole(stage: Stage) -> None:
    ann = stage.member("ann")
    await stage.store.set_participant(
        (await stage.store.participant(stage.alias(ann), name="ann")).id, language="id"
    )
    message = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    seen = shown(message)
    for _ in range(7):
        await play(stage, ann, message)
        await go_on(ann, message)
        seen += shown(message)

    assert max(len(o.text) for o in stage.options("id")) == 101
    assert all(o.text in seen for o in stage.options("id") if len(o.text) == 101)


async def test_the_result_is_shown_to_the_channel_only_when_asked_for(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    message = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, count=1)).response
    await play(stage, ann, message)
    await go_on(ann, message)
    assert stage.public() == []

    await ann.click(message, label="Show the channel")

    (shared,) = stage.public()
    assert "**ann** got **1 of 1** right" in shown(shared)
    assert "Show the channel" not in buttons(message)
    own = await ben.click(shared, label="Try it too")
    assert own.response.ephemeral
    assert "1/8" in shown(own.response)


async def test_a_double_click_is_one_answer(stage: Stage) -> None:
    ann = stage.member("ann")
    message = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    letter = await stage.letter(ann)
    button = buttons(message)[letter]["custom_id"]
    presses = [stage.press(ann, message, button) for _ in range(3)]

    await stage.at_once(payload for _, payload in presses)

    assert "Right!" in shown(message)
    assert all(record.responded for record, _ in presses)
    session = await stage.session(ann)
    assert session
    assert session.turn == 0


async def test_after_a_restart_and_many_idle_minutes_the_next_click_goes_on(stage: Stage) -> None:
    ann = stage.member("ann")
    message = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    await play(stage, ann, message)

    await stage.restart()
    await stage.env.advance_time(60 * 60)
    await go_on(ann, message)
    assert "2/8" in shown(message)
    await stage.restart()
    await play(stage, ann, message)

    assert "Right!" in shown(message)
    assert stage.public() == []


async def test_a_quiz_left_in_any_phase_goes_on_at_the_next_click(stage: Stage) -> None:
    ann = stage.member("ann")
    message = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, count=2)).response
    letter = await stage.letter(ann)
    await stage.lose("ASKING", ann)
    await stage.restart()

    await ann.click(message, label=letter)
    assert "Right!" in shown(message)
    await go_on(ann, message)
    assert "2/2" in shown(message)
    letter = await stage.letter(ann)
    await play(stage, ann, message)
    await stage.lose("REVEALING", ann)
    await stage.restart()
    await go_on(ann, message)
    assert "Right!" in shown(message)
    await go_on(ann, message)

    assert "**2 of 2** right" in shown(message)
