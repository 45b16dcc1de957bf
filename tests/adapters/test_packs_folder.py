import os
from pathlib import Path

import pytest

from adapters.packs import load
from bot.ids import PackId

ROOT = Path(__file__).parents[2]
BODY = "## Why? {#why}\n\n- [x] a\n- [ ] b\n"


def pack(name: str = "cells", language: str = "en", body: str = BODY) -> str:
    return f"---\nid: {name}\ntitle: Cells\nlanguage: {language}\n---\n\n{body}"


def save(path: Path, source: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(source if isinstance(source, bytes) else source.encode())
    return path


def test_all_packs_below_a_folder_are_loaded(tmp_path):
    save(tmp_path / "biology" / "cells.en.md", pack())
    save(tmp_path / "biology" / "cells.id.md", pack(language="id"))
    save(tmp_path / "a" / "b" / "named otherwise.md", "\ufeff" + pack("other"))

    loaded = load([tmp_path])

    assert loaded.problems == ()
    assert [(found.id, found.languages) for found in loaded.library] == [
        ("cells", ("en", "id")),
        ("other", ("en",)),
    ]


def test_a_single_file_is_loaded_whatever_its_name(tmp_path):
    file = save(tmp_path / "notes.txt", pack())

    loaded = load([file, tmp_path, file])

    assert len(loaded.library) == 1
    assert loaded.problems == ()


def test_other_markdown_in_a_folder_is_passed_over(tmp_path):
    save(tmp_path / "README.md", "# Hello")
    save(tmp_path / "README.id.md", "# Halo")
    save(tmp_path / ".hidden" / "cells.en.md", pack())
    save(tmp_path / "cells.txt", pack())
    (tmp_path / "folder.en.md").mkdir()
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")

    loaded = load([tmp_path])

    assert len(loaded.library) == 0
    assert loaded.problems == ()


def test_a_file_named_like_a_pack_must_be_one(tmp_path):
    file = save(tmp_path / "cells.en.md", "# Hello")

    (problem,) = load([tmp_path]).problems

    assert (problem.file, problem.line) == (str(file), 1)
    assert problem.what == "The file begins with “# Hello”, not with a front matter."


def test_a_broken_edition_leaves_the_others_playable(tmp_path):
    save(tmp_path / "cells.en.md", pack(body="## Why?\n"))
    save(tmp_path / "cells.id.md", pack(language="id"))

    loaded = load([tmp_path])

    assert [found.languages for found in loaded.library] == [("id",)]
    assert [problem.what for problem in loaded.problems] == ["The item has no answers."]


def test_of_two_editions_that_contradict_each_other_the_later_is_left_out(tmp_path):
    save(tmp_path / "cells.en.md", pack())
    other = save(
        tmp_path / "cells.id.md", pack(language="id", body=BODY.replace("b", "b\n- [ ] c"))
    )

    loaded = load([tmp_path])

    assert [found.languages for found in loaded.library] == [("en",)]
    assert [problem.file for problem in loaded.problems] == [str(other)]


def test_two_files_with_the_same_pack_are_both_named(tmp_path):
    first = save(tmp_path / "a.en.md", pack())
    second = save(tmp_path / "b.en.md", pack())

    loaded = load([tmp_path])

    (problem,) = loaded.problems
    assert problem.file == str(second)
    assert problem.what == f"{first} already holds the pack cells in 'en'."
    found = loaded.library.get(PackId("cells"))
    assert found
    assert found.editions[0].file == str(first)


def test_a_missing_path_is_a_problem(tmp_path):
    (problem,) = load([tmp_path / "nowhere"]).problems

    assert problem.what == f"There is no file or folder {tmp_path / 'nowhere'}."


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        (b"---\nid: caf\xe9\n", 2, "Byte 12 of the file, 0xe9, is not UTF-8."),
        (pack().encode("utf-16"), 1, "Byte 1 of the file, 0xff, is not UTF-8."),
    ],
)
def test_another_encoding_is_reported_with_its_first_byte(tmp_path, source, line, what):
    file = save(tmp_path / "cells.en.md", source)

    (problem,) = load([file]).problems

    assert (problem.line, problem.what) == (line, what)
    assert problem.cure == "Save the file as UTF-8."


def test_a_huge_file_is_refused_without_reading_it_all(tmp_path):
    file = tmp_path / "cells.en.md"
    with file.open("wb") as opened:
        opened.write(b"---\n")
        opened.truncate(1 << 30)

    (problem,) = load([file]).problems

    assert problem.what.startswith("The file is longer than a pack may be")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_a_problem(tmp_path):
    file = save(tmp_path / "cells.en.md", pack())
    save(tmp_path / "other.md", pack()).chmod(0)
    file.chmod(0)

    (problem,) = load([tmp_path]).problems

    assert problem.what == "The file cannot be read: Permission denied."


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that cannot be read")
def test_a_file_that_fails_while_it_is_read_is_a_problem():
    (problem,) = load([Path("/proc/self/mem")]).problems

    assert problem.what == "The file cannot be read: Input/output error."


def test_the_shipped_packs_are_without_problems():
    loaded = load([ROOT / "questions"])

    assert loaded.problems == ()
    assert len(loaded.library) >= 3
    assert all(found.languages == ("en", "id") for found in loaded.library)
