"""Shelving: the library learns of packs that are stored, by this process or by any other."""

import asyncio
import logging
from collections.abc import Iterable, Sequence

from bot.aside import Aside
from bot.banks import Packs, StoredPack
from bot.ids import PackId
from bot.packs import Held, Library, Pack

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
        self._versions: dict[PackId, int] = {}

    async def refresh(self) -> None:
        """Learn of every pack that was stored, changed or deleted since the last time."""
        async with self._turn:
            stamp = await self._store.packs_stamp()
            if stamp == self._stamp:
                return
            versions = await self._store.pack_versions()
            for gone in [known for known in self._versions if known not in versions]:
                self._library.discard(gone)
                del self._versions[gone]
            new = [one for one in versions if versions[one] != self._versions.get(one)]
            for start in range(0, len(new), A_FEW):
                await self._take_in(await self._store.stored_packs(new[start : start + A_FEW]))
            self._stamp = stamp

    async def know(self, pack: PackId) -> None:
        """Make sure that a pack is known, if there is one of this id."""
        if self._library.get(pack) is None:
            await self.refresh()

    async def _take_in(self, stored: Sequence[StoredPack]) -> None:
        for one, held in zip(stored, await self._aside.do(_read, stored), strict=True):
            self._versions[one.id] = one.version
            if held:
                self._library.put(held)
            else:
                self._library.discard(one.id)
                _log.warning("a stored pack cannot be read", extra={"pack": one.id})


def _read(stored: Iterable[StoredPack]) -> list[Held | None]:
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
