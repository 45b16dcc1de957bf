"""Sequels: what one can do with a quiz of one's own once it is over."""

from dataclasses import replace
from typing import ClassVar

from bot.actions import Action, Verb
from bot.effects import Refusal
from bot.features import Feature
from bot.menus import nothing_here
from bot.modes import Mode
from bot.narrator import PackGone
from bot.requests import Reply, Request
from bot.review_panels import MISSED
from bot.session import Phase
from bot.wishes import Mixture, Wish
from bot.wording import choose


class Sequels(Feature):
    """Asks again what was missed, and shows a result to all."""

    verbs: ClassVar[frozenset[Verb]] = frozenset({Verb.MISSED, Verb.SHARE})

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Go over what was missed, or share the result."""
        if action.verb is Verb.MISSED:
            return await self._missed(request, action)
        return await self._share(request, action)

    async def _missed(self, request: Request, action: Action) -> Reply | None:
        """Ask again what was missed in a session of one's own."""
        old = await self.tools.host.session(action.session)
        if old is None:
            return self.tools.refusal(request, Refusal.GONE)
        if old.owner != request.person.id:
            return self.tools.refusal(request, Refusal.NOT_YOURS)
        responses = await self.tools.store.responses(old.id, request.person.id)
        right = {(one.pack, one.item) for one in responses if one.grade == 1}
        asked = zip(map(old.pack_at, range(max(old.closed, 1))), old.draw.items, strict=False)
        missed = tuple(key for key in asked if key not in right)
        if not missed:
            return Reply(panel=nothing_here(self.tools.words(request)))
        rules = replace(old.rules, mode=Mode.SOLO)
        if old.mixed:
            mixture = Mixture(pack_id=MISSED, items=missed, rules=rules, language=old.language)
            return await self.tools.begin(request, mixture)
        pack = self.tools.library.playable(old.pack)
        only = frozenset(item for _, item in missed if pack and item in pack.item_ids)
        if pack is None or not only:
            return self.tools.refusal(request, Refusal.GONE)
        wish = Wish(pack=pack, rules=rules, language=old.language, only=only)
        return await self.tools.begin(request, wish)

    async def _share(self, request: Request, action: Action) -> Reply | None:
        """Let a room see the result of a quiz of one's own, once it is over."""
        session = await self.tools.host.session(action.session)
        if session is None or session.phase is not Phase.FINISHED:
            return self.tools.refusal(request, Refusal.GONE)
        if session.owner != request.person.id:
            return self.tools.refusal(request, Refusal.NOT_YOURS)
        language = choose(request.room.settings.language, session.language, self.tools.language)
        narrator = self.tools.host.narrator
        try:
            result = await narrator.shared_result(session, request.person, language)
        except PackGone:
            return self.tools.refusal(request, Refusal.GONE)
        return Reply(panel=result, public=True)
