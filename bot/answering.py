"""Answering: an answer that has arrived becomes a response, read, graded and worth points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.confidence import asks
from bot.draw import option_order
from bot.grading import best, fits
from bot.ids import SessionId
from bot.items import Item
from bot.people import Participant, week_of
from bot.ports import Response
from bot.reading import read
from bot.scoring import points
from bot.session import Session
from bot.submissions import UNSURE, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer that has arrived, as a submission or as typed text.

    `at` is when it came in, before anything was done with it; `told` says that the platform
    itself has taken it in time and shown the person what they chose: it may come late to us.
    `sure` is what a button has said of the person's confidence; a text says it itself.
    """

    session: SessionId
    turn: int
    answer: Submission | str
    by: Participant
    at: datetime
    told: bool = False
    sure: bool | None = None


def understood(session: Session, versions: Sequence[Item], given: Given) -> Submission | None:
    """Read an answer, in whichever language it makes sense; None if it makes none."""
    answer = given.answer
    if isinstance(answer, str):
        return _heard(session, versions, answer)[0]
    return answer if fits(versions[0], answer) else None


def respond(  # noqa: PLR0913 - what a response is made of
    session: Session,
    versions: Sequence[Item],
    given: Given,
    submission: Submission,
    *,
    zone: ZoneInfo,
    streak: int = 0,
    keyed: int = 0,
) -> Response:
    """Grade a submission by the session's rules; `zone` is the room's, for its weeks.

    `keyed` is the stamp of the corrections that the versions have.
    """
    elapsed = max(0.0, (given.at - session.opened).total_seconds()) if session.opened else 0.0
    if session.rules.timed:
        elapsed = min(elapsed, float(session.allowed))
    elif session.appointed:
        elapsed = 0.0  # nobody is slow who comes in the evening
    elapsed = round(elapsed, 3)  # as it is kept, so that the points can be worked out again
    grade = best(tuple(versions), submission)
    sure = _sure(session, versions, given)
    earned = points(
        grade,
        session.rules,
        elapsed=elapsed,
        allowed=session.allowed,
        streak=streak,
        sure=sure,
    )
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
        sure=sure,
        keyed=keyed,
    )


def streak_before(turn: int, responses: Iterable[Response]) -> int:
    """Count the right answers just before a turn."""
    right = {response.turn for response in responses if response.grade == 1}
    streak = 0
    while turn - 1 - streak in right:
        streak += 1
    return streak


def _sure(session: Session, versions: Sequence[Item], given: Given) -> bool | None:
    """Tell what somebody says of their confidence; None where the item does not ask."""
    if not asks(session.rules, versions[0]):
        return None
    if isinstance(given.answer, str):
        return _heard(session, versions, given.answer)[1]
    return given.sure


def _heard(session: Session, versions: Sequence[Item], text: str) -> tuple[Submission | None, bool]:
    """Read a text, and whether it is meant as a sure answer: `A?` is not, if that is asked.

    A question mark that belongs to an option comes first.
    """
    keep = session.rules.keep_order
    order = option_order(versions, seed=session.draw.seed, keep_order=keep)
    meant = [(text, True)]
    if asks(session.rules, versions[0]) and text.rstrip().endswith(UNSURE):
        meant.append((text.rstrip().removesuffix(UNSURE), False))
    for said, sure in meant:
        readings = (read(said, item, order) for item in versions)
        found = next((one for one in readings if one and fits(versions[0], one)), None)
        if found:
            return found, sure
    return None, True
