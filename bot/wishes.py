"""Wishes: the quiz somebody wants, turned into a session ready to start."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.draw import draw
from bot.ids import ItemId, SessionId
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


def fulfil(  # noqa: PLR0913 - what the world knows, each by name
    wish: Wish,
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
    picked = draw(
        wish.pack,
        seed=seed if wish.seed is None else wish.seed,
        count=wish.count,
        asked=asked,
        only=wish.only,
        keep_order=wish.rules.keep_order,
    )
    items = (wish.pack.item(item, language) for item in picked.items)
    own_times = tuple((item and item.seconds) or 0 for item in items)
    return Session(
        id=session_id,
        room=room.id,
        starter=by.id,
        pack=wish.pack.id,
        language=language,
        rules=wish.rules,
        draw=picked,
        started=at,
        seconds=own_times if any(own_times) else (),
    )
