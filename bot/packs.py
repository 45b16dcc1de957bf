"""Packs: titled, licensed files of items, in one or several languages, and all of them together."""

import difflib
import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from bot.errors import Problem, UnknownPack
from bot.ids import ItemId, PackId, ParticipantId
from bot.items import Item, keys, kind, option_count
from bot.wording import phrase

SHORT = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A pack in one language, as one file holds it."""

    id: PackId
    title: str
    language: str
    items: tuple[Item, ...]
    description: str = ""
    tags: tuple[str, ...] = ()
    licence: str = ""
    author: str = ""
    source: str = ""
    shuffle: bool = True
    file: str = field(default="", compare=False)


@dataclass(frozen=True, kw_only=True)
class Pack:
    """The editions of one pack; a person reads their own, everyone stands on one board."""

    editions: tuple[Edition, ...]

    def __post_init__(self) -> None:
        """Refuse a pack without editions, or with those of another one."""
        if len({edition.id for edition in self.editions}) != 1:
            msg = "a pack is made of the editions of one id"
            raise ValueError(msg)

    @property
    def id(self) -> PackId:
        """Name the pack."""
        return self.editions[0].id

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """List the languages the pack can be read in, in alphabetical order."""
        return tuple(sorted(edition.language for edition in self.editions))

    @cached_property
    def item_ids(self) -> tuple[ItemId, ...]:
        """List the items of all editions, in the order of the fullest one."""
        fullest = max(self.editions, key=lambda edition: len(edition.items))
        ids = dict.fromkeys(item.id for item in fullest.items)
        for edition in self.editions:
            ids |= dict.fromkeys(item.id for item in edition.items)
        return tuple(ids)

    @cached_property
    def _items(self) -> dict[tuple[str, ItemId], Item]:
        return {(e.language, item.id): item for e in self.editions for item in e.items}

    def edition(self, language: str) -> Edition:
        """Give the edition in a language, or else the first one."""
        for edition in self.editions:
            if edition.language == language:
                return edition
        return self.editions[0]

    def item(self, item_id: ItemId, language: str) -> Item | None:
        """Give an item in a language, or in another one where it is not translated."""
        for wanted in (language, *self.languages):
            if item := self._items.get((wanted, item_id)):
                return item
        return None

    def versions(self, item_id: ItemId) -> tuple[Item, ...]:
        """Give an item in every language it exists in."""
        found = (self._items.get((language, item_id)) for language in self.languages)
        return tuple(item for item in found if item)


class Reach(Enum):
    """How far a pack that somebody has brought in can be seen."""

    ROOM = "room"
    COMMUNITY = "community"
    PERSON = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The room, community or person that a pack belongs to; `target` is its name for us."""

    reach: Reach
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A pack that somebody has brought in: whose it is, where it is seen, and whether at all."""

    pack: Pack
    home: Home
    owner: ParticipantId
    published: bool = True


class Library:
    """All packs a quiz can draw from, by id.

    Those of files are for everybody: what goes through a library, counts it or finds by name
    meets only them. Those that people have brought in are seen from their homes (`within`).
    """

    def __init__(self, packs: Iterable[Pack] = ()) -> None:
        """Keep the packs in alphabetical order of their ids."""
        self._packs = {pack.id: pack for pack in sorted(packs, key=lambda pack: pack.id)}
        self._short = {short(pack.id): pack for pack in self}
        self._held: dict[PackId, Held] = {}
        self._homes: dict[Home, dict[PackId, Held]] = {}

    def __iter__(self) -> Iterator[Pack]:
        """Go through the packs."""
        return iter(self._packs.values())

    def __len__(self) -> int:
        """Count the packs."""
        return len(self._packs)

    def get(self, pack_id: PackId | str) -> Pack | None:
        """Give a pack by its exact id, or by the short form of it that a button carries.

        This finds every pack, wherever it is seen: running sessions go on with theirs.
        """
        if pack := self._packs.get(PackId(pack_id)) or self._short.get(pack_id):
            return pack
        held = self._held.get(PackId(pack_id))
        return held.pack if held else None

    def playable(self, pack_id: PackId | str) -> Pack | None:
        """Give a pack that a button names, unless its owner has taken it out of sight."""
        held = self._held.get(PackId(pack_id))
        return self.get(pack_id) if held is None or held.published else None

    def within(self, homes: Collection[Home]) -> "Library":
        """Give the packs that are seen from some homes: theirs, and those of files."""
        here = (held for home in homes for held in self._homes.get(home, {}).values())
        return Library((*self, *(held.pack for held in here if held.published)))

    # ------------------------------------------------------------ what people have brought in

    def put(self, held: Held) -> None:
        """Take in a pack that somebody has brought in, in place of an earlier form of it."""
        self.discard(held.pack.id)
        self._held[held.pack.id] = held
        self._homes.setdefault(held.home, {})[held.pack.id] = held

    def discard(self, pack_id: PackId) -> None:
        """Know a pack that somebody has brought in no longer."""
        if held := self._held.pop(pack_id, None):
            here = self._homes[held.home]
            del here[pack_id]
            if not here:
                del self._homes[held.home]

    def held(self, pack_id: PackId | str) -> Held | None:
        """Give a pack that somebody has brought in, with what is known about it."""
        return self._held.get(PackId(pack_id))

    def owned(self, owner: ParticipantId) -> tuple[Held, ...]:
        """List what somebody has brought in, by title."""
        return _by_title(held for held in self._held.values() if held.owner == owner)

    def at(self, homes: Collection[Home]) -> tuple[Held, ...]:
        """List what belongs to some homes, published or not, by title."""
        return _by_title(held for home in homes for held in self._homes.get(home, {}).values())

    def find(self, name: str) -> Pack:
        """Give the pack a person means: by id, title, or the only one beginning like that.

        Raises UnknownPack with the names that come near.
        """
        wanted = name.strip().casefold()
        names = {e.title.casefold(): pack for pack in self for e in pack.editions}
        names |= {pack.id.casefold(): pack for pack in self}
        if pack := names.get(wanted):
            return pack
        begun = {id(pack): pack for known, pack in names.items() if known.startswith(wanted)}
        if wanted and len(begun) == 1:
            return next(iter(begun.values()))
        near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
        raise UnknownPack(name, dict.fromkeys(names[match].id for match in near))


def _by_title(found: Iterable[Held]) -> tuple[Held, ...]:
    return tuple(sorted(found, key=lambda held: (held.pack.editions[0].title, held.pack.id)))


def short(pack_id: PackId) -> str:
    """Give a form of an id that fits into a button together with much else: at most 24 bytes."""
    if len(pack_id.encode()) <= SHORT:
        return pack_id
    return "~" + hashlib.sha256(pack_id.encode()).hexdigest()[: SHORT - 1]


def gather(editions: Iterable[Edition]) -> tuple[Pack, ...]:
    """Put editions of the same id together into packs; a language given twice counts once."""
    grouped: dict[PackId, dict[str, Edition]] = {}
    for edition in editions:
        grouped.setdefault(edition.id, {}).setdefault(edition.language, edition)
    return tuple(Pack(editions=tuple(group.values())) for group in grouped.values())


def problems(pack: Pack) -> tuple[Problem, ...]:
    """Report where the editions of a pack contradict one another, everything at once."""
    first, *others = pack.editions
    reference = {item.id: item for item in first.items}
    return tuple(
        Problem(file=other.file, line=item.line, item=item.id, what=what, cure=cure)
        for other in others
        for item in other.items
        if item.id in reference
        for what, cure in _contradictions(reference[item.id], item, first.file)
    )


def _contradictions(one: Item, other: Item, file: str) -> Iterator[tuple[str, str]]:
    if kind(one) != kind(other):
        yield (
            phrase(
                "This is a {other}, but a {one} in {file}.",
                other=kind(other),
                one=kind(one),
                file=file,
            ),
            phrase("Give the item the same kind of answers in both languages."),
        )
    elif option_count(one) != option_count(other):
        yield (
            phrase(
                "There are {other} options, but {one} in {file}.",
                other=option_count(other),
                one=option_count(one),
                file=file,
            ),
            phrase("Give the item the same options in the same order in both languages."),
        )
    elif keys(one) != keys(other):
        yield (
            phrase("Another option is marked as right than in {file}.", file=file),
            phrase("Put [x] at the same places in both languages."),
        )
