"""`kuis challenges` and `kuis correct`: what people doubt, and keys corrected everywhere."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from adapters import settings
from adapters.cli import wiring
from adapters.cli.reporting import print_json
from adapters.cli.wiring import Kit
from adapters.terminal.screen import Screen
from bot.corrections import EVERYWHERE, OPERATOR, Correction, allowed, can_be_corrected
from bot.disputing import REASONS, UNSAID, grouped, number_in
from bot.errors import KuisError, UnknownPack
from bot.items import Item, keys, option_count
from bot.keying import Keys
from bot.packs import Pack
from bot.reading import LETTERS, letter
from bot.showing import option_text
from bot.text import literal, plain
from bot.wording import Words, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to become of an item: other keys, the old ones, or its challenges turned down.

    Without `sure` it is only said what would change.
    """

    pack: str
    item: str
    key: str = ""
    undo: bool = False
    reject: bool = False
    sure: bool = False


async def challenges(*, as_json: bool) -> None:
    """List the items that are challenged anywhere, those of most people first."""
    chosen = settings.load()
    screen = Screen.of_process(words(chosen.spoken))
    async with wiring.unpacked(chosen, screen.words) as kit:
        held = await _keys(kit)
        groups = grouped(await kit.store.challenges())
        await kit.know(*(group[0].pack for group in groups))
    entries = []
    for group in groups:
        pack = held.pack(group[0].pack)
        item = pack.item(group[0].item, screen.words.language) if pack else None
        if pack and item:
            reasons = Counter(one.reason.value for one in group)
            entries.append(_entry(pack, item, reasons, screen.words))
    if as_json:
        return print_json(entries)
    if not entries:
        screen.tell(screen.words.say("No question is challenged at the moment."))
    for entry in entries:
        _tell(entry, screen)
    return None


async def correct(wish: Wish) -> None:
    """Correct an item everywhere, or say what that would change.

    Raises KuisError for an unknown pack or item, and for a key it cannot have.
    """
    chosen = settings.load()
    screen = Screen.of_process(words(chosen.spoken))
    async with wiring.unpacked(chosen, screen.words) as kit:
        held = await _keys(kit)
        pack, item = await _find(kit, wish, screen.words)
        if wish.reject:
            now = kit.clock.now()
            count = await kit.store.reject(pack.id, item.id, None, OPERATOR, now)
            said = screen.words.plural(
                "{n} challenge was turned down.", "{n} challenges were turned down.", count
            )
            return screen.tell(said)
        people = await _scored_again(kit, held, (pack, item), wish, screen.words)
    if not wish.sure:
        said = screen.words.plural(
            "{n} person would be scored again.", "{n} people would be scored again.", people
        )
        how = screen.words.say("Add `--yes` to do it.")
        return screen.tell(f"{said} {how}")
    said = screen.words.plural(
        "Done: {n} person was scored again.", "Done: {n} people were scored again.", people
    )
    return screen.tell(said)


async def _scored_again(
    kit: Kit, held: Keys, about: tuple[Pack, Item], wish: Wish, spoken: Words
) -> int:
    """Make the correction or take it back, and count who was scored again."""
    pack, item = about
    versions = pack.versions(item.id)
    trial = not wish.sure
    if wish.undo:
        made = held.latest(pack.id, item.id)
        done = await kit.store.undo(made.id, versions, trial=trial) if made else None
        if done is None:
            raise KuisError(spoken.say("There is no correction to take back."))
        return done.people
    correction = Correction(
        pack=pack.id,
        item=item.id,
        keys=_places(item, wish.key, spoken),
        was=keys(item),
        room=EVERYWHERE,
        at=kit.clock.now(),
    )
    return (await kit.store.correct(correction, versions, trial=trial)).people


async def _keys(kit: Kit) -> Keys:
    held = Keys(store=kit.store, library=kit.library)
    await held.refresh()
    return held


async def _find(kit: Kit, wish: Wish, spoken: Words) -> tuple[Pack, Item]:
    try:
        pack = await kit.pack(wish.pack)
    except UnknownPack as unknown:
        near = ", ".join(unknown.near)
        msg = spoken.say("There is no quiz “{name}”.", name=unknown.name)
        raise KuisError(f"{msg} {near}".strip()) from None
    names = {str(number): item for number, item in enumerate(pack.item_ids, 1)}
    names |= {item: item for item in pack.item_ids}
    item = pack.item(names[wish.item], spoken.language) if wish.item in names else None
    if item is None:
        raise KuisError(spoken.say("There is no question {name} in it.", name=wish.item))
    return pack, item


def _places(item: Item, key: str, spoken: Words) -> frozenset[int]:
    """Read letters like `B` or `A,C`, in the order of the file."""
    if not can_be_corrected(item):
        raise KuisError(spoken.say("What it accepts stands in its file: mend it there."))
    typed = re.findall(r"[A-Za-z]", key)
    right = frozenset(LETTERS.index(one.upper()) for one in typed)
    if not allowed(item, right):
        last = letter(option_count(item) - 1)
        raise KuisError(
            spoken.say(
                "Name its key with letters from A to {last}, for instance `--key {last}`.",
                last=last,
            )
        )
    return right


def _entry(pack: Pack, item: Item, reasons: Counter[str], spoken: Words) -> dict[str, Any]:
    return {
        "pack": pack.id,
        "item": item.id,
        "number": number_in(pack, item),
        "stem": plain(item.stem),
        "options": [plain(option_text(item, p, spoken)) for p in range(option_count(item))],
        "key": [letter(place) for place in sorted(keys(item))],
        "challenges": sum(reasons.values()),
        "reasons": dict(reasons),
    }


def _tell(entry: dict[str, Any], screen: Screen) -> None:
    spoken = screen.words
    told = {reason.value: label for reason, label in REASONS.items()}
    said = [
        f"{spoken.say(told.get(reason, UNSAID))}: {spoken.number(count)}"
        for reason, count in Counter(entry["reasons"]).most_common()
    ]
    screen.tell(f"**{literal(entry['pack'])} {entry['number']}** {literal(entry['stem'])}")
    for place, option in enumerate(entry["options"]):
        mark = "✓" if letter(place) in entry["key"] else " "
        screen.entry(f"{mark} {letter(place)}. ", literal(option))
    screen.tell(" · ".join(said))
    screen.tell(f"`kuis correct {entry['pack']} {entry['number']} --key …`")
