"""Telegram's votes when something is slow: each one that Telegram took is kept, or taken again."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from adapters.storage import MemoryStore
from adapters.telegram import polls
from adapters.telegram.polls import Asked, Polls
from bot.errors import StoreError
from bot.ids import SessionId
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, TRUE, pack
from tests.helpers.telegrams import Stage, asked, staged

GROUP = -1001234567890
MANY = 40
WRITES = ("record", "set_note", "save")


class Ailing(MemoryStore):
    """A store some of whose methods hang until `well` is set, or fail `failures` times."""

    def __init__(self) -> None:
        super().__init__()
        self.well = asyncio.Event()
        self.well.set()
        self.failures = 0
        self.ails: tuple[str, ...] = ()

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self._ailing(found) if name in WRITES and name in self.ails else found

    def _ailing(self, method: Any) -> Any:
        async def call(*args: Any, **more: Any) -> Any:
            if self.failures:
                self.failures -= 1
                raise StoreError
            await self.well.wait()
            return await method(*args, **more)

        return call


async def live(stage: Stage) -> tuple[Any, dict[str, Any]]:
    """Start a live quiz in a group, and give its first question."""
    ani = stage.world.person(1001, "Ani")
    group = stage.world.group(GROUP, "Study group", admins={ani.id})
    stage.world.say(ani, "/quiz", group)
    (card,) = await stage.new(group)
    stage.world.press(ani, card, "Start")
    (question,) = await stage.new(group)
    return group, question


def crowd(stage: Stage, question: dict[str, Any], first: int = 2000, count: int = MANY) -> None:
    for number in range(first, first + count):
        assert stage.world.vote(stage.world.person(number, f"Voter {number}"), question, 0)


async def counted(stage: Stage) -> int:
    session = await stage.session(stage.world.chats[GROUP])
    return (await stage.store.tally(session.id, 0)).answered


@pytest.mark.parametrize("ails", [("set_note",), WRITES])
async def test_no_vote_is_lost_while_the_store_hangs_on_the_poll_that_it_is_for(
    ails: tuple[str, ...],
):
    store = Ailing()
    async with staged(pack(CHOICE), store=store) as stage:
        held = stage.api.fail("sendPoll", kind="hold", after=True)
        group, question = await live(stage)
        store.ails = ails
        store.well.clear()
        held.release.set()
        crowd(stage, question)
        last = stage.api.updates[-1]["update_id"]

        await asyncio.sleep(0.5)
        assert ("record" in ails) == (stage.api.confirmed < last)
        store.well.set()

        await stage.until(lambda: stage.api.confirmed >= last)
        assert await counted(stage) == MANY
        assert len(stage.world.by_bot(group)) == 2


async def test_no_vote_is_lost_if_the_store_fails_to_keep_the_poll(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("adapters.telegram.receiving.RETRY_SECONDS", 0.05)
    store = Ailing()
    async with staged(pack(CHOICE), store=store) as stage:
        held = stage.api.fail("sendPoll", kind="hold", after=True)
        _, question = await live(stage)
        store.ails, store.failures = WRITES, 5
        held.release.set()
        crowd(stage, question)
        last = stage.api.updates[-1]["update_id"]

        await stage.until(lambda: stage.api.confirmed >= last)

        assert await counted(stage) == MANY


async def test_a_vote_waits_for_no_poll_that_has_not_left_yet():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, ben = stage.world.person(1001, "Ani"), stage.world.person(1002, "Ben")
        first = await asked(stage, ben)
        stage.api.fail("sendPoll", 429, "Too Many Requests", parameters={"retry_after": 250})
        stage.world.say(ani, "/quiz")
        await stage.until(lambda: [c for c in stage.api.calls if not c.ok])
        await stage.store.set_note(f"telegram.poll.{first['poll']['id']}", "")
        stage.chat._shower._polls._known.clear()  # noqa: SLF001 - as if it had been sent by a dead process

        stage.world.vote(ben, first, "Jakarta")

        last = stage.api.updates[-1]["update_id"]
        await stage.until(lambda: stage.api.confirmed >= last)


async def test_a_poll_that_another_process_is_sending_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(polls, "LOOK_SECONDS", 0.01)
    store = MemoryStore()
    ours, theirs = Polls(store, several=True), Polls(store, several=True)
    what = Asked(session=SessionId("s"), turn=0, places=(0, 1))
    finding = asyncio.create_task(ours.find("p"))
    await asyncio.sleep(0.03)

    await theirs.keep("p", what)

    assert await finding == what
    assert await ours.find("unheard of") is None


async def test_a_vote_that_telegram_took_in_time_counts_however_late_it_is_fetched():
    store = Ailing()
    async with staged(pack(CHOICE, TRUE), clock=Watch(), store=store) as stage:
        group, question = await live(stage)
        await stage.pass_time(28)
        await asyncio.sleep(2)  # the fetch that still waits for updates is an old one
        store.ails = ("record",)
        store.well.clear()
        crowd(stage, question, 2000, 1)
        await asyncio.sleep(0.3)  # fetched, and not acknowledged
        crowd(stage, question, 3000)
        moving = asyncio.create_task(
            stage.clock.move_to(stage.clock.now() + timedelta(seconds=3.6))
        )
        await asyncio.sleep(0.5)
        store.well.set()
        await moving

        (reveal,) = await stage.new(group)

        assert f"of {MANY + 1}" in reveal["text"]


async def test_who_ends_a_turn_while_votes_are_waited_for_blocks_nobody():
    store = Ailing()
    async with staged(pack(CHOICE, TRUE), clock=Watch(), store=store) as stage:
        group, question = await live(stage)
        await asyncio.sleep(2)  # the fetch that still waits for updates is an old one
        await stage.clock.move_to(stage.clock.now() + timedelta(seconds=31))  # within the grace

        stage.world.say(stage.world.people[1001], "/stop", group)
        last = stage.api.updates[-1]["update_id"]

        await stage.until(lambda: stage.api.confirmed >= last)
        assert "poll" in question
