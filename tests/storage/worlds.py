"""A room, some people and a store: what storage tests arrange with."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.draw import Draw
from bot.ids import ItemId, PackId, SessionId
from bot.modes import Mode, Rules
from bot.people import Alias, Participant, Room, week_of
from bot.ports import Response, Store
from bot.session import Phase, Session
from bot.submissions import Chosen

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)  # a Wednesday
PACK = PackId("pack")
RIGHT = Chosen(frozenset({1}))
WRONG = Chosen(frozenset({0}))


def alias(external: str) -> Alias:
    return Alias(platform="test", external=external)


@dataclass(kw_only=True)
class World:
    store: Store
    hall: Room
    ann: Participant
    ben: Participant
    cid: Participant

    @classmethod
    async def made(cls, store: Store) -> "World":
        people = [await store.participant(alias(name), name=name) for name in ("Ann", "Ben", "Cid")]
        hall = await store.room(alias("hall"), title="Hall")
        return cls(store=store, hall=hall, ann=people[0], ben=people[1], cid=people[2])

    def session(self, name: str = "s", mode: Mode = Mode.LIVE, **more: Any) -> Session:
        rules = Rules(mode=mode, seconds=30)
        room: Room = more.pop("room", self.hall)
        starter: Participant = more.pop("starter", self.ann)
        items = tuple(map(ItemId, more.pop("items", ("a", "b", "c"))))
        given = {"started": NOON, "rules": rules, "language": "en", "pack": PACK} | more
        return Session(
            id=SessionId(name),
            room=room.id,
            starter=starter.id,
            draw=Draw(seed=1, items=items),
            **given,
        )

    async def opened(self, name: str = "s", mode: Mode = Mode.LIVE, **more: Any) -> Session:
        session = self.session(name, mode, **more)
        await self.store.start(session)
        return await self.moved(session, phase=Phase.OPEN)

    async def moved(self, session: Session, **changes: Any) -> Session:
        after = replace(session, **changes)
        assert await self.store.save(session, after)
        return after

    async def closed(self, session: Session) -> Session:
        return await self.moved(session, phase=Phase.REVEALING, closed=session.turn + 1)

    async def next(self, session: Session) -> Session:
        asking = await self.moved(session, phase=Phase.ASKING, turn=session.turn + 1)
        return await self.moved(asking, phase=Phase.OPEN)

    async def ended(self, session: Session) -> Session:
        finishing = await self.moved(session, phase=Phase.FINISHING)
        return await self.moved(finishing, phase=Phase.FINISHED, finished=NOON)

    def response(self, session: Session, who: Participant, **more: Any) -> Response:
        """A right answer after five seconds at noon, unless told otherwise."""
        room: Room = more.pop("room", self.hall)
        at = more.pop("at", NOON)
        grade = more.pop("grade", 1.0)
        given = {
            "turn": session.turn,
            "item": session.draw.items[more.get("turn", session.turn)],
            "submission": RIGHT if grade == 1 else WRONG,
            "points": round(100 * grade),
            "elapsed": 5.0,
            "week": week_of(at, room.zone),
        }
        return Response(
            session=session.id,
            participant=who.id,
            room=room.id,
            pack=session.pack,
            at=at,
            grade=grade,
            **(given | more),
        )

    async def answered(self, session: Session, who: Participant, **more: Any) -> Response:
        response = self.response(session, who, **more)
        await self.store.record(response)
        return response

    async def played(self, name: str, who: Participant, *grades: float, **more: Any) -> Session:
        """A whole solo session of one person, a grade an item."""
        at = more.pop("at", NOON)
        room: Room = more.get("room", self.hall)
        items = more.pop("items", tuple(f"{name}{number}" for number in range(len(grades))))
        session = await self.opened(name, Mode.SOLO, starter=who, items=items, **more)
        for turn, grade in enumerate(grades):
            answer_at = at + timedelta(seconds=turn)
            await self.answered(session, who, grade=grade, at=answer_at, room=room)
            session = await self.closed(session)
            if not session.last:
                session = await self.next(session)
        return await self.ended(session)
