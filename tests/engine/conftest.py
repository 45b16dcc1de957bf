"""What several tests of the engine start from."""

from collections.abc import AsyncIterator

import pytest

from tests.helpers.worlds import World, small_world


@pytest.fixture
async def world() -> AsyncIterator[World]:
    here = await small_world()
    yield here
    await here.host.close()
