"""Reviews on Telegram: the real library over HTTP against the fake Bot API."""

import io
import zipfile
from dataclasses import replace
from typing import Any

from bot.ids import PackId
from bot.items import Choice, ItemId, Option
from bot.packs import Pack
from bot.session import Phase
from bot.text import Markdown
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, edition
from tests.helpers.telegrams import Stage, staged

DAY = 24 * 60 * 60


def two_packs() -> tuple[Pack, Pack]:
    other = Choice(
        id=ItemId("sea"),
        stem=Markdown("Which is a sea?"),
        options=tuple(Option(text=Markdown(text)) for text in ("Banda", "Toba")),
        key=0,
    )
    return (
        Pack(editions=(edition(CHOICE, pack="land", title="Land"),)),
        Pack(
            editions=(
                edition(other, pack="water", title="Water"),
                edition(
                    replace(other, stem=Markdown("Mana yang laut?")),
                    pack="water",
                    title="Air",
                    language="id",
                ),
            )
        ),
    )


async def answer(stage: Stage, person: Any, *, right: bool) -> tuple[Any, Any]:
    """Answer the next question, and give it and the verdict."""
    (question,) = await stage.new(person)
    poll = stage.poll_of(question)
    keys = poll.keys if right else [n for n in range(len(poll.options)) if n not in poll.keys]
    stage.world.vote(person, question, keys[0])
    (verdict,) = await stage.new(person)
    return question, verdict


async def onward(stage: Stage, person: Any, verdict: Any) -> None:
    stage.world.press(person, verdict, stage.world.buttons(verdict)[0]["text"])


async def played(stage: Stage, person: Any, *, right: bool) -> None:
    """Play both packs."""
    for pack in ("land", "water"):
        stage.world.say(person, f"/quiz {pack}")
        _, verdict = await answer(stage, person, right=right)
        await onward(stage, person, verdict)
        await stage.new(person)


async def reviewed(stage: Stage, person: Any, count: int, *, right: bool) -> tuple[list[str], Any]:
    """Answer a review, and give what was asked and the summary."""
    asked = []
    for _ in range(count):
        question, verdict = await answer(stage, person, right=right)
        asked.append(question["poll"]["question"] + str(question["poll"].get("description", "")))
        await onward(stage, person, verdict)
    (summary,) = await stage.new(person)
    return asked, summary


async def test_what_was_missed_in_two_packs_comes_back_the_next_day():
    async with staged(*two_packs(), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani", "id")
        await played(stage, ani, right=False)
        stage.world.say(ani, "/ulang")
        (nothing,) = await stage.new(ani)
        await stage.pass_time(DAY)

        stage.world.say(ani, "/ulang")
        asked, summary = await reviewed(stage, ani, 2, right=True)

        assert "Besok: 2" in nothing["text"]
        assert any("Mana yang laut?" in text for text in asked)
        assert any("capital of Indonesia" in text for text in asked)
        assert "Mengulang" in summary["text"]
        assert "Perlu diulang hari ini 0, besok 0." in summary["text"]
        assert [b["text"] for b in stage.world.buttons(summary)] == ["Ingatkan aku tiap hari"]


async def test_mistakes_are_replayed_at_once_and_can_be_taken_to_anki():
    async with staged(*two_packs(), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        await played(stage, ani, right=False)

        stage.world.say(ani, "/missed")
        asked, summary = await reviewed(stage, ani, 2, right=False)

        assert len(set(asked)) == 2
        assert "What you missed" in summary["text"]
        stage.world.press(ani, summary, "Take to Anki")
        (file,) = await stage.new(ani)
        content = stage.world.messages[1001, file["message_id"]]["_content"]
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            assert b"Which is a sea?" in package.read("collection.anki2")
        stage.world.press(ani, summary, "Go over")
        _, summary = await reviewed(stage, ani, 2, right=True)
        assert "2/2" in summary["text"]


async def test_in_a_group_the_way_to_ones_own_chat_is_shown():
    async with staged(*two_packs(), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(-100500, "Study")
        for name in ("review", "missed"):
            stage.world.say(ani, f"/{name}", group)
            (told,) = await stage.new(group)

            assert f"?start={name}" in str(told)

        stage.world.say(ani, "/start review")
        (nothing,) = await stage.new(ani)
        assert "nothing to review yet" in nothing["text"]


async def test_a_reminder_comes_by_itself_and_leads_into_a_review():
    async with staged(*two_packs(), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        await played(stage, ani, right=False)
        stage.world.say(ani, "/review remind 19:00")
        (which,) = await stage.new(ani)
        stage.world.press(ani, which, "WIB, Jakarta")
        message = stage.world.messages[1001, which["message_id"]]
        await stage.until(lambda: "I will remind you at 19:00" in message["text"])
        await stage.pass_time(DAY + 60)

        await stage.desk.tick({"telegram"})
        await stage.desk.tick({"telegram"})

        (reminder,) = await stage.new(ani)
        assert "2 questions are waiting for you today." in reminder["text"]
        stage.world.press(ani, reminder, "Review")
        _, summary = await reviewed(stage, ani, 2, right=True)
        assert "Due today 0" in summary["text"]
        stage.world.press(ani, reminder, "Stop reminding me")
        told = stage.world.messages[1001, reminder["message_id"]]
        await stage.until(lambda: "I will not remind you" in told["text"])


async def test_who_has_blocked_the_bot_is_reminded_no_more():
    async with staged(*two_packs(), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        await played(stage, ani, right=False)
        stage.world.say(ani, "/review remind 19:00 WIB")
        await stage.new(ani)
        await stage.pass_time(DAY + 60)
        stage.api.fail(
            "sendMessage", code=403, description="Forbidden: bot was blocked by the user"
        )

        await stage.desk.tick({"telegram"})

        found = await stage.store.due_reminders({"telegram"}, stage.clock.now().replace(year=2030))
        assert found == []


async def test_an_item_that_vanished_is_passed_over():
    land, water = two_packs()
    async with staged(land, water, clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        await played(stage, ani, right=False)
        stage.world.say(ani, "/missed")
        question, _ = await answer(stage, ani, right=True)
        kept = water if "sea" in question["poll"]["question"] else land
        gone = PackId("land" if kept is water else "water")
        for known in (stage.library._packs, stage.library._short):  # noqa: SLF001 - loaded once
            del known[gone]

        stage.world.press(ani, stage.world.by_bot(ani)[-1], "Next")

        (summary,) = await stage.new(ani)
        assert "1/1" in summary["text"]
        assert "Done!" in summary["text"]
        await stage.quiet()  # the end is stored when it has been said
        sessions = stage.store._sessions.values()  # type: ignore[attr-defined]  # noqa: SLF001
        assert all(session.phase is Phase.FINISHED for session in sessions)
