"""Results and analyses as tables."""

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.analysis import Doubt, analyse
from bot.ids import ItemId, PackId, ParticipantId, SessionId
from bot.records import Result
from bot.sheets import (
    INSIGHTS,
    RESULTS,
    as_file,
    comma_separated,
    insight_entry,
    insight_lines,
    pseudonym,
    result_line,
)
from bot.submissions import Chosen, Typed
from tests.helpers.learning import answered, items
from tests.helpers.samples import ANN, NOON

RESULT = Result(
    session=SessionId("s"),
    turn=0,
    shared=True,
    pack=PackId("p"),
    item=ItemId("i"),
    participant=ANN,
    name="Ann",
    submission=Chosen(frozenset({2, 0})),
    grade=0.5,
    points=50,
    seconds=4.25,
    at=NOON,
)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_a_response_is_one_line():
    heading, line = read(comma_separated([RESULTS, result_line(RESULT, names=False)]))

    assert dict(zip(heading, line, strict=True)) == {
        "session": "s",
        "turn": "1",
        "pack": "p",
        "item": "i",
        "participant": "Ann",
        "answer": "AC",
        "grade": "0.5",
        "points": "50",
        "seconds": "4.25",
        "time": "2026-03-04T12:00:00+00:00",
    }


def test_what_was_answered_alone_stands_without_a_name_unless_names_are_wanted():
    alone = replace(RESULT, shared=False)
    nameless = replace(RESULT, name="")

    assert result_line(alone, names=False)[4] == pseudonym(alone)
    assert result_line(alone, names=True)[4] == "Ann"
    assert result_line(nameless, names=True)[4] == pseudonym(nameless)
    assert ANN not in pseudonym(alone)
    assert pseudonym(replace(alone, participant=ParticipantId("ben"))) != pseudonym(alone)


@pytest.mark.parametrize("evil", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1"])
def test_no_spreadsheet_takes_a_name_or_an_answer_for_a_formula(evil: str):
    line = result_line(replace(RESULT, name=evil, submission=Typed(evil)), names=True)

    (row,) = read(comma_separated([line]))

    assert row[4] == row[5] == f"'{evil}"


@given(st.text(), st.text())
def test_whatever_people_write_stays_in_its_cell(name: str, typed: str):
    line = result_line(replace(RESULT, name=name, submission=Typed(typed)), names=True)

    text = comma_separated([RESULTS, line])

    rows = read(text)
    assert [len(row) for row in rows] == [len(RESULTS)] * 2
    assert not rows[1][5].lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))
    assert as_file(text).startswith(b"\xef\xbb\xbf")


def test_an_analysis_is_a_line_for_each_item_with_all_its_options():
    found = {item.id: item for item in items(40)}
    insights = analyse(answered(60, 40, planted=3), found)

    heading, *lines = insight_lines(insights, found)

    assert heading == (*INSIGHTS, *(f"{x}{y}" for x in "ABCD" for y in ("", "_upper", "_lower")))
    suspect = dict(zip(heading, lines[3], strict=True))
    assert (suspect["item"], suspect["key"], suspect["rival"]) == ("p03", "B", "C")
    assert suspect["suspect"] == Doubt.RIVAL.value
    assert sum(suspect[letter] for letter in "ABCD") == suspect["answered"] == 60
    assert suspect["question"] == "Question 3 of p?"


def test_an_analysis_as_json_says_the_same_and_leaves_open_what_is_not_known():
    found = {item.id: item for item in items(40)}
    many = analyse(answered(60, 40, planted=3), found)
    few = analyse(answered(3, 2), found)

    entry = json.loads(json.dumps(insight_entry(many[3], found[ItemId("p03")])))
    short = insight_entry(few[0], found[ItemId("p00")])

    assert (entry["suspect"], entry["rival"], entry["group"]) == ("rival", "C", 16)
    assert entry["discrimination"]["low"] < 0
    assert [option["key"] for option in entry["options"]] == [False, True, False, False]
    assert (short["discrimination"], short["suspect"], short["rival"]) == (None, None, None)
    assert len(insight_lines(few, found)) == 3
    assert insight_lines((), found) == (INSIGHTS,)
