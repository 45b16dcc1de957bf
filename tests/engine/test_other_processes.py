"""What was brought in by chat, in a process that has not met it yet."""

from bot.actions import Action, Verb
from bot.commands import Place
from bot.corrections import Correction
from bot.effects import Refusal
from bot.ids import ItemId
from bot.modes import Mode
from bot.packs import Pack
from bot.panels import Role
from bot.requests import Reply, Request
from bot.session import Session
from bot.submissions import Chosen
from tests.helpers.banking import FIRST, asks, brought_in, press, said
from tests.helpers.samples import CHOICE, NOON, edition
from tests.helpers.worlds import World

FILES = Pack(editions=(edition(CHOICE),))


def moderates(world: World) -> Request:
    return asks(world, Place.ROOM, by=world.ben, moderator=True)


async def played(world: World) -> Session:
    """Ann has brought in a quiz for a room, and answers its first question there."""
    me = asks(world, Place.ROOM, moderator=True)
    await brought_in(world, me, FIRST.encode())
    world.pack = (await world.desk.shelf(me)).find("colours")
    session = await world.start(Mode.RELAXED)
    await world.answer(session, Chosen(frozenset({1})))
    await world.onward(session, 0)
    doubt = Action(verb=Verb.CHALLENGE, session=session.id)
    await world.desk.press(me, doubt)
    world.restart(FILES)
    return session


async def test_the_queue_has_what_was_brought_in_by_chat(world: World):
    await played(world)

    queue = await world.desk.obey(moderates(world), "challenges", "")

    assert "What colour is the sky?" in said(queue)


async def test_a_correction_is_taken_back_by_another_process(world: World):
    await played(world)
    queue = await world.desk.obey(moderates(world), "challenges", "")
    other = await press(world, moderates(world), queue, "B")
    other = await press(world, moderates(world), other, "✓ A")
    sure = await press(world, moderates(world), other, "Mark")
    await press(world, moderates(world), sure, "Correct")
    undo = world.chat.last.panel.buttons[0].action

    world.restart(FILES)
    undone = await world.desk.press(moderates(world), undo)

    assert "was taken back" in said(undone)


async def test_a_room_hears_what_the_operator_corrected_though_its_quiz_was_brought_in(
    world: World,
):
    session = await played(world)
    pack = session.pack
    (stored,) = await world.store.stored_packs([pack])
    brought = stored.edition()
    assert brought
    item = next(one for one in brought.items if one.id == "sky")
    made = Correction(
        pack=pack, item=ItemId("sky"), keys=frozenset({1}), was=frozenset({0}), at=NOON
    )
    await world.store.correct(made, [item])

    await world.desk.tick({"test"})

    told = said(Reply(panel=world.chat.last.panel))
    assert "was wrong: 1 person was scored again" in told
    assert "Right answer: Blue" in told


async def test_a_quiz_ends_with_its_summary_though_a_question_was_taken_out(world: World):
    me = asks(world)
    await brought_in(world, me, FIRST.encode())
    world.pack = (await world.desk.shelf(me)).find("colours")
    session = await world.start()
    await world.answer(session, Chosen(frozenset({0})), 0)
    await world.onward(session, 0)
    without_sky = "\n\n".join(FIRST.split("\n\n")[1:])
    await brought_in(world, me, without_sky.encode())

    await world.answer(session, Chosen(frozenset({0})), 1)
    await world.onward(session, 1)
    await world.answer(session, Chosen(frozenset({0})), 2)
    await world.onward(session, 2)

    assert world.chat.last.panel.role is Role.SUMMARY
    assert world.chat.last.panel.progress == "2/2"


async def test_who_answers_twice_is_told_so_though_the_quiz_was_deleted(world: World):
    session = await played(world)
    await world.store.delete_pack(session.pack)

    assert await world.answer(session, Chosen(frozenset({0}))) is Refusal.ALREADY

    assert "You have already answered" in said(Reply(panel=world.chat.last.panel))
