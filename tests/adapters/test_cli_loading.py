"""Loading modules without looking for garbage."""

import gc

import pytest

from adapters.cli.loading import loading


@pytest.fixture(autouse=True)
def _thaw():
    yield
    gc.unfreeze()


def test_garbage_is_looked_for_again_afterwards_but_not_among_what_was_loaded():
    with loading():
        assert not gc.isenabled()
        loaded = [[] for _ in range(1_000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= len(loaded)


def test_also_if_something_cannot_be_loaded():
    with pytest.raises(ImportError), loading():
        raise ImportError
    assert gc.isenabled()
