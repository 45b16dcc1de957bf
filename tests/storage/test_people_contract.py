"""What every store promises about rooms and people."""

import asyncio
from dataclasses import replace

import pytest

from bot.errors import StoreError
from bot.ids import RoomId
from bot.modes import Mode
from bot.people import Settings
from bot.ports import BoardQuery, Receipt
from bot.session import Phase
from tests.storage.worlds import NOON, PACK, World, alias


async def test_a_room_is_made_once_and_found_by_its_alias_and_its_id(world):
    again = await world.store.room(alias("hall"))
    by_id = await world.store.room_by_id(world.hall.id)

    assert again == by_id == world.hall


async def test_a_title_and_community_that_changed_are_kept_and_silence_changes_nothing(world):
    await world.store.room(alias("hall"), title="Aula", community="school")
    room = await world.store.room(alias("hall"))

    assert (room.title, room.community) == ("Aula", "school")


async def test_the_same_name_on_two_platforms_is_two_rooms(world):
    other = await world.store.room(replace(alias("hall"), platform="elsewhere"))

    assert other.id != world.hall.id


async def test_a_room_nobody_knows_is_an_error_in_one_sentence(world):
    with pytest.raises(StoreError, match="There is no room"):
        await world.store.room_by_id(RoomId("nowhere"))


async def test_settings_of_a_room_come_back(world):
    settings = Settings(language="id", time_zone="Asia/Jakarta", seconds=45, may_change=True)

    await world.store.set_settings(world.hall.id, settings)

    assert (await world.store.room(alias("hall"))).settings == settings


async def test_many_who_meet_a_new_person_at_once_meet_the_same_one(world):
    met = await asyncio.gather(
        *(world.store.participant(alias("Dee"), name="Dee") for _ in range(20))
    )

    assert len({person.id for person in met}) == 1


async def test_a_name_that_changed_is_kept_and_a_nickname_is_shown_instead(world):
    await world.store.participant(alias("Ann"), name="Anna")
    await world.store.set_participant(world.ann.id, nickname="Ace")

    person = await world.store.participant(alias("Ann"))

    assert (person.name, person.shown) == ("Anna", "Ace")


async def test_a_language_told_by_the_platform_counts_until_one_is_chosen(world):
    told = await world.store.participant(alias("Ann"), language="id")
    await world.store.set_participant(world.ann.id, language="en")
    chosen = await world.store.participant(alias("Ann"), language="id")

    assert (told.language, chosen.language) == ("id", "en")


async def test_participants_are_found_by_id_and_unknown_ones_left_out(world):
    found = await world.store.participants([world.ben.id, "nobody", world.ann.id])

    assert found == {world.ann.id: world.ann, world.ben.id: world.ben}


async def test_what_no_database_can_keep_is_taken_out_of_text(world):
    person = await world.store.participant(alias("Eve"), name="E\0ve\ud800")

    assert person.name == "Eve?"


async def test_a_room_that_moves_keeps_everything_under_its_new_name(world):
    await world.store.set_settings(world.hall.id, Settings(seconds=50))

    await world.store.move_room(alias("hall"), alias("supergroup"))
    await world.store.move_room(alias("hall"), alias("supergroup"))  # both sides tell

    moved = await world.store.room(alias("supergroup"))
    assert (moved.id, moved.settings.seconds) == (world.hall.id, 50)
    assert (await world.store.room_by_id(moved.id)).alias == alias("supergroup")
    assert (await world.store.room(alias("hall"))).id != world.hall.id


async def test_a_room_that_moves_onto_another_takes_over_all_it_has(world: World):
    annex = await world.store.room(alias("annex"))
    await world.played("old", world.ann, 1.0, items=("a",))
    await world.played("new", world.ann, 0.5, items=("a",), room=annex)
    await world.played("newer", world.ben, 1.0, items=("z",), room=annex)

    await world.store.move_room(alias("hall"), alias("annex"))

    assert (await world.store.room(alias("annex"))).id == world.hall.id
    board = await world.store.leaderboard(BoardQuery(room=world.hall), NOON)
    assert {row.participant: row.points for row in board.rows} == {
        world.ann.id: 50,  # of two in one week the first, "new" < "old" at the same time
        world.ben.id: 100,
    }
    rooms = {session.room for session, _ in await world.store.history(world.ann.id)}
    assert rooms == {world.hall.id}
    assert await world.store.rebuild() == 2
    assert await world.store.leaderboard(BoardQuery(room=world.hall), NOON) == board
    assert await world.store.asked(world.hall.id, world.ann.id, PACK) == {"a": 2}


async def test_when_rooms_become_one_the_newer_ones_active_session_steps_aside(world: World):
    annex = await world.store.room(alias("annex"))
    kept = await world.opened("kept")
    aside = await world.opened("aside", room=annex)
    await world.opened("private", Mode.SOLO, room=annex, starter=world.ben)

    await world.store.move_room(alias("hall"), alias("annex"))

    paused = await world.store.session(aside.id)
    assert paused
    assert (paused.phase, paused.paused_in, paused.room) == (
        Phase.PAUSED,
        Phase.OPEN,
        world.hall.id,
    )
    assert await world.store.open_session(world.hall.id, None) == kept
    private = await world.store.open_session(world.hall.id, world.ben.id)
    assert private
    assert private.active


async def test_a_response_under_a_room_that_was_merged_meanwhile_counts_in_the_new_one(
    world: World,
):
    annex = await world.store.room(alias("annex"))
    session = await world.opened(room=annex)
    await world.store.move_room(alias("hall"), alias("annex"))

    receipt = await world.store.record(world.response(session, world.ann, room=annex))
    await world.closed(session)

    assert receipt is Receipt.RECORDED
    board = await world.store.leaderboard(BoardQuery(room=world.hall), NOON)
    assert [row.points for row in board.rows] == [100]
