"""Nothing that was acknowledged is lost: commits, crashes, and databases that refuse."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, select

from adapters.storage import SqlStore, backup, open_store
from adapters.storage.rows import session_row
from adapters.storage.schema import responses
from bot import codec
from bot.errors import StoreError
from bot.ids import ItemId, ParticipantId
from bot.people import Participant
from bot.ports import Receipt, Response
from bot.session import Phase, Session
from bot.submissions import Typed
from tests.storage.worlds import World


async def test_five_hundred_at_once_are_all_recorded_with_few_commits(url: str):
    async with await _open(url) as store:
        world = await World.made(store)
        session = await world.opened()
        crowd = [
            replace(world.response(session, world.ann), participant=_who(n)) for n in range(500)
        ]
        with _counted(store, "commit") as commits, _counted(store, "before_cursor_execute") as sent:
            receipts = await asyncio.gather(*map(store.record, crowd))

    assert receipts == [Receipt.RECORDED] * 500
    assert len(commits) <= 50
    assert len(sent) <= 3 * len(commits)


async def test_a_trickle_of_responses_shares_commits_under_load(url: str):
    async with await _open(url) as store:
        world = await World.made(store)
        session = await world.opened()

        async def lane(start: int) -> None:
            for number in range(start, start + 10):
                response = replace(world.response(session, world.ann), participant=_who(number))
                assert await store.record(response) is Receipt.RECORDED

        with _counted(store, "commit") as commits:
            await asyncio.gather(*(lane(10 * number) for number in range(50)))
        tally = await store.tally(session.id, 0)

    assert tally.answered == 500
    assert len(commits) <= 50


async def test_new_people_who_come_together_share_commits(url: str):
    async with await _open(url) as store:
        world = await World.made(store)
        with _counted(store, "commit") as commits:
            people = await asyncio.gather(
                *(store.participant(replace(world.ann.alias, external=str(n))) for n in range(60))
            )

    assert len({person.id for person in people}) == 60
    assert len(commits) <= 20


async def test_a_session_stays_small_however_many_answer(sqlite_url: str):
    async with await _open(sqlite_url) as store:
        world = await World.made(store)
        session = await world.opened(items=[f"topic-{number}.item" for number in range(50)])
        crowd = [
            replace(world.response(session, world.ann), participant=_who(n)) for n in range(10_000)
        ]
        await asyncio.gather(*map(store.record, crowd))
        closed = await world.closed(session)
        tally = await store.tally(session.id, 0)

    assert tally.answered == 10_000
    assert len(json.dumps(session_row(closed))) < 4096
    assert len(codec.dump(closed)) < 4096


async def test_of_two_programs_that_close_a_turn_exactly_one_does(url: str):
    async with await _open(url) as one, await _open(url) as two:
        world = await World.made(one)
        session = await world.opened()
        await world.answered(session, world.ann)
        closed = replace(session, phase=Phase.REVEALING, closed=1)

        saved = await asyncio.gather(
            *(store.save(session, closed) for store in (one, two) for _ in range(5))
        )

        assert sorted(saved) == [False] * 9 + [True]
        assert await two.rebuild() == 1


async def test_two_programs_that_answer_and_meet_people_at_once_lose_nothing(url: str):
    async with await _open(url) as one, await _open(url) as two:
        world = await World.made(one)
        session = await world.opened()

        async def lane(store: SqlStore, number: int) -> tuple[Participant, Receipt]:
            alias = replace(world.ann.alias, external=str(number))
            person = await store.participant(alias, name=str(number))
            return person, await store.record(world.response(session, person))

        met = await asyncio.gather(*(lane(s, n) for n in range(40) for s in (one, two)))

        assert len({person.id for person, _ in met}) == 40
        receipts = [receipt for _, receipt in met]
        assert receipts.count(Receipt.RECORDED) == receipts.count(Receipt.ALREADY) == 40
        assert (await one.tally(session.id, 0)).answered == 40


async def test_of_two_programs_that_start_in_one_room_one_meets_a_conflict(url: str):
    async with await _open(url) as one, await _open(url) as two:
        world = await World.made(one)

        outcomes = await asyncio.gather(
            one.start(world.session("a")), two.start(world.session("b")), return_exceptions=True
        )

        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]


async def test_whatever_was_acknowledged_is_there_after_a_kill(sqlite_url: str):
    chance = random.Random(4)  # noqa: S311 - when to kill, not a secret
    moments = {f"run{number}": chance.uniform(0.02, 0.3) for number in range(3)}

    safe = await asyncio.gather(
        *(
            asyncio.to_thread(_acknowledged, sqlite_url, name, seconds)
            for name, seconds in moments.items()
        )
    )

    async with await _open(sqlite_url) as store, store.engine.connect() as connection:
        for name, acknowledged in zip(moments, safe, strict=True):
            kept = await connection.scalars(
                select(responses.c.participant).where(responses.c.session == name)
            )
            there = set(kept)
            assert acknowledged <= there
            assert len(there) <= len(acknowledged) + 20  # at most what was on its way


async def test_a_full_disk_is_told_to_everyone_and_forgotten_when_there_is_room(sqlite_url: str):
    store = await _open(sqlite_url)
    pages = {"limit": 1_000_000}

    @event.listens_for(store.engine.sync_engine, "checkout")
    def _limit(connection, *_):
        _pragma(connection, f"max_page_count={pages['limit']}")

    async with store:
        _, session, crowd = await _crowd(store, text="x" * 4000)
        pages["limit"] = 1
        await _renew(store, session)
        with pytest.raises(StoreError, match="disk is full"):
            await asyncio.gather(*map(store.record, crowd))
        pages["limit"] = 1_000_000

        receipts = await asyncio.gather(*map(store.record, crowd))

        assert receipts == [Receipt.RECORDED] * 10


async def test_a_database_that_becomes_read_only_says_so_and_works_again_later(sqlite_url: str):
    store = await _open(sqlite_url)
    state = {"query_only": 0}

    @event.listens_for(store.engine.sync_engine, "checkout")
    def _limit(connection, *_):
        _pragma(connection, f"query_only={state['query_only']}")

    async with store:
        _, session, crowd = await _crowd(store)
        state["query_only"] = 1
        await _renew(store, session)
        outcomes = await asyncio.gather(*map(store.record, crowd), return_exceptions=True)
        with pytest.raises(StoreError, match="read-only"):
            await store.save(session, replace(session, phase=Phase.PAUSED))
        state["query_only"] = 0
        receipts = await asyncio.gather(*map(store.record, crowd))

    assert [type(outcome) for outcome in outcomes] == [StoreError] * 10
    assert receipts == [Receipt.RECORDED] * 10


async def test_a_read_only_file_can_be_read_and_refuses_writes(sqlite_url: str):
    file = sqlite_url.removeprefix("sqlite:///")
    async with await _open(sqlite_url) as writer:
        world = await World.made(writer)
        async with await _open(f"sqlite:///file:{file}?mode=ro&uri=true") as reader:
            assert await reader.room_by_id(world.hall.id) == world.hall
            with pytest.raises(StoreError, match="read-only"):
                await reader.start(world.session())


async def test_a_locked_database_is_told_to_everyone_and_works_again_later(sqlite_url: str):
    async with await _open(f"{sqlite_url}?timeout=0.05") as store:
        _, _, crowd = await _crowd(store)
        with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as other:
            other.execute("BEGIN IMMEDIATE")
            outcomes = await asyncio.gather(*map(store.record, crowd), return_exceptions=True)
            other.rollback()

        receipts = await asyncio.gather(*map(store.record, crowd))

    assert {str(outcome) for outcome in outcomes} == {
        "Another program keeps the database locked. Close it, or try again in a moment."
    }
    assert receipts == [Receipt.RECORDED] * 10


async def test_one_response_the_database_refuses_leaves_its_neighbours_alone(url: str):
    async with await _open(url) as store:
        _, _, crowd = await _crowd(store)
        bad = replace(crowd[4], points=10**30)

        outcomes = await asyncio.gather(
            *map(store.record, [*crowd[:4], bad, *crowd[5:]]), return_exceptions=True
        )

    assert [type(outcome) for outcome in outcomes].count(Receipt) == 9
    assert isinstance(outcomes[4], StoreError)


async def test_a_store_that_is_closed_finishes_what_was_handed_in(sqlite_url: str):
    store = await _open(sqlite_url)
    _, _, crowd = await _crowd(store)
    waiting = [asyncio.ensure_future(store.record(response)) for response in crowd]
    await asyncio.sleep(0)

    await store.close()

    assert await asyncio.gather(*waiting) == [Receipt.RECORDED] * 10


async def test_a_backup_is_taken_in_use_and_opens_as_a_store(sqlite_url: str, tmp_path: Path):
    copy = tmp_path / "backups" / "monday.db"
    async with await _open(sqlite_url) as store:
        _, session, crowd = await _crowd(store)
        await store.record(crowd[0])
        await backup(sqlite_url, copy)
        await store.record(crowd[1])
        with pytest.raises(StoreError, match="exists"):
            await backup(sqlite_url, copy)

    async with await _open(f"sqlite:///{copy}") as restored:
        assert (await restored.tally(session.id, 0)).answered == 1
        assert await restored.record(crowd[1]) is Receipt.RECORDED
    await backup(sqlite_url, copy, overwrite=True)


@pytest.mark.parametrize("url", ["memory:", "postgresql://localhost/kuis", "sqlite:///no/where.db"])
async def test_what_cannot_be_backed_up_is_said(url: str, tmp_path: Path):
    with pytest.raises(StoreError):
        await backup(url, tmp_path / "copy.db")


async def _open(url: str) -> SqlStore:
    store = await open_store(url)
    assert isinstance(store, SqlStore)
    return store


async def _crowd(store: SqlStore, text: str = "x") -> tuple[World, Session, list[Response]]:
    world = await World.made(store)
    session = await world.opened()
    one = world.response(session, world.ann, submission=Typed(text), item=ItemId("a"))
    return world, session, [replace(one, participant=_who(number)) for number in range(10)]


async def _renew(store: SqlStore, session: Session) -> None:
    """Let the writing connection be checked out anew, which it is after any failure."""
    with pytest.raises(Exception):  # noqa: B017, PT011 - Conflict or StoreError, both will do
        await store.start(session)


def _who(number: int) -> ParticipantId:
    return ParticipantId(f"p{number}")


def _pragma(connection: sqlite3.Connection, pragma: str) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


@contextmanager
def _counted(store: SqlStore, name: str) -> Iterator[list[object]]:
    seen: list[object] = []

    def listener(*arguments: object) -> None:
        seen.append(arguments)

    event.listen(store.engine.sync_engine, name, listener)
    yield seen
    event.remove(store.engine.sync_engine, name, listener)


def _acknowledged(url: str, name: str, seconds: float) -> set[str]:
    """Run the crashing program, kill it after a moment, and give what it had acknowledged."""
    command = [sys.executable, "-m", "tests.storage.crashing", url, name]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    assert child.stdout
    with child.stdout:
        assert child.stdout.readline() == "ready\n"
        time.sleep(seconds)
        os.kill(child.pid, signal.SIGKILL)
        lines = child.stdout.read().split("\n")
    child.wait()
    return set(lines[:-1])
