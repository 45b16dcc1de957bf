"""Challenges on Discord: a doubt only the person sees, a queue only moderators see."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.packs import Library
from bot.ports import BoardQuery
from tests.helpers.discord_looks import buttons, enabled, shown
from tests.helpers.discord_stage import Stage, performance
from tests.helpers.samples import CHOICE, pack

SAYS = {
    "en": {
        "doubt": "Challenge",
        "noted": "it is noted",
        "reason": "More than one is right",
        "thanks": "Thank you!",
        "counted": "More than one is right: 1",
        "mark": "Mark A as right",
        "look": "2 people would be scored again",
        "correct": "Correct it",
        "told": "was wrong: 2 people were scored again",
        "undo": "Take it back",
        "undone": "was taken back: 2 people",
    },
    "id": {
        "doubt": "Sanggah",
        "noted": "sudah dicatat",
        "reason": "Lebih dari satu yang benar",
        "thanks": "Terima kasih!",
        "counted": "Lebih dari satu yang benar: 1",
        "mark": "Tandai A benar",
        "look": "Nilai 2 orang akan dihitung ulang",
        "correct": "Koreksi",
        "told": "ternyata keliru: nilai 2 orang dihitung ulang",
        "undo": "Batalkan",
        "undone": "dibatalkan: nilai 2 orang dihitung ulang",
    },
}


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance(Library([pack(CHOICE)])):
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def points(stage: Stage) -> dict[str, int]:
    board = await stage.store.leaderboard(BoardQuery(room=None), stage.env.now())
    return {row.name: row.points for row in board.rows}


def moderator(stage: Stage, name: str) -> Any:
    role = stage.guild.create_role("Mods", permissions=stage.permissions(manage_guild=True))
    return stage.member(name, roles=[role])


async def revealed(stage: Stage, *members: Any) -> Any:
    """Play a live quiz of one question: the first says Jakarta, the second Bandung."""
    ann = members[0]
    await ann.slash(stage.channel, "quiz", pack="mixed", mode="live", seconds=20)
    question = stage.public()[-1]
    right = await stage.letter()
    order = stage.host.narrator.staged(await stage.session(), 0, None).order
    bandung = "ABC"[order.index(0)]
    for member, letter in zip(members, (right, bandung), strict=False):
        await member.click(question, label=letter)
    await stage.env.advance_time(22)
    return next(m for m in stage.public() if m.id == question.id)


@pytest.mark.parametrize("language", ["en", "id"])
async def test_a_challenged_key_is_corrected_in_a_channel_and_taken_back(
    stage: Stage, language: str
) -> None:
    says = SAYS[language]
    if language == "id":
        stage.in_indonesian()
    ann, ben, eve = moderator(stage, "ann"), stage.member("ben"), stage.member("eve")
    reveal = await revealed(stage, ann, ben)
    assert enabled(reveal) == [says["doubt"]]

    asked = (await ben.click(reveal, label=says["doubt"])).response
    assert asked.ephemeral
    assert says["noted"] in shown(asked)
    await ben.click(asked, label=says["reason"])
    assert says["thanks"] in shown(asked)
    assert enabled(asked) == []

    case = (await ann.slash(stage.channel, "challenges")).response
    assert case.ephemeral
    assert says["counted"] in shown(case)
    for label in ("A", "✓ B", says["mark"]):
        await ann.click(case, label=label)
    assert says["look"] in shown(case)
    forged = str(buttons(case)[says["correct"]]["custom_id"])
    record, payload = stage.press(eve, reveal, forged)
    await stage.at_once([payload])
    assert "oderator" in shown(stage.told(record))
    assert await points(stage) == {"ann": 100, "ben": 0}

    await ann.click(case, label=says["correct"])
    told = stage.public()[-1]
    assert says["told"] in shown(told)
    assert await points(stage) == {"ben": 100, "ann": 0}

    await ann.click(told, label=says["undo"])

    (undone,) = [m for m in stage.public() if m.id == told.id]
    assert says["undone"] in shown(undone)
    assert await points(stage) == {"ann": 100, "ben": 0}


async def test_a_verdict_of_ones_own_quiz_stays_where_it_is(stage: Stage) -> None:
    ann = stage.member("ann")
    message = (await ann.slash(stage.channel, "quiz", pack="mixed")).response
    await ann.click(message, label=await stage.letter(ann))

    asked = (await ann.click(message, label="Challenge")).response

    assert "What is wrong" in shown(asked)
    assert "Right!" in shown(message)
    assert enabled(message) == ["See your result", "Challenge"]
    assert len(await stage.store.challenges()) == 1
