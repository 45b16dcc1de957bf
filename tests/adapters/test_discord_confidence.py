"""How sure people are, on Discord: two rows of buttons."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.confidence import MOST_OPTIONS
from bot.items import Choice
from bot.packs import Library
from tests.helpers.discord_looks import enabled, shown, walk
from tests.helpers.discord_stage import Stage, performance
from tests.helpers.samples import CHOICE, MULTI, option, pack

MANY = replace(CHOICE, options=tuple(option(f"Option {n}") for n in range(MOST_OPTIONS)))


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance(library=Library((pack(CHOICE),))):
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


def rows(message: Any) -> list[list[str]]:
    found = [part for part in walk(message.components) if part.get("type") == 1]
    return [[one["label"] for one in row["components"] if "label" in one] for row in found]


async def start(stage: Stage, person: Any, **options: Any) -> Any:
    """Start a shared quiz and give its question."""
    await person.slash(stage.channel, "quiz", mode="live", seconds=20, **options)
    return stage.public()[-1]


@pytest.mark.parametrize("language", ["en", "id"])
async def test_a_channel_answers_with_two_rows_and_hears_how_many_were_sure_and_wrong(
    stage: Stage, language: str
) -> None:
    told = {
        "en": (
            "✅ Right, and you were sure!",
            "✅ Right! You can be surer of this.",
            "❌ Not quite, and you were sure: worth a second look",
            "2 of 3 answers were right. 1 was sure and wrong.",
        ),
        "id": (
            "✅ Benar, dan kamu yakin!",
            "✅ Benar! Kamu boleh lebih yakin soal ini.",
            "❌ Belum tepat, padahal kamu yakin: layak dilihat lagi",
            "2 dari 3 jawaban benar. 1 orang yakin tetapi salah.",
        ),
    }[language]
    if language == "id":
        stage.in_indonesian()
    await stage.allow(confidence=True, certainty_marks=True, style="poll", language=language)
    ann, ben, cid = stage.members(3)
    question = await start(stage, ann)
    right, wrong = await stage.letter(), await stage.letter(right=False)

    heard = [
        await ann.click(question, label=right),
        await ben.click(question, label=f"{right}?"),
        await cid.click(question, label=wrong),
    ]
    await stage.env.advance_time(22)
    reveal = next(m for m in stage.public() if m.id == question.id)

    assert rows(question) == [["A", "B", "C"], ["A?", "B?", "C?"]]
    assert "**A?**" in shown(question)
    assert [shown(one.response).splitlines()[0] for one in heard] == [f"### {t}" for t in told[:3]]
    assert told[3] in shown(reveal)
    assert not {label.rstrip("?") for label in enabled(reveal)} & set("ABC")
    await stage.env.advance_time(9)
    assert "-100" in shown(stage.public()[-1])


async def test_alone_the_verdict_speaks_of_it_too(stage: Stage) -> None:
    await stage.allow(confidence=True)
    ann = stage.member("ann")
    message = (await ann.slash(stage.channel, "quiz")).response
    letter = await stage.letter(ann, right=False)

    assert enabled(message) == ["A", "B", "C", "A?", "B?", "C?"]
    await ann.click(message, label=f"{letter}?")

    assert "Not quite, and you had your doubts" in shown(message)
    session = await stage.session(ann)
    assert session
    kept = await stage.store.response(session.id, 0, session.starter)
    assert kept
    assert kept.sure is False


async def test_an_answer_can_be_changed_from_sure_to_not_sure(stage: Stage) -> None:
    await stage.allow(confidence=True, may_change=True, verdict_at_once=False)
    ann = stage.member("ann")
    question = await start(stage, ann)
    right = await stage.letter()

    await ann.click(question, label=right)
    second = await ann.click(question, label=f"{right}?")

    assert f"You answered **{right}?**." in shown(second.response)


@pytest.mark.parametrize(("item", "asked"), [(MANY, True), (MULTI, False)])
async def test_ten_options_fit_twice_and_several_keys_are_a_menu_as_ever(
    stage: Stage,
    item: Choice,
    asked: bool,  # noqa: FBT001
) -> None:
    stage.use(Library((pack(item),)))
    await stage.allow(confidence=True, style="poll")
    question = await start(stage, stage.member("ann"))

    letters = "ABCDEFGHIJ" if asked else ""
    assert enabled(question) == [*letters, *(f"{one}?" for one in letters)]


async def test_a_forged_button_is_no_answer(stage: Stage) -> None:
    await stage.allow(confidence=True)
    ann = stage.member("ann")
    question = await start(stage, ann)
    session = await stage.session()
    assert session

    forged = [f"1:a:{session.id}:0:{value}" for value in ("1??", "?", "0,1?", "²")]
    await stage.at_once(stage.press(ann, question, one)[1] for one in forged)

    assert await stage.store.standings(session) == []
