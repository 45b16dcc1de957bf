"""`kuis db` and `kuis scores`: looking after what is kept."""

from pathlib import Path

from rich.text import Text

from adapters import settings, storage
from adapters.clock import SystemClock
from adapters.terminal.screen import Screen
from bot.wording import words


async def info() -> None:
    """Tell what the database is and holds."""
    screen, url = _screen()
    found = await storage.info(url)
    rows = found["rows"]
    facts = {key: found[key] for key in ("url", "revision", "head")}
    counted = dict(rows) if isinstance(rows, dict) else {}
    width = max(map(len, (*facts, *counted)))
    lines = [f"{name.ljust(width)}  {value}" for name, value in {**facts, **counted}.items()]
    screen.write(map(Text, lines))


async def upgrade() -> None:
    """Bring the tables up to date."""
    screen, url = _screen()
    revision = await storage.upgrade(url)
    _say(screen, screen.words.say("The database is up to date ({revision}).", revision=revision))


async def backup(file: Path, *, overwrite: bool) -> None:
    """Copy the database into a file."""
    screen, url = _screen()
    await storage.backup(url, file, overwrite=overwrite)
    _say(screen, screen.words.say("The copy is in {file}.", file=file))


async def copy(source: str, target: str) -> None:
    """Copy one database into another, and say how much was copied."""
    screen, _ = _screen()
    rows = await storage.copy(source, target)
    width = max(map(len, rows))
    screen.write(Text(f"{name.ljust(width)}  {count}") for name, count in rows.items())
    _say(screen, screen.words.say("Everything has arrived, and was compared."))


async def rebuild() -> None:
    """Derive all scores again."""
    screen, url = _screen()
    async with await storage.open_store(url) as store:
        rows = await store.rebuild()
    said = screen.words.plural(
        "{n} score was derived again.", "{n} scores were derived again.", rows
    )
    _say(screen, said)


async def tidy() -> None:
    """Delete what is old, as the bots do once a day."""
    chosen = settings.load()
    screen, url = _screen()
    async with await storage.open_store(url) as store:
        gone = await store.tidy(SystemClock().now(), chosen.kept)
    said = screen.words.say(
        "Deleted: {answers} answers, {quizzes} quizzes, {notes} notes about old messages.",
        answers=gone.responses,
        quizzes=gone.sessions,
        notes=gone.notes,
    )
    _say(screen, said)
    if chosen.kept is None:
        _say(screen, screen.words.say("Answers are kept for ever: KUIS_KEEP_DAYS is not set."))


def _screen() -> tuple[Screen, str]:
    chosen = settings.load()
    return Screen.of_process(words(chosen.spoken)), chosen.database_url


def _say(screen: Screen, sentence: str) -> None:
    screen.write([Text(sentence)])
