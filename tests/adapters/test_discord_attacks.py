"""What people try: forged buttons, other people's quizzes, pings in names, floods of commands."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.packs import Library
from bot.text import Markdown
from tests.helpers.discord_looks import buttons, shown
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance
from tests.helpers.samples import CHOICE, option, pack


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance():
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


@pytest.mark.parametrize(
    "forged",
    [
        "old-button",
        "0:a:s:0:1",
        "1:a:nobody:0:1",
        "1:a:nobody:99999999999999999999:1",
        "1:a:x:0:" + "9" * 60,
        "1:a:x:0:²",
        "1:z:x:0:1",
        "1:g::0:language=99",
        "1:u::1:x,y,z",
        "1:p::0:no-such-pack",
        "menu:1:a:x:0:",
        "1:b::5:never.ever",
        "1:h:nobody:0:",
        "",
    ],
)
async def test_a_forged_button_gets_one_polite_sentence_and_does_nothing(
    stage: Stage, forged: str
) -> None:
    ann = stage.member("ann")
    question = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response

    record, payload = stage.press(ann, question, forged)
    await stage.at_once([payload])

    assert record.responded
    session = await stage.session(ann)
    assert session
    assert (session.turn, session.phase.value) == (0, "open")


async def test_a_button_of_last_week_is_answered_and_harms_nothing(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, mode="relaxed", count=1)
    question = stage.public()[-1]
    await ann.slash(stage.channel, "stop")
    await stage.env.advance_time(7 * 24 * 3600)
    await stage.restart()

    told = await ben.click(question, label="A")

    assert "over" in shown(told.response) or "closed" in shown(told.response)


async def test_the_quiz_of_another_person_cannot_be_answered_or_moved(stage: Stage) -> None:
    ann, eve = stage.member("ann"), stage.member("eve")
    question = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)).response
    await ann.slash(stage.channel, "help")
    answer = buttons(question)[await stage.letter(ann)]["custom_id"]
    session = await stage.session(ann)
    assert session

    record, payload = stage.press(eve, question, answer)
    onward, moved = stage.press(eve, question, f"1:n:{session.id}:0:")
    await stage.at_once([payload, moved])

    assert "somebody else's" in shown(stage.told(record))
    assert onward.responded
    now = await stage.session(ann)
    assert now == session


async def test_names_and_packs_ping_nobody_and_break_no_formatting(stage: Stage) -> None:
    bad = stage.guild.add_member(stage.env.create_user("evil", global_name="@everyone **x** <@1>"))
    await bad.slash(stage.channel, "quiz", pack=SEED_QUIZ, mode="live", count=1)
    await bad.click(stage.public()[-1], label=await stage.letter())
    await stage.env.advance_time(22 + 20)

    end = shown(stage.public()[-1])
    assert r"\@everyone \*\*x\*\* \<\@1" in end
    assert all(not message.mention_everyone for message in stage.public())


async def test_fifty_quizzes_a_second_from_one_person_meet_a_friendly_limit(stage: Stage) -> None:
    ann, ben = stage.member("ann"), stage.member("ben")
    first = await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)
    presses = [stage.command(ann, "quiz") for _ in range(50)]

    await stage.at_once(payload for _, payload in presses)
    other = await ben.slash(stage.channel, "quiz", pack=SEED_QUIZ)

    told = [shown(stage.told(record)) for record, _ in presses]
    assert sum("Not so fast!" in text for text in told) == 46
    assert "1/8" in shown(other.response)
    assert first.response.ephemeral
    await stage.env.advance_time(11)
    assert "Not so fast!" not in shown((await ann.slash(stage.channel, "help")).response)


async def test_a_pack_full_of_markup_shows_it_as_text(stage: Stage) -> None:
    nasty = Markdown(r"\@everyone \<@&1> ||spoiler|| `code` https://example.org/a_b_c # no")
    item = pack(_replace(CHOICE, nasty))
    stage.use(Library([item]))
    ann = stage.member("ann")

    question = (await ann.slash(stage.channel, "quiz")).response

    text = shown(question)
    assert r"\@everyone \<\@&1" in text
    assert r"\|\|spoiler\|\|" in text
    assert "https://example.org/a_b_c" in text


def _replace(item: Any, stem: Markdown) -> Any:
    return replace(item, stem=stem, options=(option("@here"), option("<@2>"), option("1. x")))
