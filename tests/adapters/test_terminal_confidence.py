"""How sure somebody is, at the terminal: `A`, or `A?`."""

import pytest

from adapters.storage import MemoryStore
from adapters.terminal.reviewing import Wanted as Review
from adapters.terminal.starting import Wanted
from bot.items import Item
from bot.text import plain
from tests.helpers.samples import CHOICE, MULTI, NUMBER, TRUE, pack
from tests.helpers.terminals import visit

SURE = Wanted(pack="mixed", keep_order=True, confidence=True)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            (
                "Sure: A. Not sure: A?",
                "Right! You can be surer of this.",
                "Not quite, and you were sure: worth a second look",
            ),
        ),
        (
            "id",
            (
                "Yakin: A. Belum yakin: A?",
                "Benar! Kamu boleh lebih yakin soal ini.",
                "Belum tepat, padahal kamu yakin: layak dilihat lagi",
            ),
        ),
    ],
)
async def test_a_question_mark_says_that_somebody_is_not_sure(language: str, told: tuple[str, ...]):
    seen = await visit("B?", "false", packs=[pack(CHOICE, TRUE)], wanted=SURE, language=language)

    assert all(line in seen for line in told)
    assert seen.printed.count(told[0]) == 2


async def test_what_is_no_single_choice_is_not_asked():
    seen = await visit("A C", "3.14", packs=[pack(MULTI, NUMBER)], wanted=SURE)

    assert "Not sure" not in seen
    assert seen.printed.count("Right!") == 2


async def test_without_the_option_a_question_mark_is_not_understood():
    seen = await visit("B?", "B", packs=[pack(CHOICE)])

    assert "I could not read that as an answer." in seen
    assert "Right!" in seen
    assert "surer" not in seen


async def test_a_quiz_that_was_left_goes_on_asking_and_one_that_does_not_ask_ends():
    store = MemoryStore()
    await visit("B?", packs=[pack(CHOICE, TRUE)], store=store, wanted=SURE)
    going_on = await visit("true?", packs=[pack(CHOICE, TRUE)], store=store, wanted=Wanted())
    assert "You can be surer of this." in going_on

    await visit("B", packs=[pack(CHOICE, TRUE)], store=store)
    afresh = await visit("B?", packs=[pack(CHOICE, TRUE)], store=store, wanted=SURE)
    assert "ends here" in afresh


@pytest.mark.parametrize("sure", [CHOICE, TRUE], ids=["the first", "the second"])
async def test_a_review_begins_with_what_somebody_was_sure_of_and_wrong_about(sure: Item):
    store, both = MemoryStore(), pack(CHOICE, TRUE)
    typed = ("A", "false?") if sure is CHOICE else ("A?", "false")
    await visit(*typed, packs=[both], store=store, wanted=SURE)

    seen = await visit(packs=[both], store=store, wanted=Review(), days=1)

    assert plain(sure.stem) in seen
    assert seen.session
    assert seen.session.draw.items[0] == sure.id
