"""Summaries, leaderboards, pauses and refusals."""

import pytest

from bot.actions import Verb
from bot.effects import Refusal, Trouble
from bot.ids import ParticipantId
from bot.modes import Mode
from bot.panels import Tone
from bot.ports import Board, Merit, Period
from bot.scoring import Standing
from bot.submissions import Chosen, Typed
from bot.summing import (
    Outcome,
    leaderboard,
    own_place,
    paused,
    private_summary,
    refused,
    shared_summary,
    standing_line,
)
from bot.wording import words
from tests.engine.test_showing import response, staged
from tests.helpers.samples import CHOICE, MULTI, NUMBER, session

EN, ID = words("en"), words("id")
RIGHT = (staged(CHOICE), response(CHOICE, Chosen(frozenset({1})), 1.0))
PARTLY = (staged(MULTI, turn=1), response(MULTI, Chosen(frozenset({0})), 0.5))
UNANSWERED = (staged(NUMBER, turn=2), None)
ROW = Standing(
    participant=ParticipantId("p"), name="Ann_1", points=1250, correct=12.5, answered=15, place=2
)


def test_a_summary_gives_score_time_and_what_was_missed():
    outcome = Outcome(turns=[RIGHT, PARTLY, UNANSWERED], practice=0, seconds=75)

    panel = private_summary(session(), outcome, "A_pack", EN)

    assert (panel.heading, panel.progress, panel.tone) == ("Done!", "1.5/3", Tone.PARTLY)
    assert panel.body[:2] == (r"**A\_pack**", "**1.5 of 3** right in 1 minute 15 seconds.")
    assert panel.notes[0] == "**To look at again**"
    assert "Partly right · You answered **A.** 2." in panel.notes[1]
    assert "Not answered." in panel.notes[2]
    assert [b.action.verb for b in panel.buttons] == [Verb.MISSED, Verb.PLAY]


def test_a_summary_without_a_miss_is_glad():
    panel = private_summary(session(), Outcome(turns=[RIGHT], practice=1, seconds=3), "Pack", ID)

    assert panel.heading == "Dihentikan"
    assert panel.tone is Tone.RIGHT
    assert "Tidak ada yang terlewat!" in panel.body[1]
    assert panel.body[2].startswith("Ini latihan")
    assert panel.notes == ()


def test_a_summary_says_how_much_was_practice():
    panel = private_summary(
        session(), Outcome(turns=[RIGHT, PARTLY], practice=1, seconds=3), "Pack", EN
    )

    assert panel.body[2].startswith("1 answer was practice")


def test_a_quiz_stopped_before_anything_was_asked_ends_quietly():
    panel = private_summary(session(), Outcome(turns=[], practice=0, seconds=0), "Pack", EN)

    assert (panel.tone, panel.progress, panel.heading) == (Tone.NOTICE, "", "Stopped")


def test_an_exam_is_reviewed_whole():
    outcome = Outcome(turns=[RIGHT, UNANSWERED], practice=0, seconds=3)

    panel = private_summary(session(Mode.EXAM), outcome, "Pack", EN)

    assert panel.notes[0] == "**Your answers**"
    assert "Right! · You answered **B.** Jakarta." in panel.notes[1]
    assert CHOICE.rationale in panel.notes[1]


def test_the_end_in_a_room_shows_standings():
    panel = shared_summary(session(Mode.LIVE, closed=3), [ROW], "Pack", EN)
    nobody = shared_summary(session(Mode.LIVE, closed=1), [], "Pack", EN)

    assert (panel.progress, panel.standings) == ("3 questions", (ROW,))
    assert "Nobody answered" in nobody.body[1]


@pytest.mark.parametrize("period", list(Period))
def test_a_leaderboard_names_its_period_and_ones_own_place(period: Period):
    board = Board(rows=[ROW], total=1200, mine=ROW)

    panel = leaderboard(board, period, Merit.ACCURACY, "Here", EN)

    assert panel.heading.startswith("Leaderboard ")
    assert panel.body == ("By accuracy.",)
    assert panel.notes == ("You: place 2 of 1,200, 1,250 points",)


def test_an_empty_leaderboard_invites():
    empty = Board(rows=[], total=0)

    panel = leaderboard(empty, Period.WEEK, Merit.POINTS, "Here", ID)

    assert "Papan ini masih kosong" in panel.body[0]
    assert own_place(empty, EN) == "You are not on this board yet."
    assert leaderboard(Board(rows=[ROW], total=1), Period.ALL, Merit.POINTS, "", EN).body == ()


def test_a_row_is_written_so_that_it_wraps_and_nothing_in_a_name_is_markup():
    assert standing_line(ROW, EN) == r"🥈 **Ann\_1** · 1,250 points · 12.5/15 right"


@pytest.mark.parametrize("why", list(Refusal))
@pytest.mark.parametrize("language", ["en", "id"])
def test_every_refusal_is_one_polite_sentence_or_two(why: Refusal, language: str):
    panel = refused(why, words(language), detail="0.8 s")

    assert 10 < len(panel.body[0]) < 120
    assert panel.body[0].endswith((".", "s"))


@pytest.mark.parametrize("trouble", list(Trouble))
@pytest.mark.parametrize("language", ["en", "id"])
def test_every_pause_says_what_to_do(trouble: Trouble, language: str):
    panel = paused(session(), trouble, words(language))

    assert panel.body[0].endswith(".")
    assert panel.buttons[0].action.verb is Verb.RESUME


def test_a_typed_answer_is_quoted_in_a_review():
    wrong = (staged(NUMBER), response(NUMBER, Typed("3"), 0.0))

    panel = private_summary(session(), Outcome(turns=[wrong], practice=0, seconds=1), "P", EN)

    assert "You answered “3”." in panel.notes[1]
    assert "Right answer: **3.14 ± 0.01**" in panel.notes[1]
