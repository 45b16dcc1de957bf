"""Insight on Telegram and on Discord: pictures for learners, findings for teachers."""

import csv
import io
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.pictures import Studio
from bot.actions import Action, Verb, encode
from bot.packs import Library, Pack
from bot.people import Alias
from tests.helpers import discord_stage, telegrams
from tests.helpers.classes import pack_of, taught
from tests.helpers.discord_looks import buttons, shown, walk
from tests.helpers.learning import items
from tests.helpers.samples import CHOICE, edition, pack

PNG = b"\x89PNG"
GROUP = -1001


# ------------------------------------------------------------ Telegram


async def test_on_telegram_stats_are_a_photo_that_can_be_turned_dark():
    async with telegrams.staged(pack(CHOICE), workshop=Studio()) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        stage.world.vote(ani, question, *stage.poll_of(question).keys)
        await stage.new(ani)

        stage.world.say(ani, "/stats")
        (stats,) = await stage.new(ani)
        light = stage.world.messages[1001, stats["message_id"]]["_content"]
        stage.world.press(ani, stats, "Dark")
        there = stage.world.messages[1001, stats["message_id"]]
        await stage.until(lambda: there["_content"] != light)

        assert light.startswith(PNG)
        assert there["_content"].startswith(PNG)
        assert "1 of 1 right at first try (100%)" in stats["caption"]
        assert "What to do next" in there["caption"]
        assert [button["text"] for button in stage.world.buttons(there)] == [
            "A mixed pack",
            "Light",
        ]
        assert await stage.none(ani)


async def test_on_telegram_somebody_elses_picture_stays_as_it_is():
    async with telegrams.staged(pack(CHOICE), workshop=Studio()) as stage:
        ani, ben = stage.world.person(1001, "Ani"), stage.world.person(1002, "Ben")
        group = stage.world.group(GROUP, "Class")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        stage.world.vote(ani, question, 0)
        await stage.new(ani)
        stage.world.say(ani, "/stats", group)
        (stats,) = await stage.new(group)

        query = stage.world.press(ben, stats, "Dark")
        answer = await stage.until(lambda: stage.world.queries[query]["answer"])

        assert "somebody else's" in answer["text"]
        assert await stage.none(group)


async def teaching(stage: telegrams.Stage) -> tuple[Any, Any, Any]:
    """Have a class answer in a group with an admin, who asks for insight."""
    admin, pupil = stage.world.person(1001, "Bu Sri"), stage.world.person(1002, "Budi")
    group = stage.world.group(GROUP, "Class", admins={1001})
    room = await stage.store.room(Alias(platform="telegram", external=str(GROUP)), title="Class")
    await taught(stage.store, room)
    stage.world.say(admin, "/insight class", group)
    (pointer,) = await stage.new(group)
    assert "written to you" in pointer["text"]
    return admin, pupil, group


async def test_on_telegram_a_teacher_is_told_in_private_and_can_have_the_tables():
    async with telegrams.staged(pack_of(16)) as stage:
        admin, _, _ = await teaching(stage)
        (told,) = await stage.new(admin)

        stage.world.press(admin, told, "All answers")
        (results,) = await stage.new(admin)
        stage.world.press(admin, told, "Questions")
        (items,) = await stage.new(admin)

        assert "This group has mastered" in told["text"]
        assert "“third” rather than “second”" in told["text"]
        assert "Student" not in told["text"]
        assert results["document"]["file_name"] == "class-results.csv"
        assert items["document"]["file_name"] == "class-items.csv"
        content = stage.world.messages[1001, results["message_id"]]["_content"]
        lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        assert len(lines) == 1 + 60 * 16


async def test_on_telegram_a_forged_button_gives_a_pupil_nothing():
    async with telegrams.staged(pack_of(16)) as stage:
        admin, pupil, group = await teaching(stage)
        await stage.new(admin)
        stage.world.say(pupil, "/help")
        (help_,) = await stage.new(pupil)
        room = await stage.store.room(Alias(platform="telegram", external=str(GROUP)))
        other = await stage.store.room(Alias(platform="discord", external="1"))

        for forged in (room.id, other.id, "unknown"):
            action = Action(verb=Verb.INSIGHT, value=f"r.{forged}.class")
            stage.world.press(pupil, help_, data=encode(action))
        answers = await stage.new(pupil, 3)
        stage.world.say(pupil, "/insight class", group)
        (pointer,) = await stage.new(group)
        (refused,) = await stage.new(pupil)
        stage.world.say(pupil, "/insight class")
        (alone,) = await stage.new(pupil)

        texts = sorted(answer["text"] for answer in answers)
        assert "Only a moderator" in texts[0]
        assert all("That is gone" in text for text in texts[1:])
        assert not any("document" in answer for answer in answers)
        assert "written to you" in pointer["text"]
        assert "Only a moderator" in refused["text"]
        assert "in a group where you are a moderator" in alone["text"]


async def test_on_telegram_a_caption_that_is_too_long_becomes_a_message_of_its_own():
    title = "A pack with a title that is longer than anybody would ever write " * 12
    long = Pack(editions=(edition(*items(1), title=title),))
    async with telegrams.staged(long, workshop=Studio()) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        stage.world.vote(ani, question, *stage.poll_of(question).keys)
        await stage.new(ani)

        stage.world.say(ani, "/stats")
        photo, text = await stage.new(ani, 2)
        stage.world.press(ani, text, "Dark")
        again, _ = await stage.new(ani, 2)

        assert "caption" not in photo
        assert "What to do next" in text["text"]
        assert "photo" in again


async def test_on_telegram_both_speak_indonesian():
    async with telegrams.staged(pack_of(16), workshop=Studio()) as stage:
        admin = stage.world.person(1001, "Bu Sri", language="id")
        group = stage.world.group(GROUP, "Class", admins={1001})
        room = await stage.store.room(
            Alias(platform="telegram", external=str(GROUP)), title="Class"
        )
        await taught(stage.store, room)

        stage.world.say(admin, "/analisis class", group)
        (told,) = await stage.new(admin)
        stage.world.say(admin, "/quiz class 1")
        (question,) = await stage.new(admin)
        stage.world.vote(admin, question, *stage.poll_of(question).keys)
        await stage.new(admin)
        stage.world.say(admin, "/statistik")
        (stats,) = await stage.new(admin)

        assert "Grup ini sudah menguasai" in told["text"]
        assert "1 dari 1 benar" in stats["caption"]
        assert "Langkah berikutnya" in stats["caption"]


# ------------------------------------------------------------ Discord


@pytest.fixture
async def stage() -> AsyncIterator[discord_stage.Stage]:
    async for stage in discord_stage.performance(Library([pack_of(16)]), workshop=Studio()):
        yield stage


def described(message: Any) -> str:
    """Give the text for who cannot see the picture of a message."""
    (gallery,) = (part for part in walk(message.components) if part.get("type") == 12)
    return str(gallery["items"][0]["description"])


async def test_on_discord_stats_are_a_picture_that_is_described(stage: discord_stage.Stage):
    ann, ben = stage.member("ann"), stage.member("ben")
    quiz = (await ann.slash(stage.channel, "quiz", pack="class", count=1)).response
    await ann.click(quiz, label=await stage.letter(ann))

    stats = (await ann.slash(stage.channel, "stats")).response
    (light,) = stats.attachments
    before = await light.read()
    await ann.click(stats, label="Dark")
    (dark,) = stats.attachments

    assert stats.ephemeral
    assert before.startswith(PNG)
    assert (await dark.read()).startswith(PNG)
    assert await dark.read() != before
    assert "1 of 1 right at first try (100%)" in described(stats)
    assert "What to do next" in shown(stats)
    assert list(buttons(stats)) == ["Class test", "Light"]
    none = (await ben.slash(stage.channel, "stats")).response
    assert "Nothing yet" in shown(none)


async def test_on_discord_a_teacher_alone_sees_the_findings(stage: discord_stage.Stage):
    role = stage.guild.create_role("teachers", permissions=stage.permissions(manage_guild=True))
    teacher = stage.member("teacher", roles=[role])
    pupil = stage.member("pupil")
    room = await stage.store.room(discord_stage.alias(stage.channel.id))
    await taught(stage.store, room)

    told = (await teacher.slash(stage.channel, "insight", pack="class")).response
    file = (await teacher.click(told, label="All answers (CSV)")).response
    record, press = stage.press(pupil, told, stage.id_of(told, "All answers (CSV)"))
    await stage.at_once([press])

    assert told.ephemeral
    assert "“third” rather than “second”" in shown(told)
    (attachment,) = file.attachments
    assert attachment.filename == "class-results.csv"
    assert len((await attachment.read()).decode().splitlines()) == 1 + 60 * 16
    assert "insight" not in pupil.available_commands(stage.channel)
    assert "Only a moderator" in shown(stage.told(record))
    assert stage.public() == []


async def test_on_discord_both_speak_indonesian(stage: discord_stage.Stage):
    stage.in_indonesian()
    role = stage.guild.create_role("teachers", permissions=stage.permissions(manage_guild=True))
    teacher = stage.member("teacher", roles=[role])
    room = await stage.store.room(discord_stage.alias(stage.channel.id))
    await taught(stage.store, room)
    quiz = (await teacher.slash(stage.channel, "quiz", pack="class", count=1)).response
    await teacher.click(quiz, label=await stage.letter(teacher))

    stats = (await teacher.slash(stage.channel, "stats")).response
    told = (await teacher.slash(stage.channel, "insight", pack="class")).response

    assert "Langkah berikutnya" in shown(stats)
    assert "1 dari 1 benar" in described(stats)
    assert "Grup ini sudah menguasai" in shown(told)
