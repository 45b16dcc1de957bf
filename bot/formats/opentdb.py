"""Open Trivia DB: its JSON in all its encodings, and the plainer JSON that other banks use."""

import base64
import binascii
import html
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, unquote_plus

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.html import from_plain
from bot.formats.options import distinct
from bot.formats.plaintext import decoded, remark
from bot.wording import phrase

NAME = "opentdb"
LICENCE = "CC BY-SA 4.0"
AUTHOR = "the contributors of the Open Trivia Database"
SITE = "https://opentdb.com"
MOST_QUESTIONS = 20_000

FEWEST = 2

Entry = Mapping[str, Any]
Decode = Callable[[str], str]


def sniff(source: Source) -> float:
    """Tell how much a file looks like questions in JSON, from its beginning."""
    head = source.content[:4000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith((b"{", b"[")):
        return 0.0
    if b'"correct_answer"' in head:
        return 0.98
    named = source.name.casefold().endswith((".json", ".jsonl"))
    if any(f'"{name}"'.encode() in head.lower() for name in _STEMS):
        return 0.9 if named else 0.8
    return 0.3 if named else 0.0


def read(source: Source) -> Haul:
    """Read every object that has a question, wherever it stands in the file."""
    text, found = decoded(source.content)
    remarks = list(found)
    entries = _entries(text, remarks)
    if len(entries) > MOST_QUESTIONS:
        reason = phrase("The file has more than {most} questions.", most=MOST_QUESTIONS)
        place = places.question(MOST_QUESTIONS + 1)
        remarks.append(
            remark(Severity.SKIPPED, place, "", reason, phrase("The rest was left out."))
        )
        entries = entries[:MOST_QUESTIONS]
    ours = bool(entries) and all("incorrect_answers" in entry for entry in entries)
    decode = _decoder(entries) if ours else str
    questions = tuple(_question(at, entry, decode) for at, entry in enumerate(entries, 1))
    if not questions:
        cure = phrase("Send a list of objects that have a question and an answer.")
        remarks.append(
            remark(Severity.NOTE, places.FILE, "", phrase("There are no questions in it."), cure)
        )
    return Haul(
        format=NAME,
        questions=questions,
        remarks=tuple(remarks),
        licence=LICENCE if ours else "",
        author=AUTHOR if ours else "",
        source=SITE if ours else "",
    )


_STEMS = ("question", "prompt", "stem", "question_text", "soal", "pertanyaan", "pregunta", "frage")
_KEYS = ("correct_answer", "correctanswer", "correct_answers", "correct", "answer", "answers",
         "correct_option", "correctoption", "correct_index", "correctindex", "answer_index",
         "solution", "jawaban", "kunci")  # fmt: skip
_OPTIONS = ("options", "choices", "answers", "alternatives", "opsi", "pilihan", "opciones")
_WRONG = ("incorrect_answers", "incorrectanswers", "wrong_answers", "distractors")
_FLAGS = ("correct", "iscorrect", "is_correct", "right", "is_right", "isright", "fraction")
_TEXTS = ("text", "option", "answer", "value", "label", "content", "title")
_REASONS = ("explanation", "rationale", "feedback", "penjelasan", "pembahasan")
_LABELS = ("category", "difficulty", "tags", "topic", "level", "kategori")
_START = re.compile(r'\{\s*"')
MOST_FAILURES = 50


def _entries(text: str, remarks: list[Remark]) -> list[Entry]:
    """Find the questions; if the file is broken or of several values, in each value alone."""
    try:
        return list(_found(json.loads(text))) if text.strip() else []
    except RecursionError:
        reason = phrase("The file is nested too deeply.")
        remarks.append(
            remark(Severity.SKIPPED, places.FILE, "", reason, phrase("Nothing was read from it."))
        )
        return []
    except ValueError as broken:
        line = getattr(broken, "lineno", 1)
        entries = list(_salvaged(text))
        if not _is_lines(text, len(entries)):
            reason = phrase("The file is no complete JSON; it breaks here.")
            action = phrase("What can be read was kept: {count} questions.", count=len(entries))
            remarks.append(remark(Severity.CHANGED, places.line(line), "", reason, action))
        return entries


def _is_lines(text: str, count: int) -> bool:
    """Tell whether the file is JSON Lines, one object on each, rather than broken."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) == count and all(line.strip()[-1] == "}" for line in lines)


def _salvaged(text: str) -> Iterator[Entry]:
    decoder = json.JSONDecoder()
    at = failures = 0
    while failures < MOST_FAILURES and (match := _START.search(text, at)):
        try:
            value, at = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            failures += 1
            at = match.end()
        else:
            yield from _found(value)


def _found(value: object) -> Iterator[Entry]:
    """Go through the objects with a question, not deeper than a file made by people nests."""
    level = [value]
    for _ in range(6):
        below: list[object] = []
        for part in level:
            if isinstance(part, dict):
                entry = {str(key).casefold(): inner for key, inner in part.items()}
                if isinstance(_first(entry, _STEMS), str):
                    yield entry
                else:
                    below += part.values()
            elif isinstance(part, list):
                below += part
        level = below


def _first(entry: Entry, names: Sequence[str]) -> Any:  # noqa: ANN401 - whatever JSON holds
    return next((entry[name] for name in names if name in entry), None)


def _decoder(entries: Sequence[Entry]) -> Decode:
    """Choose how texts are decoded: the API writes entities, two kinds of %20, or Base64."""
    kinds = {str(entry.get("type")) for entry in entries}
    if kinds <= {"bXVsdGlwbGU=", "Ym9vbGVhbg=="}:
        return _from_base64
    stems = [str(_first(entry, _STEMS)) for entry in entries]
    if not any(" " in stem for stem in stems):
        if any("%20" in stem for stem in stems):
            return unquote
        if any("+" in stem for stem in stems):
            return unquote_plus
    return html.unescape


def _from_base64(text: str) -> str:
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, ValueError):
        return text


def _question(number: int, entry: Entry, decode: Decode) -> Question:
    place = places.question(number)
    stem = decode(str(_first(entry, _STEMS)))
    if not stem.strip():
        reason = phrase("There is no question in the object.")
        return Question(draft=None, remarks=(remark(Severity.SKIPPED, place, "", reason),))
    labels = (decode(label) for name in _LABELS for label in _listed(entry.get(name)))
    texts, keys, doubt = _answers(entry)
    options, more = distinct(
        (
            DraftOption(text=from_plain(decode(text)), is_key=at in keys, line=number)
            for at, text in enumerate(texts)
        ),
        place,
    )
    accepted = () if options else tuple(map(decode, _listed(_first(entry, _KEYS))))
    draft = Draft(
        stem=from_plain(stem),
        line=number,
        rationale=from_plain(decode("\n".join(_listed(_first(entry, _REASONS))))),
        tags=tuple(label.replace(",", " ") for label in labels),
        options=options,
        accepted=accepted,
    )
    remarks = (remark(Severity.CHANGED, place, stem, doubt),) if doubt else ()
    return Question(draft=draft, remarks=(*remarks, *more))


def _answers(entry: Entry) -> tuple[list[str], set[int], str]:
    """Give the options, the places of the keys, and what is doubtful about them.

    Right and wrong answers that come apart are sorted, so that the first is not always right.
    """
    key = _first(entry, _KEYS)
    wrong = _listed(_first(entry, _WRONG))
    if wrong:
        right = _listed(key)
        texts = sorted({*right, *wrong}, key=str.casefold)
        texts = texts[::-1] if {text.casefold() for text in texts} == {"true", "false"} else texts
        return texts, {texts.index(text) for text in right}, ""
    if isinstance(key, bool):
        return ["True", "False"], {0 if key else 1}, ""
    name = next((name for name in _OPTIONS if isinstance(entry.get(name), list | dict)), "")
    options = entry.get(name) or []
    if isinstance(options, dict):
        names = [str(letter).casefold() for letter in options]
        texts = [_text(option) for option in options.values()]
        return texts, {names.index(k) for k in map(str.casefold, _listed(key)) if k in names}, ""
    if any(isinstance(option, dict) for option in options):
        flags = {at for at, option in enumerate(options) if _is_right(option)}
        return [_label(option) for option in options], flags, ""
    others = [other for other in _KEYS if other in entry and other != name]
    if len(options) < FEWEST or not (others or name != "answers"):
        return [], set(), ""
    texts = [_text(option) for option in options]
    return _keyed(texts, _first(entry, others), others)


def _keyed(texts: list[str], key: object, names: Sequence[str]) -> tuple[list[str], set[int], str]:
    """Find the keys among options by their texts, their letters or their numbers."""
    wanted = _listed(key)
    found = {texts.index(text) for text in wanted if text in texts}
    if len(found) == len(wanted):
        return texts, found, ""
    letters = {ord(text.upper()) - ord("A") for text in wanted if len(text) == 1 and text.isalpha()}
    if len(letters) == len(wanted) and max(letters) < len(texts):
        return texts, letters, ""
    numbers = {int(text) for text in wanted if text.isdecimal() and len(text) < FEWEST}
    if len(numbers) == len(wanted) and max(numbers) < len(texts):
        doubt = (
            "" if any("index" in name for name in names) else phrase("The key is counted from 0.")
        )
        return texts, numbers, doubt
    return texts, set(), phrase("The key is none of the options; it still needs an answer.")


def _is_right(option: object) -> bool:
    return isinstance(option, dict) and any(
        value is True or _text(value).casefold() in {"true", "1", "100"}
        for name, value in option.items()
        if str(name).casefold() in _FLAGS
    )


def _label(option: object) -> str:
    if not isinstance(option, dict):
        return _text(option)
    return next((_text(option[name]) for name in _TEXTS if name in option), "")


def _listed(value: object) -> list[str]:
    """Give the texts of a value that may be one or several, without empty ones."""
    values = value if isinstance(value, list) else [value]
    return [text for text in map(_text, values) if text]


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict) else str(value).strip()
