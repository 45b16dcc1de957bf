"""Totals: the sums that leaderboards are read from, kept beside the scores they follow from.

For each participant there is a row for each room and week they have scores in, for each room and
all weeks (week ''), and the same for all rooms (room ''). They change in the transaction that
changes the scores. Grades are summed as whole parts of `WHOLE`, which every fraction up to
sixteenths divides, so that a rebuild gives the same rows and not almost the same.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Subquery,
    Table,
    and_,
    case,
    cast,
    delete,
    func,
    literal,
    or_,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, Insert
from adapters.storage.schema import rooms, scores, totals

WHOLE = 720_720
_KEY = ("room", "week", "participant")
_SUMS = ("points", "credit", "answered", "elapsed")
_SCORE_KEY = ("room", "participant", "pack", "item", "week")
_ORDER = ("at", "session", "turn")


def credit(grade: ColumnElement[float]) -> ColumnElement[int]:
    """Write a grade from 0 to 1 as whole parts."""
    return cast(func.round(grade * WHOLE), BigInteger)


def grow(database: Database, first: Subquery) -> Insert:
    """Give the statement that adds what scores are about to gain from better (earlier) ones.

    `first` has at most one row for each key of a score. To be carried out before they go in.
    """
    same = and_(*(scores.c[name] == first.c[name] for name in _SCORE_KEY))
    known = scores.c.session.is_not(None)
    better = or_(
        ~known,
        tuple_(*(first.c[name] for name in _ORDER)) < tuple_(*(scores.c[name] for name in _ORDER)),
    )
    gained = (
        select(
            first.c.room,
            first.c.week,
            first.c.participant,
            (first.c.points - func.coalesce(scores.c.points, 0)).label("points"),
            (credit(first.c.grade) - func.coalesce(credit(scores.c.grade), 0)).label("credit"),
            case((known, 0), else_=1).label("answered"),
            (first.c.elapsed - func.coalesce(scores.c.elapsed, 0)).label("elapsed"),
        )
        .select_from(first.outerjoin(scores, same))
        .where(better)
        .subquery("gained")
    )
    return _adding(database, _spread(gained))


def shift(database: Database, changed: Table, counting: ColumnElement[bool]) -> Insert:
    """Give the statement that lets the sums follow when scores are about to be worth something
    else: `changed` has their new points and grades, and `counting` finds the scores.
    """
    gained = (
        select(
            scores.c.room,
            scores.c.week,
            scores.c.participant,
            (changed.c.points - scores.c.points).label("points"),
            (credit(changed.c.grade) - credit(scores.c.grade)).label("credit"),
            literal(0).label("answered"),
            literal(0).label("elapsed"),
        )
        .select_from(changed.join(scores, counting))
        .subquery("shifted")
    )
    return _adding(database, _spread(gained))


async def recount(connection: AsyncConnection, database: Database) -> None:
    """Derive all totals again from the scores."""
    await connection.execute(delete(totals))
    await connection.execute(_adding(database, _spread(_singles())))


async def recount_merged(
    connection: AsyncConnection, database: Database, *, kept: str, other: str
) -> None:
    """Derive again what changes when the scores of one room have become those of another."""
    people = select(scores.c.participant).where(scores.c.room == kept)
    everywhere = and_(totals.c.room == "", totals.c.participant.in_(people))
    await connection.execute(
        delete(totals).where(or_(totals.c.room.in_([kept, other]), everywhere))
    )
    here = _singles(scores.c.room == kept)
    await connection.execute(_adding(database, _spread(here, rooms=(True,))))
    theirs = _singles(scores.c.participant.in_(people))
    await connection.execute(_adding(database, _spread(theirs, rooms=(False,))))


async def forget_week(connection: AsyncConnection, database: Database, week: str) -> None:
    """Delete the sums of a week, and take them from those of all weeks."""
    everywhere = select(rooms.c.id).union(select(literal("")))
    of_week = and_(totals.c.room.in_(everywhere), totals.c.week == week)
    less = select(
        totals.c.room,
        literal("").label("week"),
        totals.c.participant,
        *((-totals.c[name]).label(name) for name in _SUMS),
    )
    in_order = [totals.c[name] for name in ("room", "participant")]
    await connection.execute(_adding(database, less.where(of_week).order_by(*in_order)))
    await connection.execute(delete(totals).where(of_week))
    nothing_left = and_(totals.c.room.in_(everywhere), totals.c.week == "", totals.c.answered == 0)
    await connection.execute(delete(totals).where(nothing_left))


def _singles(*conditions: ColumnElement[bool]) -> Subquery:
    return (
        select(
            scores.c.room,
            scores.c.week,
            scores.c.participant,
            scores.c.points,
            credit(scores.c.grade).label("credit"),
            literal(1).label("answered"),
            scores.c.elapsed,
        )
        .where(*conditions)
        .subquery("singles")
    )


def _spread(source: Subquery, rooms: Sequence[bool] = (True, False)) -> Select[Any]:
    """Sum up rows for their room and for all rooms, for their week and for all weeks."""
    kinds = union_all(
        *(
            select(literal(int(room)).label("of_room"), literal(int(week)).label("of_week"))
            for room in rooms
            for week in (True, False)
        )
    ).subquery("kinds")
    room = case((kinds.c.of_room == 1, source.c.room), else_="").label("room")
    week = case((kinds.c.of_week == 1, source.c.week), else_="").label("week")
    summed = (
        select(
            room,
            week,
            source.c.participant,
            *(cast(func.sum(source.c[name]), BigInteger).label(name) for name in _SUMS),
        )
        .select_from(source.join(kinds, literal(value=True)))
        .group_by(room, week, source.c.participant)
        .subquery("summed")
    )
    in_order = [summed.c[name] for name in _KEY]  # so that two programs cannot block one another
    return select(*summed.c).where(literal(value=True)).order_by(*in_order)


def _adding(database: Database, rows: Select[Any]) -> Insert:
    insert = database.insert(totals).from_select([*_KEY, *_SUMS], rows)
    return insert.on_conflict_do_update(
        index_elements=_KEY,
        set_={name: totals.c[name] + insert.excluded[name] for name in _SUMS},
    )
