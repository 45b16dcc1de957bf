"""Receipts are made once for all who have answered the same, and not kept for ever."""

from dataclasses import replace

from bot.ids import ParticipantId, SessionId
from bot.modes import Mode
from bot.narrator import REMEMBERED, Narrator
from bot.packs import Library
from bot.people import Alias, Participant
from bot.ports import Response
from bot.submissions import Chosen
from tests.helpers.doubles import Recorder
from tests.helpers.samples import ANN, NOON, pack, session

READER = Participant(id=ANN, alias=Alias(platform="test", external="1"), name="ann")


def response(session_id: str, *, grade: float = 1) -> Response:
    live = session(Mode.LIVE)
    return Response(
        session=SessionId(session_id),
        turn=0,
        participant=ParticipantId("ann"),
        room=live.room,
        pack=live.pack,
        item=live.item,
        submission=Chosen(frozenset({1})),
        grade=grade,
        points=100,
        at=NOON,
        elapsed=1,
        week=NOON.date(),
    )


def test_who_has_answered_the_same_is_told_the_same():
    narrator = Narrator(store=Recorder(), library=Library([pack()]))  # type: ignore[arg-type]
    live = session(Mode.LIVE)

    first = narrator.receipt(live, READER, response("s1"))
    second = narrator.receipt(live, READER, response("s1"))
    other = narrator.receipt(live, READER, response("s1", grade=0))

    assert first is second
    assert other.tone is not first.tone


def test_old_receipts_are_forgotten():
    narrator = Narrator(store=Recorder(), library=Library([pack()]))  # type: ignore[arg-type]
    live = session(Mode.LIVE)
    first = narrator.receipt(live, READER, response("s1"))

    for number in range(REMEMBERED):
        another = replace(live, id=SessionId(f"x{number}"))
        narrator.receipt(another, READER, response(another.id))

    assert narrator.receipt(live, READER, response("s1")) is not first
