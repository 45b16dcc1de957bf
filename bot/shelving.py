"""Shelving: the library learns of packs that are stored, by this process or by any other.

What there is stands in an index that is read again when anything has changed; a pack itself is
read when somebody comes who can see it, or a session that was begun with it.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence

from bot.aside import Aside
from bot.banks import Listed, Packs, StoredPack, homes
from bot.ids import PackId, ParticipantId
from bot.packs import Held, Home, Library, Pack
from bot.people import Room

_log = logging.getLogger(__name__)

A_FEW = 20


class Shelves:
    """Keeps a library in step with the store; looking whether anything is new costs one read."""

    def __init__(self, *, store: Packs, library: Library) -> None:
        """Take where packs are kept, and who is to know of them."""
        self._store = store
        self._library = library
        self._aside = Aside()
        self._turn = asyncio.Lock()
        self._stamp = ""
        self._index: dict[PackId, Listed] = {}
        self._places: dict[Home | ParticipantId, list[PackId]] = {}
        self._known: dict[PackId, int] = {}

    async def refresh(self) -> None:
        """Learn what there is; of packs that are known, also what has changed about them."""
        async with self._turn:
            stamp = await self._store.packs_stamp()
            if stamp == self._stamp:
                return
            self._index = dict(await self._store.pack_index())
            self._places = {}
            for pack, listed in self._index.items():
                self._places.setdefault(listed.home, []).append(pack)
                self._places.setdefault(listed.owner, []).append(pack)
            self._stamp = stamp
        for gone in [known for known in self._known if known not in self._index]:
            self._library.discard(gone)
            del self._known[gone]
        await self._load(tuple(self._known))

    async def look(self, room: Room, person: ParticipantId) -> None:
        """Know every pack that somebody sees in a room, or has brought in anywhere."""
        await self.refresh()
        here: tuple[Home | ParticipantId, ...] = (*homes(room, person), person)
        await self._load([pack for one in here for pack in self._places.get(one, ())])

    async def know(self, *packs: PackId) -> None:
        """Know packs, as far as there are any of these ids."""
        unknown = [pack for pack in packs if self._library.get(pack) is None]
        if unknown:
            await self.refresh()
            await self._load(unknown)

    async def _load(self, packs: Iterable[PackId]) -> None:
        """Read packs that are not known as they are now."""
        listed = {pack: self._index[pack].version for pack in packs if pack in self._index}
        new = [pack for pack, version in listed.items() if self._known.get(pack) != version]
        for start in range(0, len(new), A_FEW):
            stored = await self._store.stored_packs(new[start : start + A_FEW])
            for one, held in zip(stored, await self._aside.do(_read, stored), strict=True):
                self._take_in(one, held)

    def _take_in(self, stored: StoredPack, held: Held | None) -> None:
        """Know a pack, unless it was deleted or read anew meanwhile."""
        if stored.id not in self._index or stored.version < self._known.get(stored.id, 0):
            return
        self._known[stored.id] = stored.version
        if held:
            self._library.put(held)
        else:
            self._library.discard(stored.id)
            _log.warning("a stored pack cannot be read", extra={"pack": stored.id})


def _read(stored: Sequence[StoredPack]) -> list[Held | None]:
    return [_held(one) for one in stored]


def _held(stored: StoredPack) -> Held | None:
    edition = stored.edition()
    if edition is None:
        return None
    return Held(
        pack=Pack(editions=(edition,)),
        home=stored.home,
        owner=stored.owner,
        published=stored.published,
    )
