"""Question banks that people bring in: what is handed in, decided and kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot import aside, banking, deciding
from bot.actions import Action, Verb
from bot.commands import Place
from bot.desk import QuizWish
from bot.drafts import Draft
from bot.modes import Mode
from bot.parcelling import poll
from bot.people import Alias, Settings
from bot.requests import Request
from tests.helpers.banking import (
    GIFT,
    PLAIN,
    asks,
    bomb,
    brought_in,
    kahoot,
    labels,
    press,
    said,
)
from tests.helpers.worlds import World

ROOM = Place.ROOM
SIZE = 20 * 1024 * 1024


def teacher(world: World, **more: object) -> Request:
    return asks(world, ROOM, moderator=True, **more)


async def test_a_kahoot_sheet_becomes_a_quiz_of_the_room(world: World):
    report = await world.desk.imported(teacher(world), "maths.xlsx", kahoot())

    assert "2 found: 2 imported, 0 without an answer, 0 skipped." in said(report)
    assert labels(report) == ["Confirm: for Here", "Confirm: for myself", "Cancel"]
    assert report.file
    assert report.file[0] == "maths-report.txt"
    ready = await press(world, teacher(world), report, "Confirm: for Here")
    assert "It has 2 questions" in said(ready)
    assert ready.replaces
    seen = await world.desk.packs(asks(world, ROOM, world.ben))
    assert "maths · 2" in labels(seen)
    assert await press(world, asks(world, ROOM, world.ben), ready, "Play")


async def test_gift_in_windows_1252_is_read_with_its_accents(world: World):
    ready = await brought_in(world, asks(world), GIFT, "kafé.gift")

    pack = (await world.desk.shelf(asks(world))).find("kafé")
    assert "It has 2 questions" in said(ready)
    assert "\u201cla ville\u201d" in pack.editions[0].items[0].stem
    assert pack.editions[0].items[1].options[0].text == "café"  # type: ignore[union-attr]


async def test_questions_without_an_answer_are_shown_one_by_one(world: World):
    report = await world.desk.imported(asks(world), "colours.txt", PLAIN)
    assert "3 found: 0 imported, 3 without an answer" in said(report)
    assert labels(report) == ["Give the answers", "Cancel"]

    first = await press(world, asks(world), report, "Give")
    assert "3 to go" in said(first)
    assert [option.text for option in first.panel.options] == ["Red", "Blue", "Green"]
    second = await press(world, asks(world), first, "B")
    twice = await press(world, asks(world), first, "A")
    third = await press(world, asks(world), second, "Leave it out")
    back = await press(world, asks(world), third, "‹ Back")
    done = await press(world, asks(world), third, "B")

    assert "grass" in said(second)
    assert said(twice) == said(second)
    assert "2 imported" not in said(back)
    assert "1 imported, 1 without an answer, 1 skipped" in said(back)
    assert labels(back) == ["Give the answers", "Confirm", "Cancel"]
    assert "3 found: 2 imported, 0 without an answer, 1 skipped." in said(done)
    ready = await press(world, asks(world), done, "Confirm")
    assert "It has 2 questions" in said(ready)
    items = (await world.desk.shelf(asks(world))).find("Colours").editions[0].items
    assert [item.key for item in items] == [1, 1]  # type: ignore[union-attr]


async def test_one_question_with_an_answer_and_one_without_make_one_quiz(world: World):
    content = b"1. What is two?\na) 1\nb) 2 (correct)\n\n2. What is three?\na) 3\nb) 4\n"
    report = await world.desk.imported(asks(world), "n.txt", content)
    first = await press(world, asks(world), report, "Give")
    done = await press(world, asks(world), first, "A")

    await press(world, asks(world), done, "Confirm")

    assert len((await world.desk.shelf(asks(world))).find("n").item_ids) == 2


async def test_leaving_all_questions_out_keeps_nothing(world: World):
    report = await world.desk.imported(asks(world), "one.txt", PLAIN.split(b"\n2.")[0])
    question = await press(world, asks(world), report, "Give")
    left = await press(world, asks(world), question, "Leave it out")

    forged = Action(verb=Verb.BANK, value=f"keep.{left.panel.buttons[0].action.value[5:]}.person")
    again = await world.desk.press(asks(world), forged)

    assert "There is nothing to keep." in said(left)
    assert labels(left) == ["Cancel"]
    assert "There is nothing to keep." in said(again)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("virus.exe", b"MZ" + bytes(100), "a program"),
        ("photo.png", b"\x89PNG\r\n" + bytes(100), "a picture"),
        ("bomb.zip", bomb(), "I found no questions"),
        ("nothing.txt", b"  \n", "is empty"),
        ("blob.bin", bytes(range(256)) * 9, "none of the formats"),
        ("letter.txt", b"Dear all,\n\nhow are you?\n", ""),
    ],
)
async def test_what_is_no_bank_is_refused_kindly(
    world: World, name: str, content: bytes, sentence: str
):
    reply = await world.desk.imported(asks(world), name, content)

    assert sentence in said(reply)
    assert "I can read tables" in said(reply)
    assert not reply.panel.buttons
    assert not await world.store.parcels(world.ann.id)


async def test_a_refusal_is_in_the_language_of_the_person(world: World):
    budi = replace(world.ann, language="id")

    reply = await world.desk.imported(asks(world, by=budi), "virus.exe", b"MZ" + bytes(100))

    assert "adalah program" in said(reply)


async def test_a_file_that_is_too_large_need_not_even_be_fetched(world: World):
    away = world.desk.banking.turned_away(asks(world), "big_one.xlsx", 60 * 1024 * 1024, SIZE)
    welcome = world.desk.banking.turned_away(asks(world), "small.xlsx", 1000, SIZE)

    assert "60 MB; I can take 20 MB at most" in said(away)
    assert welcome is None


async def test_a_file_with_too_many_questions_is_to_be_split(world: World):
    many = "\n\n".join(f"Number {n}? {{=yes ~no}}" for n in range(501)).encode()

    reply = await world.desk.imported(asks(world), "many.gift", many)

    assert "501 questions" in said(reply)
    assert "500 are the most" in said(reply)


async def test_texts_that_are_too_long_together_are_to_be_split(world: World):
    long = "\n\n".join(f"{n} {'long ' * 550}? {{=yes ~no}}" for n in range(450)).encode()

    reply = await world.desk.imported(asks(world), "long.gift", long)

    assert "too long for one quiz" in said(reply)


async def test_reading_that_takes_too_long_is_given_up(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(aside, "SECONDS", 0)

    reply = await world.desk.imported(asks(world), "maths.xlsx", kahoot())

    assert r"takes too long to read maths\.xlsx" in said(reply)


async def test_who_may_bring_in_questions_is_a_setting(world: World):
    student = asks(world, ROOM, world.ben)
    refused = await world.desk.imported(student, "m.xlsx", kahoot())
    invited = await world.desk.obey(student, "import", "")
    settings = Settings(importers="everyone")
    open_room = replace(student, room=replace(world.room, settings=settings))

    report = await world.desk.imported(open_room, "m.xlsx", kahoot())

    assert "Only moderators may bring in questions here" in said(refused)
    assert "Only moderators" in said(invited)
    assert "Confirm: for Here" in labels(report)


async def test_a_server_has_a_place_for_the_quizzes_of_all_its_rooms(world: World):
    alias = Alias(platform="test", external="c1")
    channel = await world.store.room(alias, title="c1", community="server")
    other = await world.store.room(replace(alias, external="c2"), title="", community="server")
    request = replace(teacher(world), room=channel)
    report = await world.desk.imported(request, "maths.xlsx", kahoot())
    assert labels(report)[:3] == [
        "Confirm: for c1",
        "Confirm: for all rooms here",
        "Confirm: for myself",
    ]

    await press(world, request, report, "Confirm: for all")

    elsewhere = await world.desk.packs(replace(asks(world, ROOM, world.ben), room=other))
    assert "maths · 2" in labels(elsewhere)
    assert "maths · 2" not in labels(await world.desk.packs(asks(world, ROOM, world.ben)))


async def test_a_group_without_topics_shares_its_quizzes_with_the_topics_it_may_get(world: World):
    alias = Alias(platform="test", external="-100")
    group = await world.store.room(alias, title="G", community="-100")
    topic = await world.store.room(replace(alias, external="-100/7"), community="-100")
    request = replace(teacher(world), room=group)
    report = await world.desk.imported(request, "maths.xlsx", kahoot())

    await press(world, request, report, "Confirm: for G")

    assert labels(report) == ["Confirm: for G", "Confirm: for myself", "Cancel"]
    seen = await world.desk.packs(replace(asks(world, ROOM, world.ben), room=topic))
    assert "maths · 2" in labels(seen)


async def test_ones_own_quiz_is_seen_by_nobody_else(world: World):
    await brought_in(world, asks(world), kahoot(), "maths.xlsx")

    own = await world.desk.quiz(asks(world), QuizWish(pack="maths", mode=Mode.SOLO))
    others = await world.desk.quiz(asks(world, by=world.ben), QuizWish(pack="maths"))

    assert own is None
    assert "I know no quiz" in said(others)
    assert "maths" not in [t for t, _ in world.desk.suggestions("en", "", 9)]
    shelf = await world.desk.shelf(asks(world))
    assert "maths" in [title for title, _ in world.desk.suggestions("en", "ma", 9, shelf)]


async def test_only_who_sent_a_file_may_decide_and_only_once(world: World):
    report = await world.desk.imported(teacher(world), "maths.xlsx", kahoot())
    other = await press(world, asks(world, ROOM, world.ben), report, "Confirm")
    elsewhere = await world.store.room(Alias(platform="test", external="other"))
    foreign = replace(teacher(world, by=world.ben), room=elsewhere)
    stranger = await press(world, foreign, report, "Confirm")
    await press(world, teacher(world), report, "Confirm")
    twice = await press(world, teacher(world), report, "Confirm")
    cancelled = await press(world, teacher(world), report, "Cancel")

    assert "Only who has sent" in said(other)
    assert "Only who has sent" in said(stranger)
    assert "settled already" in said(twice)
    assert "settled already" in said(cancelled)
    assert len(await world.store.pack_index()) == 1


async def test_a_moderator_may_decide_about_what_was_sent_to_their_room(world: World):
    report = await world.desk.imported(teacher(world), "maths.xlsx", kahoot())

    ready = await press(world, teacher(world, by=world.ben), report, "Confirm: for Here")

    assert "It has 2 questions" in said(ready)
    (pack,) = (await world.store.pack_index()).values()
    assert pack.owner == world.ann.id


@pytest.mark.parametrize("language", ["EN_us", "deutsch", "", "zh-Hans-CN"])
async def test_a_pack_is_kept_whatever_a_file_calls_its_language(world: World, language: str):
    lines = ("---", "id: p", "title: P", f"language: {language}", "---", "## Q?", "- [x] a", "- b")
    text = "\n".join(lines).replace("- b", "- [ ] b")

    ready = await brought_in(world, asks(world), text.encode(), "p.md")

    assert "It has 1 question" in said(ready)


async def test_the_name_of_a_file_is_shown_on_one_line(world: World):
    reply = await world.desk.imported(asks(world), "a\n\u202egnp.exe" * 20, b"MZ" + bytes(9))

    assert "\u202e" not in said(reply)
    assert len(said(reply)) < 400


async def test_a_confirmation_that_another_process_was_faster_with_keeps_nothing(world: World):
    report = await world.desk.imported(asks(world), "maths.xlsx", kahoot())
    found = world.store.parcel

    async def just_gone(parcel: str) -> object:
        read = await found(parcel)
        await world.store.drop_parcel(parcel)
        return read

    world.store.parcel = just_gone  # type: ignore[assignment, method-assign]
    late = await press(world, asks(world), report, "Confirm")

    assert "settled already" in said(late)
    assert not await world.store.pack_index()


async def test_nothing_is_kept_when_it_is_cancelled(world: World):
    report = await world.desk.imported(asks(world), "maths.xlsx", kahoot())

    cancelled = await press(world, asks(world), report, "Cancel")

    assert "Nothing was kept." in said(cancelled)
    assert not await world.store.parcels(world.ann.id)


async def test_there_are_only_so_many_quizzes_a_person_can_bring_in(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(deciding, "MOST_PACKS", 1)
    await brought_in(world, asks(world), kahoot(), "one.xlsx")

    second = await brought_in(world, asks(world), kahoot(), "two.xlsx")
    again = await brought_in(world, asks(world), kahoot(), "one.xlsx")

    assert "You have 1 quizzes, which is the most" in said(second)
    assert "takes the place of its earlier form" in said(again)


async def test_a_long_pack_is_refused_at_the_end_too(world: World, monkeypatch: pytest.MonkeyPatch):
    report = await world.desk.imported(asks(world), "maths.xlsx", kahoot())
    monkeypatch.setattr(deciding.markdown, "LONGEST", 10)

    refused = await press(world, asks(world), report, "Confirm")

    assert "too long for one quiz" in said(refused)


async def test_polls_are_collected_until_done(world: World):
    nothing = await world.desk.obey(asks(world), "done", "")
    first = await world.desk.banking.collected(asks(world), banks_poll("Sky?", [1]))
    assert await world.desk.banking.expects(asks(world))
    second = await world.desk.banking.collected(asks(world), banks_poll("Grass *green*?", []))

    report = await world.desk.obey(asks(world), "done", "")

    assert "Nothing is waiting" in said(nothing)
    assert "Forward me the next one" in said(first)
    assert second is None
    assert "Polls: Sky?" in said(report)
    assert "2 found: 1 imported, 1 without an answer, 0 skipped." in said(report)
    question = await press(world, asks(world), report, "Give")
    assert r"Grass \*green\*?" in said(question)
    assert not await world.desk.banking.expects(asks(world))


async def test_polls_can_be_given_a_title(world: World):
    await world.desk.banking.collected(asks(world), banks_poll("Sky?", [1]))

    report = await world.desk.obey(asks(world), "done", " My  colours ")

    assert "My colours" in said(report)


async def test_polls_are_not_taken_from_who_may_not_nor_without_end(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    student = asks(world, ROOM, world.ben)
    away = await world.desk.banking.collected(student, banks_poll("Sky?", [1]))
    monkeypatch.setattr(banking, "MOST_ITEMS", 1)
    await world.desk.banking.collected(asks(world), banks_poll("Sky?", [1]))
    full = await world.desk.banking.collected(asks(world), banks_poll("Grass?", [1]))

    assert "Only moderators" in said(away)
    assert "1 are the most" in said(full)


async def test_polls_that_are_too_much_for_one_quiz_are_said_to_be(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    await world.desk.banking.collected(asks(world), banks_poll("Sky?", [1]))
    monkeypatch.setattr("bot.parcelling.MOST_ITEMS", 0)

    refused = await world.desk.obey(asks(world), "done", "")

    assert "0 are the most" in said(refused)


async def test_import_without_a_file_says_what_can_be_sent(world: World):
    invited = await world.desk.obey(asks(world), "import", "")
    await world.desk.obey(asks(world), "import", "")
    assert await world.desk.banking.expects(asks(world))
    assert not await world.desk.banking.expects(teacher(world, by=world.ben))

    report = await world.desk.imported(asks(world), "maths.xlsx", kahoot())
    again = await world.desk.obey(asks(world), "import", "")

    assert "Send me a file with questions" in said(invited)
    assert "500 questions in a quiz, and 50 quizzes" in said(invited)
    assert not await world.desk.banking.expects(asks(world))
    assert again
    assert again.panel == report.panel


async def test_what_nobody_confirms_is_forgotten_after_a_week(world: World):
    await world.desk.imported(asks(world), "maths.xlsx", kahoot())
    await world.desk.tick({"test"})
    assert await world.store.parcels(world.ann.id)

    await world.watch.move_to(world.watch.now() + timedelta(days=8))
    await world.desk.tick({"test"})

    assert not await world.store.parcels(world.ann.id)


async def test_an_import_that_waits_survives_a_restart(world: World):
    report = await world.desk.imported(asks(world), "colours.txt", PLAIN)
    question = await press(world, asks(world), report, "Give")
    world.restart()

    following = await press(world, asks(world), question, "B")

    assert "2 to go" in said(following)


async def test_a_taken_id_is_not_given_again(world: World):
    await brought_in(world, asks(world), kahoot(), "maths.xlsx")
    (first,) = await world.store.pack_index()
    library = world.desk.banking.tools.library
    numbers = iter([5000, 5000, 6000, 7000, 8000])
    world.host._seeds = lambda: next(numbers)  # noqa: SLF001 - the same number twice

    await brought_in(world, asks(world), kahoot(), "other.xlsx")
    taken = library.get(first)

    assert taken
    assert len(await world.store.pack_index()) == 2


async def test_answers_that_are_none_of_the_options_are_passed_over(world: World):
    report = await world.desk.imported(asks(world), "colours.txt", PLAIN)
    question = await press(world, asks(world), report, "Give")
    key = question.panel.buttons[0].action

    for value in ("99", "x", ""):
        forged = replace(key, value=f"{key.value[:-1]}{value}")
        assert "3 to go" in said(await world.desk.press(asks(world), forged))
    beyond = await world.desk.press(asks(world), replace(key, turn=77))

    assert "3 to go" in said(beyond)


async def test_what_is_no_command_shows_the_help(world: World):
    assert "How this works" in said(await world.desk.obey(asks(world), "nonsense", ""))


async def test_a_room_is_not_told_of_what_waits_elsewhere(world: World):
    await world.desk.imported(asks(world), "maths.xlsx", kahoot())
    other = await world.store.room(Alias(platform="test", external="other"))

    there = await world.desk.obey(replace(teacher(world), room=other), "import", "")

    assert "Send me a file" in said(there)


async def test_what_is_kept_about_a_person_mentions_their_quizzes(world: World):
    await brought_in(world, asks(world), kahoot(), "maths.xlsx")

    assert "I also keep 1 quiz" in said(await world.desk.privacy(asks(world)))


async def test_who_was_given_a_link_may_play(world: World):
    await brought_in(world, asks(world), kahoot(), "maths.xlsx")
    (pack,) = await world.store.pack_index()

    assert await world.desk.is_linked(pack)
    assert not await world.desk.is_linked("mixed")
    assert await world.desk.play(asks(world, by=world.ben), pack) is None


async def test_some_commands_are_there_on_one_platform_alone(world: World):
    there = replace(world.room, alias=Alias(platform="telegram", external="1"))

    assert "/done" in said(world.desk.help(replace(asks(world), room=there)))
    assert "/done" not in said(world.desk.help(asks(world)))


def banks_poll(question: str, keys: list[int]) -> Draft:
    return poll(question, ["Red", "Green"], keys, "Because.")
