"""`kuis import` and `kuis export`: looking first, writing for real, never over something else."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adapters.cli import app, main
from adapters.settings import imported_folder
from bot.formats import registry

GIFT = "::Sun::The sun rises in the {=east#Yes. ~%50%south-east ~west}.\n\nWrite. {}\n"
LIST = "1. Which?\na) one\nb) two\n\n2. What?\na) three\nb) four\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("KUIS_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bank.gift").write_text(GIFT, encoding="utf-8")
    (tmp_path / "list.txt").write_text(LIST, encoding="utf-8")
    return tmp_path


def kuis(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result


def test_a_dry_run_reports_and_writes_nothing():
    shown = kuis("import", "bank.gift").stdout

    assert "2 found: 1 imported, 0 without an answer, 1 skipped." in shown
    assert "✗ line 3 “Write.” It asks for an essay" in shown
    assert "Nothing is written yet." in shown
    assert not imported_folder().exists()


def test_the_report_is_said_in_indonesian(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KUIS_LANGUAGE", "id")

    assert "2 ditemukan: 1 diimpor" in kuis("import", "bank.gift").stdout


def test_an_imported_pack_can_be_played_at_once(home: Path):
    shown = kuis("import", "bank.gift", "--yes", "--language", "en").stdout

    file = home / "data/kuis/questions/bank/bank.en.md"
    assert f"Written: {file}" in shown
    assert "- [50%] south-east" in file.read_text("utf-8")
    assert "bank" in [one["id"] for one in json.loads(kuis("packs", "--json").stdout)]


def test_json_tells_everything(home: Path):
    found = json.loads(kuis("import", "bank.gift", "--json").stdout)

    assert found == {
        "file": "bank.gift",
        "format": "gift",
        "found": 2,
        "imported": 1,
        "needs_answer": 0,
        "skipped": 1,
        "kinds": {"Choice": 1},
        "report": [
            {
                "severity": "skipped",
                "place": "line 3",
                "excerpt": "Write.",
                "reason": "It asks for an essay, which nobody can grade at once.",
                "action": "It was left out.",
            }
        ],
        "items": [
            {
                "id": "sun",
                "kind": "Choice",
                "stem": "The sun rises in the _____.",
                "options": [
                    {"text": "east", "weight": 1.0, "correct": True, "feedback": "Yes."},
                    {"text": "south-east", "weight": 0.5, "correct": False, "feedback": ""},
                    {"text": "west", "weight": 0.0, "correct": False, "feedback": ""},
                ],
                "accepted": [],
                "rationale": "",
                "tags": [],
            }
        ],
    }
    assert (home / "data").exists() is False


def test_json_knows_every_kind_of_item(home: Path):
    text = "a{T#no#yes}\n\nb{=x =y}\n\nc{#1..3}\n\nd{=p =q ~r}"
    (home / "kinds.gift").write_text(text, encoding="utf-8")

    items = json.loads(kuis("import", "kinds.gift", "--json").stdout)["items"]

    assert [one["kind"] for one in items] == ["TrueFalse", "ShortText", "Numeric", "MultiChoice"]
    assert [one["accepted"] for one in items] == [[], ["x", "y"], ["2 ± 1"], []]
    assert [o["weight"] for o in items[3]["options"]] == [0.5, 0.5, -0.5]
    assert items[0]["options"][0] == {
        "text": "True", "weight": 1.0, "correct": True, "feedback": "yes"
    }  # fmt: skip


def test_json_of_several_files_is_a_list_and_tells_refusals_too(home: Path):
    (home / "tool.exe").write_bytes(b"MZ\x90")

    found = json.loads(kuis("import", "bank.gift", "tool.exe", "--json").stdout)

    assert [one["imported"] for one in found] == [1, 0]
    assert found[1]["report"][0]["reason"] == "tool.exe is a program, not a question bank."


def test_a_file_that_is_no_bank_is_refused_with_exit_code_1(home: Path):
    (home / "tool.exe").write_bytes(b"MZ\x90")

    assert "a program, not a question bank" in kuis("import", "tool.exe", code=1).stdout
    assert "no.gift cannot be read" in kuis("import", "no.gift", code=1).stdout


def test_nothing_imported_is_exit_code_1():
    shown = kuis("import", "list.txt", "--format", "aiken", code=1).stdout

    assert "2 found: 0 imported, 2 without an answer, 0 skipped." in shown
    assert "--keys 3,1,4" in shown


def test_keys_answer_what_waits(home: Path):
    kuis("import", "list.txt", "--format", "aiken", "--keys", "2,a", "--to", "out", "--yes")

    text = (home / "out/list/list.en.md").read_text("utf-8")
    assert "- [x] two" in text
    assert "- [x] three" in text


def test_what_waits_is_written_as_a_sheet_to_fill_in(home: Path):
    kuis("import", "list.txt", "--format", "aiken", "--to", "out", "--yes", code=1)
    sheet = home / "out/list/list.en.waiting.txt"

    filled = (
        sheet.read_text("utf-8")
        .replace("- [ ] one", "- [x] one")
        .replace("- [ ] four", "- [x] four")
    )
    sheet.write_text(filled, encoding="utf-8")
    kuis("import", str(sheet), "--to", "out", "--yes")

    assert "- [x] four" in (home / "out/list/list.en.md").read_text("utf-8")


def test_a_different_pack_is_not_written_over(home: Path):
    kuis("import", "bank.gift", "--to", "out", "--yes")
    kuis("import", "bank.gift", "--to", "out", "--yes")  # the same again is no harm
    (home / "bank.gift").write_text(GIFT.replace("west", "north"), encoding="utf-8")

    refused = kuis("import", "bank.gift", "--to", "out", "--yes", code=1)

    assert "exists and is different" in str(refused.exception)
    assert "west" in (home / "out/bank/bank.en.md").read_text("utf-8")
    kuis("import", "bank.gift", "--to", "out", "--yes", "--replace")
    assert "north" in (home / "out/bank/bank.en.md").read_text("utf-8")


def test_long_reports_are_shortened(home: Path):
    many = "\n\n".join(f"q{n} {{=%{n}%a =%1%b{n} ~c *{n}* ### x}} {{=x}}\n//a.b" for n in range(9))
    few = "\n\n".join(
        f"::t{n}::n{n} {{#}}\n\n<video src=x{n}></video>[html]<img src='http://x/{n}'>{{T}}"
        for n in range(30)
    )
    (home / "many.gift").write_text(f"{many}\n\n{few}", encoding="utf-8")

    shown = kuis("import", "many.gift").stdout

    assert "more lines. `--json`" in shown or "more lines. --json" in shown
    assert " … (" in shown


def test_pictures_are_written_beside_the_pack(home: Path):
    (home / "bank.xml").write_text(
        '<quiz><question type="truefalse"><questiontext format="html"><text>'
        "&lt;img src='@@PLUGINFILE@@/a.png'&gt; What?</text>"
        '<file name="a.png" encoding="base64">AAAA</file></questiontext>'
        '<answer fraction="100"><text>true</text></answer></question></quiz>',
        encoding="utf-8",
    )

    kuis("import", "bank.xml", "--to", "out", "--yes", "--json")

    assert (home / "out/bank/a.png").read_bytes() == b"\x00\x00\x00"


# Export


@pytest.mark.parametrize("name", registry.writers())
def test_a_pack_is_exported_and_imported_again(name: str):
    shown = kuis("export", "evaluation-metrics", "--format", name, "--to", "out.bank").stdout

    assert "Written: out.bank" in shown
    found = json.loads(kuis("import", "out.bank", "--json", "--format", name).stdout)
    assert found["imported"] > 0


def test_an_export_is_named_for_its_pack_and_language(home: Path):
    shown = kuis("export", "evaluation-metrics", "--format", "aiken", "--language", "id").stdout

    assert (home / "evaluation-metrics.id.txt").exists()
    assert "Aiken has no" in shown


def test_an_export_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, capsys):
    for words in (
        ["export", "nothing-like-it", "--format", "gift"],
        ["export", "evaluation-metrics", "--format", "klingon"],
        ["export", "evaluation-metrics", "--format", "gift", "--to", "no/such/folder.gift"],
    ):
        monkeypatch.setattr("sys.argv", ["kuis", *words])
        with pytest.raises(SystemExit, match="1"):
            main()

    shown = capsys.readouterr().err
    assert "There is no quiz “nothing-like-it”." in shown
    assert "There is no format “klingon” here." in shown
    assert "folder.gift cannot be written" in shown
