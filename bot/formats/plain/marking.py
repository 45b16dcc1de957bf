"""Marking: the signs by which people show in a list which option is right."""

import re
from collections.abc import Callable, Sequence

Option = tuple[str, str]  # the mark before it, and its text
MOSTLY = 0.5


def marked(questions: Sequence[Sequence[Option]]) -> list[list[tuple[str, bool]]]:
    """Give every option without its mark, and whether that says it is right.

    A word or a tick always counts. A plus or a star counts only if most questions have one, and
    not on all of their options: else it is C++, or a footnote.
    """
    common = [style for style in _COMMON if _is_style(style, questions)]
    return [[_read(option, (*_CLEAR, *common)) for option in options] for options in questions]


_TICKS = "✓✔✅☑"
_WORD = re.compile(
    r"\s*[\[(](?:correct|right|true answer|answer|key|benar|betul|kunci|верно|правильно|correcta?"
    r"|correcto|verdadera|vrai|bonne réponse|richtig|korrekt|giusta|esatta|corretta|correta|certa"
    r"|corect)[\])]\s*$",
    re.IGNORECASE,
)


def _tick(option: Option) -> str | None:
    mark, text = option
    if mark and (mark in _TICKS or mark.casefold() in {"[x]", "[*]", "(x)", "^"}):
        return text.strip(_TICKS + " ")
    ticked = text.rstrip(" ")[-1:] in set(_TICKS) or text[:1] in set(_TICKS)
    return text.strip(_TICKS + " ") if ticked else None


def _word(option: Option) -> str | None:
    text = _WORD.sub("", option[1])
    return text if text != option[1] else None


def _before(option: Option) -> str | None:
    mark, text = option
    return text.removesuffix("**").rstrip() if mark in {"*", "+", "=", "**"} else None


def _bold(option: Option) -> str | None:
    match = re.fullmatch(r"(\*\*|__)(.+?)\1[.;,]?", option[1])
    return match[2] if match else None


def _behind(sign: str) -> Callable[[Option], str | None]:
    def style(option: Option) -> str | None:
        text = option[1].rstrip(" .;,")
        single = text.endswith(sign) and not text.endswith(2 * sign) and text != sign
        return text[:-1].rstrip() if single else None

    return style


_CLEAR = (_tick, _word)
_COMMON = (_before, _bold, _behind("+"), _behind("*"))


def _is_style(style: Callable[[Option], str | None], questions: Sequence[Sequence[Option]]) -> bool:
    hits = [[style(option) is not None for option in options] for options in questions if options]
    return bool(hits) and (sum(map(any, hits)) >= len(hits) * MOSTLY and not all(map(all, hits)))


def _read(option: Option, styles: Sequence[Callable[[Option], str | None]]) -> tuple[str, bool]:
    for style in styles:
        text = style(option)
        if text is not None:
            return text, True
    return option[1], False
