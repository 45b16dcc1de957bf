"""Seen: which commands and presses were obeyed, so that one delivered twice changes nothing.

Answers need no such memory: the store takes each only once.
"""

import json
from collections import OrderedDict

from bot.ports import Notes

KEPT = 30
REMEMBERED = 4096


class Seen:
    """The latest commands and presses of each chat, in the store and in memory."""

    def __init__(self, notes: Notes) -> None:
        """Take where they are noted."""
        self._notes = notes
        self._known: OrderedDict[int, list[str]] = OrderedDict()

    async def before(self, chat_id: int, key: str) -> bool:
        """Tell whether something was obeyed already."""
        return key in await self._of(chat_id)

    async def mark(self, chat_id: int, key: str) -> None:
        """Note that something is obeyed; it is on disk when this returns."""
        keys = await self._of(chat_id)
        if key not in keys:
            keys.append(key)
            del keys[:-KEPT]
            await self._notes.set_note(_key(chat_id), json.dumps(keys))

    async def _of(self, chat_id: int) -> list[str]:
        if chat_id not in self._known:
            noted = await self._notes.note(_key(chat_id))
            self._known.setdefault(chat_id, json.loads(noted) if noted else [])
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return self._known[chat_id]


def _key(chat_id: int) -> str:
    return f"telegram.seen.{chat_id}"
