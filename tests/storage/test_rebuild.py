"""`kuis scores rebuild` changes nothing, after any sequence of events."""

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from adapters.storage import MemoryStore, SqlStore, open_store
from adapters.storage.schema import scores, totals
from bot.errors import StoreError
from bot.events import (
    Advanced,
    Delivered,
    Failed,
    Paused,
    Restarted,
    Resumed,
    Revealed,
    Skipped,
    Stopped,
    Summarised,
    TimeUp,
)
from bot.modes import Mode
from bot.ports import BoardQuery, Conflict
from bot.stepping import step
from tests.storage.worlds import NOON, World, alias

EVENTS = ("deliver", "skip", "reveal", "time", "advance", "pause", "resume", "stop", "fail", "wake")
PICK = st.integers(0, 7)
HAPPENINGS = st.one_of(
    *[st.tuples(st.just("start"), st.sampled_from(Mode), st.integers(0, 1))] * 3,
    *[st.tuples(st.just("answers"), PICK, st.integers(0, 240))] * 2,
    st.tuples(st.sampled_from(("withdraw", "change")), PICK, st.integers(0, 240)),
    *[st.tuples(st.just("turn"), PICK, st.integers(0, 240))] * 6,
    *[st.tuples(st.just("end"), PICK, st.none())] * 2,
    *[st.tuples(st.sampled_from(EVENTS), PICK, st.none())] * 4,
    st.tuples(st.just("merge"), st.none(), st.none()),
)


class Tale:
    """A world in which anything may happen; sessions are picked by number."""

    def __init__(self, world: World, rooms, people):
        self.world, self.rooms, self.people = world, rooms, people
        self.names: list[str] = []

    async def tell(self, kind, first, second):
        if kind == "start":
            await self._start(first, self.rooms[second])
        elif kind == "merge":
            await self.world.store.move_room(alias("hall"), alias("annex"))
            await self.world.store.move_room(alias("annex"), alias("hall"))
        elif self.names:
            await self._go_on(self.names[first % len(self.names)], kind, second)

    async def _go_on(self, name, kind, number):
        session = await self.world.store.session(name)
        match kind:
            case "withdraw":
                person = self.people[number % 3]
                await self.world.store.withdraw(name, session.turn, person.id)
            case "answers" | "change":
                await self._answer(session, number, replaces=kind == "change")
            case "turn":
                for part in ("resume", "deliver", "answers", "skip", "reveal", "advance"):
                    await self._go_on(name, part, number)
            case "end":
                await self._go_on(name, "stop", None)
                await self._go_on(name, "wake", None)
            case _:
                await self._happen(session, kind)

    async def _start(self, mode, room):
        name = f"s{len(self.names):02}"
        starter = self.people[len(self.names) % 3]
        session = self.world.session(
            name, mode, room=room, starter=starter, items=("a", "b")[: len(self.names) % 2 + 1]
        )
        try:
            await self.world.store.start(session)
        except (Conflict, StoreError):  # the place is taken, or the room was merged away
            return
        self.names.append(name)

    async def _answer(self, session, hours, *, replaces):
        """Everybody answers, hours after noon: within two weeks, in any order."""
        for number, person in enumerate(self.people):
            at = NOON + timedelta(hours=(hours * (number + 1)) % 240)
            points = 50 * (hours % 5) - 100  # certainty marks may be negative
            response = self.world.response(
                session, person, at=at, grade=hours % 3 / 2, points=points
            )
            await self.world.store.record(response, replace=replaces)

    async def _happen(self, session, name):
        at = NOON + timedelta(hours=1)
        by = {"at": at, "by": session.starter, "moderator": True}
        here = {"at": at, "turn": session.turn}
        event = {
            "deliver": lambda: Delivered(**here, message="m"),
            "reveal": lambda: Revealed(**here),
            "time": lambda: TimeUp(turn=session.turn, at=at + timedelta(days=9)),
            "advance": lambda: Advanced(**by, turn=session.turn),
            "skip": lambda: Skipped(**by, turn=session.turn),
            "pause": lambda: Paused(**by),
            "resume": lambda: Resumed(**by),
            "stop": lambda: Stopped(**by),
            "fail": lambda: Failed(**here, trouble="unreachable"),
            "wake": lambda: (
                Summarised(at=at) if session.phase.value == "finishing" else Restarted(at=at)
            ),
        }[name]()
        after, _ = step(session, event)
        try:
            await self.world.store.save(session, after)
        except Conflict:
            assert after.active


async def _tale(store: SqlStore | MemoryStore) -> Tale:
    world = await World.made(store)
    rooms = [world.hall, await store.room(alias("annex"))]
    return Tale(world, rooms, [world.ann, world.ben, world.cid])


async def _rows(store: SqlStore) -> list[tuple[object, ...]]:
    async with store.engine.connect() as connection:
        return [
            tuple(row)
            for table in (scores, totals)
            for row in await connection.execute(select(table).order_by(*table.primary_key.columns))
            if row[-4:] != (0, 0, 0, 0)
        ]


async def _count(store: SqlStore) -> int:
    async with store.engine.connect() as connection:
        return len((await connection.execute(select(scores))).all())


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(happenings=st.lists(HAPPENINGS, min_size=10, max_size=30))
async def test_rebuilding_scores_changes_nothing_after_any_sequence_of_events(
    template: Path, tmp_path: Path, happenings
):
    file = tmp_path / "kuis.db"
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    shutil.copy(template, file)
    async with await open_store(f"sqlite:///{file}") as store:
        tales = [await _tale(store), await _tale(MemoryStore())]
        for happening in happenings:
            for tale in tales:
                await tale.tell(*happening)
        before = await _rows(store)
        boards = [await _board(tale) for tale in tales]

        count = await store.rebuild()

        assert await _rows(store) == before
        assert count == await _count(store)
        assert boards[0] == boards[1]  # both stores agree about what happened


async def _board(tale: Tale) -> set[tuple[object, ...]]:
    board = await tale.world.store.leaderboard(BoardQuery(room=None), NOON)
    return {
        (row.name, row.points, row.correct, row.answered, row.seconds, row.place)
        for row in (replace(row, participant="") for row in board.rows)
    }
