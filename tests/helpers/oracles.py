"""Moodle's own reading of GIFT and Aiken files, compared with ours question by question."""

import html
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.building import build
from bot.drafts import Draft
from bot.formats.findings import Question
from bot.grading import worth
from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse
from bot.text import plain

SHARED = Path(__file__).parents[3] / "shared"
KINDS = {"truefalse": TrueFalse, "shortanswer": ShortText, "numerical": Numeric}


def oracle(kind: str, file: Path) -> list[dict[str, Any]]:
    """Give the questions that Moodle reads from a file of the corpus."""
    found = json.loads((SHARED / "oracle" / kind / f"{file.name}.json").read_text("utf-8"))
    return [one for one in found["questions"] if one["qtype"] != "category"]


def disagreement(question: Question, moodle: dict[str, Any]) -> str:
    """Say in what a question differs from Moodle's reading of it; nothing if it agrees."""
    if question.draft is None:
        return "" if moodle["qtype"] in {"essay", "description"} else "skipped"
    draft = question.draft
    if moodle["qtype"] == "match":
        return _pairs((draft, *question.more), moodle)
    item = build(draft, "f")
    if isinstance(item, tuple):
        return f"cannot be built: {item[0]}"
    differing = [name for name, one, other in _sides(draft, item, moodle) if one != other]
    return ", ".join(differing)


def _sides(draft: Draft, item: Item, moodle: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Give what to compare: a name, our side and Moodle's."""
    yield "kind", _kind(item), _moodle_kind(moodle)
    yield "stem", bare(draft.stem), bare(moodle["text"])
    general = bare(moodle["gf"])
    yield "general feedback", bare(draft.rationale)[: len(general)], general
    match item:
        case Choice() | MultiChoice():
            yield "options", [bare(o.text) for o in item.options], _moodle(moodle, 0, bare)
            yield "weights", _weights(item), _moodle(moodle, 1, lambda w: round(w, 4))
            yield "feedback", [bare(o.rationale) for o in item.options], _moodle(moodle, 2, bare)
        case TrueFalse() if "tf" in moodle:
            right, wrong = moodle["tf"][1:]
            sides = [bare(item.when_true), bare(item.when_false)]
            yield "truth", item.key, bool(moodle["tf"][0])
            yield "feedback", sides, [bare(right), bare(wrong)]
        case ShortText():
            yield "accepted", _typed(item, item.accepted), _accepted(moodle, str)
            yield "feedback", _missing(draft, moodle), []
        case TrueFalse():
            yield "truth", ["true", "false"], [o.lower() for o in _moodle(moodle, 0, str)]
        case Numeric():
            ours = [(round(i.value, 9), round(i.high - i.value, 9)) for i in item.accepted]
            yield "accepted", _typed(item, ours), _accepted(moodle, _number)
            yield "feedback", _missing(draft, moodle), []


def _kind(item: Item) -> str:
    return type(item).__name__


def _moodle_kind(moodle: dict[str, Any]) -> str:
    if moodle["qtype"] == "multichoice":
        return "Choice" if moodle["single"] else "MultiChoice"
    kind = KINDS.get(moodle["qtype"])
    return kind.__name__ if kind else moodle["qtype"]


def _moodle(moodle: dict[str, Any], place: int, read: Any) -> list[Any]:
    return [read(answer[place]) for answer in moodle.get("answers", ())]


def _weights(item: Choice | MultiChoice) -> list[float]:
    return [round(worth(item, place), 4) for place in range(len(item.options))]


def _typed(item: ShortText | Numeric, accepted: Any) -> list[Any]:
    return list(zip(accepted, item.credits or (1,) * len(accepted), strict=True))


def _accepted(moodle: dict[str, Any], read: Any) -> list[Any]:
    """List what Moodle gives credit for, with it; the other answers only have feedback."""
    answers = moodle.get("answers", ())
    kept = [answer for answer in answers if answer[1] > 0]
    number = read is _number
    return [(read(answer) if number else " ".join(answer[0].split()), answer[1]) for answer in kept]


def _number(answer: list[Any]) -> tuple[float, float]:
    return round(float(answer[0]), 9), round(float(answer[3]), 9)


def _missing(draft: Draft, moodle: dict[str, Any]) -> list[str]:
    """List the feedback to typed answers that is not in the rationale."""
    told = bare(draft.rationale)
    return [answer[2] for answer in moodle.get("answers", ()) if bare(answer[2]) not in told]


def _pairs(drafts: tuple[Draft, ...], moodle: dict[str, Any]) -> str:
    stem = bare(moodle["text"])
    asked = [(left, right) for left, right in moodle["pairs"] if left]
    ours = [
        (bare(draft.stem).removeprefix(stem), [bare(o.text) for o in draft.options if o.is_key])
        for draft in drafts
    ]
    return "" if ours == [(bare(left), [bare(right)]) for left, right in asked] else "pairs"


def bare(text: str) -> str:
    """Give the letters and digits of a text in HTML or Markdown; all its signs if it has none."""
    text = re.sub(r"!?\[([^\[\]]*)\]\(<?[^()\s]*\)", _alone, text)
    shown = re.sub(r"<(?:/?[a-z][^<>]*|!--.*?--)>", "", html.unescape(text), flags=re.DOTALL)
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", shown)))
    return letters or re.sub(r"[\\\s]", "", html.unescape(text))


def _alone(match: re.Match[str]) -> str:
    return "" if match[0].startswith("!") else match[1]


def first_words(question: Question) -> str:
    """Name a question in a list of disagreements."""
    return plain(question.draft.stem)[:60] if question.draft else "(skipped)"  # type: ignore[arg-type]
