"""Banks: the packs that people have brought in, as they are stored, and what waits to be one.

A parcel is what somebody has handed in and not confirmed yet: it is stored at every step, so that
no tap is lost when the program dies.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Any, Protocol

from bot.building import build
from bot.drafts import Draft, DraftOption
from bot.formats import markdown
from bot.formats.keying import filled
from bot.ids import PackId, ParticipantId, RoomId
from bot.items import Item
from bot.packs import Edition, Home, Reach
from bot.people import Alias, Room
from bot.text import Markdown, plain, tidy

MOST_ITEMS = 500
MOST_PACKS = 50
MOST_PARCELS = 10
LONGEST_TITLE = 80
LEFT = "0"
"""The key of a question that is left without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPack:
    """A pack that somebody has brought in; `text` is it as native Markdown.

    `title` counts, not the one in the text. `owner` is empty once its owner has been forgotten.
    `version` grows with every change.
    """

    id: PackId
    owner: ParticipantId
    home: Home
    language: str
    title: str
    text: str
    created: datetime
    changed: datetime
    published: bool = True
    version: int = 1

    def edition(self) -> Edition | None:
        """Read the pack; None if its text has been damaged."""
        found = markdown.read(self.text, self.id).edition
        return replace(found, id=self.id, title=self.title) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What an index says of a pack."""

    version: int
    home: Home
    owner: ParticipantId


class Stage(Enum):
    """What a parcel waits for: more polls, a decision, or the new title of a pack."""

    COLLECTING = "collecting"
    READY = "ready"
    RENAMING = "renaming"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """What somebody has handed in somewhere, and what is known about it so far.

    `text` holds the good items as native Markdown, `waiting` the questions without an answer and
    `keys` their answers so far: a number, LEFT, or nothing yet. `shared` says that the room may
    have it, `lines` what is remarkable, as Markdown. `credit` is the licence, the author and the
    source. `pack` is what is to be renamed.
    """

    id: str
    owner: ParticipantId
    room: RoomId
    changed: datetime
    stage: Stage = Stage.READY
    shared: bool = False
    title: str = ""
    file: str = ""
    language: str = "en"
    text: str = ""
    found: int = 0
    imported: int = 0
    skipped: int = 0
    waiting: tuple[Draft, ...] = ()
    keys: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    credit: tuple[str, str, str] = ("", "", "")
    tags: tuple[str, ...] = ()
    pack: str = ""

    @property
    def unanswered(self) -> tuple[int, ...]:
        """List the places of the questions that still wait for their answer."""
        return tuple(place for place, key in enumerate(self.keys) if not key)

    def with_key(self, place: int, key: str) -> "Parcel":
        """Give the answer to a question that waits for one; a second answer changes nothing,
        nor does one that is none of its options.
        """
        if place not in self.unanswered:
            return self
        numbers = range(1, len(self.waiting[place].options) + 1)
        if key not in {LEFT, *map(str, numbers)}:
            return self
        return replace(self, keys=(*self.keys[:place], key, *self.keys[place + 1 :]))

    def items(self) -> tuple[Item, ...]:
        """Give the good items, and those that have been given their answer."""
        edition = markdown.read(self.text, self.file).edition if self.text else None
        keyed = (
            build(filled(draft, key)[0], self.file)
            for draft, key in zip(self.waiting, self.keys, strict=True)
            if key not in {"", LEFT}
        )
        built = (item for item in keyed if not isinstance(item, tuple))
        return (*(edition.items if edition else ()), *built)


class Packs(Protocol):
    """Packs that people have brought in, and parcels."""

    async def packs_stamp(self) -> str:
        """Give a sign that changes with every change of a pack; empty before the first one."""

    async def pack_index(self) -> Mapping[PackId, Listed]:
        """List every pack."""

    async def stored_packs(self, ids: Collection[PackId]) -> Sequence[StoredPack]:
        """Give packs by their ids, sorted by these; one that is not known is left out."""

    async def keep_pack(self, pack: StoredPack, *, parcel: str = "") -> bool:
        """Store a pack, or its corrected form; the parcel it was made of is gone then.

        Nothing is stored, and False given, if the parcel was not there any more. What is kept of
        an earlier form is when it was created.
        """

    async def set_pack(
        self, pack: PackId, *, title: str | None = None, published: bool | None = None
    ) -> None:
        """Rename a pack, or take it out of sight or back."""

    async def delete_pack(self, pack: PackId) -> None:
        """Delete a pack; what was answered stays."""

    async def keep_parcel(self, parcel: Parcel) -> None:
        """Store a parcel as it is now; of its owner's only the latest few stay."""

    async def parcel(self, parcel: str) -> Parcel | None:
        """Give a parcel."""

    async def parcels(self, owner: ParticipantId) -> Sequence[Parcel]:
        """List the parcels of a person, the latest first."""

    async def drop_parcel(self, parcel: str) -> None:
        """Forget a parcel."""

    async def drop_parcels(self, before: datetime) -> None:
        """Forget the parcels that nobody has touched since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A corrected pack: its items, and how many of them an earlier form had already."""

    items: tuple[Item, ...]
    kept: int = field(default=0)


def merged(old: Sequence[Item], new: Sequence[Item]) -> Merged:
    """Give new items the ids that they had in an earlier form of the pack.

    Items are the same if they ask the same; else if they have the same id and the old one of it
    asks nothing that is still asked. So histories stay with what was answered.
    """
    asked: dict[str, list[Item]] = {}
    for item in old:
        asked.setdefault(_asks(item), []).append(item)
    found = [known.pop(0) if (known := asked.get(_asks(item))) else None for item in new]
    taken = {item.id for item in found if item}
    free = {item.id for item in old} - taken
    items = []
    for item, same in zip(new, found, strict=True):
        if same:
            items.append(replace(item, id=same.id))
            continue
        name, number = item.id, 1
        while name in taken:
            number += 1
            name = type(item.id)(f"{item.id[:60]}-{number}")
        taken.add(name)
        items.append(replace(item, id=name))
    kept = sum(1 for item in found if item) + len(free & {item.id for item in items})
    return Merged(items=tuple(items), kept=kept)


def homes(room: Room, person: ParticipantId) -> frozenset[Home]:
    """Give the homes whose packs somebody sees in a room: its own, its community's, theirs."""
    found = {
        Home(reach=Reach.ROOM, target=room.id),
        Home(reach=Reach.PERSON, target=person),
    }
    return frozenset(found | ({community(room)} if room.community else set()))


def community(room: Room) -> Home:
    """Give the home of all rooms of a community."""
    return community_of(replace(room.alias, external=room.community))


def community_of(alias: Alias) -> Home:
    """Give the home of the community that a platform calls by this name."""
    return Home(reach=Reach.COMMUNITY, target=f"{alias.platform}:{alias.external}")


def place(room: Room) -> Home:
    """Give the home that a room is: a group without topics is its community at once."""
    if room.community and room.community == room.alias.external:
        return community(room)
    return Home(reach=Reach.ROOM, target=room.id)


def dump(parcel: Parcel) -> str:
    """Write what a store need not understand of a parcel."""
    fields = asdict(parcel)
    for known in ("id", "owner", "room", "changed"):
        del fields[known]
    fields["stage"] = parcel.stage.value
    return json.dumps(fields, ensure_ascii=False)


def load(state: str, **known: Any) -> Parcel:  # noqa: ANN401 - the columns of a row
    """Read back what `dump` wrote; `known` are the id, owner, room and time of the change."""
    fields = json.loads(state)
    fields["stage"] = Stage(fields["stage"])
    fields["waiting"] = tuple(map(_draft, fields["waiting"]))
    for name in ("keys", "lines", "credit", "tags"):
        fields[name] = tuple(fields[name])
    return Parcel(**fields, **known)


def _draft(fields: dict[str, Any]) -> Draft:
    options = tuple(DraftOption(**option) for option in fields["options"])
    plural = {name: tuple(fields[name]) for name in ("accepted", "credits", "tags")}
    return Draft(**fields | plural | {"options": options})


def _asks(item: Item) -> str:
    return tidy(plain(Markdown(item.stem))).casefold() or item.stem
