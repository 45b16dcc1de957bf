"""Persons on boards: participants who are linked have one row together where everybody counts.

Boards everywhere are read from the rows of participants, as if nobody were linked, and the few who
are linked are put together afterwards. Where nobody is, this costs one look into an empty table.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.schema import links, participants, totals
from adapters.storage.totals import WHOLE
from bot.ids import ParticipantId
from bot.people import ANONYMOUS
from bot.scoring import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """The linked people on one board: their members' rows, not named yet, by person."""

    rows: Mapping[str, Sequence[Standing]]

    @property
    def surplus(self) -> int:
        """Count the rows there are more than people."""
        return sum(map(len, self.rows.values())) - len(self.rows)

    @property
    def size(self) -> int:
        """Count the rows."""
        return sum(map(len, self.rows.values()))

    def surplus_above(self, points: int) -> int:
        """Count how many more rows than people have more points than that; it may be negative."""
        above = sum(row.points > points for rows in self.rows.values() for row in rows)
        return above - sum(_points(rows) > points for rows in self.rows.values())

    def best(self, limit: int) -> Sequence[str]:
        """Name the people who may be among so many: whoever equals the last of them too."""
        ordered = sorted(self.rows, key=self._merit)
        if len(ordered) <= limit:
            return ordered
        last = self._merit(ordered[limit - 1])
        return [person for person in ordered if self._merit(person) <= last]

    def standing(self, person: str) -> Standing:
        """Sum up a person, under the id of the person and not named yet."""
        rows = self.rows[person]
        return Standing(
            participant=ParticipantId(person),
            name="",
            points=_points(rows),
            correct=sum(round(row.correct * WHOLE) for row in rows) / WHOLE,
            answered=sum(row.answered for row in rows),
            seconds=sum(round(row.seconds * 1000) for row in rows) / 1000,
        )

    def _merit(self, person: str) -> tuple[int, float]:
        standing = self.standing(person)
        return -standing.points, standing.seconds


NOBODY = Kin(rows={})


async def on_board(connection: AsyncConnection, week: str) -> Kin:
    """Read the rows of everybody who is linked, of the board of everywhere."""
    joined = links.join(totals, totals.c.participant == links.c.participant)
    query = select(links.c.person, *totals.c).select_from(joined)
    found = await connection.execute(query.where(totals.c.room == "", totals.c.week == week))
    rows: dict[str, list[Standing]] = defaultdict(list)
    for row in found:
        rows[row.person].append(
            Standing(
                participant=ParticipantId(row.participant),
                name="",
                points=int(row.points),
                correct=int(row.credit) / WHOLE,
                answered=int(row.answered),
                seconds=float(row.elapsed) / 1000,
            )
        )
    return Kin(rows=rows)


async def named(
    connection: AsyncConnection, rows: Sequence[Standing], me: ParticipantId | None
) -> list[Standing]:
    """Give rows that stand for people under the name and id of one of their participants.

    The name is the latest participant's, their nicknames before their names; whoever wants to be
    nobody under one of them is nobody. The id is one's own, if it is oneself.
    """
    people = await _members(connection, {row.participant for row in rows})
    return [_as_member(row, people[row.participant], me) for row in rows]


async def person_of(connection: AsyncConnection, participant: ParticipantId) -> ParticipantId:
    """Give the id that a participant's row has where people count: their own if not linked."""
    query = select(links.c.person).where(links.c.participant == participant)
    found = (await connection.execute(query)).scalar_one_or_none()
    return ParticipantId(found) if found else participant


async def anybody(connection: AsyncConnection) -> bool:
    """Tell whether anybody is linked at all."""
    return (await connection.execute(select(links.c.person).limit(1))).first() is not None


async def _members(
    connection: AsyncConnection, people: Collection[str]
) -> Mapping[str, Sequence[tuple[ParticipantId, str, str]]]:
    """Give (id, name, nickname) of all participants of people, the latest first."""
    query = (
        select(links.c.person, participants.c.id, participants.c.name, participants.c.nickname)
        .join(participants, participants.c.id == links.c.participant)
        .where(links.c.person.in_(people))
        .order_by(participants.c.created.desc(), participants.c.id.desc())
    )
    found: dict[str, list[tuple[ParticipantId, str, str]]] = defaultdict(list)
    if people:
        for person, who, name, nickname in await connection.execute(query):
            found[person].append((ParticipantId(who), name, nickname))
    return found


def _as_member(
    row: Standing, members: Sequence[tuple[ParticipantId, str, str]], me: ParticipantId | None
) -> Standing:
    if not members:
        return row
    ids = [who for who, _, _ in members]
    name = together([(name, nickname) for _, name, nickname in members])
    return replace(row, participant=me if me and me in ids else ids[0], name=name)


def together(names: Sequence[tuple[str, str]]) -> str:
    """Choose the name of a person among (name, nickname) of their participants, latest first."""
    nicknames = [nickname for _, nickname in names if nickname]
    if ANONYMOUS in nicknames:
        return ANONYMOUS
    return next(iter([*nicknames, *(name for name, _ in names)]), "")


def _points(rows: Sequence[Standing]) -> int:
    return sum(row.points for row in rows)
