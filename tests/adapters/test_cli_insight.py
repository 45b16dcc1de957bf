"""`kuis insight` and `kuis results`: how questions are doing, for who runs Kuis."""

import asyncio
import csv
import io
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adapters.cli import app
from adapters.storage import open_store, upgrade
from bot.errors import KuisError
from bot.formats import markdown
from bot.people import Alias
from tests.helpers.classes import pack_of, taught


@pytest.fixture(scope="module")
def taught_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which a class has answered a pack in session `live`."""
    file = tmp_path_factory.mktemp("school") / "kuis.db"
    asyncio.run(_teach(f"sqlite:///{file}"))
    return file


@pytest.fixture(autouse=True)
def school(tmp_path: Path, taught_once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of that database, and the pack."""
    monkeypatch.setenv("KUIS_QUESTIONS", str(tmp_path / "packs"))
    monkeypatch.setenv("KUIS_LANGUAGE", "en")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'kuis.db'}")
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.chdir(tmp_path)
    shutil.copy(taught_once, tmp_path)
    (tmp_path / "packs").mkdir()
    for edition in pack_of(12).editions:
        file = tmp_path / "packs" / f"class.{edition.language}.md"
        file.write_text(markdown.write(edition), encoding="utf-8")
    (tmp_path / "packs" / "new.md").write_text(NEW, encoding="utf-8")


NEW = """---
id: new
title: New
language: en
---

## Why? {#why}

- [x] a
- [ ] b
"""


async def _teach(url: str) -> None:
    await upgrade(url)
    async with await open_store(url) as store:
        room = await store.room(Alias(platform="test", external="room"))
        await taught(store, room, people=40, count=12, name="live")


def kuis(*words: str) -> Result:
    result = CliRunner().invoke(app, list(words))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_insight_is_a_table_and_sentences():
    shown = kuis("insight", "class").stdout

    assert "40 people have answered" in shown
    assert "Question 3 of p?" in shown
    assert "Discrimination" in shown
    assert "⚠" in shown
    assert "choose “third” rather than “second”" in " ".join(shown.split())
    assert "That is a common mix-up." in " ".join(shown.split())
    assert "Student" not in shown


def test_insight_as_json_says_all_about_every_item():
    found = json.loads(kuis("insight", "class", "--json").stdout)

    assert (found["pack"], found["people"], found["of"]) == ("class", 40, 12)
    assert [one["item"] for one in found["items"] if one["suspect"]] == ["p03"]
    assert len(found["items"]) == 12


def test_insight_as_csv_is_a_line_for_each_item():
    found = rows(kuis("insight", "class", "--csv").stdout)

    assert [one["item"] for one in found if one["rival"]] == ["p03"]
    assert {one["answered"] for one in found} == {"40"}


def test_insight_of_one_session_needs_no_pack():
    assert "40 people" in kuis("insight", "--session", "live").stdout
    assert "Nobody has answered this quiz yet" in kuis("insight", "new").stdout


def test_results_are_every_answer_under_the_names_that_boards_show():
    printed = rows(kuis("results", "class").stdout)
    kuis("results", "--session", "live", "--to", "results.csv")
    written = rows(Path("results.csv").read_text(encoding="utf-8-sig"))

    assert len(printed) == 40 * 12
    assert written == printed
    assert {one["participant"] for one in printed} == {f"Student {n}" for n in range(40)}
    assert {len(one["answer"]) for one in printed} == {1}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("insight",), "Name a quiz, or a session"),
        (("results",), "Name a quiz, or a session"),
        (("results", "--session", "unknown"), "There is no session unknown"),
        (("results", "class", "--to", "no/where.csv"), "cannot be written"),
        (("insight", "clazz"), "There is no quiz “clazz”. class"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: tuple[str, ...], sentence: str):
    with pytest.raises(KuisError, match=sentence):
        kuis(*words)


def test_a_session_whose_questions_are_gone_has_results_but_no_insight():
    for file in Path("packs").glob("class*"):
        file.unlink()

    assert len(rows(kuis("results", "--session", "live").stdout)) == 40 * 12
    with pytest.raises(KuisError, match="questions of this session are gone"):
        kuis("insight", "--session", "live")
