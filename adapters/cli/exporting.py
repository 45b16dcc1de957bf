"""`kuis export`: a pack in another program's format, and what that format cannot carry."""

from pathlib import Path

from adapters import settings
from adapters.cli import wiring
from adapters.terminal.screen import Screen
from bot.errors import FileRefused, KuisError, UnknownPack
from bot.formats import registry
from bot.reports import said
from bot.text import literal
from bot.wording import words


def export(pack: str, *, name: str, to: Path | None, language: str) -> None:
    """Write a pack into a file. Raises KuisError for an unknown pack, format or folder."""
    chosen = settings.load()
    screen = Screen.of_process(words(chosen.spoken))
    say = screen.words.say
    try:
        writer = registry.writer(name)
        edition = wiring.library(chosen, screen.words).find(pack).edition(language or chosen.spoken)
    except UnknownPack as unknown:
        near = ", ".join(unknown.near)
        msg = say("There is no quiz “{name}”.", name=unknown.name)
        raise KuisError(f"{msg} {near}".strip()) from None
    except FileRefused as refused:
        raise KuisError(screen.words.tell(refused.sentence)) from None
    content, remarks = writer.write(edition)
    file = to or Path(f"{edition.id}.{edition.language}{writer.SUFFIX}")
    try:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        msg = say("{file} cannot be written: {reason}.", file=file, reason=error.strerror)
        raise KuisError(msg) from None
    screen.tell(say("Written: {file}", file=literal(str(file))))
    for one in remarks:
        place = literal(screen.words.tell(one.place))
        screen.entry("~ ", f"**{place}** {said(one, screen.words)}")
