"""`kuis import`: files in any format to packs; first what would become of them, then for real."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters import settings
from adapters.cli.reporting import print_json
from adapters.terminal.screen import Screen
from bot.drafts import spelled
from bot.errors import FileRefused, KuisError
from bot.formats.findings import Severity, Source
from bot.formats.importing import Import, bring_in, worksheet
from bot.formats.markdown import write
from bot.grading import worth
from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse, keys, kind
from bot.reports import counted, grouped
from bot.text import Markdown, literal
from bot.wording import Words, words

MOST_LINES = 20
MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the command was asked for; `language` is that of the questions."""

    format: str = ""
    folder: Path | None = None
    language: str = ""
    keys: str = ""
    write: bool = False
    replace: bool = False
    as_json: bool = False


def import_(files: Sequence[Path], wish: Wish) -> bool:
    """Import files, and report; gives whether anything could be imported."""
    screen = Screen.of_process(words(settings.load().spoken))
    entries: list[dict[str, Any]] = []
    good = False
    for file in files:
        try:
            brought = _brought(file, wish, screen.words)
        except FileRefused as refusal:
            entries.append(_refused(file, refusal))
            if not wish.as_json:
                screen.tell(
                    f"**{literal(file.name)}**  \n{literal(screen.words.tell(refusal.sentence))}"
                )
            continue
        good = good or bool(brought.imported)
        entries.append(_entry(brought))
        if not wish.as_json:
            _tell(screen, brought)
        if wish.write:
            _write(brought, wish, screen)
    if wish.as_json:
        print_json(entries[0] if len(entries) == 1 else entries)
    elif good and not wish.write:
        hint = screen.words.say("Nothing is written yet. Type it again with `--yes` to import.")
        screen.tell(hint)
    return good


def _brought(file: Path, wish: Wish, language: Words) -> Import:
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES)
    except OSError as error:
        msg = language.say("{file} cannot be read: {reason}.", file=file, reason=error.strerror)
        raise FileRefused(msg) from None
    return bring_in(
        Source(name=file.name, content=content),
        format=wish.format,
        language=wish.language,
        spoken=language.language,
        keys=wish.keys,
    )


def _tell(screen: Screen, brought: Import) -> None:
    say = screen.words.say
    total = counted(
        brought.found, brought.questions, len(brought.waiting), brought.skipped, screen.words
    )
    screen.tell(f"**{literal(brought.file)}** · {brought.format}  \n{total}")
    lines = grouped(brought.report, screen.words)
    for mark, line in lines[:MOST_LINES]:
        screen.entry(mark, line)
    if (more := len(lines) - MOST_LINES) > 0:
        screen.tell(say("… and {n} more lines. `--json` shows all.", n=more))
    if brought.waiting:
        screen.tell(
            say("Give the missing answers in their order, for instance with `--keys 3,1,4`.")
        )


def _write(brought: Import, wish: Wish, screen: Screen) -> None:
    """Write the pack and its pictures, and the questions that wait into a sheet to fill in."""
    edition = brought.edition
    folder = (wish.folder or settings.imported_folder()) / edition.id
    name = f"{edition.id}.{edition.language}"
    files: dict[Path, bytes] = {folder / one: data for one, data in brought.files.items()}
    if edition.items:
        files[folder / f"{name}.md"] = write(edition).encode()
    if brought.waiting:
        files[folder / f"{name}.waiting.txt"] = worksheet(brought).encode()
    if not wish.replace and (other := next(_different(files), None)):
        msg = screen.words.say(
            "{file} exists and is different. Add `--replace`, or choose another folder.",
            file=other,
        )
        raise KuisError(msg)
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if path.suffix in {".md", ".txt"} and not wish.as_json:
            screen.tell(screen.words.say("Written: {file}", file=literal(str(path))))


def _different(files: dict[Path, bytes]) -> Iterator[Path]:
    for path, data in files.items():
        if path.exists() and path.read_bytes() != data:
            yield path


def _refused(file: Path, refusal: FileRefused) -> dict[str, Any]:
    remark = {
        "severity": Severity.SKIPPED.value,
        "place": "file",
        "excerpt": "",
        "reason": str(refusal),
        "action": "Nothing was read from it.",
    }
    counts = dict.fromkeys(("found", "imported", "needs_answer", "skipped"), 0)
    return {"file": file.name, "format": "", **counts, "kinds": {}, "report": [remark], "items": []}


def _entry(brought: Import) -> dict[str, Any]:
    return {
        "file": brought.file,
        "format": brought.format,
        "found": brought.found,
        "imported": brought.questions,
        "needs_answer": len(brought.waiting),
        "skipped": brought.skipped,
        "kinds": dict(brought.kinds),
        "report": [
            {
                "severity": one.severity.value,
                "place": one.place,
                "excerpt": one.excerpt,
                "reason": one.reason,
                "action": one.action,
            }
            for one in brought.report
        ],
        "items": [_item(item) for item in brought.imported],
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "kind": kind(item),
        "stem": item.stem,
        "options": list(_options(item)),
        "accepted": _accepted(item),
        "rationale": item.rationale,
        "tags": list(item.tags),
    }


def _options(item: Item) -> Iterator[dict[str, Any]]:
    match item:
        case Choice() | MultiChoice():
            texts = [(option.text, option.rationale) for option in item.options]
        case TrueFalse():
            texts = [(Markdown("True"), item.when_true), (Markdown("False"), item.when_false)]
        case ShortText() | Numeric():
            return
    for place, (text, feedback) in enumerate(texts):
        yield {
            "text": text,
            "weight": round(worth(item, place), 7),
            "correct": place in keys(item),
            "feedback": feedback,
        }


def _accepted(item: Item) -> list[str]:
    match item:
        case ShortText() | Numeric():
            return [spelled(entry) for entry in item.accepted]
        case Choice() | MultiChoice() | TrueFalse():
            return []
