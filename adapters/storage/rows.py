"""Sessions as rows: columns for what the database has to decide by, JSON for all else.

And the decisions about a session that every store takes alike.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from adapters.storage.values import Row, to_ms
from bot import codec
from bot.events import Paused, Summarised
from bot.ids import RoomId
from bot.session import Phase, Session
from bot.stepping import step

OVERDUE = timedelta(seconds=30)
"""A deadline that is past by so much has been forgotten by who should have rung it."""


def session_row(session: Session) -> dict[str, Any]:
    """Write a new session as a row."""
    return {
        "id": session.id,
        "room": session.room,
        "owner": session.place,
        "shared": session.owner is None,
        "mode": session.rules.mode.value,
        "pack": session.pack,
        "starter": session.starter,
        "started": to_ms(session.started),
        **changed_row(session),
    }


def changed_row(session: Session) -> dict[str, Any]:
    """Write the columns that change while a session goes on."""
    return {
        "phase": session.phase.value,
        "turn": session.turn,
        "closed": session.closed,
        "finished": session.finished and to_ms(session.finished),
        "deadline": session.deadline and to_ms(session.deadline),
        "state": codec.dump(session),
    }


def row_session(row: Row) -> Session:
    """Read a session back; its room is where the row is, also after the room was merged."""
    session = codec.load(row["state"])
    return session if session.room == row["room"] else replace(session, room=RoomId(row["room"]))


def was_asked(before: Session, after: Session) -> bool:
    """Tell whether the item was delivered in this step.

    An answer that overtakes the platform's confirmation closes a turn of one's own at once: then
    ASKING is left for something else than OPEN, and the item was seen all the same.
    """
    if before.phase is not Phase.ASKING or after.phase in {Phase.PAUSED, Phase.FINISHING}:
        return False
    return after.phase is not Phase.ASKING or after.turn > before.turn


def stepped_aside(session: Session, now: datetime) -> Session:
    """Give an active session as it frees its place: paused, to be taken up later, or finished if
    only its summary was left to show.
    """
    paused, _ = step(session, Paused(at=now, by=session.starter))
    finished, _ = step(paused, Summarised(at=now))
    return finished


def full_time(session: Session, turns: Iterable[int]) -> int:
    """Sum the seconds that turns of a timed session allow; 0 for a session without a clock."""
    if not session.rules.timed:
        return 0
    return sum(replace(session, turn=turn).allowed for turn in turns)
