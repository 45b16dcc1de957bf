"""Keying: which keys hold in which room, as this process knows it.

Packs are given as their files have them, with the corrections of the room laid over. Another
process may have made a correction since: the store takes no response that was graded before it.
"""

from bot.corrections import EVERYWHERE, Correction, Corrections, in_force, overlaid
from bot.ids import PackId, RoomId
from bot.packs import Library, Pack


class Keys:
    """The packs of a library with the keys that hold; `stamp` says up to which correction."""

    def __init__(self, *, store: Corrections, library: Library) -> None:
        """Take where corrections are read, and the packs."""
        self._store = store
        self._library = library
        self._log: tuple[Correction, ...] = ()
        self._own: frozenset[RoomId] = frozenset()
        self._made: dict[tuple[PackId, RoomId], tuple[Pack, Pack]] = {}
        self.stamp = 0

    async def refresh(self) -> None:
        """Read what was corrected since; costs one small look if nothing was."""
        if await self._store.stamp() != self.stamp:
            self.stamp, log = await self._store.corrections()
            self._log = tuple(log)
            self._own = frozenset(one.room for one in self._log)
            self._made.clear()

    def original(self, pack: PackId) -> Pack | None:
        """Give a pack as its files have it."""
        return self._library.get(pack)

    def pack(self, pack: PackId, room: RoomId = EVERYWHERE) -> Pack | None:
        """Give a pack with the keys that hold in a room."""
        original = self._library.get(pack)
        if original is None or not self._log:
            return original
        place = (original.id, room if room in self._own else EVERYWHERE)
        source, made = self._made.get(place, (None, original))
        if source is not original:
            made = overlaid(original, in_force(self._log, place[1]))
            self._made[place] = (original, made)
        return made

    def latest(self, pack: PackId, item: str, room: RoomId = EVERYWHERE) -> Correction | None:
        """Give the last correction of an item made for just this room (or everywhere)."""
        here = (
            one
            for one in reversed(self._log)
            if (one.pack, one.item, one.room) == (pack, item, room) and not one.undone
        )
        return next(here, None)

    def find(self, correction: int) -> Correction | None:
        """Give a correction by its number."""
        return next((one for one in self._log if one.id == correction), None)
