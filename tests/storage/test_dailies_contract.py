"""What every store promises about the daily questions of rooms."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from adapters.storage import SqlStore, open_store
from bot.dailies import Daily, DailyAnswer, Schedule, session_of
from bot.ids import ParticipantId, SessionId
from bot.modes import Mode
from bot.people import Alias, Room
from bot.ports import Conflict
from bot.session import DAILY, Phase, Session
from tests.storage.worlds import NOON, World, alias

DAY = timedelta(days=1)
TODAY = date(2026, 3, 4)
TEST = {"test"}


def a_daily(world: World, room: Room | None = None, **more: Any) -> Daily:
    given = {
        "schedule": Schedule(minute=450, zone="Asia/Jakarta", days=frozenset({0, 2})),
        "starter": world.ann.id,
        "language": "id",
        "next_at": NOON,
    }
    return Daily(room=(room or world.hall).id, **(given | more))


async def switched_on(world: World, room: Room | None = None, **more: Any) -> Daily:
    daily = a_daily(world, room, **more)
    assert await world.store.change_daily(None, daily)
    return daily


def session(world: World, day: date = TODAY, **more: Any) -> Session:
    room = more.pop("room", world.hall)
    name = session_of(room.id, day)
    started = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return world.session(name, Mode.DAILY, room=room, started=started, items=("a",), **more)


async def opened(world: World, before: Daily, day: date = TODAY) -> tuple[Daily, Session]:
    asking = session(world, day)
    after = replace(before, last=day, session=asking.id, next_at=asking.started + DAY)
    assert await world.store.open_daily(before, after, asking)
    open_ = await world.moved(asking, phase=Phase.OPEN, opened=asking.started)
    return after, open_


async def over(world: World, asked: Session) -> Session:
    closed = await world.closed(asked)
    return await world.moved(closed, phase=Phase.FINISHED, finished=NOON)


async def test_a_daily_comes_back_as_it_was_kept(world: World):
    assert await world.store.daily(world.hall.id) is None
    daily = await switched_on(world)
    assert await world.store.daily(world.hall.id) == daily

    off = replace(daily, next_at=None, last=TODAY, session=SessionId("x"))
    assert await world.store.change_daily(daily, off)
    assert await world.store.daily(world.hall.id) == off


async def test_what_has_changed_meanwhile_is_not_changed_again(world: World):
    daily = await switched_on(world)
    later = replace(daily, last=TODAY)

    assert not await world.store.change_daily(None, daily)
    assert await world.store.change_daily(daily, later)
    assert not await world.store.change_daily(daily, replace(daily, next_at=None))
    assert await world.store.daily(world.hall.id) == later


async def test_of_many_who_open_a_day_one_does(world: World):
    before = await switched_on(world)
    asking = session(world)
    after = replace(before, last=TODAY, session=asking.id, next_at=NOON + DAY)

    done = await asyncio.gather(
        *(world.store.open_daily(before, after, asking) for _ in range(8)), return_exceptions=True
    )

    assert sum(one is True for one in done) == 1
    assert await world.store.open_session(world.hall.id, DAILY) == asking
    assert await world.store.daily(world.hall.id) == after


async def test_a_day_is_opened_wholly_or_not_at_all(world: World):
    before, asked = await opened(world, await switched_on(world))
    tomorrow = session(world, TODAY + DAY)
    after = replace(before, last=TODAY + DAY, session=tomorrow.id)

    with pytest.raises(Conflict):
        await world.store.open_daily(before, after, tomorrow)
    assert await world.store.daily(world.hall.id) == before
    assert await world.store.session(tomorrow.id) is None
    await over(world, asked)
    with pytest.raises(Conflict):
        await world.store.open_daily(before, after, session(world))
    assert await world.store.open_daily(before, after, tomorrow)


async def test_a_daily_and_a_quiz_have_places_of_their_own(world: World):
    quiz = await world.opened("quiz")
    _, asked = await opened(world, await switched_on(world))

    assert await world.store.open_session(world.hall.id, None) == quiz
    assert await world.store.open_session(world.hall.id, DAILY) == asked
    assert await world.store.asked(world.hall.id, DAILY, asked.pack) == {"a": 1}
    assert await world.store.asked(world.hall.id, None, asked.pack) == {"a": 1}
    await over(world, asked)
    assert await world.store.open_session(world.hall.id, DAILY) is None


async def test_due_are_those_of_these_platforms_whose_time_has_come_or_that_are_paused(
    world: World,
):
    elsewhere = await world.store.room(Alias(platform="other", external="x"))
    rooms = [await world.store.room(alias(name)) for name in ("b", "c", "d")]
    second = await switched_on(world, next_at=NOON)
    await switched_on(world, elsewhere)
    first = await switched_on(world, rooms[0], next_at=NOON - DAY)
    await switched_on(world, rooms[1], next_at=NOON + DAY)
    await switched_on(world, rooms[2], next_at=None)

    assert await world.store.dailies_due(TEST, NOON) == [first, second]
    assert await world.store.dailies_due(set(), NOON) == []
    after, asked = await opened(world, second)
    assert await world.store.dailies_due(TEST, NOON) == [first]
    await world.moved(asked, phase=Phase.PAUSED, paused_in=Phase.OPEN)
    assert await world.store.dailies_due(TEST, NOON) == [first, after]


async def test_days_count_that_reached_the_room_and_answers_that_are_closed(world: World):
    await world.store.set_participant(world.ben.id, nickname="Benny")
    daily = await switched_on(world)
    daily, first = await opened(world, daily)
    at = first.started
    await world.answered(first, world.ben, at=at + timedelta(seconds=2))
    await world.answered(first, world.ann, at=at + timedelta(seconds=1), grade=0.5)
    await over(world, first)
    unseen = session(world, TODAY + DAY)
    after = replace(daily, last=TODAY + DAY, session=unseen.id)
    assert await world.store.open_daily(daily, after, unseen)
    await world.moved(unseen, phase=Phase.FINISHED, closed=1)
    _, third = await opened(world, after, TODAY + 2 * DAY)
    await world.answered(third, world.ann, at=at + 2 * DAY)
    await world.ended(await world.opened("quiz"))

    days = await world.store.daily_days(world.hall.id, TODAY)
    answers = await world.store.daily_answers(world.hall.id, TODAY)

    assert list(days.items()) == [(TODAY, first.pack), (TODAY + 2 * DAY, first.pack)]
    ann = DailyAnswer(day=TODAY, participant=world.ann.id, name="Ann", grade=0.5)
    ben = DailyAnswer(day=TODAY, participant=world.ben.id, name="Benny", grade=1)
    assert answers == [ann, ben]
    assert await world.store.daily_answers(world.hall.id, TODAY, of=world.ben.id) == [ben]
    assert await world.store.daily_answers(world.hall.id, TODAY + DAY) == []
    assert list(await world.store.daily_days(world.hall.id, TODAY + DAY)) == [TODAY + 2 * DAY]


async def test_who_is_forgotten_leaves_the_daily_without_their_name(world: World):
    daily = await switched_on(world)
    assert (await world.store.export(world.ann.id))["dailies"]

    await world.store.forget(world.ann.id)

    nameless = replace(daily, starter=ParticipantId(""))
    assert await world.store.daily(world.hall.id) == nameless
    assert not (await world.store.export(world.ann.id))["dailies"]


async def test_a_room_that_moves_takes_its_daily_along_unless_there_is_one(world: World):
    annex, third = [await world.store.room(alias(name)) for name in ("annex", "third")]
    daily = await switched_on(world, annex)
    await switched_on(world, third, next_at=NOON + DAY)

    await world.store.move_room(alias("hall"), alias("annex"))
    assert await world.store.daily(world.hall.id) == replace(daily, room=world.hall.id)
    await world.store.move_room(alias("annex"), alias("third"))

    assert await world.store.daily(world.hall.id) == replace(daily, room=world.hall.id)
    assert await world.store.daily(third.id) is None


async def test_two_rooms_with_an_open_question_become_one(world: World):
    annex = await world.store.room(alias("annex"))
    mine, asked = await opened(world, await switched_on(world))
    theirs = await switched_on(world, annex)
    other = session(world, room=annex)
    assert await world.store.open_daily(theirs, replace(theirs, session=other.id), other)

    await world.store.move_room(alias("hall"), alias("annex"))

    assert await world.store.daily(world.hall.id) == mine
    assert await world.store.open_session(world.hall.id, DAILY) == asked


async def test_two_processes_on_one_database_open_a_day_once(url: str):
    async with await open_store(url) as one, await open_store(url) as two:
        assert isinstance(one, SqlStore)
        world = await World.made(one)
        before = await switched_on(world)
        asking = session(world)
        after = replace(before, last=TODAY, session=asking.id)

        done = await asyncio.gather(
            *(store.open_daily(before, after, asking) for store in (one, two) for _ in range(4)),
            return_exceptions=True,
        )

        assert sum(outcome is True for outcome in done) == 1
        assert await two.session(asking.id) == asking
