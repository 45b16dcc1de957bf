"""Recall: the sessions a process knows of, so that each answer need not read one.

What is recalled may be out of date where several processes share a store. That does no harm: the
store takes a response or a step only if the session still stands where it was believed to.
"""

from collections import OrderedDict

from bot.ids import SessionId
from bot.ports import Sessions
from bot.session import Session
from bot.shelving import Shelves

MOST = 4096


class Recall:
    """Active sessions, as last seen; the least recently changed are forgotten first."""

    def __init__(self, store: Sessions, shelves: Shelves) -> None:
        """Take where sessions are read that are not known, and who finds their packs."""
        self._store = store
        self._shelves = shelves
        self._known: OrderedDict[SessionId, Session] = OrderedDict()

    async def get(self, session: SessionId, *, turn: int | None = None) -> Session | None:
        """Give a session; one that is not in the wanted turn is read again."""
        known = self._known.get(session)
        if known and turn in {None, known.turn}:
            return known
        found = await self._store.session(session)
        if found:
            await self._shelves.know(*(found.draw.packs or (found.pack,)))
            self.put(found)
        return found

    def put(self, session: Session) -> None:
        """Keep a session as it is now; one that rests or has ended need not be kept."""
        self.forget(session.id)
        if session.active:
            self._known[session.id] = session
        while len(self._known) > MOST:
            self._known.popitem(last=False)

    def forget(self, session: SessionId) -> None:
        """Read the session again the next time."""
        self._known.pop(session, None)
