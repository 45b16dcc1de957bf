"""Findings: item analysis in sentences, for who teaches with a pack or has written it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.analysis import (
    ENOUGH,
    ItemInsight,
    Misconception,
    hardest,
    misconceptions,
)
from bot.ids import ItemId
from bot.items import Item, keys, option_rationale
from bot.panels import Button, Panel, Role
from bot.showing import option_text
from bot.text import Markdown, literal, plain, shorten
from bot.wording import Words

STEM_LENGTH = 90
HARDEST = 3
SUSPECTS = 5
BELIEFS = 3
DEAD = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """The items of a pack, what was found about them, and how many people took part."""

    items: Mapping[ItemId, Item]
    insights: Sequence[ItemInsight]
    people: int
    mastered: int


def findings(title: str, study: Study, buttons: Sequence[Button], words: Words) -> Panel:
    """Tell what was found; nobody is named."""
    if not study.insights:
        empty = words.say("Nobody has answered this quiz here yet.")
        return Panel(role=Role.NOTICE, heading=title, body=(Markdown(empty),))
    sections = [
        (
            words.say("Hardest"),
            [_hard(one, study, words) for one in hardest(study.insights, HARDEST)],
        ),
        (words.say("Is the key right?"), suspects(study, words)[:SUSPECTS]),
        (words.say("What many believe"), beliefs(study, words)),
        (words.say("Chosen by almost nobody"), _dead(study, words)),
    ]
    notes = [_section(head, lines) for head, lines in sections if lines]
    if not notes:
        notes = [
            Markdown(words.say("From {n} people on I can say more about a question.", n=ENOUGH))
        ]
    return Panel(
        role=Role.NOTICE,
        language=words.language,
        heading=title,
        body=(
            Markdown(
                words.say(
                    "This group has mastered **{mastered} of {items}** questions.",
                    mastered=words.number(study.mastered),
                    items=words.number(len(study.items)),
                )
            ),
            Markdown(
                words.plural(
                    "{n} person has answered; their first answers are counted.",
                    "{n} people have answered; their first answers are counted.",
                    study.people,
                )
            ),
        ),
        notes=tuple(notes),
        buttons=tuple(buttons),
    )


def suspects(study: Study, words: Words) -> list[str]:
    """Name the items whose keys may be wrong, and why, in Markdown."""
    return [_suspect(one, study, words) for one in study.insights if one.doubt]


def beliefs(study: Study, words: Words, most: int = BELIEFS) -> list[str]:
    """Put the commonest misconceptions into sentences, with what their author says about them."""
    return [_belief(one, study, words) for one in misconceptions(study.insights, most)]


def stem(item: Item) -> str:
    """Give the question on one line, in Markdown that shows just that."""
    return literal(shorten(" ".join(plain(item.stem).split()), STEM_LENGTH))


def _section(head: str, lines: Iterable[str]) -> Markdown:
    return Markdown("\n".join([f"**{head}**", "", *(f"- {line}" for line in lines)]))


def _hard(one: ItemInsight, study: Study, words: Words) -> str:
    share = one.difficulty
    return words.say(
        "{question} — {percent} right ({low}–{high})",
        question=stem(study.items[one.item]),
        percent=words.percent(share.value),
        low=words.percent(share.low),
        high=words.percent(share.high),
    )


def _suspect(one: ItemInsight, study: Study, words: Words) -> str:
    item = study.items[one.item]
    if one.rival is not None:
        return words.say(
            "{question} — those who know the rest choose “{rival}” rather than “{key}”.",
            question=stem(item),
            rival=_option(item, one.rival, words),
            key=_option(item, min(keys(item)), words),
        )
    return words.say(
        "{question} — the better people do elsewhere, the rather they get this one wrong.",
        question=stem(item),
    )


def _belief(one: Misconception, study: Study, words: Words) -> str:
    item = study.items[one.item]
    sentence = words.say(
        "{question} — {chosen} of {answered} chose “{option}”.",
        question=stem(item),
        chosen=words.number(one.chosen),
        answered=words.number(one.answered),
        option=_option(item, one.place, words),
    )
    why = " ".join(plain(option_rationale(item, one.place)).split())
    return f"{sentence} {literal(why)}" if why else sentence


def _dead(study: Study, words: Words) -> list[str]:
    found = [
        f"“{_option(study.items[one.item], place, words)}” — {stem(study.items[one.item])}"
        for one in study.insights
        for place in one.dead
    ]
    more = len(found) - DEAD
    if more <= 1:
        return found
    return [*found[:DEAD], words.plural("and {n} more", "and {n} more", more)]


def _option(item: Item, place: int, words: Words) -> str:
    return literal(shorten(" ".join(plain(option_text(item, place, words)).split()), STEM_LENGTH))
