"""Via: what an update leaves in the engine's hands, so that its chat can answer it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum

from adapters.telegram.places import Someone, Spot


class Cause(Enum):
    """What somebody did: it decides how they can be told something privately."""

    VOTE = "vote"
    PRESS = "press"
    COMMAND = "command"
    TEXT = "text"


async def _nothing() -> None:
    pass


@dataclass(slots=True, eq=False, kw_only=True)
class Via:
    """One thing somebody did: where, who, with which message or button.

    `settle` says that all is stored that this update can change; Telegram may forget it then.
    """

    cause: Cause
    someone: Someone
    spot: Spot
    message_id: int = 0
    query_id: str = ""
    settle: Callable[[], Awaitable[None]] = _nothing

    def open_query(self) -> str:
        """Give the id of a button press that was not answered yet; it counts as answered now."""
        query_id, self.query_id = self.query_id, ""
        return query_id
