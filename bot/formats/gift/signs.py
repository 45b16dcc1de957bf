"""Signs: what GIFT escapes, and the formulas and tags in which its signs mean something else.

Such signs are set aside under private ones, so that the rest can be cut at bare signs.
"""

import re
from bisect import bisect_right

# No question is longer; beyond it looking for formulas would take its time.
LONGEST = 50_000
_ESCAPED = {sign: chr(0xE010 + at) for at, sign in enumerate("\\:#={}~n")}
# Signs that their author should have escaped, and the backslash of `\neq`.
_MEANT = {sign: chr(0xE020 + at) for at, sign in enumerate("={}#\\")}
_SHOWN = str.maketrans(
    {private: sign for table in (_MEANT, _ESCAPED) for sign, private in table.items()}
    | {_ESCAPED["n"]: "\n"}
)
_PRIVATE = str.maketrans(dict.fromkeys(map(chr, range(0xE000, 0xE030))))
_ESCAPE = re.compile(r"\\([\\:#={}~n])")
_FORMULA = re.compile(
    r"\$\$.{1,1500}?\$\$"
    r"|(?<![\\$\w])\$(?![\s$])[^$\n]{1,500}?(?<![\s\\])\$(?![$\w])"
    r"|[\\\ue010]\(.{1,1500}?[\\\ue010]\)"
    r"|[\\\ue010]\[.{1,1500}?[\\\ue010]\]",
    re.DOTALL,
)
_TAG = re.compile(
    r"<[A-Za-z][A-Za-z0-9]*(?:\s+[A-Za-z][\w:-]*(?:=\"[^\"<>~{}]*\"|='[^'<>~{}]*')?)+\s*/?>"
)
# Between two dollars these are no formula, but the answers between two prices or variables.
_ANSWERS = re.compile(r"\{\s*(?:[=~#}]|(?:T|F|TRUE|FALSE)\s*[#}])|\s=(?!\s)|~|->")
_COMMAND = re.compile(
    r"(?:abla|atural|eq|eg|e|earrow|exists|geq|geqslant|gtr|i|leq|leqslant|less|mid|odot|ot|otin"
    r"|parallel|prec|sim|subseteq|succ|supseteq|u|warrow)(?![A-Za-z])"
)


def hidden(text: str) -> str:
    r"""Set aside the signs that do not cut a question: escaped, in a formula, or in a tag.

    In a formula `\neq` is no line feed before `eq`.
    """
    text = text.translate(_PRIVATE)
    if "\\" in text:
        text = _ESCAPE.sub(_Escape(text), text)
    if "<" in text:
        text = _TAG.sub(lambda match: _masked(match[0], "=#"), text)
    if len(text) > LONGEST:
        return text
    if "$" in text or "\\" in text or _ESCAPED["\\"] in text:
        text = _FORMULA.sub(_mask_formula, text)
    return text


def shown(text: str) -> str:
    """Put the signs back, without the backslashes before them."""
    return text.translate(_SHOWN)


def is_repaired(text: str, signs: str = "={}#\\") -> bool:
    """Tell whether a text holds signs that should have been escaped."""
    return any(_MEANT[sign] in text for sign in signs)


def escaped(text: str) -> str:
    """Escape every sign of a text that GIFT would read."""
    return re.sub(r"[\\:#={}~]", r"\\\g<0>", text).replace("\n", "\\n")


class _Escape:
    """What an escape stands for, which depends on whether it is in a formula."""

    def __init__(self, text: str) -> None:
        found = _FORMULA.finditer(text) if "\\n" in text and len(text) <= LONGEST else ()
        self._spans = [match.span() for match in found if not _ANSWERS.search(match[0])]
        self._starts = [start for start, _ in self._spans]

    def __call__(self, match: re.Match[str]) -> str:
        nearest = bisect_right(self._starts, match.start()) - 1
        inside = nearest >= 0 and match.start() < self._spans[nearest][1]
        if match[1] == "n" and inside and _COMMAND.match(match.string, match.end()):
            return _MEANT["\\"] + "n"
        return _ESCAPED[match[1]]


def _mask_formula(match: re.Match[str]) -> str:
    whole = match[0].count("{") == match[0].count("}")
    return _masked(match[0], "={}") if whole and not _ANSWERS.search(match[0]) else match[0]


def _masked(text: str, signs: str) -> str:
    return "".join(_MEANT[sign] if sign in signs else sign for sign in text)
