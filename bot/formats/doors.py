"""Doors: files that are turned away before any format sees them, with a sentence that helps."""

from bot.errors import FileRefused
from bot.formats.containers import MEBIBYTE, is_zip
from bot.formats.findings import Source

MOST_TEXT = 5 * MEBIBYTE
MOST_PACKED = 20 * MEBIBYTE


def check(source: Source) -> None:
    """Turn away what is too large, empty, or plainly no question bank. Raises FileRefused."""
    content = source.content
    most = MOST_PACKED if is_zip(content) else MOST_TEXT
    if len(content) > most:
        size = f"{len(content) / MEBIBYTE:.1f} MiB"
        msg = (
            f"{source.name} is {size} large; {most // MEBIBYTE} MiB are the most. Please split it."
        )
        raise FileRefused(msg)
    if not content.strip():
        msg = f"{source.name} is empty."
        raise FileRefused(msg)
    for magic, what in _STRANGERS.items():
        if content.startswith(magic):
            msg = f"{source.name} is {what}"
            raise FileRefused(msg)


_PROGRAM = "a program, not a question bank."
_PICTURE = "a picture. Please send the questions as text or as a table."
_OLD_OFFICE = "an old Office file. Please save it as .xlsx or as text, and send that."
_STRANGERS = {
    b"MZ": _PROGRAM,
    b"\x7fELF": _PROGRAM,
    b"\xca\xfe\xba\xbe": _PROGRAM,
    b"\xcf\xfa\xed\xfe": _PROGRAM,
    b"#!": _PROGRAM,
    b"%PDF": "a PDF, which holds pages and not questions. Please send the text it was made from.",
    b"\xd0\xcf\x11\xe0": _OLD_OFFICE,
    b"{\\rtf": "a formatted text (RTF). Please save it as plain text, and send that.",
    b"\x89PNG": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
    b"GIF8": _PICTURE,
    b"SQLite format 3": "a database. Of Anki, please send the .apkg package.",
    b"\x1f\x8b": "packed with gzip. Please unpack it first.",
    b"Rar!": "a RAR archive. Please unpack it first, or make a zip of it.",
    b"7z\xbc\xaf": "a 7z archive. Please unpack it first, or make a zip of it.",
}
