"""Plain text on its way in: bytes to text, and remarks in one wording."""

import re

from bot.cleaning import CONTROL
from bot.formats.findings import Remark, Severity
from bot.text import shorten, tidy

MOST_BYTES = 8 * 1024 * 1024
EXCERPT = 80


def remark(severity: Severity, place: str, excerpt: str, reason: str, action: str = "") -> Remark:
    """Make a remark with an excerpt of bearable length, and an action that fits the severity."""
    return Remark(
        severity=severity,
        place=place,
        excerpt=shorten(tidy(excerpt[:500]), EXCERPT),
        reason=reason,
        action=action or _ACTIONS[severity],
    )


def decoded(content: bytes) -> tuple[str, tuple[Remark, ...]]:
    """Read bytes as text with line feeds, saying which encoding was guessed if it is not UTF-8.

    Bytes that are no text at all, or too many, give no text and a remark that says so.
    """
    if len(content) > MOST_BYTES:
        reason = f"The file is larger than {MOST_BYTES // 1024**2} MiB of text."
        return "", (remark(Severity.SKIPPED, "file", "", reason, "Divide it into several files."),)
    text, encoding = _read(content)
    sample = text[:100_000]
    if len(CONTROL.findall(sample)) * 20 > len(sample):
        reason = "The file holds bytes that are no text."
        return "", (remark(Severity.SKIPPED, "file", "", reason, "Nothing was read from it."),)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not encoding:
        return text, ()
    reason = f"The file is not in UTF-8; {encoding} is the best guess."
    return text, (remark(Severity.CHANGED, "file", "", reason, "Check the letters with accents."),)


_ACTIONS = {
    Severity.SKIPPED: "It was left out.",
    Severity.CHANGED: "It was imported all the same; please check it.",
    Severity.NOTE: "Nothing needs to be done.",
}
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def _read(content: bytes) -> tuple[str, str]:
    """Give the text and the name of the encoding if it had to be guessed."""
    mark = next((name for bom, name in _MARKS if content.startswith(bom)), "")
    if not mark and (zeros := content[:400].count(0)) * 3 > len(content[:400]):
        even = content[:400:2].count(0)
        mark = "utf-16-be" if even * 2 > zeros else "utf-16-le"
    if mark:
        return content.decode(mark, errors="replace"), ""
    try:
        return content.decode("utf-8"), ""
    except UnicodeDecodeError:
        high = len(re.findall(rb"[\xc0-\xff]", content))
        cyrillic = high > len(re.findall(rb"[A-Za-z]", content))
        name = "windows-1251" if cyrillic else "windows-1252"
        return content.decode(name, errors="replace"), name
