"""Every command of Discord, in both languages, for one's own eyes or for the channel."""

import json
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from bot.commands import COMMANDS
from bot.ids import SessionId
from bot.ports import Response
from bot.submissions import Chosen
from tests.helpers.discord_looks import buttons, shown, texts
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance():
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


def registered(stage: Stage) -> dict[str, Any]:
    """Give what was registered, by English name."""
    (request,) = [r for r in stage.env.http_requests if r.path.endswith("/commands")]
    return {command["name"]: command for command in request.json}


async def test_every_command_has_an_indonesian_name_and_description(stage: Stage) -> None:
    commands = registered(stage)

    here = [command for command in COMMANDS if command.only in {"", "discord"}]
    assert set(commands) == {command.name for command in here}
    for command in here:
        made = commands[command.name]
        assert made["name_localizations"]["id"] == command.indonesian
        assert made["description_localizations"]["id"] != made["description"]
    options = {o["name"]: o for o in commands["quiz"]["options"]}
    assert list(options) == ["pack", "count", "mode", "seconds", "style"]
    assert options["count"]["name_localizations"] == {"id": "jumlah"}
    assert options["mode"]["choices"][1]["name_localizations"] == {"id": "bersama, pakai waktu"}


async def test_commands_are_registered_again_only_when_they_have_changed(stage: Stage) -> None:
    await stage.restart()
    await stage.restart()

    assert len([r for r in stage.env.http_requests if r.method == "PUT"]) == 1
    (key,) = [key for key in stage.store._notes if key.startswith("discord.commands")]  # noqa: SLF001
    await stage.store.set_note(key, '["an older one", {}]')
    await stage.restart()
    assert len([r for r in stage.env.http_requests if r.method == "PUT"]) == 2


async def test_commands_in_notices_can_be_pressed_whatever_they_are_called(stage: Stage) -> None:
    ann = stage.member("ann")
    await stage.restart()

    told = await ann.slash(stage.channel, "help")

    assert re.search(r"</quiz:\d{15,}> — Start a quiz", shown(told.response))


async def test_settings_are_offered_to_who_manages_the_server_alone(stage: Stage) -> None:
    role = stage.guild.create_role("boss", permissions=stage.permissions(manage_guild=True))
    ann, boss = stage.member("ann"), stage.member("boss", roles=[role])

    assert "settings" not in ann.available_commands(stage.channel)
    told = await boss.slash(stage.channel, "settings")
    await boss.click(told.response, label="Shown as")
    await boss.click(told.response, label="Shown as")

    assert "Shown as: **polls**" in shown(told.response)
    assert told.response.ephemeral
    other = stage.guild.create_text_channel("lain")
    await ann.slash(other, "quiz", pack=SEED_QUIZ, mode="live")
    assert stage.public(other)[0].poll


async def test_packs_are_suggested_in_the_language_of_who_types(stage: Stage) -> None:
    ann = stage.member("ann")

    english = await ann.autocomplete(stage.channel, "quiz", "pack", "grad")
    stage.in_indonesian()
    indonesian = await ann.autocomplete(stage.channel, "quiz", "pack", "")

    assert english == [{"name": "Gradient accumulation quiz", "value": SEED_QUIZ}]
    assert {"name": "Kuis Akumulasi Gradien", "value": SEED_QUIZ} in indonesian
    assert len(indonesian) <= 25


async def test_private_words_are_in_the_language_of_the_person(stage: Stage) -> None:
    ann = stage.member("ann")
    stage.in_indonesian()

    told = await ann.slash(stage.channel, "help")
    quiz = await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)
    await ann.click(quiz.response, label=await stage.letter(ann))

    assert "Cara kerjanya" in shown(told.response)
    assert "✅ Benar!" in shown(quiz.response)


async def test_somebody_may_read_another_language_than_their_discord(stage: Stage) -> None:
    ann = stage.member("ann")
    told = await ann.slash(stage.channel, "language")

    await ann.click(told.response, label="Bahasa Indonesia")
    quiz = await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ)
    await ann.click(quiz.response, label=await stage.letter(ann))

    assert "Halo" in shown(told.response)
    assert "✅ Benar!" in shown(quiz.response)


async def test_without_a_pack_one_can_be_picked_and_is_played_alone(stage: Stage) -> None:
    ann = stage.member("ann")
    told = await ann.slash(stage.channel, "quiz")

    label = next(label for label in buttons(told.response) if label.startswith("Gradient"))
    await ann.click(told.response, label=label)

    assert "1/8" in shown(told.response)
    assert told.response.ephemeral


async def test_a_pack_that_is_not_known_is_answered_with_those_that_are(stage: Stage) -> None:
    ann = stage.member("ann")

    told = await ann.slash(stage.channel, "quiz", pack="gradint-accumulation")

    assert "Did you mean `gradient-accumulation`?" in shown(told.response)


async def test_the_leaderboard_of_a_server_with_500_people_asks_discord_for_nobody(
    stage: Stage,
) -> None:
    ann = stage.member("ann")
    await fill(stage, 500)
    stage.env.http_requests.clear()

    told = await ann.slash(stage.channel, "leaderboard", scope="community", period="all")

    (board,) = stage.public()
    text = shown(board)
    assert len(stage.env.http_requests) <= 3
    assert "Leaderboard of all time" in text
    assert "Machine Learning ID" in text
    assert text.count(" · ") >= 20
    assert max(map(len, texts(board.components).splitlines())) < 90
    assert "You are not on this board yet" in shown(told.response)
    where = await ann.click(board, label="Where am I?")
    assert "You are not on this board yet" in shown(where.response)


async def test_the_leaderboard_has_periods_scopes_and_accuracy(stage: Stage) -> None:
    ann = stage.member("ann")
    quiz = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, count=1)).response
    await ann.click(quiz, label=await stage.letter(ann))
    other = stage.guild.create_text_channel("lain")

    here = await ann.slash(stage.channel, "leaderboard")
    await ann.slash(other, "leaderboard")
    await ann.slash(other, "leaderboard", scope="everywhere", by="accuracy", period="today")
    direct = await stage.in_private(ann).slash("leaderboard", scope="everywhere")

    assert "place 1 of 1" in shown(here.response)
    assert "**ann** · 100 points" in shown(stage.public()[-1])
    assert "Nobody is on this board yet" in shown(stage.public(other)[0])
    assert direct.response.ephemeral


async def test_stats_and_privacy_are_for_the_person_alone(stage: Stage) -> None:
    ann = stage.member("ann")
    quiz = (await ann.slash(stage.channel, "quiz", pack=SEED_QUIZ, count=1)).response
    await ann.click(quiz, label=await stage.letter(ann))

    stats = await ann.slash(stage.channel, "stats")
    privacy = await ann.slash(stage.channel, "privacy")
    file = await ann.click(privacy.response, label="See it")
    await ann.click(privacy.response, label="Delete it")
    await ann.click(privacy.response, label="Delete everything")

    assert "**1 of 1** right at first try" in shown(stats.response)
    assert "1 answer" in shown(privacy.response) or "Nothing about you" in shown(privacy.response)
    (attachment,) = file.response.attachments
    assert "responses" in json.loads(await attachment.read())
    assert "Nothing about you is kept" in shown(privacy.response)
    assert stage.public() == []


async def test_in_a_direct_message_everything_works_alone(stage: Stage) -> None:
    ann = stage.in_private(stage.member("ann"))

    quiz = (await ann.slash("quiz", pack=SEED_QUIZ, count=1)).response
    await ann.click(quiz, label=await stage.letter(ann, ann.dm_channel))
    await ann.click(quiz, label="See your result")

    assert "**1 of 1** right" in shown(quiz)
    assert "Show the channel" not in buttons(quiz)


async def fill(stage: Stage, people: int) -> None:
    """Let many people have answered one question each, in one session of the channel."""
    starter = stage.member("starter")
    await starter.slash(stage.channel, "quiz", pack=SEED_QUIZ, mode="live", count=1, seconds=60)
    session = await stage.session()
    assert session
    room = await stage.store.room(stage.alias(stage.channel))
    for number in range(people):
        name = f"Peserta *{number:03}* dengan nama yang cukup panjang"
        person = await stage.store.participant(stage.other(10_000 + number), name=name[:32])
        response = Response(
            session=SessionId(session.id),
            turn=0,
            participant=person.id,
            room=room.id,
            pack=session.pack,
            item=session.item,
            submission=Chosen(frozenset({number % 4})),
            grade=float(number % 4 == 0),
            points=100 * (number % 4 == 0),
            at=stage.env.now() + timedelta(milliseconds=number),
            elapsed=number / 100,
            week=stage.env.now().date() - timedelta(days=stage.env.now().weekday()),
        )
        await stage.store.record(response)
    await starter.slash(stage.channel, "stop")
    for message in stage.public():
        stage.env.backend.delete_message(stage.channel.id, message.id)
    await stage.env.settle()
