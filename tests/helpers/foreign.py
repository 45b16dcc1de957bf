"""Foreign files for the tests of formats: the corpus, damage, and packs to write and read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

from bot.building import build_all
from bot.drafts import Draft, DraftOption
from bot.errors import KuisError
from bot.formats.findings import Haul, Remark, Severity, Source
from bot.formats.importing import Import, bring_in
from bot.formats.registry import Format
from bot.ids import PackId
from bot.items import Choice, Item, MultiChoice, TrueFalse
from bot.packs import Edition
from bot.text import Markdown, blocks, literal
from bot.wording import words

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
INDONESIAN = words("id")
NEED_CORPUS = pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not on this machine")


def source(content: str | bytes, name: str = "bank.txt") -> Source:
    """Make a file of a text or of bytes."""
    data = content if isinstance(content, bytes) else content.encode()
    return Source(name=name, content=data)


def brought(path: str, **wishes: str) -> Import:
    """Bring in a file of the corpus, with nothing lost."""
    file = CORPUS / path
    found = bring_in(Source(name=file.name, content=file.read_bytes()), **wishes)

    assert_adds_up(found)
    return found


def assert_adds_up(found: Import) -> None:
    """Check the promise of every import, and that whatever was skipped is named."""
    assert found.found == found.questions + len(found.waiting) + found.skipped
    skipped = [one for one in found.report if one.severity is Severity.SKIPPED]
    assert len(skipped) >= found.skipped
    assert all(one.place for one in found.report)
    assert_translated(found.report)


def assert_translated(remarks: Iterable[Remark]) -> None:
    """Check that what is said of a file is said to Indonesian readers in Indonesian."""
    for one in remarks:
        for text in (one.reason, one.action):
            assert INDONESIAN.tell(text) not in {"", text}, text


def survived(form: Format, content: bytes, name: str = "bank.txt") -> Haul | None:
    """Read anything with a format: a haul, or a refusal in words of ours."""
    file = Source(name=name, content=content)
    assert 0 <= form.sniff(file) <= 1
    try:
        haul = form.read(file)
    except KuisError:
        return None
    assert_translated(haul.remarks)
    for question in haul.questions:
        assert question.draft or question.remarks
        assert_translated(question.remarks)
    return haul


def said(haul: Haul) -> list[str]:
    """List the reasons of all remarks of a haul."""
    inner = (one.reason for question in haul.questions for one in question.remarks)
    return [*(one.reason for one in haul.remarks), *inner]


def damaged(content: bytes) -> list[bytes]:
    """Damage a file as mail programs, editors and attackers do."""
    return list(_damaged(content))


def _damaged(content: bytes) -> Iterator[bytes]:
    for share in (2, 3, 10):
        yield content[: len(content) - len(content) // share]
    yield content[1:]
    yield content.decode("utf-8", errors="replace").encode("utf-16")
    yield content.decode("latin-1").encode("utf-8")
    yield content.replace(b"\n", b"\r\n")
    yield content.replace(b"<", b"<<").replace(b"{", b"{{").replace(b'"', b"'")
    yield b"\x00".join(content[at : at + 7] for at in range(0, min(len(content), 7000), 7))


def mutated(*fixtures: bytes) -> st.SearchStrategy[bytes]:
    """Cut fixtures to pieces and glue them together with anything in between."""

    @st.composite
    def pieces(draw: st.DrawFn) -> bytes:
        parts = []
        for _ in range(draw(st.integers(1, 4))):
            whole = draw(st.sampled_from(fixtures))
            start = draw(st.integers(0, len(whole)))
            end = draw(st.integers(start, len(whole)))
            parts += [whole[start:end], draw(st.binary(max_size=6))]
        return b"".join(parts)

    return st.one_of(pieces(), st.binary(max_size=200), st.text(max_size=200).map(str.encode))


TEXTS = st.one_of(
    st.text(
        st.characters(exclude_categories=("Cc", "Cf", "Cs", "Cn", "Co"), max_codepoint=0x2FFF),
        min_size=1,
        max_size=30,
    ).map(literal),
    st.sampled_from([
        "Why?", "$x^2 + y_1$", "**bold** and `code`", "Line one\\\nline two", "a < b & c > d",
        "First\n\nSecond", "1, 2; 3 | 4", '"quoted", yes', "'=SUM(A1)", "=1+1", "-5", "+x", "@me",
        "```python\nx = 1\n\ny = 2\n```", "C# ~ F#", "<b>", "&amp;", "100 %", "- item", "Ünïcødé ✓",
    ]),
)  # fmt: skip
WORDS = st.text(
    st.characters(categories=("L", "Nd"), max_codepoint=0x2FFF), min_size=1, max_size=12
)


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Draw a draft of any kind."""
    common = Draft(
        stem=draw(TEXTS),
        id="i" + draw(st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True)),
        rationale=draw(st.one_of(st.just(""), TEXTS)),
        seconds=draw(st.sampled_from(["", "5", "45", "3600"])),
        tags=tuple(draw(st.lists(WORDS, max_size=2))),
    )
    kind = draw(st.sampled_from(["choice", "truth", "words", "numbers"]))
    changes: dict[str, object] = {}
    match kind:
        case "choice":
            texts = draw(st.lists(TEXTS, min_size=2, max_size=5, unique=True))
            keys = draw(st.sets(st.integers(0, len(texts) - 1), min_size=1, max_size=2))
            reasons = st.one_of(st.just(""), TEXTS)
            changes["options"] = tuple(
                DraftOption(text=text, is_key=at in keys, rationale=draw(reasons))
                for at, text in enumerate(texts)
            )
            changes["several"] = True if draw(st.booleans()) else None
            changes["keep_order"] = draw(st.booleans())
        case "truth":
            key = draw(st.booleans())
            changes["options"] = (
                DraftOption(text="True", is_key=key, rationale=draw(TEXTS)),
                DraftOption(text="False", is_key=not key),
            )
        case "words":
            changes["accepted"] = tuple(draw(st.lists(WORDS, min_size=1, max_size=3, unique=True)))
            changes["as_text"] = True
            changes["any_accents"] = draw(st.booleans())
            changes["typos"] = draw(st.sampled_from(["", "1", "3"]))
        case "numbers":
            number = st.integers(-1000, 1000).map(lambda n: f"{n / 8} ± {abs(n) / 4}")
            changes["accepted"] = tuple(draw(st.lists(number, min_size=1, max_size=2, unique=True)))
    return Draft(**{name: getattr(common, name) for name in _SHARED}, **changes)


_SHARED = ("stem", "id", "rationale", "seconds", "tags")


@st.composite
def editions(draw: st.DrawFn) -> Edition:
    """Draw a pack of good items."""
    found = draw(st.lists(drafts(), min_size=1, max_size=4, unique_by=lambda draft: draft.id))
    items = build_all(found, "f").items
    return Edition(
        id=PackId("pack"), title="A pack", language=draw(st.sampled_from(["en", "id"])), items=items
    )


def again(form: Format, content: str | bytes) -> tuple[Item, ...]:
    """Read what was written, and build the items of it, as a reader sees them."""
    haul = form.read(source(content))
    found = [draft for q in haul.questions if q.draft for draft in (q.draft, *q.more)]
    return tuple(map(shown, build_all(found, "f").items))


def shown(item: Item) -> Item:
    """Write the texts of an item by what they look like, so that other escapes are the same."""

    def look(text: Markdown) -> Markdown:
        # Which language code is in gets lost in HTML; it is for editors, no chat shows it.
        return Markdown(re.sub(r"language='\w*'", "", repr(blocks(text))))

    item = replace(item, stem=look(item.stem), rationale=look(item.rationale))
    match item:
        case Choice() | MultiChoice():
            options = tuple(
                replace(one, text=look(one.text), rationale=look(one.rationale))
                for one in item.options
            )
            return replace(item, options=options)
        case TrueFalse():
            sides = look(item.when_true), look(item.when_false)
            return replace(item, when_true=sides[0], when_false=sides[1])
        case _:
            return item
