"""Moodle XML: what every Moodle bank exports without loss, with its pictures inside."""

import re

from bot.formats.findings import Source
from bot.formats.moodle_xml.reading import NAME, read
from bot.formats.moodle_xml.writing import write

__all__ = ["NAME", "SUFFIX", "read", "sniff", "write"]

SUFFIX = ".xml"


def sniff(source: Source) -> float:
    """Tell whether the root of a file is `<quiz>`."""
    head = source.content[:8000]
    text = head.decode("utf-16" if head[:2] in {b"\xff\xfe", b"\xfe\xff"} else "latin-1", "replace")
    if re.search(r"<quiz\b[^>]*>", text) and not re.search(r"<(?:\w+:)?questestinterop", text):
        return 1.0
    return 0.5 if "<question type=" in text else 0.0
