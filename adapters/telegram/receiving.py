"""Receiving: our own way in. Updates come as raw JSON and are parsed one at a time.

Telegram forgets an update once a later offset is asked for (or a webhook answered with 2xx), so
that happens only when everything in the batch is *settled*: handled, or stored as far as it must
be and waiting for nothing but its turn to speak. What the library does instead - acknowledge what
it has queued, and choke on a batch with one bad update in it - loses votes for good.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from telegram import Bot, Update

from adapters.telegram.places import Vote, vote
from bot.errors import StoreError
from bot.ports import Clock, Notes

_log = logging.getLogger(__name__)

ALLOWED = (
    Update.MESSAGE,
    Update.CHANNEL_POST,
    Update.CALLBACK_QUERY,
    Update.POLL_ANSWER,
    Update.MY_CHAT_MEMBER,
)
RETRY_SECONDS = 2.0
A_FEW = 100
"""After so many updates they are let go ahead: some are stored while others are parsed."""


@dataclass(slots=True, eq=False, kw_only=True)
class Arrival:
    """An update that has come in, when it did, and whether it is settled.

    Votes are read without the library: they come by the thousands.
    """

    content: Update | Vote
    at: datetime
    settled: asyncio.Event = field(default_factory=asyncio.Event)


Handler = Callable[[Arrival], Awaitable[None]]


class Intake:
    """Parses updates, hands them on in order where order matters, and waits until they settle."""

    def __init__(self, *, bot: Bot, handler: Handler, notes: Notes, clock: Clock) -> None:
        """Take who parses, who handles, where the unreadable ones are kept, and the clock."""
        self._bot = bot
        self._handler = handler
        self._notes = notes
        self._clock = clock
        self._last: dict[Hashable, Arrival] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self, raw: Sequence[dict[str, Any]]) -> None:
        """Take in a batch; when this returns it may be acknowledged."""
        now = self._clock.now()
        taken = []
        for number, one in enumerate(raw, 1):
            if content := await self._parsed(one):
                taken.append(self._hand_on(Arrival(content=content, at=now)))
            if number % A_FEW == 0:
                await asyncio.sleep(0)
        for arrival in taken:
            await arrival.settled.wait()

    async def finish(self, seconds: float) -> None:
        """Give what is under way a little time to end."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in tuple(self._tasks):
            task.cancel()

    def _hand_on(self, arrival: Arrival) -> Arrival:
        key = key_of(arrival.content)
        before = self._last.get(key)
        self._last[key] = arrival
        task = asyncio.create_task(self._handle(arrival, key, before))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return arrival

    async def _handle(self, arrival: Arrival, key: Hashable, before: Arrival | None) -> None:
        try:
            if before:
                await before.settled.wait()
            await self._until_stored(arrival)
        except Exception:  # noqa: BLE001 - one of the two edges: the others must not fail with it
            _log.exception("update failed", extra={"key": str(key)})
        finally:
            arrival.settled.set()
            if self._last.get(key) is arrival:
                del self._last[key]

    async def _until_stored(self, arrival: Arrival) -> None:
        """Handle an update, again and again while the store cannot be reached."""
        while True:
            try:
                return await self._handler(arrival)
            except StoreError:
                _log.exception("update will be tried again")
                await asyncio.sleep(RETRY_SECONDS)

    async def _parsed(self, raw: dict[str, Any]) -> Update | Vote | None:
        """Parse one update; one that cannot be parsed is logged, kept aside and passed."""
        try:
            if given := raw.get("poll_answer"):
                return vote(given)
            return Update.de_json(raw, self._bot)
        except Exception:  # noqa: BLE001 - the library raises whatever a bad update makes it
            number = raw.get("update_id")
            _log.exception("unreadable update", extra={"update": number})
            await self._notes.set_note(f"telegram.unreadable.{number}", json.dumps(raw))
            return None


def key_of(update: Update | Vote) -> Hashable:
    """Tell what an update must keep its order with: a vote, a person's presses, or a chat."""
    if isinstance(update, Vote):
        return (update.poll_id, update.voter.external)
    if query := update.callback_query:
        return ("person", query.from_user.id)
    return ("chat", update.effective_chat.id if update.effective_chat else 0)
