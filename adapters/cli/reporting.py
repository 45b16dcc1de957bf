"""`kuis packs`, `leaderboard` and `history`: what there is, who stands where, what was answered."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from adapters import settings
from adapters.cli import wiring
from adapters.clock import SystemClock
from adapters.storage import open_store
from adapters.terminal.chat import PLATFORM, ROOM
from adapters.terminal.screen import Screen
from bot.errors import KuisError
from bot.items import Item
from bot.packs import Library, Pack
from bot.panels import Panel
from bot.people import Alias
from bot.ports import Board, BoardQuery, Merit, Period, Response, Scope, Store
from bot.review_panels import mixed_title
from bot.scoring import Standing
from bot.session import Session
from bot.showing import option_text
from bot.submissions import Chosen, Typed, dump
from bot.summing import leaderboard as board_panel
from bot.text import Markdown, literal, plain, shorten
from bot.wording import Words, words

Taken: TypeAlias = tuple[Session, Sequence[Response]]

STEM_LENGTH = 60
MARKS = {1.0: "✓", 0.0: "✗"}


def packs(*, as_json: bool) -> None:
    """List the packs, with their titles in the chosen language."""
    chosen = settings.load()
    screen = Screen.of_process(words(chosen.spoken))
    library = wiring.library(chosen, screen.words)
    if as_json:
        return print_json([_pack_entry(pack, chosen.spoken) for pack in library])
    for pack in library:
        entry = _pack_entry(pack, chosen.spoken)
        counted = screen.words.plural("{n} question", "{n} questions", entry["items"])
        detail = f"`{pack.id}` · {', '.join(pack.languages)} · {counted}"
        screen.tell(f"**{literal(entry['title'])}**  \n{detail}")
    return None


async def leaderboard(*, room: str | None, period: str, by: str, as_json: bool) -> None:
    """Show the leaderboard of a room, by default of this terminal."""
    chosen = settings.load()
    screen = Screen.of_process(words(chosen.spoken))
    async with await open_store(chosen.database_url) as store:
        query = await _query(store, room, Period(period), Merit(by))
        board = await store.leaderboard(query, SystemClock().now())
    if as_json:
        return print_json([_standing_entry(row) for row in board.rows])
    return screen.show(_board_panel(board, query, screen.words))


async def history(*, name: str | None, as_json: bool) -> None:
    """Show what somebody has played, latest first."""
    chosen = settings.load()
    screen = Screen.of_process(words(chosen.spoken))
    async with wiring.unpacked(chosen, screen.words) as kit:
        shown = wiring.user_name(name, screen.words)
        alias = Alias(platform=PLATFORM, external=shown.casefold())
        me = await kit.store.participant(alias)
        taken = await kit.store.history(me.id)
        every = (response.pack for _, responses in taken for response in responses)
        await kit.know(*dict.fromkeys((*(session.pack for session, _ in taken), *every)))
    if as_json:
        return print_json([_session_entry(one, kit.library, screen.words) for one in taken])
    if not taken:
        screen.tell(screen.words.say("{name} has not played yet.", name=literal(shown)))
    for one in taken:
        _tell_session(one, kit.library, screen)
    return None


def print_json(document: object) -> None:
    """Print one JSON document; signs that the output cannot carry are escaped."""
    escaped = "utf" not in (sys.stdout.encoding or "").lower()
    sys.stdout.write(json.dumps(document, ensure_ascii=escaped, indent=2) + "\n")


def whole(number: float) -> float | int:
    """Write a number without its decimals where it has none."""
    return int(number) if number == int(number) else round(number, 4)


def _pack_entry(pack: Pack, language: str) -> dict[str, Any]:
    return {
        "id": pack.id,
        "languages": list(pack.languages),
        "title": pack.edition(language).title,
        "items": len(pack.item_ids),
    }


async def _query(store: Store, room: str | None, period: Period, merit: Merit) -> BoardQuery:
    """Find the room that is meant. Raises KuisError for a name that cannot be one."""
    if room in {"all", "everywhere"}:
        return BoardQuery(room=None, scope=Scope.EVERYWHERE, period=period, merit=merit, limit=100)
    platform, colon, external = (room or "").partition(":")
    if room and room != PLATFORM and not (platform and colon and external):
        msg = f"--room is “all”, or a chat and its id like telegram:-100123, not “{room}”."
        raise KuisError(msg)
    alias = Alias(platform=platform, external=external) if colon else ROOM
    found = await store.room(alias)
    return BoardQuery(room=found, period=period, merit=merit, limit=100)


def _standing_entry(row: Standing) -> dict[str, object]:
    return {
        "place": row.place,
        "name": row.name,
        "points": row.points,
        "correct": whole(row.correct),
        "answered": row.answered,
        "accuracy": whole(row.accuracy),
    }


def _board_panel(board: Board, query: BoardQuery, language: Words) -> Panel:
    """Take the leaderboard that every chat shows; an empty one says what to type here."""
    title = query.room.title if query.room else ""
    panel = board_panel(board, query.period, query.merit, title, language)
    if board.rows:
        return panel
    empty = language.say("Nobody is on this board yet. Type `kuis play` and be the first!")
    return replace(panel, body=(Markdown(empty),))


def _session_entry(taken: Taken, library: Library, language: Words) -> dict[str, object]:
    session, responses = taken
    return {
        "session": session.id,
        "pack": session.pack,
        "mode": session.rules.mode.value,
        "started": session.started.isoformat(),
        "finished": _iso(session.finished),
        "correct": whole(sum(response.grade for response in responses)),
        "answered": len(responses),
        "responses": [
            {
                "pack": response.pack,
                "item": response.item,
                "response": _said(response, library, language),
                "grade": whole(response.grade),
                "points": response.points,
                "at": response.at.isoformat(),
            }
            for response in responses
        ],
    }


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _item(response: Response, library: Library, language: Words) -> Item | None:
    pack = library.get(response.pack)
    return pack.item(response.item, language.language) if pack else None


def _said(response: Response, library: Library, language: Words) -> str:
    """Name an answer by its text, since letters mean nothing later; by its places if it is gone."""
    item = _item(response, library, language)
    match response.submission:
        case Typed(text):
            return text
        case Chosen(options) if item:
            texts = (plain(option_text(item, place, language)) for place in sorted(options))
            return "; ".join(texts)
        case Chosen():
            return dump(response.submission)


def _tell_session(taken: Taken, library: Library, screen: Screen) -> None:
    session, responses = taken
    pack, zone = library.get(session.pack), ZoneInfo(settings.load().zone)
    title = pack.edition(screen.words.language).title if pack else session.pack
    if session.mixed:
        title = mixed_title(session.pack, screen.words)
    right = screen.words.number(whole(sum(response.grade for response in responses)))
    facts = [
        screen.words.day(session.started, zone),
        session.rules.mode.value,
        f"**{right}/{screen.words.number(session.length)}**",
    ]
    if session.finished is None:
        facts.append(screen.words.say("not finished"))
    screen.tell(f"**{literal(title)}** · {' · '.join(facts)}")
    for response in responses:
        item = _item(response, library, screen.words)
        stem = " ".join(plain(item.stem).split()) if item else response.item
        said = literal(_said(response, library, screen.words))
        mark = MARKS.get(response.grade, "◐")
        screen.entry(f"{mark} ", f"{literal(shorten(stem, STEM_LENGTH))} → {said}")
