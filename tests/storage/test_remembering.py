"""What was read a moment ago."""

from adapters.storage.remembering import Remembered
from bot.people import Settings
from tests.storage.worlds import World, alias


def test_a_value_is_given_back_while_it_is_young():
    young, old = Remembered[str](seconds=60), Remembered[str](seconds=-1)

    assert young.put("k", "v") == old.put("k", "v") == "v"
    assert (young.get("k"), old.get("k"), young.get("other")) == ("v", None, None)


def test_the_least_recently_used_goes_first():
    few = Remembered[int](most=2)
    few.put("a", 1)
    few.put("b", 2)
    few.get("a")

    few.put("c", 3)

    assert [few.get(key) for key in "abc"] == [1, None, 3]


async def test_a_change_is_seen_at_once(world: World):
    await world.store.room(alias("hall"))
    await world.store.participant(alias("Ann"), name="Ann")

    await world.store.set_settings(world.hall.id, Settings(seconds=60))
    await world.store.set_participant(world.ann.id, nickname="Owl")

    assert (await world.store.room(alias("hall"))).settings.seconds == 60
    assert (await world.store.room_by_id(world.hall.id)).settings.seconds == 60
    assert (await world.store.participant(alias("Ann"), name="Ann")).shown == "Owl"


async def test_who_is_forgotten_is_not_remembered(world: World):
    before = await world.store.participant(alias("Ann"), name="Ann")

    await world.store.forget(before.id)

    assert (await world.store.participant(alias("Ann"), name="Ann")).id != before.id
