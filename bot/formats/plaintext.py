"""Plain text on its way in: bytes to text, and remarks in one wording."""

import re

from bot.cleaning import CONTROL
from bot.formats import places
from bot.formats.findings import Remark, Severity
from bot.text import shorten, tidy
from bot.wording import phrase

MOST_BYTES = 8 * 1024 * 1024
MOST_LINES = 60_000
EXCERPT = 80
LEFT_OUT = phrase("It was left out.")


def remark(severity: Severity, place: str, excerpt: str, reason: str, action: str = "") -> Remark:
    """Make a remark with an excerpt of bearable length, and an action that fits the severity."""
    return Remark(
        severity=severity,
        place=place,
        excerpt=shorten(tidy(excerpt[:500]), EXCERPT),
        reason=reason,
        action=action or _ACTIONS[severity],
    )


def decoded(content: bytes, *, most_lines: int = 0) -> tuple[str, tuple[Remark, ...]]:
    """Read bytes as text with line feeds, saying which encoding was guessed if it is not UTF-8.

    Bytes that are no text at all, or too many, give no text and a remark that says so; lines
    beyond `most_lines` are left out with one.
    """
    if len(content) > MOST_BYTES:
        reason = phrase("The file is larger than {most} MiB of text.", most=MOST_BYTES // 1024**2)
        return "", (
            remark(
                Severity.SKIPPED, places.FILE, "", reason, phrase("Divide it into several files.")
            ),
        )
    text, doubt = _read(content)
    sample = text[:100_000]
    if len(CONTROL.findall(sample)) * 20 > len(sample):
        reason = phrase("The file holds bytes that are no text.")
        return "", (
            remark(Severity.SKIPPED, places.FILE, "", reason, phrase("Nothing was read from it.")),
        )
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    remarks: list[Remark] = []
    if doubt:
        action = phrase("Check the letters with accents.")
        remarks.append(remark(Severity.CHANGED, places.FILE, "", doubt, action))
    if most_lines and text.count("\n") >= most_lines:
        text = "\n".join(text.split("\n", most_lines)[:most_lines])
        reason = phrase("The file has more than {most} lines.", most=most_lines)
        action = phrase("The rest was left out; divide the file into several.")
        place = places.line(most_lines + 1)
        remarks.append(remark(Severity.SKIPPED, place, "", reason, action))
    return text, tuple(remarks)


_ACTIONS = {
    Severity.SKIPPED: LEFT_OUT,
    Severity.CHANGED: phrase("Please check it."),
    Severity.NOTE: phrase("Nothing needs to be done."),
}
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def _read(content: bytes) -> tuple[str, str]:
    """Give the text, and what is doubtful about it if its encoding had to be guessed."""
    mark = next((name for bom, name in _MARKS if content.startswith(bom)), "")
    if not mark and (zeros := content[:400].count(0)) * 3 > len(content[:400]):
        even = content[:400:2].count(0)
        mark = "utf-16-be" if even * 2 > zeros else "utf-16-le"
    text = content.decode(mark or "utf-8", errors="replace")
    lost = text.count("\ufffd")
    if not lost or b"\xef\xbf\xbd" in content:
        return text, ""
    if mark or len(re.findall(r"[^\x00-\x7f\ufffd]", text)) > lost:
        return text, phrase("{lost} characters are damaged.", lost=lost)
    high = len(re.findall(rb"[\xc0-\xff]", content))
    name = "windows-1251" if high > len(re.findall(rb"[A-Za-z]", content)) else "windows-1252"
    reason = phrase("The file is not in UTF-8; {name} is the best guess.", name=name)
    return content.decode(name, errors="replace"), reason
