"""Files as teachers have them, and how a chat's request for one is made."""

import io
import zipfile

from openpyxl import Workbook

from bot.commands import Place
from bot.panels import Panel
from bot.people import Participant
from bot.requests import Reply, Request
from tests.helpers.worlds import World

GIFT = """::Ibu kota:: Apa ibu kota Prancis\u2014\u201cla ville\u201d? {=Paris ~Lyon ~Marseille}

::Café:: Wie heißt „Kaffee“ auf Französisch? {=café ~thé ~eau}
""".encode("windows-1252")
PLAIN = b"""Colours

1. What colour is the sky?
a) Red
b) Blue
c) Green

2. What colour is grass?
a) Green
b) White

3. What colour is snow?
a) Black
b) White
"""
CORRECTED = """::sky:: What colour is the sky? {~Red =Blue ~Black}

::grass:: What colour is grass? {=Green ~White}

::snow:: What colour is fresh snow? {=White ~Black}
"""
FIRST = """::sky:: What colour is the sky? {=Red ~Blue}

::meadow:: What colour is grass? {=Green ~White}

::snow:: What colour is snow? {=White ~Black}
"""


def kahoot() -> bytes:
    """Make a sheet like Kahoot's template, with two questions."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    rows = (
        ("Quiz template",),
        (),
        (
            None,
            "Question - max 120 characters",
            "Answer 1 - max 75 characters",
            "Answer 2 - max 75 characters",
            "Answer 3 - max 75 characters",
            "Answer 4 - max 75 characters",
            "Time limit (sec)",
            "Correct answer(s)",
        ),
        (1, "What is 1 + 1?", 1, 2, 3, 4, 20, 2),
        (2, "Which are even?", "two", "three", "four", None, 30, "1,3"),
    )
    for row in rows:
        sheet.append(row)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def bomb() -> bytes:
    """Make a small file that unpacks into very much."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as opened:
        for number in range(4):
            opened.writestr(f"xl/{number}.xml", b"0" * 30_000_000)
    return kept.getvalue()


def asks(
    world: World, place: Place = Place.PRIVATE, by: Participant | None = None, **more: object
) -> Request:
    fields = {"room": world.room, "person": by or world.ann, "place": place, **more}
    return Request(**fields)  # type: ignore[arg-type]


def said(reply: Reply | None) -> str:
    assert reply
    return words_of(reply.panel)


def words_of(panel: Panel) -> str:
    return "\n".join([panel.heading, panel.progress, *panel.body, *panel.notes])


def labels(reply: Reply | None) -> list[str]:
    assert reply
    return [button.label for button in reply.panel.buttons]


async def press(world: World, request: Request, reply: Reply | None, label: str) -> Reply:
    """Press the button that begins like this, and give the reply."""
    assert reply
    button = next(b for b in reply.panel.buttons if b.label.startswith(label))
    answered = await world.desk.press(request, button.action)
    assert answered
    return answered


async def brought_in(
    world: World, request: Request, content: bytes, name: str = "colours.gift"
) -> Reply:
    """Hand in a file and confirm it in the first place that is offered."""
    report = await world.desk.imported(request, name, content)
    return await press(world, request, report, "Confirm")
