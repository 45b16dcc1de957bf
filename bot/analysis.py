"""Analysis: what the answers to an item say about the item.

Only the first answer of each participant counts: later ones were given after the key was shown.
docs/insight.md says where each rule comes from, and from how many answers on it is applied.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import atanh, comb, sqrt, tanh
from statistics import fmean, median

from bot.ids import ItemId, ParticipantId
from bot.items import Choice, Item, TrueFalse, keys, option_count
from bot.records import Answer, Latest
from bot.submissions import Chosen

SURE = 1.959964
"""Standard deviations on either side of a 95 % interval."""

ENOUGH = 10
"""So many people an item needs for its discrimination and its groups."""

ENOUGH_TO_SUSPECT = 30
ENOUGH_FOR_DEAD = 40
DEAD = 0.05
OTHERS = 3
"""So many other items somebody must have answered to say how good they are."""

GROUP = 0.27
CHANCE = 0.05
TEMPTING = 0.2
MASTERED = 0.8
MASTERED_BY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionInsight:
    """How an option fares: chosen by so many of all, of the upper and of the lower group.

    `place` is that in the file. `dead` tells that a distractor is chosen by almost nobody.
    """

    place: int
    key: bool
    chosen: int
    upper: int
    lower: int
    dead: bool


class Doubt(Enum):
    """Why a key is suspect."""

    BACKWARDS = "backwards"
    RIVAL = "rival"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemInsight:
    """What is known about an item.

    `difficulty` is the mean grade (so 1 is easy), `discrimination` the correlation of the grade
    with how the same people did on the other items, None where too few have answered. `group` is
    how many people the upper and the lower group have each; 0 where there are no groups.
    `seconds` is the median time. `rival` is the distractor that speaks against the key.
    """

    item: ItemId
    answered: int
    difficulty: Estimate
    discrimination: Estimate | None
    group: int
    options: tuple[OptionInsight, ...]
    seconds: float
    doubt: Doubt | None = None
    rival: int | None = None

    @property
    def dead(self) -> tuple[int, ...]:
        """Name the distractors that almost nobody chooses."""
        return tuple(option.place for option in self.options if option.dead)


@dataclass(frozen=True, slots=True, kw_only=True)
class Misconception:
    """A distractor that many believe in: `chosen` of `answered` people."""

    item: ItemId
    place: int
    chosen: int
    answered: int

    @property
    def share(self) -> float:
        """Give the share of people who chose it."""
        return self.chosen / self.answered


@dataclass(frozen=True, slots=True)
class _Given:
    """An answer, and how the person did on the other items (None: too few of them)."""

    answer: Answer
    rest: float | None


def analyse(answers: Iterable[Answer], items: Mapping[ItemId, Item]) -> tuple[ItemInsight, ...]:
    """Look at every item that was answered, in the order of `items`; others are left out.

    `answers` hold one for each participant and item: the first.
    """
    by_item: dict[ItemId, list[Answer]] = defaultdict(list)
    for answer in answers:
        if answer.item in items:
            by_item[answer.item].append(answer)
    given = _with_rests(by_item)
    return tuple(_insight(item, given[name]) for name, item in items.items() if name in given)


def misconceptions(insights: Iterable[ItemInsight], most: int) -> tuple[Misconception, ...]:
    """Give the distractors that most people believe in, without those of suspect keys."""
    found = [
        Misconception(
            item=one.item, place=option.place, chosen=option.chosen, answered=one.answered
        )
        for one in insights
        if one.doubt is None and one.answered >= ENOUGH
        for option in one.options
        if not option.key and option.chosen >= TEMPTING * one.answered
    ]
    found.sort(key=lambda one: (-one.share, -one.answered))
    return tuple(found[:most])


def hardest(insights: Iterable[ItemInsight], most: int) -> tuple[ItemInsight, ...]:
    """Give the items with the lowest grades, without those of suspect keys."""
    known = [one for one in insights if one.answered >= ENOUGH and one.doubt is None]
    return tuple(sorted(known, key=lambda one: (one.difficulty.value, -one.answered))[:most])


def mastered(latest: Iterable[Latest]) -> int:
    """Count the items that a group has mastered: the last answers of at least four fifths of the
    people are right, and of two people at least.
    """
    return sum(one.right >= max(MASTERED_BY, MASTERED * one.people) for one in latest)


def wilson(share: float, count: int) -> Estimate:
    """Give Wilson's 95 % interval of a share; that of a mean grade is, if anything, narrower."""
    square = SURE * SURE
    middle = (share + square / (2 * count)) / (1 + square / count)
    spread = SURE / (1 + square / count)
    spread *= sqrt(max(share * (1 - share), 0.0) / count + square / (4 * count * count))
    return Estimate(value=share, low=max(0.0, middle - spread), high=min(1.0, middle + spread))


def correlation(pairs: Sequence[tuple[float, float]]) -> Estimate | None:
    """Give Pearson's correlation with Fisher's 95 % interval; None without any spread, or for
    fewer than four pairs.

    Of a grade that is 0 or 1 this is the point-biserial correlation.
    """
    count = len(pairs)
    if count <= OTHERS:
        return None
    x_mean, y_mean = fmean(x for x, _ in pairs), fmean(y for _, y in pairs)
    x_spread = sum((x - x_mean) ** 2 for x, _ in pairs)
    y_spread = sum((y - y_mean) ** 2 for _, y in pairs)
    if min(x_spread, y_spread) < 1e-12 * count:
        return None
    both = sum((x - x_mean) * (y - y_mean) for x, y in pairs)
    value = max(-1.0, min(1.0, both / sqrt(x_spread * y_spread)))
    z, spread = atanh(max(-0.999999, min(0.999999, value))), SURE / sqrt(count - 3)
    return Estimate(value=value, low=tanh(z - spread), high=tanh(z + spread))


def _with_rests(by_item: Mapping[ItemId, Sequence[Answer]]) -> dict[ItemId, list[_Given]]:
    """Find how everybody did on all other items they had.

    Not everybody had the same ones, so each grade is taken against the mean of its item.
    """
    means = {item: fmean(a.grade for a in answers) for item, answers in by_item.items()}
    surplus: dict[ParticipantId, float] = defaultdict(float)
    count: dict[ParticipantId, int] = defaultdict(int)
    for item, answers in by_item.items():
        for answer in answers:
            surplus[answer.participant] += answer.grade - means[item]
            count[answer.participant] += 1

    def given(answer: Answer) -> _Given:
        others = count[answer.participant] - 1
        if others < OTHERS:
            return _Given(answer, None)
        rest = surplus[answer.participant] - (answer.grade - means[answer.item])
        return _Given(answer, round(rest / others, 9))

    return {item: [given(answer) for answer in answers] for item, answers in by_item.items()}


def _insight(item: Item, given: Sequence[_Given]) -> ItemInsight:
    count = len(given)
    placed = [(one.rest, one.answer) for one in given if one.rest is not None]
    enough = len(placed) >= ENOUGH
    pairs = [(answer.grade, rest) for rest, answer in placed]
    placed.sort(key=lambda one: (one[0], one[1].participant))
    group = round(GROUP * len(placed)) if enough else 0
    lower = [answer for _, answer in placed[:group]]
    upper = [answer for _, answer in placed[len(placed) - group :]]
    options = _options(item, [one.answer for one in given], upper, lower)
    discrimination = correlation(pairs) if enough else None
    doubt, rival = _doubt(item, options, discrimination, len(placed))
    return ItemInsight(
        item=item.id,
        answered=count,
        difficulty=wilson(fmean(one.answer.grade for one in given), count),
        discrimination=discrimination,
        group=group,
        options=options,
        seconds=median(one.answer.seconds for one in given),
        doubt=doubt,
        rival=rival,
    )


def _options(
    item: Item, everyone: Sequence[Answer], upper: Sequence[Answer], lower: Sequence[Answer]
) -> tuple[OptionInsight, ...]:
    right = keys(item)
    counts = [_chosen(answers) for answers in (everyone, upper, lower)]
    return tuple(
        OptionInsight(
            place=place,
            key=place in right,
            chosen=counts[0][place],
            upper=counts[1][place],
            lower=counts[2][place],
            dead=place not in right
            and len(everyone) >= ENOUGH_FOR_DEAD
            and counts[0][place] < DEAD * len(everyone),
        )
        for place in range(option_count(item))
    )


def _chosen(answers: Iterable[Answer]) -> dict[int, int]:
    counts: dict[int, int] = defaultdict(int)
    for answer in answers:
        if isinstance(answer.submission, Chosen):
            for place in answer.submission.options:
                counts[place] += 1
    return counts


def _doubt(
    item: Item,
    options: Sequence[OptionInsight],
    discrimination: Estimate | None,
    count: int,
) -> tuple[Doubt | None, int | None]:
    """Doubt a key that the better people avoid; give the distractor that they prefer to it."""
    if count < ENOUGH_TO_SUSPECT or discrimination is None:
        return None, None
    rival = _rival(options) if isinstance(item, Choice | TrueFalse) else None
    if discrimination.high < 0:
        return Doubt.BACKWARDS, rival
    if rival is not None:
        return Doubt.RIVAL, rival
    return None, None


def _rival(options: Sequence[OptionInsight]) -> int | None:
    """Find a distractor that the upper group prefers to the key, and likes more than the lower
    group does; more often than chance would have it.
    """
    key = next(option for option in options if option.key)
    others = (option for option in options if not option.key)
    best = max(others, key=lambda option: option.upper, default=key)
    if best.upper <= max(best.lower, key.upper):
        return None
    return best.place if _at_least(best.upper, best.upper + key.upper) < CHANCE else None


def _at_least(heads: int, tosses: int) -> float:
    """Give the probability of so many heads or more with a fair coin."""
    ways = sum(comb(tosses, number) for number in range(heads, tosses + 1))
    return ways / (1 << tosses)
