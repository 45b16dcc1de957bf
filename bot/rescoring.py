"""Rescoring: responses of one session graded again, after the key of an item was corrected."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from bot.corrections import Correction, Rescored, corrected, in_force
from bot.grading import best
from bot.ids import ItemId, PackId, RoomId
from bot.items import Item
from bot.ports import Response
from bot.scoring import LONGEST_STREAK, points
from bot.session import Session
from bot.submissions import Submission
from bot.wording import FALLBACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Rekeyed:
    """An item with the key that holds in a room: in each of its languages, the files' aside."""

    pack: PackId
    item: ItemId
    versions: tuple[Item, ...]
    grades: dict[Submission, float] = field(default_factory=dict, compare=False)

    def grade(self, submission: Submission) -> float:
        """Grade a submission; most people answer the same, so it is done once for all of them."""
        known = self.grades.get(submission)
        if known is None:
            known = self.grades[submission] = best(self.versions, submission)
        return known


def rekeyed(
    versions: Sequence[Item], pack: PackId, log: Sequence[Correction], room: RoomId
) -> Rekeyed:
    """Give an item, whose versions are as the files have them, with the key of a room."""
    item = versions[0].id
    holding = in_force(log, room).get((pack, item))
    now = tuple(corrected(one, holding, FALLBACK) for one in versions)
    return Rekeyed(pack=pack, item=item, versions=now)


def counted(correction: Correction, changed: Sequence[Response]) -> Rescored:
    """Count who is touched by a correction."""
    rooms = {(one.room, one.participant) for one in changed}
    return Rescored(
        correction=correction,
        people=len({who for _, who in rooms}),
        responses=len(changed),
        rooms=Counter(room for room, _ in rooms),
    )


def regraded(session: Session, responses: Iterable[Response], now: Rekeyed) -> Iterator[Response]:
    """Give those of a session's responses that are worth something else by the key of `now`.

    Where streaks earn a bonus, `responses` are all of each person who answered the item: what
    comes after it may be worth more or less.
    """
    in_order = sorted(responses, key=lambda one: (one.participant, one.turn))
    allowed = [replace(session, turn=turn).allowed for turn in range(session.length)]
    for _, theirs in groupby(in_order, key=lambda one: one.participant):
        yield from _of_one(session, theirs, now, allowed)


def _of_one(
    session: Session, theirs: Iterable[Response], now: Rekeyed, allowed: Sequence[int]
) -> Iterator[Response]:
    before = after = 0  # right answers in a row, as it was and as it is
    expected = 0
    for response in theirs:
        if response.turn != expected:
            before = after = 0
        expected = response.turn + 1
        about = (response.pack, response.item) == (now.pack, now.item)
        grade = now.grade(response.submission) if about else response.grade
        earned = response.points
        if grade != response.grade or _bonus(session, before) != _bonus(session, after):
            earned = points(
                grade,
                session.rules,
                elapsed=response.elapsed,
                allowed=allowed[response.turn],
                streak=after,
                sure=response.sure,
            )
        before = before + 1 if response.grade == 1 else 0
        after = after + 1 if grade == 1 else 0
        if (grade, earned) != (response.grade, response.points):
            yield replace(response, grade=grade, points=earned)


def _bonus(session: Session, streak: int) -> int:
    return min(streak, LONGEST_STREAK) if session.rules.streak_bonus else 0
