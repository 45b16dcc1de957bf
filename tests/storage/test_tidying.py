"""Tidying: old answers go with what they gave to boards, and nothing else does."""

import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from adapters.storage import SqlStore, open_store
from adapters.storage.schema import notes, responses, scores, sessions, totals
from bot.ports import BoardQuery
from tests.storage.worlds import NOON, World, alias

YEAR = timedelta(days=365)


async def everything(store: SqlStore) -> list[set[tuple[object, ...]]]:
    async with store.engine.connect() as connection:
        return [
            {tuple(row) for row in (await connection.execute(select(table))).all()}
            for table in (scores, totals)
        ]


async def lived(store: SqlStore, ages: list[int]) -> World:
    """Let two people play a quiz so many days ago, in two rooms by turns."""
    world = await World.made(store)
    annex = await store.room(alias("annex"), title="Annex")
    for number, days in enumerate(ages):
        at = NOON - timedelta(days=days)
        room = annex if number % 2 else world.hall
        for who, grade in ((world.ann, 1.0), (world.ben, number % 3 / 2)):
            name = f"{number}{who.name}"
            items = ("a", f"b{number}")
            await world.played(name, who, grade, 1.0, at=at, room=room, items=items, started=at)
    return world


async def test_what_is_kept_is_what_deriving_it_again_gives(url: str):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        world = await lived(store, [800, 500, 410, 399, 30, 0])

        gone = await store.tidy(NOON, timedelta(days=400))

        left = await everything(store)
        board = await store.leaderboard(BoardQuery(room=None), NOON)
        await store.rebuild()
        assert left == await everything(store)
        assert gone.responses == 12
        assert {row.participant for row in board.rows} == {world.ann.id, world.ben.id}
        assert await store.response_count(world.ann.id) == 6
        again = await store.tidy(NOON, timedelta(days=400))
        assert (again.responses, again.sessions) == (0, 0)


async def test_a_week_stays_that_has_not_ended_everywhere(url: str):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        world = await lived(store, [])
        monday = datetime(2026, 6, 1, 2, tzinfo=UTC)  # in New York it is Sunday still
        week = date(2026, 5, 25)
        for name, hours in (("before", -72), ("after", 1)):
            at = monday + timedelta(hours=hours)
            begun = await world.opened(name, started=at, starter=world.ann, items=(name,))
            await world.answered(begun, world.ann, at=at, week=week)
            await world.ended(await world.closed(begun))

        await store.tidy(monday + YEAR, YEAR)

        left = await everything(store)
        await store.rebuild()
        assert left == await everything(store)
        assert await store.response_count(world.ann.id) == 2


async def test_quizzes_go_that_are_left_empty_and_were_ended_long_ago(url: str):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        await lived(store, [800, 1])
        async with store.engine.begin() as connection:
            started = sessions.c.started
            await connection.execute(update(sessions).values(finished=started, phase="finished"))

        await store.tidy(NOON, YEAR)

        async with store.engine.connect() as connection:
            left = (await connection.execute(select(sessions.c.id))).scalars().all()
            of = (await connection.execute(select(responses.c.session).distinct())).scalars().all()
        assert sorted(left) == sorted(of) == ["1Ann", "1Ben"]


async def test_notes_about_old_messages_go_and_others_stay(url: str):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        for key in ("telegram.poll.1", "telegram.commands", "discord.poll.2"):
            await store.set_note(key, "x")
        async with store.engine.begin() as connection:
            await connection.execute(update(notes).values(at=0))
        await store.set_note("telegram.poll.3", "x")

        gone = await store.tidy(NOON)

        assert gone.notes == 2
        assert await store.note("telegram.commands") == "x"
        assert await store.note("telegram.poll.3") == "x"


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.integers(0, 100), max_size=8), st.integers(28, 90))
async def test_boards_lose_exactly_the_weeks_that_go(
    template: Path, tmp_path_factory: pytest.TempPathFactory, ages: list[int], kept: int
):
    file = shutil.copy(template, tmp_path_factory.mktemp("tidy") / "kuis.db")
    async with await open_store(f"sqlite:///{file}") as store:
        assert isinstance(store, SqlStore)
        await lived(store, ages)

        await store.tidy(NOON, timedelta(days=kept))

        left = await everything(store)
        await store.rebuild()
        assert left == await everything(store)
