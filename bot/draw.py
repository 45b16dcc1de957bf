"""The draw: which items a session asks, in which order, and how their options are shuffled.

Everything follows from the seed. A session stores the seed and the ids; the order of an item's
options is found again from both, so nothing else has to be kept.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.ids import ItemId, PackId
from bot.items import Item, keeps_order, option_count
from bot.packs import Pack


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The items picked for one session, in the order in which they are asked.

    `packs` names the pack of each item where they are of several; empty: all are of the session's.
    """

    seed: int
    items: tuple[ItemId, ...]
    packs: tuple[PackId, ...] = ()


def draw(
    pack: Pack,
    *,
    seed: int,
    count: int | None = None,
    asked: Mapping[ItemId, int] | None = None,
    only: frozenset[ItemId] | None = None,
    keep_order: bool = False,
) -> Draw:
    """Pick items: those asked least often in the room first, at random among equals.

    That is a shuffle bag: nothing repeats until everything was asked. `asked` counts how often
    the room has seen each item, `only` limits the pick (to what was missed, say), and
    `keep_order` or a pack that must not be shuffled takes the items as they stand in the file.
    """
    ids = [item for item in pack.item_ids if only is None or item in only]
    times = asked or {}
    chance = random.Random(f"{seed}:items")  # noqa: S311 - a shuffle, not a secret
    shuffled = chance.sample(ids, len(ids))
    fresh_first = sorted(shuffled, key=lambda item: times.get(item, 0))
    picked = fresh_first[: count or len(ids)]
    if keep_order or not all(edition.shuffle for edition in pack.editions):
        picked.sort(key=ids.index)
    return Draw(seed=seed, items=tuple(picked))


def option_order(versions: Sequence[Item], *, seed: int, keep_order: bool) -> tuple[int, ...]:
    """Give the places of an item's options in the order in which they are shown.

    `versions` is the item in each of its languages: all share one order, and where one of them
    must not be shuffled none is.
    """
    order = list(range(option_count(versions[0])))
    if not (keep_order or any(map(keeps_order, versions))):
        chance = random.Random(f"{seed}:{versions[0].id}")  # noqa: S311 - a shuffle, not a secret
        chance.shuffle(order)
    return tuple(order)
