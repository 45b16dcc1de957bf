"""Reading pasted lists: numbered or bulleted, with the right options marked or not."""

import re
from collections.abc import Sequence

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.html import from_plain
from bot.formats.options import distinct
from bot.formats.plain import trivia
from bot.formats.plain.lists import Entry, listed
from bot.formats.plain.marking import marked
from bot.formats.plaintext import LEFT_OUT, MOST_LINES, decoded, remark
from bot.formats.tables import keying
from bot.wording import phrase

NAME = "plain"
FEWEST = 2


def sniff(source: Source) -> float:
    """Tell how much a file looks like a list of questions; never quite sure, as much is a list."""
    text, _ = decoded(source.content[:30_000])
    if trivia.looks_like(text):
        return 0.95
    if text.lstrip()[:1] in {"{", "[", "<"} or text.startswith("---\n"):
        return 0.0
    found = listed(text)
    whole = [entry for entry in found.entries if len(entry.options) >= FEWEST]
    filled = sum(1 for line in text.split("\n") if line.strip())
    stray = len(found.above) + len(found.strays)
    return 0.6 * (1 - stray / filled) if whole and stray * FEWEST <= filled else 0.0


def read(source: Source) -> Haul:
    """Read every question; an option is right only where the list says so."""
    text, remarks = decoded(source.content, most_lines=MOST_LINES)
    if trivia.looks_like(text):
        return trivia.read(text, NAME, remarks)
    found = listed(text)
    questions = _questions(found.entries)
    if not questions:
        cure = phrase("Number the questions, and put a sign such as • before each option.")
        nothing = remark(
            Severity.NOTE, places.FILE, "", phrase("There are no questions in it."), cure
        )
        return Haul(format=NAME, questions=(), remarks=(*remarks, nothing))
    notes = [
        remark(Severity.NOTE, places.line(line.number), line.text, _ABOVE, LEFT_OUT)
        for line in found.above[1:]
    ]
    notes += (
        remark(Severity.CHANGED, places.line(line.number), line.text, _STRAY, LEFT_OUT)
        for line in found.strays
    )
    title = found.above[0].text.strip("#* ") if found.above else ""
    return Haul(format=NAME, questions=tuple(questions), remarks=(*remarks, *notes), title=title)


_ABOVE = phrase("The line stands above the first question.")
_STRAY = phrase("The line belongs to no question.")
_LETTER = re.compile(r"\(?([^\W_]{1,2})[.)\]:](?:\s.*)?")


def _questions(entries: Sequence[Entry]) -> list[Question]:
    options = marked([[(line.mark, line.text) for line in entry.options] for entry in entries])
    return [_question(*pair) for pair in zip(entries, options, strict=True)]


def _question(entry: Entry, options: Sequence[tuple[str, bool]]) -> Question:
    place = places.line(entry.line)
    stem = "\n".join(entry.stem)
    if not stem.strip():
        reason = phrase("There is no question before the options.")
        excerpt = options[0][0] if options else ""
        return Question(draft=None, remarks=(remark(Severity.SKIPPED, place, excerpt, reason),))
    remarks: list[Remark] = []
    keys = {at for at, (_, right) in enumerate(options) if right}
    if entry.key and options:
        named = _named(entry, [text for text, _ in options])
        if not named:
            reason = phrase("The answer {key} is none of the options.", key=entry.key[:40])
            remarks.append(remark(Severity.CHANGED, place, stem, reason))
        elif keys and named != keys:
            reason = phrase(
                "The answer {key} is not the option that is marked.", key=entry.key[:40]
            )
            action = phrase("Both count as right; please check it.")
            remarks.append(remark(Severity.CHANGED, place, stem, reason, action))
        keys |= named
    drafted, more = distinct(
        (
            DraftOption(
                text=from_plain("\n".join((text, *entry.more.get(at, ())))),
                is_key=at in keys,
                line=entry.options[at].number,
            )
            for at, (text, _) in enumerate(options)
        ),
        place,
    )
    draft = Draft(
        stem=from_plain(stem),
        line=entry.line,
        options=drafted,
        accepted=(entry.key,) if entry.key and not options else (),
        rationale=from_plain("\n".join(entry.reason)),
    )
    return Question(draft=draft, remarks=(*remarks, *more))


def _named(entry: Entry, texts: Sequence[str]) -> frozenset[int]:
    """Find the options that a line such as `Answer: B` means."""
    match = _LETTER.fullmatch(entry.key)
    value = match[1] if match else entry.key
    labels = [line.label.casefold() for line in entry.options]
    if labels.count(value.casefold()) == 1:
        return frozenset({labels.index(value.casefold())})
    return keying.keys(value, texts, keying.Reading(numbers=False))
