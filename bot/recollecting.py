"""Recollecting: somebody's cards, derived from all they have answered anywhere."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.agenda import Agenda, agenda, fitting, mistakes
from bot.ids import ItemId, PackId, ParticipantId
from bot.items import kind
from bot.memory import Card, Key, Trace, cards, seconds_each
from bot.packs import Edition, Library
from bot.people import Room
from bot.ports import Store
from bot.reminders import Reminder
from bot.shelving import Shelves

FEW = 200
"""So many responses are worked through faster than a thread is found for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What somebody's memory holds; `answered` is when they gave their latest answer."""

    zone: ZoneInfo
    cards: Mapping[Key, Card] = field(default_factory=dict)
    each: float | None = None
    answered: datetime | None = None

    def agenda(self, *, now: datetime, seed: int = 0) -> Agenda:
        """Say what is to be reviewed."""
        return agenda(self.cards.values(), now=now, zone=self.zone, seed=seed)

    def mistakes(self, *, now: datetime) -> Sequence[Card]:
        """List what was missed lately."""
        return mistakes(self.cards.values(), now=now)

    def fitting(self, minutes: int | None = None) -> int:
        """Say how many items fit into some minutes."""
        return fitting(self.each, minutes)


class Recollection:
    """Derives cards whenever they are asked for; nothing is kept that could grow old."""

    def __init__(self, *, store: Store, library: Library, shelves: Shelves) -> None:
        """Take where responses are read, which items exist, and who finds stored packs."""
        self._store = store
        self._library = library
        self._shelves = shelves

    async def of(self, participant: ParticipantId, zone: ZoneInfo) -> Known:
        """Recollect what the person behind a participant has answered, by a calendar's days."""
        traces = await self._store.memories(await self._store.identities(participant))
        await self._shelves.know(*dict.fromkeys(trace.pack for trace in traces))
        if len(traces) <= FEW:
            return self._known(traces, zone)
        return await asyncio.to_thread(self._known, traces, zone)

    def _known(self, traces: Sequence[Trace], zone: ZoneInfo) -> Known:
        return Known(
            zone=zone,
            cards=cards(traces, self._kind, zone),
            each=seconds_each(traces),
            answered=traces[-1].at if traces else None,
        )

    def _kind(self, pack_id: PackId, item_id: ItemId) -> str | None:
        pack = self._library.get(pack_id)
        item = pack.item(item_id, "") if pack else None
        return kind(item) if item else None


def keys(found: Iterable[Card]) -> tuple[Key, ...]:
    """Name the items of cards."""
    return tuple(card.key for card in found)


def zone_of(reminder: Reminder | None, room: Room) -> ZoneInfo:
    """Give the calendar somebody lives by: that of their reminder, or else of the room."""
    return ZoneInfo(reminder.zone) if reminder else room.zone


def collected(library: Library, wanted: Iterable[Key], language: str, title: str) -> Edition:
    """Put items of several packs together to be taken elsewhere; what is gone is left out.

    Each is named after its pack and itself, so that taken twice it is still the same.
    """
    found = ((key, library.get(key[0])) for key in wanted)
    items = ((key, pack.item(key[1], language) if pack else None) for key, pack in found)
    return Edition(
        id=PackId("kuis-missed"),
        title=f"Kuis: {title}",
        language=language,
        items=tuple(replace(item, id=ItemId("/".join(key))) for key, item in items if item),
    )
