"""Two connections do as they please with one session: whatever comes out, some order explains it.

Each example is a few rounds. In a round both connections work at once, each through a list of its
own; a model plays all the orders the round may have had, and one of them must give every answer
that was given and everything that is kept.
"""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, count
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.storage import SqlStore, open_store
from bot.ids import ParticipantId
from bot.ports import BoardQuery, Receipt
from bot.session import Phase, Session
from tests.storage.worlds import NOON, World, alias

EXAMPLES = 25
PEOPLE = ("ann", "ben", "cid")
_numbers = count()

Act: TypeAlias = tuple[Any, ...]
Round: TypeAlias = tuple[list[Act], list[Act]]

acts = st.one_of(
    st.tuples(st.just("record"), st.sampled_from(PEOPLE), st.sampled_from([0.0, 1.0])),
    st.tuples(st.just("change"), st.sampled_from(PEOPLE), st.sampled_from([0.0, 1.0])),
    st.tuples(st.just("retract"), st.sampled_from(PEOPLE)),
    st.just(("close",)),
    st.just(("next",)),
    st.just(("stop",)),
)
rounds = st.lists(
    st.tuples(st.lists(acts, max_size=3), st.lists(acts, max_size=3)), min_size=1, max_size=5
)


@dataclass(frozen=True)
class Model:
    """What is kept: the phase, the turn, how many turns are closed, and a grade for each answer."""

    phase: Phase = Phase.OPEN
    turn: int = 0
    closed: int = 0
    grades: frozenset[tuple[int, str, float]] = field(default=frozenset())

    def after(self, act: Act, turn: int) -> tuple["Model", object]:
        """Give what is kept afterwards, and the answer. `turn` is the one the round began in."""
        match act:
            case ("record" | "change", who, grade):
                return self._recorded(turn, who, grade, change=act[0] == "change")
            case ("retract", who):
                kept = self._without(turn, who)
                if not self._open(turn):
                    return self, False
                return replace(self, grades=kept), kept != self.grades
            case _:
                raise AssertionError(act)

    def saved(self, before: "Model", after: "Model") -> tuple["Model", bool]:
        """Move on, if nobody else has meanwhile."""
        if (self.phase, self.turn) != (before.phase, before.turn):
            return self, False
        return replace(self, phase=after.phase, turn=after.turn, closed=after.closed), True

    def _recorded(self, turn: int, who: str, grade: float, *, change: bool) -> Any:
        if not self._open(turn):
            return self, Receipt.CLOSED
        kept = self._without(turn, who)
        known = kept != self.grades
        if known and not change:
            return self, Receipt.ALREADY
        grades = kept | {(turn, who, grade)}
        return replace(self, grades=grades), Receipt.CHANGED if known else Receipt.RECORDED

    def _without(self, turn: int, who: str) -> frozenset[tuple[int, str, float]]:
        return frozenset(one for one in self.grades if one[:2] != (turn, who))

    def _open(self, turn: int) -> bool:
        return self.phase is Phase.OPEN and self.turn == turn

    def board(self) -> dict[str, tuple[int, float, int]]:
        """Sum up what counts: points, right answers and answers of each person."""
        counted = [one for one in self.grades if one[0] < self.closed]
        return {
            who: (
                sum(round(100 * grade) for _, one, grade in counted if one == who),
                sum(grade for _, one, grade in counted if one == who),
                sum(one == who for _, one, _ in counted),
            )
            for who in {who for _, who, _ in counted}
        }


def moved(model: Model, act: Act) -> Model:
    """Give what a session becomes that is closed, led to the next turn or stopped."""
    match act:
        case ("close",):
            return replace(model, phase=Phase.REVEALING, closed=model.turn + 1)
        case ("next",):
            return replace(model, phase=Phase.OPEN, turn=min(model.turn + 1, 9))
        case _:
            return replace(model, phase=Phase.FINISHING, closed=model.turn + 1)


def orders(one: list[Any], two: list[Any]) -> Iterator[list[Any]]:
    """Give every way in which two lists can be mixed."""
    size = len(one) + len(two)
    for places in combinations(range(size), len(one)):
        first, second = iter(one), iter(two)
        yield [next(first) if n in places else next(second) for n in range(size)]


def explained(model: Model, done: Iterable[tuple[Act, object]]) -> Model | None:
    """Play acts in an order, and give what is kept if every answer is the one that was given."""
    begun = model
    for act, answer in done:
        if act[0] in {"close", "next", "stop"}:
            model, expected = model.saved(begun, moved(begun, act))
        else:
            model, expected = model.after(act, begun.turn)
        if expected != answer:
            return None
    return model


class Play:
    """One session and the two stores that work on it."""

    def __init__(self, stores: tuple[SqlStore, SqlStore], world: World, session: Session) -> None:
        self.stores = stores
        self.world = world
        self.session = session
        self.begun = session

    async def round(self, one: list[Act], two: list[Act]) -> list[list[tuple[Act, object]]]:
        self.begun = await self.stored()
        pairs = zip(self.stores, (one, two), strict=True)
        return await asyncio.gather(*(self._all(store, acts_) for store, acts_ in pairs))

    async def stored(self) -> Session:
        found = await self.stores[0].session(self.session.id)
        assert found
        return found

    async def _all(self, store: SqlStore, acts_: list[Act]) -> list[tuple[Act, object]]:
        answers = await asyncio.gather(*(self._do(store, act) for act in acts_))
        return list(zip(acts_, answers, strict=True))

    async def _do(self, store: SqlStore, act: Act) -> object:
        match act:
            case ("record" | "change", who, grade):
                given_ = self.world.response(
                    self.begun, self.world.ann, grade=grade, room=self.world.hall
                )
                theirs = replace(given_, participant=ParticipantId(who))
                return await store.record(theirs, replace=act[0] == "change")
            case ("retract", who):
                return await store.withdraw(self.session.id, self.begun.turn, ParticipantId(who))
            case _:
                return await store.save(self.begun, self._moved(act))

    def _moved(self, act: Act) -> Session:
        begun = self.begun
        model = moved(Model(begun.phase, begun.turn, begun.closed), act)
        return replace(begun, phase=model.phase, turn=model.turn, closed=model.closed)


async def played(url: str, plan: list[Round]) -> None:
    one, two = await open_store(url), await open_store(url)
    assert isinstance(one, SqlStore)
    assert isinstance(two, SqlStore)
    async with one, two:
        world = await World.made(one)
        name = f"play{next(_numbers)}"
        world.hall = await one.room(alias(name))
        items = [f"item{number}" for number in range(10)]
        session = await world.opened(name, room=world.hall, items=items)
        play, model = Play((one, two), world, session), Model()
        for first, second in plan:
            done = await play.round(first, second)
            possible = [explained(model, order) for order in orders(*done)]
            model = await _the_one(play, [one for one in possible if one is not None])
        assert await _board(play) == model.board()
        await two.rebuild()
        assert await _board(play) == model.board()


async def _the_one(play: Play, possible: list[Model]) -> Model:
    """Give the explanation that also fits what is kept."""
    stored = await play.stored()
    kept = frozenset(
        [
            (turn, who, row.grade)
            for turn in range(stored.turn + 1)
            for who in PEOPLE
            if (row := await play.stores[1].response(stored.id, turn, ParticipantId(who)))
        ]
    )
    found = Model(stored.phase, stored.turn, stored.closed, kept)
    assert found in possible
    return found


async def _board(play: Play) -> dict[str, tuple[int, float, int]]:
    board = await play.stores[1].leaderboard(BoardQuery(room=play.world.hall), NOON)
    return {str(row.participant): (row.points, row.correct, row.answered) for row in board.rows}


@pytest.mark.parametrize("where", ["sqlite_url", "postgresql"])
def test_whatever_two_connections_do_at_once_some_order_explains(
    where: str, request: pytest.FixtureRequest
):
    url: str = request.getfixturevalue(where)

    @given(plan=rounds)
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    def holds(plan: list[Round]) -> None:
        asyncio.run(played(url, plan))

    holds()
