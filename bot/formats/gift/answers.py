"""Answers: what stands between the braces of a GIFT question, cut as Moodle cuts it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from bot.formats.gift.signs import shown
from bot.intervals import interval
from bot.items import Interval
from bot.numbers import number
from bot.wording import phrase

_WEIGHT = re.compile(r"%(-?[0-9]{1,3}(?:[.,][0-9]*)?)%")
_CLOZE = re.compile(r"[0-9]*:(?:[A-Z]+_?[A-Z]*):")
_TRUTH = re.compile(r"(T|F|TRUE|FALSE)\s*(?:#.*)?", re.DOTALL)
_ANY_TRUTH = re.compile(r"(t|f|true|false)\s*(?:#.*)?", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer: its text, its part of the credit if there is one, its feedback; signs hidden.

    `is_key` tells that it stands behind `=`; `repaired` what had to be guessed.
    """

    text: str
    weight: float | None = None
    feedback: str = ""
    is_key: bool = False
    repaired: str = ""


def kind(answers: str) -> str:
    """Tell what kind of question the text between the braces makes, as Moodle does."""
    if not answers:
        return "essay"
    if _CLOZE.match(answers):
        return "cloze"
    if answers.startswith("#"):
        return "numerical"
    if "~" in answers:
        return "multichoice"
    if "=" in answers and "->" in answers:
        return "match"
    return "truefalse" if _ANY_TRUTH.fullmatch(answers) else "shortanswer"


def choices(answers: str) -> Iterator[Answer]:
    """Cut the options of a choice: at every `~` and at every `=`."""
    for part in _parts(answers.replace("=", "~="), "~"):
        is_key = part.startswith("=")
        yield _weighted(part.removeprefix("=").strip(), is_key=is_key, sharp=True)


def texts(answers: str) -> Iterator[Answer]:
    """Cut the answers to type at every `=`."""
    return (_weighted(part, is_key=True) for part in _parts(answers, "="))


def numbers(answers: str) -> Iterator[Answer]:
    """Cut numbers at every `=`; the last answer, without text, is the feedback for all others."""
    body, wrong, feedback = answers.removeprefix("#").partition("~")
    yield from texts(body)
    if wrong:
        yield Answer(text="", weight=0.0, feedback=feedback.strip().lstrip("#").strip())


def pairs(answers: str) -> Iterator[tuple[str, str] | None]:
    """Cut pairs at every `=` and `->`; None for one without an arrow."""
    for part in _parts(answers, "="):
        left, arrow, right = part.partition("->")
        yield (left.strip(), right.strip()) if arrow else None


def truth(answers: str) -> tuple[bool, str, str, bool]:
    """Give what is true, the feedback for who is wrong and right, and whether it was repaired."""
    word, *feedback = answers.split("#", 2)
    wrong, right = (*(part.strip() for part in feedback), "", "")[:2]
    return word.strip()[:1] in "Tt", wrong, right, not _TRUTH.fullmatch(answers)


def accepted(text: str) -> tuple[Interval | None, str]:
    """Read a number with its tolerance, or a range; and say what had to be repaired."""
    text = shown(text).strip()
    comma = phrase("A decimal comma was read as a point.") if "," in text else ""
    low, dots, high = text.partition("..")
    if dots:
        one, other = number(low), number(high)
        backwards = one is not None and other is not None and one > other
        swapped = phrase("The range runs backwards; its ends were swapped.") if backwards else ""
        return interval(text), comma or swapped
    value, colon, tolerance = text.partition(":")
    spread = tolerance.strip().removeprefix("-")
    return interval(f"{value} ± {spread}" if colon else value), comma


def _parts(text: str, sign: str) -> list[str]:
    parts = [part.strip() for part in text.split(sign)]
    return parts[1:] if not parts[0] else parts


def _weighted(part: str, *, is_key: bool, sharp: bool = False) -> Answer:
    text, _, feedback = part.partition("#")
    repaired = ""
    if sharp and re.fullmatch(r"[A-Z]#", part):  # C# and F#, the languages and the notes
        text, feedback = part, ""
        repaired = phrase("A # at the end was read as part of the answer, not as feedback.")
    match = _WEIGHT.match(text)
    return Answer(
        text=text[match.end() if match else 0 :].strip(),
        weight=float(Decimal(match[1].replace(",", ".")) / 100) if match else None,
        feedback=feedback.strip(),
        is_key=is_key,
        repaired=repaired,
    )
