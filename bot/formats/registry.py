"""The formats there are: every module here with a NAME, a sniff and a read, found by looking."""

import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Protocol, cast

from bot import formats
from bot.errors import FileRefused
from bot.formats.findings import Haul, Remark, Source
from bot.packs import Edition
from bot.wording import phrase

CERTAIN_ENOUGH = 0.2


class Format(Protocol):
    """What the module of a format offers; `write` may be missing."""

    NAME: str

    def sniff(self, source: Source) -> float:
        """Tell from 0 to 1 how much a file looks like this format."""

    def read(self, source: Source) -> Haul:
        """Read every question of a file."""


class Writer(Format, Protocol):
    """A format that can also be written; SUFFIX ends the names of its files."""

    SUFFIX: str

    def write(self, edition: Edition) -> tuple[str | bytes, tuple[Remark, ...]]:
        """Write an edition, and report what the format cannot carry."""


@lru_cache(maxsize=1)
def formats_by_name() -> Mapping[str, Format]:
    """Load the formats; libraries that only one of them needs are loaded when it reads."""
    names = sorted(found.name for found in pkgutil.iter_modules(formats.__path__))
    modules = (import_module(f"{formats.__name__}.{name}") for name in names)
    return {module.NAME: module for module in modules if hasattr(module, "NAME")}


def readers() -> tuple[str, ...]:
    """Name the formats that can be brought in."""
    return tuple(formats_by_name())


def writers() -> tuple[str, ...]:
    """Name the formats that a pack can be given back in."""
    return tuple(name for name, module in formats_by_name().items() if hasattr(module, "write"))


def likely(source: Source, name: str = "") -> tuple[Format, ...]:
    """Give the formats that a file can be in: the named one, or what it looks like, best first.

    Raises FileRefused for a name that means nothing, and for a file that looks like none.
    """
    known = formats_by_name()
    if name:
        return (known[_checked(name, readers())],)
    looks = {name: module.sniff(source) for name, module in known.items()}
    best = sorted(known, key=lambda name: -looks[name])
    found = tuple(known[name] for name in best if looks[name] >= CERTAIN_ENOUGH)
    if not found:
        raise FileRefused(
            phrase(
                "{file} looks like none of the formats that can be read: {formats}. If it is one "
                "of them, name it.",
                file=source.name,
                formats=", ".join(known),
            )
        )
    return found


def writer(name: str) -> Writer:
    """Give a format that can be written. Raises FileRefused for a name that means none."""
    return cast("Writer", formats_by_name()[_checked(name, writers())])


def _checked(name: str, known: tuple[str, ...]) -> str:
    wanted = name.strip().lower()
    if wanted not in known:
        raise FileRefused(
            phrase(
                "There is no format “{name}” here. There are {formats}.",
                name=name[:40],
                formats=", ".join(known),
            )
        )
    return wanted
