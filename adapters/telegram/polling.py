"""Polling: asks for updates, and notices when nobody answers any more.

It has its own connection, apart from everything the bot says: neither waits for the other, and
one that has gone deaf is thrown away and opened anew.
"""

import asyncio
import json
import logging
import math
from collections.abc import Coroutine
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout
from telegram import Bot

from adapters.telegram.receiving import ALLOWED, Intake
from adapters.telegram.wire import read
from bot.errors import KuisError
from bot.ports import Clock

_log = logging.getLogger(__name__)

LONG_POLL = 25
ANSWER_SECONDS = 10.0
CONFLICTS = 6
SLOWEST = 5.0
BATCH = 100
QUIET_SECONDS = 1.0
"""A long poll that has brought nothing for so long, slow lines allowed for: there is nothing."""
COLLECT_SECONDS = 60.0
"""How long a turn waits for votes that Telegram took in time, while we are behind or cut off."""
OK, UNAUTHORIZED, NOT_FOUND, CONFLICT, TOO_MANY = 200, 401, 404, 409, 429
Batch = list[dict[str, Any]]


class Refused(Exception):
    """An answer that brings no updates."""

    def __init__(self, code: int, description: str, wait: float = 0.0) -> None:
        """Take the code, the server's words, and how long it asks to wait."""
        self.code = code
        self.wait = wait
        super().__init__(f"{code} {description}")


class Poller:
    """Fetches updates until it is told to stop; acknowledges a batch by asking for the next."""

    def __init__(
        self,
        *,
        bot: Bot,
        intake: Intake,
        clock: Clock,
        long_poll: int = LONG_POLL,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        """Take the bot for its address, and who takes the updates in.

        A server has `answer_seconds` more than the long poll; then the connection is deaf.
        """
        self._url = f"{bot.base_url}/getUpdates"
        self._intake = intake
        self._clock = clock
        self._long_poll = long_poll
        self._answer_seconds = answer_seconds
        self._client: ClientSession | None = None
        self._offset = 0
        self._conflicts = 0
        self._failures = 0
        self._heard = clock.now()
        self._asked_at = self._answered_at = self._clear_at = -math.inf
        self._asking = self._behind = False

    async def run(self, stopping: asyncio.Event) -> None:
        """Fetch and take in, again and again. Raises KuisError for what only a person can mend."""
        self._heard = self._clock.now()
        try:
            while not stopping.is_set():
                batch = await _unless(stopping, self._fetch())
                if batch:
                    await self._intake.take(batch)
                    self._offset = max(one["update_id"] for one in batch) + 1
                self._behind = len(batch) == BATCH
                if not self._behind:
                    self._clear_at = self._answered_at
            await self._acknowledge()
        finally:
            await self._hang_up()

    async def collect(self, since: float) -> None:
        """Wait until all that people did before an instant (of the loop's clock) is handled, or
        for some seconds if that cannot be had.
        """
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while self._clear_at < since:
            if loop.time() > begun + COLLECT_SECONDS:
                return
            quiet = self._asking and not self._behind
            if quiet and loop.time() > self._asked_at + QUIET_SECONDS:
                return
            await asyncio.sleep(0.05)

    async def _fetch(self) -> Batch:
        """Ask once; a request that fails is waited out, the longer the more often it does."""
        try:
            batch = await self._ask(self._long_poll)
        except Refused as refused:
            await self._refused(refused)
        except (ClientError, TimeoutError, OSError, ValueError) as error:
            await self._failed(error)
        else:
            self._heard, self._answered_at = self._clock.now(), self._asked_at
            self._conflicts = self._failures = 0
            return batch
        return []

    async def _ask(self, seconds: int) -> Batch:
        if self._client is None:
            self._client = ClientSession()
        asked = {
            "offset": self._offset,
            "timeout": seconds,
            "limit": BATCH,
            "allowed_updates": json.dumps(ALLOWED),
        }
        patience = ClientTimeout(total=seconds + self._answer_seconds)
        self._asked_at, self._asking = asyncio.get_running_loop().time(), True
        try:
            async with self._client.post(self._url, data=asked, timeout=patience) as answer:
                body = await answer.read()
                if answer.status != OK:
                    raise _refusal(answer.status, body)
        finally:
            self._asking = False
        found = read(body)
        return list(found["result"]) if isinstance(found, dict) else []

    async def _refused(self, refused: Refused) -> None:
        if refused.code in {UNAUTHORIZED, NOT_FOUND}:
            raise rejected() from refused
        if refused.code == CONFLICT:
            await self._not_alone(refused)
        elif refused.code == TOO_MANY:
            await asyncio.sleep(refused.wait)
        else:
            await self._failed(refused)

    async def _failed(self, error: Exception) -> None:
        self._failures += 1
        quiet = (self._clock.now() - self._heard).total_seconds()
        _log.warning("no updates", extra={"why": repr(error), "seconds": round(quiet)})
        await self._hang_up()
        await asyncio.sleep(min(SLOWEST, 0.25 * 2 ** min(self._failures, 8)))

    async def _not_alone(self, refused: Refused) -> None:
        """Wait for a predecessor to end; one that stays is for a person to stop."""
        self._conflicts += 1
        _log.warning("another program asks for updates", extra={"why": str(refused)})
        if self._conflicts >= CONFLICTS:
            msg = (
                "Another program is running this Telegram bot (409). Stop it, or give this one a "
                "token of its own from https://t.me/BotFather."
            )
            raise KuisError(msg) from refused
        await asyncio.sleep(0.5 * self._conflicts)

    async def _acknowledge(self) -> None:
        """Let Telegram forget what was handled; what comes in now waits for the next start."""
        if self._offset:
            try:
                await self._ask(0)
            except (ClientError, TimeoutError, OSError, ValueError, Refused) as error:
                _log.info("not acknowledged", extra={"why": repr(error)})

    async def _hang_up(self) -> None:
        """Close the connection; the next request opens a new one, so that none stays wedged."""
        if self._client:
            client, self._client = self._client, None
            await client.close()


def rejected() -> KuisError:
    """Give the sentence for a token that Telegram does not know."""
    return KuisError(
        "Telegram does not accept the token (401). Copy it again from https://t.me/BotFather "
        "into TELEGRAM_TOKEN."
    )


async def _unless(stopping: asyncio.Event, fetching: Coroutine[Any, Any, Batch]) -> Batch:
    """Wait for updates, or for the end."""
    fetch = asyncio.create_task(fetching)
    end = asyncio.create_task(stopping.wait())
    try:
        await asyncio.wait((fetch, end), return_when=asyncio.FIRST_COMPLETED)
        return fetch.result() if fetch.done() else []
    finally:
        fetch.cancel()
        end.cancel()
        await asyncio.gather(fetch, end, return_exceptions=True)


def _refusal(status: int, body: bytes) -> Refused:
    """Read what a server says besides the code; a gateway may say anything."""
    try:
        found = read(body)
        wait = float(found.get("parameters", {}).get("retry_after", 1))
        return Refused(status, str(found.get("description", "")), wait)
    except (ValueError, AttributeError, TypeError):
        return Refused(status, "", 1.0)
