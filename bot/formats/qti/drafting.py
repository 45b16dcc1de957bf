"""Drafting: what every version of QTI has in common on the way from an item to a draft."""

import posixpath
import re
from collections.abc import Mapping
from urllib.parse import unquote

from bot.formats.findings import Question, Remark, Severity
from bot.formats.markup import from_markup
from bot.formats.plaintext import LEFT_OUT, remark
from bot.text import Markdown
from bot.wording import phrase


class Desk:
    """Where items are written: their place, their pictures, and what is odd about them."""

    def __init__(self, files: Mapping[str, bytes], used: dict[str, bytes], path: str) -> None:
        """Take the files of the package, where to keep those shown, and the document's path."""
        self._files = files
        self._used = used
        self._path = path
        self.place = path
        self.remarks: list[Remark] = []

    def begin(self, name: str) -> None:
        """Begin an item with its name or number."""
        self.place = phrase("{path}, {name}", path=self._path, name=name) if self._path else name
        self.remarks = []

    def markdown(self, source: str) -> Markdown:
        """Write HTML as Markdown, its pictures by the names that they go by here."""
        return from_markup(source, self._image)

    def say(self, severity: Severity, excerpt: str, reason: str, action: str = "") -> None:
        """Report something about the item."""
        self.remarks.append(remark(severity, self.place, excerpt, reason, action))

    def lost(self, excerpt: str, reason: str) -> None:
        """Report content that has no place here."""
        self.say(Severity.CHANGED, excerpt, reason, LEFT_OUT)

    def skip(self, excerpt: str, reason: str) -> Question:
        """Give up on an item."""
        self.say(Severity.SKIPPED, excerpt, reason)
        return Question(draft=None, remarks=tuple(self.remarks))

    def _image(self, source: str) -> str:
        if re.match(r"(?:https?:)?//|data:", source):
            return source
        name = unquote(source).split("?")[0].replace("$IMS-CC-FILEBASE$/", "web_resources/")
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(self._path), name))
        found = next((path for path in (beside, name) if path in self._files), "")
        if not found:
            self.lost("", phrase("The picture {name} is not in the file.", name=name[:60]))
            return ""
        new = re.sub(r"[^\w.-]+", "-", found)
        self._used[new] = self._files[found]
        return new
