"""`kuis insight` and `kuis results`: how questions are doing, and every answer as CSV."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table
from rich.text import Text

from adapters import settings
from adapters.cli import wiring
from adapters.cli.reporting import print_json
from adapters.terminal.screen import Screen
from bot.analysis import Doubt, Estimate, ItemInsight, analyse, mastered
from bot.errors import KuisError, UnknownPack
from bot.findings import Study, beliefs, suspects
from bot.ids import SessionId
from bot.insight import items_of
from bot.keying import Keys
from bot.packs import Pack
from bot.records import Answer, Where
from bot.sheets import (
    RESULTS,
    as_file,
    comma_separated,
    insight_entry,
    insight_lines,
    result_line,
)
from bot.text import plain, shorten, tidy
from bot.wording import Words, words

STEM_LENGTH = 48
BELIEFS = 10
SIGNS = {Doubt.BACKWARDS: "⚠", Doubt.RIVAL: "⚠", None: ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody wants to know: about a pack (by id or title), in one session or in all."""

    pack: str | None
    session: str | None = None
    as_json: bool = False
    as_csv: bool = False


async def insight(asked: Asked) -> None:
    """Show how the questions of a pack are doing, everywhere or in one session."""
    chosen = settings.load()
    screen = Screen.of_process(words(chosen.spoken))
    async with wiring.unpacked(chosen, screen.words) as kit:
        where, pack = await _meant(asked, kit)
        if pack is None:
            raise KuisError(await _why_not(where, kit, screen.words))
        answers: list[Answer] = []
        async for chunk in kit.store.answers(where):
            answers += chunk
        latest = await kit.store.latest(where)
        keys = Keys(store=kit.store, library=kit.library)
        await keys.refresh()
        pack = keys.pack(pack.id) or pack
    items = items_of(pack, screen.words.language)
    study = Study(
        items=items,
        insights=analyse(answers, items),
        people=len({answer.participant for answer in answers}),
        mastered=mastered(one for one in latest if one.item in items),
    )
    if asked.as_json:
        print_json(_document(pack, study))
    elif asked.as_csv:
        sys.stdout.write(comma_separated(insight_lines(study.insights, items)))
    else:
        _tell(pack, study, screen)


async def results(asked: Asked, to: Path | None) -> None:
    """Write every answer to a pack or in a session as CSV: to a file, or to the output."""
    chosen = settings.load()
    language = words(chosen.spoken)
    text = comma_separated([RESULTS])
    async with wiring.unpacked(chosen, language) as kit:
        where, _ = await _meant(asked, kit)
        async for chunk in kit.store.results(where):
            text += comma_separated(result_line(one, names=True) for one in chunk)
    if to is None:
        sys.stdout.write(text)
    else:
        _save(to, text, language)


async def _meant(asked: Asked, kit: wiring.Kit) -> tuple[Where, Pack | None]:
    """Find the pack and the session that are meant. Raises KuisError."""
    spoken = words(kit.settings.spoken)
    pack = await _find(kit, asked.pack, spoken) if asked.pack else None
    if not asked.session:
        if pack is None:
            raise KuisError(spoken.say("Name a quiz, or a session with --session."))
        return Where(pack=pack.id), pack
    session = await kit.store.session(SessionId(asked.session))
    if session is None:
        raise KuisError(spoken.say("There is no session {name}.", name=asked.session))
    where = Where(pack=pack.id if pack else None, session=session.id)
    await kit.know(session.pack)
    return where, pack or kit.library.get(session.pack)


async def _why_not(where: Where, kit: wiring.Kit, spoken: Words) -> str:
    session = await kit.store.session(where.session) if where.session else None
    if session and session.mixed:
        return spoken.say("This session has questions of several quizzes: name one of them too.")
    return spoken.say("The questions of this session are gone.")


async def _find(kit: wiring.Kit, name: str, spoken: Words) -> Pack:
    try:
        return await kit.pack(name)
    except UnknownPack as unknown:
        msg = spoken.say("There is no quiz “{name}”.", name=unknown.name)
        raise KuisError(f"{msg} {', '.join(unknown.near)}".strip()) from None


def _save(file: Path, text: str, spoken: Words) -> None:
    try:
        file.write_bytes(as_file(text))
    except OSError as error:
        msg = spoken.say("{file} cannot be written: {reason}.", file=file, reason=error.strerror)
        raise KuisError(msg) from None


def _document(pack: Pack, study: Study) -> dict[str, object]:
    return {
        "pack": pack.id,
        "people": study.people,
        "mastered": study.mastered,
        "of": len(study.items),
        "items": [insight_entry(one, study.items[one.item]) for one in study.insights],
    }


def _tell(pack: Pack, study: Study, screen: Screen) -> None:
    spoken = screen.words
    title = pack.edition(spoken.language).title
    if not study.insights:
        return screen.tell(spoken.say("Nobody has answered this quiz yet."))
    people = spoken.plural("{n} person has answered", "{n} people have answered", study.people)
    counted = spoken.say(
        "{mastered} of {items} mastered",
        mastered=spoken.number(study.mastered),
        items=spoken.number(len(study.items)),
    )
    screen.write([Text(), Text(title, "bold"), Text(f"{people} · {counted}"), Text()])
    screen.table(_table(study, spoken))
    for head, lines in (
        (spoken.say("Is the key right?"), suspects(study, spoken)),
        (spoken.say("What many believe"), beliefs(study, spoken, most=BELIEFS)),
    ):
        if lines:
            screen.tell(f"**{head}**")
            for line in lines:
                screen.entry("• ", line)
    return None


def _table(study: Study, spoken: Words) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(spoken.say("Question"), overflow="fold", ratio=1)
    for name in (
        spoken.say("Answers"),
        spoken.say("Right"),
        spoken.say("Discrimination"),
        spoken.say("Seconds"),
        "",
    ):
        table.add_column(name, justify="right", no_wrap=True)
    for one in study.insights:
        table.add_row(*_row(one, study, spoken))
    return table


def _row(one: ItemInsight, study: Study, spoken: Words) -> Sequence[Text]:
    stem = tidy(plain(study.items[one.item].stem))
    return [
        Text(shorten(stem, STEM_LENGTH)),
        Text(spoken.number(one.answered)),
        Text(spoken.percent(one.difficulty.value)),
        Text(_discrimination(one.discrimination, spoken)),
        Text(spoken.number(round(one.seconds, 1))),
        Text(SIGNS[one.doubt], "bold red"),
    ]


def _discrimination(found: Estimate | None, spoken: Words) -> str:
    """Write a correlation with half of its interval: `0.42 ±0.15`."""
    if found is None:
        return "–"
    half = (found.high - found.low) / 2
    return f"{spoken.number(round(found.value, 2))} ±{spoken.number(round(half, 2))}"
