r"""Stepping: a session is a state machine, and a pure function is all of it.

    `step(session, event) -> (session, effects)`

    ASKING -> OPEN -> REVEALING -> REVEALED -> ASKING (the next turn) ... -> FINISHING -> FINISHED
       \________\_________\__________\____________________________________/
                              PAUSED (remembers where it stood)

The rule: a phase is stored before its effect is carried out, and left only by the event that says
the effect has happened. So whatever instant the program dies at, `Restarted` asks for the effect
again; at most one message is repeated and nothing is skipped. An event that does not fit the phase
or the turn is an old one, and changes nothing.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeAlias

from bot.effects import (
    PASSING,
    Ask,
    Confirm,
    Effect,
    Refusal,
    Refuse,
    Report,
    Reveal,
    Summarise,
    Trouble,
    Wake,
)
from bot.events import (
    Advanced,
    Delivered,
    Event,
    EveryoneAnswered,
    Failed,
    Paused,
    Responded,
    Restarted,
    Resumed,
    Revealed,
    Skipped,
    Started,
    Steering,
    Stopped,
    Summarised,
    TimeUp,
    Vanished,
)
from bot.modes import Advance, Closing
from bot.session import Phase, Session, answerable, may_steer

RETURN_GRACE = timedelta(seconds=10)
"""After a restart answers that waited at the platform get at least this long to arrive."""

Step: TypeAlias = tuple[Session, tuple[Effect, ...]]


def step(session: Session, event: Event) -> Step:
    """Give the session after an event, and what it now asks of the world."""
    if isinstance(event, Steering):
        return _steer(session, event)
    if session.phase is Phase.FINISHED:
        return session, ()
    if not isinstance(event, Started | Summarised | Restarted) and event.turn != session.turn:
        return session, ()
    match event:
        case Started():
            return session, (Ask(turn=session.turn),)
        case Delivered():
            return _delivered(session, event)
        case Responded():
            return _responded(session, event)
        case EveryoneAnswered():
            waits = session.rules.policy.closing is Closing.ASKED_TO
            return _close(session) if waits and answerable(session) else (session, ())
        case TimeUp():
            return _time_up(session, event.at)
        case Revealed():
            return _revealed(session, event.at)
        case Summarised():
            return (_ended(session, event.at) if session.phase is Phase.FINISHING else session), ()
        case Failed() | Vanished():
            return _failed(session, event)
        case Restarted():
            return _restarted(session, event.at)


def _delivered(session: Session, event: Delivered) -> Step:
    if session.phase is not Phase.ASKING:
        return replace(session, message=event.message), ()
    opened = replace(
        session, phase=Phase.OPEN, message=event.message, opened=event.at, remaining=None
    )
    if session.appointed and session.deadline:
        return _until(opened, session.deadline)
    if not session.rules.timed:
        return opened, ()
    left = session.allowed if session.remaining is None else session.remaining
    return _until(opened, event.at + timedelta(seconds=left))


def _until(session: Session, deadline: datetime) -> Step:
    """Take answers until a deadline, and ring when its grace is over too."""
    grace = timedelta(seconds=session.rules.grace)
    return replace(session, deadline=deadline), (Wake(turn=session.turn, at=deadline + grace),)


def _responded(session: Session, event: Responded) -> Step:
    if not answerable(session):
        return session, ()
    if session.rules.policy.closing is Closing.RESPONSE:
        return _close(session)
    return session, (Confirm(turn=event.turn, to=event.participant),)


def _close(session: Session) -> Step:
    """End the turn: scores follow in the same commit, then the answer is shown."""
    if not session.rules.policy.reveals:
        return _next(session)
    closed = replace(session, phase=Phase.REVEALING, closed=session.turn + 1)
    if session.appointed:
        closed = replace(closed, deadline=None)  # it was kept; nobody needs to look for it
    return closed, (Reveal(turn=session.turn),)


def _time_up(session: Session, at: datetime) -> Step:
    if session.phase is Phase.OPEN and session.closes_at and at >= session.closes_at:
        return _close(session)
    if session.phase is Phase.REVEALED and session.next_at and at >= session.next_at:
        return _next(session)
    return session, ()


def _revealed(session: Session, at: datetime) -> Step:
    if session.phase is not Phase.REVEALING:
        return session, ()
    if session.rules.policy.advance is Advance.END:
        return _ended(session, at), ()
    revealed = replace(session, phase=Phase.REVEALED)
    if session.rules.policy.advance is not Advance.PAUSE:
        return revealed, ()
    if session.last:
        return _next(revealed)
    next_at = at + timedelta(seconds=session.rules.pause)
    return replace(revealed, next_at=next_at), (Wake(turn=session.turn, at=next_at),)


def _next(session: Session) -> Step:
    if session.last:
        return _finish(session, closed=session.length)
    following = replace(
        session,
        phase=Phase.ASKING,
        turn=session.turn + 1,
        opened=None,
        deadline=None,
        next_at=None,
        remaining=None,
        message="",
    )
    return following, (Ask(turn=following.turn),)


def _finish(session: Session, *, closed: int) -> Step:
    ended = replace(
        session, phase=Phase.FINISHING, closed=closed, paused_in=None, trouble=None, next_at=None
    )
    return ended, (Summarise(),)


def _ended(session: Session, at: datetime) -> Session:
    return replace(session, phase=Phase.FINISHED, finished=at)


def _failed(session: Session, event: Failed | Vanished) -> Step:
    """Pause, or end what was all but over. An item that is gone is passed over, if there may be
    others: in the same pack, or in another one.
    """
    if session.phase is Phase.FINISHING:
        return _ended(session, event.at), ()
    if isinstance(event, Failed):
        return _pause(session, Trouble(event.trouble), event.at)
    others = (event.alone and not session.appointed) or session.mixed
    if others and session.active:
        return _next(session)
    return _pause(session, Trouble.PACK_GONE, event.at)


def _pause(session: Session, trouble: Trouble, at: datetime) -> Step:
    if not session.active or session.phase is Phase.FINISHING:
        return session, ()
    remaining = session.remaining
    if session.phase is Phase.OPEN and session.deadline:
        remaining = max(0.0, (session.deadline - at).total_seconds())
    paused = replace(
        session,
        phase=Phase.PAUSED,
        paused_in=session.phase,
        trouble=trouble,
        remaining=remaining,
        deadline=session.deadline if session.appointed else None,
        next_at=None,
    )
    quietly = session.appointed and trouble in PASSING
    return paused, () if quietly else (Report(trouble=trouble),)


def _restarted(session: Session, at: datetime) -> Step:
    match session.phase:
        case Phase.ASKING if session.appointed:
            return _pause(session, Trouble.UNREACHABLE, at)  # is it still time for it?
        case Phase.ASKING:
            return session, (Ask(turn=session.turn),)
        case Phase.OPEN if session.deadline:
            return _until(session, max(session.deadline, at + RETURN_GRACE))
        case Phase.REVEALING:
            return session, (Reveal(turn=session.turn),)
        case Phase.REVEALED if session.next_at:
            return session, (Wake(turn=session.turn, at=max(session.next_at, at)),)
        case Phase.FINISHING:
            return session, (Summarise(),)
        case _:
            return session, ()


def _steer(session: Session, event: Steering) -> Step:
    if session.phase in {Phase.FINISHING, Phase.FINISHED}:
        return session, ()
    if not may_steer(session, event.by, moderator=event.moderator):
        why = Refusal.NOT_YOURS if session.owner else Refusal.NOT_ALLOWED
        return session, (Refuse(to=event.by, why=why),)
    match event:
        case Advanced():
            return _advanced(session) if event.turn == session.turn else (session, ())
        case Skipped():
            return _skipped(session) if event.turn == session.turn else (session, ())
        case Paused():
            return _pause(session, Trouble.LEFT, event.at)
        case Resumed():
            return _resumed(session)
        case Stopped():
            return _stopped(session, event.at)


def _advanced(session: Session) -> Step:
    """Go on. Who is alone and asks for more has seen the answer, also if we do not know it yet."""
    alone = session.rules.policy.closing is Closing.RESPONSE
    if session.phase is Phase.REVEALED or (session.phase is Phase.REVEALING and alone):
        return _next(session)
    if session.phase is Phase.OPEN and session.rules.policy.closing is Closing.ASKED_TO:
        return _close(session)
    return session, ()


def _skipped(session: Session) -> Step:
    if answerable(session):
        return _close(session)
    return _next(session) if session.phase is Phase.REVEALED else (session, ())


def _resumed(session: Session) -> Step:
    """Go on: from a pause where it stood, otherwise by showing again what waits for the person."""
    phase = session.paused_in if session.phase is Phase.PAUSED else session.phase
    going = replace(session, paused_in=None, trouble=None)
    match phase:
        case Phase.OPEN if session.phase is Phase.OPEN:
            return going, (Ask(turn=session.turn),)
        case Phase.ASKING | Phase.OPEN:
            return replace(going, phase=Phase.ASKING), (Ask(turn=session.turn),)
        case Phase.REVEALING:
            return replace(going, phase=Phase.REVEALING), (Reveal(turn=session.turn),)
        case _:
            return _next(going)


def _stopped(session: Session, at: datetime) -> Step:
    """End the session; what was answered counts, also in the middle of a room's turn."""
    if session.rules.policy.advance is Advance.END:
        ended = replace(session, closed=session.turn + 1, paused_in=None, trouble=None)
        return _ended(ended, at), ()
    phase = session.paused_in or session.phase
    begun = phase not in {Phase.ASKING, Phase.OPEN} or session.owner is None
    return _finish(session, closed=session.turn + 1 if begun else session.turn)
