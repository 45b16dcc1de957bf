"""Several processes on one database: who looks after a session, and who leads a chat."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from adapters.storage import MemoryStore, SqlStore, open_store
from bot.modes import Mode
from bot.people import Alias
from bot.session import Phase
from tests.storage.worlds import NOON, World

TEST = {"test"}


async def opened(url: str) -> SqlStore:
    store = await open_store(url)
    assert isinstance(store, SqlStore)
    return store


# ------------------------------------------------------------ every store


async def test_what_a_process_has_started_is_its_own(world: World):
    await world.store.claim(TEST, NOON)
    await world.opened("mine")

    assert await world.store.claim(TEST, NOON) == []


async def test_what_was_released_can_be_claimed_oldest_first_and_once(world: World):
    late = await world.opened("a", started=NOON + timedelta(seconds=1))
    early = await world.opened("b", Mode.SOLO, starter=world.ben)
    await world.store.release()

    first = await world.store.claim(TEST, NOON)
    again = await world.store.claim(TEST, NOON)

    if isinstance(world.store, MemoryStore) or world.store.shared:  # type: ignore[attr-defined]
        assert (first, again) == ([early, late], [])


async def test_only_active_sessions_of_the_platforms_asked_for_are_claimed(world: World):
    elsewhere = await world.store.room(Alias(platform="other", external="x"))
    await world.opened("far", room=elsewhere)
    here = await world.opened("here")
    await world.ended(await world.opened("done", Mode.SOLO, starter=world.ben))
    await world.store.release()

    claimed = [one.id for one in await world.store.claim(TEST, NOON)]

    assert claimed == [here.id]
    assert await world.store.claim(set(), NOON) == []


async def test_a_deadline_that_is_long_past_is_claimed_from_anybody(world: World):
    session = await world.opened()
    await world.store.claim(TEST, NOON)
    due = await world.moved(session, deadline=NOON)

    soon = await world.store.claim(TEST, NOON + timedelta(seconds=20))
    later = await world.store.claim(TEST, NOON + timedelta(seconds=31))

    assert (soon, later) == ([], [due])


async def test_a_step_from_another_deadline_is_refused(world: World):
    session = await world.opened()
    timed = await world.moved(session, deadline=NOON)

    assert not await world.store.save(session, session)
    assert await world.store.save(timed, session)


async def test_active_sessions_are_counted(world: World):
    await world.opened("one")
    await world.ended(await world.opened("two", Mode.SOLO))

    assert await world.store.active() == 1  # type: ignore[attr-defined]


async def test_one_process_leads(store: SqlStore | MemoryStore):
    assert await store.lead("telegram")
    assert await store.lead("telegram")
    assert await store.lead("discord 0-3of8")


# ------------------------------------------------------------ two processes


async def test_of_two_processes_one_leads_until_it_ends(url: str):
    one, two = await opened(url), await opened(url)
    assert await one.lead("telegram")
    assert not await two.lead("telegram")
    assert await two.lead("discord")

    await one.close()

    assert await two.lead("telegram")
    await two.close()


async def test_sessions_of_a_living_process_are_left_alone_and_a_dead_ones_are_not(
    postgresql: str,
):
    one, two = await opened(postgresql), await opened(postgresql)
    world = await World.made(one)
    await one.claim(TEST, NOON)
    session = await world.opened()
    while_alive = await two.claim(TEST, NOON)

    await one.close()  # without release: as when it is killed
    afterwards = await two.claim(TEST, NOON)

    assert (while_alive, afterwards) == ([], [session])
    await two.close()


async def test_who_saves_a_session_looks_after_it(postgresql: str):
    one, two = await opened(postgresql), await opened(postgresql)
    world = await World.made(one)
    await one.claim(TEST, NOON)
    await two.claim(TEST, NOON)
    session = await world.opened()

    assert await two.save(session, session)
    await one.close()

    assert await two.claim(TEST, NOON) == []
    await two.close()


async def test_many_processes_that_claim_at_once_share_without_overlap(postgresql: str):
    first = await opened(postgresql)
    world = await World.made(first)
    for number in range(40):
        room = await first.room(Alias(platform="test", external=str(number)))
        await world.opened(str(number), room=room)
    await first.close()
    stores = [await opened(postgresql) for _ in range(4)]

    claimed = await asyncio.gather(*(store.claim(TEST, NOON) for store in stores))

    everything = [session.id for part in claimed for session in part]
    assert len(everything) == len(set(everything))
    assert len(everything) + len(await stores[0].claim(TEST, NOON)) == 40
    for store in stores:
        await store.close()


async def test_a_turn_closed_by_who_took_over_counts_once(postgresql: str):
    one, two = await opened(postgresql), await opened(postgresql)
    world = await World.made(one)
    session = await world.opened()
    await world.answered(session, world.ann)
    await one.release()
    (taken,) = await two.claim(TEST, NOON)

    closed = replace(taken, phase=Phase.REVEALING, closed=1)
    saved = [await store.save(taken, closed) for store in (two, one)]

    assert saved == [True, False]
    assert await one.rebuild() == 1
    await one.close()
    await two.close()
