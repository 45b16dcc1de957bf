"""What every store must know for reviews: all that somebody answered, and reminders."""

import asyncio
import itertools
from dataclasses import replace
from datetime import timedelta

from adapters.storage import open_store
from bot.desk import Desk
from bot.host import Host
from bot.ids import ItemId, PackId, ParticipantId
from bot.modes import Mode
from bot.packs import Library, Pack
from bot.ports import Store
from bot.reminders import Reminder
from tests.helpers.doubles import Recorder, Watch
from tests.helpers.samples import CHOICE, edition
from tests.storage.worlds import NOON, World, alias


def reminder(world: World, **more: object) -> Reminder:
    fields = {
        "participant": world.ann.id,
        "room": world.hall.id,
        "minute": 1140,
        "zone": "Asia/Jakarta",
        "due": NOON,
        **more,
    }
    return Reminder(**fields)  # type: ignore[arg-type]


# ------------------------------------------------------------ memories


async def test_memories_are_all_that_somebody_answered_anywhere_oldest_first(world: World):
    other = await world.store.room(alias("other"))
    await world.played("late", world.ann, 0.0, at=NOON + timedelta(days=2), room=other)
    await world.played("early", world.ann, 1.0, 0.5)
    live = await world.opened("live", Mode.LIVE)
    await world.answered(live, world.ann, elapsed=1.25)
    await world.played("not", world.ben, 1.0)

    found = await world.store.memories([world.ann.id])

    told = [(one.item, one.grade) for one in found]
    assert told == [("early0", 1.0), ("a", 1.0), ("early1", 0.5), ("late0", 0.0)]
    assert {one.pack for one in found} == {"pack"}
    assert [one.elapsed for one in found] == [5.0, 1.25, 5.0, 5.0]
    assert found[-1].at == NOON + timedelta(days=2)
    assert all(one.unsure is None for one in found)


async def test_several_participants_who_are_one_person_remember_together(world: World):
    await world.played("one", world.ann, 1.0)
    await world.played("two", world.ben, 0.0)

    found = await world.store.memories([world.ann.id, world.ben.id])

    assert {one.item for one in found} == {"one0", "two0"}
    assert await world.store.memories([]) == []
    assert await world.store.memories([world.cid.id]) == []


async def test_a_mixed_session_counts_what_it_asked_by_the_packs_of_its_items(world: World):
    plain = world.session("mixed", Mode.SOLO, items=("a", "b"), pack=PackId("~review"))
    packs = (PackId("x"), PackId("y"))
    session = replace(plain, draw=replace(plain.draw, packs=packs))
    await world.store.start(session)
    session = await world.ended(await world.closed(await world.next(session)))

    asked = [await world.store.asked(world.hall.id, world.ann.id, pack) for pack in packs]

    assert [dict(one) for one in asked] == [{"a": 1}, {"b": 1}]
    assert await world.store.session(session.id) == session


# ------------------------------------------------------------ reminders


async def test_a_reminder_is_kept_replaced_and_dropped(world: World):
    assert await world.store.reminder(world.ann.id) is None
    await world.store.set_reminder(reminder(world))
    changed = reminder(world, minute=480, sent=NOON, ignored=3)

    await world.store.set_reminder(changed)

    assert await world.store.reminder(world.ann.id) == changed
    await world.store.drop_reminder(world.ann.id)
    await world.store.drop_reminder(world.ann.id)
    assert await world.store.reminder(world.ann.id) is None


async def test_what_is_due_is_listed_longest_due_first_for_the_platforms_wanted(world: World):
    early = reminder(world, participant=world.ben.id, due=NOON - timedelta(hours=1))
    later = reminder(world, participant=world.cid.id, due=NOON + timedelta(seconds=1))
    for one in (reminder(world), early, later):
        await world.store.set_reminder(one)

    found = await world.store.due_reminders({"test", "other"}, NOON)

    assert list(found) == [early, reminder(world)]
    assert list(await world.store.due_reminders({"test"}, NOON, limit=1)) == [early]
    assert list(await world.store.due_reminders({"other"}, NOON)) == []


async def test_a_reminder_is_claimed_once(world: World):
    before = reminder(world)
    after = replace(before, due=NOON + timedelta(days=1), sent=NOON)
    await world.store.set_reminder(before)

    won = [await world.store.claim_reminder(before, after) for _ in range(3)]

    assert won == [True, False, False]
    assert await world.store.reminder(world.ann.id) == after
    await world.store.drop_reminder(world.ann.id)
    assert not await world.store.claim_reminder(after, before)


async def test_a_reminder_is_seen_and_forgotten_with_the_person(world: World):
    await world.store.set_reminder(reminder(world))
    await world.store.set_reminder(reminder(world, participant=world.ben.id))

    seen = (await world.store.export(world.ann.id))["reminders"]
    await world.store.forget(world.ann.id)

    assert [(one["zone"], one["minute"]) for one in seen] == [("Asia/Jakarta", 1140)]
    assert await world.store.reminder(world.ann.id) is None
    assert await world.store.reminder(world.ben.id) is not None


async def test_a_reminder_moves_along_with_its_room(world: World):
    other = await world.store.room(alias("other"))
    await world.store.set_reminder(reminder(world, room=other.id))

    await world.store.move_room(alias("hall"), alias("other"))

    found = await world.store.reminder(world.ann.id)
    assert found
    assert found.room == world.hall.id
    assert list(await world.store.due_reminders({"test"}, NOON)) == [found]


async def test_of_several_processes_on_one_database_one_claims(url: str):
    async with await open_store(url) as one, await open_store(url) as two:
        world = await World.made(one)
        people = [ParticipantId(f"p{n}") for n in range(20)]
        for person in people:
            await one.set_reminder(reminder(world, participant=person))
        seen = [await store.due_reminders({"test"}, NOON) for store in (one, two)]

        won = await asyncio.gather(
            *(
                store.claim_reminder(found, replace(found, due=NOON + timedelta(days=1)))
                for store, listed in zip((one, two), seen, strict=True)
                for found in listed
            )
        )

        assert sum(won) == len(people)
        assert [len(listed) for listed in seen] == [20, 20]


async def test_two_whole_programs_on_one_database_remind_once(url: str):
    async with await open_store(url) as one, await open_store(url) as two:
        world = await World.made(one)
        await world.played("quiz", world.ann, 0.0, 1.0)
        await one.set_reminder(reminder(world, due=NOON.replace(day=5, hour=19), zone="UTC"))
        programs = [Program(store) for store in (one, two)]
        for program in programs:
            await program.watch.move_to(NOON.replace(day=5, hour=19))

        for _ in range(3):
            await asyncio.gather(*(program.desk.tick({"test"}) for program in programs))

        said = [post for program in programs for post in program.chat.posts]
        assert [post.panel.heading for post in said] == ["Time to review"]
        assert said[0].room == world.hall
        for program in programs:
            await program.host.close()


class Program:
    """A host and a desk with a chat of their own, over a store that others use too."""

    def __init__(self, store: Store) -> None:
        self.chat, self.watch = Recorder(), Watch()
        items = tuple(replace(CHOICE, id=ItemId(f"quiz{n}")) for n in range(2))
        library = Library([Pack(editions=(edition(*items, pack="pack"),))])
        shared = {"store": store, "clock": self.watch, "library": library}
        chats = {"test": self.chat}
        self.host = Host(**shared, chats=chats, seeds=itertools.count(1).__next__)
        self.desk = Desk(host=self.host, **shared)
