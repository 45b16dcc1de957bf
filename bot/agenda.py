"""The agenda: which of somebody's cards are due, which soon, and which were missed lately."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.memory import Card, day_of

MINUTES = 5
FEWEST, MOST = 5, 20
LIMIT = 100
READING = 10.0
"""Seconds to read a question's answer, beside the time to give one."""

GUESSED = 20.0
"""Seconds for an answer of somebody who has not given any that was timed."""

LATELY = timedelta(days=30)
"""Mistakes are recent for so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """What is to be reviewed: `due` by today, most urgent first; how many are due `tomorrow`;
    and `later` all that is not due yet, soonest first.
    """

    due: Sequence[Card] = ()
    tomorrow: int = 0
    later: Sequence[Card] = ()


def agenda(cards: Iterable[Card], *, now: datetime, zone: ZoneInfo, seed: int = 0) -> Agenda:
    """Sort cards by when they are due on somebody's calendar.

    What somebody was sure of and wrong about comes first: it will not be doubted unless it is asked
    again. After that the most urgent is what is least likely to be remembered. What is equally
    urgent is mixed by the seed, so that packs and languages come in turns.
    """
    today = day_of(now, zone)
    mixed = sorted(cards, key=lambda card: card.key)
    random.Random(f"{seed}:review").shuffle(mixed)  # noqa: S311 - a shuffle, not a secret
    due = [card for card in mixed if card.due <= today]
    later = [card for card in mixed if card.due > today]
    return Agenda(
        due=sorted(due, key=lambda card: (not card.misled, _kept(card, today))),
        tomorrow=sum(card.due == today + timedelta(days=1) for card in later),
        later=sorted(later, key=lambda card: card.due),
    )


def mistakes(cards: Iterable[Card], *, now: datetime) -> Sequence[Card]:
    """List what was not answered right when it was answered last, in the last thirty days; what
    somebody was sure of first, else the most recent, and at most twenty.
    """
    missed = [card for card in cards if card.grade < 1 and now - LATELY <= card.at]
    return sorted(missed, key=lambda card: (card.misled, card.at), reverse=True)[:MOST]


def fitting(each: float | None, minutes: int | None = None) -> int:
    """Say how many items fit into some minutes for who takes `each` seconds for an answer.

    Who does not say how many minutes gets about five of them, and from 5 to 20 items.
    """
    fits = round(60 * (minutes or MINUTES) / ((each or GUESSED) + READING))
    if minutes is None:
        return min(max(fits, FEWEST), MOST)
    return min(max(fits, 1), LIMIT)


def _kept(card: Card, today: date) -> float:
    """Say how well an item is likely to be remembered by now, in no particular unit."""
    return card.stability / max(1, (today - card.last).days)
