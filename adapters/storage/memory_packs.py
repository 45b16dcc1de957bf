"""Packs in memory: those that people have brought in, and the parcels that wait to be one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from adapters.storage.memory_responses import MemoryData
from adapters.storage.values import clean, new_id, now
from bot.banks import MOST_PARCELS, Listed, Parcel, StoredPack
from bot.ids import PackId, ParticipantId


class MemoryPacks(MemoryData):
    """The part of the store that keeps banks."""

    async def packs_stamp(self) -> str:
        """Give a sign that changes with every change of a pack; empty before the first one."""
        return self._packs_stamp

    async def pack_index(self) -> Mapping[PackId, Listed]:
        """List every pack."""
        return {
            one.id: Listed(version=one.version, home=one.home, owner=one.owner)
            for one in self._packs.values()
        }

    async def stored_packs(self, ids: Collection[PackId]) -> Sequence[StoredPack]:
        """Give packs by their ids, sorted by these; one that is not known is left out."""
        return [self._packs[one] for one in sorted(ids) if one in self._packs]

    async def keep_pack(self, pack: StoredPack, *, parcel: str = "") -> bool:
        """Store a pack, or its corrected form; the parcel it was made of is gone then.

        Nothing is stored, and False given, if the parcel was not there any more.
        """
        if parcel and not self._parcels.pop(parcel, None):
            return False
        if known := self._packs.get(pack.id):
            pack = replace(pack, created=known.created, version=known.version + 1)
        self._keep_pack(replace(pack, title=clean(pack.title), text=clean(pack.text)))
        return True

    async def set_pack(
        self, pack: PackId, *, title: str | None = None, published: bool | None = None
    ) -> None:
        """Rename a pack, or take it out of sight or back."""
        if known := self._packs.get(pack):
            changed = replace(
                known,
                title=known.title if title is None else clean(title),
                published=known.published if published is None else published,
                version=known.version + 1,
                changed=now(),
            )
            self._keep_pack(changed)

    async def delete_pack(self, pack: PackId) -> None:
        """Delete a pack; what was answered stays."""
        self._packs.pop(pack, None)
        self._packs_stamp = new_id()

    async def keep_parcel(self, parcel: Parcel) -> None:
        """Store a parcel as it is now; of its owner's only the latest few stay."""
        self._parcels[parcel.id] = parcel
        for old in (await self.parcels(parcel.owner))[MOST_PARCELS:]:
            del self._parcels[old.id]

    async def parcel(self, parcel: str) -> Parcel | None:
        """Give a parcel."""
        return self._parcels.get(parcel)

    async def parcels(self, owner: ParticipantId) -> Sequence[Parcel]:
        """List the parcels of a person, the latest first."""
        own = [one for one in self._parcels.values() if one.owner == owner]
        return sorted(own, key=lambda one: (one.changed, one.id), reverse=True)

    async def drop_parcel(self, parcel: str) -> None:
        """Forget a parcel."""
        self._parcels.pop(parcel, None)

    async def drop_parcels(self, before: datetime) -> None:
        """Forget the parcels that nobody has touched since."""
        self._parcels = {k: one for k, one in self._parcels.items() if one.changed >= before}

    def _keep_pack(self, pack: StoredPack) -> None:
        self._packs[pack.id] = pack
        self._packs_stamp = new_id()
