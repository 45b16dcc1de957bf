"""Scoring everybody again: after anything, at any size, killed at any instant, from two sides."""

import asyncio
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.storage import MemoryStore, SqlStore, open_store
from bot.answering import Given, respond, streak_before
from bot.corrections import EVERYWHERE, Correction, in_force
from bot.ids import ItemId, ParticipantId
from bot.keying import Keys
from bot.modes import Mode, Rules
from bot.packs import Library, Pack
from bot.people import Participant, Room, week_of
from bot.ports import BoardQuery, Receipt, Response
from bot.session import Phase, Session
from bot.submissions import Chosen
from bot.wording import FALLBACK
from tests.helpers.samples import edition
from tests.storage.boards import boards, is_as_rebuilt, rows
from tests.storage.correcting import correction, item
from tests.storage.worlds import NOON, PACK, World, alias

NAMES = ("a", "b", "c")
LIBRARY = Library([Pack(editions=(edition(*map(item, NAMES), pack=PACK),))])
PLACE = st.one_of(st.none(), st.integers(0, 2))
PLAYED = st.tuples(
    st.just("play"),
    st.integers(0, 1),
    st.tuples(st.booleans(), st.booleans()),
    st.lists(st.tuples(PLACE, PLACE), min_size=3, max_size=3),
    st.integers(0, 240),
    st.booleans(),
)
CORRECTED = st.tuples(
    st.just("correct"),
    st.sampled_from(("hall", "annex", "")),
    st.sampled_from(NAMES),
    st.frozensets(st.integers(0, 2), min_size=1, max_size=2),
)
UNDONE = st.tuples(st.just("undo"), st.integers(0, 9))
STORY = st.lists(st.one_of(PLAYED, CORRECTED, UNDONE), min_size=3, max_size=10)


@dataclass
class Told:
    """One answer as the tale remembers it."""

    session: Session
    turn: int
    who: Participant
    place: int
    at: int
    elapsed: float
    room: str
    closed: bool = True


@dataclass
class Tale:
    """Quizzes, corrections and second thoughts, over one store."""

    world: World
    rooms: dict[str, Room]
    told: list[Told] = field(default_factory=list)
    log: list[Correction] = field(default_factory=list)
    quizzes: int = 0

    async def tell(self, kind: str, *how) -> None:
        await {"play": self._play, "correct": self._correct, "undo": self._undo}[kind](*how)

    async def _play(self, room: int, bonuses, places, hours: int, leave) -> None:
        """Ann and Ben answer three items, some of them; the last turn may stay open."""
        store, here = self.world.store, ("hall", "annex")[room]
        held = Keys(store=store, library=LIBRARY)
        await held.refresh()
        rules = Rules(mode=Mode.LIVE, speed_bonus=bonuses[0], streak_bonus=bonuses[1])
        name = f"s{self.quizzes:02}"
        self.quizzes += 1
        session = await self.world.opened(
            name, rules=rules, room=self.rooms[here], seconds=(0, 11, 45)
        )
        for turn, both in enumerate(places):
            for who, place in zip((self.world.ann, self.world.ben), both, strict=True):
                if place is not None:
                    at = 3600 * (hours + 7 * turn) % 864_000
                    told = Told(session, turn, who, place, at, 1.234 * (turn + 1), here)
                    await self._answer(held, replace(session, turn=turn), told)
            if turn == 2 and leave:
                for one in self.told:
                    one.closed = one.closed and (one.session.id, one.turn) != (session.id, 2)
                await self.world.moved(session, phase=Phase.PAUSED)
                return
            session = await self.world.closed(session)
            session = session if session.last else await self.world.next(session)
        await self.world.ended(session)

    async def _answer(self, held: Keys, session: Session, told: Told) -> None:
        """Answer as the engine does: by the key that holds, with the streak so far."""
        room = self.rooms[told.room]
        pack = held.pack(PACK, room.id)
        assert pack
        at = NOON + timedelta(seconds=told.at)
        opened = replace(session, opened=at - timedelta(seconds=told.elapsed))
        before = await self.world.store.responses(session.id, told.who.id)
        submission = Chosen(frozenset({told.place}))
        response = respond(
            opened,
            pack.versions(session.item),
            Given(session=session.id, turn=told.turn, answer=submission, by=told.who, at=at),
            submission,
            zone=room.zone,
            streak=streak_before(told.turn, before),
        )
        keyed = replace(response, keyed=held.stamp)
        assert await self.world.store.record(keyed) is Receipt.RECORDED
        self.told.append(told)

    async def _correct(self, room: str, name: str, right: frozenset[int]) -> None:
        scope = self.rooms[room].id if room else EVERYWHERE
        made = correction(*right, room=scope, item=ItemId(name))
        trial = await self.world.store.correct(made, [item(name)], trial=True)
        done = await self.world.store.correct(made, [item(name)])
        assert (trial.people, trial.rooms) == (done.people, done.rooms)
        self.log.append(done.correction)

    async def _undo(self, number: int) -> None:
        standing = [one for one in self.log if not one.undone]
        if standing:
            one = standing[number % len(standing)]
            done = await self.world.store.undo(one.id, [item(one.item)])
            assert done
            self.log[self.log.index(one)] = replace(one, undone=True)

    def wanted(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Work everything out without the engine: for room and name, points and right ones."""
        worth: dict[int, tuple[int, bool]] = {}
        for number, one in enumerate(self.told):
            worth[number] = self._worth(one)
        first: dict[tuple[object, ...], int] = {}
        order = sorted(
            range(len(self.told)),
            key=lambda n: (self.told[n].at, self.told[n].session.id, self.told[n].turn),
        )
        for number in order:
            one = self.told[number]
            if one.closed:
                week = week_of(NOON + timedelta(seconds=one.at), self.rooms[one.room].zone)
                first.setdefault((one.room, one.who.id, one.turn, week), number)
        sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
        for (room, *_), number in first.items():
            earned, right = worth[number]
            for place in (room, ""):
                sums[place, self.told[number].who.name][0] += earned
                sums[place, self.told[number].who.name][1] += right
        return {key: (earned, right) for key, (earned, right) in sums.items()}

    def _worth(self, one: Told) -> tuple[int, bool]:
        if not self._right(one):
            return 0, False
        rules = one.session.rules
        allowed = (0, 11, 45)[one.turn] or 30
        earned = 100
        if rules.speed_bonus:
            earned += round(50 * (1 - min(round(one.elapsed, 3), allowed) / allowed))
        if rules.streak_bonus:
            earned += 10 * self._streak(one)
        return earned, True

    def _streak(self, one: Told) -> int:
        mine = {t.turn: t for t in self.told if (t.session.id, t.who) == (one.session.id, one.who)}
        streak = 0
        while (before := mine.get(one.turn - 1 - streak)) and self._right(before):
            streak += 1
        return streak

    def _right(self, one: Told) -> bool:
        name = ItemId(NAMES[one.turn])
        held = in_force(self.log, self.rooms[one.room].id).get((PACK, name))
        return one.place in (held.keys if held else {1})


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(story=STORY)
async def test_boards_are_what_the_keys_that_hold_give_after_any_corrections(
    template: Path, tmp_path: Path, story
):
    file = tmp_path / "kuis.db"
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    shutil.copy(template, file)
    async with await open_store(f"sqlite:///{file}") as store:
        for one in (store, MemoryStore()):
            tale = await _tale(one)
            for happening in story:
                await tale.tell(*happening)

            assert await _shown(tale) == tale.wanted()
            assert await is_as_rebuilt(one)
            for made in [made for made in reversed(tale.log) if not made.undone]:
                await one.undo(made.id, [item(made.item)])
            tale.log.clear()
            assert await _shown(tale) == tale.wanted()
            assert await is_as_rebuilt(one)


async def _tale(store: SqlStore | MemoryStore) -> Tale:
    world = await World.made(store)
    annex = await store.room(alias("annex"))
    return Tale(world, {"hall": world.hall, "annex": annex})


async def _shown(tale: Tale) -> dict[tuple[str, str], tuple[int, int]]:
    found = {}
    for name, room in (*tale.rooms.items(), ("", None)):
        query = BoardQuery(room=room)
        for row in (await tale.world.store.leaderboard(query, NOON)).rows:
            found[name, row.name] = (row.points, round(row.correct))
    return found


# ------------------------------------------------------------ many answers


async def test_a_key_corrected_after_five_thousand_responses_and_taken_back(url: str):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        await _crowded(store, 5_000)
        before = await rows(store), await boards(store)

        done = await store.correct(correction(2), [item()])

        assert (done.people, done.responses) == (5_000, 5_000)
        after = await rows(store)
        assert await is_as_rebuilt(store)
        assert after != before[0]
        await store.undo(done.correction.id, [item()])
        assert (await rows(store), await boards(store)) == before


async def _crowded(store: SqlStore, count: int, rooms: int = 5) -> Sequence[Session]:
    """Let many people answer item a, B and C by turns, in several rooms; half have closed it."""
    world = await World.made(store)
    sessions = []
    for number in range(rooms):
        room = await store.room(alias(f"room{number}"))
        session = await world.opened(f"s{number}", room=room)
        await asyncio.gather(
            *(
                store.record(_said(world, session, room, f"p{number}-{n}", 1 + n % 2))
                for n in range(count // rooms)
            )
        )
        sessions.append(await world.closed(session))
    return sessions


def _said(world: World, session: Session, room: Room, who: str, place: int) -> Response:
    right = place == 1
    return world.response(
        session,
        replace(world.ann, id=ParticipantId(who)),
        room=room,
        submission=Chosen(frozenset({place})),
        grade=float(right),
    )


# ------------------------------------------------------------ killed


@pytest.mark.parametrize("seed", range(3))
async def test_a_correction_that_is_killed_leaves_all_or_nothing(url: str, seed: int):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        await _crowded(store, 600)
        before = await rows(store)
        done = await store.correct(correction(2), [item()])
        after = await rows(store)
        await store.undo(done.correction.id, [item()])

    await asyncio.to_thread(_kill, url, 0.2 + random.Random(seed).random())  # noqa: S311

    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        await store.release()  # a server may still be at the last commit of who was killed
        standing = [one for one in (await store.corrections())[1] if not one.undone]
        assert len(standing) <= 1
        assert await rows(store) == (after if standing else before)
        assert await is_as_rebuilt(store)


def _kill(url: str, seconds: float) -> None:
    command = [sys.executable, "-m", "tests.storage.correcting", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:  # noqa: S603
        assert child.stdout
        child.stdout.readline()
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)


# ------------------------------------------------------------ two processes


async def test_two_processes_answer_while_one_corrects(url: str):
    async with await open_store(url) as one, await open_store(url) as other:
        assert isinstance(one, SqlStore)
        world = await World.made(one)
        session = await world.opened()

        async def answer(store: SqlStore | MemoryStore, held: Keys, number: int) -> None:
            await asyncio.sleep(number * 0.002)
            place = number % 3
            while True:
                pack = held.pack(PACK, world.hall.id)
                assert pack
                key = pack.item(ItemId("a"), FALLBACK)
                right = (key == item() and place == 1) or (key != item() and place == 2)
                given_ = _said(world, session, world.hall, f"p{number}", place)
                graded = replace(given_, grade=float(right), points=100 * right, keyed=held.stamp)
                if await store.record(graded) is not Receipt.STALE:
                    return
                await held.refresh()

        async def correct() -> None:
            for _ in range(3):
                await asyncio.sleep(0.03)
                done = await other.correct(correction(2), [item()])
                await asyncio.sleep(0.03)
                await one.undo(done.correction.id, [item()])
            await other.correct(correction(2), [item()])

        holding = [Keys(store=store, library=LIBRARY) for store in (one, other)]
        await asyncio.gather(
            *(answer((one, other)[n % 2], holding[n % 2], n) for n in range(150)), correct()
        )
        await world.closed(session)

        tally = await one.tally(session.id, 0)
        assert (tally.answered, tally.correct) == (150, 50)
        for n in range(150):
            kept = await one.response(session.id, 0, ParticipantId(f"p{n}"))
            assert kept
            assert (kept.grade, kept.points) == ((1.0, 100) if n % 3 == 2 else (0.0, 0))
        assert await is_as_rebuilt(one)


async def test_corrections_get_along_with_all_else_that_is_written(url: str):
    async with await open_store(url) as one, await open_store(url) as other:
        assert isinstance(one, SqlStore)
        await _crowded(one, 300)
        world = await World.made(one)
        people = [await one.participant(alias(f"x{n}"), name=f"X{n}") for n in range(12)]
        for number, who in enumerate(people[6:]):
            await world.played(f"left{number}", who, 1, 0, items=("a", "b"))

        async def correct() -> None:
            for _ in range(6):
                done = await other.correct(correction(2), [item()])
                await other.undo(done.correction.id, [item()])

        async def play() -> None:
            for number, who in enumerate(people[:6]):
                stamp = await one.stamp()
                session = await world.opened(f"own{number}", Mode.SOLO, starter=who)
                await one.record(replace(world.response(session, who), keyed=stamp))
                await world.closed(session)

        async def tidy() -> None:
            for who in people[6:]:
                await one.rebuild()
                await one.forget(who.id)
                await one.claim({"test"}, NOON)

        await asyncio.gather(correct(), play(), tidy())

        assert await is_as_rebuilt(one)
