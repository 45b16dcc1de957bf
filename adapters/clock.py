"""The clock of the world; tests have their own."""

import asyncio
from datetime import UTC, datetime


class SystemClock:
    """Tells the time of this computer."""

    def now(self) -> datetime:
        """Give the current time, aware, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - here is the clock to ask

    async def sleep_until(self, at: datetime) -> None:
        """Come back at a time, or at once if it has passed; a clock that is set is followed."""
        while (left := (at - self.now()).total_seconds()) > 0:  # noqa: ASYNC110 - time is no event
            await asyncio.sleep(min(left, 60.0))
