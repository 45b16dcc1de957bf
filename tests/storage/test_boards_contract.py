"""What every store promises about leaderboards and histories."""

from datetime import timedelta

from bot.modes import Mode
from bot.people import Settings
from bot.ports import BoardQuery, Merit, Period, Scope
from tests.storage.worlds import NOON, World, alias


async def test_a_leaderboard_ranks_by_points_and_ties_share_a_place(world: World):
    dee = await world.store.participant(alias("Dee"), name="Dee")
    await world.played("1", world.ann, 1.0, 1.0)
    await world.played("2", world.ben, 1.0, 0.0)
    await world.played("3", world.cid, 0.0, 1.0)
    await world.played("4", dee, 0.0)

    board = await world.store.leaderboard(BoardQuery(room=world.hall, limit=2, me=dee.id), NOON)

    assert [(row.name, row.points, row.place) for row in board.rows] == [
        ("Ann", 200, 1),
        ("Ben", 100, 2),
    ]
    assert board.total == 4
    assert board.mine
    assert (board.mine.name, board.mine.place) == ("Dee", 4)


async def test_a_leaderboard_without_scores_is_empty(world: World):
    board = await world.store.leaderboard(BoardQuery(room=world.hall, me=world.ann.id), NOON)

    assert (list(board.rows), board.total, board.mine) == ([], 0, None)


async def test_turns_that_are_still_open_are_on_no_leaderboard(world: World):
    session = await world.opened()
    await world.answered(session, world.ann)

    board = await world.store.leaderboard(BoardQuery(room=world.hall), NOON)

    assert board.total == 0


async def test_accuracy_needs_a_number_of_answers_and_prefers_more_of_them(world: World):
    await world.played("1", world.ann, 1.0)
    await world.played("2", world.ben, 1.0, 0.5)
    await world.played("3", world.cid, 1.0, 0.5, 1.0, 0.5)
    query = BoardQuery(room=world.hall, merit=Merit.ACCURACY, minimum=2, me=world.ann.id)

    board = await world.store.leaderboard(query, NOON)

    assert [(row.name, row.accuracy, row.place) for row in board.rows] == [
        ("Cid", 0.75, 1),
        ("Ben", 0.75, 2),
    ]
    assert (board.total, board.mine) == (2, None)


async def test_periods_begin_at_midnight_of_the_rooms_own_calendar(world: World):
    await world.store.set_settings(world.hall.id, Settings(time_zone="Asia/Jakarta"))
    hall = await world.store.room(alias("hall"))
    now = NOON  # Wednesday 4 March 2026, 19:00 in Jakarta
    ages = {
        "today": NOON.replace(day=3, hour=17),  # Wednesday 00:00 there
        "yesterday": NOON.replace(day=3, hour=16, minute=59),
        "monday": NOON.replace(day=1, hour=17),  # Monday 00:00 there
        "sunday": NOON.replace(day=1, hour=16),
        "last month": NOON.replace(month=2, day=28, hour=16),
    }
    for name, at in ages.items():
        await world.played(name, world.ann, 1.0, at=at, room=hall)

    counts = {
        period: (await world.store.leaderboard(BoardQuery(room=hall, period=period), now))
        .rows[0]
        .answered
        for period in Period
    }

    assert counts == {Period.TODAY: 1, Period.WEEK: 3, Period.MONTH: 4, Period.ALL: 5}


async def test_a_community_spans_its_rooms_and_everywhere_spans_all(world: World):
    store = world.store
    hall = await store.room(alias("hall"), community="school")
    annex = await store.room(alias("annex"), community="school")
    cafe = await store.room(alias("cafe"))
    for number, room in enumerate((hall, annex, cafe)):
        await world.played(f"s{number}", world.ann, 1.0, room=room)

    async def points(query: BoardQuery) -> int:
        return (await store.leaderboard(query, NOON)).rows[0].points

    assert await points(BoardQuery(room=hall)) == 100
    assert await points(BoardQuery(room=hall, scope=Scope.COMMUNITY)) == 200
    assert await points(BoardQuery(room=cafe, scope=Scope.COMMUNITY)) == 100
    assert await points(BoardQuery(room=hall, scope=Scope.EVERYWHERE)) == 300
    assert await points(BoardQuery(room=None)) == 300


async def test_a_history_lists_the_latest_sessions_first_with_their_responses(world: World):
    early = await world.played("early", world.ann, 1.0, 0.0)
    late = await world.played("late", world.ann, 1.0, started=NOON + timedelta(hours=1))
    await world.played("other", world.ben, 1.0)

    history = await world.store.history(world.ann.id)

    assert [session for session, _ in history] == [late, early]
    assert [[one.grade for one in given] for _, given in history] == [[1.0], [1.0, 0.0]]
    assert [session for session, _ in await world.store.history(world.ann.id, limit=1)] == [late]


async def test_rebuilding_gives_the_rows_that_are_there(world: World):
    await world.played("1", world.ann, 1.0, 0.5)
    await world.played("2", world.ann, 0.0, items=("10",), at=NOON - timedelta(minutes=1))
    live = await world.opened("3", Mode.LIVE)
    await world.answered(live, world.ben)
    query = BoardQuery(room=world.hall)
    before = await world.store.leaderboard(query, NOON)

    count = await world.store.rebuild()

    assert count == 2
    assert await world.store.leaderboard(query, NOON) == before
