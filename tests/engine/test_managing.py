"""Packs that were brought in: corrected, renamed, hidden, deleted, exported, and seen elsewhere."""

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from adapters.storage import open_store
from bot.actions import Action, Verb
from bot.commands import Place
from bot.desk import Desk, QuizWish
from bot.host import Host
from bot.ids import PackId
from bot.items import Item
from bot.menus import PAGE
from bot.modes import Mode
from bot.packs import Held, Home, Library, Pack, Reach
from bot.people import Alias
from bot.ports import Period, Scope
from bot.requests import Reply, Request
from bot.session import Phase
from bot.submissions import Chosen
from tests.helpers.banking import (
    CORRECTED,
    FIRST,
    asks,
    brought_in,
    kahoot,
    labels,
    press,
    said,
)
from tests.helpers.doubles import Recorder, Watch
from tests.helpers.samples import edition
from tests.helpers.worlds import World

ROOM = Place.ROOM


async def managed(world: World, request: Request, title: str = "colours") -> Reply:
    """Bring in a pack, and open its card."""
    await brought_in(world, request, FIRST.encode())
    packs = await world.desk.packs(request)
    shelf = await press(world, request, packs, "Manage")
    return await press(world, request, shelf, title)


async def items(world: World, request: Request, title: str = "colours") -> tuple[Item, ...]:
    return (await world.desk.shelf(request)).find(title).editions[0].items


async def test_a_corrected_pack_keeps_its_id_and_those_of_its_questions(world: World):
    me = asks(world)
    await brought_in(world, me, FIRST.encode())
    (pack,) = await world.store.pack_index()
    before = {item.stem: item.id for item in await items(world, me)}

    report = await world.desk.imported(me, "colours.gift", CORRECTED.encode())
    ready = await press(world, me, report, "Confirm")

    after = {item.stem: item.id for item in await items(world, me)}
    assert "You have brought in a quiz of this name before" in said(report)
    assert "3 questions keep their history" in said(ready)
    assert list(await world.store.pack_index()) == [pack]
    assert after["What colour is grass?"] == before["What colour is grass?"] == "meadow"
    assert after["What colour is fresh snow?"] == "snow"
    assert [item.key for item in await items(world, me)] == [1, 0, 0]  # type: ignore[union-attr]


async def test_a_new_question_never_takes_the_id_of_one_that_has_stayed(world: World):
    me = asks(world)
    await brought_in(world, me, b"::a:: One? {=1 ~2}\n\n::a-2:: Two? {=1 ~2}\n")

    await brought_in(world, me, b"::a:: Two? {=1 ~2}\n\n::a-2:: New? {=1 ~2}\n\n::a-3::x? {=1 ~2}")

    found = {item.stem: item.id for item in await items(world, me)}
    assert found["Two?"] == "a-2"
    assert len(set(found.values())) == 3
    assert found["New?"] not in {"a", "a-2"}


async def test_the_same_title_in_another_place_is_another_pack(world: World):
    await brought_in(world, asks(world), FIRST.encode())
    await brought_in(world, asks(world, ROOM, moderator=True), FIRST.encode())
    await brought_in(world, asks(world, by=world.ben), FIRST.encode())

    assert len(await world.store.pack_index()) == 3


async def test_a_quiz_is_renamed_by_answering_what_it_shall_be_called(world: World):
    me = asks(world)
    card = await managed(world, me)
    await press(world, me, card, "Rename")
    asked = await press(world, me, card, "Rename")
    assert asked.asks
    assert len(await world.store.parcels(world.ann.id)) == 1

    nothing = await world.desk.banking.heard(asks(world, by=world.ben), "Mine")
    empty = await world.desk.banking.heard(me, "  ")
    await press(world, me, card, "Rename")
    await world.desk.imported(me, "maths.xlsx", kahoot())
    renamed = await world.desk.banking.heard(me, "All *colours*")
    again = await world.desk.banking.heard(me, "Whatever")

    assert nothing is None
    assert again is None
    assert "A quiz needs a name" in said(empty)
    assert r"“All \*colours\*”" in said(renamed)
    assert "All *colours* · 3" in labels(await world.desk.packs(me))
    assert (await world.desk.shelf(me)).find("All *colours*")


async def test_nobody_else_looks_after_ones_quiz_but_moderators_of_its_room(world: World):
    room = asks(world, ROOM, moderator=True)
    card = await managed(world, room)
    ben = asks(world, ROOM, world.ben)
    forged = next(b.action for b in card.panel.buttons if b.label == "Delete")
    file = next(b.action for b in card.panel.buttons if b.label == "Get as a file")
    name = next(b.action for b in card.panel.buttons if b.label == "Rename")

    assert "Only who brought in this quiz" in said(await world.desk.press(ben, forged))
    assert "Only who brought in" in said(await world.desk.press(ben, name))
    assert await world.desk.press(ben, file) is None
    pack = PackId(forged.value.removeprefix("delete."))
    assert "Only who" in said(await world.desk.banking.managing.rename(ben, pack, "x"))
    assert "Manage" not in labels(await world.desk.packs(ben))
    moderator = replace(ben, moderator=True)
    assert "Manage" in labels(await world.desk.packs(moderator))
    assert "will be deleted" in said(await world.desk.press(moderator, forged))
    gone = Action(verb=Verb.BANK, value="card.nowhere")
    assert "Only who" in said(await world.desk.press(moderator, gone))


async def test_a_moderator_looks_after_what_all_rooms_of_a_server_have(world: World):
    alias = Alias(platform="test", external="c1")
    channel = await world.store.room(alias, title="c1", community="server")
    room = replace(asks(world, ROOM, moderator=True), room=channel)
    report = await world.desk.imported(room, "colours.gift", FIRST.encode())
    await press(world, room, report, "Confirm: for all")
    ben = replace(room, person=world.ben)

    shelf = await press(world, ben, await world.desk.packs(ben), "Manage")
    card = await press(world, ben, shelf, "colours")

    assert "All rooms here see it." in said(card)


async def test_a_hidden_quiz_cannot_be_started_and_what_runs_goes_on(world: World):
    me = asks(world)
    card = await managed(world, me)
    await world.desk.quiz(me, QuizWish(pack="colours", mode=Mode.SOLO))
    session = await world.store.open_session(world.room.id, world.ann.id)
    assert session

    hidden = await press(world, me, card, "Hide")
    refused = await world.desk.press(me, Action(verb=Verb.PLAY, value=session.pack))
    missed = await world.desk.press(me, Action(verb=Verb.MISSED, session=session.id))
    assert await world.answer(session, Chosen(frozenset({0}))) is None

    assert "It is hidden" in said(hidden)
    assert labels(hidden)[1] == "Show again"
    assert "over" in said(refused)
    assert "over" in said(missed)
    assert "🚫 colours · 3" in labels(await press(world, me, hidden, "‹ Back"))
    assert (await world.stored(session)).phase is Phase.REVEALED
    shown = await press(world, me, hidden, "Show again")
    assert "Only you see it" in said(shown)
    assert (await world.desk.shelf(me)).find("colours")


async def test_deleting_asks_once_more(world: World):
    me = asks(world)
    card = await managed(world, me)
    sure = await press(world, me, card, "Delete")
    assert "What people have scored stays" in said(sure)
    assert "colours" in said(await press(world, me, sure, "‹ Back"))

    deleted = await press(world, me, sure, "Delete it")

    assert "“colours” is deleted" in said(deleted)
    assert "Nobody has brought in" in said(await press(world, me, deleted, "‹ Back"))
    assert "Manage" not in labels(await world.desk.packs(me))


async def test_many_quizzes_are_listed_by_the_page(world: World):
    me = asks(world)
    for number in range(PAGE + 1):
        await brought_in(world, me, FIRST.encode(), f"pack{number}.gift")

    first = await press(world, me, await world.desk.packs(me), "Manage")
    second = await press(world, me, first, "More")
    back = await press(world, me, second, "‹ Back")

    assert "1/2" in said(first)
    assert labels(second) == ["pack8 · 3", "‹ Back"]
    assert back.panel == first.panel


async def test_a_pack_is_exported_as_it_is_or_for_another_program(world: World):
    me = asks(world)
    await brought_in(world, me, FIRST.encode())
    usage = await world.desk.obey(me, "export", "")
    native = await world.desk.obey(me, "export", "colours")
    gift = await world.desk.obey(me, "export", "colours GIFT")
    anki = await world.desk.obey(me, "export", "mixed anki")
    aiken = await world.desk.obey(me, "export", "mixed aiken")
    unknown = await world.desk.obey(me, "export", "mixd")
    nothing = await world.desk.obey(asks(world, by=world.ben), "export", "colours")

    assert "`gift`" in said(usage)
    assert native
    assert native.file
    assert native.file[1].startswith(b"---\nid: colours-")
    assert gift
    assert gift.file
    assert b"{" in gift.file[1]
    assert anki
    assert anki.file
    assert anki.file[1].startswith(b"PK")
    assert "~ " in said(aiken)
    assert "Did you mean `mixed`?" in said(unknown)
    assert "I know no quiz" in said(nothing)


async def test_what_an_export_loses_is_told_in_a_few_lines(world: World):
    many = "\n\n".join(f"Number {n}? {{=yes #so ~no #not}}" for n in range(9)).encode()
    me = asks(world)
    await brought_in(world, me, many, "many.gift")

    aiken = await world.desk.obey(me, "export", "many aiken")

    assert "… and 5 more" in said(aiken)


async def test_the_file_of_a_card_is_the_quiz_itself(world: World):
    me = asks(world)
    card = await managed(world, me)

    reply = await press(world, me, card, "Get as a file")
    assert reply.file
    again = await world.desk.imported(me, *reply.file)

    assert "3 found: 3 imported" in said(again)
    assert "You have brought in a quiz of this name before" in said(again)


async def test_two_processes_see_each_others_packs(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/kuis.db"
    async with await open_store(url) as one, await open_store(url) as two:
        here, there = process(one), process(two)
        room = await one.room(Alias(platform="test", external="here"), title="Here")
        ann = await one.participant(Alias(platform="test", external="ann"), name="Ann")
        me = Request(room=room, person=ann, place=Place.ROOM, moderator=True)
        await there.tick({"test"})

        report = await here.imported(me, "maths.xlsx", kahoot())
        confirm = report.panel.buttons[0].action
        ready = await here.press(me, confirm)
        assert ready
        play = ready.panel.buttons[0].action
        assert "maths · 2" in labels(await there.packs(me))
        assert await there.play(me, play.value)
        (pack,) = await one.pack_index()
        await here.press(me, Action(verb=Verb.BANK, value=f"hide.{pack}"))
        await there.tick({"test"})
        assert len(await there.shelf(me)) == 1
        await here.press(me, Action(verb=Verb.BANK, value=f"delete!.{pack}"))
        await there.tick({"test"})

        assert there.banking.tools.library.get(pack) is None


async def test_a_session_that_another_process_began_finds_its_pack(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/kuis.db"
    async with await open_store(url) as one, await open_store(url) as two:
        here, there = process(one), process(two)
        room = await one.room(Alias(platform="test", external="here"), title="Here")
        ann = await one.participant(Alias(platform="test", external="ann"), name="Ann")
        me = Request(room=room, person=ann, place=Place.PRIVATE)
        report = await here.imported(me, "maths.xlsx", kahoot())
        await here.press(me, report.panel.buttons[0].action)
        await here.quiz(me, QuizWish(pack="maths"))
        session = await one.open_session(room.id, ann.id)
        assert session

        answer = Action(verb=Verb.ANSWER, session=session.id, value="1")
        assert await there.answer(me, answer) is None

        moved = await one.session(session.id)
        assert moved
        assert moved.phase is Phase.REVEALED


async def test_a_stored_pack_that_is_damaged_is_left_out(
    world: World, caplog: pytest.LogCaptureFixture
):
    me = asks(world)
    await brought_in(world, me, FIRST.encode())
    (pack,) = await world.store.pack_index()
    (stored,) = await world.store.stored_packs([pack])

    await world.store.keep_pack(replace(stored, text="nonsense"))
    await world.desk.tick({"test"})

    assert "cannot be read" in caplog.text
    assert world.desk.banking.tools.library.get(pack) is None


async def test_what_was_deleted_while_it_was_read_is_not_known(world: World):
    me = asks(world)
    await brought_in(world, me, FIRST.encode())
    (pack,) = await world.store.pack_index()
    other = process(world.store)
    read = world.store.stored_packs

    async def slow(ids: object) -> object:
        stored = await read(ids)  # type: ignore[arg-type]
        await world.store.delete_pack(pack)
        await other.tick({"test"})
        return stored

    world.store.stored_packs = slow  # type: ignore[assignment, method-assign]

    assert len(await other.shelf(me)) == 1
    assert other.banking.tools.library.get(pack) is None


async def test_a_person_who_is_forgotten_takes_their_own_quizzes_along(world: World):
    me, room = asks(world), asks(world, ROOM, moderator=True)
    await brought_in(world, me, FIRST.encode(), "own.gift")
    await brought_in(world, room, FIRST.encode(), "shared.gift")

    await world.desk.press(me, Action(verb=Verb.SETTING, value="me:delete!"))
    await world.desk.tick({"test"})

    shelf = await world.desk.shelf(me)
    assert [pack.editions[0].title for pack in shelf] == ["A mixed pack", "shared"]


async def test_deleting_one_quiz_leaves_the_others(world: World):
    me = asks(world)
    await brought_in(world, me, FIRST.encode(), "other.gift")
    card = await managed(world, me)

    await press(world, me, await press(world, me, card, "Delete"), "Delete it")

    assert [held.pack.editions[0].title for held in held_by(world, me)] == ["other"]


def test_packs_of_files_are_found_before_those_that_people_bring_in():
    library = Library([Pack(editions=(edition(),))])

    library.discard(PackId("unknown"))

    assert library.playable("mixed")
    assert library.get("unknown") is None
    assert not library.at([Home(reach=Reach.ROOM, target="r")])


def held_by(world: World, request: Request) -> tuple[Held, ...]:
    return world.desk.banking.tools.library.owned(request.person.id)


def process(store: object) -> Desk:
    """Make the desk of one of several processes over one store."""
    library = Library([Pack(editions=(edition(),))])
    clock = Watch()
    host = Host(
        store=store,  # type: ignore[arg-type]
        clock=clock,
        library=library,
        chats={"test": Recorder()},
        seeds=count(id(library)).__next__,
    )
    return Desk(host=host, store=store, library=library, clock=clock)  # type: ignore[arg-type]


async def test_answers_follow_a_corrected_key_once_its_owner_says_so(world: World):
    me = asks(world)
    await brought_in(world, me, FIRST.encode())
    old = await items(world, me)
    await world.desk.quiz(me, QuizWish(pack="colours", mode=Mode.SOLO))
    session = await world.store.open_session(world.room.id, world.ann.id)
    assert session
    sky = next(turn for turn in range(3) if session.draw.items[turn] == "sky")
    for turn in range(3):
        key = next(one.key for one in old if one.id == session.draw.items[turn])  # type: ignore[union-attr]
        now_right = turn == sky
        await world.answer(session, Chosen(frozenset({1 if now_right else key})), turn)
        await world.onward(session, turn)
    before = [r.grade for r in await world.store.responses(session.id, world.ann.id)]

    report = await world.desk.imported(me, "colours.gift", CORRECTED.encode())
    ready = await press(world, me, report, "Confirm")
    forged = await press(world, replace(me, person=world.ben), ready, "Score them again")
    done = await press(world, me, ready, "Score them again")
    again = await press(world, me, ready, "Score them again")

    after = [r.grade for r in await world.store.responses(session.id, world.ann.id)]
    assert "1 answer would be worth something else now" in said(ready)
    assert "1 answer was scored again" in said(done)
    assert "0 answers were scored again" in said(again)
    assert "scored again" not in said(forged)
    assert (before[sky], after[sky]) == (0, 1)
    assert [a for n, a in enumerate(after) if n != sky] == [1, 1]
    board = await world.desk.board(me, Period.ALL, Scope.ROOM)
    assert board.mine
    assert board.mine.points == 300
    await world.store.rebuild()
    assert (await world.desk.board(me, Period.ALL, Scope.ROOM)).mine == board.mine
