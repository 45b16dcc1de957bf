"""Remembering: rooms and people that were read a moment ago, so that each tap need not read them.

What this program changes is forgotten at once. What another program on the same database changes
is seen after `SECONDS` at the latest; a name or a setting may be that old, a response never is.
"""

import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

SECONDS = 15.0
MOST = 20_000

V = TypeVar("V")


class Remembered(Generic[V]):
    """Values that are given back for a while; the least recently used go first."""

    def __init__(self, *, seconds: float = SECONDS, most: int = MOST) -> None:
        """Take how long and how many."""
        self._seconds = seconds
        self._most = most
        self._values: OrderedDict[Hashable, tuple[float, V]] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        """Give a value that is young enough."""
        until, value = self._values.get(key, (0.0, None))
        if value is None or until < time.monotonic():
            return None
        self._values.move_to_end(key)
        return value

    def put(self, key: Hashable, value: V) -> V:
        """Keep a value, and give it back."""
        self._values[key] = (time.monotonic() + self._seconds, value)
        self._values.move_to_end(key)
        while len(self._values) > self._most:
            self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget everything."""
        self._values.clear()
