"""Memory: what somebody's responses say about each item they have met, scheduled by FSRS.

A card is the memory of one person for one item. Cards are never stored: they follow from the
responses, so whatever becomes of those (deleted, graded anew, joined with another account's), the
cards are right without any upkeep. docs/review.md says why the rules are what they are.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeAlias
from zoneinfo import ZoneInfo

from bot.ids import ItemId, PackId, ParticipantId

if TYPE_CHECKING:
    from fsrs import Scheduler

QUICK = 0.5
"""A right answer in less than this share of the usual time is an easy one."""

ENOUGH = 5
"""So many right answers of a kind it takes to know how long they usually take."""

LATEST = 50
"""The usual time is that of so many latest answers."""

Key: TypeAlias = tuple[PackId, ItemId]
Kind: TypeAlias = Callable[[PackId, ItemId], str | None]
"""Names the kind of an item; None for an item that exists no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A response as memory sees it.

    `elapsed` is in seconds, 0 where it is not known; `unsure` is what the person has said of
    their own confidence, None where nobody asked.
    """

    pack: PackId
    item: ItemId
    grade: float
    at: datetime
    elapsed: float = 0.0
    unsure: bool | None = None


class Memories(Protocol):
    """Everything somebody has answered, as far as memory needs it."""

    async def memories(self, participants: Collection[ParticipantId]) -> Sequence[Trace]:
        """List all responses of participants who are one person, oldest first."""


class Rating(IntEnum):
    """How well an item was remembered, in the terms (and numbers) of FSRS."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The memory of one person for one item, by days of their own calendar.

    `stability` is in days: after so many the item is remembered with a probability of nine in
    ten. `grade` is that of the latest response, which came in `at`, on the day `last`; `misled`
    tells that it was wrong and the person sure of it.
    """

    pack: PackId
    item: ItemId
    stability: float
    grade: float
    at: datetime
    last: date
    due: date
    misled: bool = False

    @property
    def key(self) -> Key:
        """Name the item."""
        return self.pack, self.item

    @property
    def interval(self) -> int:
        """Count the days from the latest response to the next review."""
        return (self.due - self.last).days


def rating(trace: Trace, *, usual: float | None = None, repeated: bool = False) -> Rating:
    """Rate a response.

    `usual` is how many seconds this person takes for a right answer of this kind, None as long
    as nobody knows; `repeated` tells that the item was answered earlier on the same day, when
    being quick is no merit.
    """
    if trace.grade <= 0:
        return Rating.AGAIN
    if trace.grade < 1 or trace.unsure:
        return Rating.HARD
    quick = usual is not None and 0 < trace.elapsed < QUICK * usual
    return Rating.EASY if quick and not repeated else Rating.GOOD


def rated(
    traces: Iterable[Trace], kind: Kind, zone: ZoneInfo
) -> Sequence[tuple[Trace, date, Rating]]:
    """Rate responses in the order of time, each with the day it came in; items that exist no
    more are left out. A response is rated by what came before it, so no rating changes later.
    """
    usual = _Pace()
    seen: dict[Key, date] = {}
    found = []
    for trace in sorted(traces, key=lambda one: one.at):
        named = kind(trace.pack, trace.item)
        if named is None:
            continue
        day = day_of(trace.at, zone)
        key = trace.pack, trace.item
        repeated = seen.get(key) == day
        found.append((trace, day, rating(trace, usual=usual.of(named), repeated=repeated)))
        seen[key] = day
        if trace.grade >= 1 and trace.elapsed > 0:
            usual.heard(named, trace.elapsed)
    return found


def cards(traces: Iterable[Trace], kind: Kind, zone: ZoneInfo) -> Mapping[Key, Card]:
    """Derive the cards of one person from all they have ever answered, in any order."""
    from fsrs import Card as Memory  # noqa: PLC0415 - loaded when first needed
    from fsrs import Rating as Grade  # noqa: PLC0415

    scheduler = _scheduler()
    grades = {one: Grade(one.value) for one in Rating}
    memories: dict[Key, Memory] = {}
    latest: dict[Key, tuple[Trace, date]] = {}
    for trace, day, how in rated(traces, kind, zone):
        key = trace.pack, trace.item
        then = datetime.combine(day, time(), UTC)
        memory = memories.get(key) or Memory(card_id=0, due=then)
        memories[key], _ = scheduler.review_card(memory, grades[how], then)
        latest[key] = trace, day
    return {
        key: Card(
            pack=trace.pack,
            item=trace.item,
            stability=memories[key].stability or 0.0,
            grade=trace.grade,
            at=trace.at,
            last=day,
            due=memories[key].due.date(),
            misled=trace.grade <= 0 and trace.unsure is False,
        )
        for key, (trace, day) in latest.items()
    }


def seconds_each(traces: Sequence[Trace]) -> float | None:
    """Give how long somebody usually takes for an answer, of whatever kind; None without any."""
    known = [trace.elapsed for trace in traces if trace.elapsed > 0]
    return _median(known[-LATEST:]) if known else None


def day_of(at: datetime, zone: ZoneInfo) -> date:
    """Give the day of an instant by somebody's calendar."""
    return at.astimezone(zone).date()


@lru_cache(maxsize=1)
def _scheduler() -> "Scheduler":
    """Make the one scheduler: whole days, and nothing left to chance.

    Steps of minutes are for flash cards that come again until they are known. Here a quiz is the
    learning, `/missed` asks again at once, and a card waits for another day.
    """
    from fsrs import Scheduler  # noqa: PLC0415 - loaded when first needed

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def _median(times: Iterable[float]) -> float:
    """Give the middle of times; the library's own costs a start ten milliseconds."""
    ordered = sorted(times)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


class _Pace:
    """How long right answers of each kind have taken lately, in seconds."""

    def __init__(self) -> None:
        self._times: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=LATEST))

    def of(self, kind: str) -> float | None:
        times = self._times[kind]
        return _median(times) if len(times) >= ENOUGH else None

    def heard(self, kind: str, elapsed: float) -> None:
        self._times[kind].append(elapsed)
