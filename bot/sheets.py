"""Sheets: results and item analyses as CSV and as values that JSON can hold.

A spreadsheet must never take a name or an answer for a formula: see `cell`.
"""

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence

from bot.analysis import Estimate, ItemInsight
from bot.ids import ItemId
from bot.items import Item, keys, option_count
from bot.reading import letter
from bot.records import Result
from bot.submissions import Chosen, Submission, Typed
from bot.text import plain

RESULTS = (
    "session",
    "turn",
    "pack",
    "item",
    "participant",
    "answer",
    "grade",
    "points",
    "seconds",
    "time",
)
INSIGHTS = (
    "item",
    "question",
    "key",
    "answered",
    "difficulty",
    "difficulty_low",
    "difficulty_high",
    "discrimination",
    "discrimination_low",
    "discrimination_high",
    "seconds",
    "suspect",
    "rival",
    "dead",
    "group",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "\ufeff"
"""Tells spreadsheets that the file is in UTF-8."""


def result_line(result: Result, *, names: bool) -> tuple[object, ...]:
    """Write a response as a line of `RESULTS`; without `names` what was answered alone is not
    given under the name that boards show, but under one that only tells people apart.
    """
    named = names or result.shared
    return (
        result.session,
        result.turn + 1,
        result.pack,
        result.item,
        (named and result.name) or pseudonym(result),
        answer(result.submission),
        whole(result.grade),
        result.points,
        whole(round(result.seconds, 3)),
        result.at.isoformat(timespec="seconds"),
    )


def insight_lines(
    insights: Sequence[ItemInsight], items: Mapping[ItemId, Item]
) -> tuple[tuple[object, ...], ...]:
    """Write a heading and a line for each item: how often each option was chosen, in all, in the
    upper and in the lower group.
    """
    most = max((len(one.options) for one in insights), default=0)
    letters = [letter(place) for place in range(most)]
    groups = [f"{name}{part}" for name in letters for part in ("", "_upper", "_lower")]
    return ((*INSIGHTS, *groups), *(_insight_line(one, items[one.item]) for one in insights))


def insight_entry(one: ItemInsight, item: Item) -> dict[str, object]:
    """Write an item analysis as values that JSON can hold."""
    return {
        "item": one.item,
        "question": _stem(item),
        "answered": one.answered,
        "difficulty": _entry(one.difficulty),
        "discrimination": _entry(one.discrimination),
        "group": one.group,
        "seconds": whole(round(one.seconds, 3)),
        "suspect": one.doubt.value if one.doubt else None,
        "rival": None if one.rival is None else letter(one.rival),
        "options": [
            {
                "option": letter(option.place),
                "key": option.key,
                "chosen": option.chosen,
                "upper": option.upper,
                "lower": option.lower,
                "dead": option.dead,
            }
            for option in one.options
        ],
    }


def answer(submission: Submission) -> str:
    """Write an answer: letters of options as they stand in the file, or what was typed."""
    match submission:
        case Chosen(options):
            return "".join(letter(place) for place in sorted(options))
        case Typed(text):
            return text


def pseudonym(result: Result) -> str:
    """Give a name that is always the same for a participant and tells nothing about them."""
    return "anonymous-" + hashlib.sha256(result.participant.encode()).hexdigest()[:8]


def cell(value: object) -> object:
    """Write a value so that no spreadsheet takes a text for a formula; nothing is an empty cell."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def comma_separated(lines: Iterable[Sequence[object]]) -> str:
    """Write lines as CSV."""
    sheet = io.StringIO(newline="")
    csv.writer(sheet).writerows([cell(value) for value in line] for line in lines)
    return sheet.getvalue()


def as_file(text: str) -> bytes:
    """Give CSV as the content of a file that spreadsheets read as UTF-8."""
    return (_MARK + text).encode(errors="replace")


def whole(number: float) -> float | int:
    """Write a number without its decimals where it has none."""
    return int(number) if number == int(number) else round(number, 4)


def _insight_line(one: ItemInsight, item: Item) -> tuple[object, ...]:
    counts = [(option.chosen, option.upper, option.lower) for option in one.options]
    right = "".join(letter(place) for place in range(option_count(item)) if place in keys(item))
    return (
        one.item,
        _stem(item),
        right,
        one.answered,
        *_numbers(one.difficulty),
        *_numbers(one.discrimination),
        whole(round(one.seconds, 3)),
        one.doubt.value if one.doubt else None,
        None if one.rival is None else letter(one.rival),
        "".join(map(letter, one.dead)),
        one.group,
        *(number for three in counts for number in three),
    )


def _numbers(estimate: Estimate | None) -> tuple[object, object, object]:
    if estimate is None:
        return None, None, None
    return whole(estimate.value), whole(estimate.low), whole(estimate.high)


def _entry(estimate: Estimate | None) -> dict[str, object] | None:
    if estimate is None:
        return None
    return dict(zip(("value", "low", "high"), _numbers(estimate), strict=True))


def _stem(item: Item) -> str:
    return " ".join(plain(item.stem).split())
