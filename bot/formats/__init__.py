"""Formats: text to packs and back, one file each."""

from dataclasses import dataclass

from bot.errors import Problem
from bot.packs import Edition
from bot.wording import phrase

MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a format made of a file: an edition only if nothing is wrong with it."""

    edition: Edition | None
    problems: tuple[Problem, ...] = ()


def meant(near: str, cure: str) -> str:
    """Ask whether a name was meant that looks like the wrong one, and give the cure."""
    return phrase("Did you mean {near}? {cure}", near=near, cure=cure)


def refused(problems: list[Problem]) -> Reading:
    """Refuse a file: its problems in the order of their lines, and not more than one can read."""
    listed = sorted(problems, key=lambda problem: problem.line)
    if (more := len(listed) - MOST_PROBLEMS) > 0:
        listed[MOST_PROBLEMS:] = [
            Problem(
                file=listed[0].file,
                line=0,
                what=phrase("There are more problems than these: {more}.", more=more),
                cure=phrase("Mend the ones above first."),
            )
        ]
    return Reading(edition=None, problems=tuple(listed))
