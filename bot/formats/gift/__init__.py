"""Moodle GIFT, read as Moodle reads it, and better where Moodle loses questions in silence."""

import re

from bot.formats.containers import is_zip
from bot.formats.findings import Haul, Source
from bot.formats.gift.reading import haul
from bot.formats.gift.writing import write
from bot.formats.plaintext import decoded

__all__ = ["NAME", "SUFFIX", "read", "sniff", "write"]

NAME = "gift"
SUFFIX = ".gift"
HEAD = 200_000

_ANSWERS = re.compile(
    r"(?<!\\)\{\s*(?:\}|[=~]|#\s*[-=%0-9.,]|(?:T|F|TRUE|FALSE)\s*[#}]|%-?[0-9.]+%|[0-9]*:[A-Z_]+:)"
)
_TITLE = re.compile(r"^\s*::.+?::", re.MULTILINE)
_FENCE = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CATEGORY = re.compile(r"^\s*\$CATEGORY:", re.MULTILINE)
_OTHER = re.compile(r"\s*(?:<|\{\s*[\"\]}]|\[|---)")


def sniff(source: Source) -> float:
    """Tell how much a file looks like GIFT."""
    text, _ = decoded(source.content[:HEAD])
    if is_zip(source.content) or (_OTHER.match(text) and not _TITLE.search(text)):
        return 0.0
    questions = len(_ANSWERS.findall(text))
    signs = len(_TITLE.findall(text)) + len(_CATEGORY.findall(text))
    if not questions:
        named = source.name.lower().endswith((".gift", ".gift.txt"))
        return 0.3 if named and signs else 0.0
    blocks = len(re.findall(r"\S[^\n]*(?:\n[^\n]*\S[^\n]*)*", text))
    share = min(1.0, (questions + signs) / blocks)
    if _is_fenced(text):
        return 0.9 if signs else 0.3
    return min(0.95, 0.4 + 0.3 * share + (0.25 if signs else 0.0))


def read(source: Source) -> Haul:
    """Read the questions of a GIFT file, or of the GIFT between the fences of a Markdown file."""
    text, remarks = decoded(source.content)
    if _is_fenced(text):
        text = _inside(text)
    return haul(NAME, text, remarks)


def _is_fenced(text: str) -> bool:
    """Tell whether the GIFT stands in the code of a Markdown file."""
    fences = _FENCE.findall(text)
    return any(map(_ANSWERS.search, fences)) and not _ANSWERS.search(_FENCE.sub("", text))


def _inside(text: str) -> str:
    """Keep what stands between fences, each line at its place."""
    kept = [""] * (text.count("\n") + 1)
    for match in filter(lambda m: _ANSWERS.search(m[1]), _FENCE.finditer(text)):
        first = text.count("\n", 0, match.start(1))
        kept[first : first + match[1].count("\n")] = match[1].split("\n")[:-1]
    return "\n".join(kept)
