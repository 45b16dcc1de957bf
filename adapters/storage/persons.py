"""Persons on boards: participants who are linked have one row together where everybody counts.

Boards everywhere are read from the rows of participants, as if nobody were linked, and the few who
are linked are put together afterwards. Where nobody is, this costs one look into an empty table.
"""

import heapq
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.schema import links, participants, totals
from adapters.storage.totals import WHOLE
from bot.ids import ParticipantId
from bot.people import ANONYMOUS
from bot.scoring import Standing


class Sums(NamedTuple):
    """What somebody has on a board: `credit` in parts of `WHOLE`, `elapsed` in milliseconds."""

    points: int
    credit: int
    answered: int
    elapsed: int


class Kin:
    """The linked people on one board: what their members have, by person."""

    def __init__(
        self, rows: Mapping[str, Sequence[Sums]], older: Mapping[str, Sums] | None = None
    ) -> None:
        """Sum everybody up, but those whose sums are known."""
        new = {person: theirs for person, theirs in rows.items() if person not in (older or {})}
        self._rows = rows
        self._sums = {**(older or {}), **{person: _sum(theirs) for person, theirs in new.items()}}
        self.size = sum(map(len, rows.values()))
        self.surplus = self.size - len(rows)

    def __contains__(self, person: object) -> bool:
        """Tell whether a person is on the board."""
        return person in self._rows

    def renewed(self, rows: Mapping[str, Sequence[Sums]]) -> "Kin":
        """Give the same with some people as they are now."""
        older = {person: row for person, row in self._sums.items() if person not in rows}
        return Kin({**self._rows, **rows}, older)

    def surplus_above(self, points: int) -> int:
        """Count how many more rows than people have more points than that; it may be negative."""
        rows = sum(row.points > points for theirs in self._rows.values() for row in theirs)
        return rows - sum(row.points > points for row in self._sums.values())

    def best(self, limit: int) -> Sequence[Standing]:
        """Give who may be among so many, whoever equals the last of them too, not in order."""
        first = heapq.nsmallest(limit, map(_merit, self._sums.values()))
        return [
            self.standing(person)
            for person, row in self._sums.items()
            if len(first) < limit or _merit(row) <= first[-1]
        ]

    def standing(self, person: str) -> Standing:
        """Sum up a person, under the id of the person and not named yet."""
        row = self._sums[person]
        return Standing(
            participant=ParticipantId(person),
            name="",
            points=row.points,
            correct=row.credit / WHOLE,
            answered=row.answered,
            seconds=row.elapsed / 1000,
        )


NOBODY = Kin({})


async def on_board(
    connection: AsyncConnection, week: str, person: str | None = None
) -> Mapping[str, Sequence[Sums]]:
    """Read what everybody who is linked has on the board of everywhere, or one person.

    In two steps, so that no planner walks along the whole board to find them.
    """
    everybody = select(links.c.participant, links.c.person)
    if person is not None:
        everybody = everybody.where(links.c.person == person)
    people = {row.participant: row.person for row in await connection.execute(everybody)}
    if not people:
        return {}
    theirs = everybody.with_only_columns(links.c.participant)
    query = select(totals).where(totals.c.room == "", totals.c.week == week)
    rows: dict[str, list[Sums]] = defaultdict(list)
    for row in await connection.execute(query.where(totals.c.participant.in_(theirs))):
        if row.participant in people:
            sums = Sums(row.points, row.credit, row.answered, row.elapsed)
            rows[people[row.participant]].append(sums)
    return rows


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
    known = participants.c
    query = (
        select(links.c.person, links.c.participant, known.name, known.nickname)
        .outerjoin(participants, known.id == links.c.participant)
        .where(links.c.person.in_(people))
        .order_by(known.created.desc(), links.c.participant.desc())
    )
    found: dict[str, list[tuple[ParticipantId, str, str]]] = defaultdict(list)
    if people:
        for person, who, name, nickname in await connection.execute(query):
            found[person].append((ParticipantId(who), name or "", nickname or ""))
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


def _sum(rows: Sequence[Sums]) -> Sums:
    return Sums(*map(sum, zip(*rows, strict=True)))


def _merit(row: Sums) -> tuple[int, int]:
    return -row.points, row.elapsed
