"""What is due without anybody asking: a feature that fails keeps no other from it."""

from collections.abc import Collection, Sequence
from datetime import datetime

import pytest

from adapters.storage.memory import MemoryStore
from bot.corrections import News
from bot.dailies import Daily
from bot.errors import StoreError
from tests.helpers.worlds import small_world


class Troubled(MemoryStore):
    """A store in which news cannot be read."""

    def __init__(self, trouble: Exception) -> None:
        super().__init__()
        self.trouble = trouble
        self.looked = 0

    async def news(self, platforms: Sequence[str]) -> Sequence[News]:  # noqa: ARG002 - it fails
        raise self.trouble

    async def dailies_due(self, platforms: Collection[str], now: datetime) -> Sequence[Daily]:
        self.looked += 1
        return await super().dailies_due(platforms, now)


async def test_a_feature_that_fails_is_logged_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
):
    store = Troubled(RuntimeError("unheard of"))
    world = await small_world(store)

    await world.desk.tick({"test"})

    assert store.looked == 1
    assert "not done" in caplog.text


async def test_a_store_out_of_reach_is_told_at_once():
    store = Troubled(StoreError("away"))
    world = await small_world(store)

    with pytest.raises(StoreError):
        await world.desk.tick({"test"})

    assert store.looked == 0
