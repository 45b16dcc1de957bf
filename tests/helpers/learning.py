"""Somebody who learns for weeks, and classes that answer: what tests of insight start from."""

import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.items import Choice
from bot.packs import Library, Pack
from bot.people import week_of
from bot.progress import Progress, progress
from bot.records import Answer, Taken
from bot.submissions import Chosen
from bot.text import Markdown
from tests.helpers.samples import edition, option

TODAY = date(2026, 3, 4)
ZONE = ZoneInfo("UTC")
PACKS = {
    "gradient": ("Gradient accumulation", "Akumulasi gradien", 12),
    "linear": (
        "Linear algebra for machine learning",
        "Aljabar linear untuk pembelajaran mesin",
        30,
    ),
    "probability": ("Probability", "Peluang", 24),
    "transformers": ("Transformers", "Transformer", 18),
}


def items(count: int, pack: str = "p") -> tuple[Choice, ...]:
    """Make items with four options; the key is the second."""
    return tuple(
        Choice(
            id=ItemId(f"{pack}{number:02}"),
            stem=Markdown(f"Question {number} of {pack}?"),
            options=(
                option("first", "That is a common mix-up."),
                option("second", "Yes."),
                option("third"),
                option("fourth"),
            ),
            key=1,
        )
        for number in range(count)
    )


def library() -> Library:
    """Make four packs in two languages."""
    return Library(
        Pack(
            editions=(
                edition(*items(count, name), pack=name, title=english),
                edition(*items(count, name), pack=name, title=indonesian, language="id"),
            )
        )
        for name, (english, indonesian, count) in PACKS.items()
    )


def step(item: str, grade: float, at: datetime, **more: object) -> Taken:
    fields = {
        "session": SessionId(f"{at:%m%d%H}"),
        "room": RoomId("room"),
        "pack": PackId("gradient"),
        "points": round(100 * grade),
        "week": week_of(at, ZONE),
        **more,
    }
    return Taken(item=ItemId(item), grade=grade, at=at, **fields)  # type: ignore[arg-type]


def diligent() -> list[Taken]:
    """Somebody who has learned on most days of ten weeks, and gets better."""
    chance = random.Random(7)  # noqa: S311 - made up, not secret
    taken: list[Taken] = []
    for ago in reversed(range(70)):
        day = datetime(2026, 3, 4, 18, tzinfo=UTC) - timedelta(days=ago)
        if ago > 3 and chance.random() < 0.45:
            continue
        pack = chance.choice(list(PACKS)[:3])
        skill = 0.5 + 0.4 * (70 - ago) / 70
        for number in chance.sample(range(PACKS[pack][2]), 8):
            at = day + timedelta(seconds=number)
            right = float(chance.random() < skill)
            taken.append(step(f"{pack}{number:02}", right, at, pack=PackId(pack)))
    return taken


def progressed(taken: Sequence[Taken], language: str = "en", today: date = TODAY) -> Progress:
    return progress(taken, library=library(), today=today, zone=ZONE, language=language)


def answered(
    people: int, questions: int, *, planted: int | None = None, seed: int = 1
) -> list[Answer]:
    """Have people of different ability answer questions of different difficulty, by a logistic
    model; who knows the answer of the `planted` item chooses option 2, though 1 is its key.
    """
    chance = random.Random(seed)  # noqa: S311 - made up, not secret
    difficulty = [chance.uniform(-1.5, 1.5) for _ in range(questions)]
    answers = []
    for person in range(people):
        ability = chance.gauss(0, 1)
        for number in range(questions):
            knows = chance.random() < 1 / (
                1 + 2.718281828 ** (1.4 * (difficulty[number] - ability))
            )
            truth = 2 if number == planted else 1
            place = truth if knows else chance.choice([p for p in range(4) if p != truth])
            answers.append(
                Answer(
                    participant=ParticipantId(f"person{person:04}"),
                    item=ItemId(f"p{number:02}"),
                    submission=Chosen(frozenset({place})),
                    grade=float(place == 1),
                    seconds=round(chance.lognormvariate(2, 0.5), 3),
                )
            )
    return answers
