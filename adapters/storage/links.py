"""Links in SQL: which participants are one person, and the codes that join them.

What several processes may do at once is decided by single guarded statements, or under a lock on
the few rows of `links`.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, case, delete, false, func, or_, select, text, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.persons import Kin
from adapters.storage.remembering import Remembered
from adapters.storage.schema import aliases, codes, links, tries
from adapters.storage.values import new_id, to_ms
from adapters.storage.writing import Line
from bot.ids import ParticipantId, RoomId
from bot.links import TRIES, VALID, Entered, Joining, Outcome

_SPAN = VALID.total_seconds() * 1000
_LOCK = text("LOCK TABLE links IN SHARE ROW EXCLUSIVE MODE")


class SqlLinks:
    """The part of the store that knows who is the same person."""

    _database: Database
    _line: Line
    _kin: Remembered[Kin]

    async def identities(self, participant: ParticipantId) -> Sequence[ParticipantId]:
        """List all participants who are the same person: itself first, the others by id."""
        async with self._database.reading() as connection:
            return await _identities(connection, participant)

    async def link(self, one: ParticipantId, other: ParticipantId) -> None:
        """Let two participants, and all they are linked with, be one person."""
        await self._line.write(lambda connection: self._link(connection, one, other), alone=True)
        self._kin.clear()

    async def unlink(self, participant: ParticipantId) -> bool:
        """Let a participant be a person of their own again; tell whether they were linked."""

        async def work(connection: AsyncConnection) -> bool:
            await self._lock(connection)
            return await part(connection, participant)

        parted = await self._line.write(work, alone=True)
        self._kin.clear()
        return parted

    async def offer_code(
        self, participant: ParticipantId, room: RoomId, digest: str, at: datetime
    ) -> None:
        """Keep a code from `at` on for as long as `VALID`; an earlier one of theirs is void."""
        now = to_ms(at)
        values = {"digest": digest, "room": room, "expires": to_ms(at + VALID)}
        values |= {"guest": "", "used": False}
        upsert = (
            self._database.insert(codes)
            .values(participant=participant, **values)
            .on_conflict_do_update(index_elements=[codes.c.participant], set_=values)
        )

        async def work(connection: AsyncConnection) -> None:
            expired = codes.c.used.is_(false()) & (codes.c.expires <= now)
            await connection.execute(delete(codes).where(expired))
            await connection.execute(delete(tries).where(tries.c.latest <= now - _SPAN))
            await connection.execute(upsert)

        await self._line.write(work, alone=True)

    async def enter_code(self, digest: str, by: ParticipantId, at: datetime) -> Entered:
        """Try a code. A good one is reserved for who enters it first, until it expires.

        A wrong one is counted; beyond `TRIES` of them nothing is looked up any more.
        """

        async def work(connection: AsyncConnection) -> Entered:
            if not await self._charge(connection, by, to_ms(at)):
                return Entered(outcome=Outcome.TOO_MANY)
            entered = await _look_up(connection, digest, by, to_ms(at))
            if entered.outcome is not Outcome.WRONG:
                refund = update(tries).where(tries.c.participant == by)
                await connection.execute(refund.values(wrong=tries.c.wrong - 1))
            return entered

        return await self._line.write(work, alone=True)

    async def redeem_code(
        self, digest: str, by: ParticipantId, at: datetime
    ) -> ParticipantId | None:
        """Use up a code that is reserved for somebody, and link them with who made it."""
        taken = (
            update(codes)
            .where(codes.c.digest == digest, codes.c.guest == by, _open(to_ms(at)))
            .values(used=True)
            .returning(codes.c.participant)
        )

        async def work(connection: AsyncConnection) -> ParticipantId | None:
            owner = (await connection.execute(taken)).scalar_one_or_none()
            if owner is None:
                return None
            await self._link(connection, ParticipantId(owner), by)
            return ParticipantId(owner)

        joined = await self._line.write(work, alone=True)
        self._kin.clear()
        return joined

    async def void_code(self, digest: str) -> None:
        """Let a code that is not used yet be good for nobody any more."""
        removal = delete(codes).where(codes.c.digest == digest, codes.c.used.is_(false()))
        await self._line.write(lambda connection: connection.execute(removal))

    async def joined_by_code(self, platforms: Collection[str]) -> Sequence[Joining]:
        """Take who of these platforms has been joined with by their code, each only once."""
        theirs = select(aliases.c.target).where(
            aliases.c.kind == "participant", aliases.c.platform.in_(platforms)
        )
        news = codes.c.used.is_(true()) & codes.c.participant.in_(theirs)
        async with self._database.reading() as connection:
            if not await connection.scalar(select(func.count()).where(news)):
                return []
        columns = (codes.c.participant, codes.c.guest, codes.c.room)
        taken = delete(codes).where(news).returning(*columns)

        async def work(connection: AsyncConnection) -> Sequence[Joining]:
            found = (await connection.execute(taken)).all()
            return [
                Joining(owner=ParticipantId(owner), guest=ParticipantId(guest), room=RoomId(room))
                for owner, guest, room in found
            ]

        return await self._line.write(work, alone=True)

    async def _lock(self, connection: AsyncConnection) -> None:
        """Let nobody else change links until the commit; on SQLite nobody can anyway."""
        if self._database.engine.dialect.name != "sqlite":
            await connection.execute(_LOCK)

    async def _link(
        self, connection: AsyncConnection, one: ParticipantId, other: ParticipantId
    ) -> None:
        if one == other:
            return
        await self._lock(connection)
        rows = select(links.c.participant, links.c.person)
        found = await connection.execute(rows.where(links.c.participant.in_([one, other])))
        known = {row.participant: row.person for row in found}
        person = known.get(one) or known.get(other) or new_id()
        merged = update(links).where(links.c.person == known.get(other))
        await connection.execute(merged.values(person=person))
        for who in (one, other):
            if who not in known:
                await connection.execute(links.insert().values(participant=who, person=person))

    async def _charge(self, connection: AsyncConnection, by: ParticipantId, now: int) -> bool:
        """Count a try before it is looked at, so that many at once are not more than allowed."""
        rested = tries.c.latest <= now - _SPAN
        insert = self._database.insert(tries).values(participant=by, wrong=1, latest=now)
        counted = await connection.execute(
            insert.on_conflict_do_update(
                index_elements=[tries.c.participant],
                set_={"wrong": case((rested, 1), else_=tries.c.wrong + 1), "latest": now},
                where=or_(rested, tries.c.wrong < TRIES),
            ).returning(tries.c.wrong)
        )
        return counted.first() is not None


async def part(connection: AsyncConnection, participant: ParticipantId) -> bool:
    """Take a participant out of the person they are part of; who is left alone is none."""
    removed = await connection.execute(
        delete(links).where(links.c.participant == participant).returning(links.c.person)
    )
    person = removed.scalar_one_or_none()
    if person is None:
        return False
    left = select(links.c.participant).where(links.c.person == person)
    others = (await connection.execute(left)).scalars().all()
    if len(others) == 1:
        await connection.execute(delete(links).where(links.c.participant == others[0]))
    return True


async def _look_up(
    connection: AsyncConnection, digest: str, by: ParticipantId, now: int
) -> Entered:
    here = (codes.c.digest == digest) & _open(now)
    found = (await connection.execute(select(codes.c.participant).where(here))).first()
    if found is None:
        return Entered(outcome=Outcome.WRONG)
    owner = ParticipantId(found.participant)
    if owner == by:
        return Entered(outcome=Outcome.OWN)
    if owner in await _identities(connection, by):
        return Entered(outcome=Outcome.JOINED, owner=owner)
    free = codes.c.guest.in_(["", by])
    reserved = update(codes).where(here, free).values(guest=by).returning(codes.c.participant)
    if (await connection.execute(reserved)).first() is None:
        return Entered(outcome=Outcome.WRONG)
    return Entered(outcome=Outcome.FOUND, owner=owner)


async def _identities(
    connection: AsyncConnection, participant: ParticipantId
) -> Sequence[ParticipantId]:
    mine = links.alias("mine")
    others = (
        select(links.c.participant)
        .join(mine, mine.c.person == links.c.person)
        .where(mine.c.participant == participant, links.c.participant != participant)
        .order_by(links.c.participant)
    )
    found = await connection.execute(others)
    return [participant, *(ParticipantId(one) for one in found.scalars())]


def _open(now: int) -> ColumnElement[bool]:
    return codes.c.used.is_(false()) & (codes.c.expires > now)
