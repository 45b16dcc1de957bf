"""Corrections: keys that turned out to be wrong, laid over packs whose files stay as they are.

A correction holds everywhere or in one room; of several that reach a room the latest counts. It
holds for as long as the files mark what it has corrected: an author who mends the file needs it
no more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import Protocol

from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse, keys, option_count
from bot.packs import Pack
from bot.text import Markdown
from bot.wording import phrase, words

EVERYWHERE = RoomId("")
"""The room of a correction that holds in all of them."""

OPERATOR = ParticipantId("")
"""Who decides on the command line."""

CORRECTED = phrase("What is marked as right here was corrected.")


class Reason(Enum):
    """What somebody finds wrong with an item; the value is what stores keep."""

    UNSAID = ""
    KEY = "key"
    SEVERAL = "several"
    UNCLEAR = "unclear"
    TYPO = "typo"


class State(Enum):
    """What has become of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """One person's doubt about an item as it was put to them in a turn of a session."""

    session: SessionId
    turn: int
    room: RoomId
    pack: PackId
    item: ItemId
    participant: ParticipantId
    at: datetime
    reason: Reason = Reason.UNSAID
    state: State = State.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is right of an item from now on: `keys` are places in the file, counted from 0.

    `was` are the places that the files mark, `by` who decided (empty: the operator). `id` is 0
    until the store has given one.
    """

    pack: PackId
    item: ItemId
    keys: frozenset[int]
    was: frozenset[int]
    at: datetime
    room: RoomId = EVERYWHERE
    by: ParticipantId = OPERATOR
    undone: bool = False
    id: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescored:
    """What a correction has changed, or would: how many people in which rooms, and responses."""

    correction: Correction
    people: int = 0
    responses: int = 0
    rooms: Mapping[RoomId, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """An accepted correction that a room has challenged, and may not have heard of yet."""

    room: RoomId
    pack: PackId
    item: ItemId
    people: int


class Corrections(Protocol):
    """Challenges and corrections, as they are kept."""

    async def challenge(self, challenge: Challenge) -> bool:
        """Keep a challenge; only one for each person, item and room. Tells whether it is new.

        One that is still open takes on a reason that is said later.
        """

    async def challenges(self, room: RoomId | None = None) -> Sequence[Challenge]:
        """List the open challenges, oldest first: of a room, or of all."""

    async def reject(
        self, pack: PackId, item: ItemId, room: RoomId | None, by: ParticipantId, at: datetime
    ) -> int:
        """Turn down the open challenges of an item in a room, or in all; gives how many."""

    async def stamp(self) -> int:
        """Give a number that grows with every correction and everything taken back."""

    async def corrections(self) -> tuple[int, Sequence[Correction]]:
        """Give the stamp, and every correction there ever was, oldest first."""

    async def correct(
        self, correction: Correction, versions: Sequence[Item], *, trial: bool = False
    ) -> Rescored:
        """Keep a correction and grade every response to the item that it reaches again, in one
        transaction; challenges in its room are accepted. A `trial` only tells what would change.

        `versions` is the item in each language as the files have it.
        """

    async def undo(
        self, correction: int, versions: Sequence[Item], *, trial: bool = False
    ) -> Rescored | None:
        """Take a correction back, as `correct` makes it; None if there is none in force."""

    async def news(self, platforms: Sequence[str]) -> Sequence[News]:
        """Take what rooms of platforms are to be told; each is given once, to one process."""


def can_be_corrected(item: Item) -> bool:
    """Tell whether another key can be marked: typed items need their file mended."""
    return option_count(item) > 0


def allowed(item: Item, right: frozenset[int]) -> bool:
    """Tell whether places can be the keys of an item."""
    one = isinstance(item, TrueFalse) and len(right) != 1
    return bool(right) and not one and right <= set(range(option_count(item)))


def in_force(log: Sequence[Correction], room: RoomId) -> Mapping[tuple[PackId, ItemId], Correction]:
    """Give what holds in a room; `log` is oldest first."""
    reaching = (one for one in log if not one.undone and one.room in {EVERYWHERE, room})
    return {(one.pack, one.item): one for one in reaching}


def corrected(item: Item, correction: Correction | None, language: str) -> Item:
    """Give an item with the key that holds; as it is if the files do not say any more what was
    corrected.
    """
    if isinstance(item, ShortText | Numeric) or correction is None:
        return item
    if keys(item) != correction.was or not allowed(item, correction.keys):
        return item
    right = correction.keys
    note = f"*{words(language).say(CORRECTED)}*"
    told = Markdown(f"{item.rationale}\n\n{note}" if item.rationale else note)
    match item:
        case Choice():
            bare = tuple(replace(option, weight=None) for option in item.options)
            key = min(right)
            return replace(item, options=bare, key=key, also=right - {key}, rationale=told)
        case MultiChoice():
            bare = tuple(replace(option, weight=None) for option in item.options)
            return replace(item, options=bare, keys=right, rationale=told)
        case TrueFalse():
            return replace(item, key=0 in right, rationale=told)


def overlaid(pack: Pack, holding: Mapping[tuple[PackId, ItemId], Correction]) -> Pack:
    """Give a pack with the corrections that hold laid over each of its editions."""
    if not any(pack.id == of for of, _ in holding):
        return pack
    return Pack(
        editions=tuple(
            replace(
                edition,
                items=tuple(
                    corrected(item, holding.get((pack.id, item.id)), edition.language)
                    for item in edition.items
                ),
            )
            for edition in pack.editions
        )
    )
