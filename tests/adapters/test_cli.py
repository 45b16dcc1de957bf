"""The command line: what it prints, how it exits, and what it loads."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.cli import main
from adapters.settings import ROOT, Settings, example

RIGHT = "C\nA\nD\nB\nA\nC\nB\nD\n"
PLAY = ("play", "gradient-accumulation", "--keep-order")
BROKEN = "---\nid: broken\ntitle: Broken\nlanguage: en\n---\n\n## Why? {#why}\n\n- [ ] a\n- [ ] b\n"


@dataclass
class Ran:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def kuis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Run commands as somebody whose home is empty; lines come from a pipe."""
    for name in list(os.environ):
        if name.startswith(("KUIS_", "TELEGRAM_", "DISCORD_", "DATABASE_", "LC_", "LANG")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("KUIS_TIME_ZONE", "UTC")
    monkeypatch.setenv("USER", "ani")
    monkeypatch.setenv("LOGNAME", "ani")
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "argv", ["kuis", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Ran(code=ended.value.code or 0, out=printed.out, err=printed.err)

    return run


# ------------------------------------------------------------ play


def test_the_first_quiz_in_its_printed_order_ends_with_everything_right(kuis):
    ran = kuis(*PLAY, "--language", "id", typed=RIGHT)

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("Benar!") == 8
    assert [f"\n{n}/8\n" in ran.out for n in range(1, 9)] == [True] * 8
    assert ran.out.rstrip().endswith("8/8")


def test_the_first_answers_of_a_week_count_for_the_board(kuis):
    kuis(*PLAY, typed=RIGHT)

    second = kuis(*PLAY, typed=RIGHT.replace("D", "A"))
    board = kuis("leaderboard", "--json").json

    assert "practice" in second.out
    assert second.out.rstrip().endswith("6/8")
    assert board == [
        {"place": 1, "name": "ani", "points": 800, "correct": 8, "answered": 8, "accuracy": 1}
    ]


def test_every_length_of_the_long_option_appears_whole(kuis):
    ran = kuis(*PLAY, "--language", "id", typed="A\nA\n")

    assert (
        "D. Call optimizer.step() after N micro-batches, then clear gradients before the next "
        "accumulation window\n"
    ) in ran.out


def test_an_empty_input_lists_the_quizzes(kuis):
    ran = kuis("play")

    assert ran.code == 0
    assert "2. Gradient accumulation quiz · 8 questions" in ran.out


def test_kuis_alone_plays_where_no_token_is_set(kuis):
    ran = kuis(typed="gradient-accumulation\n")

    assert ran.code == 0
    assert "1/8" in ran.out


def test_a_quiz_that_does_not_exist_is_one_line_with_names_that_come_near(kuis):
    ran = kuis("play", "gradient-acumulation")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "kuis: There is no quiz called “gradient-acumulation”. "
        "Did you mean gradient-accumulation?\n"
    )


@pytest.mark.parametrize(
    ("environment", "options", "expected"),
    [
        ({"LANG": "id_ID.UTF-8"}, (), "Kuis Akumulasi Gradien"),
        ({"LANG": "id_ID.UTF-8", "KUIS_LANGUAGE": "en"}, (), "Gradient accumulation quiz"),
        ({"KUIS_LANGUAGE": "en"}, ("--language", "id"), "Kuis Akumulasi Gradien"),
        ({"LANG": "fr_FR.UTF-8"}, (), "Gradient accumulation quiz"),
    ],
)
def test_the_language_is_the_nearest_wish(kuis, monkeypatch, environment, options, expected):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    ran = kuis("play", *options)

    assert expected in ran.out


def test_a_pack_of_one_s_own_plays_and_a_broken_one_is_left_out(kuis, monkeypatch, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    (own / "broken.en.md").write_text(BROKEN)
    (own / "good.en.md").write_text(BROKEN.replace("broken", "good").replace("[ ] a", "[x] a"))
    monkeypatch.setenv("KUIS_QUESTIONS", str(own))

    ran = kuis("play", "good", typed="a\n")

    file = own / "broken.en.md"
    assert ran.err == f"Left out {file}. `kuis check {file}` says why.\n"
    assert ran.out.rstrip().endswith("1/1")


# ------------------------------------------------------------ reports


def test_packs_are_listed_with_titles_in_the_chosen_language(kuis, monkeypatch):
    monkeypatch.setenv("KUIS_LANGUAGE", "id")

    listed = kuis("packs", "--json").json

    assert {
        "id": "gradient-accumulation",
        "languages": ["en", "id"],
        "title": "Kuis Akumulasi Gradien",
        "items": 8,
    } in listed
    assert "gradient-accumulation · en, id · 8 soal" in kuis("packs").out


def test_the_long_option_needs_letters_in_both_chats(kuis):
    ran = kuis("check", str(ROOT / "questions"), "--json")

    assert (ran.code, ran.json["problems"]) == (0, [])
    assert {
        "pack": "gradient-accumulation",
        "item": "when-to-step",
        "language": "id",
        "telegram": "letters",
        "discord": "letters",
    } in ran.json["items"]


def test_problems_are_told_with_file_line_and_cure(kuis, tmp_path):
    file = tmp_path / "broken.en.md"
    file.write_text(BROKEN)

    as_json, as_text = kuis("check", str(file), "--json"), kuis("check", str(file))

    (problem,) = as_json.json["problems"]
    assert set(problem) == {"file", "line", "item", "what", "cure"}
    assert (problem["file"], problem["line"], problem["item"]) == (str(file), 7, "why")
    assert f"{file}:7 why\n{problem['what']} {problem['cure']}" in as_text.out
    assert (as_json.code, as_text.code) == (1, 1)


def test_history_names_answers_by_their_text(kuis):
    kuis("play", "gradient-accumulation", "--name", "Budi", "--seed", "5", typed="A\nA\n")

    (session,) = kuis("history", "--name", "budi", "--json").json

    assert (session["pack"], session["mode"]) == ("gradient-accumulation", "solo")
    assert session["finished"] is None
    assert session["answered"] == len(session["responses"]) == 2
    assert set(session["responses"][0]) == {"pack", "item", "response", "grade", "points", "at"}
    assert all(len(response["response"]) > 1 for response in session["responses"])
    assert "not finished" in kuis("history", "--name", "Budi").out


def test_what_was_missed_is_reviewed_and_kept_under_its_own_title(kuis):
    kuis(*PLAY, typed="A\n" * 8)

    nothing = kuis("review")
    missed = kuis("review", "--missed", "--minutes", "2", typed="A\n" * 8)

    assert "Nothing is due today. Due tomorrow" in nothing.out
    assert "What you missed" in missed.out
    assert "Due today 0, tomorrow" in missed.out
    assert "What you missed" in kuis("history").out
    assert kuis("history", "--json").json[0]["pack"] == "~missed"


def test_what_was_missed_can_be_taken_to_anki(kuis, tmp_path: Path):
    before = kuis("review", "--anki", "missed.apkg")
    kuis(*PLAY, typed="A\n" * 8)

    written = kuis("review", "--anki", "missed.apkg")
    nowhere = kuis("review", "--anki", "no/such/folder.apkg")

    assert "missed nothing" in before.out
    assert "Written: missed.apkg" in written.out
    assert zipfile.ZipFile(tmp_path / "missed.apkg").namelist() == ["collection.anki2", "media"]
    assert (nowhere.code, "cannot be written" in nowhere.err) == (1, True)


def test_an_empty_history_and_an_empty_board_say_what_to_do(kuis):
    assert "ani has not played yet." in kuis("history").out
    assert "Type kuis play and be the first!" in kuis("leaderboard").out
    assert kuis("history", "--json").json == kuis("leaderboard", "--json").json == []


def test_boards_can_reach_everywhere_and_rank_by_accuracy(kuis):
    kuis(*PLAY, typed=RIGHT)

    everywhere = kuis("leaderboard", "--room", "all", "--by", "accuracy", "--period", "week")
    elsewhere = kuis("leaderboard", "--room", "telegram:-100", "--json")

    assert "ani" in everywhere.out
    assert elsewhere.json == []
    assert kuis("leaderboard", "--room", "nonsense").code == 1


# ------------------------------------------------------------ keeping


def test_a_backup_opens_as_a_database_with_everything_in_it(kuis, monkeypatch, tmp_path):
    kuis(*PLAY, typed=RIGHT)
    copy = tmp_path / "copy.db"

    ran = kuis("db", "backup", str(copy))
    again = kuis("db", "backup", str(copy))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{copy}")

    assert (ran.code, again.code) == (0, 1)
    assert kuis("leaderboard", "--json").json[0]["points"] == 800


def test_the_database_tells_what_it_holds_and_can_be_derived_again(kuis):
    kuis(*PLAY, typed=RIGHT)

    info, rebuilt, upgraded = kuis("db", "info"), kuis("scores", "rebuild"), kuis("db", "upgrade")

    assert "responses     8" in info.out
    assert rebuilt.out == "8 scores were derived again.\n"
    assert "up to date" in upgraded.out


# ------------------------------------------------------------ settings and running


def test_running_without_tokens_says_where_to_get_them(kuis):
    ran = kuis("run")

    assert (ran.code, ran.out) == (2, "")
    assert "TELEGRAM_TOKEN=" in ran.err
    assert "https://t.me/BotFather" in ran.err
    assert "https://discord.com/developers/applications" in ran.err


def test_running_one_chat_asks_only_for_its_own_token(kuis):
    ran = kuis("run", "discord")

    assert ran.code == 2
    assert "TELEGRAM" not in ran.err


@pytest.mark.parametrize(
    ("name", "value"),
    [("KUIS_LANGUAGE", "fr"), ("KUIS_TIME_ZONE", "Mars/North"), ("KUIS_LOG", "loud")],
)
def test_a_setting_that_means_nothing_is_one_line(kuis, monkeypatch, name, value):
    monkeypatch.setenv(name, value)

    ran = kuis("packs")

    assert ran.code == 1
    assert ran.err.startswith(f"kuis: {name}: ")
    assert ran.err.count("\n") == 1


def test_settings_are_read_from_a_file_called_env(kuis, tmp_path):
    (tmp_path / ".env").write_text("KUIS_LANGUAGE=id\n")

    assert "soal" in kuis("packs").out


def test_a_database_that_cannot_be_opened_is_one_line(kuis, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "oracle://here")

    ran = kuis("leaderboard")

    assert ran.code == 1
    assert ran.err.startswith("kuis: ")
    assert ran.err.count("\n") == 1


def test_a_wrong_option_is_a_usage_error(kuis):
    assert kuis("play", "--count", "0").code == 2
    assert kuis("play", "--mode", "live").code == 2


def test_the_example_file_shows_every_setting():
    assert (ROOT / ".env.example").read_text() == example()
    assert all(field.description for field in Settings.model_fields.values())


# ------------------------------------------------------------ loading


@pytest.mark.parametrize(
    ("module", "kept_out"),
    [
        ("bot.host", {"discord", "telegram", "sqlalchemy", "rich", "typer", "pydantic"}),
        ("adapters.terminal.starting", {"discord", "telegram", "sqlalchemy", "pydantic"}),
        ("adapters.cli", {"asyncio", "rich.console", "sqlalchemy", "pydantic", "bot.host"}),
        ("adapters.cli.playing", {"discord", "telegram"}),
    ],
)
def test_a_module_loads_only_what_it_needs(module: str, kept_out: set[str]):
    code = f"import sys, {module}; print(*sys.modules)"

    loaded = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()

    assert kept_out.isdisjoint(loaded)


def test_python_dash_m_bot_is_the_same_command_line():
    done = subprocess.run(
        [sys.executable, "-m", "bot", "--help"], cwd=ROOT, check=True, capture_output=True
    )

    assert b"leaderboard" in done.stdout
