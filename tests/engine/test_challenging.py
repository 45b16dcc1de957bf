"""Challenging at the desk: a doubt, the queue, a correction, and the way back."""

from dataclasses import replace

import pytest

from bot.actions import Action, Verb, decode, encode
from bot.commands import Place
from bot.corrections import OPERATOR, Correction, Reason
from bot.desk import Reply, Request
from bot.disputing import read_places, written
from bot.ids import SessionId
from bot.items import keys
from bot.modes import Mode
from bot.packs import Pack
from bot.panels import Panel, Role
from bot.people import Alias
from bot.session import Phase, Session
from bot.submissions import Chosen
from tests.helpers.samples import CHOICE, MULTI, NOON, SHORT, TRUE, edition
from tests.helpers.worlds import World


def asks(world: World, **more: object) -> Request:
    fields = {"room": world.room, "person": world.ann, "place": Place.ROOM, **more}
    return Request(**fields)  # type: ignore[arg-type]


def moderates(world: World, **more: object) -> Request:
    return asks(world, person=world.ben, moderator=True, **more)


def said(panel: Panel | Reply | None) -> str:
    panel = panel.panel if isinstance(panel, Reply) else panel
    assert panel
    return "\n".join([panel.heading, panel.progress, *panel.body, *panel.notes])


def labels(reply: Reply | None) -> list[str]:
    assert reply
    return [button.label for button in reply.panel.buttons]


def find(panel: Panel | Reply | None, label: str) -> Action:
    """Give what a button asks for, as it comes back from a platform."""
    panel = panel.panel if isinstance(panel, Reply) else panel
    assert panel
    button = next(one for one in panel.buttons if one.label.startswith(label))
    action = decode(encode(button.action))
    assert action
    return action


async def played(world: World, *items: object, language: str = "en") -> Session:
    """Ann says B (the key) and Ben A to the first item of a relaxed quiz; then it is revealed."""
    pack = Pack(editions=(edition(*(items or (CHOICE, MULTI))),))  # type: ignore[arg-type]
    world.restart(pack)
    world.pack = pack
    settings = replace(world.room.settings, language=language)
    world.room = replace(world.room, settings=settings)
    await world.store.set_settings(world.room.id, settings)
    session = await world.start(Mode.RELAXED)
    await world.answer(session, Chosen(frozenset({1})))
    await world.answer(session, Chosen(frozenset({0})), by=world.ben)
    await world.onward(session, 0)
    return await world.stored(session)


async def challenged(world: World, *items: object) -> Session:
    session = await played(world, *items)
    doubt = find(world.chat.panels(Role.REVEAL)[-1], "Challenge")
    await world.desk.press(asks(world), doubt)
    return session


async def queue(world: World) -> Reply:
    reply = await world.desk.obey(moderates(world), "challenges", "")
    assert reply
    return reply


async def press(world: World, panel: Panel | Reply | None, label: str) -> Reply:
    reply = await world.desk.press(moderates(world), find(panel, label))
    assert reply
    return reply


async def test_a_doubt_is_kept_at_once_and_its_reason_follows(world: World):
    await played(world)
    reveal = world.chat.panels(Role.REVEAL)[-1]

    asked = await world.desk.press(asks(world), find(reveal, "Challenge"))
    assert [one.reason for one in await world.store.challenges()] == [Reason.UNSAID]
    thanked = await world.desk.press(asks(world), find(asked, "The marked"))
    again = await world.desk.press(asks(world), find(reveal, "Challenge"))

    assert "it is noted" in said(asked)
    assert labels(asked) == [
        "The marked answer is wrong",
        "More than one is right",
        "It is unclear",
        "There is a typo",
    ]
    assert "Thank you!" in said(thanked)
    assert thanked
    assert thanked.replaces
    assert "already" in said(again)
    (kept,) = await world.store.challenges()
    assert (kept.reason, kept.participant) == (Reason.KEY, world.ann.id)


async def test_what_is_not_revealed_or_not_yours_cannot_be_challenged(world: World):
    session = await played(world)
    own = await world.start(Mode.SOLO)
    await world.answer(own, "A")
    elsewhere = await world.store.room(Alias(platform="test", external="elsewhere"))
    cid = await world.store.participant(Alias(platform="test", external="cid"), name="Cid")

    async def tries(turn: int, of: SessionId, **more: object) -> str:
        action = Action(verb=Verb.CHALLENGE, session=of, turn=turn)
        return said(await world.desk.press(asks(world, **more), action))

    assert "is over" in await tries(1, session.id)
    assert "is over" in await tries(9, session.id)
    assert "is over" in await tries(0, SessionId("none"))
    assert "somebody else" in await tries(0, own.id, person=world.ben)
    assert "is over" in await tries(0, session.id, person=cid, room=elsewhere)
    assert await world.store.challenges() == []
    assert "noted" in await tries(0, session.id, room=elsewhere)  # Ann has answered it
    assert "What is wrong" in await tries(0, own.id)


async def test_a_moderator_corrects_and_the_room_is_told_and_it_is_taken_back(world: World):
    session = await challenged(world)
    case = await queue(world)
    assert "Question 1 of A mixed pack" in said(case)
    assert "No reason given: 1" in said(case)
    assert [(o.letter, o.key) for o in case.panel.options] == [
        ("A", False),
        ("B", True),
        ("C", False),
    ]
    assert labels(case) == ["A", "✓ B", "C", "Reject"]

    case = await press(world, case, "A")
    case = await press(world, case, "✓ B")
    assert labels(case) == ["✓ A", "B", "C", "Mark A as right", "Reject"]
    look = await press(world, case, "Mark")
    assert "2 people would be scored again." in said(look)
    assert labels(look) == ["Correct it", "‹ Back"]
    back = await press(world, look, "‹ Back")
    assert labels(back) == labels(case)
    assert (await world.store.response(session.id, 0, world.ann.id)).grade == 1  # type: ignore[union-attr]
    done = await press(world, look, "Correct it")

    assert "No question is challenged" in said(done)
    told = world.chat.last
    assert (told.room.id, told.to) == (world.room.id, None)
    assert "Question 1 of A mixed pack was wrong: 2 people were scored again." in said(told.panel)
    assert "Right answer: Bandung" in said(told.panel)
    assert keys(world.host.narrator.versions(session, 0, "en")[0]) == {0}
    standings = await world.store.standings(session)
    assert {row.name: row.points for row in standings} == {"Ann": 0, "Ben": 100}

    undone = await press(world, told.panel, "Take it back")

    assert (undone.public, undone.replaces) == (True, True)
    assert "was taken back: 2 people" in said(undone)
    assert keys(world.host.narrator.versions(session, 0, "en")[0]) == {1}
    standings = await world.store.standings(session)
    assert {row.name: row.points for row in standings} == {"Ann": 100, "Ben": 0}
    assert "Question 1" in said(await queue(world))
    assert "is over" in said(await press(world, told.panel, "Take it back"))


async def test_a_room_reads_of_it_in_its_language(world: World):
    session = await played(world, language="id")
    await world.desk.press(asks(world), Action(verb=Verb.CHALLENGE, session=session.id))
    case = await queue(world)
    case = await press(world, case, "A")

    await press(world, await press(world, case, "Tandai A, B"), "Koreksi")

    assert "ternyata keliru: nilai 1 orang dihitung ulang" in said(world.chat.last.panel)
    assert "Bandung; Jakarta" in said(world.chat.last.panel)


async def test_a_challenge_can_be_rejected_and_those_of_most_people_come_first(world: World):
    session = await challenged(world)
    await world.onward(session, 0)
    session = await world.stored(session)
    await world.answer(session, Chosen(frozenset({0})), turn=1)
    await world.answer(session, Chosen(frozenset({0})), turn=1, by=world.ben)
    await world.onward(session, 1)
    other = Action(verb=Verb.CHALLENGE, session=session.id, turn=1, value="typo")
    await world.desk.press(asks(world), other)
    await world.desk.press(asks(world, person=world.ben), other)

    first = await queue(world)
    second = await press(world, first, "Next")
    back = await press(world, second, "‹ Back")
    left = await press(world, back, "Reject")

    assert "1/2" in said(first)
    assert "There is a typo: 2" in said(first)
    assert "Question 1" in said(second)
    assert said(back) == said(first)
    assert "Question 1" in said(left)
    assert "No question" in said(await press(world, left, "Reject"))
    assert "No question" in said(await press(world, left, "Reject"))  # somebody was faster


async def test_only_moderators_judge_however_a_button_was_forged(world: World):
    session = await challenged(world)
    about = {"verb": Verb.CHALLENGE, "session": session.id}
    for value in ("q0", "t0", "p0", "a0", "r", "u1"):
        action = Action(**about, value=value)
        assert "moderator" in said(await world.desk.press(asks(world), action)).lower()
        alone = moderates(world, place=Place.PRIVATE)
        assert "moderator" in said(await world.desk.press(alone, action)).lower()
    assert "moderator" in said(await world.desk.obey(asks(world), "challenges", "")).lower()
    assert "by its admins" in said(
        await world.desk.obey(moderates(world, place=Place.PRIVATE), "challenges", "")
    )
    assert len(await world.store.challenges()) == 1
    assert await world.store.stamp() == 0


@pytest.mark.parametrize(
    "value", ["q", "qx", "u", "ux", "u99", "a", "a9", "a2", "p2", "tx", "t1234", "x0", "?"]
)
async def test_buttons_nobody_has_made_change_nothing(world: World, value: str):
    session = await challenged(world)
    forged = Action(verb=Verb.CHALLENGE, session=session.id, value=value)

    reply = await world.desk.press(moderates(world), forged)

    assert "is over" in said(reply)
    assert await world.store.stamp() == 0


async def test_a_correction_of_another_room_cannot_be_taken_back_here(world: World):
    await challenged(world)
    made = Correction(
        pack=world.pack.id, item=CHOICE.id, keys=frozenset({0}), was=frozenset({1}), at=NOON
    )
    done = await world.store.correct(made, [CHOICE])
    undo = Action(verb=Verb.CHALLENGE, value=f"u{done.correction.id}")

    assert "is over" in said(await world.desk.press(moderates(world), undo))
    assert not (await world.store.corrections())[1][0].undone


async def test_what_the_operator_corrects_is_told_to_rooms_that_asked(world: World):
    session = await challenged(world)
    made = Correction(
        pack=world.pack.id,
        item=CHOICE.id,
        keys=frozenset({2}),
        was=frozenset({1}),
        at=NOON,
        by=OPERATOR,
    )
    await world.store.correct(made, [CHOICE])
    before = len(world.chat.posts)

    await world.host.recover()
    await world.desk.tick({"test"})
    await world.desk.tick({"test"})

    assert len(world.chat.posts) == before + 1
    assert "1 person was scored again" in said(world.chat.last.panel)
    assert world.chat.last.panel.buttons == ()
    assert keys(world.host.narrator.versions(session, 0, "en")[0]) == {2}


async def test_a_statement_has_one_key_and_what_is_typed_has_none_to_tap(world: World):
    session = await challenged(world, TRUE, SHORT)
    case = await queue(world)
    assert labels(case) == ["✓ A", "B", "Reject"]
    case = await press(world, case, "B")
    assert labels(case) == ["A", "✓ B", "Mark B as right", "Reject"]
    assert labels(await press(world, case, "✓ B")) == ["A", "✓ B", "Mark B as right", "Reject"]

    await world.onward(session, 0)
    await world.answer(session, "no", turn=1)
    await world.onward(session, 1)
    await world.desk.press(asks(world), Action(verb=Verb.CHALLENGE, session=session.id, turn=1))
    typed = await press(world, await queue(world), "Next")

    assert "mend it there" in said(typed)
    assert labels(typed) == ["Reject", "‹ Back"]


async def test_a_pack_that_is_gone_is_left_out_of_the_queue(world: World):
    session = await challenged(world)
    case = await queue(world)
    done = await press(
        world, await press(world, await press(world, case, "A"), "Mark"), "Correct it"
    )
    undo = find(world.chat.last.panel, "Take it back")
    assert done
    other = Action(verb=Verb.CHALLENGE, session=session.id)
    await world.desk.press(asks(world, person=world.ben), other)

    world.restart(Pack(editions=(edition(CHOICE, pack="another"),)))

    assert "No question" in said(await queue(world))
    assert "is over" in said(await world.desk.press(moderates(world), undo))
    await world.store.correct(
        Correction(
            pack=world.pack.id, item=CHOICE.id, keys=frozenset({2}), was=frozenset({1}), at=NOON
        ),
        [CHOICE],
    )
    before = len(world.chat.posts)
    await world.desk.tick({"test"})
    assert len(world.chat.posts) == before


async def test_a_room_that_cannot_be_told_is_corrected_all_the_same(world: World):
    session = await challenged(world)
    case = await press(world, await queue(world), "A")
    look = await press(world, case, "Mark")
    world.chat.refuse = {Role.NOTICE: "blocked"}

    await press(world, look, "Correct it")

    assert await world.store.stamp() == 1
    elsewhere = replace(world.room, alias=Alias(platform="other", external="x"))
    assert not await world.host.announce(elsewhere, look.panel)
    assert (await world.stored(session)).phase is Phase.REVEALED


async def test_an_answer_after_a_correction_that_this_process_missed_is_graded_anew(world: World):
    session = await world.start(Mode.LIVE, verdict_at_once=True)
    made = Correction(
        pack=world.pack.id, item=CHOICE.id, keys=frozenset({0}), was=frozenset({1}), at=NOON
    )
    await world.store.correct(made, [CHOICE])  # by another process

    await world.answer(session, Chosen(frozenset({0})))

    kept = await world.store.response(session.id, 0, world.ann.id)
    assert kept
    assert kept.grade == 1
    assert "Right!" in world.chat.last.panel.heading


def test_places_travel_in_buttons():
    for places in (frozenset[int](), frozenset({0, 12}), frozenset(range(64))):
        assert read_places(written(places)) == places
    every = written(frozenset(range(64)))
    assert encode(
        Action(verb=Verb.CHALLENGE, session="d20260304" + 12 * "x", turn=10, value=f"a{every}")
    )
    assert all(read_places(text) is None for text in ("", ",", "x", "-1", "A", "²"))
