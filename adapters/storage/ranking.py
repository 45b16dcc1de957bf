"""Ranking in SQL: the top of a leaderboard, and one's own place wherever it is."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Any, TypeAlias

from sqlalchemy import (
    CTE,
    ColumnElement,
    Float,
    FromClause,
    Row,
    Select,
    Table,
    cast,
    func,
    literal,
    or_,
    select,
    true,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import persons
from adapters.storage.persons import Kin
from adapters.storage.responses import SHOWN
from adapters.storage.schema import links, participants, rooms, scores, totals
from adapters.storage.totals import WHOLE, credit
from adapters.storage.values import monday, since
from bot.ids import ParticipantId
from bot.ports import Board, BoardQuery, Merit, Period, Scope
from bot.scoring import Standing, rank

Place: TypeAlias = tuple[str, str]
"""The room and the week of totals; empty for all of them."""

EVERYWHERE = ""
_SUMS = ("points", "credit", "answered", "elapsed")
_IS_LINKED = links.c.participant == totals.c.participant


def kept(query: BoardQuery, now: datetime) -> Place | None:
    """Say where the sums of a leaderboard are kept, if they are."""
    if query.period not in {Period.ALL, Period.WEEK}:
        return None
    week = monday(query.room, now) if query.period is Period.WEEK else ""
    if query.room is None or query.scope is Scope.EVERYWHERE:
        return EVERYWHERE, week
    if query.scope is Scope.COMMUNITY and query.room.community:
        return None
    return query.room.id, week


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How the points on a board are spread: `points` upwards, and how many have each at most."""

    points: Sequence[int]
    up_to: Sequence[int]

    @property
    def total(self) -> int:
        """Count everybody."""
        return self.up_to[-1] if self.up_to else 0

    def place(self, points: int) -> int:
        """Give the place that points earn."""
        at = bisect_right(self.points, points)
        return self.total - (self.up_to[at - 1] if at else 0) + 1


async def size(connection: AsyncConnection, place: Place) -> int:
    """Count who stands on a board."""
    query = select(func.count()).select_from(totals).where(*_at(place))
    return int(await connection.scalar(query) or 0)


async def shape(connection: AsyncConnection, place: Place) -> Shape:
    """Count who has how many points: one walk along the index, for boards of many."""
    query = select(totals.c.points, func.count()).where(*_at(place)).group_by(totals.c.points)
    found = (await connection.execute(query.order_by(totals.c.points))).all()
    return Shape(
        points=[points for points, _ in found],
        up_to=list(accumulate(count for _, count in found)),
    )


async def of_kept(
    connection: AsyncConnection, query: BoardQuery, place: Place, known: Shape | None, kin: Kin
) -> Board:
    """Read the top from the index. Of a board with a known shape nobody else is looked at;
    otherwise they are counted. `kin` are the people on it who are linked.
    """
    found = await _top(connection, place, query.limit, apart=bool(kin.size))
    me: str | None = query.me
    if kin.size and query.me is not None:
        me = await persons.person_of(connection, query.me)
    linked = await persons.named(connection, kin.best(query.limit), query.me)
    rows = rank([*map(_standing, found), *linked])[: query.limit]
    total = (known.total if known else await size(connection, place)) - kin.surplus
    mine = next((row for row in rows if row.participant == query.me), None)
    if query.me is not None and mine is None and total > len(rows):
        if me in kin:
            (mine,) = await persons.named(connection, [kin.standing(str(me))], query.me)
            ahead = known.place(mine.points) if known else await _place(connection, place, mine)
            mine = replace(mine, place=ahead - kin.surplus_above(mine.points))
        elif own := (await connection.execute(_own(place, query.me, counted=not known))).first():
            ahead = known.place(own.points) if known else own.place
            mine = _standing(own, place=ahead - kin.surplus_above(own.points))
    return Board(rows=rows, total=total, mine=mine)


async def of_all(connection: AsyncConnection, query: BoardQuery, now: datetime) -> Board:
    """Rank everyone in the database, so that one's own place is right below any limit."""
    everywhere = query.room is None or query.scope is Scope.EVERYWHERE
    linked = everywhere and await persons.anybody(connection)
    placed = _placed(query, now, linked=linked)
    wanted = placed.c.place <= query.limit
    if query.me is not None:
        me = await persons.person_of(connection, query.me) if linked else query.me
        wanted = or_(wanted, placed.c.participant == me)
    named = placed.outerjoin(participants, participants.c.id == placed.c.participant)
    statement = select(*placed.c, SHOWN.label("name")).select_from(named).where(wanted)
    found = (await connection.execute(statement)).all()
    rows = [_standing(row, place=row.place) for row in found]
    if linked:
        rows = await persons.named(connection, rows, query.me)
    rows.sort(key=lambda row: (row.place, row.seconds, row.name.casefold()))
    if query.merit is Merit.ACCURACY:
        rows.sort(key=lambda row: (row.place, row.name.casefold()))
    return Board(
        rows=[row for row in rows if row.place <= query.limit][: query.limit],
        total=found[0].total if found else 0,
        mine=next((row for row in rows if row.participant == query.me), None),
    )


def _at(place: Place) -> list[ColumnElement[bool]]:
    return [totals.c.room == place[0], totals.c.week == place[1]]


async def _top(
    connection: AsyncConnection, place: Place, limit: int, *, apart: bool
) -> list[Row[Any]]:
    """Read so many of the top, and whoever equals the last of them: names decide later.

    `apart` leaves out who is linked.
    """
    everybody = _at(place)
    if apart:
        everybody += [~select(links.c.person).where(_IS_LINKED).exists()]
    edge = (
        select(totals.c.points, totals.c.elapsed)
        .where(*everybody)
        .order_by(totals.c.points.desc(), totals.c.elapsed)
        .limit(1)
        .offset(limit - 1)
    )
    last = (await connection.execute(edge)).first()
    wanted = [*everybody]
    if last:
        ahead = or_(totals.c.points > last.points, totals.c.elapsed <= last.elapsed)
        wanted += [totals.c.points >= last.points, ahead]
    return list((await connection.execute(_named().where(*wanted))).all())


def _own(place: Place, me: ParticipantId, *, counted: bool) -> Select[Any]:
    """Read one's own row, and if asked for count who has more points."""
    own = _named().where(*_at(place), totals.c.participant == me)
    if not counted:
        return own
    others = totals.alias("others")
    before = (
        select(func.count())
        .where(others.c.room == place[0], others.c.week == place[1])
        .where(others.c.points > totals.c.points)
        .scalar_subquery()
    )
    return (
        _named()
        .add_columns((before + 1).label("place"))
        .where(*_at(place), totals.c.participant == me)
    )


async def _place(connection: AsyncConnection, place: Place, mine: Standing) -> int:
    """Give the place that points earn among all rows."""
    before = select(func.count()).select_from(totals).where(*_at(place))
    return 1 + int(await connection.scalar(before.where(totals.c.points > mine.points)) or 0)


def _named() -> Select[Any]:
    everybody = totals.outerjoin(participants, participants.c.id == totals.c.participant)
    return select(
        totals.c.participant, *(totals.c[name] for name in _SUMS), SHOWN.label("name")
    ).select_from(everybody)


def _placed(query: BoardQuery, now: datetime, *, linked: bool) -> CTE:
    sums = _summed(query, now, linked=linked)
    accuracy = sums.c.credit / cast(sums.c.answered, Float)
    if query.merit is Merit.ACCURACY:
        merits = [accuracy.desc(), sums.c.answered.desc()]
        enough = sums.c.answered >= query.minimum
    else:
        merits = [sums.c.points.desc()]
        enough = sums.c.answered > 0
    return (
        select(
            *sums.c,
            func.rank().over(order_by=merits).label("place"),
            func.count().over().label("total"),
        )
        .where(enough)
        .cte("placed")
    )


def _summed(query: BoardQuery, now: datetime, *, linked: bool) -> CTE:
    """Sum up everybody: from totals if there are some for the period, else from scores.

    Where people are `linked` each is summed up as one, under the id of the person.
    """
    if query.period in {Period.ALL, Period.WEEK}:
        week = monday(query.room, now) if query.period is Period.WEEK else ""
        source: Table = totals
        parts: dict[str, ColumnElement[int]] = {name: totals.c[name] for name in _SUMS}
        where = [totals.c.week == week, _reach(query, totals.c.room, everywhere="")]
    else:
        source = scores
        parts = {
            "points": scores.c.points,
            "credit": credit(scores.c.grade),
            "answered": literal(1),
            "elapsed": scores.c.elapsed,
        }
        start = since(query.period, query.room, now)
        where = [scores.c.at >= start, _reach(query, scores.c.room)]
    summed = (func.sum(part).label(name) for name, part in parts.items())
    who: ColumnElement[str] = source.c.participant
    rows: FromClause = source
    if linked:
        rows = source.outerjoin(links, links.c.participant == source.c.participant)
        who = func.coalesce(links.c.person, source.c.participant)
    named = who.label("participant")
    return select(named, *summed).select_from(rows).where(*where).group_by(who).cte("sums")


def _reach(
    query: BoardQuery, room: ColumnElement[str], everywhere: str | None = None
) -> ColumnElement[bool]:
    """Narrow rows to a scope; a room that belongs to no community spans only itself."""
    if query.room is None or query.scope is Scope.EVERYWHERE:
        return true() if everywhere is None else room == everywhere
    if query.scope is Scope.COMMUNITY and query.room.community:
        span = select(rooms.c.id).where(rooms.c.community == query.room.community)
        return room.in_(span)
    return room == query.room.id


def _standing(row: Any, place: int = 0) -> Standing:  # noqa: ANN401 - a row of any query with these columns
    return Standing(
        participant=ParticipantId(row.participant),
        name=row.name,
        points=int(row.points),
        correct=int(row.credit) / WHOLE,
        answered=int(row.answered),
        seconds=float(row.elapsed) / 1000,
        place=place,
    )
