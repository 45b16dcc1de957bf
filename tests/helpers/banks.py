"""Editions for round trips, and what tests of formats share."""

import string
from contextlib import suppress
from pathlib import Path

from hypothesis import strategies as st

from bot.building import build_all
from bot.drafts import Draft, DraftOption
from bot.errors import FileRefused
from bot.formats.findings import Haul, Source
from bot.formats.importing import Import, bring_in
from bot.formats.registry import Format
from bot.ids import PackId
from bot.items import Interval
from bot.packs import Edition
from bot.text import literal
from tests.helpers.foreign import assert_adds_up

SHARED = Path(__file__).parents[3] / "shared"

# What each sign of the formats, of HTML and of Markdown may do, in every order.
SIGNS = "ab1 .,;:=~#{}\\%*_`<>&[]()!?-+|/$'\"é字\n"
texts = st.text(st.sampled_from(SIGNS), min_size=1, max_size=14).filter(lambda t: bool(t.strip()))
words = st.text(string.ascii_letters + " é字", min_size=1, max_size=12).filter(
    lambda t: bool(t.strip())
)
percents = st.sampled_from([-1.0, -0.5, -0.3333333, 0.0, 0.25, 0.5, 0.6666667, 1.0])


@st.composite
def markdown(draw: st.DrawFn) -> str:
    """Draw a text: escaped signs, or Markdown that means something."""
    text = literal(draw(texts))
    return draw(st.sampled_from([text, f"**{text}**", f"{text}\n\n{text}", "$x_1$ " + text]))


@st.composite
def drafts(draw: st.DrawFn, source: st.SearchStrategy[str]) -> Draft:
    """Draw an item of any kind."""
    shape = draw(st.sampled_from(["choice", "several", "truth", "text", "number"]))
    draft = Draft(
        stem=draw(source),
        rationale=draw(st.one_of(st.just(""), source)),
        tags=tuple(draw(st.lists(st.sampled_from(["one", "two words"]), max_size=2, unique=True))),
        several=True if shape == "several" else None,
        as_text=shape == "text",
    )
    fields = {name: getattr(draft, name) for name in Draft.__slots__}
    if shape == "truth":
        is_true = draw(st.booleans())
        fields["options"] = (
            DraftOption(text="True", is_key=is_true, rationale=draw(source)),
            DraftOption(text="False", is_key=not is_true),
        )
    elif shape == "text":
        fields["accepted"] = tuple(draw(st.lists(texts, min_size=1, max_size=3)))
        fields["credits"] = tuple(draw(st.sampled_from([1.0, 0.5])) for _ in fields["accepted"])
    elif shape == "number":
        middle, half = draw(st.integers(-999, 999)) / 8, draw(st.integers(0, 99)) / 4
        number = Interval(low=middle - half, high=middle + half, value=middle)
        fields["accepted"] = (number,)
    else:
        fields["options"] = tuple(_options(draw, source, shape))
    return Draft(**fields)


def _options(draw: st.DrawFn, source: st.SearchStrategy[str], shape: str) -> list[DraftOption]:
    found = draw(st.lists(source, min_size=2, max_size=4, unique=True))
    key = draw(st.integers(0, len(found) - 1))
    weighted = shape == "several" and draw(st.booleans())
    options = []
    for place, text in enumerate(found):
        weight = draw(percents) if weighted else None
        right = place == key or (shape == "several" and draw(st.booleans()))
        is_key = weight > 0 if weight is not None else right
        reason = draw(st.one_of(st.just(""), source))
        options.append(DraftOption(text=text, is_key=is_key, weight=weight, rationale=reason))
    return options


@st.composite
def editions(draw: st.DrawFn, source: st.SearchStrategy[str] | None = None) -> Edition:
    """Draw an edition of good items."""
    found = draw(st.lists(drafts(markdown() if source is None else source), min_size=1, max_size=4))
    items = build_all(found, "drawn").items
    return Edition(id=PackId("drawn"), title="Drawn", language="en", items=items)


def brought(text: str | bytes, name: str = "bank.txt", **more: str) -> Import:
    """Bring in a text, and hold the report to its promise."""
    content = text.encode() if isinstance(text, str) else text
    found = bring_in(Source(name=name, content=content), **more)  # type: ignore[arg-type]
    assert_adds_up(found)
    return found


def brought_or_refused(content: bytes, *, format: str) -> None:  # noqa: A002 - as bring_in has it
    """Bring in a damaged file: a report, or a refusal in words of ours, are both good ends."""
    with suppress(FileRefused):
        brought(content, format=format)


def read_or_refused(format_: Format, content: bytes) -> Haul | None:
    """Read anything at all; a refusal is the only error there is."""
    source = Source(name="bank", content=content)
    try:
        0.0 <= format_.sniff(source) <= 1.0  # noqa: B015 - that it comes back is the point
        return format_.read(source)
    except FileRefused:
        return None


@st.composite
def mutated(draw: st.DrawFn, content: bytes) -> bytes:
    """Draw a damaged copy: bytes changed, taken away, or said twice."""
    copy = bytearray(content)
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(copy)))
        match draw(st.integers(0, 2)):
            case 0:
                copy[at : at + 1] = draw(st.binary(max_size=2))
            case 1:
                del copy[at : at + draw(st.integers(0, 30))]
            case _:
                copy[at:at] = copy[at : at + draw(st.integers(0, 30))]
    return bytes(copy)
