"""Which tests have to reach all of the engine: its own, and those of formats, without the corpus."""

import pytest

REACHING = {"engine", "formats"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Do not watch the others: it takes a third of their time, and would hide what is missing."""
    for item in items:
        corpus = any("corpus" in str(mark.kwargs) for mark in item.iter_markers("skipif"))
        if corpus or item.path.parent.name not in REACHING:
            item.add_marker("no_cover")
