"""Settings as they are written in the environment."""

import pytest

from adapters.settings import read_shards


@pytest.mark.parametrize(
    ("written", "shards", "count"), [("0-3/8", [0, 1, 2, 3], 8), ("5/8", [5], 8), ("0/1", [0], 1)]
)
def test_shards_are_a_range_of_all(written: str, shards: list[int], count: int):
    found = read_shards(written)

    assert found
    assert (list(found[0]), found[1]) == (shards, count)


@pytest.mark.parametrize("written", ["", "8", "0-3", "3-0/8", "0-8/8", "8/8", "a/8", "-1/8", "1/0"])
def test_what_means_no_shards_is_refused(written: str):
    assert read_shards(written) is None
