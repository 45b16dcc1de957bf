"""Folders of packs: the files below them, read into a library; broken files are left out."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.errors import Problem
from bot.formats import markdown
from bot.packs import Edition, Library, gather, problems
from bot.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The packs that can be played, and everything wrong with the others."""

    library: Library
    problems: tuple[Problem, ...]


def load(paths: Iterable[Path]) -> Loaded:
    """Load packs from files, and from folders with all below them.

    An edition with problems is left out; its pack stays playable in the other languages.
    In a folder, Markdown that is no pack by name (`pack.id.md`) or front matter is passed over.
    """
    found: list[Problem] = []
    editions: dict[tuple[str, str], Edition] = {}
    for file in _files(paths, found):
        edition = _edition(file, found)
        if edition is None:
            continue
        first = editions.setdefault((edition.id, edition.language), edition)
        if first is not edition:
            found.append(_twice(edition, first))
    found += (wrong for pack in gather(editions.values()) for wrong in problems(pack))
    broken = {problem.file for problem in found}
    good = (edition for edition in editions.values() if edition.file not in broken)
    return Loaded(library=Library(gather(good)), problems=tuple(found))


_MOST_BYTES = 4 * markdown.LONGEST + 4
_NAME = re.compile(r"[a-z0-9-]+\.[a-z]{2,3}\.md")


def _files(paths: Iterable[Path], found: list[Problem]) -> Iterator[Path]:
    """Go through the files of packs, each once, in alphabetical order below a folder."""
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            what = phrase("There is no file or folder {path}.", path=str(path))
            cure = phrase("Check the name and the folder you are in.")
            found.append(_problem(path, what, cure))
        inside = sorted(path.rglob("*.md")) if path.is_dir() else [path] * path.exists()
        for file in inside:
            if file.resolve() not in seen and (file == path or _is_pack(file, path)):
                seen.add(file.resolve())
                yield file


def _is_pack(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return file.is_file() and not hidden and (bool(_NAME.fullmatch(file.name)) or _begins(file))


def _begins(file: Path) -> bool:
    """Tell whether a file begins as a pack does, with front matter."""
    try:
        with file.open("rb") as opened:
            return opened.readline(8).removeprefix(b"\xef\xbb\xbf").rstrip() == b"---"
    except OSError:
        return False


def _edition(file: Path, found: list[Problem]) -> Edition | None:
    source = _text(file)
    if isinstance(source, Problem):
        found.append(source)
        return None
    reading = markdown.read(source, str(file))
    found += reading.problems
    return reading.edition


def _text(file: Path) -> str | Problem:
    """Read a file, and no more of it than a pack may have."""
    data = b""
    try:
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES)
        # A file of this size is too long whatever it holds, and may be cut inside a character.
        return data.decode(errors="replace" if len(data) == _MOST_BYTES else "strict")
    except OSError as error:
        what = phrase("The file cannot be read: {why}.", why=error.strerror)
        return _problem(file, what, phrase("Check who may read it."))
    except UnicodeDecodeError as error:
        line = len(data[: error.start].split(b"\n"))
        byte = f"0x{data[error.start]:02x}"
        what = phrase(
            "Byte {place} of the file, {byte}, is not UTF-8.", place=error.start + 1, byte=byte
        )
        return _problem(file, what, phrase("Save the file as UTF-8."), line)


def _problem(file: Path, what: str, cure: str, line: int = 0) -> Problem:
    return Problem(file=str(file), line=line, what=what, cure=cure)


def _twice(edition: Edition, first: Edition) -> Problem:
    return Problem(
        file=edition.file,
        line=0,
        what=phrase(
            "{file} already holds the pack {id} in {language}.",
            file=first.file,
            id=edition.id,
            language=repr(edition.language),
        ),
        cure=phrase("Change the id or the language of one of the two, or remove it."),
    )
