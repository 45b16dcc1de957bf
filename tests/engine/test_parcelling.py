"""What a chat can keep of a file, and how a report is told."""

import pytest

from bot import parcelling
from bot.banks import Parcel, Stage, dump, load
from bot.drafts import Draft, DraftOption
from bot.errors import FileRefused
from bot.features import Feature
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.importing import Import, sort
from bot.ids import ParticipantId, RoomId
from bot.items import Choice
from bot.reports import LINE, MOST_PLACES, grouped, key_panel, remarkable
from bot.wording import words
from tests.helpers.samples import NOON

EN = words("en")
PICTURE = "![a cell](cells.png)"


def question(stem: str, *options: str, key: int = 0, **more: object) -> Question:
    made = tuple(DraftOption(text=text, is_key=place == key) for place, text in enumerate(options))
    fields = {"stem": stem, "options": made, **more}
    return Question(draft=Draft(**fields))  # type: ignore[arg-type]


def fitted(*questions: Question) -> Import:
    haul = Haul(format="test", questions=questions, title="Cells")
    return parcelling.fit(sort(haul, "cells.txt", ("", "en")), EN)


def test_a_picture_that_is_a_file_of_ours_is_never_shown():
    brought = fitted(
        question("See ![us](https://x.org/a.png) and ![them](/etc/passwd)", "one", "two"),
        question("![all](/proc/self/environ)\n\nWhat is it?", "x", "y", rationale=PICTURE),
        question("Which is it?", f"{PICTURE} big", "![a bee](bee.png)"),
    )

    first, second, third = brought.imported
    assert first.stem == "See ![us](https://x.org/a.png) and them"
    assert second.stem == "all\n\nWhat is it?"
    assert second.rationale == "a cell"
    assert isinstance(third, Choice)
    assert [option.text for option in third.options] == ["a cell big", "a bee"]
    assert brought.questions == 3
    assert [one.reason for one in brought.report].count(parcelling._GONE) == 3  # noqa: SLF001


def test_a_picture_in_any_other_notation_becomes_its_description():
    (item,) = fitted(question("Look: ![it][1]\n\n[1]: /etc/passwd", "one", "two")).imported

    assert "passwd" not in item.stem
    assert "Look" in item.stem


def test_a_question_of_nothing_but_pictures_is_left_out_and_counted():
    brought = fitted(
        question("Which is a cell?", "![](a.png)", "![](b.png)", "![](c.png)"),
        question("Sky?", "blue", "red"),
    )

    assert [item.stem for item in brought.imported] == ["Sky?"]
    assert brought.found == brought.questions + len(brought.waiting) + brought.skipped
    assert brought.skipped == 1


def test_every_kind_of_question_is_looked_at():
    brought = fitted(
        question("The sky is blue.", "True", "False", rationale=PICTURE),
        Question(draft=Draft(stem=f"{PICTURE} How many?", accepted=("3",))),
        Question(draft=Draft(stem=f"{PICTURE} Who?", accepted=("Ann",))),
        question(f"{PICTURE} Unanswered?", f"{PICTURE} x", "y", key=9),
    )

    assert all("cells.png" not in item.stem + item.rationale for item in brought.imported)
    assert brought.waiting[0].stem == "a cell Unanswered?"
    assert brought.waiting[0].options[0].text == "a cell x"


def test_what_could_not_be_read_again_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parcelling.markdown, "write", lambda edition: f"{edition.title} broken")

    with pytest.raises(FileRefused, match=r"cannot keep the questions of cells\.txt"):
        fitted(question("Sky?", "blue", "red"))


def test_a_file_is_read_in_the_language_of_who_sends_it():
    with pytest.raises(FileRefused, match="kosong"):
        parcelling.read(Source(name="a.txt", content=b" "), words("id"))


def test_lines_for_the_same_reason_are_one_and_long_ones_are_cut():
    same = [
        Remark(severity=Severity.NOTE, place=f"line {n}", excerpt="x", reason="Odd.", action="")
        for n in range(MOST_PLACES + 2)
    ]
    long = Remark(
        severity=Severity.SKIPPED, place="line 99", excerpt="x", reason="long " * 99, action="Out."
    )
    lone = Remark(severity=Severity.CHANGED, place="l", excerpt="", reason="So.", action="")
    others = [
        Remark(severity=Severity.CHANGED, place="l", excerpt="", reason=f"R{n}.", action="")
        for n in range(3)
    ]

    lines = grouped([*same, long, lone], EN)
    told = remarkable([*same, long, lone, *others], EN)

    assert [mark for mark, _ in lines] == ["✗ ", "~ ", "· "]
    assert "… (8)" in lines[-1][1]
    assert told[-1] == "… and 3 more in the file"
    assert all(len(line) <= 2 * LINE for line in told)


def test_a_question_with_very_many_options_offers_as_many_as_can_be_pressed():
    options = tuple(DraftOption(text=str(n)) for n in range(26))
    waiting = Parcel(
        id="d",
        owner=ParticipantId("a"),
        room=RoomId("r"),
        changed=NOON,
        waiting=(Draft(stem="Which?", options=options),),
        keys=("",),
    )

    panel = key_panel(waiting, 0, EN)

    assert len(panel.options) == 26
    assert [button.label for button in panel.buttons][-3:] == ["T", "Leave it out", "‹ Back"]


def test_a_parcel_is_written_and_read_again():
    draft = Draft(stem="?", options=(DraftOption(text="a", line=3),), tags=("t",), several=True)
    parcel = Parcel(
        id="d",
        owner=ParticipantId("a"),
        room=RoomId("r"),
        changed=NOON,
        stage=Stage.COLLECTING,
        waiting=(draft,),
        tags=("x",),
    )

    read = load(dump(parcel), id="d", owner=parcel.owner, room=parcel.room, changed=NOON)

    assert read == parcel


async def test_a_feature_that_has_commands_says_what_they_do(world: object):
    bare = Feature(world)  # type: ignore[arg-type]

    with pytest.raises(NotImplementedError):
        await bare.obey(None, "x", "")  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError):
        await bare.press(None, None)  # type: ignore[arg-type]
    assert await bare.tick(()) is None  # type: ignore[func-returns-value]
