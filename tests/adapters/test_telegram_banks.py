"""Question banks on Telegram: files, forwarded polls, and what comes of them."""

from typing import Any

import pytest

from tests.fakes.telegram_world import Chat, Person
from tests.helpers.banking import GIFT, PLAIN, bomb, kahoot
from tests.helpers.telegrams import Stage, staged

POLL = {"question": "What is 1 + 1?", "options": ["1", "2"], "keys": [1], "explanation": "Sums."}


async def pressed(
    stage: Stage, person: Person, message: dict[str, Any], label: str, expected: str
) -> dict[str, Any]:
    """Press a button of a message that changes, and give it as it is then."""
    stage.world.press(person, message, label)
    place = (message["chat"]["id"], message["message_id"])
    return await stage.until(
        lambda: expected in stage.world.messages[place]["text"] and stage.world.messages[place]
    )


def labels(stage: Stage, message: dict[str, Any]) -> list[str]:
    return [button["text"] for button in stage.world.buttons(message)]


def school(stage: Stage, *admins: Person, **more: Any) -> Chat:
    return stage.world.group(-1001, "7b", admins={one.id for one in admins}, **more)


@pytest.mark.parametrize(
    ("language", "found", "confirm", "ready"),
    [
        ("en", "2 found: 2 imported", "Confirm", "It has 2 questions"),
        ("id", "2 ditemukan", "Simpan", "Isinya 2 soal"),
    ],
)
async def test_a_kahoot_sheet_is_brought_in_and_played(
    language: str, found: str, confirm: str, ready: str
):
    async with staged(language=language) as stage:
        ani = stage.world.person(1001, "Ani", language)
        stage.world.hand_in(ani, "maths.xlsx", kahoot())
        file, report = await stage.new(ani, 2)

        assert file["document"]["file_name"] == "maths-report.txt"
        assert b"maths.xlsx" in stage.world.messages[1001, file["message_id"]]["_content"]
        assert found in report["text"]
        done = await pressed(stage, ani, report, confirm, ready)
        stage.world.say(ani, "/packs")
        (packs,) = await stage.new(ani)
        assert "maths · 2" in labels(stage, packs)
        stage.world.press(ani, done, labels(stage, done)[0])
        (question,) = await stage.new(ani)
        assert "1/2" in question["poll"]["question"]


async def test_gift_in_windows_1252_is_brought_in_by_a_command_below_it():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.hand_in(ani, "capitals.gift", GIFT, caption="/import")
        _, report = await stage.new(ani, 2)

        assert "2 found: 2 imported" in report["text"]
        assert "windows-1252" in report["text"]
        await pressed(stage, ani, report, "Confirm", "It has 2 questions")
        stage.world.say(ani, "/quiz capitals")
        (question,) = await stage.new(ani)
        assert "poll" in question


async def test_a_list_without_answers_gets_them_by_taps_also_after_a_restart():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.hand_in(ani, "colours.txt", PLAIN)
        _, report = await stage.new(ani, 2)
        assert labels(stage, report) == ["Give the answers", "Cancel"]

        sky = await pressed(stage, ani, report, "Give", "sky")
        assert labels(stage, sky) == ["A", "B", "C", "Leave it out", "‹ Back"]
        grass = await pressed(stage, ani, sky, "B", "grass")
        await stage.close()
        await stage.open()
        snow = await pressed(stage, ani, grass, "A", "snow")
        done = await pressed(stage, ani, snow, "Leave", "2 imported")
        ready = await pressed(stage, ani, done, "Confirm", "It has 2 questions")

        stage.world.press(ani, ready, "Play")
        (question,) = await stage.new(ani)
        assert "1/2" in question["poll"]["question"]


async def test_forwarded_polls_wait_for_their_answers_until_done():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.forward_poll(ani, POLL)
        (first,) = await stage.new(ani)
        second = stage.world.forward_poll(ani, POLL | {"question": "What is 2 + 2?"}, own=True)
        await stage.until(lambda: stage.world.messages[1001, second["message_id"]].get("_reaction"))
        stage.world.say(ani, "/done Sums")
        _, report = await stage.new(ani, 2)

        assert "type /done" in first["text"]
        assert "Sums" in report["text"]
        assert "2 found: 1 imported, 1 without an answer" in report["text"]
        question = await pressed(stage, ani, report, "Give", "1 + 1")
        done = await pressed(stage, ani, question, "B", "2 imported")
        await pressed(stage, ani, done, "Confirm", "It has 2 questions")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("huge.xlsx", 60 * 1024 * 1024, "60 MB; I can take 20 MB at most"),
        ("bomb.xlsx", bomb(), "I found no questions"),
        ("bomb.zip", bomb(), "suspiciously much"),
        ("setup.exe", b"MZ" + bytes(300), "a program, not a question bank"),
        ("photo.jpg", b"\xff\xd8\xff" + bytes(300), "Please send the questions as text"),
        ("empty.txt", b"", "is empty"),
    ],
)
async def test_what_is_no_bank_is_refused_kindly(name: str, content: bytes | int, sentence: str):
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.hand_in(ani, name, content)
        (refusal,) = await stage.new(ani)

        assert sentence in refusal["text"]
        assert not stage.world.buttons(refusal)
        if isinstance(content, int):
            assert not stage.api.made("getFile")


async def test_a_file_that_cannot_be_fetched_is_asked_for_once_more():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.api.fail("getFile", 400, "Bad Request: file is too big")
        stage.world.hand_in(ani, "maths.xlsx", kahoot())
        (refusal,) = await stage.new(ani)

        assert "could not fetch maths.xlsx" in refusal["text"]


async def test_a_teacher_brings_in_a_quiz_for_a_group_and_students_do_not_see_it_come():
    async with staged() as stage:
        ani, budi = stage.world.person(1001, "Ani"), stage.world.person(1002, "Budi")
        group = school(stage, ani)
        stage.world.hand_in(budi, "maths.xlsx", kahoot(), group, caption="/import")
        (refused,) = await stage.new(group)
        stage.world.hand_in(ani, "maths.xlsx", kahoot(), group, caption="/import@KuisTestBot")
        (pointer,) = await stage.new(group)
        _, report = await stage.new(ani, 2)

        assert "Only moderators may bring in" in refused["text"]
        assert "I have written to you in our own chat" in pointer["text"]
        assert labels(stage, report)[:2] == ["Confirm: for 7b", "Confirm: for myself"]
        await pressed(stage, ani, report, "Confirm: for 7b", "It has 2 questions")
        stage.world.say(budi, "/packs", group)
        (packs,) = await stage.new(group)
        assert "maths · 2" in labels(stage, packs)
        assert "Manage" not in labels(stage, packs)
        stage.world.say(budi, "/packs")
        (own,) = await stage.new(budi)
        assert "maths · 2" not in labels(stage, own)
        stage.world.say(budi, "/quiz maths live", group)
        (question,) = await stage.new(group)
        assert "1/2" in question["poll"]["question"]


async def test_in_a_group_a_file_is_taken_as_a_reply_or_after_the_command():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        group = school(stage, ani)
        stage.world.hand_in(ani, "holiday.xlsx", kahoot(), group, heard=True)
        assert await stage.none(group)
        stage.world.say(ani, "/import", group)
        (invitation,) = await stage.new(group)
        stage.world.hand_in(ani, "one.xlsx", kahoot(), group, heard=True)
        await stage.new(group)
        await stage.new(ani, 2)
        stage.world.hand_in(ani, "two.xlsx", kahoot(), group, reply_to=invitation)
        await stage.new(group)
        _, report = await stage.new(ani, 2)
        stage.world.hand_in(ani, "three.xlsx", kahoot(), group, caption="/import@OtherBot")

        assert "Send me a file with questions" in invitation["text"]
        assert "two" in report["text"]
        assert await stage.none(group)
        stage.world.say(ani, "/import", group)
        (pointer,) = await stage.new(group)
        assert "I have written to you" in pointer["text"]


async def test_an_admin_who_is_anonymous_is_answered_where_they_are():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        group = school(stage, ani)
        stage.world.hand_in(ani, "m.xlsx", kahoot(), group, caption="/import", as_chat=group)
        _, report = await stage.new(group, 2)

        assert "2 found: 2 imported" in report["text"]
        await pressed(stage, ani, report, "Confirm: for 7b", "It has 2 questions")


async def test_a_file_in_a_topic_is_answered_there_and_polls_are_collected_for_it():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        forum = school(stage, ani, forum=True)
        stage.world.hand_in(ani, "m.exe", b"MZ1", forum, caption="/import", thread=7)
        (refusal,) = await stage.new(forum)
        stage.world.forward_poll(ani, POLL, forum, reply_to=refusal, thread=7)
        await stage.new(forum)
        stage.world.say(ani, "/done", forum, thread=7)
        await stage.new(forum)
        _, report = await stage.new(ani, 2)

        assert refusal["message_thread_id"] == 7
        assert "Polls: What is 1 + 1?" in report["text"]


async def test_a_link_leads_a_friend_to_a_quiz_of_ones_own():
    async with staged() as stage:
        ani, budi = stage.world.person(1001, "Ani"), stage.world.person(1002, "Budi")
        stage.world.hand_in(ani, "maths.xlsx", kahoot())
        _, report = await stage.new(ani, 2)
        await pressed(stage, ani, report, "Confirm", "It has 2 questions")
        (pack,) = await stage.store.pack_index()
        stage.world.say(budi, f"/start {pack}")
        (question,) = await stage.new(budi)

        assert "1/2" in question["poll"]["question"]


async def test_its_owner_renames_hides_and_deletes_a_quiz():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.hand_in(ani, "maths.xlsx", kahoot())
        _, report = await stage.new(ani, 2)
        await pressed(stage, ani, report, "Confirm", "It has 2 questions")
        stage.world.say(ani, "/packs")
        (packs,) = await stage.new(ani)
        mine = await pressed(stage, ani, packs, "Manage", "Which one?")
        card = await pressed(stage, ani, mine, "maths", "Only you see it")
        stage.world.press(ani, card, "Rename")
        (asked,) = await stage.new(ani)
        assert stage.world.messages[1001, asked["message_id"]]["_markup"]["force_reply"]
        stage.world.say(ani, "Sums & more", reply_to=asked)
        (renamed,) = await stage.new(ani)
        assert "“Sums & more”" in renamed["text"]

        card = await pressed(stage, ani, card, "Hide", "It is hidden")
        stage.world.say(ani, "/quiz Sums & more")
        (unknown,) = await stage.new(ani)
        assert "I know no quiz" in unknown["text"]
        stage.world.press(ani, card, "Get as")
        (file,) = await stage.new(ani)
        assert file["document"]["file_name"].endswith(".en.md")
        sure = await pressed(stage, ani, card, "Delete", "will be deleted")
        await pressed(stage, ani, sure, "Delete it", "is deleted")
        assert not await stage.store.pack_index()


async def test_a_quiz_is_exported_in_another_programs_format():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/export")
        (how,) = await stage.new(ani)
        stage.world.say(ani, "/ekspor gradient-accumulation aiken")
        (file,) = await stage.new(ani)

        assert "A format may follow" in how["text"]
        assert file["document"]["file_name"] == "gradient-accumulation.en.txt"
        assert b"ANSWER: " in stage.world.messages[1001, file["message_id"]]["_content"]
        assert "Gradient accumulation" in file["caption"]


async def test_a_channel_takes_a_file_with_the_command_below_it():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        channel = stage.world.group(-1002, "Facts", "channel", admins={ani.id})
        stage.world.hand_in(ani, "photo.pdf", b"%PDF", channel)
        assert await stage.none(channel)
        stage.world.hand_in(ani, "maths.xlsx", kahoot(), channel, caption="/import")
        _, report = await stage.new(channel, 2)

        assert "2 found: 2 imported" in report["text"]
        await pressed(stage, ani, report, "Confirm: for Facts", "It has 2 questions")
        stage.world.say(ani, "/quiz maths", channel)
        (question,) = await stage.new(channel)
        assert "1/2" in question["text"]


async def test_a_poll_or_file_that_is_delivered_twice_is_taken_once():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.hand_in(ani, "maths.xlsx", kahoot())
        update = stage.api.updates[-1]
        await stage.new(ani, 2)
        stage.api.again(update)

        assert await stage.none(ani)
