"""What every store promises about one person on several platforms."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from adapters.storage import open_store
from bot.ids import ParticipantId
from bot.links import TRIES, VALID, Entered, Joining, Outcome
from bot.people import ANONYMOUS, Participant
from bot.ports import Board, BoardQuery, Merit, Period, Store
from tests.storage.worlds import NOON, World, alias

MINUTE = timedelta(minutes=1)
QUERIES = [
    BoardQuery(room=None, period=period, merit=merit, minimum=2, limit=limit)
    for period in Period
    for merit in Merit
    for limit in (2, 10)
]


async def boards(store: Store, me: ParticipantId) -> list[Board]:
    return [await store.leaderboard(replace(query, me=me), NOON) for query in QUERIES]


def bare(board: Board) -> tuple[object, ...]:
    """A board without ids and names."""
    rows = [(r.points, r.correct, r.answered, r.seconds, r.place) for r in board.rows]
    mine = board.mine and (board.mine.points, board.mine.place, board.mine.answered)
    return sorted(rows), board.total, mine


# ------------------------------------------------------------ links


async def test_who_is_linked_is_one_person_whichever_way_one_looks(world: World):
    store, (ann, ben, cid) = world.store, (world.ann.id, world.ben.id, world.cid.id)
    assert list(await store.identities(ann)) == [ann]

    await store.link(ann, ben)
    await store.link(ben, ann)
    await store.link(ann, ann)

    assert list(await store.identities(ann)) == [ann, ben]
    assert list(await store.identities(ben)) == [ben, ann]
    assert list(await store.identities(cid)) == [cid]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_whoever_is_linked_with_two_joins_all_of_theirs(world: World, order):
    store, (ann, ben, cid) = world.store, (world.ann.id, world.ben.id, world.cid.id)
    dee = (await store.participant(alias("Dee"), name="Dee")).id
    await store.link(ann, ben)
    await store.link(cid, dee)

    pair = (ben, cid)
    await store.link(pair[order[0]], pair[order[1]])

    first, *others = await store.identities(cid)
    assert (first, others) == (cid, sorted((ann, ben, dee)))


async def test_unlinking_leaves_the_others_joined_and_nobody_a_person_of_one(world: World):
    store, (ann, ben, cid) = world.store, (world.ann.id, world.ben.id, world.cid.id)
    await store.link(ann, ben)
    await store.link(ben, cid)

    assert await store.unlink(ann)
    assert list(await store.identities(ben)) == [ben, cid]
    assert list(await store.identities(ann)) == [ann]
    assert await store.unlink(cid)
    assert not await store.unlink(ben)
    assert not await store.unlink(ann)


# ------------------------------------------------------------ codes


async def offered(world: World, code: str = "d1", owner: Participant | None = None) -> None:
    person = owner or world.ann
    await world.store.offer_code(person.id, world.hall.id, code, NOON)


async def test_a_code_is_found_by_somebody_else_while_it_is_valid(world: World):
    await offered(world)
    last = NOON + VALID - timedelta(milliseconds=1)

    assert await world.store.enter_code("d1", world.ben.id, last) == Entered(
        outcome=Outcome.FOUND, owner=world.ann.id
    )
    assert (await world.store.enter_code("d1", world.ann.id, NOON)).outcome is Outcome.OWN
    late = await world.store.enter_code("d1", world.ben.id, NOON + VALID)
    assert late == Entered(outcome=Outcome.WRONG)


async def test_a_newer_code_takes_the_place_of_an_older_one(world: World):
    await offered(world, "old")
    await offered(world, "new")

    assert (await world.store.enter_code("old", world.ben.id, NOON)).outcome is Outcome.WRONG
    assert (await world.store.enter_code("new", world.ben.id, NOON)).outcome is Outcome.FOUND


async def test_a_code_is_reserved_for_who_enters_it_first(world: World):
    await offered(world)
    await world.store.enter_code("d1", world.ben.id, NOON)

    other = await world.store.enter_code("d1", world.cid.id, NOON)
    again = await world.store.enter_code("d1", world.ben.id, NOON)

    assert (other.outcome, again.outcome) == (Outcome.WRONG, Outcome.FOUND)
    assert await world.store.redeem_code("d1", world.cid.id, NOON) is None
    assert await world.store.redeem_code("d1", world.ben.id, NOON) == world.ann.id


async def test_a_code_that_was_never_entered_joins_nobody(world: World):
    await offered(world)

    assert await world.store.redeem_code("d1", world.ben.id, NOON) is None
    assert list(await world.store.identities(world.ben.id)) == [world.ben.id]


async def test_a_code_is_good_once_and_not_after_its_time(world: World):
    await offered(world)
    await world.store.enter_code("d1", world.ben.id, NOON)
    assert await world.store.redeem_code("d1", world.ben.id, NOON + VALID) is None
    assert await world.store.redeem_code("d1", world.ben.id, NOON) == world.ann.id

    assert await world.store.redeem_code("d1", world.ben.id, NOON) is None
    assert (await world.store.enter_code("d1", world.cid.id, NOON)).outcome is Outcome.WRONG
    assert list(await world.store.identities(world.ann.id)) == [world.ann.id, world.ben.id]


async def test_who_is_joined_already_is_told_so(world: World):
    await world.store.link(world.ann.id, world.ben.id)
    await offered(world)

    entered = await world.store.enter_code("d1", world.ben.id, NOON)

    assert entered == Entered(outcome=Outcome.JOINED, owner=world.ann.id)


async def test_a_void_code_is_good_for_nobody_but_a_used_one_stays_news(world: World):
    await offered(world)
    await world.store.void_code("d1")
    assert (await world.store.enter_code("d1", world.ben.id, NOON)).outcome is Outcome.WRONG
    await offered(world, "d2")
    await world.store.enter_code("d2", world.ben.id, NOON)
    await world.store.redeem_code("d2", world.ben.id, NOON)

    await world.store.void_code("d2")

    assert await world.store.joined_by_code({"other"}) == []
    news = Joining(owner=world.ann.id, guest=world.ben.id, room=world.hall.id)
    assert list(await world.store.joined_by_code({"test", "other"})) == [news]
    assert await world.store.joined_by_code({"test"}) == []


async def test_expired_codes_go_when_others_are_made(world: World):
    await offered(world)
    later = NOON + 2 * VALID
    await world.store.offer_code(world.ben.id, world.hall.id, "d2", later)

    assert (await world.store.enter_code("d1", world.cid.id, NOON)).outcome is Outcome.WRONG


async def test_wrong_tries_are_counted_until_ten_minutes_of_rest(world: World):
    await offered(world)
    who = world.ben.id
    for number in range(TRIES):
        wrong = await world.store.enter_code("guess", who, NOON + number * MINUTE)
        assert wrong.outcome is Outcome.WRONG

    last = NOON + (TRIES - 1) * MINUTE
    refused = await world.store.enter_code("d1", who, last + MINUTE)
    other = await world.store.enter_code("d1", world.cid.id, last)
    await world.store.void_code("d1")
    await world.store.offer_code(world.ann.id, world.hall.id, "d2", last + VALID)
    rested = await world.store.enter_code("d2", who, last + VALID)

    assert refused == Entered(outcome=Outcome.TOO_MANY)
    assert (other.outcome, rested.outcome) == (Outcome.FOUND, Outcome.FOUND)


# ------------------------------------------------------------ several at once


@pytest.fixture
async def both(url: str) -> AsyncIterator[tuple[World, Store]]:
    """A world, and a second program on the same database."""
    async with await open_store(url) as one, await open_store(url) as other:
        yield await World.made(one), other


async def test_of_two_who_enter_a_code_at_once_one_may(both: tuple[World, Store]):
    world, other = both
    for number in range(20):
        await offered(world, f"d{number}")
        found = await asyncio.gather(
            world.store.enter_code(f"d{number}", world.ben.id, NOON),
            other.enter_code(f"d{number}", world.cid.id, NOON),
        )
        await world.store.offer_code(world.ann.id, world.hall.id, "rest", NOON + 2 * VALID)

        assert sorted(one.outcome.value for one in found) == ["found", "wrong"]


async def test_of_two_presses_at_once_one_joins(both: tuple[World, Store]):
    world, other = both
    for number in range(10):
        await offered(world, f"d{number}")
        await world.store.enter_code(f"d{number}", world.ben.id, NOON)
        pressed = await asyncio.gather(
            *(s.redeem_code(f"d{number}", world.ben.id, NOON) for s in (world.store, other) * 2)
        )
        assert sorted(map(str, pressed)) == sorted([world.ann.id, "None", "None", "None"])
        await world.store.unlink(world.ben.id)


async def test_guesses_at_once_are_no_more_than_allowed(both: tuple[World, Store]):
    world, other = both
    tried = await asyncio.gather(
        *(s.enter_code("guess", world.ben.id, NOON) for s in (world.store, other) * 10)
    )

    assert [one.outcome for one in tried].count(Outcome.WRONG) == TRIES


async def test_links_made_at_once_make_one_person(both: tuple[World, Store]):
    world, other = both
    ids = [ParticipantId(f"p{number}") for number in range(9)]
    stores = (world.store, other)

    await asyncio.gather(
        *(stores[n % 2].link(one, two) for n, (one, two) in enumerate(pairwise(ids)))
    )

    assert sorted(await other.identities(ids[4])) == ids


async def test_a_restart_resets_no_wrong_tries(url: str):
    async with await open_store(url) as store:
        world = await World.made(store)
        await offered(world)
        for _ in range(TRIES):
            await store.enter_code("guess", world.ben.id, NOON)

    async with await open_store(url) as again:
        entered = await again.enter_code("d1", world.ben.id, NOON)

    assert entered.outcome is Outcome.TOO_MANY


# ------------------------------------------------------------ boards


async def test_a_person_is_on_the_board_of_everywhere_once_and_in_rooms_as_each(world: World):
    cafe = await world.store.room(alias("cafe"))
    await world.played("a", world.ann, 1.0, 0.5)
    await world.played("b", world.ben, 1.0, 1.0, room=cafe)
    await world.played("c", world.cid, 1.0, 1.0, 1.0)
    before = await boards(world.store, world.ann.id)
    await world.store.set_participant(world.ann.id, nickname="Bee")

    await world.store.link(world.ann.id, world.ben.id)

    query = BoardQuery(room=None, me=world.ben.id, limit=1)
    board = await world.store.leaderboard(query, NOON)
    assert [(row.name, row.points, row.participant) for row in board.rows] == [
        ("Bee", 350, world.ben.id)
    ]
    assert (board.total, board.mine) == (2, board.rows[0])
    here = await world.store.leaderboard(BoardQuery(room=world.hall), NOON)
    assert [(row.name, row.points) for row in here.rows] == [("Cid", 300), ("Bee", 150)]
    await world.store.unlink(world.ann.id)
    await world.store.set_participant(world.ann.id, nickname="")
    assert await boards(world.store, world.ann.id) == before


async def test_a_person_who_wants_to_be_nobody_somewhere_is_nobody_everywhere(world: World):
    await world.played("a", world.ann, 1.0)
    await world.store.set_participant(world.ann.id, nickname="Bee")
    await world.store.set_participant(world.ben.id, nickname=ANONYMOUS)
    await world.store.link(world.ann.id, world.ben.id)

    for board in await boards(world.store, world.ben.id):
        assert {row.name for row in board.rows} <= {ANONYMOUS}


async def test_whose_other_account_alone_has_played_has_a_place_too(world: World):
    await world.played("a", world.ann, 1.0, 1.0)
    await world.played("c", world.cid, 1.0, 1.0, 1.0)
    await world.store.link(world.ann.id, world.ben.id)

    for board in await boards(world.store, world.ben.id):
        assert board.mine
        assert (board.mine.answered, board.mine.participant) == (2, world.ben.id)


async def test_a_history_has_the_sessions_of_all_accounts(world: World):
    one = await world.played("one", world.ann, 1.0)
    two = await world.played("two", world.ben, 0.0, started=NOON + MINUTE)
    live = await world.opened("live", started=NOON + 2 * MINUTE)
    await world.answered(live, world.ann)
    await world.answered(live, world.ben, at=NOON + MINUTE)
    await world.store.link(world.ann.id, world.ben.id)

    history = await world.store.history(world.ben.id)

    assert [session.id for session, _ in history] == [live.id, two.id, one.id]
    assert [[r.participant for r in given] for _, given in history] == [
        [world.ann.id, world.ben.id],
        [world.ben.id],
        [world.ann.id],
    ]
    await world.store.unlink(world.ann.id)
    assert [session.id for session, _ in await world.store.history(world.ann.id)] == [
        live.id,
        one.id,
    ]


async def crowd(
    world: World, people: Sequence[Sequence[Participant]], run: int, draw: random.Random
) -> None:
    """Let people play at random: in two rooms, under one account or under one in each."""
    rooms = [world.hall, await world.store.room(alias("cafe"))]
    for number, accounts in enumerate(people):
        for place, room in enumerate(rooms):
            for session in range(draw.randrange(3)):
                grades = [draw.choice((0.0, 0.5, 1.0)) for _ in range(3)]
                items = tuple(f"i{draw.randrange(5)}{n}" for n in range(3))
                at = NOON - timedelta(days=draw.choice((0, 0, 3, 40)), seconds=number)
                name = f"{run}-{number}-{place}-{session}"
                who = accounts[place % len(accounts)]
                await world.played(name, who, *grades, room=room, items=items, at=at)


@pytest.mark.parametrize("seed", range(3))
async def test_linked_accounts_stand_where_one_account_in_two_rooms_would(
    store_url: str, seed: int
):
    async def played(linked: int) -> list[list[tuple[object, ...]]]:
        """Give every board as everybody sees it; so many are linked, the others one account."""
        async with await open_store(store_url) as store:
            world = await World.made(store)
            people = []
            for number in range(9):
                names = [f"{linked}-{seed}-{number}-{account}" for account in "ab"]
                accounts = [await store.participant(alias(name), name=name) for name in names]
                people.append(accounts if number < linked else accounts[:1])
            await crowd(world, people, seed + 10 * linked, random.Random(seed))  # noqa: S311 - as here
            for accounts in people:
                await store.link(accounts[0].id, accounts[-1].id)
            seen = [[[bare(b) for b in await boards(store, a.id)] for a in two] for two in people]
            for who in (account for accounts in people for account in accounts):
                await store.forget(who.id)
            assert all(views[0] == views[-1] for views in seen)
            return [views[0] for views in seen]

    alone = await played(0)

    assert await played(5) == alone
