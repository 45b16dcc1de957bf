"""Front matter: the lines `key: value` between two `---` at the top of a pack.

It looks like YAML, but every value is the text as it stands: `No` is not false, `1:30` not 90.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.cleaning import CONTROL, quoted, slug, tags
from bot.errors import Problem
from bot.formats import meant
from bot.ids import PackId
from bot.items import Item
from bot.packs import Edition
from bot.wording import phrase

KEYS = ("id", "title", "language", "description", "tags", "licence", "author", "source", "shuffle")
LONGEST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """The values of a front matter, the line of each, how many lines it takes, what is wrong."""

    values: dict[str, str]
    lines: dict[str, int]
    length: int
    problems: tuple[Problem, ...]


def read(lines: Sequence[str], file: str) -> Front | Problem:
    """Read the front matter of a file; a single problem if the file has none."""
    if lines[0].rstrip() != "---":
        return Problem(
            file=file,
            line=1,
            what=phrase(
                "The file begins with {line}, not with a front matter.", line=quoted(lines[0])
            ),
            cure=phrase("Begin with a line ---, lines such as id: my-pack, and another line ---."),
        )
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        return Problem(
            file=file,
            line=1,
            what=phrase("The front matter that begins here never ends."),
            cure=phrase("Type a line --- after its last key."),
        )
    return _front(lines[1:end], file)


def edition(front: Front, items: Sequence[Item], file: str) -> Edition:
    """Make the edition that a front matter without problems describes."""
    values = {key: front.values.get(key, "") for key in KEYS}
    return Edition(
        id=PackId(values["id"]),
        title=values["title"],
        language=values["language"],
        items=tuple(items),
        description=values["description"],
        tags=_listed(values["tags"]),
        licence=values["licence"],
        author=values["author"],
        source=values["source"],
        shuffle=values["shuffle"].casefold() not in _NO,
        file=file,
    )


def write(edition: Edition) -> str:
    """Write the front matter of an edition, without what is empty."""
    values = {key: str(getattr(edition, key)) for key in KEYS if key not in {"tags", "shuffle"}}
    values["tags"] = ", ".join(edition.tags)
    if values["tags"].startswith("["):
        values["tags"] = f"[{values['tags']}]"
    values["shuffle"] = "" if edition.shuffle else "no"
    lines = (f"{key}: {_guarded(values[key])}" for key in KEYS if values[key])
    return "\n".join(("---", *lines, "---"))


_ALIASES = {"license": "licence"}
_NO = {"no", "tidak", "false"}
_YES = {"yes", "ya", "true"}
_SLUG = 64
_PACK = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})?")


def _front(lines: Sequence[str], file: str) -> Front:
    values: dict[str, str] = {}
    places: dict[str, int] = {}
    problems: list[Problem] = []
    for place, line in enumerate(lines, 2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        key, value = _pair(line)
        if wrong := _unusable(line, key, places):
            problems.append(Problem(file=file, line=place, what=wrong[0], cure=wrong[1]))
        else:
            values[key], places[key] = _unquoted(value), place
    front = Front(values=values, lines=places, length=len(lines) + 2, problems=())
    problems += (
        Problem(file=file, line=places.get(key, 1), what=what, cure=cure)
        for key, what, cure in _wrong(values)
    )
    return Front(values=values, lines=places, length=front.length, problems=tuple(problems))


def _pair(line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    key = key.strip().casefold() if colon else ""
    return _ALIASES.get(key, key), value.strip()


def _unusable(line: str, key: str, places: dict[str, int]) -> tuple[str, str] | None:
    if not key:
        return phrase("{line} is not a key and its value.", line=quoted(line)), phrase(
            "Write it on one line: key: value."
        )
    if key in places:
        return phrase(
            "{key} stands here and on line {line}.", key=quoted(key), line=str(places[key])
        ), phrase("Remove one of the two.")
    if key not in KEYS:
        near = difflib.get_close_matches(key[:50], (*KEYS, *_ALIASES), n=1)
        what = phrase("{key} is not a key of a pack.", key=quoted(key))
        cure = phrase("The keys are {keys}.", keys=", ".join(KEYS))
        return what, meant(near[0], cure) if near else cure
    return None


def _wrong(values: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield key, fault and cure for every value that cannot be used."""
    example = {"id": slug(values.get("title", "") or "my pack"), "title": "My pack"}
    example["language"] = phrase("id for Indonesian or language: en for English")
    for key in ("id", "title", "language"):
        if not values.get(key, "").strip():
            yield (
                key,
                phrase("The pack has no {key}.", key=key),
                phrase("Add a line such as {key}: {example}.", key=key, example=example[key]),
            )
    if (name := values.get("id")) and not (_PACK.fullmatch(name) and len(name) <= _SLUG):
        yield (
            "id",
            phrase("{name} cannot be the id of a pack.", name=quoted(name)),
            phrase(
                "Use lower-case words with hyphens between them, such as {example}.",
                example=slug(name),
            ),
        )
    if (code := values.get("language")) and not _LANGUAGE.fullmatch(code):
        yield (
            "language",
            phrase("{code} is not a language code.", code=quoted(code)),
            phrase("Use the code in lower case, such as id for Indonesian or en for English."),
        )
    if (wish := values.get("shuffle", "").casefold()) and wish not in _NO | _YES:
        yield (
            "shuffle",
            phrase("{wish} is neither yes nor no.", wish=quoted(wish)),
            phrase("Write shuffle: no, or remove it."),
        )
    for key, value in values.items():
        if len(value) > LONGEST:
            yield (
                key,
                phrase(
                    "The {key} {value} has {length} characters.",
                    key=key,
                    value=quoted(value),
                    length=len(value),
                ),
                phrase("Shorten it to at most {most}.", most=LONGEST),
            )


def _unquoted(value: str) -> str:
    paired = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if paired else value


def _guarded(value: str) -> str:
    """Put a value in quotes if reading would take something off its ends."""
    line = " ".join(CONTROL.sub("", value).split("\n"))
    return f'"{line}"' if line != line.strip() or _unquoted(line) != line else line


def _listed(value: str) -> tuple[str, ...]:
    bracketed = value.startswith("[") and value.endswith("]")
    return tags((value[1:-1] if bracketed else value,))
