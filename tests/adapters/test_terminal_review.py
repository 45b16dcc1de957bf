"""`kuis review`: what was missed comes back at the terminal."""

from adapters.storage import MemoryStore
from adapters.terminal.reviewing import Wanted
from adapters.terminal.starting import Wanted as Quiz
from bot.packs import Pack
from tests.helpers.samples import CHOICE, MULTI, TRUE, edition
from tests.helpers.terminals import Visit, visit

LAND = Pack(editions=(edition(CHOICE, pack="land"),))
MATHS = Pack(editions=(edition(MULTI, TRUE, pack="maths"),))
PACKS = (LAND, MATHS)


async def played(store: MemoryStore) -> None:
    """Miss one item of each pack."""
    await visit("A", packs=PACKS, store=store, wanted=Quiz(pack="land", keep_order=True))
    await visit("B", "true", packs=PACKS, store=store, wanted=Quiz(pack="maths", keep_order=True))


async def review(store: MemoryStore, *typed: str, days: float = 1, **more: object) -> Visit:
    wanted = Wanted(**more)  # type: ignore[arg-type]
    return await visit(*typed, packs=PACKS, store=store, wanted=wanted, days=days)


async def test_a_review_asks_what_is_due_from_all_packs_and_says_what_comes_next():
    store = MemoryStore()
    await played(store)

    seen = await review(store, "A", "A", "A")

    assert "What is the capital of Indonesia?" in seen
    assert "Which are prime?" in seen
    assert "The sky is blue." not in seen
    assert "Due today 0, tomorrow" in seen
    assert "Review" in seen
    assert seen.session
    assert seen.session.mixed


async def test_with_nothing_due_it_says_so_and_how_to_go_on_all_the_same():
    store = MemoryStore()
    await played(store)

    seen = await review(store, days=0)
    early = await review(store, "A", "A", "A", days=0, early=True)

    assert "Nothing is due today. Due tomorrow: 2." in seen
    assert "kuis review --early" in seen
    assert seen.session is None
    assert early.session
    assert early.session.length == 3


async def test_who_has_played_nothing_is_told_where_it_begins():
    assert "kuis play" in await review(MemoryStore())


async def test_only_what_was_missed_can_be_asked_at_once():
    store = MemoryStore()
    await played(store)

    seen = await review(store, "B", "A", "A", days=0, missed=True)
    again = await review(store, days=40, missed=True)

    assert "What you missed" in seen
    assert seen.session
    assert seen.session.length == 2
    assert "missed nothing in the last 30 days" in again


async def test_a_review_that_was_left_goes_on_with_kuis_play():
    store = MemoryStore()
    await played(store)
    left = await review(store)

    seen = await visit("A", "A", packs=PACKS, store=store, wanted=Quiz())

    assert left.session
    assert "Going on with “Review” at question 1 of 2." in seen
    assert "Due today" in seen


async def test_minutes_limit_how_much_is_asked():
    store = MemoryStore()
    await played(store)

    seen = await review(store, "A", "A", days=9, minutes=1)

    assert seen.session
    assert 1 <= seen.session.length <= 3
