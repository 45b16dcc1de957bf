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


class Polls:
    """The polls we have sent, in the store and for a while in memory."""

    def __init__(self, notes: Notes) -> None:
        """Take where polls are noted."""
        self._notes = notes
        self._known: OrderedDict[str, Asked] = OrderedDict()
        self._on_the_way = 0
        self._news = asyncio.Event()

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Say that a poll is on its way, so that votes wait until its id is known."""
        self._on_the_way += 1
        try:
            yield
        finally:
            self._on_the_way -= 1
            self._tell()

    async def keep(self, poll_id: str, asked: Asked) -> None:
        """Store what a poll asks; it is on disk when this returns."""
        stored = [asked.session, asked.turn, asked.places, asked.only, asked.message]
        await self._notes.set_note(_key(poll_id), json.dumps(stored))
        self._remember(poll_id, asked)
        self._tell()

    def known(self, poll_id: str) -> Asked | None:
        """Tell at once what a poll asks, if it is one of the latest."""
        return self._known.get(poll_id)

    async def find(self, poll_id: str) -> Asked | None:
        """Tell what a poll asks; while polls are on their way it may be one of them."""
        while True:
            news, on_the_way = self._news, self._on_the_way  # as they are before the look
            if known := await self._look_up(poll_id):
                return known
            if not on_the_way:
                return None
            await news.wait()

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

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


def _key(poll_id: str) -> str:
    return f"telegram.poll.{poll_id}"
