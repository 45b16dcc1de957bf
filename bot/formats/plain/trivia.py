"""OpenTriviaQA's lists: `#Q` before a question, `^` before its answer, then A to D."""

import re
from collections.abc import Iterator

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity
from bot.formats.html import from_plain
from bot.formats.plaintext import LEFT_OUT, remark
from bot.wording import phrase

_BEGIN = re.compile(r"^#Q\s", re.MULTILINE)
_OPTION = re.compile(r"([A-H])\s+(\S.*)")


def looks_like(text: str) -> bool:
    """Tell whether a text is such a list."""
    return bool(_BEGIN.search(text)) and "\n^" in text


def read(text: str, name: str, remarks: tuple[Remark, ...]) -> Haul:
    """Read every question of the list."""
    return Haul(format=name, questions=tuple(_questions(text)), remarks=remarks)


def _questions(text: str) -> Iterator[Question]:
    starts = [match.start() for match in _BEGIN.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield _question(text[start + 2 : end], text.count("\n", 0, start) + 1)


def _question(block: str, line: int) -> Question:
    place = places.line(line)
    stem, _, rest = block.partition("\n^")
    key, *lines = rest.split("\n") if rest else ["", *[]]
    texts = [match[2].strip() for part in lines if (match := _OPTION.fullmatch(part.strip()))]
    if not stem.strip():
        reason = phrase("There is no question behind #Q.")
        return Question(draft=None, remarks=(remark(Severity.SKIPPED, place, block, reason),))
    strays = [part for part in lines if part.strip() and not _OPTION.fullmatch(part.strip())]
    remarks = [
        remark(
            Severity.CHANGED,
            place,
            part,
            phrase("The line is no option."),
            LEFT_OUT,
        )
        for part in strays
    ]
    wanted = " ".join(key.split()).casefold()
    found = [" ".join(text.split()).casefold() for text in texts]
    if texts and wanted not in found:
        reason = phrase("The answer is none of the options.")
        remarks.append(
            remark(Severity.CHANGED, place, key, reason, phrase("It still needs an answer."))
        )
    draft = Draft(
        stem=from_plain(stem.strip()),
        line=line,
        options=tuple(
            DraftOption(text=from_plain(text), is_key=bare == wanted, line=line)
            for text, bare in zip(texts, found, strict=True)
        ),
        accepted=(key.strip(),) if key.strip() and not texts else (),
    )
    return Question(draft=draft, remarks=tuple(remarks))
