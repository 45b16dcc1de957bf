"""Several hosts on one store, a store that comes and goes, and who watches all of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count

import pytest

from adapters.storage.memory import MemoryStore
from bot.answering import Given
from bot.effects import Refusal, Trouble
from bot.errors import StoreError
from bot.events import Paused, Resumed
from bot.host import Host
from bot.modes import Mode
from bot.packs import Library
from bot.panels import Role
from bot.ports import Receipt
from bot.session import Phase, Session
from bot.watching import Unwatched
from tests.helpers.doubles import Recorder, settle
from tests.helpers.samples import later
from tests.helpers.worlds import World, small_world


class Tellers:
    """A watcher that writes everything down."""

    def __init__(self) -> None:
        self.seen: list[tuple[object, ...]] = []
        self.on_the_way = 0
        self.most = 0

    def recorded(self, receipt: Receipt, grade: float, seconds: float) -> None:
        self.seen.append((receipt, grade, seconds))

    def replied(self, refusal: Refusal | None, seconds: float) -> None:
        self.seen.append((refusal, seconds))

    def failed(self, kind: str) -> None:
        self.seen.append((kind,))

    @contextmanager
    def showing(self, platform: str) -> Iterator[None]:
        assert platform == "test"
        self.on_the_way += 1
        self.most = max(self.most, self.on_the_way)
        yield
        self.on_the_way -= 1


class Fickle(MemoryStore):
    """A store that is out of reach while `down`."""

    down = False

    async def save(self, before: Session, after: Session) -> bool:
        if self.down:
            raise StoreError("out of reach")  # noqa: EM101, TRY003
        return await super().save(before, after)


def another_host(world: World, chat: Recorder, **more: object) -> Host:
    return Host(
        store=world.store,
        clock=world.watch,
        library=Library([world.pack]),
        chats={"test": chat},
        seeds=count(1).__next__,
        **more,  # type: ignore[arg-type]
    )


# ------------------------------------------------------------ watched


async def test_who_watches_learns_of_answers_replies_and_panels(world: World):
    watcher = Tellers()
    session = await world.start(Mode.LIVE, seconds=10)
    host = another_host(world, Recorder(), watcher=watcher)
    given = Given(session=session.id, turn=0, answer="B", by=world.ann, at=world.watch.now())
    await world.watch.move_to(later(2))

    await host.answer(given)
    await host.answer(given)

    assert watcher.seen == [
        (Receipt.RECORDED, 1.0, 2.0),
        (None, 2.0),
        (Receipt.ALREADY, 1.0, 2.0),
        (Refusal.ALREADY, 2.0),
    ]
    assert (watcher.on_the_way, watcher.most) == (0, 1)


async def test_who_watches_learns_what_goes_wrong(world: World):
    watcher = Tellers()
    chat = Recorder()
    chat.refuse[Role.REVEAL] = Trouble.ROOM_GONE.value
    session = await world.start()
    host = another_host(world, chat, watcher=watcher)

    await host.answer(
        Given(session=session.id, turn=0, answer="B", by=world.ann, at=world.watch.now())
    )

    assert (Trouble.ROOM_GONE.value,) in watcher.seen


def test_nobody_has_to_watch():
    nobody = Unwatched()

    with nobody.showing("test"):
        nobody.failed("store")
        nobody.recorded(Receipt.RECORDED, 1.0, 0.1)

    assert nobody.replied(None, 0.1) is None  # type: ignore[func-returns-value]


# ------------------------------------------------------------ a store that comes and goes


async def test_a_quiz_that_stood_still_because_of_the_store_goes_on_when_it_is_back():
    store = Fickle()
    world = await small_world(store)
    session = await world.start(Mode.LIVE, seconds=10)
    store.down = True
    with pytest.raises(StoreError):
        await world.host.steer(session.id, Paused(by=world.ann.id, at=later(1)), by=world.ann)
    with pytest.raises(StoreError):
        await world.start(by=world.ben)
    store.down = False

    taken = await world.host.recover()
    again = await world.host.recover()

    questions = world.chat.panels(Role.QUESTION)
    assert (taken, again) == (0, 0)
    assert len(questions) == 3  # the live one, and the other one twice: nobody knew of the first
    assert {one.phase for one in await store.unfinished()} == {Phase.OPEN}
    await world.host.close()


async def test_what_was_forgotten_meanwhile_is_not_missed():
    store = Fickle()
    world = await small_world(store)
    session = await world.start()
    store.down = True
    with pytest.raises(StoreError):
        await world.answer(session, "B")
    store.down = False
    await store.forget(world.ann.id)

    assert await world.host.recover() == 0
    assert await world.answer(session, "B") is Refusal.GONE


# ------------------------------------------------------------ two hosts


async def test_a_second_host_takes_only_what_nobody_looks_after(world: World):
    await world.start(Mode.LIVE, seconds=10)
    second = another_host(world, Recorder())

    while_alive = await second.recover()
    await world.host.close()
    afterwards = await second.recover({"test"})
    elsewhere = await second.recover({"other"})

    assert (while_alive, afterwards, elsewhere) == (0, 1, 0)
    await second.close()


async def test_a_turn_that_another_host_has_extended_is_not_closed_by_an_old_timer(world: World):
    session = await world.start(Mode.LIVE, seconds=10)
    second = another_host(world, Recorder())
    await world.watch.move_to(later(5))
    await second.steer(session.id, Paused(by=world.ann.id, at=later(5)))
    await world.watch.move_to(later(8))
    await second.steer(session.id, Resumed(by=world.ann.id, at=later(8)))

    await world.watch.move_to(later(11.6))
    await settle()

    assert world.chat.panels(Role.REVEAL) == []
    assert (await world.stored(session)).phase is Phase.OPEN
    assert await world.answer(session, "B") is None
    await second.close()


async def test_an_answer_to_what_another_host_has_resumed_is_taken(world: World):
    session = await world.start(Mode.LIVE, seconds=10)
    second = another_host(world, Recorder())
    await world.host.steer(session.id, Paused(by=world.ann.id, at=later(1)))
    paused = await world.answer(session, "B", by=world.ben)
    await second.steer(session.id, Resumed(by=world.ann.id, at=later(2)))

    resumed = await world.answer(session, "B", by=world.ben)

    assert (paused, resumed) == (Refusal.PAUSED, None)
    await second.close()


async def test_a_deadline_that_everybody_forgot_is_claimed(world: World):
    session = await world.start(Mode.LIVE, seconds=10)
    await world.host._timers.close()  # noqa: SLF001 - as if the timer had never been
    await world.watch.move_to(later(0) + timedelta(seconds=41))

    assert await world.host.recover() == 1

    await world.watch.move_to(later(0) + timedelta(seconds=53))
    assert (await world.stored(session)).closed == 1


async def test_a_session_that_vanishes_while_its_answer_is_looked_at_is_gone(world: World):
    session = await world.start(Mode.LIVE, seconds=10)
    second = another_host(world, Recorder())
    await second.session(session.id)
    world.store._sessions.clear()  # noqa: SLF001 - as if another process had deleted it
    await world.watch.move_to(later(60))

    why = await second.answer(
        Given(session=session.id, turn=0, answer="B", by=world.ann, at=world.watch.now())
    )

    assert why is Refusal.GONE
