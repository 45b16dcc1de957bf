"""What every store promises about sessions and responses."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import StoreError
from bot.modes import Mode
from bot.people import Settings
from bot.ports import Conflict, Receipt
from bot.session import Phase
from bot.submissions import Typed
from tests.storage.worlds import NOON, PACK, RIGHT, WRONG, World, alias


async def test_a_session_comes_back_as_it_was_saved(world: World):
    session = await world.opened(seconds=(10, 20, 0))

    assert await world.store.session(session.id) == session
    assert await world.store.session("unknown") is None


async def test_a_session_in_a_room_nobody_knows_is_refused(world: World):
    nowhere = replace(world.session(), room="nowhere")

    with pytest.raises(StoreError):
        await world.store.start(nowhere)


async def test_a_room_has_one_active_shared_session_and_everyone_one_of_their_own(world: World):
    await world.opened("shared")
    people = [await world.store.participant(alias(str(number))) for number in range(40)]
    for person in people:
        await world.opened(f"own-{person.id}", Mode.SOLO, starter=person)

    with pytest.raises(Conflict):
        await world.store.start(world.session("second"))
    with pytest.raises(Conflict):
        await world.store.start(world.session("third", Mode.SOLO, starter=people[7]))

    assert len(await world.store.unfinished()) == 41


async def test_a_paused_session_frees_its_place_and_cannot_come_back_while_it_is_taken(
    world: World,
):
    paused = await world.moved(await world.opened("first"), phase=Phase.PAUSED)
    second = await world.opened("second")

    with pytest.raises(Conflict):
        await world.store.save(paused, replace(paused, phase=Phase.ASKING))
    await world.ended(second)
    back = await world.moved(paused, phase=Phase.ASKING)

    assert await world.store.open_session(world.hall.id, None) == back


async def test_the_active_session_is_found_before_paused_ones_and_later_ones_first(world: World):
    store, hall = world.store, world.hall
    early = await world.opened("early")
    early = await world.moved(early, phase=Phase.PAUSED)
    late = await world.opened("late", started=NOON + timedelta(hours=1))
    late = await world.moved(late, phase=Phase.PAUSED)

    assert await store.open_session(hall.id, None) == late
    early = await world.moved(early, phase=Phase.OPEN)
    assert await store.open_session(hall.id, None) == early
    assert await store.open_session(hall.id, world.ann.id) is None
    assert await store.unfinished() == [early]


async def test_saving_from_a_phase_or_turn_that_has_passed_changes_nothing(world: World):
    session = await world.opened()
    await world.answered(session, world.ann)
    closed = await world.closed(session)

    again = await world.store.save(session, replace(session, phase=Phase.PAUSED))

    assert again is False
    assert await world.store.session(session.id) == closed


async def test_an_item_is_noted_as_asked_when_it_was_delivered(world: World):
    session = await world.opened()
    await world.next(await world.closed(session))
    await world.played("own", world.ben, 1.0, items=("a",))

    assert await world.store.asked(world.hall.id, None, PACK) == {"a": 1, "b": 1}
    assert await world.store.asked(world.hall.id, world.ben.id, PACK) == {"a": 1}
    assert await world.store.asked(world.hall.id, None, "other") == {}


async def test_an_item_answered_before_its_delivery_was_confirmed_was_asked_too(world: World):
    session = world.session(mode=Mode.SOLO)
    await world.store.start(session)

    await world.closed(session)

    assert await world.store.asked(world.hall.id, world.ann.id, PACK) == {"a": 1}


async def test_a_response_comes_back_as_it_was_recorded(world: World):
    session = await world.opened()
    given = world.response(session, world.ann, submission=Typed("=3,14 – π"), grade=0.5)

    receipt = await world.store.record(given)

    assert receipt is Receipt.RECORDED
    assert await world.store.response(session.id, 0, world.ann.id) == given
    assert await world.store.responses(session.id, world.ann.id) == [given]
    assert await world.store.response(session.id, 0, world.ben.id) is None


async def test_a_response_is_taken_while_the_item_is_still_being_delivered(world: World):
    session = world.session()
    await world.store.start(session)

    assert await world.store.record(world.response(session, world.ann)) is Receipt.RECORDED


async def test_a_second_response_from_the_same_participant_changes_nothing(world: World):
    session = await world.opened()
    first = await world.answered(session, world.ann)

    receipt = await world.store.record(world.response(session, world.ann, grade=0.0))

    assert receipt is Receipt.ALREADY
    assert await world.store.response(session.id, 0, world.ann.id) == first


async def test_copies_handed_in_at_once_are_recorded_once(world: World):
    session = await world.opened()
    copies = [world.response(session, world.ann, elapsed=float(number)) for number in range(5)]

    receipts = await asyncio.gather(*map(world.store.record, copies))

    assert receipts == [Receipt.RECORDED, *[Receipt.ALREADY] * 4]
    assert await world.store.response(session.id, 0, world.ann.id) == copies[0]


async def test_a_response_that_may_replace_another_keeps_nothing_of_it(world: World):
    session = await world.opened()
    await world.answered(session, world.ann)
    changed = world.response(
        session, world.ann, grade=0.0, elapsed=9.0, at=NOON + timedelta(seconds=4)
    )

    receipt = await world.store.record(changed, replace=True)

    assert receipt is Receipt.CHANGED
    assert await world.store.response(session.id, 0, world.ann.id) == changed


async def test_a_change_handed_in_together_with_its_first_version_wins(world: World):
    session = await world.opened()
    first, then, last = (
        world.response(session, world.ann, elapsed=float(number)) for number in range(3)
    )

    receipts = await asyncio.gather(
        *(world.store.record(one, replace=True) for one in (first, then, last))
    )

    assert receipts == [Receipt.RECORDED, Receipt.CHANGED, Receipt.CHANGED]
    assert await world.store.response(session.id, 0, world.ann.id) == last


async def test_a_response_to_a_turn_that_is_not_open_is_refused(world: World):
    session = await world.opened()
    early = world.response(session, world.ann, turn=1)
    late = world.response(session, world.ben)
    before = await world.store.record(early)
    await world.closed(session)
    after = await world.store.record(late, replace=True)

    assert [before, after] == [Receipt.CLOSED, Receipt.CLOSED]
    assert (await world.store.tally(session.id, 0)).answered == 0


async def test_a_response_to_an_unknown_session_leaves_its_neighbours_alone(world: World):
    session = await world.opened()
    lost = replace(world.response(session, world.ann), session="unknown")

    receipts = await asyncio.gather(
        world.store.record(world.response(session, world.ann)),
        world.store.record(lost),
        world.store.record(world.response(session, world.ben)),
    )

    assert receipts == [Receipt.RECORDED, Receipt.CLOSED, Receipt.RECORDED]


async def test_a_response_handed_in_before_the_turn_closes_counts(world: World):
    session = await world.opened()
    closed = replace(session, phase=Phase.REVEALING, closed=1)

    before, saved, after = await asyncio.gather(
        world.store.record(world.response(session, world.ann)),
        world.store.save(session, closed),
        world.store.record(world.response(session, world.ben)),
    )

    assert (before, saved, after) == (Receipt.RECORDED, True, Receipt.CLOSED)


async def test_a_caller_who_gives_up_hurts_nobody(world: World):
    session = await world.opened()
    leaving = asyncio.ensure_future(world.store.record(world.response(session, world.ann)))
    staying = asyncio.ensure_future(world.store.record(world.response(session, world.ben)))
    await asyncio.sleep(0)

    leaving.cancel()

    assert await staying is Receipt.RECORDED
    assert await world.store.record(world.response(session, world.cid)) is Receipt.RECORDED


async def test_nul_signs_are_taken_out_of_what_was_typed(world: World):
    session = await world.opened()

    await world.answered(session, world.ann, submission=Typed("a\0b\udfff"))

    kept = await world.store.response(session.id, 0, world.ann.id)
    assert kept
    assert kept.submission == Typed("ab?")


async def test_a_response_can_be_withdrawn_while_its_turn_is_open(world: World):
    session = await world.opened()
    await world.answered(session, world.ann)
    await world.answered(session, world.ben)

    withdrawn = await world.store.withdraw(session.id, 0, world.ann.id)
    again = await world.store.withdraw(session.id, 0, world.ann.id)
    await world.closed(session)
    late = await world.store.withdraw(session.id, 0, world.ben.id)

    assert (withdrawn, again, late) == (True, False, False)
    assert (await world.store.tally(session.id, 0)).answered == 1


async def test_a_tally_counts_submissions_and_names_the_three_fastest(world: World):
    session = await world.opened()
    dee = await world.store.participant(alias("Dee"), name="Dee")
    await world.store.set_participant(world.ben.id, nickname="Bee")
    await world.answered(session, world.ann, elapsed=4.0)
    await world.answered(session, world.ben, elapsed=2.5)
    await world.answered(session, world.cid, elapsed=1.0, grade=0.0)
    await world.answered(session, dee, elapsed=3.0)
    session = await world.next(await world.closed(session))
    await world.answered(session, world.cid)

    tally = await world.store.tally(session.id, 0)

    assert tally.counts == {RIGHT: 3, WRONG: 1}
    assert (tally.answered, tally.correct, tally.joined) == (4, 3, 4)
    assert list(tally.fastest) == [("Bee", 2.5), ("Dee", 3.0), ("Ann", 4.0)]
    assert (await world.store.tally(session.id, 1)).joined == 4


async def test_standings_sum_up_and_count_unanswered_turns_in_full(world: World):
    session = await world.opened(seconds=(0, 20))
    await world.answered(session, world.ann, elapsed=4.0)
    session = await world.next(await world.closed(session))
    await world.answered(session, world.ann, elapsed=6.5, grade=0.5)
    await world.answered(session, world.ben, elapsed=2.0)
    closed = await world.closed(session)

    rows = {row.participant: row for row in await world.store.standings(closed)}

    ann, ben = rows[world.ann.id], rows[world.ben.id]
    assert (ann.name, ann.points, ann.correct, ann.answered, ann.seconds) == (
        "Ann",
        150,
        1.5,
        2,
        10.5,
    )
    assert (ben.points, ben.answered, ben.seconds) == (100, 1, 32.0)
    assert len(rows) == 2


async def test_standings_without_a_clock_count_only_the_time_taken(world: World):
    session = await world.opened(mode=Mode.RELAXED)
    session = await world.next(await world.closed(session))
    await world.answered(session, world.ann, elapsed=7.0)

    (row,) = await world.store.standings(await world.closed(session))

    assert row.seconds == 7.0


async def test_standings_include_responses_to_a_turn_that_is_still_open(world: World):
    session = await world.opened()
    await world.answered(session, world.ann, elapsed=3.0)

    (row,) = await world.store.standings(session)

    assert (row.answered, row.seconds) == (1, 3.0)


async def test_only_the_first_response_of_a_week_counts_the_rest_is_practice(world: World):
    store = world.store
    await store.set_settings(world.hall.id, Settings(time_zone="Asia/Jakarta"))
    hall = await store.room(alias("hall"))
    sunday_night = NOON.replace(day=8, hour=16, minute=59)  # 23:59 in Jakarta
    monday = NOON.replace(day=8, hour=17, minute=1)  # 00:01 in Jakarta
    first = await world.opened("live")
    await world.answered(first, world.ann, grade=0.0, room=hall, at=NOON)
    await world.ended(await world.closed(first))
    again = await world.played("solo", world.ann, 1.0, items=("a",), at=sunday_night, room=hall)
    new_week = await world.played("next", world.ann, 1.0, items=("a",), at=monday, room=hall)

    practised = [
        await store.practice(session.id, world.ann.id) for session in (first, again, new_week)
    ]

    assert practised == [0, 1, 0]


async def test_the_earliest_response_counts_whichever_turn_closes_first(world: World):
    live = await world.opened("live")
    await world.answered(live, world.ann, at=NOON)
    own = await world.played("own", world.ann, 0.0, items=("a",), at=NOON + timedelta(minutes=1))

    before = await world.store.practice(own.id, world.ann.id)
    await world.closed(live)
    after = await world.store.practice(own.id, world.ann.id)

    assert (before, after) == (0, 1)


async def test_a_response_in_an_open_turn_is_no_practice_yet(world: World):
    session = await world.opened()
    await world.answered(session, world.ann)

    assert await world.store.practice(session.id, world.ann.id) == 0
