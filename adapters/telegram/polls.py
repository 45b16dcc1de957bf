"""Polls: which poll asks what. A vote carries nothing but the id of its poll: it is stored."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.ids import SessionId
from bot.ports import Notes

REMEMBERED = 4096
LOOK_SECONDS = 0.25
LOOKS = 40
"""How often a poll is looked for that another process may be sending: for ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a poll asks: a turn, the places of its options as shown, and whose it is alone.

    `only` is a voter's external name in a private chat, and empty in a room; `message` is the
    number of the poll's message.
    """

    session: SessionId
    turn: int
    places: tuple[int, ...]
    only: str = ""
    message: int = 0


class OnTheWay:
    """A poll that is being sent; `wire` stands while its request is on the wire and until its id
    is kept.
    """

    def __init__(self) -> None:
        """Begin before the wire: it may have to wait for its turn."""
        self.wire: asyncio.Event | None = None

    @contextmanager
    def request(self) -> Iterator[None]:
        """Mark one request; one that fails has sent no poll that we will ever know of."""
        self.wire = asyncio.Event()
        try:
            yield
        except BaseException:
            self.over()
            raise

    def over(self) -> None:
        """Let those go on who wait for it."""
        if self.wire:
            self.wire.set()
            self.wire = None


class Polls:
    """The polls we have sent, in the store and for a while in memory."""

    def __init__(self, notes: Notes, *, several: bool = False) -> None:
        """Take where polls are noted; `several` says that other processes send some, too."""
        self._notes = notes
        self._looks = LOOKS if several else 0
        self._known: OrderedDict[str, Asked] = OrderedDict()
        self._on_the_way: set[OnTheWay] = set()

    @contextmanager
    def one_more(self) -> Iterator[OnTheWay]:
        """Say that a poll is on its way, so that votes wait until its id is known."""
        way = OnTheWay()
        self._on_the_way.add(way)
        try:
            yield way
        finally:
            self._on_the_way.discard(way)
            way.over()

    async def keep(self, poll_id: str, asked: Asked) -> None:
        """Store what a poll asks; it is on disk when this returns.

        Votes are understood from now on, also while the store takes its time: each waits for the
        store itself before it is acknowledged.
        """
        self._remember(poll_id, asked)
        stored = [asked.session, asked.turn, asked.places, asked.only, asked.message]
        await self._notes.set_note(_key(poll_id), json.dumps(stored))

    def known(self, poll_id: str) -> Asked | None:
        """Tell at once what a poll asks, if it is one of the latest."""
        return self._known.get(poll_id)

    async def find(self, poll_id: str) -> Asked | None:
        """Tell what a poll asks; it may be one that is on the wire, here or elsewhere.

        A vote may overtake the answer to `sendPoll`. It waits for no more than the requests that
        are on the wire now, and these have their own time limits.
        """
        for wire in [way.wire for way in self._on_the_way if way.wire]:
            if known := self._known.get(poll_id):
                return known
            await wire.wait()
        for _ in range(self._looks):
            if known := await self._look_up(poll_id):
                return known
            await asyncio.sleep(LOOK_SECONDS)
        return await self._look_up(poll_id)

    async def _look_up(self, poll_id: str) -> Asked | None:
        if known := self._known.get(poll_id):
            return known
        noted = await self._notes.note(_key(poll_id))
        if not noted:
            return None
        session, turn, places, only, message = json.loads(noted)
        asked = Asked(
            session=SessionId(session), turn=turn, places=tuple(places), only=only, message=message
        )
        self._remember(poll_id, asked)
        return asked

    def _remember(self, poll_id: str, asked: Asked) -> None:
        self._known[poll_id] = asked
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _key(poll_id: str) -> str:
    return f"telegram.poll.{poll_id}"
