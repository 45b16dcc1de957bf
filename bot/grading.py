"""Grading: a response against an item gives a grade from 0 to 1."""

import unicodedata
from collections.abc import Sequence

from bot.items import (
    Choice,
    Item,
    MultiChoice,
    Numeric,
    Optioned,
    ShortText,
    TrueFalse,
    keys,
    option_count,
)
from bot.numbers import number
from bot.submissions import Chosen, Submission, Typed

LONGEST = 500


def fits(item: Item, submission: Submission) -> bool:
    """Tell whether a submission can be graded at all: options that exist, a number, some text."""
    match item, submission:
        case (Choice() | TrueFalse(), Chosen(options)):
            return len(options) == 1 and max(options) < option_count(item)
        case MultiChoice(), Chosen(options):
            return bool(options) and max(options) < option_count(item)
        case Numeric(), Typed(text):
            return number(text) is not None
        case ShortText(), Typed(text):
            return len(text.strip()) > 0 and len(text) <= LONGEST
        case _:
            return False


def grade(item: Item, submission: Submission) -> float:
    """Grade a submission; what does not fit the item earns 0.

    Several keys earn a part of the credit: each right option counts for one, each wrong one
    takes one away, never below 0 (the rule of Moodle's and Canvas' partial credit). Where the
    author gives an option a weight, it counts for that; of several accepted answers that a typed
    one equals, the best counts.
    """
    match item, submission:
        case (Choice() | MultiChoice() | TrueFalse(), Chosen(options)):
            return _earned(item, options)
        case Numeric(), Typed(text):
            value = number(text)
            found = [value is not None and value in range_ for range_ in item.accepted]
            return _best_credit(item, found)
        case ShortText(), Typed(text):
            return _best_credit(item, [_same(text, accepted, item) for accepted in item.accepted])
        case _:
            return 0.0


def worth(item: Optioned, option: int) -> float:
    """Tell what choosing an option adds to the grade; for a wrong one of several that is negative.

    Among options of which one is right a wrong one adds nothing.
    """
    return _worth(item, option, keys(item))


def best(versions: tuple[Item, ...], submission: Submission) -> float:
    """Grade against every language an item exists in: who answers in the other one is right too."""
    return max([grade(item, submission) for item in versions])


def _earned(item: Optioned, options: frozenset[int]) -> float:
    right, count = keys(item), option_count(item)
    earned = sum([_worth(item, option, right) for option in options if option < count])
    return round(min(1.0, max(0.0, earned)), 4)


def _worth(item: Optioned, option: int, right: frozenset[int]) -> float:
    if not isinstance(item, TrueFalse) and (weight := item.options[option].weight) is not None:
        return weight
    if not isinstance(item, MultiChoice):
        return 1.0 if option in right else 0.0
    return 1 / len(right) if option in right else -1 / len(right)


def _best_credit(item: ShortText | Numeric, equal: Sequence[bool]) -> float:
    worth = item.credits or (1.0,) * len(equal)
    return max((credit for credit, found in zip(worth, equal, strict=True) if found), default=0.0)


def _same(given: str, accepted: str, item: ShortText) -> bool:
    one, other = (_folded(text, accents=not item.any_accents) for text in (given, accepted))
    return one == other or (item.typos > 0 and _within(one, other, item.typos))


def _folded(text: str, *, accents: bool) -> str:
    """Fold away what a typed answer may differ in: form, case, spaces, by wish accents."""
    folded = unicodedata.normalize("NFKC", text[:LONGEST]).casefold()
    if not accents:
        decomposed = unicodedata.normalize("NFKD", folded)
        folded = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    kept = (sign for sign in folded if unicodedata.category(sign) != "Cf")
    return " ".join("".join(kept).replace("’", "'").split()).strip(".!? ")


def _within(one: str, other: str, typos: int) -> bool:
    """Tell whether at most so many insertions, deletions, changes or swaps lie between two texts.

    The optimal string alignment distance (Damerau 1964), a row at a time.
    """
    if abs(len(one) - len(other)) > typos:
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, above, row = row, before, [i]
        for j, right in enumerate(other, 1):
            best_of = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                best_of = min(best_of, above[j - 2] + 1)
            row.append(best_of)
    return row[-1] <= typos
