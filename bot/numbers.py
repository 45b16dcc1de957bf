"""Numbers as people write them, in any of the notations a class is taught.

One comma or one point is the decimal mark, so `1,234` is 1.234; thousands are set apart by
spaces or apostrophes, or by the mark that is not the last one (`1.234,5`). A per cent sign at
the end is left out of the value: an answer of `50 %` is 50.
"""

import re
import unicodedata
from math import inf, isfinite

LONGEST = 100
PER_CENT = ("%", "\N{FULLWIDTH PERCENT SIGN}", "\N{ARABIC PERCENT SIGN}")


def number(text: str) -> float | None:
    """Read a number; None if the text is none, or one that is not finite."""
    if len(text) > LONGEST:
        return None
    match = _SIGNED.fullmatch(_simplified(text))
    value = _unsigned(match[2]) if match else None
    if match is None or value is None or not isfinite(value):
        return None
    return 0.0 - value if match[1] == "-" else value


_SIGNED = re.compile(r"([+-]?) ?(.+?) ?%?")
_MIXED = re.compile(r"([0-9]+) ([0-9]+/[0-9]+)")
_SCALED = re.compile(r"(.+?)(?:e| ?\* ?10 ?\^ ?)([+-]?[0-9]+)")
_AMOUNT = re.compile(
    r"[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+"
    r"|[0-9]{1,3}(?:(?P<gap>[ '])[0-9]{3})(?:(?P=gap)[0-9]{3})*(?:[.,][0-9]*)?"
    r"|[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]*|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]*"
    r"|[0-9]{1,3}(?:,[0-9]{3}){2,}|[0-9]{1,3}(?:\.[0-9]{3}){2,}"
)


def _unsigned(text: str) -> float | None:
    if match := _MIXED.fullmatch(text):
        whole, part = _scaled(match[1]), _unsigned(match[2])
        return None if whole is None or part is None else whole + part
    above, slash, below = text.partition("/")
    value = _scaled(above.rstrip())
    if not slash or value is None:
        return value
    divisor = _scaled(below.lstrip())
    return value / divisor if divisor else None


def _scaled(text: str) -> float | None:
    """Read an amount with or without a power of ten, which may also stand alone."""
    text = f"1*{text}" if text.startswith("10^") else text
    amount, exponent = text, "0"
    if match := _SCALED.fullmatch(text):
        amount, exponent = match[1], match[2]
    digits = _digits(amount)
    value = inf if digits is None else float(f"{digits}e{exponent}")
    return value if isfinite(value) else None


def _digits(amount: str) -> str | None:
    if not _AMOUNT.fullmatch(amount):
        return None
    marks = re.findall(r"[.,]", amount)
    bare = re.sub(r"[ ']", "", amount)
    if len(marks) > 1:
        bare = bare.replace(marks[0], "")
    return bare.replace(",", ".")


_SIGNS = str.maketrans({
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{FIGURE DASH}": "-",
    "\N{FULLWIDTH HYPHEN-MINUS}": "-",
    "\N{FULLWIDTH PLUS SIGN}": "+",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{MODIFIER LETTER APOSTROPHE}": "'",
    "\N{ARABIC THOUSANDS SEPARATOR}": "'",
    "\N{ARABIC DECIMAL SEPARATOR}": ",",
    "\N{FULLWIDTH COMMA}": ",",
    "\N{FULLWIDTH FULL STOP}": ".",
    "\N{FRACTION SLASH}": "/",
    "\N{DIVISION SLASH}": "/",
    "\N{MULTIPLICATION SIGN}": "*",
    "\N{MIDDLE DOT}": "*",
    "\N{DOT OPERATOR}": "*",
    "x": "*",
    "X": "*",
    "E": "e",
} | dict.fromkeys(PER_CENT, "%"))  # fmt: skip
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")


def _simplified(text: str) -> str:
    """Write the many signs for the same thing as one, in ASCII."""
    text = re.sub(r"(?<=10)[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: "^" + m[0].translate(_RAISED), text)
    text = re.sub(r"[¼-¾⅐-⅞]", lambda m: " " + unicodedata.normalize("NFKC", m[0]), text)
    signs = (
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign
        for sign in text.translate(_SIGNS)
        if unicodedata.category(sign) != "Cf"
    )
    return " ".join("".join(signs).replace("\N{FRACTION SLASH}", "/").replace("**", "^").split())
