"""A simulated learner: ninety days of one person, by a virtual clock and a seed."""

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import fsrs

from bot.agenda import agenda
from bot.ids import ItemId, PackId
from bot.memory import Key, Trace, cards, rated

DAYS = 90
PACKS = {"geo.en": 40, "ml.id": 40, "bio.en": 40}
NEW_A_DAY = 4
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
ZONE = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What one day brought; `expected` is how many reviews the package itself asks for."""

    due: int
    expected: int
    reviewed: int
    right: int


@dataclass
class Learner:
    """Somebody who meets a few new items a day and reviews all that is due.

    What they still know follows the forgetting curve that FSRS itself assumes, by a second set
    of cards which the package alone keeps.
    """

    seed: int
    traces: list[Trace] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 - a simulation
        self.truth: dict[Key, fsrs.Card] = {}
        self.scheduler = fsrs.Scheduler(
            learning_steps=(), relearning_steps=(), enable_fuzzing=False
        )
        every = [
            (PackId(p), ItemId(f"{p}-{n}")) for p, count in PACKS.items() for n in range(count)
        ]
        self.chance.shuffle(every)
        self.new = every

    def noon(self, day: int) -> datetime:
        return FIRST + timedelta(days=day, hours=12)

    def live(self, day: int) -> Day:
        """Review all that is due, then meet what is new."""
        now = self.noon(day)
        due = agenda(cards(self.traces, _kind, ZONE).values(), now=now, zone=ZONE, seed=day).due
        expected = sum(card.due.date() <= now.date() for card in self.truth.values())
        results = [self._answered(card.key, now, n) for n, card in enumerate(due)]
        fresh, self.new = self.new[:NEW_A_DAY], self.new[NEW_A_DAY:]
        for n, key in enumerate(fresh):
            self._answered(key, now + timedelta(hours=1), n)
        self._settle(now.date())
        return Day(due=len(due), expected=expected, reviewed=len(results), right=sum(results))

    def _answered(self, key: Key, at: datetime, number: int) -> bool:
        card = self.truth.get(key)
        likely = self.scheduler.get_card_retrievability(card, _midnight(at.date())) if card else 0.6
        right = self.chance.random() < likely
        self.traces.append(
            Trace(
                pack=key[0],
                item=key[1],
                grade=float(right),
                at=at + timedelta(seconds=20 * number),
                elapsed=self.chance.lognormvariate(2.3, 0.5),
            )
        )
        return right

    def _settle(self, day: date) -> None:
        """Let the package alone keep cards of what happened today, by the same ratings."""
        then = _midnight(day)
        for trace, when, how in rated(self.traces, _kind, ZONE):
            if when == day:
                key = trace.pack, trace.item
                card = self.truth.get(key) or fsrs.Card(card_id=1, due=then)
                self.truth[key], _ = self.scheduler.review_card(card, fsrs.Rating(how.value), then)


def _kind(*_: object) -> str:
    return "Choice"


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
