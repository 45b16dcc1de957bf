"""Formats: text to packs and back, one file each."""

from dataclasses import dataclass

from bot.errors import Problem
from bot.packs import Edition

MOST_PROBLEMS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a format made of a file: an edition only if nothing is wrong with it."""

    edition: Edition | None
    problems: tuple[Problem, ...] = ()


def refused(problems: list[Problem]) -> Reading:
    """Refuse a file: its problems in the order of their lines, and not more than one can read."""
    listed = sorted(problems, key=lambda problem: problem.line)
    if (more := len(listed) - MOST_PROBLEMS) > 0:
        listed[MOST_PROBLEMS:] = [
            Problem(
                file=listed[0].file,
                line=0,
                what=f"… and {more} more problem{'s' if more > 1 else ''}.",
                cure="Mend the ones above first.",
            )
        ]
    return Reading(edition=None, problems=tuple(listed))
