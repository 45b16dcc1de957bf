"""Answering: an answer that has arrived becomes a response, read, graded and worth points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.draw import option_order
from bot.grading import best, fits
from bot.ids import SessionId
from bot.items import Item
from bot.people import Participant, week_of
from bot.ports import Response
from bot.reading import read
from bot.scoring import points
from bot.session import Session
from bot.submissions import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer that has arrived, as a submission or as typed text.

    `at` is when it came in, before anything was done with it; `told` says that the platform
    itself has taken it in time and shown the person what they chose: it may come late to us.
    """

    session: SessionId
    turn: int
    answer: Submission | str
    by: Participant
    at: datetime
    told: bool = False


def understood(session: Session, versions: Sequence[Item], given: Given) -> Submission | None:
    """Read an answer, in whichever language it makes sense; None if it makes none."""
    answer = given.answer
    if isinstance(answer, str):
        keep = session.rules.keep_order
        order = option_order(versions, seed=session.draw.seed, keep_order=keep)
        readings = (read(answer, item, order) for item in versions)
        return next((found for found in readings if found and fits(versions[0], found)), None)
    return answer if fits(versions[0], answer) else None


def respond(
    session: Session,
    versions: Sequence[Item],
    given: Given,
    submission: Submission,
    *,
    zone: ZoneInfo,
    streak: int = 0,
) -> Response:
    """Grade a submission by the session's rules; `zone` is the room's, for its weeks."""
    elapsed = max(0.0, (given.at - session.opened).total_seconds()) if session.opened else 0.0
    if session.rules.timed:
        elapsed = min(elapsed, float(session.allowed))
    elif session.appointed:
        elapsed = 0.0  # nobody is slow who comes in the evening
    elapsed = round(elapsed, 3)  # as it is kept, so that the points can be worked out again
    grade = best(tuple(versions), submission)
    earned = points(grade, session.rules, elapsed=elapsed, allowed=session.allowed, streak=streak)
    return Response(
        session=session.id,
        turn=given.turn,
        participant=given.by.id,
        room=session.room,
        pack=session.pack_at(session.turn),
        item=session.item,
        submission=submission,
        grade=grade,
        points=earned,
        at=given.at,
        elapsed=elapsed,
        week=week_of(given.at, zone),
    )


def streak_before(turn: int, responses: Iterable[Response]) -> int:
    """Count the right answers just before a turn."""
    right = {response.turn for response in responses if response.grade == 1}
    streak = 0
    while turn - 1 - streak in right:
        streak += 1
    return streak
