"""What a person may see and delete, and what a chat must not forget."""

import json
from dataclasses import replace

from bot.modes import Mode
from bot.ports import BoardQuery, Receipt, Scope
from tests.storage.worlds import NOON, World, alias


async def busy(world: World) -> None:
    """Let Ann and Ben play, alone and together."""
    await world.played("own", world.ann, 1.0, 0.0)
    await world.played("other", world.ben, 1.0)
    live = await world.opened("live", Mode.LIVE)
    await world.answered(live, world.ann)
    await world.answered(live, world.ben)
    await world.ended(await world.closed(live))


async def test_a_person_sees_every_row_about_them(world: World):
    await busy(world)

    kept = await world.store.export(world.ann.id)

    assert await world.store.response_count(world.ann.id) == len(kept["responses"]) == 3
    assert (len(kept["scores"]), len(kept["sessions"]), len(kept["asked"])) == (3, 2, 2)
    assert len(kept["participants"]) == len(kept["aliases"]) == 1
    assert json.loads(json.dumps(kept))["participants"][0]["name"] == "Ann"


async def test_a_person_who_is_forgotten_leaves_no_row(world: World):
    await busy(world)

    await world.store.forget(world.ann.id)

    kept = await world.store.export(world.ann.id)
    assert not any(kept.values())
    assert await world.store.participants([world.ann.id]) == {}


async def test_what_others_have_earned_stays_when_somebody_is_forgotten(world: World):
    await busy(world)

    await world.store.forget(world.ann.id)

    query = BoardQuery(room=world.hall, scope=Scope.ROOM)
    board = await world.store.leaderboard(query, NOON)
    live = await world.store.session(world.session("live").id)
    assert [(row.name, row.points) for row in board.rows] == [("Ben", 200)]
    assert live
    assert live.starter == ""
    assert await world.store.rebuild() == 2


async def test_who_comes_back_after_being_forgotten_begins_anew(world: World):
    await busy(world)
    await world.store.forget(world.ann.id)

    again = await world.store.participant(alias("Ann"), name="Ann")

    assert again.id != world.ann.id
    assert await world.store.response_count(again.id) == 0


async def test_who_is_forgotten_leaves_no_answer_behind_that_was_on_its_way(world: World):
    live = await world.opened("live", Mode.LIVE)
    await world.store.forget(world.ann.id)

    receipt = await world.store.record(world.response(live, world.ann))

    assert receipt is Receipt.CLOSED
    assert await world.store.response_count(world.ann.id) == 0
    assert await world.store.record(world.response(live, world.ben)) is Receipt.RECORDED


async def test_an_open_shared_session_goes_on_when_its_starter_is_forgotten(world: World):
    live = await world.opened("live", Mode.LIVE)
    await world.store.forget(world.ann.id)

    saved = await world.store.save(live, replace(live, message="m"))

    assert saved


async def test_notes_are_kept_and_replaced(world: World):
    assert await world.store.note("k") is None

    await world.store.set_note("k", "one")
    await world.store.set_note("k", "two")

    assert await world.store.note("k") == "two"
