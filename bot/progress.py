"""Progress: how somebody is doing, week by week and pack by pack, and what to do next."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

from bot.ids import ItemId, PackId, RoomId
from bot.packs import Library, Pack
from bot.records import Taken

WEEKS = 7
DAYS = 84
SUBJECTS = 5
TWICE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """What counted in the week that begins on a Monday: `right` sums grades."""

    monday: date
    answered: int = 0
    right: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What counted in a pack, and how many of its items are mastered: the last answer is right,
    and it is not the only right one.
    """

    pack: PackId
    title: str
    answered: int
    right: float
    mastered: int
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sureness:
    """How often answers that were given as `sure` or not were right."""

    sure: bool
    answered: int
    right: float


class Move(Enum):
    """What can be done next about a pack."""

    MISSED = "missed"
    UNSEEN = "unseen"
    AGAIN = "again"
    NEW = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What to do next, in which pack, and how many items it is about."""

    move: Move
    pack: PackId
    title: str
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How somebody is doing.

    Of the answers to an item in a room the first of each week counts, as on leaderboards;
    `right` sums the grades of those. `weeks` are the last ones without gaps, oldest first;
    `subjects` the packs of last time first. `days` are those of the last twelve weeks on which
    anything was answered, `streak` how many there are in a row up to `today`. `calibration` is
    None where nobody is asked how sure they are.
    """

    today: date
    answered: int = 0
    right: float = 0.0
    points: int = 0
    sessions: int = 0
    weeks: tuple[Week, ...] = ()
    subjects: tuple[Subject, ...] = ()
    days: tuple[date, ...] = ()
    streak: int = 0
    step: Step | None = None
    calibration: tuple[Sureness, ...] | None = None

    @property
    def accuracy(self) -> float:
        """Give the share of answers that were right, from 0 to 1."""
        return self.right / self.answered if self.answered else 0.0


@dataclass(slots=True)
class _Known:
    """What somebody has shown about the items of a pack."""

    last: dict[ItemId, float] = field(default_factory=dict)
    right: Counter[ItemId] = field(default_factory=Counter)

    def mastered(self, item: ItemId) -> bool:
        return self.last.get(item, 0.0) >= 1 and self.right[item] >= TWICE


def progress(
    taken: Iterable[Taken], *, library: Library, today: date, zone: ZoneInfo, language: str
) -> Progress:
    """Sum up somebody's responses, oldest first."""
    steps = list(taken)
    counted = _counted(steps)
    known: dict[PackId, _Known] = defaultdict(_Known)
    for one in steps:
        known[one.pack].last[one.item] = one.grade
        known[one.pack].right[one.item] += one.grade >= 1
    days = {one.at.astimezone(zone).date() for one in steps}
    since = today - timedelta(days=today.weekday() + DAYS - 7)
    return Progress(
        today=today,
        answered=len(counted),
        right=round(sum(one.grade for one in counted), 4),
        points=sum(one.points for one in counted),
        sessions=len({one.session for one in steps}),
        weeks=_weeks(counted, today),
        subjects=_subjects(steps, counted, known, library, language),
        days=tuple(sorted(day for day in days if since <= day <= today)),
        streak=_streak(days, today),
        step=_step(steps, known, library, language),
        calibration=_calibration(counted),
    )


def _counted(steps: Sequence[Taken]) -> list[Taken]:
    first: dict[tuple[RoomId, PackId, ItemId, date], Taken] = {}
    for one in steps:
        first.setdefault((one.room, one.pack, one.item, one.week), one)
    return list(first.values())


def _weeks(counted: Sequence[Taken], today: date) -> tuple[Week, ...]:
    """Give the last weeks, from the first one in which there is anything."""
    this = today - timedelta(days=today.weekday())
    answered, right = Counter[date](), defaultdict[date, float](float)
    for one in counted:
        answered[one.week] += 1
        right[one.week] += one.grade
    mondays = [this - timedelta(weeks=ago) for ago in reversed(range(WEEKS))]
    begun = next((at for at, monday in enumerate(mondays) if answered[monday]), WEEKS)
    return tuple(
        Week(monday=monday, answered=answered[monday], right=round(right[monday], 4))
        for monday in mondays[begun:]
    )


def _calibration(counted: Sequence[Taken]) -> tuple[Sureness, ...] | None:
    """Say how often somebody was right when they were sure, and when not."""
    asked = [one for one in counted if one.sure is not None]
    by_sureness = ((sure, [one for one in asked if one.sure is sure]) for sure in (True, False))
    return (
        tuple(
            Sureness(
                sure=sure,
                answered=len(theirs),
                right=round(sum(one.grade for one in theirs), 4),
            )
            for sure, theirs in by_sureness
            if theirs
        )
        or None
    )


def _subjects(
    steps: Sequence[Taken],
    counted: Sequence[Taken],
    known: dict[PackId, _Known],
    library: Library,
    language: str,
) -> tuple[Subject, ...]:
    answered, right = Counter[PackId](), defaultdict[PackId, float](float)
    for one in counted:
        answered[one.pack] += 1
        right[one.pack] += one.grade
    packs = [pack for name in _lately(steps) if (pack := library.get(name))]
    return tuple(
        Subject(
            pack=pack.id,
            title=pack.edition(language).title,
            answered=answered[pack.id],
            right=round(right[pack.id], 4),
            mastered=sum(known[pack.id].mastered(item) for item in pack.item_ids),
            items=len(pack.item_ids),
        )
        for pack in packs[:SUBJECTS]
    )


def _lately(steps: Sequence[Taken]) -> list[PackId]:
    """List the packs, that of last time first."""
    return list(dict.fromkeys(one.pack for one in reversed(steps)))


def _streak(days: set[date], today: date) -> int:
    """Count the days in a row up to today; a day that is not over yet breaks nothing."""
    day = today if today in days else today - timedelta(days=1)
    count = 0
    while day in days:
        count += 1
        day -= timedelta(days=1)
    return count


def _step(
    steps: Sequence[Taken], known: dict[PackId, _Known], library: Library, language: str
) -> Step | None:
    """Mistakes first, in the pack of last time; then what was never asked, or right only once;
    then a pack that is new.
    """
    begun = [pack for name in _lately(steps) if (pack := library.get(name))]
    for move in (Move.MISSED, Move.UNSEEN, Move.AGAIN):
        for pack in begun:
            items = sum(_waits(move, known[pack.id], item) for item in pack.item_ids)
            if items:
                return _of(move, pack, items, language)
    fresh = next((pack for pack in library if pack not in begun), None)
    return _of(Move.NEW, fresh, len(fresh.item_ids), language) if fresh else None


def _waits(move: Move, known: _Known, item: ItemId) -> bool:
    if move is Move.UNSEEN:
        return item not in known.last
    if item not in known.last:
        return False
    return known.last[item] < 1 if move is Move.MISSED else not known.mastered(item)


def _of(move: Move, pack: Pack, items: int, language: str) -> Step:
    return Step(move=move, pack=pack.id, title=pack.edition(language).title, items=items)
