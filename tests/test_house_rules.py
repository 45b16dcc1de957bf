"""The rules of the house that no linter knows."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*(ROOT / "bot").rglob("*.py"), *(ROOT / "adapters").rglob("*.py")])
WAITS = {"host.py", "timers.py", "aside.py", "recollecting.py", "shelving.py"}


def imports(file: Path) -> Iterator[str]:
    """Name every module a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_only_the_shell_of_the_engine_knows_asyncio():
    waiting = {f.name for f in (ROOT / "bot").rglob("*.py") if "asyncio" in set(imports(f))}

    assert waiting <= WAITS


def test_files_and_functions_stay_readable():
    long_files = [f.name for f in SOURCES if len(f.read_text("utf-8").splitlines()) > 350]
    long_functions = [
        f"{file.name}:{node.name}"
        for file in SOURCES
        if "migrations" not in file.parts
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= 50
    ]

    assert (long_files, long_functions) == ([], [])


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("bot/items.py", "import bot.host"),
        ("bot/session.py", "import sqlalchemy"),
        ("adapters/terminal/chat.py", "import adapters.storage"),
        ("bot/newcomer.py", '"""A module nobody has placed."""'),
    ],
)
def test_an_import_in_the_wrong_direction_is_caught(tmp_path: Path, file: str, line: str):
    for name in ("bot", "adapters"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    lint = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    before = subprocess.run(lint, cwd=tmp_path, check=False, capture_output=True)  # noqa: S603

    with (tmp_path / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    after = subprocess.run(lint, cwd=tmp_path, check=False, capture_output=True)  # noqa: S603

    assert before.returncode == 0, before.stdout.decode()
    assert after.returncode != 0
