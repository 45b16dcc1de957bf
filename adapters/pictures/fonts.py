"""Fonts: one that comes along, and whichever of the system's can write what it cannot."""

import logging
import unicodedata
from functools import lru_cache

from matplotlib import font_manager, ft2font

logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

OURS = "DejaVu Sans"
"""Comes with matplotlib; has Latin, Greek, Cyrillic, Arabic and more."""

OTHERS = (
    "Noto Sans",
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans JP",
    "Noto Sans SC",
    "Noto Sans KR",
    "Noto Sans Devanagari",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "Noto Sans Javanese",
    "Noto Sans Balinese",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Ethiopic",
    "Hiragino Sans",
    "PingFang SC",
    "Apple SD Gothic Neo",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "WenQuanYi Zen Hei",
    "Nirmala UI",
)

_UNSEEN = {"Cc", "Cf", "Co", "Cs"}


@lru_cache(maxsize=1)
def families() -> tuple[str, ...]:
    """List the fonts that are here, in the order in which they are tried."""
    there = {entry.name for entry in font_manager.fontManager.ttflist}
    return (OURS, *(name for name in OTHERS if name in there))


def drawable(text: str) -> str:
    """Leave out what no font here can write (an emoji, say), and spaces that are left over."""
    kept = "".join(c if c in " -" or c in _signs() else " " for c in _composed(text))
    return " ".join(kept.split())


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\n", " ")


@lru_cache(maxsize=1)
def _signs() -> frozenset[str]:
    found: set[int] = set()
    for family in families():
        properties = font_manager.FontProperties(family=family)
        path = font_manager.fontManager.findfont(properties, fallback_to_default=False)
        found.update(ft2font.FT2Font(path).get_charmap())
    return frozenset(chr(code) for code in found if unicodedata.category(chr(code)) not in _UNSEEN)
