"""Native packs as one of the formats: what was exported, corrected and filled in comes back.

Here, unlike in a folder of packs, good items are kept when others are not, and an item without
an `x` waits for its key.
"""

from bot.cleaning import tags
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.markdown import write as write_edition
from bot.formats.markdown.reading import Section, sections
from bot.formats.plaintext import decoded, remark
from bot.packs import Edition
from bot.wording import phrase

NAME = "native"
SUFFIX = ".md"


def sniff(source: Source) -> float:
    """Tell whether a file begins with the front matter of a pack."""
    head = source.content[:2000].decode("utf-8", errors="replace").removeprefix("\ufeff")
    begun = head.startswith("---") and "\n---" in head
    return 1.0 if begun and "\ntitle:" in head and "\nid:" in head else 0.0


def read(source: Source) -> Haul:
    """Read the items of a pack one by one."""
    text, remarks = decoded(source.content)
    front, found = sections(text, source.name)
    questions = tuple(map(_question, found))
    values = front.values if front else {}
    return Haul(
        format=NAME,
        questions=questions,
        remarks=remarks,
        id=values.get("id", ""),
        title=values.get("title", ""),
        language=values.get("language", ""),
        tags=tags((values.get("tags", "").strip("[]"),)),
        licence=values.get("licence", ""),
        author=values.get("author", ""),
        source=values.get("source", ""),
    )


def write(edition: Edition) -> tuple[str, tuple[Remark, ...]]:
    """Write a pack; nothing is lost."""
    return write_edition(edition), ()


def _question(section: Section) -> Question:
    remarks = tuple(
        remark(
            Severity.SKIPPED,
            places.line(one.line),
            one.item,
            one.what,
            phrase("It was left out. {cure}", cure=one.cure),
        )
        for one in section.problems
    )
    draft = None if section.problems else next(iter(section.drafts), None)
    return Question(draft=draft, remarks=remarks)
