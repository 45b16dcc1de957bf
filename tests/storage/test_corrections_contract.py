"""Corrections on every store: everybody is scored again in one transaction, or nobody."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.storage import MemoryStore, regrading
from bot.corrections import Challenge, Reason
from bot.errors import StoreError
from bot.grading import grade
from bot.ids import ItemId, ParticipantId, RoomId
from bot.modes import Mode, Rules
from bot.ports import Receipt, Store
from bot.scoring import points
from bot.session import Session
from bot.submissions import Chosen
from tests.storage.boards import boards, is_as_rebuilt, rows
from tests.storage.correcting import correction, item
from tests.storage.worlds import NOON, PACK, World, alias


def challenge(session: Session, who: ParticipantId, **more: object) -> Challenge:
    given = {"turn": 0, "room": session.room, "pack": PACK, "item": ItemId("a"), "at": NOON} | more
    return Challenge(session=session.id, participant=who, **given)  # type: ignore[arg-type]


async def played(world: World) -> Session:
    """Ann and Ben answer B, Cid answers C, to the first of three items; then all say B twice."""
    session = await world.opened()
    for turn in range(3):
        for who, place in ((world.ann, 1), (world.ben, 1), (world.cid, 1 if turn else 2)):
            given = Chosen(frozenset({place}))
            await world.answered(session, who, submission=given, grade=float(place == 1), at=NOON)
        session = await world.closed(session)
        session = session if session.last else await world.next(session)
    return await world.ended(session)


async def test_a_corrected_key_scores_everybody_again_and_can_be_taken_back(world: World):
    store = world.store
    await played(world)
    before = await rows(store), await boards(store)

    trial = await store.correct(correction(2), [item()], trial=True)
    assert (await rows(store), await boards(store)) == before
    done = await store.correct(correction(2), [item()])

    assert trial.people == done.people == done.responses == 3
    assert done.rooms == {world.hall.id: 3}
    assert await boards(store) == [("Cid", 300, 3.0, 3), ("Ann", 200, 2.0, 3), ("Ben", 200, 2.0, 3)]
    assert await is_as_rebuilt(store)
    assert (await store.undo(done.correction.id, [item()], trial=True)).people == 3
    undone = await store.undo(done.correction.id, [item()])
    assert undone
    assert undone.people == 3
    assert (await rows(store), await boards(store)) == before
    assert await store.undo(done.correction.id, [item()]) is None
    assert await store.undo(99, [item()], trial=True) is None


async def test_several_keys_make_nobody_poorer(world: World):
    await played(world)

    done = await world.store.correct(correction(1, 2), [item()])

    assert done.people == 1
    assert [row[:2] for row in await boards(world.store)] == [
        ("Ann", 300),
        ("Ben", 300),
        ("Cid", 300),
    ]


async def test_a_correction_of_one_room_leaves_the_others_alone(world: World):
    store = world.store
    await played(world)
    annex = await store.room(alias("annex"), title="Annex")
    other = await world.opened("other", room=annex)
    await world.answered(other, world.ann, room=annex, submission=Chosen(frozenset({1})))
    await world.closed(other)

    done = await store.correct(correction(2, room=world.hall.id), [item()])

    assert done.rooms == {world.hall.id: 3}
    kept = await store.response(other.id, 0, world.ann.id)
    assert kept
    assert kept.grade == 1
    everywhere = await store.correct(correction(3), [item()])
    assert everywhere.people == 2  # Ann in the annex, Cid in the hall; the last word counts
    assert await is_as_rebuilt(store)


async def test_the_streak_that_follows_is_counted_again(world: World):
    store = world.store
    rules = Rules(mode=Mode.LIVE, seconds=30, streak_bonus=True, speed_bonus=True)
    session = await world.opened(rules=rules)
    for turn in range(3):
        for who, place in ((world.ann, 1), (world.cid, 1 if turn else 2)):
            given = Chosen(frozenset({place}))
            right = grade(item(), given)
            streak = turn if who is world.ann else max(0, turn - 1)
            earned = points(right, rules, elapsed=5.0, allowed=30, streak=streak)
            await world.answered(session, who, submission=given, grade=right, points=earned)
        session = await world.closed(session)
        session = session if session.last else await world.next(session)
    before = await boards(store)
    assert [row[1] for row in before] == [456, 294]

    done = await store.correct(correction(2), [item()])

    assert done.people == 2
    assert [row[:2] for row in await boards(store)] == [("Cid", 456), ("Ann", 294)]
    assert await is_as_rebuilt(store)
    await store.undo(done.correction.id, [item()])
    assert await boards(store) == before


async def test_what_was_graded_by_the_old_key_is_not_kept(world: World):
    store = world.store
    session = await world.opened()
    late = world.response(session, world.ann, submission=Chosen(frozenset({1})))
    await store.correct(correction(2), [item()])
    stamp = await store.stamp()

    assert await store.record(late) is Receipt.STALE
    assert await store.response(session.id, 0, world.ann.id) is None
    assert await store.record(replace(late, keyed=stamp)) is Receipt.RECORDED
    assert await store.record(replace(late, keyed=stamp)) is Receipt.ALREADY
    assert (await store.corrections())[0] == stamp
    await store.undo(1, [item()])
    assert await store.stamp() > stamp


async def test_an_open_turn_is_graded_again_and_counts_when_it_closes(world: World):
    store = world.store
    session = await world.opened()
    await world.answered(session, world.ann, submission=Chosen(frozenset({1})))

    await store.correct(correction(2), [item()])
    assert (await store.tally(session.id, 0)).correct == 0
    await world.closed(session)

    assert await boards(store) == [("Ann", 0, 0.0, 1)]
    assert await is_as_rebuilt(store)


async def test_challenges_wait_are_decided_and_come_back_when_a_correction_is_undone(world: World):
    store = world.store
    session = await played(world)
    ann, ben = world.ann.id, world.ben.id
    assert await store.challenge(challenge(session, ann))
    assert not await store.challenge(challenge(session, ann, turn=1, reason=Reason.KEY))
    assert not await store.challenge(challenge(session, ann))
    assert await store.challenge(challenge(session, ben, reason=Reason.TYPO))
    await store.challenge(challenge(session, ben, turn=1, item=ItemId("b")))
    waiting = await store.challenges(world.hall.id)
    assert {(one.participant, one.item, one.reason) for one in waiting} == {
        (ann, "a", Reason.KEY),
        (ben, "a", Reason.TYPO),
        (ben, "b", Reason.UNSAID),
    }
    assert await store.challenges(RoomId("elsewhere")) == []

    assert await store.reject(PACK, ItemId("b"), world.hall.id, ann, NOON) == 1
    done = await store.correct(correction(2, room=world.hall.id, by=ann), [item()])
    assert await store.challenges() == []
    assert await store.news(["test"]) == []  # who corrects in a room tells it
    await store.undo(done.correction.id, [item()])

    assert {one.participant for one in await store.challenges()} == {ann, ben}


async def test_a_room_that_challenged_hears_once_what_was_corrected_elsewhere(world: World):
    store = world.store
    session = await played(world)
    await store.challenge(challenge(session, world.ann.id))

    await store.correct(correction(2), [item()])

    assert await store.news(["elsewhere"]) == []
    (news,) = await store.news(["test"])
    assert (news.room, news.item, news.people) == (world.hall.id, "a", 3)
    assert await store.news(["test"]) == []


async def test_what_was_taken_back_before_anybody_heard_is_not_told(world: World):
    session = await played(world)
    await world.store.challenge(challenge(session, world.ann.id))
    done = await world.store.correct(correction(2), [item()])

    await world.store.undo(done.correction.id, [item()])

    assert await world.store.news(["test"]) == []


async def test_what_somebody_challenged_and_decided_is_theirs_to_see_and_to_delete(world: World):
    store = world.store
    session = await played(world)
    await store.challenge(challenge(session, world.ben.id, reason=Reason.KEY))
    await store.correct(correction(2, room=world.hall.id, by=world.ben.id), [item()])
    kept = await store.export(world.ben.id)
    assert [len(kept[name]) for name in ("challenges", "corrections")] == [1, 1]

    await store.forget(world.ben.id)

    left = await store.export(world.ben.id)
    assert not any(left.values())
    assert (await store.corrections())[1][0].by == ""
    assert await is_as_rebuilt(store)


async def test_two_rooms_that_become_one_share_their_challenges(world: World):
    store = world.store
    annex = await store.room(alias("annex"))
    session = await world.opened("other", room=annex)
    await store.challenge(challenge(session, world.ann.id))
    await store.correct(correction(2, room=annex.id, item=ItemId("b")), [item("b")])

    await store.challenge(challenge(session, world.ben.id, turn=2, item=ItemId("c")))
    await store.correct(correction(2, item=ItemId("c")), [item("c")])

    await store.move_room(alias("hall"), alias("annex"))

    assert len(await store.challenges(world.hall.id)) == 1
    assert (await store.corrections())[1][0].room == world.hall.id
    assert [one.room for one in await store.news(["test"])] == [world.hall.id]


async def test_a_correction_that_fails_half_way_changes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    if isinstance(store, MemoryStore):
        return
    world = await World.made(store)
    session = await played(world)
    await store.challenge(challenge(session, world.ann.id))
    before = await rows(store)

    async def failing(*given: object) -> None:
        await write(*given)  # type: ignore[arg-type]
        msg = "the disk is gone"
        raise OSError(msg)

    write = regrading.write
    monkeypatch.setattr(regrading, "write", failing)
    with pytest.raises(StoreError):
        await store.correct(correction(2), [item()])
    monkeypatch.undo()

    assert await rows(store) == before
    assert (await store.corrections()) == (0, [])
    assert len(await store.challenges()) == 1
    assert (await store.correct(correction(2), [item()])).people == 3


async def test_answers_that_come_in_meanwhile_are_all_graded_by_the_key_that_holds(world: World):
    store = world.store
    session = await world.opened()
    people = [await store.participant(alias(f"p{n}"), name=f"P{n}") for n in range(60)]

    async def answer(number: int) -> None:
        given = Chosen(frozenset({1 + number % 2}))
        keyed, now = 0, item()
        while True:
            response = world.response(
                session,
                people[number],
                submission=given,
                grade=grade(now, given),
                at=NOON + timedelta(seconds=number),
            )
            receipt = await store.record(replace(response, keyed=keyed))
            if receipt is not Receipt.STALE:
                break
            keyed, now = await store.stamp(), replace(item(), key=2)

    async def correct() -> None:
        await asyncio.sleep(0)
        await store.correct(correction(2), [item()])

    await asyncio.gather(*map(answer, range(30)), correct(), *map(answer, range(30, 60)))
    await world.closed(session)

    tally = await store.tally(session.id, 0)
    assert (tally.answered, tally.correct) == (60, 30)
    everyone = [await store.response(session.id, 0, one.id) for one in people]
    assert [one.grade if one else None for one in everyone] == [0.0, 1.0] * 30
    assert await is_as_rebuilt(store)
