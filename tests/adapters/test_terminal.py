"""The terminal as a chat: what is printed and what typed lines do, at a window and from a pipe."""

import pytest
from rich.cells import cell_len

from adapters.storage import MemoryStore
from adapters.terminal.starting import Wanted
from adapters.terminal.typed import Command, command
from bot.errors import KuisError, UnknownPack
from bot.items import Choice, Item, ShortText
from bot.modes import Mode
from bot.packs import Pack
from bot.people import Alias
from bot.session import Phase
from bot.showing import Staged, stage
from bot.text import Markdown
from bot.wording import words
from tests.helpers.samples import CHOICE, MULTI, NUMBER, SHORT, TRUE, edition, option, pack
from tests.helpers.samples import session as sample
from tests.helpers.terminals import visit

RIGHT = ("B", "A C", "true", "learning rate", "3.14")
LONG = (
    "Call optimizer.step() after N micro-batches, then clear gradients before the next "
    "accumulation window"
)
WORDY = Choice(
    id=CHOICE.id,
    stem=Markdown("When?\n\n```python\nmodel.fit(X_train, y_train, sample_weight=weights)\n```"),
    options=(option(LONG), option("Never")),
    key=0,
)


def staged(item: Item, language: str = "en") -> Staged:
    return stage(sample(rules={"keep_order": True}), (item,), 0, words(language))


# ------------------------------------------------------------ playing from a pipe


async def test_right_answers_from_a_pipe_end_with_everything_right():
    seen = await visit(*RIGHT, packs=[pack()])

    assert seen.printed.count("Right!") == 5
    assert "Jakarta has been the capital since 1945." in seen
    assert seen.printed.rstrip().endswith("Done! 5/5")
    assert seen.session is not None
    assert seen.session.phase is Phase.FINISHED


async def test_a_pipe_gets_no_prompts_and_no_control_signs():
    seen = await visit(*RIGHT, packs=[pack()])

    assert "\x1b" not in seen
    assert ">" not in seen
    assert "⏎" not in seen
    assert not any(line != line.rstrip() for line in seen.printed.splitlines())


async def test_a_wrong_answer_shows_the_right_one_and_both_reasons():
    seen = await visit("A", packs=[pack(CHOICE)])

    assert "Not quite\n  ✗ A. Bandung\n       A city in the west." in seen
    assert "→ Right answer: B. Jakarta" in seen
    assert "Jakarta has been the capital since 1945." in seen
    assert "Medan" not in seen.printed.split("Not quite")[1].split("To look at again")[0]


async def test_what_was_missed_of_several_keys_is_named():
    seen = await visit("A", packs=[pack(MULTI)])

    assert "Partly right\n  ✓ A. 2\n  → Also right: C. 11" in seen


async def test_the_end_of_the_input_leaves_a_quiz_that_goes_on_without_asking():
    store = MemoryStore()
    first = await visit("B", "A C", packs=[pack()], store=store)

    second = await visit(*RIGHT[2:], packs=[pack()], store=store, wanted=Wanted())

    assert "Paused · 3/5" in first
    assert "Going on with “A mixed pack” at question 3 of 5." in second
    assert "The sky is blue." in second
    assert second.printed.rstrip().endswith("5/5")


async def test_a_blank_line_is_no_answer():
    seen = await visit("", "  ", *RIGHT, packs=[pack()])

    assert seen.printed.rstrip().endswith("5/5")


async def test_an_unreadable_line_says_how_to_answer_and_asks_again():
    seen = await visit("Z", "B", packs=[pack(CHOICE)])

    assert "I could not read that as an answer. Answer with a letter from A to C." in seen
    assert seen.printed.rstrip().endswith("1/1")


async def test_an_exam_reveals_nothing_before_its_end():
    wanted = Wanted(pack="mixed", mode=Mode.EXAM, keep_order=True)

    seen = await visit("A", *RIGHT[1:], packs=[pack()], wanted=wanted)

    asked, review = seen.printed.split("Your answers")
    assert "Jakarta has been" not in asked
    assert "Right answer: B. Jakarta" in review
    assert seen.printed.rstrip().endswith("4/5")


# ------------------------------------------------------------ commands


@pytest.mark.parametrize("line", ["s", "S", "/skip", "/lewati"])
async def test_skipping_shows_the_answer_and_counts_as_not_answered(line: str):
    seen = await visit(line, packs=[pack(CHOICE)])

    assert "Skipped\n  → Right answer: B. Jakarta" in seen
    assert "Not answered." in seen


@pytest.mark.parametrize("line", ["q", "/stop", "/berhenti"])
async def test_stopping_keeps_the_quiz_for_later(line: str):
    seen = await visit("B", line, "A C", packs=[pack()])

    assert "Paused · 2/5" in seen
    assert "kuis play" in seen
    assert seen.session is not None
    assert seen.session.phase is Phase.PAUSED


@pytest.mark.parametrize("line", ["?", "/help", "/bantuan"])
async def test_help_says_what_can_be_typed(line: str):
    seen = await visit(line, packs=[pack(CHOICE)])

    assert "Answer with a letter from A to C." in seen
    assert "s skip · q stop for now" in seen


def test_a_letter_that_an_option_has_is_an_answer():
    nineteen = Choice(id=CHOICE.id, stem=CHOICE.stem, options=(option("x"),) * 19, key=0)

    assert command("s", staged(nineteen)) is None
    assert command("q", staged(nineteen)) is None
    assert command("/skip", staged(nineteen)) is Command.SKIP


def test_a_sign_that_is_an_option_s_text_is_an_answer():
    signs = Choice(id=CHOICE.id, stem=CHOICE.stem, options=(option(r"\?"), option("s")), key=0)

    assert command("?", staged(signs)) is None
    assert command("s", staged(signs)) is None


def test_a_short_answer_of_one_letter_is_an_answer_only_where_it_is_the_accepted_one():
    entropy = ShortText(id=SHORT.id, stem=SHORT.stem, accepted=("S",))

    assert command("s", staged(entropy)) is None
    assert command("s", staged(SHORT)) is Command.SKIP
    assert command("q", staged(NUMBER)) is Command.STOP
    assert command("s", staged(TRUE)) is Command.SKIP


# ------------------------------------------------------------ at a window


async def test_a_window_waits_after_each_verdict():
    seen = await visit("B", "", "q", width=80, packs=[pack()])

    assert "Next ⏎" in seen
    assert "Paused · 2/5" in seen


async def test_stopping_at_a_verdict_goes_on_with_the_next_question():
    store = MemoryStore()
    await visit("B", "q", width=80, packs=[pack()], store=store)

    seen = await visit("", "q", width=80, packs=[pack()], store=store)

    assert "Go on with “A mixed pack” at question 2 of 5?" in seen
    assert "Which are prime?" in seen


async def test_whoever_does_not_want_to_go_on_starts_afresh():
    store = MemoryStore()
    await visit("B", "q", width=80, packs=[pack()], store=store)

    seen = await visit("n", "q", width=80, packs=[pack()], store=store)

    assert "What is the capital of Indonesia?" in seen


@pytest.mark.parametrize("width", [20, 40, 80, 120])
async def test_nothing_is_wider_than_the_window_and_nothing_is_cut(width: int):
    seen = await visit("A", "", width=width, packs=[pack(WORDY)])

    assert all(cell_len(line) <= min(width, 88) for line in seen.printed.splitlines())
    assert LONG.replace(" ", "") in "".join(seen.printed.split())
    assert "sample_weight=weights" in "".join(seen.printed.replace("│", "").split())


# ------------------------------------------------------------ choosing


async def test_the_first_line_picks_a_quiz_by_number_id_or_title():
    two = [pack(), sized("other", CHOICE)]

    by_number = await visit("2", packs=two, wanted=Wanted())
    by_id = await visit("other", packs=two, wanted=Wanted())
    by_title = await visit("title of OTHER", packs=two, wanted=Wanted())

    assert all("1/1" in seen for seen in (by_number, by_id, by_title))


async def test_an_empty_input_lists_the_quizzes_and_ends():
    seen = await visit(packs=[pack()], wanted=Wanted())

    assert "1. A mixed pack · 5 questions" in seen
    assert seen.session is None


async def test_an_unknown_quiz_ends_a_pipe_and_is_asked_for_again_at_a_window():
    with pytest.raises(UnknownPack):
        await visit("mixd", packs=[pack()], wanted=Wanted())

    seen = await visit("mixd", "1", "q", width=80, packs=[pack()], wanted=Wanted())

    assert "There is no quiz called “mixd”. Did you mean mixed?" in seen
    assert "1/5" in seen


async def test_no_quizzes_at_all_is_said():
    with pytest.raises(KuisError, match="no quizzes"):
        await visit(packs=[], wanted=Wanted())


async def test_another_quiz_ends_the_one_that_was_left_and_says_so():
    store, two = MemoryStore(), [pack(), sized("other", CHOICE)]
    await visit("B", packs=two, store=store)

    seen = await visit("Jakarta", packs=two, store=store, wanted=Wanted(pack="other"))

    assert "“A mixed pack”, left at question 2 of 5, ends here." in seen
    assert seen.printed.rstrip().endswith("1/1")


async def test_starting_afresh_leaves_the_open_quiz_behind():
    store = MemoryStore()
    await visit("B", packs=[pack()], store=store)

    seen = await visit(
        packs=[pack()], store=store, wanted=Wanted(pack="mixed", fresh=True, keep_order=True)
    )

    assert "1/5" in seen
    assert "Going on" not in seen


async def test_a_quiz_whose_questions_are_gone_makes_way():
    store = MemoryStore()
    await visit("B", packs=[pack()], store=store)

    seen = await visit("1", packs=[sized("other", CHOICE)], store=store, wanted=Wanted())

    assert "The questions of the quiz you left are gone." in seen
    assert "1/1" in seen


async def test_names_that_differ_in_case_are_one_person():
    store = MemoryStore()
    await visit("B", packs=[pack()], store=store, name="Ann")

    seen = await visit("q", packs=[pack()], store=store, name="ANN", wanted=Wanted())

    assert "Going on" in seen
    found = await store.participant(Alias(platform="terminal", external="ann"))
    assert found.name == "ANN"


async def test_everything_is_said_in_indonesian_too():
    seen = await visit("?", "A", "s", packs=[pack()], language="id")

    assert "Belum tepat" in seen
    assert "Jawaban benar: B. Jakarta" in seen
    assert "lewati" in seen
    assert "Ketik kuis play untuk melanjutkan." in seen


def sized(name: str, *items: Item):
    return Pack(editions=(edition(*items, pack=name, title=f"Title of {name}"),))
