"""Question banks on Discord: attachments in, files out, and what can be done between."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.helpers.banking import GIFT, PLAIN, bomb, kahoot
from tests.helpers.discord_looks import buttons, shown
from tests.helpers.discord_stage import SEED_QUIZ, Stage, performance


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance():
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


def teacher(stage: Stage, name: str = "ann") -> Any:
    role = stage.guild.create_role("teacher", permissions=stage.permissions(manage_guild=True))
    return stage.member(name, roles=[role])


async def brought_in(stage: Stage, person: Any, label: str, name: str = "maths.xlsx") -> Any:
    told = await person.slash(stage.channel, "import", file=(name, kahoot()))
    await person.click(told.response, label=label)
    return told.response


async def test_a_kahoot_sheet_becomes_a_quiz_of_the_channel(stage: Stage) -> None:
    ann, ben = teacher(stage), stage.member("ben")
    told = await ann.slash(stage.channel, "import", file=("maths.xlsx", kahoot()))
    report = told.response

    assert report.ephemeral
    assert "2 found: 2 imported" in shown(report)
    assert [file.filename for file in report.attachments] == ["maths-report.txt"]
    await ann.click(report, label="Confirm: for kuis")
    assert "It has 2 questions" in shown(report)
    packs = await ben.slash(stage.channel, "packs")
    assert "maths · 2" in buttons(packs.response)
    assert "Manage" not in buttons(packs.response)
    question = await ben.click(packs.response, label="maths · 2")
    assert "1/2" in shown(question.response or packs.response)
    other = stage.guild.create_text_channel("lain")
    elsewhere = await ben.slash(other, "packs")
    assert "maths · 2" not in buttons(elsewhere.response)
    assert stage.public() == []


async def test_a_server_has_quizzes_for_all_its_channels_and_suggests_them(stage: Stage) -> None:
    ann, ben = teacher(stage), stage.member("ben")
    await brought_in(stage, ann, "Confirm: for all rooms here")
    other = stage.guild.create_text_channel("lain")

    found = await ben.autocomplete(other, "quiz", "pack", "mat")
    (pack,) = [one["value"] for one in found if one["name"] == "maths"]
    told = await ben.slash(other, "quiz", pack=pack)

    assert "1/2" in shown(told.response)


async def test_gift_in_windows_1252_is_read_in_indonesian(stage: Stage) -> None:
    ann = teacher(stage)
    stage.in_indonesian()

    told = await ann.slash(stage.channel, "import", file=("ibu_kota.gift", GIFT))
    await ann.click(told.response, label="Simpan: untukku sendiri")

    assert "Isinya 2 soal" in shown(told.response)


async def test_a_list_without_answers_gets_them_by_taps_also_after_a_restart(stage: Stage) -> None:
    ann = teacher(stage)
    report = (await ann.slash(stage.channel, "import", file=("colours.txt", PLAIN))).response
    await ann.click(report, label="Give the answers")
    assert "sky" in shown(report)
    assert list(buttons(report)) == ["A", "B", "C", "Leave it out", "‹ Back"]

    await ann.click(report, label="B")
    await stage.restart()
    await ann.click(report, label="A")
    await ann.click(report, label="B")

    assert "3 found: 3 imported" in shown(report)
    await ann.click(report, label="Confirm: for myself")
    assert "It has 3 questions" in shown(report)
    question = await ann.click(report, label="Play")
    assert "1/3" in shown(question.response or report)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("huge.xlsx", bytes(60 * 1024 * 1024), "60 MB; I can take 25 MB at most"),
        ("bomb.zip", bomb(), "suspiciously much"),
        ("setup.exe", b"MZ" + bytes(300), "a program, not a question bank"),
        ("photo.png", b"\x89PNG" + bytes(300), "Please send the questions as text"),
    ],
    ids=["huge", "bomb", "program", "picture"],
)
async def test_what_is_no_bank_is_refused_kindly(
    stage: Stage, name: str, content: bytes, sentence: str
) -> None:
    ann = teacher(stage)

    told = await ann.slash(stage.channel, "import", file=(name, content))

    assert sentence in shown(told.response).replace("\\", "")
    assert not buttons(told.response)


async def test_who_may_bring_in_questions_is_a_setting_of_the_server(stage: Stage) -> None:
    ben = stage.member("ben")
    refused = await ben.slash(stage.channel, "import", file=("maths.xlsx", kahoot()))
    await stage.allow(importers="everyone")
    welcome = await ben.slash(stage.channel, "import", file=("maths.xlsx", kahoot()))

    assert "Only moderators may bring in" in shown(refused.response)
    assert "Confirm: for kuis" in buttons(welcome.response)


async def test_a_file_that_cannot_be_fetched_is_asked_for_once_more(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    import discord  # noqa: PLC0415

    async def gone(_: object) -> bytes:
        raise discord.DiscordException

    monkeypatch.setattr(discord.Attachment, "read", gone)
    ann = teacher(stage)

    told = await ann.slash(stage.channel, "import", file=("maths.xlsx", kahoot()))

    assert "could not fetch" in shown(told.response)


async def test_its_owner_renames_hides_and_deletes_a_quiz(stage: Stage) -> None:
    ann = teacher(stage)
    await brought_in(stage, ann, "Confirm: for kuis")
    packs = (await ann.slash(stage.channel, "packs")).response
    await ann.click(packs, label="Manage")
    await ann.click(packs, label="maths · 2")
    assert "Only this room sees it." in shown(packs)

    form = await ann.click(packs, label="Rename")
    assert form.modal
    assert form.modal["title"] == "Rename"
    renamed = await ann.submit_modal(form, {"typed": "Sums & more"})
    assert "“Sums & more”" in shown(renamed.response).replace("\\", "")
    await ann.click(packs, label="Hide")
    assert "It is hidden" in shown(packs)
    assert "Sums & more" in shown(packs).replace("\\", "")
    unknown = await ann.slash(stage.channel, "quiz", pack="Sums & more")
    assert "I know no quiz" in shown(unknown.response)
    await ann.click(packs, label="Delete")
    await ann.click(packs, label="Delete it")
    assert "is deleted" in shown(packs)
    assert not await stage.store.pack_index()


async def test_a_quiz_is_exported_in_a_format_that_is_suggested(stage: Stage) -> None:
    ann = stage.member("ann")
    formats = await ann.autocomplete(stage.channel, "export", "format", "q")

    told = await ann.slash(stage.channel, "export", pack=SEED_QUIZ, format="aiken")
    plain = await ann.slash(stage.channel, "export", pack=SEED_QUIZ)

    assert formats == [{"name": "qti", "value": "qti"}]
    (file,) = told.response.attachments
    assert file.filename == "gradient-accumulation.en.txt"
    assert b"ANSWER: " in await file.read()
    assert "8 questions" in shown(told.response)
    assert plain.response.attachments[0].filename == "gradient-accumulation.en.md"


async def test_everybody_may_bring_in_a_quiz_for_themselves_in_private(stage: Stage) -> None:
    ben = stage.in_private(stage.member("ben"))

    told = await ben.slash("import", file=("maths.xlsx", kahoot()))
    await ben.click(told.response, label="Confirm")

    assert "It has 2 questions" in shown(told.response)
