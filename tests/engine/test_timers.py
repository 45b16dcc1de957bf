"""Timers ring on our own clock."""

import logging

import pytest

from bot.errors import StoreError
from bot.events import TimeUp
from bot.ids import SessionId
from bot.timers import RETRY, Timers
from tests.helpers.doubles import Watch, settle
from tests.helpers.samples import later

ONE, TWO = SessionId("one"), SessionId("two")


class Ear:
    """Hears what rings; `fails` are raised first, one at a time."""

    def __init__(self, *fails: Exception) -> None:
        self.heard: list[tuple[SessionId, int]] = []
        self.fails = list(fails)

    async def __call__(self, session: SessionId, event: TimeUp) -> None:
        if self.fails:
            raise self.fails.pop(0)
        self.heard.append((session, event.turn))


async def test_a_timer_rings_at_its_time_and_not_before():
    watch, ear = Watch(), Ear()
    timers = Timers(clock=watch, listener=ear)
    timers.set(ONE, 3, later(10))

    await watch.move_to(later(9))
    before = list(ear.heard)
    await watch.move_to(later(10))

    assert (before, ear.heard) == ([], [(ONE, 3)])


async def test_a_new_timer_takes_the_place_of_the_old_one_of_its_session():
    watch, ear = Watch(), Ear()
    timers = Timers(clock=watch, listener=ear)
    timers.set(ONE, 1, later(10))
    timers.set(TWO, 1, later(10))
    timers.set(ONE, 2, later(20))

    await watch.move_to(later(30))

    assert sorted(ear.heard) == [(ONE, 2), (TWO, 1)]


async def test_a_store_that_is_away_for_a_moment_is_asked_again():
    watch, ear = Watch(), Ear(StoreError("locked"), StoreError("locked"))
    timers = Timers(clock=watch, listener=ear)
    timers.set(ONE, 1, later(1))

    await watch.move_to(later(1))
    await watch.move_to(later(1) + RETRY)
    await watch.move_to(later(1) + 2 * RETRY)

    assert ear.heard == [(ONE, 1)]


async def test_a_bug_behind_a_timer_is_logged_and_harms_no_other(caplog: pytest.LogCaptureFixture):
    watch, ear = Watch(), Ear(RuntimeError("a bug"))
    timers = Timers(clock=watch, listener=ear)
    timers.set(ONE, 1, later(1))
    timers.set(TWO, 1, later(2))

    with caplog.at_level(logging.ERROR):
        await watch.move_to(later(1))
        await watch.move_to(later(2))

    assert "timer failed" in caplog.text
    assert ear.heard == [(TWO, 1)]


async def test_closing_lets_all_timers_go():
    watch, ear = Watch(), Ear()
    timers = Timers(clock=watch, listener=ear)
    timers.set(ONE, 1, later(1))
    await settle()

    await timers.close()
    await watch.move_to(later(5))

    assert ear.heard == []
