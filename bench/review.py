"""Reviews: a learner over ninety days against the fsrs package, and how long memory takes.

The learner of the tests meets 120 items in three packs and reviews all that is due. Our agenda
and the package, driven directly with the same ratings, must agree on every day.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import fsrs

from bot.ids import ItemId, PackId
from bot.memory import Rating, Trace, cards, rated
from tests.helpers.learner import DAYS, Day, Learner

RESPONSES = 10_000
ITEMS = 1_500
ROUNDS = 5
ZONE = ZoneInfo("UTC")


def main() -> None:
    """Print the learner's weeks and what they came to, then the times."""
    learner = Learner(seed=7)
    days = [learner.live(day) for day in range(DAYS)]
    print("week  reviews a day  remembered")
    for week in range(0, DAYS, 14):
        fortnight = days[week : week + 14]
        print(f"{week // 7 + 1:4}  {_mean(fortnight):13.1f}  {_kept(fortnight):9.0%}")
    apart = sum(day.due != day.expected for day in days)
    print(f"days on which the package asks for something else: {apart} of {DAYS}")
    intervals = sorted(c.interval for c in cards(learner.traces, _kind, ZONE).values())
    print(f"intervals in days, median and longest: {statistics.median(intervals)}, {intervals[-1]}")
    print(f"reviews in all: {sum(day.reviewed for day in days)}, remembered: {_kept(days):.1%}")
    traces = _many()
    ours = _best(lambda: cards(traces, _kind, ZONE))
    ratings = rated(traces, _kind, ZONE)
    bare = _best(lambda: _directly(ratings))
    print(f"cards of {RESPONSES:,} responses: {1000 * ours:.0f} ms")
    print(
        f"the package alone, with the ratings given: {1000 * bare:.0f} ms; {ours / bare:.2f} times"
    )


def _mean(days: list[Day]) -> float:
    return statistics.mean(day.reviewed for day in days)


def _kept(days: list[Day]) -> float:
    return sum(day.right for day in days) / max(1, sum(day.reviewed for day in days))


def _many() -> list[Trace]:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Trace(
            pack=PackId(f"pack-{n % 7}"),
            item=ItemId(f"item-{n * 31 % ITEMS}"),
            grade=float(n % 5 > 0),
            at=start + timedelta(minutes=17 * n),
            elapsed=3.0 + n % 40,
        )
        for n in range(RESPONSES)
    ]


def _directly(ratings: Sequence[tuple[Trace, date, Rating]]) -> None:
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    known: dict[tuple[str, str], fsrs.Card] = {}
    for trace, _, how in ratings:
        key = trace.pack, trace.item
        card = known.get(key) or fsrs.Card(card_id=1, due=trace.at)
        known[key], _log = scheduler.review_card(card, fsrs.Rating(how.value), trace.at)


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _kind(*_: object) -> str:
    return "Choice"


if __name__ == "__main__":
    main()
