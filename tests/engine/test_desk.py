"""The desk: commands and buttons, on no particular chat."""

import json
from dataclasses import replace

import pytest

from bot.actions import Action, Verb
from bot.commands import Place
from bot.desk import QuizWish, Reply, Request
from bot.ids import SessionId
from bot.menus import Setup
from bot.modes import Mode
from bot.packs import Pack
from bot.panels import Role, Tone
from bot.people import Alias, Settings
from bot.ports import Merit, Period, Scope
from bot.session import Phase, Session
from tests.helpers.samples import CHOICE, MULTI, TRUE, edition
from tests.helpers.worlds import World


def asks(world: World, place: Place = Place.PRIVATE, **more: object) -> Request:
    fields = {"room": world.room, "person": world.ann, "place": place, **more}
    return Request(**fields)  # type: ignore[arg-type]


async def running(world: World, owner: str | None) -> Session:
    found = await world.store.open_session(world.room.id, owner)  # type: ignore[arg-type]
    assert found
    return found


def said(reply: Reply | None) -> str:
    assert reply
    return "\n".join([reply.panel.heading, *reply.panel.body])


async def test_quiz_in_private_starts_at_once_where_there_is_only_one(world: World):
    reply = await world.desk.quiz(asks(world), QuizWish(count=2))

    session = await running(world, world.ann.id)
    assert reply is None
    assert (session.rules.mode, session.length) == (Mode.SOLO, 2)
    assert world.chat.last.panel.role is Role.QUESTION


async def test_quiz_without_a_name_offers_the_packs(world: World):
    world.restart(world.pack, Pack(editions=(edition(TRUE, pack="other", title="Other"),)))

    reply = await world.desk.quiz(asks(world), QuizWish())

    assert reply
    assert [b.action.value for b in reply.panel.buttons] == ["mixed", "other"]


async def test_an_unknown_name_is_answered_with_near_ones(world: World):
    near = await world.desk.quiz(asks(world), QuizWish(pack="mixd"))
    far = await world.desk.quiz(asks(world), QuizWish(pack="*zzz*"))

    assert "Did you mean `mixed`?" in said(near)
    assert r"“\*zzz\*”" in said(far)


async def test_quiz_in_a_room_lays_out_a_card_and_start_starts_it(world: World):
    card = await world.desk.quiz(asks(world, Place.ROOM), QuizWish(pack="mixed"))
    assert card
    start = card.panel.buttons[-1].action

    began = await world.desk.press(asks(world, Place.ROOM), start)

    assert card.public
    assert began is None
    assert (await running(world, None)).rules.mode is Mode.LIVE


async def test_changing_a_card_replaces_it(world: World):
    card = await world.desk.quiz(asks(world, Place.ROOM), QuizWish(pack="mixed", seconds=20))
    assert card

    changed = await world.desk.press(asks(world, Place.ROOM), card.panel.buttons[1].action)

    assert changed
    assert changed.replaces
    assert "30 seconds each" in [b.label for b in changed.panel.buttons]


async def test_a_room_can_leave_starting_to_moderators(world: World):
    await world.store.set_settings(world.room.id, Settings(starters="moderators"))
    room = await world.store.room_by_id(world.room.id)
    member = asks(world, Place.ROOM, room=room)
    setup = Setup(pack="mixed", count=0, seconds=30, mode=Mode.LIVE)
    press = Action(verb=Verb.SETUP, turn=1, value=setup.value())

    card = await world.desk.quiz(member, QuizWish())
    live = await world.desk.quiz(member, QuizWish(mode=Mode.LIVE))
    pressed = await world.desk.press(member, press)
    allowed = await world.desk.press(replace(member, moderator=True), press)

    assert all("moderator" in said(reply) for reply in (card, live, pressed))
    assert allowed is None


async def test_a_second_shared_quiz_is_told_that_one_is_running(world: World):
    wish = QuizWish(mode=Mode.RELAXED)
    await world.desk.quiz(asks(world, Place.ROOM), wish)

    reply = await world.desk.quiz(asks(world, Place.ROOM), wish)

    assert "already running" in said(reply)


async def test_play_from_a_button(world: World):
    private = await world.desk.press(asks(world), Action(verb=Verb.PLAY, value="mixed"))
    room = await world.desk.press(asks(world, Place.ROOM), Action(verb=Verb.PLAY, value="mixed"))
    gone = await world.desk.press(asks(world), Action(verb=Verb.PLAY, value="gone"))

    assert private is None
    assert room
    assert room.panel.buttons[-1].label == "Start"
    assert "over" in said(gone)


async def test_answers_come_from_buttons_and_from_words(world: World):
    await world.desk.quiz(asks(world), QuizWish())
    session = await running(world, world.ann.id)
    about = Action(verb=Verb.ANSWER, session=session.id, turn=0, value="x")

    await world.desk.answer(asks(world), about)
    unread = await world.store.responses(session.id, world.ann.id)
    await world.desk.answer(asks(world), about, text="nonsense, surely")
    await world.desk.answer(asks(world), replace(about, value="0"))

    assert unread == []
    assert len(await world.store.responses(session.id, world.ann.id)) <= 1
    assert world.chat.last.panel.role in {Role.REVEAL, Role.NOTICE}


async def test_buttons_move_a_quiz_on(world: World):
    await world.desk.quiz(asks(world), QuizWish())
    session = await running(world, world.ann.id)

    async def press(verb: Verb, turn: int = 0) -> Reply | None:
        return await world.desk.press(asks(world), Action(verb=verb, session=session.id, turn=turn))

    await press(Verb.SKIP)
    await press(Verb.NEXT)
    await press(Verb.RESUME)
    second = await running(world, world.ann.id)
    await press(Verb.STOP)
    over = await press(Verb.NEXT, turn=1)

    assert second.turn == 1
    assert "Stopped" in said(over)
    assert await press(Verb.ANSWER) is None


async def test_commands_move_what_is_ones_own(world: World):
    await world.desk.quiz(asks(world), QuizWish())

    await world.desk.skip(asks(world))
    after_skip = (await running(world, world.ann.id)).phase
    await world.desk.resume(asks(world))
    after_resume = (await running(world, world.ann.id)).turn
    await world.desk.stop(asks(world))

    assert (after_skip, after_resume) == (Phase.REVEALED, 1)
    assert await world.store.open_session(world.room.id, world.ann.id) is None


async def test_commands_without_a_quiz_say_so(world: World):
    for command in (world.desk.resume, world.desk.skip, world.desk.stop):
        assert "no quiz here" in said(await command(asks(world)))


async def test_a_paused_quiz_goes_on(world: World):
    world.chat.refuse = {Role.QUESTION: "blocked"}
    await world.desk.quiz(asks(world), QuizWish())
    world.chat.refuse = {}

    await world.desk.resume(asks(world))

    assert (await running(world, world.ann.id)).phase is Phase.OPEN


async def test_in_a_room_a_command_means_the_rooms_quiz_or_ones_own(world: World):
    await world.desk.quiz(asks(world, Place.ROOM, person=world.ben), QuizWish(mode=Mode.LIVE))
    await world.desk.quiz(asks(world, Place.ROOM), QuizWish(mode=Mode.SOLO))

    await world.desk.stop(asks(world, Place.ROOM))
    mine = await world.store.open_session(world.room.id, world.ann.id)
    still = await world.store.open_session(world.room.id, None)
    await world.desk.stop(asks(world, Place.ROOM, moderator=True))

    assert mine is None
    assert still
    assert await world.store.open_session(world.room.id, None) is None


async def test_missed_items_are_asked_again(world: World):
    await world.desk.quiz(asks(world), QuizWish())
    first = await running(world, world.ann.id)
    while first.phase is not Phase.FINISHED:
        right = {CHOICE.id: "Jakarta", MULTI.id: "9"}.get(first.item, "3.14")
        about = Action(verb=Verb.ANSWER, session=first.id, turn=first.turn)
        await world.desk.answer(asks(world), about, text=right)
        await world.desk.press(asks(world), replace(about, verb=Verb.NEXT))
        first = await world.stored(first)
    again = Action(verb=Verb.MISSED, session=first.id)

    stranger = await world.desk.press(asks(world, person=world.ben), again)
    await world.desk.press(asks(world), again)

    assert "somebody else's" in said(stranger)
    assert (await running(world, world.ann.id)).draw.items == (MULTI.id,)


async def test_there_is_nothing_to_go_over_when_all_was_right_or_gone(world: World):
    session = await world.start()
    await world.answer(session, "B")

    right = Action(verb=Verb.MISSED, session=session.id)
    nowhere = Action(verb=Verb.MISSED, session=SessionId("nope"))

    assert "no quiz here" in said(await world.desk.press(asks(world), right))
    assert "over" in said(await world.desk.press(asks(world), nowhere))


async def test_leaderboards_and_ones_own_place(world: World):
    session = await world.start()
    await world.answer(session, "B")

    shown = await world.desk.leaderboard(
        asks(world, Place.ROOM), Period.ALL, Scope.EVERYWHERE, Merit.POINTS
    )
    place = await world.desk.press(asks(world), Action(verb=Verb.BOARD, value="all"))
    forged = await world.desk.press(asks(world, person=world.ben), Action(verb=Verb.BOARD))

    assert shown.public
    assert [row.name for row in shown.panel.standings] == ["Ann"]
    assert "place 1 of 1" in said(place)
    assert "not on this board" in said(forged)


async def test_looking_things_up(world: World):
    assert "Nothing yet" in said(await world.desk.obey(asks(world), "stats", ""))
    assert "Ann" in said(await world.desk.greeting(asks(world)))
    assert "/quiz" in said(world.desk.help(asks(world)))
    assert world.desk.languages(asks(world)).panel.buttons
    assert (await world.desk.packs(asks(world))).panel.buttons
    turned = await world.desk.press(asks(world), Action(verb=Verb.PACKS, turn=3))
    assert turned
    assert turned.replaces


async def test_settings_are_for_moderators(world: World):
    member, moderator = asks(world, Place.ROOM), asks(world, Place.ROOM, moderator=True)
    press = Action(verb=Verb.SETTING, value="seconds=1")

    shown = world.desk.settings(moderator)
    refused = await world.desk.press(member, press)
    changed = await world.desk.press(moderator, press)
    forged = await world.desk.press(moderator, replace(press, value="root=1"))

    assert shown.panel.heading == "Settings"
    assert "moderator" in said(world.desk.settings(member))
    assert "moderator" in said(refused)
    assert changed
    assert changed.replaces
    assert forged
    assert (await world.store.room_by_id(world.room.id)).settings.seconds == 15


async def test_a_language_is_chosen_and_spoken_at_once(world: World):
    reply = await world.desk.press(asks(world), Action(verb=Verb.SETTING, value="me=id"))

    people = await world.store.participants([world.ann.id])
    assert "Halo Ann" in said(reply)
    assert people[world.ann.id].language == "id"


async def test_a_nickname_goes_on_boards(world: World):
    named = await world.desk.nickname(asks(world), "  Night   Owl ")
    back = await world.desk.nickname(asks(world), "")

    assert "Night Owl" in said(named)
    assert "Ann" in said(back)


async def test_a_person_sees_and_deletes_what_is_kept(world: World):
    session = await world.start()
    await world.answer(session, "B")

    async def press(value: str) -> Reply:
        reply = await world.desk.press(asks(world), Action(verb=Verb.SETTING, value=value))
        assert reply
        return reply

    about = await world.desk.privacy(asks(world))
    exported = await press("me:export")
    asked = await press("me:delete")
    done = await press("me:delete!")

    assert "1 answer" in said(about)
    assert exported.file
    assert len(json.loads(exported.file[1])["responses"]) == 1
    assert asked.panel.buttons[0].label == "Delete everything"
    assert "Nothing about you" in said(done)
    assert await world.store.response_count(world.ann.id) == 0


async def test_everybody_is_spoken_to_in_their_language(world: World):
    indonesian = await world.store.participant(
        Alias(platform="test", external="citra"), name="Citra", language="id-ID"
    )
    room = replace(world.room, settings=Settings(language="id"))

    assert world.desk.words(asks(world, person=indonesian)).language == "id"
    assert world.desk.words(asks(world, room=room)).language == "id"
    assert world.desk.words(asks(world)).language == "en"


async def test_an_exam_cannot_be_answered_by_somebody_else(world: World):
    await world.desk.quiz(asks(world), QuizWish(mode=Mode.EXAM))
    session = await running(world, world.ann.id)

    about = Action(verb=Verb.ANSWER, session=session.id, turn=0, value="0")
    await world.desk.answer(asks(world, person=world.ben), about)

    assert world.chat.last.panel.tone is Tone.NOTICE


@pytest.mark.parametrize("value", ["", "p,1,30,live", "gone,5,30,live"])
async def test_a_forged_setup_starts_nothing(world: World, value: str):
    reply = await world.desk.press(asks(world), Action(verb=Verb.SETUP, turn=1, value=value))

    assert "over" in said(reply)


async def test_a_result_is_shared_with_a_room_by_who_earned_it_once_it_is_over(world: World):
    session = await world.start()
    await world.answer(session, "B")
    share = Action(verb=Verb.SHARE, session=session.id)

    early = await world.desk.press(asks(world), share)
    await world.desk.stop(asks(world))
    stranger = await world.desk.press(asks(world, person=world.ben), share)
    shared = await world.desk.press(asks(world), share)

    assert "over" in said(early)
    assert "somebody else's" in said(stranger)
    assert shared
    assert shared.public
    assert "**Ann** got **1 of 1** right" in said(shared)


async def test_buttons_of_a_quiz_that_is_over_say_so(world: World):
    session = await world.start()
    await world.desk.stop(asks(world))
    late = Action(verb=Verb.ANSWER, session=SessionId("nope"), value="0")

    pressed = await world.desk.press(asks(world), Action(verb=Verb.STOP, session=session.id))
    nowhere = await world.desk.press(asks(world), Action(verb=Verb.STOP, session=SessionId("x")))
    answered = await world.desk.answer(asks(world), late)

    assert all("over" in said(reply) for reply in (pressed, nowhere, answered))


async def test_suggestions_fit_what_was_typed(world: World):
    world.restart(world.pack, Pack(editions=(edition(TRUE, pack="sky", title="Up above"),)))

    assert world.desk.suggestions("en", "ABOVE", 5) == [("Up above", "sky")]
    assert world.desk.suggestions("en", "mix", 5) == [("A mixed pack", "mixed")]
    assert len(world.desk.suggestions("en", "", 1)) == 1


async def test_deleting_needs_the_very_button(world: World):
    forged = await world.desk.press(asks(world), Action(verb=Verb.SETTING, value="me:all"))

    assert "over" in said(forged)
    assert await world.store.participants([world.ann.id])
