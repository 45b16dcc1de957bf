r"""LaTeX formulas as text that anybody can read: `x^2 \le \frac{a+b}{2}` -> `x² ≤ (a+b)/2`."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexNode

_RAISED = str.maketrans(
    "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθικφχ",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᶥᶲᵠᵡ",
)
_LOWERED = str.maketrans(
    "0123456789+-−=()aehijklmnoprstuvxβγρφχ",
    "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
)
_SCRIPT = re.compile(r"([\^_])(?:\{([^{}]*)\}|([^\s{}(\u2060]))")
_BETWEEN = re.compile(r"(?<=\S) ?([←→↦⇐⇒⇔≤≥≠≈≡∼∝∈∉⊂⊆×·±∧∨]) ?(?=\S)")
# What the parser does not know, or reads as something else, in words that it knows.
_SPELLINGS = tuple(
    (re.compile(pattern), spelling)
    for pattern, spelling in (
        (r"(?<!\\)%", r"\\%"),
        (r"\\[dtc]frac(?![a-zA-Z])", r"\\frac"),
        (r"\\ne(?![a-zA-Z])", r"\\neq"),
        (r"\^\s*(?:\\top(?![a-zA-Z])|\{\s*\\top\s*\})", "^T"),
        (r"\\binom\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"C(\1, \2)"),
        (r"\\\|", r"\\Vert "),
        (r"\\\{", "\ue000"),
        (r"\\\}", "\ue001"),
        (r"(\\(?:hat|bar|tilde|vec|dot|ddot))\s*\{\s*(\\?\w+)\s*\}", r"\1 \2"),
        (r"(\\(?:log|ln|exp|max|min|sin|cos|tan|lim))\s+(?=[\w\\])", r"\1\\ "),
    )
)
_AFTER = {ord("{"): None, ord("}"): None, 0x2060: None, 0xE000: "{", 0xE001: "}"}
_SILENT = (
    *("operatorname", "boldsymbol", "bm", "displaystyle", "textstyle", "limits", "nolimits"),
    *("big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "left", "right", "middle"),
)
_SIGNS = re.compile(r"[\s+\-−*/·×=<>≤≥]")


@lru_cache(maxsize=1024)
def readable(tex: str) -> str:
    """Write a formula in Unicode; what has no sign of its own keeps its name or its brackets.

    A formula that cannot be parsed is given back as it was written.
    """
    from pylatexenc.latexwalker import LatexWalkerError  # noqa: PLC0415 - loaded when needed

    prepared = tex
    for pattern, spelling in _SPELLINGS:
        prepared = pattern.sub(spelling, prepared)
    try:
        text = _converter().latex_to_text(prepared)
    except (LatexWalkerError, ValueError, IndexError, AttributeError):
        return tex
    text = _BETWEEN.sub(r" \1 ", text)
    while (shown := _SCRIPT.sub(_script, text)) != text:
        text = shown
    return " ".join(text.translate(_AFTER).split()) or tex


@lru_cache(maxsize=1)
def _converter() -> "LatexNodes2Text":
    from pylatexenc import latex2text  # noqa: PLC0415 - 40 ms that only formulas need

    context = latex2text.get_default_latex_context_db()
    context.add_context_category(
        "kuis",
        macros=[
            latex2text.MacroTextSpec("frac", simplify_repl=_fraction),
            *(latex2text.MacroTextSpec(name, "") for name in _SILENT),
        ],
        prepend=True,
    )
    context.set_unknown_macro_spec(latex2text.MacroTextSpec("", simplify_repl=_name))
    return latex2text.LatexNodes2Text(
        latex_context=context,
        math_mode="text",
        keep_braced_groups=True,
        keep_braced_groups_minlen=1,
        strict_latex_spaces=False,
    )


def _name(node: "LatexNode") -> str:
    return f"{node.macroname}{node.macro_post_space}"


def _fraction(node: "LatexNode", l2tobj: "LatexNodes2Text") -> str:
    above, below = (
        l2tobj.nodelist_to_text([argument]).strip("{} ") for argument in node.nodeargd.argnlist
    )
    return f"{_bracketed(above)}/{_bracketed(below)}"


def _bracketed(text: str) -> str:
    return f"({text})" if _SIGNS.search(text.strip()) else text.strip()


def _script(match: re.Match[str]) -> str:
    table = _RAISED if match[1] == "^" else _LOWERED
    inner = (match[2] if match[2] is not None else match[3]).replace(" ", "")
    if all(ord(sign) in table for sign in inner):
        return inner.translate(table)
    mark = "^" if match[1] == "^" else "_"
    return f"{mark}({inner})" if len(inner) > 1 else f"{mark}\u2060{inner}"
