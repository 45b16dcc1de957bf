import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.intervals import interval, written
from bot.items import Interval
from bot.numbers import number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        (" 3.5 ", 3.5),
        ("3,5", 3.5),
        ("1.234", 1.234),
        ("1,234", 1.234),
        ("1.234,5", 1234.5),
        ("1,234.5", 1234.5),
        ("1,234,567", 1234567),
        ("1.234.567", 1234567),
        ("1 234,5", 1234.5),
        ("1\u2009234", 1234),
        ("1\u00a0234\u00a0567", 1234567),
        ("1\u202f234.5", 1234.5),
        ("1'234.5", 1234.5),
        ("1’234", 1234),
        (".5", 0.5),
        ("5.", 5),
        ("½", 0.5),
        ("¾", 0.75),
        ("1½", 1.5),
        ("1 ½", 1.5),
        ("-1½", -1.5),
        ("1/2", 0.5),
        ("1 / 4", 0.25),
        ("1⁄2", 0.5),
        ("3 1/2", 3.5),
        ("1e-3", 0.001),
        ("1.5E+3", 1500),
        ("1,5·10^-3", 0.0015),
        ("1.5×10⁻³", 0.0015),
        ("1.5 x 10^3", 1500),
        ("2*10**3", 2000),
        ("10⁶", 1e6),
        ("10^-2", 0.01),
        ("−7", -7),
        ("- 7", -7),
        ("+7", 7),
        ("-0", 0),
        ("50 %", 50),
        ("50%", 50),
        ("٣٫٥", 3.5),
        ("７", 7),
        ("\u200e7", 7),
    ],
)
def test_a_number_is_read_in_many_notations(text, value):
    assert number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "five",
        "5 kg",
        "--5",
        "1,23,4",
        "12 34",
        "1/0",
        "1/x",
        "x/2",
        "1 1/0",
        "1e999",
        "1/1e999",
        "nan",
        "inf",
        "2*3",
        "1**2",
        "1/2/3",
        "0x10",
        "%",
        "½½",
        "1e5e5",
        "9" * 101,
        "9" * 90 + "e999",
        "1..2",
        "²",
    ],
)
def test_what_is_no_finite_number_is_none(text):
    assert number(text) is None


@given(st.text() | st.text("0123456789.,eE+-/%½⁻²×10^ '*x−\u2009±…()"))
def test_no_text_makes_reading_numbers_fail(text):
    value, accepted = number(text), interval(text)

    assert value is None or math.isfinite(value)
    assert accepted is None or math.isfinite(accepted.low + accepted.high - accepted.low)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_as_python_writes_it_is_read_back(value):
    assert number(repr(value)) == value


@pytest.mark.parametrize(
    ("text", "low", "value", "high"),
    [
        ("3", 3, 3, 3),
        ("3.14 ± 0.01", 3.13, 3.14, 3.15),
        ("0.8 ± 0.005", 0.795, 0.8, 0.805),
        ("3+-1", 2, 3, 4),
        ("3 +/- 1", 2, 3, 4),
        ("-3 +/− 1", -4, -3, -2),
        ("3,5 ± 0,5", 3, 3.5, 4),
        ("200 ± 5 %", 190, 200, 210),
        ("-200 ± 5%", -210, -200, -190),
        ("50 % ± 5 %", 45, 50, 55),
        ("3..4", 3, 3.5, 4),
        ("3 … 4", 3, 3.5, 4),
        ("4...3", 3, 3.5, 4),
        ("-1..-0.5", -1, -0.75, -0.5),
        ("3 (2.5..4)", 2.5, 3, 4),
    ],
)
def test_a_key_in_numbers_is_an_interval_around_a_value(text, low, value, high):
    assert interval(text) == Interval(low=low, value=value, high=high)


@pytest.mark.parametrize(
    "text",
    ["a..b", "3..b", "3 ± x", "x ± 3", "3 ± -1", "5 (3..4)", "x (3..4)", "1e308 ± 1e308", "±1", ""],
)
def test_what_is_no_key_in_numbers_is_none(text):
    assert interval(text) is None


@pytest.mark.parametrize(
    "text", ["3", "-2.5", "1e-07", "3.14 ± 0.01", "3 (2.5..4)", "0.1..0.7000000000000001"]
)
def test_an_interval_is_written_as_an_author_would(text):
    accepted = interval(text)

    assert accepted
    assert written(accepted) == text


@given(st.lists(st.floats(-1e300, 1e300), min_size=3, max_size=3).map(sorted))
def test_every_interval_is_read_back_as_it_was_written(ends):
    low, value, high = ends
    accepted = Interval(low=low, value=value, high=high)

    assert interval(written(accepted)) == accepted
