"""Polling: asks for updates, and notices when nobody answers any more."""

import asyncio
import json
import logging
from typing import Any
from urllib.parse import urlencode

from telegram import Bot
from telegram.error import Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError, TimedOut

from adapters.telegram.receiving import ALLOWED, Intake
from adapters.telegram.wire import Wire, make_wire
from bot.errors import KuisError
from bot.ports import Clock

_log = logging.getLogger(__name__)

LONG_POLL = 25
ANSWER_SECONDS = 10.0
DEAF_SECONDS = 90.0
CONFLICTS = 6
SLOWEST = 30.0


class Poller:
    """Fetches updates until it is told to stop; acknowledges a batch by asking for the next."""

    def __init__(
        self, *, bot: Bot, intake: Intake, clock: Clock, long_poll: int = LONG_POLL
    ) -> None:
        """Take the bot for its address, and who takes the updates in."""
        self._url = f"{bot.base_url}/getUpdates"
        self._intake = intake
        self._clock = clock
        self._long_poll = long_poll
        self._wire: Wire | None = None
        self._offset = 0
        self._conflicts = 0
        self._failures = 0
        self._heard = clock.now()

    async def run(self, stopping: asyncio.Event) -> None:
        """Fetch and take in, again and again. Raises KuisError for what only a person can mend."""
        self._heard = self._clock.now()
        try:
            while not stopping.is_set():
                batch = await self._unless(stopping, self._fetch(self._long_poll))
                if batch:
                    await self._intake.take(batch)
                    self._offset = max(one["update_id"] for one in batch) + 1
            await self._acknowledge()
        finally:
            await self._hang_up()

    async def _unless(self, stopping: asyncio.Event, fetching: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - a coroutine
        """Wait for updates, or for the end."""
        fetch = asyncio.ensure_future(fetching)
        end = asyncio.ensure_future(stopping.wait())
        try:
            await asyncio.wait((fetch, end), return_when=asyncio.FIRST_COMPLETED)
            return list(fetch.result()) if fetch.done() else []
        finally:
            for task in (fetch, end):
                task.cancel()
            await asyncio.gather(fetch, end, return_exceptions=True)

    async def _fetch(self, seconds: int) -> list[dict[str, Any]]:
        """Ask once; a request that fails is waited out, the longer the more often it does."""
        try:
            batch = await self._ask(seconds)
        except Conflict as error:
            await self._not_alone(error)
        except InvalidToken as error:
            raise rejected() from error
        except RetryAfter as error:
            await asyncio.sleep(_seconds(error))
        except (TelegramError, TimeoutError) as error:
            await self._failed(error)
        else:
            self._heard = self._clock.now()
            self._conflicts = self._failures = 0
            return batch
        return []

    async def _ask(self, seconds: int) -> list[dict[str, Any]]:
        if self._wire is None:
            self._wire = make_wire(4)
            await self._wire.initialize()
        asked = {
            "offset": self._offset,
            "timeout": seconds,
            "limit": 100,
            "allowed_updates": json.dumps(ALLOWED),
        }
        patience = seconds + ANSWER_SECONDS
        request = self._wire.post(f"{self._url}?{urlencode(asked)}", read_timeout=patience)
        answer = await asyncio.wait_for(request, patience + ANSWER_SECONDS)
        return answer if isinstance(answer, list) else []

    async def _failed(self, error: Exception) -> None:
        self._failures += 1
        quiet = (self._clock.now() - self._heard).total_seconds()
        _log.warning("no updates", extra={"why": repr(error), "seconds": round(quiet)})
        if quiet > DEAF_SECONDS or isinstance(error, TimedOut | TimeoutError | NetworkError):
            await self._hang_up()
        await asyncio.sleep(min(SLOWEST, 0.25 * 2 ** min(self._failures, 8)))

    async def _not_alone(self, error: Conflict) -> None:
        """Wait for a predecessor to end; one that stays is for a person to stop."""
        self._conflicts += 1
        _log.warning("another program asks for updates", extra={"why": str(error)})
        if self._conflicts >= CONFLICTS:
            msg = (
                "Another program is running this Telegram bot (409). Stop it, or give this one a "
                "token of its own from https://t.me/BotFather."
            )
            raise KuisError(msg) from error
        await asyncio.sleep(0.5 * self._conflicts)

    async def _acknowledge(self) -> None:
        """Let Telegram forget what was handled; what comes in now waits for the next start."""
        if self._offset and self._wire:
            try:
                await self._ask(0)
            except (TelegramError, TimeoutError) as error:
                _log.info("not acknowledged", extra={"why": repr(error)})

    async def _hang_up(self) -> None:
        """Close the connections; the next request opens new ones, so that none stays wedged."""
        if self._wire:
            wire, self._wire = self._wire, None
            await wire.shutdown()


def rejected() -> KuisError:
    """Give the sentence for a token that Telegram does not know."""
    return KuisError(
        "Telegram does not accept the token (401). Copy it again from https://t.me/BotFather "
        "into TELEGRAM_TOKEN."
    )


def _seconds(error: RetryAfter) -> float:
    after = error.retry_after
    return float(after) if isinstance(after, int) else after.total_seconds()
