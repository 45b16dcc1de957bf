"""What people read about a turn, in both languages."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from bot.actions import Action, Verb
from bot.draw import option_order
from bot.ids import ParticipantId
from bot.items import Interval, Item
from bot.modes import Mode
from bot.panels import Entry, Panel, Tone
from bot.people import week_of
from bot.ports import Response, Tally
from bot.showing import (
    Staged,
    hint,
    option_text,
    question,
    receipt,
    reveal,
    right_answer,
    verdict,
)
from bot.submissions import Chosen, Submission, Typed
from bot.text import Markdown
from bot.wording import words
from tests.helpers.samples import CHOICE, MULTI, NOON, NUMBER, SHORT, TRUE, session

EN, ID = words("en"), words("id")


def staged(item: Item, language: str = "en", turn: int = 0) -> Staged:
    order = option_order([item], seed=1, keep_order=True)
    return Staged(item=item, order=order, turn=turn, words=words(language))


def response(item: Item, submission: Submission, grade: float) -> Response:
    state = session()
    return Response(
        session=state.id,
        turn=0,
        participant=ParticipantId("ann"),
        room=state.room,
        pack=state.pack,
        item=item.id,
        submission=submission,
        grade=grade,
        points=round(grade * 100),
        at=NOON,
        elapsed=3.0,
        week=week_of(NOON, ZoneInfo("UTC")),
    )


def said(panel: Panel) -> str:
    return "\n".join([panel.heading, *panel.body, *panel.notes])


@pytest.mark.parametrize(
    ("item", "entry", "letters"),
    [
        (CHOICE, Entry.ONE, "ABC"),
        (MULTI, Entry.MANY, "ABCD"),
        (TRUE, Entry.ONE, "AB"),
        (SHORT, Entry.TEXT, ""),
        (NUMBER, Entry.NUMBER, ""),
    ],
)
def test_a_question_shows_everything_but_the_answer(item: Item, entry: Entry, letters: str):
    panel = question(session(), staged(item))

    assert panel.form
    assert (panel.form.entry, panel.progress) == (entry, "1/3")
    assert panel.form.action == Action(verb=Verb.ANSWER, session=session().id, turn=0)
    assert "".join(line.letter for line in panel.options) == letters
    assert all(line.key is None and line.votes is None for line in panel.options)


def test_true_and_false_are_said_in_the_language_of_the_reader():
    assert [o.text for o in question(session(), staged(TRUE)).options] == ["True", "False"]
    assert [o.text for o in question(session(), staged(TRUE, "id")).options] == ["Benar", "Salah"]


def test_a_live_question_says_how_long_it_can_be_answered():
    live = question(session(Mode.LIVE, rules={"seconds": 20}), staged(CHOICE))

    assert live.form
    assert live.form.seconds == 20


def test_a_relaxed_question_can_be_closed_by_hand():
    panel = question(session(Mode.RELAXED), staged(CHOICE))

    assert [button.label for button in panel.buttons] == ["Show the answer"]


def test_a_verdict_explains_the_choice_and_the_key():
    panel = verdict(session(), staged(CHOICE), response(CHOICE, Chosen(frozenset({0})), grade=0.0))

    assert (panel.tone, panel.heading) == (Tone.WRONG, "Not quite")
    assert [(o.letter, o.key, o.chosen) for o in panel.options] == [
        ("A", False, True),
        ("B", True, False),
        ("C", False, False),
    ]
    assert panel.notes == ("**A.** A city in the west.", CHOICE.rationale)


@pytest.mark.parametrize(
    ("grade", "tone", "english", "indonesian"),
    [
        (1.0, Tone.RIGHT, "Right!", "Benar!"),
        (0.5, Tone.PARTLY, "Partly right", "Sebagian benar"),
        (0.0, Tone.WRONG, "Not quite", "Belum tepat"),
    ],
)
def test_a_verdict_has_its_colour_and_its_words(
    grade: float, tone: Tone, english: str, indonesian: str
):
    given = response(MULTI, Chosen(frozenset({0})), grade)

    one = verdict(session(), staged(MULTI), given)
    other = verdict(session(), staged(MULTI, "id"), given)

    assert (one.tone, one.heading, other.heading) == (tone, english, indonesian)


def test_the_answer_to_a_skipped_item_is_shown_all_the_same():
    panel = verdict(session(turn=2), staged(NUMBER, turn=2), None)

    assert panel.heading == "Skipped"
    assert "3.14 ± 0.01" in said(panel)
    assert panel.buttons[0].label == "See your result"


def test_a_receipt_says_what_was_recorded_and_whether_it_is_right():
    given = response(CHOICE, Chosen(frozenset({1})), 1.0)

    at_once = receipt(session(Mode.LIVE), staged(CHOICE), given)

    assert at_once.tone is Tone.RIGHT
    assert at_once.notes[0] == "You answered **B**."
    assert CHOICE.rationale in at_once.notes


def test_a_receipt_keeps_the_secret_where_the_rules_say_so():
    given = response(SHORT, Typed("*step* size"), 1.0)
    quiet = session(Mode.LIVE, rules={"verdict_at_once": False})
    open_ = session(Mode.LIVE, rules={"verdict_at_once": False, "may_change": True})

    final = receipt(quiet, staged(SHORT), given)
    loose = receipt(open_, staged(SHORT), given)

    assert final.tone is Tone.NEUTRAL
    assert final.notes == (r"You answered “\*step\* size”. The answer comes at the end.",)
    assert loose.notes[0].endswith("You can still change it.")


def test_a_reveal_tells_a_room_how_it_answered():
    tally = Tally(
        counts={Chosen(frozenset({0, 1})): 2, Chosen(frozenset({0, 2})): 3, Typed("x"): 1},
        answered=6,
        correct=3,
        fastest=[("Ann_B", 2.04)],
        joined=7,
    )

    panel = reveal(session(Mode.LIVE), staged(MULTI), tally, "🥇 Ann 100")

    assert [(o.votes, o.key) for o in panel.options] == [
        (5, True),
        (2, False),
        (3, True),
        (0, False),
    ]
    assert "3 of 6 answers were right." in panel.notes
    assert r"Fastest: Ann\_B (2 s)" in panel.notes
    assert panel.notes[-1] == "🥇 Ann 100"
    assert [button.label for button in panel.buttons] == ["Challenge"]


def test_a_reveal_nobody_answered_says_so():
    nobody = Tally(counts={}, answered=0, correct=0, fastest=[], joined=0)

    panel = reveal(session(Mode.RELAXED, turn=2), staged(SHORT, "id", turn=2), nobody)

    assert "Tidak ada yang menjawab soal ini." in panel.notes
    assert panel.buttons[0].label == "Lihat hasil"


@pytest.mark.parametrize(
    ("item", "answer"),
    [
        (MULTI, "**A.** 2; **C.** 11"),
        (TRUE, "**A.** Benar"),
        (SHORT, "**learning rate** / **step size**"),
        (NUMBER, "**3,14 ± 0,01**"),
        (replace(NUMBER, accepted=(Interval(low=0.5, high=0.5, value=0.5),)), "**0,5**"),
        (replace(NUMBER, accepted=(Interval(low=1, high=9, value=2),)), "**1 … 9**"),
    ],
)
def test_the_right_answer_is_named_as_a_reader_would(item: Item, answer: str):
    assert right_answer(staged(item, "id")) == answer


@pytest.mark.parametrize(
    ("item", "help_"),
    [
        (CHOICE, "A to C"),
        (MULTI, "“A C”"),
        (SHORT, "word"),
        (NUMBER, "0.25"),
    ],
)
def test_an_unreadable_answer_gets_a_hint(item: Item, help_: str):
    assert help_ in hint(staged(item))


def test_an_item_without_a_rationale_is_no_reason_to_fail():
    bare = replace(CHOICE, rationale=Markdown(""))

    panel = verdict(session(), staged(bare), response(bare, Chosen(frozenset({2})), 0.0))

    assert panel.notes == ()


def test_an_item_that_is_typed_has_no_options_to_name():
    assert option_text(SHORT, 0, EN) == ""
