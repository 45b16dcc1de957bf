"""The daily question on Telegram: set in a group, answered alone, revealed the next morning."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.people import Alias
from tests.fakes.telegram_world import Person
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, MULTI, NUMBER, pack
from tests.helpers.telegrams import Stage, staged

GROUP = -1001234567890


async def ticked(stage: Stage) -> None:
    await stage.desk.tick({"telegram"})
    await stage.quiet(0.05)


async def next_day(stage: Stage) -> None:
    await stage.pass_time(timedelta(days=1).total_seconds())
    await ticked(stage)


async def pressed(stage: Stage, person: Any, message: dict[str, Any], label: str) -> str:
    """Press a button and give what the pop-up says."""
    query = stage.world.press(person, message, label)
    await stage.until(lambda: stage.api.answer_to(query))
    return str(stage.api.answer_to(query).get("text", ""))


def right_letter(question: dict[str, Any], text: str = "Jakarta") -> str:
    line = next(line for line in question["text"].splitlines() if text in line)
    return line.split(".")[0]


async def begun(stage: Stage) -> tuple[Person, Person, Any]:
    """Have the admin of a group switch the daily question on, half an hour before it comes."""
    ani, ben = stage.world.person(1001, "Ani"), stage.world.person(1002, "Ben")
    group = stage.world.group(GROUP, "Study group", admins={ani.id})
    stage.world.say(ani, "/daily set 19:30 WIB", group)
    (told,) = await stage.new(group)
    assert "Every day at 19:30 (WIB · Jakarta), from all quizzes in turn." in told["text"]
    assert "The first one comes on Wednesday, 4 March, 19:30." in told["text"]
    return ani, ben, group


async def test_everybody_is_told_alone_at_once_and_all_together_the_next_day():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, ben, group = await begun(stage)
        await stage.pass_time(30 * 60)
        await ticked(stage)
        await ticked(stage)
        (question,) = await stage.new(group)
        letter = right_letter(question)
        wrong = next(other for other in "ABC" if other != letter)

        right_said = await pressed(stage, ani, question, letter)
        wrong_said = await pressed(stage, ben, question, wrong)
        again_said = await pressed(stage, ben, question, letter)
        await next_day(stage)
        reveal, second = await stage.new(group, 2)

        assert question["text"].startswith("Daily question · Wednesday, 4 March")
        assert "poll" not in question
        assert right_said.startswith("✅ Right!")
        assert wrong_said.startswith("❌ Not quite")
        assert "The answer and why come with the next question." in wrong_said
        assert "1945" not in right_said + wrong_said
        assert "already answered" in again_said
        assert reveal["reply_to_message"]["message_id"] == question["message_id"]
        assert reveal["text"].startswith("The answer to the daily question · Wednesday, 4 March")
        assert "Jakarta has been the capital since 1945." in reveal["text"]
        assert "1 of 2 answers were right." in reveal["text"]
        assert "Right: Ani" in reveal["text"]
        assert second["text"].startswith("Daily question · Thursday, 5 March")


async def test_a_quiz_runs_beside_it_and_is_what_stop_means():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, ben, group = await begun(stage)
        await stage.pass_time(30 * 60)
        await ticked(stage)
        (question,) = await stage.new(group)
        stage.world.say(ani, "/quiz mixed", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        (quiz,) = await stage.new(group)
        assert "poll" in quiz

        stage.world.say(ani, "/stop", group)
        (summary,) = await stage.new(group)
        stage.world.say(ani, "/stop", group)
        (nothing,) = await stage.new(group)

        assert "Final standings" in summary["text"]
        assert "There is no quiz here" in nothing["text"]
        assert "Right!" in await pressed(stage, ben, question, right_letter(question))


async def test_streaks_the_month_and_off():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, ben, group = await begun(stage)
        await stage.pass_time(30 * 60)
        for _ in range(3):
            await ticked(stage)
            question = (await stage.new(group))[-1]
            await pressed(stage, ani, question, right_letter(question))
            await stage.pass_time(timedelta(days=1).total_seconds())
            await ticked(stage)
            (reveal,) = await stage.new(group)
        assert "🔥 In a row: Ani 3 days" in reveal["text"]
        await stage.new(group)

        stage.world.say(ben, "/daily set 06:00", group)
        (refused,) = await stage.new(group)
        stage.world.say(ben, "/daily", group)
        (state,) = await stage.new(group)
        said = state["text"]
        pop_up = await pressed(stage, ben, state, "Switch it off")
        stage.world.press(ani, state, "Switch it off")
        await stage.quiet()
        off = stage.world.messages[GROUP, state["message_id"]]["text"]
        await next_day(stage)
        (last,) = await stage.new(group)
        await next_day(stage)

        assert "Only a moderator" in refused["text"]
        assert "The next one comes on Sunday, 8 March, 19:30." in said
        assert "🥇 Ani · 3 right, 3 of 3 days" in said
        assert "Only a moderator" in pop_up
        assert "The last one stays open until Sunday, 8 March, 19:30" in off
        assert last["text"].startswith("The answer to the daily question")
        assert await stage.none(group)


async def test_in_indonesian():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani", language="id")
        group = stage.world.group(GROUP, "Kelompok belajar", admins={ani.id})
        room = await stage.store.room(Alias(platform="telegram", external=str(GROUP)))
        await stage.store.set_settings(room.id, replace(room.settings, language="id"))

        stage.world.say(ani, "/harian atur 19.30 hari kerja", group)
        (zones,) = await stage.new(group)
        asked = zones["text"]
        stage.world.press(ani, zones, "WIB · Jakarta")
        await stage.quiet()
        told = stage.world.messages[GROUP, zones["message_id"]]["text"]
        await stage.pass_time(30 * 60)
        await ticked(stage)
        (question,) = await stage.new(group)
        said = await pressed(stage, ani, question, right_letter(question))
        await next_day(stage)
        reveal, _ = await stage.new(group, 2)
        stage.world.say(ani, "/harian", group)
        (state,) = await stage.new(group)
        stage.world.say(ani, "/harian mati", group)
        (off,) = await stage.new(group)

        assert "Pukul 19.30 di zona waktu mana?" in asked
        assert "Senin sampai Jumat pukul 19.30 (WIB · Jakarta), dari semua kuis" in told
        assert "Yang pertama datang pada Rabu, 4 Maret, 19.30." in told
        assert question["text"].startswith("Pertanyaan harian · Rabu, 4 Maret")
        assert "Jawaban dan alasannya muncul bersama pertanyaan berikutnya." in said
        assert "Benar: Ani" in reveal["text"]
        assert "Maret 2026" in state["text"]
        assert "Pertanyaan harian sudah dimatikan." in off["text"]


async def test_what_is_typed_and_what_has_several_answers_is_answered_alone():
    async with staged(pack(NUMBER, MULTI), clock=Watch(), seed=3) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ani, "/daily set 19:30 WIB", group)
        await stage.new(group)
        kinds = set()

        await stage.pass_time(30 * 60)
        for _ in range(2):
            await ticked(stage)
            question = (await stage.new(group))[-1]
            if "How much is pi?" in question["text"]:
                kinds.add("typed")
                (row,) = question["reply_markup"]["inline_keyboard"]
                link = row[0]["url"].partition("?start=")[2]
                stage.world.say(ani, f"/start {link}")
                await stage.new(ani)
                stage.world.say(ani, "3.14")
                (verdict,) = await stage.new(ani)
                assert "Right!" in verdict["text"]
            else:
                kinds.add("several")
                for text in ("2", "11"):
                    line = next(
                        line for line in question["text"].splitlines() if line.endswith(f". {text}")
                    )
                    await pressed(stage, ani, question, line.split(".")[0])
                assert "Right!" in await pressed(stage, ani, question, "Submit")
            await stage.pass_time(timedelta(days=1).total_seconds())
            await stage.desk.tick({"telegram"})
            (reveal,) = await stage.new(group)
            assert "Right: Ani" in reveal["text"]

        assert kinds == {"typed", "several"}


async def test_in_a_channel_the_answer_is_a_post_of_its_own():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, ben = stage.world.person(1001, "Ani"), stage.world.person(1002, "Ben")
        channel = stage.world.group(GROUP, "Facts", "channel", admins={ani.id})
        stage.world.say(ani, "/daily set 19:30 WIB", channel)
        await stage.new(channel)
        await stage.pass_time(30 * 60)
        await ticked(stage)
        (question,) = await stage.new(channel)

        said = await pressed(stage, ben, question, right_letter(question))
        await next_day(stage)
        reveal, _ = await stage.new(channel, 2)

        assert "Right!" in said
        assert reveal["reply_to_message"]["message_id"] == question["message_id"]
        assert "Right: Ben" in reveal["text"]


async def test_a_question_whose_confirmation_is_lost_is_not_asked_twice():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, _, group = await begun(stage)
        await stage.pass_time(30 * 60)
        stage.api.fail("sendMessage", kind="drop", after=True)
        await ticked(stage)
        await stage.pass_time(300)
        await ticked(stage)
        (question,) = await stage.new(group)

        said = await pressed(stage, ani, question, right_letter(question))
        await next_day(stage)
        reveal, _ = await stage.new(group, 2)

        assert "Right!" in said
        assert "What is the capital of Indonesia?" in reveal["text"]
        assert "Right: Ani" in reveal["text"]


async def test_where_the_bot_was_removed_the_daily_is_switched_off_until_it_is_set_again():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ani, "/start")
        await stage.new(ani)
        stage.world.say(ani, "/daily set 19:30 WIB", group)
        await stage.new(group)
        group.kicked = True
        await stage.pass_time(30 * 60)
        await ticked(stage)
        await ticked(stage)

        room = await stage.store.room(Alias(platform="telegram", external=str(GROUP)))
        daily = await stage.store.daily(room.id)
        assert daily
        assert daily.next_at is None
        (told,) = await stage.new(ani)
        assert "/daily set" in told["text"]
        stage.world.press(ani, told, "Switch it on again")
        await stage.quiet()
        again = stage.world.messages[ani.id, told["message_id"]]["text"]
        assert "The first one comes on Thursday, 5 March, 19:30." in again
