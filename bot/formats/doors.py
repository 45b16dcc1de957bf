"""Doors: files that are turned away before any format sees them, with a sentence that helps."""

from bot.errors import FileRefused
from bot.formats.containers import MEBIBYTE, is_zip
from bot.formats.findings import Source
from bot.wording import phrase

MOST_TEXT = 5 * MEBIBYTE
MOST_PACKED = 20 * MEBIBYTE


def check(source: Source) -> None:
    """Turn away what is too large, empty, or plainly no question bank. Raises FileRefused."""
    content = source.content
    most = MOST_PACKED if is_zip(content) else MOST_TEXT
    if len(content) > most:
        raise FileRefused(
            phrase(
                "{file} is {size} MiB large; {most} MiB are the most. Please split it.",
                file=source.name,
                size=-(-len(content) // MEBIBYTE),
                most=most // MEBIBYTE,
            )
        )
    if not content.strip():
        raise FileRefused(phrase("{file} is empty.", file=source.name))
    for magic, what in _STRANGERS.items():
        if content.startswith(magic):
            raise FileRefused(phrase(what, file=source.name))


_PROGRAM = phrase("{file} is a program, not a question bank.")
_PICTURE = phrase("{file} is a picture. Please send the questions as text or as a table.")
_OLD_OFFICE = phrase(
    "{file} is an old Office file. Please save it as .xlsx or as text, and send that."
)
_ARCHIVE = phrase(
    "{file} is an archive I cannot open. Please unpack it first, or make a zip of it."
)
_STRANGERS = {
    b"MZ": _PROGRAM,
    b"\x7fELF": _PROGRAM,
    b"\xca\xfe\xba\xbe": _PROGRAM,
    b"\xcf\xfa\xed\xfe": _PROGRAM,
    b"#!": _PROGRAM,
    b"%PDF": phrase(
        "{file} is a PDF, which holds pages and not questions. Please send the text it was made "
        "from."
    ),
    b"\xd0\xcf\x11\xe0": _OLD_OFFICE,
    b"{\\rtf": phrase(
        "{file} is a formatted text (RTF). Please save it as plain text, and send that."
    ),
    b"\x89PNG": _PICTURE,
    b"\xff\xd8\xff": _PICTURE,
    b"GIF8": _PICTURE,
    b"SQLite format 3": phrase("{file} is a database. Of Anki, please send the .apkg package."),
    b"\x1f\x8b": phrase("{file} is packed with gzip. Please unpack it first."),
    b"Rar!": _ARCHIVE,
    b"7z\xbc\xaf": _ARCHIVE,
}
