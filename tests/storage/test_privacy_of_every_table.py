"""Nothing about a person is kept out of their sight, or left behind: every table is walked.

Somebody lives through everything there is. Afterwards each table must hold something of theirs,
the export must have every row of it, and once they are forgotten no column of any table may name
them. A new table therefore has to be lived through here, or to be listed with a reason.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import select

from adapters.storage import MemoryStore, SqlStore, open_store
from adapters.storage.schema import METADATA
from bot.banks import Parcel, Stage, StoredPack
from bot.corrections import Challenge
from bot.dailies import Daily, Schedule
from bot.ids import ItemId, PackId, SessionId
from bot.links import VALID, Outcome
from bot.modes import Mode
from bot.packs import Home, Reach
from bot.people import Alias, Participant
from bot.reminders import Reminder
from tests.storage.correcting import correction, item
from tests.storage.worlds import NOON, PACK, World, alias

HOLDS_NOTHING_OF_A_PERSON: Mapping[str, str] = {}
"""Tables that never hold anything of anybody, each with the reason why."""

EXTERNAL = "7391846"
NAMES = ("Zyxannabel", "Quillfeather")


async def lived(world: World) -> tuple[Participant, list[str]]:
    """Let somebody do everything; give who, and all that they are known by."""
    store = world.store
    who = await store.participant(Alias(platform="telegram", external=EXTERNAL), name=NAMES[0])
    await store.set_participant(who.id, nickname=NAMES[1], language="id")
    chat = await store.room(Alias(platform="telegram", external=EXTERNAL))
    topic = await store.room(Alias(platform="telegram", external=f"{EXTERNAL}/7"))
    await _played(world, who, chat, topic)
    await _noted(world)
    await _linked(world, who)
    reminder = Reminder(participant=who.id, room=chat.id, minute=1140, zone="UTC", due=NOON)
    await store.set_reminder(reminder)
    await _banked(store, who, chat)
    await _disputed(store, who)
    daily = Daily(room=world.hall.id, schedule=Schedule(minute=450, zone="UTC"), starter=who.id)
    assert await store.change_daily(None, daily)
    return who, [who.id, EXTERNAL, *NAMES, chat.id, topic.id]


async def _played(world: World, who: Participant, chat: Any, topic: Any) -> None:
    """Alone, in one's own chat, and with others."""
    await world.played("solo", who, 1.0, 0.5, room=chat)
    await world.played("other", world.ben, 1.0)
    for name, room in (("live", world.hall), ("in topic", topic)):
        live = await world.opened(name, Mode.LIVE, starter=who, room=room)
        await world.answered(live, who, room=room)
        await world.answered(live, world.ann, room=room)
        await world.ended(await world.closed(live))


async def _banked(store: Any, who: Participant, chat: Any) -> None:
    """A quiz of one's own, one for everybody, one in one's own chat; another waits."""
    hall = (await store.room(alias("hall"))).id
    reaches = ((Reach.PERSON, who.id), (Reach.ROOM, hall), (Reach.ROOM, chat.id))
    for number, (reach, target) in enumerate(reaches):
        pack = StoredPack(
            id=PackId(f"p{number}"),
            owner=who.id,
            home=Home(reach=reach, target=target),
            language="en",
            title="Colours",
            text="",
            created=NOON,
            changed=NOON,
        )
        await store.keep_pack(pack)
    parcel = Parcel(
        id="d", owner=who.id, room=chat.id, changed=NOON, stage=Stage.READY, title="Colours"
    )
    await store.keep_parcel(parcel)


async def _disputed(store: Any, who: Participant) -> None:
    """They have challenged a question, and corrected another."""
    hall = await store.room(alias("hall"))
    doubt = {"session": SessionId("live"), "turn": 0, "room": hall.id, "pack": PACK}
    await store.challenge(Challenge(item=ItemId("a"), participant=who.id, at=NOON, **doubt))
    await store.correct(replace(correction(2), by=who.id, room=hall.id), [item()])


async def _noted(world: World) -> None:
    """What a chat notes of somebody, and what only looks as if it did."""
    store = world.store
    await store.set_note(f"telegram.seen.{EXTERNAL}", '["m1"]')
    await store.set_note("telegram.poll.1", json.dumps(["s", 0, [0, 1], EXTERNAL, 5]))
    unread = {"message": {"from": {"id": int(EXTERNAL), "first_name": NAMES[0]}}}
    await store.set_note("telegram.unreadable.1", json.dumps(unread))
    await store.set_note("telegram.poll.2", json.dumps(["s", 0, [0, 1], "other", 5]))


async def _linked(world: World, who: Participant) -> None:
    """Joined with Ann by her code; an own code is open, and one was typed wrongly."""
    store = world.store
    await store.offer_code(world.ann.id, world.hall.id, "hers", NOON)
    assert (await store.enter_code("hers", who.id, NOON)).outcome is Outcome.FOUND
    await store.redeem_code("hers", who.id, NOON)
    await store.offer_code(who.id, world.hall.id, "theirs", NOON)
    await store.enter_code("theirs", world.ben.id, NOON)
    await store.enter_code("wrong", who.id, NOON)


async def traces(store: SqlStore, known_by: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Find every row of every table that names somebody in any of its columns."""
    found: dict[str, list[dict[str, Any]]] = {}
    async with store.engine.connect() as connection:
        for table in METADATA.sorted_tables:
            rows = (await connection.execute(select(table))).mappings()
            named = [dict(row) for row in rows if _names(row.values(), known_by)]
            if named:
                found[table.name] = named
    return found


def _names(values: Any, known_by: Sequence[str]) -> bool:
    return any(name in str(value) for value in values for name in known_by)


async def test_every_table_is_seen_by_whom_it_is_about_and_forgets_them(url: str):
    async with await open_store(url) as store:
        assert isinstance(store, SqlStore)
        world = await World.made(store)
        who, known_by = await lived(world)
        before = await traces(store, known_by)

        exported = await store.export(who.id)
        await store.forget(who.id)

        personal = {t.name for t in METADATA.sorted_tables} - set(HOLDS_NOTHING_OF_A_PERSON)
        assert set(before) == personal
        for table, rows in before.items():
            missing = [row for row in rows if row not in exported[table]]
            assert not missing, table
        assert await traces(store, known_by) == {}


async def test_what_is_somebody_elses_stays(world: World):
    who, _ = await lived(world)

    await world.store.forget(who.id)

    assert await world.store.response_count(world.ben.id) == 1
    assert await world.store.response_count(world.ann.id) == 1
    assert await world.store.note("telegram.poll.2")
    assert list(await world.store.identities(world.ann.id)) == [world.ann.id]
    live = await world.store.session(world.session("live").id)
    assert live
    assert live.starter == ""
    assert await world.store.session(world.session("in topic").id) is None


async def test_who_comes_back_has_a_chat_without_a_past(world: World):
    who, _ = await lived(world)
    await world.store.forget(who.id)

    chat = await world.store.room(Alias(platform="telegram", external=EXTERNAL))
    again = await world.store.participant(who.alias, name="Zyx")

    assert await world.store.open_session(chat.id, again.id) is None
    await world.store.offer_code(again.id, chat.id, "new", NOON + VALID)
    rows = await world.store.export(again.id)
    assert {name for name, found in rows.items() if found} == {
        "aliases",
        "codes",
        "participants",
        "rooms",
    }


async def test_the_store_in_memory_shows_the_same_kinds(world: World):
    who, _ = await lived(world)

    exported = await world.store.export(who.id)

    assert all(exported.values())
    if isinstance(world.store, MemoryStore):  # which keeps no sums beside the scores
        personal = {t.name for t in METADATA.sorted_tables} - set(HOLDS_NOTHING_OF_A_PERSON)
        assert set(exported) == personal - {"totals"}
        await world.store.forget(who.id)
        assert not any((await world.store.export(who.id)).values())
