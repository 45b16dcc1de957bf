"""Appointments: what people type after `/daily`, and the packs that a daily question is from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from zoneinfo import ZoneInfo

from bot.dailies import EVERY_DAY
from bot.errors import UnknownPack
from bot.ids import ItemId, PackId
from bot.packs import Library, Pack

ZONES = (
    ("Asia/Jakarta", "WIB · Jakarta"),
    ("Asia/Makassar", "WITA · Makassar"),
    ("Asia/Jayapura", "WIT · Jayapura"),
    ("Asia/Singapore", "Singapore"),
    ("Asia/Kolkata", "Kolkata"),
    ("Europe/London", "London"),
    ("Europe/Berlin", "Berlin"),
    ("America/New_York", "New York"),
    ("America/Los_Angeles", "Los Angeles"),
    ("UTC", "UTC"),
)
"""The time zones that are offered; any other one can be typed."""

WEEKDAYS = frozenset(range(5))
_SET = {"set", "atur", "pasang", "on", "nyala", "nyalakan"}
_OFF = {"off", "mati", "matikan"}
_SHOW = {"show", "lihat"}
_ABBREVIATIONS = {
    "wib": "Asia/Jakarta",
    "wita": "Asia/Makassar",
    "wit": "Asia/Jayapura",
    "utc": "UTC",
    "gmt": "UTC",
} | {name.partition("/")[2].casefold(): name for name, _ in ZONES if "/" in name}
_NAMES = (
    ("mon", "monday", "sen", "senin"),
    ("tue", "tuesday", "sel", "selasa"),
    ("wed", "wednesday", "rab", "rabu"),
    ("thu", "thursday", "kam", "kamis"),
    ("fri", "friday", "jum", "jumat"),
    ("sat", "saturday", "sab", "sabtu"),
    ("sun", "sunday", "min", "minggu", "ahad"),
)
_DAYS = {name: frozenset({day}) for day, names in enumerate(_NAMES) for name in names} | {
    "everyday": EVERY_DAY,
    "daily": EVERY_DAY,
    "weekdays": WEEKDAYS,
    "weekends": EVERY_DAY - WEEKDAYS,
}
_PHRASES = (
    (re.compile(r"\b(every ?day|(setiap|tiap) hari)\b", re.IGNORECASE), "everyday"),
    (re.compile(r"\b(week ?days|hari kerja)\b", re.IGNORECASE), "weekdays"),
    (re.compile(r"\b(week ?ends?|akhir pekan)\b", re.IGNORECASE), "weekends"),
)
_TIME = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)(am|pm)?|(0?[1-9]|1[0-2])(am|pm)", re.IGNORECASE)
_ZONE = re.compile(r"[A-Za-z_]+(/[A-Za-z0-9_+-]+)+")
_OFFSET = re.compile(r"(?:UTC|GMT)([+-])(\d{1,2})", re.IGNORECASE)
_NOON = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody wants of the daily question: `what` is "show", "set", "off" or "" for what
    could not be understood; whatever is None was not said. `words` are what is left: a pack's
    name, or tags.
    """

    what: str
    minute: int | None = None
    zone: str | None = None
    days: frozenset[int] | None = None
    words: str = ""


def read(rest: str) -> Wanted:
    """Read `set 07:30 [zone] [pack or #tags] [days]` in any order, `off`, or nothing."""
    first, _, more = rest.strip().partition(" ")
    word = first.casefold()
    if word in _OFF:
        return Wanted(what="off")
    if not word or word in _SHOW:
        return Wanted(what="show")
    return _set(more if word in _SET else rest, said=word in _SET)


def _set(text: str, *, said: bool) -> Wanted:
    for pattern, name in _PHRASES:
        text = pattern.sub(name, text)
    minute = zone = days = None
    left = []
    for token in text.split():
        if minute is None and (found := _TIME.fullmatch(token)):
            minute = _minute(found)
        elif zone is None and (named := zone_of(token)):
            zone = named
        elif chosen := _days(token.casefold()):
            days = (days or frozenset()) | chosen
        else:
            left.append(token)
    known = said or minute is not None
    return Wanted(
        what="set" if known else "", minute=minute, zone=zone, days=days, words=" ".join(left)
    )


def zone_of(text: str) -> str | None:
    """Give the name of a time zone as written, abbreviated or as `UTC+7`; None if it is none."""
    if known := _ABBREVIATIONS.get(text.casefold()):
        return known
    if offset := _OFFSET.fullmatch(text):
        sign = "-" if offset[1] == "+" else "+"  # as POSIX counts, and so these zones
        return _existing(f"Etc/GMT{sign}{int(offset[2])}")
    return _existing(text) if _ZONE.fullmatch(text) else None


def zone_label(zone: str) -> str:
    """Name a time zone for people."""
    return dict(ZONES).get(zone, zone.replace("_", " "))


def source_of(words: str, library: Library) -> str:
    """Give what a schedule keeps of a pack's name or of tags; "" for all packs.

    Raises UnknownPack if there is no such pack, or nothing that has one of the tags.
    """
    if not words:
        return ""
    try:
        return library.find(words).id
    except UnknownPack:
        tags = words.casefold().replace(",", " ").split()
        source = " ".join(f"#{tag.removeprefix('#')}" for tag in tags)
        if not list(sources(source, library)):
            raise
        return source


def sources(source: str, library: Library) -> Iterator[tuple[Pack, frozenset[ItemId]]]:
    """Go through what a schedule draws from: packs, and which of their items."""
    wanted = {tag.removeprefix("#") for tag in source.split() if tag.startswith("#")}
    for pack in library:
        if not source or pack.id == source:
            yield pack, frozenset(pack.item_ids)
        elif wanted and (items := _tagged(pack, wanted)):
            yield pack, items


def choose_pack(
    candidates: Sequence[tuple[Pack, frozenset[ItemId]]],
    asked: Mapping[PackId, Mapping[ItemId, int]],
    used: Mapping[PackId, date],
) -> tuple[Pack, frozenset[ItemId]]:
    """Take the pack that was used longest ago, of those with an item that was asked least often:
    nothing repeats until everything was asked. `used` says when each pack was used last.
    """

    def least(candidate: tuple[Pack, frozenset[ItemId]]) -> int:
        pack, items = candidate
        times = asked.get(pack.id, {})
        return min(times.get(item, 0) for item in items)

    fewest = min(map(least, candidates))
    fresh = [candidate for candidate in candidates if least(candidate) == fewest]
    return min(fresh, key=lambda one: (used.get(one[0].id, date.min), one[0].id))


def _tagged(pack: Pack, wanted: set[str]) -> frozenset[ItemId]:
    return frozenset(
        item.id
        for edition in pack.editions
        for item in edition.items
        if wanted & {_tag(tag) for tag in (*edition.tags, *item.tags)}
    )


def _tag(text: str) -> str:
    return "-".join(text.casefold().split())


def _minute(found: re.Match[str]) -> int:
    hour, minute = int(found[1] or found[4]), int(found[2] or 0)
    half = (found[3] or found[5] or "").lower()
    if half and hour <= _NOON:
        hour = hour % _NOON + (_NOON if half == "pm" else 0)
    return hour * 60 + minute


def _days(token: str) -> frozenset[int] | None:
    chosen: frozenset[int] = frozenset()
    for part in filter(None, token.split(",")):
        first, dash, last = part.partition("-")
        if part in _DAYS:
            chosen |= _DAYS[part]
        elif dash and first in _DAYS and last in _DAYS:
            begin, end = min(_DAYS[first]), min(_DAYS[last])
            chosen |= {day % 7 for day in range(begin, end + (1 if begin <= end else 8))}
        else:
            return None
    return chosen or None


def _existing(name: str) -> str | None:
    try:
        return ZoneInfo(name).key
    except (KeyError, ValueError, OSError):
        return None
