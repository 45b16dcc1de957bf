"""Wishes: the quiz somebody wants, turned into a session ready to start."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.draw import Draw, draw
from bot.ids import ItemId, PackId, SessionId
from bot.modes import Rules
from bot.packs import Pack
from bot.people import Participant, Room
from bot.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A pack, rules, how many items (None: all), in which language, and which items at most.

    `seed` is drawn afresh where there is none.
    """

    pack: Pack
    rules: Rules
    count: int | None = None
    language: str = ""
    seed: int | None = None
    only: frozenset[ItemId] | None = None

    @property
    def pack_id(self) -> PackId:
        """Name the pack."""
        return self.pack.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixture:
    """A quiz over items of several packs, in this order; `pack_id` is the name it goes by."""

    pack_id: PackId
    items: tuple[tuple[PackId, ItemId], ...]
    rules: Rules
    language: str = ""


def fulfil(  # noqa: PLR0913 - what the world knows, each by name
    wish: Wish | Mixture,
    *,
    room: Room,
    by: Participant,
    language: str,
    asked: Mapping[ItemId, int],
    seed: int,
    session_id: SessionId,
    at: datetime,
) -> Session:
    """Draw the items and give the session, which is not stored yet."""
    picked, own_times = _picked(wish, language, asked, seed)
    return Session(
        id=session_id,
        room=room.id,
        starter=by.id,
        pack=wish.pack_id,
        language=language,
        rules=wish.rules,
        draw=picked,
        started=at,
        seconds=own_times if any(own_times) else (),
    )


def _picked(
    wish: Wish | Mixture, language: str, asked: Mapping[ItemId, int], seed: int
) -> tuple[Draw, tuple[int, ...]]:
    """Draw what is wished for, with the seconds that items want for themselves."""
    if isinstance(wish, Mixture):
        packs, items = (tuple(column) for column in zip(*wish.items, strict=True))
        return Draw(seed=seed, items=items, packs=packs), ()
    picked = draw(
        wish.pack,
        seed=seed if wish.seed is None else wish.seed,
        count=wish.count,
        asked=asked,
        only=wish.only,
        keep_order=wish.rules.keep_order,
    )
    drawn = (wish.pack.item(item, language) for item in picked.items)
    return picked, tuple((item and item.seconds) or 0 for item in drawn)
