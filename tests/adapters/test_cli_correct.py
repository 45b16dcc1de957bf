"""`kuis challenges` and `kuis correct`: the operator's queue, a look first, and the way back."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adapters.cli import app
from adapters.storage import open_store
from bot.corrections import Challenge, Reason
from bot.errors import KuisError
from bot.ids import ItemId, PackId, SessionId
from bot.people import Alias
from tests.helpers.samples import NOON

PACK = """---
id: tiny
title: Tiny
language: en
---

## Which is even? {#even}

- [x] three
- [ ] four
- [ ] five

## How much is two and two? {#sum}

- = 4
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/kuis.db")
    monkeypatch.setenv("KUIS_QUESTIONS", str(tmp_path / "packs"))
    monkeypatch.setenv("KUIS_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("USER", "ani")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs/tiny.en.md").write_text(PACK, encoding="utf-8")
    return tmp_path


def kuis(*words: str, code: int = 0, typed: str = "") -> Result:
    result = CliRunner().invoke(app, list(words), input=typed)
    assert result.exit_code == code, result.output
    return result


def play(answer: str) -> None:
    kuis("play", "tiny", "--keep-order", "--name", "Ani", typed=f"{answer}\n4\n")


def points() -> int:
    (row,) = json.loads(kuis("leaderboard", "--json").stdout)
    return int(row["points"])


async def challenge(home: Path, *names: str) -> None:
    async with await open_store(f"sqlite:///{home}/kuis.db") as store:
        room = await store.room(Alias(platform="terminal", external="local"))
        for name in names:
            person = await store.participant(Alias(platform="test", external=name), name=name)
            made = Challenge(
                session=SessionId("s"),
                turn=0,
                room=room.id,
                pack=PackId("tiny"),
                item=ItemId("even"),
                participant=person.id,
                at=NOON,
                reason=Reason.KEY,
            )
            await store.challenge(made)


def test_a_key_is_corrected_after_a_look_and_taken_back():
    play("B")
    assert points() == 100

    look = kuis("correct", "tiny", "1", "--key", "B").stdout
    assert "1 person would be scored again. Add --yes to do it." in look
    assert points() == 100
    assert (
        "Done: 1 person was scored again."
        in kuis("correct", "tiny", "even", "--key", "b", "--yes").stdout
    )
    assert points() == 200
    assert "1 person would" in kuis("correct", "tiny", "1", "--undo").stdout
    assert "Done: 1 person" in kuis("correct", "tiny", "1", "--undo", "--yes").stdout

    assert points() == 100


def test_a_corrected_key_holds_for_who_plays_afterwards():
    kuis("correct", "tiny", "1", "--key", "B", "--yes")

    shown = kuis("play", "tiny", "--keep-order", typed="B\n4\n").stdout

    assert shown.count("Right!") == 2
    assert "was corrected" in shown


def test_the_queue_lists_what_people_doubt_and_is_emptied_by_a_rejection(home: Path):
    assert "No question is challenged" in kuis("challenges").stdout
    asyncio.run(challenge(home, "ann", "ben"))

    shown = kuis("challenges").stdout
    (entry,) = json.loads(kuis("challenges", "--json").stdout)

    assert "tiny 1 Which is even?" in shown
    assert "✓ A. three" in shown
    assert "The marked answer is wrong: 2" in shown
    assert "kuis correct tiny 1 --key" in shown
    assert (entry["item"], entry["key"], entry["challenges"]) == ("even", ["A"], 2)
    assert "2 challenges were turned down." in kuis("correct", "tiny", "1", "--reject").stdout
    assert json.loads(kuis("challenges", "--json").stdout) == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nothing", "1", "--key", "A"), "There is no quiz"),
        (("tiny", "9", "--key", "A"), "There is no question 9"),
        (("tiny", "1"), "letters from A to C"),
        (("tiny", "1", "--key", "D"), "letters from A to C"),
        (("tiny", "2", "--key", "A"), "mend it there"),
        (("tiny", "1", "--undo"), "no correction to take back"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(words, reason):
    result = CliRunner().invoke(app, ["correct", *words])

    assert isinstance(result.exception, KuisError)
    assert reason in str(result.exception)


def test_the_queue_speaks_indonesian(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KUIS_LANGUAGE", "id")
    asyncio.run(challenge(home, "ann"))

    assert "Kuncinya salah: 1" in kuis("challenges").stdout
    assert "Nilai 0 orang akan dihitung ulang" in kuis("correct", "tiny", "1", "--key", "B").stdout
