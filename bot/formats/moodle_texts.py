"""Moodle's texts, in HTML, plain, Markdown or a mixture, as our Markdown, with what is lost."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from bot.cleaning import clean
from bot.formats.findings import Remark, Severity
from bot.formats.html import bare, from_html, from_plain, is_html, losses, remote_images
from bot.formats.plaintext import remark
from bot.text import Markdown
from bot.wording import phrase

HTML, MOODLE, PLAIN, MARKDOWN = "html", "moodle", "plain", "markdown"
KINDS = {
    HTML: HTML,
    MOODLE: MOODLE,
    PLAIN: PLAIN,
    MARKDOWN: MARKDOWN,
    "moodle_auto_format": MOODLE,
    "plain_text": PLAIN,
}
_INSIDE = "@@PLUGINFILE@@/"


def told(name: str, feedback: str) -> str:
    """Write the feedback to a typed answer as a line of the rationale."""
    return f"**{name or '…'}**: {feedback}"


def category_tags(path: str) -> tuple[str, ...]:
    """Make tags of a category's path, without what every Moodle course has."""
    line = path.strip().split("\n")[0]
    parts = (part.strip() for part in line.replace("//", _SLASH).split("/"))
    named = (part.replace(_SLASH, "/").replace(",", ";") for part in parts)
    return tuple(part for part in named if part and not _USUAL.fullmatch(part))


WILDCARD = phrase("A * in an answer stands for any text in Moodle.")


def has_wildcard(text: str) -> bool:
    r"""Tell whether an accepted answer holds a `*` for any text; `\*` is a real one."""
    return bool(_ANY.search(text))


def without_wildcards(text: str) -> str:
    """Give the words of an accepted answer; nothing if any text would do."""
    return _ANY.sub("", text).replace("\\*", "*").strip()


def with_stars(text: str) -> str:
    """Write an accepted answer so that its stars stay stars."""
    return text.replace("*", "\\*")


_ANY = re.compile(r"(?<!\\)\*")
_SLASH = "\ue00f"
_USUAL = re.compile(r"\$\w+\$|top|Default(?: for .*)?")


@dataclass(slots=True)
class Texts:
    """The texts of one question, and what of them is `lost`.

    `files` are the names of pictures by the path that they had; `embed` keeps one that is written
    into a text, and gives its name.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    embed: Callable[[str], str] | None = None
    lost: dict[str, Severity] = field(default_factory=dict)

    def markdown(self, text: str, kind: str) -> Markdown:
        """Write a text of one of the kinds as Markdown."""
        if kind == MARKDOWN:
            return clean(text)
        if kind == PLAIN:
            return from_plain(text)
        if "<" in text:
            self._report_losses(text)
        return from_html(text, self._named, lines=kind == MOODLE)

    def typed(self, text: str) -> str:
        """Give an accepted answer, which is plain text even among HTML."""
        return bare(text) if is_html(text) else text

    def remarks(self, place: str, excerpt: str) -> tuple[Remark, ...]:
        """Report what was lost on the way."""
        return tuple(
            remark(severity, place, excerpt, reason) for reason, severity in self.lost.items()
        )

    def _report_losses(self, text: str) -> None:
        for tag in losses(text):
            self._lose(phrase("Chats cannot show what <{tag}> holds.", tag=tag))
        for source in remote_images(text):
            reason = phrase("The picture {name} is not in the file.", name=source[:200])
            self.lost.setdefault(
                phrase("{reason} Its address is kept.", reason=reason), Severity.NOTE
            )

    def _lose(self, reason: str) -> None:
        self.lost.setdefault(reason, Severity.CHANGED)

    def _named(self, source: str) -> str:
        """Name a picture: by its file, by its address, or not at all."""
        if source.startswith(_INSIDE):
            path = unquote(source.removeprefix(_INSIDE)).partition("?")[0]
            if path not in self.files:
                self._lose(phrase("The picture {name} is not in the file.", name=path[:200]))
            return self.files.get(path, "")
        if source.startswith("data:"):
            name = self.embed(source) if self.embed else ""
            if not name:
                self._lose(phrase("A picture written into the text cannot be read."))
            return name
        if "://" not in source and not source.startswith("//"):
            self._lose(phrase("The picture {name} is not in the file.", name=source[:200]))
            return self.files.get(source, "")
        return source
