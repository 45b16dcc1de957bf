"""Rows of responses as the values that `bot.records` speaks of."""

from datetime import date

from adapters.storage.values import Row, from_ms
from bot import submissions
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.records import Answer, Result, Taken


def row_answer(row: Row) -> Answer:
    """Read what item analysis needs of a response."""
    return Answer(
        participant=ParticipantId(row["participant"]),
        item=ItemId(row["item"]),
        submission=submissions.load(row["submission"]),
        grade=row["grade"],
        seconds=row["elapsed"] / 1000,
    )


def row_result(row: Row) -> Result:
    """Read a response as a line of an export; the row has `shared` and `name` besides."""
    return Result(
        session=SessionId(row["session"]),
        turn=row["turn"],
        shared=bool(row["shared"]),
        pack=PackId(row["pack"]),
        item=ItemId(row["item"]),
        participant=ParticipantId(row["participant"]),
        name=row["name"],
        submission=submissions.load(row["submission"]),
        grade=row["grade"],
        points=row["points"],
        seconds=row["elapsed"] / 1000,
        at=from_ms(row["at"]),
    )


def row_taken(row: Row) -> Taken:
    """Read a response as a step of somebody's progress."""
    return Taken(
        session=SessionId(row["session"]),
        room=RoomId(row["room"]),
        pack=PackId(row["pack"]),
        item=ItemId(row["item"]),
        grade=row["grade"],
        points=row["points"],
        at=from_ms(row["at"]),
        week=date.fromisoformat(row["week"]),
        sure=row["sure"],
    )
