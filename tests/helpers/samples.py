"""Values that many tests start from."""

from datetime import UTC, datetime, timedelta

from bot.draw import Draw
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.items import Choice, Interval, Item, MultiChoice, Numeric, Option, ShortText, TrueFalse
from bot.modes import Mode, Rules
from bot.packs import Edition, Pack
from bot.session import Session
from bot.text import Markdown

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
ANN = ParticipantId("ann")
BEN = ParticipantId("ben")


def later(seconds: float) -> datetime:
    """Give a time so many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def option(text: str, why: str = "") -> Option:
    return Option(text=Markdown(text), rationale=Markdown(why))


CHOICE = Choice(
    id=ItemId("capital"),
    stem=Markdown("What is the capital of Indonesia?"),
    rationale=Markdown("Jakarta has been the capital since **1945**."),
    options=(option("Bandung", "A city in the west."), option("Jakarta", "Yes."), option("Medan")),
    key=1,
)
MULTI = MultiChoice(
    id=ItemId("primes"),
    stem=Markdown("Which are prime?"),
    rationale=Markdown("A prime has two divisors."),
    options=(option("2"), option("9", "3 times 3."), option("11"), option("15")),
    keys=frozenset({0, 2}),
)
TRUE = TrueFalse(
    id=ItemId("sky"),
    stem=Markdown("The sky is blue."),
    key=True,
    when_true=Markdown("It scatters."),
    when_false=Markdown("Look up."),
)
SHORT = ShortText(
    id=ItemId("rate"), stem=Markdown("What is $\\eta$?"), accepted=("learning rate", "step size")
)
NUMBER = Numeric(
    id=ItemId("pi"),
    stem=Markdown("How much is pi?"),
    rationale=Markdown("It is irrational."),
    accepted=(Interval(low=3.13, high=3.15, value=3.14),),
)
ITEMS: tuple[Item, ...] = (CHOICE, MULTI, TRUE, SHORT, NUMBER)


def edition(*items: Item, language: str = "en", pack: str = "mixed", **more: object) -> Edition:
    fields = {"title": "A mixed pack", **more}
    return Edition(id=PackId(pack), language=language, items=items or ITEMS, **fields)  # type: ignore[arg-type]


def pack(*items: Item) -> Pack:
    return Pack(editions=(edition(*items),))


def session(mode: Mode = Mode.SOLO, *, items: int = 3, **more: object) -> Session:
    rules = Rules(mode=mode, **more.pop("rules", {}))  # type: ignore[arg-type]
    fields = {
        "id": SessionId("s1"),
        "room": RoomId("r1"),
        "starter": ANN,
        "pack": PackId("mixed"),
        "language": "en",
        "rules": rules,
        "draw": Draw(seed=7, items=tuple(item.id for item in ITEMS[:items])),
        "started": NOON,
        **more,
    }
    return Session(**fields)  # type: ignore[arg-type]
