"""Scoring: what a grade earns under a session's rules, and who stands where.

A right answer is worth 100 points. Points are whole, so that sums are exact in every store.
With certainty marks they may be negative.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.ids import ParticipantId
from bot.modes import Rules

FULL = 100
SPEED = 50
STREAK = 10
LONGEST_STREAK = 5


SURE = (-100, 100)
UNSURE = (0, 50)
"""Points for a wrong and for a right answer, by how sure somebody says they are.

These are the two lower of the three degrees of certainty-based marking: 1 and 0 marks at C=1, 2
and -2 at C=2 (Gardner-Medwin, A. R. (1995). Confidence assessment in the teaching of basic
science. ALT-J, 3(1), 80-85). Whoever is right more often than two times in three earns most by
saying so, whoever is not by admitting it; nobody gains by pretending.
"""


def points(
    grade: float,
    rules: Rules,
    *,
    elapsed: float,
    allowed: float,
    streak: int,
    sure: bool | None = None,
) -> int:
    """Turn a grade into points.

    `elapsed` and `allowed` are seconds. With the speed bonus a right answer earns up to 50 more,
    falling evenly to nothing at the end of the time; with the streak bonus 10 more for each
    right answer just before it (`streak`), at most 50. Where certainty is marked an answer that was
    given as `sure` or not earns what that is worth, a part of the grade the same part of the way,
    and no bonus, which would make it pay to pretend.
    """
    if rules.certainty_marks and sure is not None:
        wrong, right = SURE if sure else UNSURE
        return wrong + round((right - wrong) * grade)
    earned = round(FULL * grade)
    if rules.timed and rules.speed_bonus and allowed > 0:
        left = 1 - min(max(elapsed, 0.0), allowed) / allowed
        earned += round(SPEED * grade * left)
    if rules.streak_bonus and grade == 1:
        earned += STREAK * min(streak, LONGEST_STREAK)
    return earned


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row of a leaderboard.

    `correct` sums grades (a half-right answer is half an item), `seconds` is the time taken,
    with unanswered items counted in full where there was a limit. `place` is 0 until ranked.
    """

    participant: ParticipantId
    name: str
    points: int
    correct: float
    answered: int
    seconds: float = 0.0
    place: int = 0

    @property
    def accuracy(self) -> float:
        """Give the share of answered items that were right, from 0 to 1."""
        return self.correct / self.answered if self.answered else 0.0


def rank(rows: Iterable[Standing], *, by_time: bool = False) -> tuple[Standing, ...]:
    """Order standings by points; equal ones share a place (1, 2, 2, 4).

    With `by_time` (where speed is part of the game) less time breaks a tie.
    """
    ordered = sorted(rows, key=lambda row: (-row.points, row.seconds, row.name.casefold()))
    return _placed(ordered, [(row.points, row.seconds if by_time else 0.0) for row in ordered])


def rank_by_accuracy(rows: Iterable[Standing]) -> tuple[Standing, ...]:
    """Order standings by accuracy, then by how many items it was earned on."""
    ordered = sorted(rows, key=lambda row: (-row.accuracy, -row.answered, row.name.casefold()))
    return _placed(ordered, [(row.accuracy, float(row.answered)) for row in ordered])


def _placed(
    ordered: Sequence[Standing], merits: Sequence[tuple[float, float]]
) -> tuple[Standing, ...]:
    placed: list[Standing] = []
    for number, (row, merit) in enumerate(zip(ordered, merits, strict=True), 1):
        shared = placed and merits[number - 2] == merit
        placed.append(replace(row, place=placed[-1].place if shared else number))
    return tuple(placed)
