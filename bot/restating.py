"""Restating: a pack was brought in again with other keys; who has answered is scored by them."""

from collections.abc import Sequence

from bot.corrections import Correction
from bot.features import Tools
from bot.items import Item, keys, option_count
from bot.menus import notice
from bot.packs import Held, Pack
from bot.requests import Reply, Request

NO_FILE_MARKS_THIS: frozenset[int] = frozenset()
"""So the correction changes no item, and only makes the answers follow the pack as it is."""


class Restating:
    """Scores answers by the keys that a pack has now."""

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        self._tools = tools

    async def affected(self, before: Pack, after: Pack) -> int:
        """Count the answers that would be worth something else by the keys of a later form."""
        old = {item.id: keys(item) for item in before.editions[0].items}
        changed = [item for item in _marked(after) if old.get(item.id, keys(item)) != keys(item)]
        return sum([await self._score(after, item, trial=True) for item in changed])

    async def again(self, request: Request, held: Held) -> Reply:
        """Score every answer to a pack by the keys it has now, and say how many that changed."""
        pack = held.pack
        scored = 0
        for item in _marked(pack):
            if await self._score(pack, item, trial=True):
                scored += await self._score(pack, item)
        await self._tools.host.narrator.refresh()
        words = self._tools.words(request)
        sentence = words.plural(
            "Done: {n} answer was scored again.", "Done: {n} answers were scored again.", scored
        )
        return Reply(panel=notice(sentence), replaces=True)

    async def _score(self, pack: Pack, item: Item, *, trial: bool = False) -> int:
        restated = Correction(
            pack=pack.id,
            item=item.id,
            keys=keys(item),
            was=NO_FILE_MARKS_THIS,
            at=self._tools.clock.now(),
        )
        done = await self._tools.store.correct(restated, pack.versions(item.id), trial=trial)
        return done.responses


def _marked(pack: Pack) -> Sequence[Item]:
    return [item for item in pack.editions[0].items if option_count(item)]
