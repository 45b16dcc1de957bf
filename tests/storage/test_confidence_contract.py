"""How sure somebody was, in every store: kept, changed, counted, exported, and worth points."""

import asyncio
from dataclasses import replace

from adapters.storage import SqlStore, open_store
from adapters.storage.boards import MANY
from adapters.storage.copying import copy
from bot.ids import ParticipantId
from bot.modes import Mode, Rules
from bot.ports import Board, BoardQuery, Period, Receipt, Scope
from bot.scoring import Standing
from bot.session import Session
from bot.submissions import Chosen
from tests.storage.correcting import correction, item
from tests.storage.test_large_boards import filled
from tests.storage.worlds import NOON, World

SURENESS = (True, False, None)


async def test_what_somebody_said_of_their_confidence_is_kept_also_in_one_group(world: World):
    session = await world.opened()
    people = [world.ann, world.ben, world.cid]
    given = [
        world.response(session, who, sure=sure) for who, sure in zip(people, SURENESS, strict=True)
    ]

    receipts = await asyncio.gather(*map(world.store.record, given))

    assert set(receipts) == {Receipt.RECORDED}
    kept = [await world.store.response(session.id, 0, who.id) for who in people]
    assert kept == given
    assert [one and one.sure for one in kept] == list(SURENESS)


async def test_a_changed_answer_changes_it_too(world: World):
    session = await world.opened()
    for sure in (True, False, None, True):
        given = world.response(session, world.ann, sure=sure)
        await world.store.record(given, replace=True)

        kept = await world.store.response(session.id, 0, world.ann.id)

        assert kept
        assert kept.sure is sure


async def test_a_tally_counts_who_was_sure_and_wrong(world: World):
    session = await world.opened()
    await world.answered(session, world.ann, grade=0.0, sure=True)
    await world.answered(session, world.ben, grade=0.0, sure=False)
    await world.answered(session, world.cid, grade=1.0, sure=True)
    dan = replace(world.cid, id=ParticipantId("dan"))
    await world.answered(session, dan, grade=0.0)

    tally = await world.store.tally(session.id, 0)

    assert (tally.answered, tally.correct, tally.misled) == (4, 1, 1)
    assert (await world.store.tally(session.id, 1)).misled == 0


async def test_memories_and_progress_know_it(world: World):
    session = await world.opened(items=("a", "b", "c"))
    for turn, sure in enumerate(SURENESS):
        if turn:
            session = await world.next(session)
        await world.answered(session, world.ann, sure=sure)
        session = await world.closed(session)

    memories = await world.store.memories([world.ann.id])
    taken = [one async for chunk in world.store.taken([world.ann.id]) for one in chunk]

    assert {one.item: one.unsure for one in memories} == {"a": False, "b": True, "c": None}
    assert {one.item: one.sure for one in taken} == {"a": True, "b": False, "c": None}


async def test_the_export_about_a_person_says_it(world: World):
    session = await world.opened()
    await world.answered(session, world.ann, sure=False)
    await world.answered(session, world.ben)

    ann, ben = [await world.store.export(who.id) for who in (world.ann, world.ben)]

    assert [row["sure"] for row in ann["responses"]] == [False]
    assert [row["sure"] for row in ben["responses"]] == [None]


async def test_a_copy_of_a_database_says_it(sqlite_url: str, tmp_path, url: str):
    target = f"sqlite:///{tmp_path}/copy.db" if url == sqlite_url else sqlite_url
    async with await open_store(url) as store:
        world = await World.made(store)
        session = await world.opened()
        for who, sure in zip((world.ann, world.ben, world.cid), SURENESS, strict=True):
            await world.answered(session, who, sure=sure)

    await copy(url, target)

    async with await open_store(target) as store:
        kept = [
            await store.response(session.id, 0, who.id) for who in (world.ann, world.ben, world.cid)
        ]
    assert [one and one.sure for one in kept] == list(SURENESS)


# ------------------------------------------------------------ points below nothing


async def played(world: World) -> Session:
    """Three people, whose sums are 0, -100 and -300."""
    marks = {world.ann.id: (100, -100, 0), world.ben.id: (-100, 50, -50)}
    session = await world.opened(items=("a", "b", "c"))
    for turn in range(3):
        if turn:
            session = await world.next(session)
        for who in (world.ann, world.ben, world.cid):
            points = marks.get(who.id, (-100,) * 3)[turn]
            grade = float(points > 0)
            await world.answered(session, who, points=points, grade=grade, sure=points < 0)
        session = await world.closed(session)
    return session


def told(rows: tuple[Standing, ...] | list[Standing]) -> list[tuple[str, int, int]]:
    return [(row.name, row.points, row.place) for row in rows]


async def test_points_may_be_negative_on_every_board(world: World):
    session = await played(world)
    expected = [("Ann", 0, 1), ("Ben", -100, 2), ("Cid", -300, 3)]

    standings = await world.store.standings(session)
    boards = [
        await world.store.leaderboard(
            BoardQuery(room=world.hall, scope=scope, period=period, me=world.cid.id, limit=limit),
            NOON,
        )
        for scope in Scope
        for period in Period
        for limit in (1, 10)
    ]

    assert {row.name: row.points for row in standings} == {"Ann": 0, "Ben": -100, "Cid": -300}
    for board in boards:
        assert told(list(board.rows)) == expected[: len(board.rows)]
        assert board.total == 3
        assert board.mine
        assert (board.mine.points, board.mine.place) == (-300, 3)


async def test_a_rebuild_gives_the_same_negative_points(world: World):
    await played(world)
    query = BoardQuery(room=world.hall)
    before = await world.store.leaderboard(query, NOON)

    await world.store.rebuild()

    assert await world.store.leaderboard(query, NOON) == before


async def test_a_large_board_counts_places_below_nothing_too(url: str):
    points = [50 * (number % 300) - 7500 for number in range(MANY)]
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        world = await World.made(store)
        await filled(url, world.hall.id, points)

        async def board(number: int) -> Board:
            me = ParticipantId(f"p{number:05}")
            return await store.leaderboard(BoardQuery(room=world.hall, me=me), NOON)

        seen = {number: await board(number) for number in (0, 1, 150, 298, MANY - 1)}

    for number, one in seen.items():
        assert one.mine
        assert one.mine.points == points[number]
        assert one.mine.place == 1 + sum(other > points[number] for other in points)


async def test_a_corrected_key_is_marked_by_how_sure_they_were(world: World):
    rules = Rules(mode=Mode.LIVE, seconds=30, confidence=True, certainty_marks=True)
    session = await world.opened(rules=rules)
    for who, sure in zip((world.ann, world.ben, world.cid), SURENESS, strict=True):
        marks = {True: -100, False: 0, None: 0}[sure]
        given = Chosen(frozenset({2}))
        await world.answered(session, who, grade=0.0, points=marks, submission=given, sure=sure)
    await world.closed(session)

    done = await world.store.correct(correction(2), [item()])
    marked = [
        one.points
        for who in (world.ann, world.ben, world.cid)
        for one in await world.store.responses(session.id, who.id)
    ]
    await world.store.undo(done.correction.id, [item()])
    (back,) = await world.store.responses(session.id, world.ann.id)

    assert marked == [100, 50, 100]
    assert back.points == -100
