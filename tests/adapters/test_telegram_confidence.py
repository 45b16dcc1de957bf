"""How sure people are, on Telegram: buttons in two rows instead of a poll."""

from typing import Any

import pytest

from bot.items import keys
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, MULTI, TRUE, pack
from tests.helpers.telegrams import Stage, asked, staged

GROUP = -1001234567890
NAMES = {
    "en": ("How sure people are", "Points by sureness", "Start"),
    "id": ("Seberapa yakin", "Poin menurut keyakinan", "Mulai"),
}


async def turned_on(stage: Stage, admin: Any, place: Any, name: str) -> None:
    """Change a setting of a chat as its admin."""
    stage.world.say(admin, "/settings", stage.world.chats[place.id])
    (settings,) = await stage.new(place)
    query = stage.world.press(admin, settings, name)
    await stage.until(lambda: stage.api.answer_to(query) is not None)
    await stage.quiet()


async def pressed(stage: Stage, person: Any, question: Any, label: str) -> str:
    """Press a button, and give what the pop-up says."""
    query = stage.world.press(person, question, label)
    return (await stage.until(lambda: stage.api.answer_to(query)))["text"]


def rows(message: Any) -> list[list[str]]:
    keyboard = message["reply_markup"]["inline_keyboard"]
    return [[button["text"] for button in row] for row in keyboard]


async def letters(stage: Stage, place: Any, owner: Any = None) -> tuple[str, str]:
    """Give the right letter of the current question, and a wrong one."""
    session = await stage.session(place, owner)
    staged_ = stage.host.narrator.staged(session, session.turn, None)
    right = [at for at, where in enumerate(staged_.order) if where in keys(staged_.item)]
    wrong = [at for at in range(len(staged_.order)) if at not in right]
    return "ABC"[right[0]], "ABC"[wrong[0]]


@pytest.mark.parametrize("language", ["en", "id"])
async def test_a_group_answers_with_two_rows_and_hears_how_many_were_sure_and_wrong(language: str):
    told = {
        "en": (
            "Right, and you were sure!",
            "Right! You can be surer of this.",
            "Not quite, and you were sure: worth a second look",
            "2 of 3 answers were right. 1 was sure and wrong.",
            "Not sure: A? (right 50, wrong 0).",
        ),
        "id": (
            "Benar, dan kamu yakin!",
            "Benar! Kamu boleh lebih yakin soal ini.",
            "Belum tepat, padahal kamu yakin: layak dilihat lagi",
            "2 dari 3 jawaban benar. 1 orang yakin tetapi salah.",
            "Belum yakin: A? (benar 50, salah 0).",
        ),
    }[language]
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, ben, cid = (
            stage.world.person(1001 + n, name, language)
            for n, name in enumerate(("Ani", "Ben", "Cid"))
        )
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        await turned_on(stage, ani, group, NAMES[language][1])
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, NAMES[language][2])
        (question,) = await stage.new(group)
        right, wrong = await letters(stage, group)

        heard = [
            await pressed(stage, ani, question, right),
            await pressed(stage, ben, question, f"{right}?"),
            await pressed(stage, cid, question, wrong),
        ]
        again = await pressed(stage, ben, question, right)
        await stage.pass_time(32)
        reveal, summary = await stage.new(group, 2)

    assert rows(question) == [["A", "B", "C"], ["A?", "B?", "C?"]]
    assert "poll" not in question
    assert told[4] in question["text"]
    assert [one.splitlines()[0].split(" ", 1)[1] for one in heard] == list(told[:3])
    assert f"{right}?" in again
    assert told[3] in reveal["text"]
    assert "-100" in summary["text"]
    assert (
        summary["text"].index("Ani") < summary["text"].index("Ben") < summary["text"].index("Cid")
    )


async def test_alone_the_chat_has_the_setting_too_and_a_doubt_can_be_typed():
    async with staged(pack(CHOICE, TRUE, MULTI)) as stage:
        ani = stage.world.person(1001, "Ani")
        await turned_on(stage, ani, ani, NAMES["en"][0])
        question = await asked(stage, ani)
        for _ in range(3):
            if "poll" in question:  # several keys: a poll as ever, and nobody asks
                assert question["poll"]["allows_multiple_answers"]
                stage.world.vote(ani, question, 0)
            else:
                right, _ = await letters(stage, ani, ani)
                if len(rows(question)[0]) == 2:
                    stage.world.say(ani, f"{right}?")
                else:
                    stage.world.press(ani, question, f"{right}?")
            (verdict,) = await stage.new(ani)
            if "poll" not in question:
                assert "Right! You can be surer of this." in verdict["text"]
                assert "Sure: A. Not sure: A?" in question["text"]
            stage.world.press(ani, verdict, stage.world.buttons(verdict)[0]["text"])
            (question,) = await stage.new(ani)


async def test_a_button_of_before_the_setting_and_a_forged_one_do_no_harm():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/settings")
        (settings,) = await stage.new(ani)
        stage.world.press(ani, settings, "Shown as")
        await stage.quiet()
        question = await asked(stage, ani)
        session = await stage.session(ani, ani)
        right, _ = await letters(stage, ani, ani)
        assert rows(question) == [["A", "B", "C"]]
        for value in ("1??", "?", "1,2?", "²?"):
            stage.world.press(ani, question, data=f"1:a:{session.id}:0:{value}")
        assert await stage.none(ani)

        await turned_on(stage, ani, ani, NAMES["en"][0])
        stage.world.press(ani, question, right)
        (verdict,) = await stage.new(ani)

        assert "✅ Right! · 1/1" in verdict["text"]
        (kept,) = await stage.store.responses(session.id, session.starter)
        assert kept.sure is None
