"""What every store promises about responses in bulk."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import TypeVar

from bot.ids import PackId, SessionId
from bot.modes import Mode
from bot.records import Latest, Where
from bot.submissions import Typed
from tests.storage.worlds import NOON, PACK, RIGHT, WRONG, World, alias

T = TypeVar("T")


async def all_of(chunks: AsyncIterator[Sequence[T]]) -> list[T]:
    return [one async for chunk in chunks for one in chunk]


async def lesson(world: World) -> None:
    """A shared turn that Ann got wrong and Ben right; later Ann got it right on her own."""
    session = await world.opened("lesson", items=("a", "b"))
    await world.answered(session, world.ann, grade=0.0, elapsed=7.5)
    await world.answered(session, world.ben)
    session = await world.next(await world.closed(session))
    await world.answered(session, world.ann)  # in a turn that is still open
    await world.played("own", world.ann, 1.0, items=("a",), at=NOON + timedelta(hours=1))


async def test_only_the_first_answer_of_each_participant_to_an_item_is_given(world: World):
    await lesson(world)

    answers = await all_of(world.store.answers(Where(pack=PACK)))

    found = {
        (one.participant, one.item): (one.submission, one.grade, one.seconds) for one in answers
    }
    assert found == {
        (world.ann.id, "a"): (WRONG, 0.0, 7.5),
        (world.ben.id, "a"): (RIGHT, 1.0, 5.0),
    }


async def test_the_last_answer_of_each_participant_tells_what_is_mastered(world: World):
    await lesson(world)

    assert await world.store.latest(Where(pack=PACK)) == [
        Latest(pack=PACK, item="a", people=2, right=2)  # type: ignore[arg-type]
    ]
    assert await world.store.latest(Where(session=SessionId("lesson"))) == [
        Latest(pack=PACK, item="a", people=2, right=1)  # type: ignore[arg-type]
    ]
    assert await world.store.latest(Where(pack=PackId("other"))) == []


async def test_what_is_meant_can_be_one_room_one_community_or_one_session(world: World):
    one = await world.store.room(alias("one"), community="school")
    two = await world.store.room(alias("two"), community="school")
    for room in (one, two, world.hall):
        await world.played(room.alias.external, world.ann, 1.0, items=("a",), room=room)

    async def sessions(**more: object) -> list[str]:
        results = await all_of(world.store.results(Where(**more)))  # type: ignore[arg-type]
        return sorted(one.session for one in results)

    assert await sessions() == ["hall", "one", "two"]
    assert await sessions(community="school") == ["one", "two"]
    assert await sessions(room=two.id) == ["two"]
    assert await sessions(session="hall") == ["hall"]
    assert await sessions(room=two.id, session="hall") == []


async def test_results_are_whole_and_in_the_order_in_which_they_were_given(world: World):
    await world.store.set_participant(world.ben.id, nickname="Bee")
    session = await world.opened("first", items=("a", "b"))
    await world.answered(session, world.ben, submission=Typed("=π"), grade=0.5, points=40)
    await world.answered(session, world.ann, at=NOON + timedelta(seconds=1))
    session = await world.next(await world.closed(session))
    await world.answered(session, world.ann)
    await world.closed(session)
    await world.played("alone", world.ann, 0.0, items=("c",), started=NOON + timedelta(hours=1))

    results = await all_of(world.store.results(Where(pack=PACK)))

    assert [(r.session, r.turn, r.name, r.shared) for r in results] == [
        ("first", 0, "Bee", True),
        ("first", 0, "Ann", True),
        ("first", 1, "Ann", True),
        ("alone", 0, "Ann", False),
    ]
    bees = results[0]
    assert (bees.item, bees.submission, bees.grade, bees.points) == ("a", Typed("=π"), 0.5, 40)
    assert (bees.seconds, bees.at, bees.participant) == (5.0, NOON, world.ben.id)


async def test_a_person_who_is_several_participants_has_one_history(world: World):
    for name, who, at in (("late", world.ben, 2), ("early", world.ann, 1), ("other", world.cid, 0)):
        await world.played(name, who, 1.0, 0.0, items=("a", "b"), at=NOON + timedelta(hours=at))

    taken = await all_of(world.store.taken({world.ann.id, world.ben.id}))

    assert [(one.session, one.item, one.grade, one.points) for one in taken] == [
        ("early", "a", 1.0, 100),
        ("early", "b", 0.0, 0),
        ("late", "a", 1.0, 100),
        ("late", "b", 0.0, 0),
    ]
    assert (taken[0].room, taken[0].pack, taken[0].week.isoformat()) == (
        world.hall.id,
        PACK,
        "2026-03-02",
    )
    assert await all_of(world.store.taken(())) == []


async def test_many_results_arrive_in_chunks_and_nothing_is_lost(world: World):
    session = await world.opened("many", Mode.LIVE, items=("a",))
    people = [await world.store.participant(alias(f"p{number:03}")) for number in range(620)]
    for person in people:
        await world.answered(session, person)
    await world.closed(session)

    results = await all_of(world.store.results(Where(session=session.id)))

    assert {one.participant for one in results} == {person.id for person in people}
    assert len(results) == 620
