"""Challenges on Telegram: a doubt below the answer, why in private, a correction in the room."""

from dataclasses import replace

import pytest

from bot.ports import BoardQuery
from tests.fakes.telegram_world import Person
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, SHORT, pack
from tests.helpers.telegrams import Stage, staged

GROUP = -1001234567890
CHANNEL = -1009876543210

SAYS = {
    "en": {
        "quiz": "/quiz mixed",
        "start": "Start",
        "doubt": "Challenge",
        "noted": "it is noted",
        "reason": "The marked answer is wrong",
        "thanks": "Thank you!",
        "queue": "/challenges",
        "counted": "The marked answer is wrong: 1",
        "mark": "Mark A as right",
        "look": "2 people would be scored again",
        "correct": "Correct it",
        "told": "was wrong: 2 people were scored again",
        "undo": "Take it back",
        "undone": "was taken back: 2 people",
        "written": "I have written to you",
        "moderators": "moderator",
    },
    "id": {
        "quiz": "/kuis mixed",
        "start": "Mulai",
        "doubt": "Sanggah",
        "noted": "sudah dicatat",
        "reason": "Kuncinya salah",
        "thanks": "Terima kasih!",
        "queue": "/sanggahan",
        "counted": "Kuncinya salah: 1",
        "mark": "Tandai A benar",
        "look": "Nilai 2 orang akan dihitung ulang",
        "correct": "Koreksi",
        "told": "ternyata keliru: nilai 2 orang dihitung ulang",
        "undo": "Batalkan",
        "undone": "dibatalkan: nilai 2 orang dihitung ulang",
        "written": "sudah menulis",
        "moderators": "moderator",
    },
}


async def tap(stage: Stage, who: Person, message: dict, label: str) -> dict:
    """Press a button and give the message as it is then."""
    stage.world.press(who, message, label)
    await stage.quiet()
    return stage.world.messages[message["chat"]["id"], message["message_id"]]


async def popped(stage: Stage, who: Person, message: dict, label: str) -> str:
    query = stage.world.press(who, message, label)
    await stage.until(lambda: stage.api.answer_to(query))
    return stage.api.answer_to(query)["text"]


@pytest.mark.parametrize("language", ["en", "id"])
async def test_a_challenged_key_is_corrected_in_a_group_and_taken_back(language: str):
    says = SAYS[language]
    async with staged(pack(CHOICE), clock=Watch(), language=language) as stage:
        ani = stage.world.person(1001, "Ani", language)
        ben = stage.world.person(1002, "Ben", language)
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ben, "/start")
        await stage.new(ben)
        stage.world.say(ani, says["quiz"], group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, says["start"])
        (question,) = await stage.new(group)
        stage.world.vote(ani, question, "Jakarta")
        stage.world.vote(ben, question, "Bandung")
        await stage.pass_time(32)
        (reveal,) = await stage.new(group)

        assert says["written"] in await popped(stage, ben, reveal, says["doubt"])
        (asked,) = await stage.new(ben)
        assert says["noted"] in asked["text"]
        thanked = await tap(stage, ben, asked, says["reason"])
        assert says["thanks"] in thanked["text"]
        assert not stage.world.buttons(thanked)
        await stage.pass_time(9)
        await stage.new(group)  # the result

        stage.world.say(ben, says["queue"], group)
        (refused,) = await stage.new(group)
        assert says["moderators"] in refused["text"].lower()
        stage.world.say(ani, says["queue"], group)
        (case,) = await stage.new(group)
        assert says["counted"] in case["text"]
        assert says["moderators"] in (await popped(stage, ben, case, "A")).lower()
        case = await tap(stage, ani, case, "A")
        case = await tap(stage, ani, case, "✓ B")
        case = await tap(stage, ani, case, says["mark"])
        assert says["look"] in case["text"]
        await tap(stage, ani, case, says["correct"])
        (told,) = await stage.new(group)
        assert says["told"] in told["text"]
        assert "Bandung" in told["text"]
        assert says["moderators"] in (await popped(stage, ben, told, says["undo"])).lower()
        board = await points(stage)
        assert board == {"Ani": 0, "Ben": 100}

        undone = await tap(stage, ani, told, says["undo"])

        assert says["undone"] in undone["text"]
        assert await points(stage) == {"Ani": 100, "Ben": 0}
        assert await stage.none(group)


async def points(stage: Stage) -> dict[str, int]:
    board = await stage.store.leaderboard(BoardQuery(room=None), stage.clock.now())
    return {row.name: row.points for row in board.rows}


async def test_who_has_no_chat_with_the_bot_is_heard_all_the_same():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        eve = stage.world.person(1003, "Eve")
        eve.started = False
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ani, "/quiz mixed live", group)
        await stage.new(group)
        await stage.pass_time(32)
        (reveal,) = await stage.new(group)

        said = await popped(stage, eve, reveal, "Challenge")

        assert "Write to me first" in said
        assert len(await stage.store.challenges()) == 1


async def test_a_quiz_of_ones_own_is_challenged_and_only_the_operator_judges_it():
    async with staged(pack(SHORT), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        await stage.new(ani)
        stage.world.say(ani, "no idea")
        (verdict,) = await stage.new(ani)

        stage.world.press(ani, verdict, "Challenge")
        (asked,) = await stage.new(ani)
        await tap(stage, ani, asked, "It is unclear")
        stage.world.say(ani, "/challenges")
        (told,) = await stage.new(ani)

        assert "by its admins" in told["text"]
        (kept,) = await stage.store.challenges()
        assert kept.reason.value == "unclear"


async def test_a_channel_has_no_button_to_challenge():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        channel = stage.world.group(CHANNEL, "Facts", "channel", admins={ani.id})
        stage.world.say(ani, "/quiz mixed", channel)
        (question,) = await stage.new(channel)
        stage.world.press(ani, question, "B")
        await stage.pass_time(32)
        await stage.quiet()

        revealed = stage.world.messages[CHANNEL, question["message_id"]]
        assert "The answer" in revealed["text"]
        assert not stage.world.buttons(revealed)


async def test_an_item_with_two_keys_is_no_poll_but_buttons():
    async with staged(pack(replace(CHOICE, also=frozenset({0}))), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        assert "poll" not in question
        letter = next(x[0] for x in question["text"].splitlines() if x[3:] == "Bandung")

        stage.world.press(ani, question, letter)

        (verdict,) = await stage.new(ani)
        assert "Right!" in verdict["text"]
