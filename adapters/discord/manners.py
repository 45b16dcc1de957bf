"""Manners: how much one person may ask for at once."""

from collections import OrderedDict
from datetime import datetime, timedelta

BURST = 5
EVERY = timedelta(seconds=2)
REMEMBERED = 10_000


class Manners:
    """Allows a few commands at once and then one every two seconds, for each person."""

    def __init__(self) -> None:
        """Start with everybody rested."""
        self._rested: OrderedDict[int, datetime] = OrderedDict()

    def wait(self, user: int, now: datetime) -> float:
        """Count a command; gives 0, or for how many seconds the person should rest first."""
        rested = max(self._rested.get(user, now), now)
        over = (rested - now) - EVERY * (BURST - 1)
        if over > timedelta(0):
            return over.total_seconds()
        self._rested[user] = rested + EVERY
        self._rested.move_to_end(user)
        while len(self._rested) > REMEMBERED:
            self._rested.popitem(last=False)
        return 0.0
