"""Insight over the desk: one's own progress, and what teachers are told."""

import csv
import io
from dataclasses import replace
from datetime import timedelta

import pytest

from bot import insight
from bot.actions import Action, Verb, encode
from bot.analysis import analyse
from bot.commands import Place
from bot.desk import Desk, Reply, Request
from bot.findings import Study, beliefs, findings, suspects
from bot.ids import ItemId, PackId, ParticipantId, RoomId
from bot.insight import room_of
from bot.items import Choice
from bot.modes import Mode
from bot.packs import Library, Pack
from bot.panels import Button
from bot.people import Alias
from bot.posters import Poster
from bot.records import Answer
from bot.submissions import Chosen, Typed
from bot.text import plain
from bot.wording import words
from bot.workshop import Corner
from tests.helpers.classes import pack_of, taught
from tests.helpers.learning import answered, items
from tests.helpers.samples import SHORT, edition
from tests.helpers.worlds import World

EN = words("en")
RIGHT, WRONG = Chosen(frozenset({1})), Chosen(frozenset({0}))


class Easel(Corner):
    """Keeps what it was asked to draw."""

    def __init__(self) -> None:
        self.posters: list[tuple[Poster, bool]] = []

    async def picture(self, poster: Poster, *, dark: bool) -> bytes | None:
        self.posters.append((poster, dark))
        return b"dark" if dark else b"light"


def asks(world: World, place: Place = Place.ROOM, *, moderator: bool = True, **more) -> Request:
    fields = {"room": world.room, "person": world.ann, "place": place, **more}
    return Request(moderator=moderator, **fields)


def said(reply: Reply | None) -> str:
    assert reply
    panel = reply.panel
    return "\n".join([panel.heading, *map(plain, (*panel.body, *panel.notes))])


def with_easel(world: World) -> Easel:
    easel = Easel()
    world.desk = Desk(
        host=world.host,
        store=world.store,
        library=Library([world.pack]),
        clock=world.watch,
        workshop=easel,
    )
    return easel


def button(reply: Reply | None, label: str) -> Button:
    assert reply
    return next(one for one in reply.panel.buttons if one.label == label)


def rows(reply: Reply | None) -> list[list[str]]:
    assert reply
    assert reply.file
    return list(csv.reader(io.StringIO(reply.file[1].decode("utf-8-sig"), newline="")))


async def played(world: World) -> None:
    """Ann answers one item right and one half, alone."""
    session = await world.start()
    await world.answer(session, RIGHT)
    await world.onward(session, 0)
    await world.answer(session, Chosen(frozenset({0})), turn=1)


@pytest.fixture
async def school(world: World) -> World:
    """A room in which a class has answered sixteen items, one of them with a wrong key."""
    world.pack = pack_of()
    world.restart()
    await taught(world.store, world.room)
    return world


# ------------------------------------------------------------ /stats


async def test_stats_are_a_picture_and_a_text_that_says_the_same(world: World):
    easel = with_easel(world)
    await played(world)

    reply = await world.desk.obey(asks(world, Place.PRIVATE), "stats", "")

    assert reply
    assert reply.picture == ("kuis-stats.png", b"light")
    ((shown, dark),) = easel.posters
    assert not dark
    assert "1.5 of 2 right at first try" in said(reply)
    assert shown.next in said(reply)
    assert not reply.replaces
    play = reply.panel.buttons[0]
    assert (play.action.verb, play.action.value) == (Verb.PLAY, "mixed")


async def test_the_picture_can_be_had_in_dark_and_in_light_again(world: World):
    easel = with_easel(world)
    await played(world)
    request = asks(world, Place.PRIVATE)
    first = await world.desk.obey(request, "stats", "")

    dark = await world.desk.press(request, button(first, "Dark").action)
    light = await world.desk.press(request, button(dark, "Light").action)

    assert dark
    assert light
    assert (dark.replaces, dark.picture) == (True, ("kuis-stats.png", b"dark"))
    assert light.picture == ("kuis-stats.png", b"light")
    assert [dark for _, dark in easel.posters] == [False, True, False]


async def test_somebody_elses_stats_cannot_be_turned_over(world: World):
    with_easel(world)
    await played(world)
    first = await world.desk.obey(asks(world), "stats", "")

    other = await world.desk.press(asks(world, person=world.ben), button(first, "Dark").action)

    assert "somebody else's" in said(other)


async def test_without_a_workshop_there_is_the_text_alone(world: World):
    await played(world)

    reply = await world.desk.obey(asks(world, Place.PRIVATE), "stats", "")

    assert reply
    assert reply.picture is None
    assert [one.action.verb for one in reply.panel.buttons] == [Verb.PLAY]
    assert "1.5 of 2 right at first try" in said(reply)


async def test_who_has_answered_nothing_is_invited(world: World):
    reply = await world.desk.obey(asks(world, Place.PRIVATE), "stats", "")

    assert "Nothing yet" in said(reply)


async def test_in_a_room_stats_tell_what_the_group_has_mastered(school: World):
    in_room = await school.desk.obey(asks(school), "stats", "")
    private = await school.desk.obey(asks(school, Place.PRIVATE), "stats", "")

    assert "This group has mastered" in said(in_room)
    assert "of 16 questions" in said(in_room)
    assert "group" not in said(private)


async def test_what_a_group_has_mastered_is_looked_up_once_a_minute(school: World):
    late = await school.store.room(Alias(platform="test", external="late"))

    async def group() -> str:
        return said(await school.desk.obey(asks(school, room=late), "stats", ""))

    before = await group()
    await taught(school.store, late, people=3)
    at_once = await group()
    await school.watch.move_to(school.watch.now() + timedelta(minutes=1))
    afterwards = await group()

    assert "group" not in before + at_once
    assert "This group has mastered" in afterwards


async def test_only_so_many_rooms_are_remembered(school: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(insight, "ROOMS", 1)
    other = await school.store.room(Alias(platform="test", external="other"))

    first = said(await school.desk.obey(asks(school), "stats", ""))
    second = said(await school.desk.obey(asks(school, room=other), "stats", ""))

    assert "This group has mastered 2 of 16 questions." in first
    assert "group" not in second


async def test_a_pack_that_is_gone_is_not_counted_for_the_group(school: World):
    school.restart(Pack(editions=(edition(SHORT),)))

    reply = await school.desk.obey(asks(school), "stats", "")

    assert "group" not in said(reply)


async def test_who_has_mastered_everything_is_offered_nothing(world: World):
    world.pack = Pack(editions=(edition(items(1)[0]),))
    world.restart()
    for _ in range(2):
        session = await world.start()
        await world.answer(session, RIGHT)

    reply = await world.desk.obey(asks(world, Place.PRIVATE), "stats", "")

    assert "mastered everything" in said(reply)
    assert reply
    assert reply.panel.buttons == ()


# ------------------------------------------------------------ /insight


async def test_a_moderator_sees_how_the_questions_of_a_pack_are_doing(school: World):
    reply = await school.desk.obey(asks(school), "insight", "class")

    told = said(reply)
    assert reply
    assert not reply.public
    assert "Class test" in told
    assert "This group has mastered" in told
    assert "60 people have answered; their first answers are counted." in told
    assert "Hardest" in told
    assert "choose “third” rather than “second”" in told
    assert told.count("rather than") == 1
    assert "That is a common mix-up." in told


async def test_nobody_is_named(school: World):
    reply = await school.desk.obey(asks(school), "insight", "class")

    assert "Student" not in said(reply)


async def test_only_moderators_see_it_and_only_in_the_room(school: World):
    member = asks(school, moderator=False)
    reply = await school.desk.obey(asks(school), "insight", "class")
    file = button(reply, "All answers (CSV)").action
    elsewhere = await school.store.room(Alias(platform="test", external="elsewhere"))

    private = await school.desk.obey(asks(school, Place.PRIVATE), "insight", "class")
    refused = await school.desk.obey(member, "insight", "class")
    pressed = await school.desk.press(member, file)
    outside = await school.desk.press(asks(school, room=elsewhere), file)
    other = await school.desk.obey(asks(school, room=elsewhere), "insight", "class")

    assert "in a group where you are a moderator" in said(private)
    assert "Only a moderator" in said(refused)
    assert "Only a moderator" in said(pressed)
    assert "That is gone" in said(outside)
    assert "Nobody has answered this quiz here yet" in said(other)
    assert pressed
    assert outside
    assert (pressed.file, outside.file) == (None, None)


async def test_without_a_name_the_packs_that_were_answered_here_are_offered(school: World):
    empty = await school.store.room(Alias(platform="test", external="empty"))

    shelf = await school.desk.obey(asks(school), "insight", "")
    unknown = await school.desk.obey(asks(school), "insight", "zzz*")
    nothing = await school.desk.obey(asks(school, room=empty), "insight", "")
    chosen = await school.desk.press(asks(school), button(shelf, "Class test").action)

    assert "Which quiz?" in said(shelf)
    assert "I know no quiz called “zzz*”" in said(unknown)
    assert button(unknown, "Class test")
    assert "Nobody has answered a quiz here yet" in said(nothing)
    assert "Hardest" in said(chosen)


async def test_a_pack_that_is_gone_is_said_to_be(school: World):
    action = Action(verb=Verb.INSIGHT, value=f"i.{school.room.id}.gone")

    assert "That is gone" in said(await school.desk.press(asks(school), action))


async def test_all_answers_can_be_had_as_a_table(school: World):
    await school.store.set_participant(school.ann.id, nickname="=Ann()")
    await taught(school.store, school.room, people=4, mode=Mode.SOLO)
    reply = await school.desk.obey(asks(school), "insight", "class")

    file = await school.desk.press(asks(school), button(reply, "All answers (CSV)").action)

    heading, *lines = rows(file)
    assert file
    assert file.file
    assert file.file[0] == "class-results.csv"
    assert heading[4] == "participant"
    assert len(lines) == 60 * 16 + 4 * 16
    shared = {line[4] for line in lines if line[0].startswith("live")}
    alone = {line[4] for line in lines if line[0].startswith("solo")}
    assert shared == {f"Student {number}" for number in range(60)}
    assert len(alone) == 4
    assert all(name.startswith("anonymous-") for name in alone)


async def test_a_table_that_no_chat_would_take_is_not_sent(
    school: World, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(insight, "LARGEST", 1000)
    reply = await school.desk.obey(asks(school), "insight", "class")

    file = await school.desk.press(asks(school), button(reply, "All answers (CSV)").action)

    assert "kuis results" in said(file)
    assert file
    assert file.file is None


async def test_items_can_be_had_as_a_table(school: World):
    reply = await school.desk.obey(asks(school), "insight", "class")

    file = await school.desk.press(asks(school), button(reply, "Questions (CSV)").action)

    heading, *lines = rows(file)
    assert len(lines) == 16
    assert [line[heading.index("suspect")] != "" for line in lines].index(True) == 3


async def test_of_a_small_group_hardly_anything_is_claimed(world: World):
    world.pack = pack_of(5)
    world.restart()
    await taught(world.store, world.room, people=4, count=5)

    told = said(await world.desk.obey(asks(world), "insight", "class"))

    assert "From 10 people on I can say more" in told
    assert "Hardest" not in told


async def test_moderators_read_it_in_their_language(school: World):
    budi = replace(school.ben, language="id")

    told = said(await school.desk.obey(asks(school, person=budi), "insight", "Ulangan"))

    assert "Ulangan" in told
    assert "Paling sulit" in told
    assert "bukan “second”" in told


# ------------------------------------------------------------ buttons


def test_every_button_fits_with_the_longest_ids():
    room, person = RoomId("f" * 12), ParticipantId("f" * 12)

    for value in (f"r.{room}.{'~' + 'f' * 23}", f"light.{person}"):
        assert len(encode(Action(verb=Verb.INSIGHT, value=value))) <= 64


@pytest.mark.parametrize(
    ("verb", "value", "room"),
    [
        (Verb.INSIGHT, "r.abc.pack.x", "abc"),
        (Verb.INSIGHT, "i", ""),
        (Verb.INSIGHT, "dark.abc", None),
        (Verb.PLAY, "r.abc.pack", None),
    ],
)
def test_a_button_names_its_room(verb: Verb, value: str, room: str | None):
    assert room_of(Action(verb=verb, value=value)) == room


# ------------------------------------------------------------ sentences


def study(answers: list[Answer], *found) -> Study:
    by_id = {item.id: item for item in found}
    return Study(items=by_id, insights=analyse(answers, by_id), people=60, mastered=0)


def test_a_typed_item_that_is_suspect_is_said_to_be():
    answers = [
        replace(one, item=ItemId("rate"), submission=Typed("x")) if one.item == "p00" else one
        for one in answered(100, 40, planted=0, seed=4)
    ]

    (sentence,) = suspects(study(answers, SHORT, *items(40)[1:]), EN)

    assert "the better people do elsewhere" in sentence


def test_a_belief_without_a_line_of_its_author_is_a_sentence_all_the_same():
    (first,) = items(1)
    assert isinstance(first, Choice)
    answers = [
        Answer(
            participant=ParticipantId(f"p{who}"),
            item=first.id,
            submission=Chosen(frozenset({2})),
            grade=0.0,
            seconds=1.0,
        )
        for who in range(10)
    ]

    (sentence,) = beliefs(study(answers, first), EN)

    assert plain(sentence) == "Question 0 of p? — 10 of 10 chose “third”."


def test_many_dead_distractors_are_counted_not_all_listed():
    found = items(40)
    everybody = [
        replace(one, submission=Chosen(frozenset({1})), grade=1.0) for one in answered(40, 40)
    ]

    panel = findings("Title", study(everybody, *found), (), EN)

    dead = panel.notes[-1]
    assert "Chosen by almost nobody" in dead
    assert "and 115 more" in dead
    few = findings("Title", study(everybody, found[0]), (), EN).notes[-1]
    assert few.count("“") == 3


async def test_a_pack_item_that_no_edition_has_any_more_is_left_out(school: World):
    short = pack_of(10)
    school.restart(Pack(editions=tuple(replace(e, id=PackId("class")) for e in short.editions)))

    told = said(await school.desk.obey(asks(school), "insight", "class"))

    assert "of 10 questions" in told
