"""Intervals: the numbers that a key accepts, as authors write them."""

import re
from decimal import Decimal
from math import isfinite

from bot.items import Interval
from bot.numbers import LONGEST, PER_CENT, number
from bot.text import tidy


def interval(text: str) -> Interval | None:
    """Read which numbers a key accepts; None if the text is not a key in numbers.

    `3`, `3 ± 0.1` (or `+-`, `+/-`), `3 ± 5 %`, `2..4` (or `…`), and `3 (2.5..4)` for a value
    that is not in the middle. A tolerance in per cent is relative unless the value is one too.
    """
    text = tidy(text[: 4 * LONGEST])
    if match := _AROUND.fullmatch(text):
        return _around(match[1], match[2])
    if match := _RANGE.fullmatch(text):
        return _between(number(match[2]), number(match[3]), match[1])
    value = number(text)
    return None if value is None else Interval(low=value, high=value, value=value)


def written(accepted: Interval) -> str:
    """Write an interval so that `interval` reads it back, with ± if that is exact."""
    low, high, value = (
        repr(part).removesuffix(".0") for part in (accepted.low, accepted.high, accepted.value)
    )
    tolerance = Decimal(high) - Decimal(value)
    spellings = (value, f"{value} ± {tolerance}", f"{low}..{high}")
    fitting = (spelling for spelling in spellings if interval(spelling) == accepted)
    return next(fitting, f"{value} ({low}..{high})")


_AROUND = re.compile(r"(.+?)(?:±|\+/?[-\u2212])(.+)")
_RANGE = re.compile(r"(?:([^(]+)\()?(.+?)(?:\.{2,3}|…|‥)([^)]+)(?(1)\))")


def _around(value: str, tolerance: str) -> Interval | None:
    middle, width = number(value), number(tolerance)
    if middle is None or width is None or width < 0:
        return None
    exact, spread = Decimal(repr(middle)), Decimal(repr(width))
    if tolerance.endswith(PER_CENT) and not value.strip().endswith(PER_CENT):
        spread *= abs(exact) / 100
    return _between(float(exact - spread), float(exact + spread), value)


def _between(one: float | None, other: float | None, value: str | None) -> Interval | None:
    """Make an interval of two ends in any order, around their middle if there is no value."""
    if one is None or other is None or not isfinite(one) or not isfinite(other):
        return None
    low, high = sorted((one, other))
    middle = float((Decimal(repr(low)) + Decimal(repr(high))) / 2)
    shown = number(value) if value else middle
    if shown is None or not low <= shown <= high:
        return None
    return Interval(low=low, high=high, value=shown)
