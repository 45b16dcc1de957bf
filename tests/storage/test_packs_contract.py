"""Packs that people bring in, and what waits to be one, in every store."""

from dataclasses import replace
from datetime import timedelta

from bot.banks import MOST_PARCELS, Parcel, Stage, StoredPack, community, homes, place
from bot.drafts import Draft, DraftOption
from bot.ids import PackId, ParticipantId
from bot.packs import Home, Reach
from bot.people import Alias
from tests.storage.worlds import NOON, World, alias


def pack(world: World, name: str = "p", **more: object) -> StoredPack:
    fields = {
        "id": PackId(name),
        "owner": world.ann.id,
        "home": Home(reach=Reach.ROOM, target=world.hall.id),
        "language": "en",
        "title": "Colours",
        "text": "---\nid: p\n---\n",
        "created": NOON,
        "changed": NOON,
        **more,
    }
    return StoredPack(**fields)  # type: ignore[arg-type]


def parcel(world: World, name: str = "d", **more: object) -> Parcel:
    options = (DraftOption(text="a", rationale="r"), DraftOption(text="b", weight=0.5))
    fields = {
        "id": name,
        "owner": world.ann.id,
        "room": world.hall.id,
        "changed": NOON,
        "stage": Stage.READY,
        "title": "Colours",
        "waiting": (Draft(stem="Which?", options=options, tags=("t",)),),
        "keys": ("",),
        "lines": ("~ one",),
        "credit": ("MIT", "Ann", "here"),
        **more,
    }
    return Parcel(**fields)  # type: ignore[arg-type]


async def versions(world: World) -> dict[str, int]:
    return {pack: listed.version for pack, listed in (await world.store.pack_index()).items()}


async def found(world: World, name: str = "p") -> StoredPack:
    (one,) = await world.store.stored_packs([PackId(name)])
    return one


async def test_a_pack_is_kept_and_corrected(world: World):
    assert await world.store.packs_stamp() == ""
    await world.store.keep_pack(pack(world))
    first = await world.store.packs_stamp()
    later = NOON + timedelta(hours=1)

    await world.store.keep_pack(pack(world, text="new\0", created=later, changed=later))

    kept = await found(world)
    assert kept == pack(world, text="new", changed=later, version=2)
    assert await versions(world) == {"p": 2}
    assert await world.store.packs_stamp() not in {"", first}
    assert await world.store.stored_packs([PackId("unknown")]) == []


async def test_a_pack_is_renamed_hidden_and_deleted(world: World):
    await world.store.keep_pack(pack(world))
    stamps = [await world.store.packs_stamp()]

    await world.store.set_pack(PackId("p"), title="Other")
    stamps.append(await world.store.packs_stamp())
    await world.store.set_pack(PackId("p"), published=False)
    stamps.append(await world.store.packs_stamp())
    await world.store.set_pack(PackId("unknown"), title="x")
    kept = await found(world)
    await world.store.delete_pack(PackId("p"))
    stamps.append(await world.store.packs_stamp())

    assert (kept.title, kept.published, kept.version) == ("Other", False, 3)
    assert await versions(world) == {}
    assert len(set(stamps)) == 4


async def test_a_parcel_becomes_a_pack_only_once(world: World):
    await world.store.keep_parcel(parcel(world))

    first = await world.store.keep_pack(pack(world), parcel="d")
    second = await world.store.keep_pack(pack(world, "q"), parcel="d")

    assert (first, second) == (True, False)
    assert await versions(world) == {"p": 1}
    assert await world.store.parcel("d") is None


async def test_a_parcel_comes_back_as_it_was_handed_in(world: World):
    await world.store.keep_parcel(parcel(world))
    changed = parcel(world).with_key(0, "2")

    await world.store.keep_parcel(changed)

    assert await world.store.parcel("d") == changed
    assert await world.store.parcels(world.ann.id) == [changed]
    assert await world.store.parcels(world.ben.id) == []
    await world.store.drop_parcel("d")
    assert await world.store.parcel("d") is None


async def test_of_a_persons_parcels_only_the_latest_few_stay(world: World):
    for number in range(MOST_PARCELS + 2):
        at = NOON + timedelta(minutes=number)
        await world.store.keep_parcel(parcel(world, f"d{number:02}", changed=at))
    await world.store.keep_parcel(parcel(world, "bens", owner=world.ben.id))

    kept = await world.store.parcels(world.ann.id)

    assert [one.id for one in kept][::9] == ["d11", "d02"]
    await world.store.drop_parcels(NOON + timedelta(minutes=11))
    assert [one.id for one in await world.store.parcels(world.ann.id)] == ["d11"]
    assert await world.store.parcels(world.ben.id) == []


async def test_forgetting_somebody_deletes_their_own_packs_and_unnames_the_others(world: World):
    own = Home(reach=Reach.PERSON, target=world.ann.id)
    await world.store.keep_pack(pack(world, "own", home=own))
    await world.store.keep_pack(pack(world, "shared"))
    await world.store.keep_pack(pack(world, "bens", owner=world.ben.id))
    await world.store.keep_parcel(parcel(world))
    kept = await world.store.export(world.ann.id)
    stamp = await world.store.packs_stamp()

    await world.store.forget(world.ann.id)

    assert [row["id"] for row in kept["packs"]] == ["own", "shared"]
    assert [row["id"] for row in kept["parcels"]] == ["d"]
    assert await versions(world) == {"shared": 2, "bens": 1}
    assert (await found(world, "shared")).owner == ParticipantId("")
    assert await world.store.packs_stamp() != stamp
    assert await world.store.parcel("d") is None
    assert not any((await world.store.export(world.ann.id)).values())


async def test_packs_move_with_a_group_that_has_a_new_name(world: World):
    old, new = alias("-1"), alias("-100")
    group = await world.store.room(old, community="-1")
    await world.store.keep_pack(pack(world, "all", home=community(group)))
    assert place(group) == community(group)

    await world.store.move_room(old, new)

    moved = await world.store.room(new, community="-100")
    assert (await found(world, "all")).home == place(moved)
    assert (await found(world, "all")).version == 2


async def test_packs_and_parcels_of_two_rooms_that_become_one_stay_together(world: World):
    old, new = alias("hall"), alias("annex")
    annex = await world.store.room(new)
    home = Home(reach=Reach.ROOM, target=annex.id)
    await world.store.keep_pack(pack(world, "annex", home=home))
    await world.store.keep_parcel(parcel(world, room=annex.id))

    await world.store.move_room(old, new)

    assert (await found(world, "annex")).home.target == world.hall.id
    waiting = await world.store.parcel("d")
    assert waiting
    assert waiting.room == world.hall.id


def test_the_homes_somebody_sees_from_a_room(world: World):
    server = replace(world.hall, community="s")

    assert homes(world.hall, world.ann.id) == {
        Home(reach=Reach.ROOM, target=world.hall.id),
        Home(reach=Reach.PERSON, target=world.ann.id),
    }
    assert community(server) in homes(server, world.ann.id)
    assert community(server).target == "test:s"
    assert community(replace(server, alias=Alias(platform="x", external=""))) != community(server)
