"""A class that has answered a pack together, in a store."""

from dataclasses import replace

from bot.draw import Draw
from bot.ids import ItemId, SessionId
from bot.modes import Mode, Rules
from bot.packs import Pack
from bot.people import Room, week_of
from bot.ports import Response, Store
from bot.records import Answer
from bot.session import Phase, Session
from tests.helpers.learning import answered, items
from tests.helpers.samples import NOON, edition


def pack_of(count: int = 16) -> Pack:
    """Make a pack in two languages."""
    made = items(count)
    return Pack(
        editions=(
            edition(*made, pack="class", title="Class test"),
            edition(*made, pack="class", title="Ulangan", language="id"),
        )
    )


async def taught(  # noqa: PLR0913 - a whole lesson
    store: Store,
    room: Room,
    *,
    people: int = 60,
    count: int = 16,
    planted: int | None = 3,
    mode: Mode = Mode.LIVE,
    name: str = "",
) -> Session:
    """Let people answer every item in one session; what they answer is made up."""
    ids = {}
    answers = answered(people, count, planted=planted)
    for answer in answers:
        if answer.participant not in ids:
            alias = replace(room.alias, external=f"9{len(ids):04}")
            person = await store.participant(alias, name=f"Student {len(ids)}")
            ids[answer.participant] = person.id
    session = Session(
        id=SessionId(name or f"{mode.value}-{room.id}"),
        room=room.id,
        starter=next(iter(ids.values())),
        pack=pack_of(count).id,
        language="en",
        rules=Rules(mode=mode),
        draw=Draw(seed=1, items=tuple(ItemId(f"p{number:02}") for number in range(count))),
        started=NOON,
    )
    await store.start(session)
    for turn in range(count):
        opened = replace(session, phase=Phase.OPEN, turn=turn)
        assert await store.save(session, opened)
        for answer in answers:
            if answer.item == opened.item:
                await store.record(_response(opened, answer, ids[answer.participant], room))
        session = replace(opened, phase=Phase.REVEALING, closed=turn + 1)
        assert await store.save(opened, session)
        asking = replace(session, phase=Phase.ASKING, turn=min(turn + 1, count - 1))
        if turn + 1 < count:
            assert await store.save(session, asking)
            session = asking
    finished = replace(session, phase=Phase.FINISHED, finished=NOON)
    assert await store.save(session, finished)
    return finished


def _response(session: Session, answer: Answer, participant: str, room: Room) -> Response:
    return Response(
        session=session.id,
        turn=session.turn,
        participant=participant,  # type: ignore[arg-type]
        room=room.id,
        pack=session.pack,
        item=answer.item,
        submission=answer.submission,
        grade=answer.grade,
        points=round(100 * answer.grade),
        at=NOON,
        elapsed=answer.seconds,
        week=week_of(NOON, room.zone),
    )
