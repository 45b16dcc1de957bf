"""Recording: an answer is read, graded by the key that holds, and kept."""

from collections.abc import Sequence

from bot.answering import Given, respond, streak_before, understood
from bot.items import Item
from bot.narrator import Narrator
from bot.ports import Receipt, Response, Store
from bot.session import Session
from bot.submissions import Submission


class Recording:
    """Records answers."""

    def __init__(self, *, store: Store, narrator: Narrator) -> None:
        """Take where answers are kept, and who knows the items."""
        self._store = store
        self._narrator = narrator

    async def record(self, session: Session, given: Given) -> tuple[Response | None, Receipt]:
        """Record an answer; it is committed when this returns. None for one that makes no sense.

        A key may have been corrected a moment ago, perhaps in another process: what was graded by
        the old one is not kept, and graded anew. Raises PackGone.
        """
        changes = session.rules.may_change and session.owner is None
        while True:
            stamp = self._narrator.keys.stamp
            versions = self._narrator.versions(session, given.turn, session.language)
            submission = understood(session, versions, given)
            if submission is None:
                return None, Receipt.CLOSED
            response = await self._response(session, versions, given, submission, stamp)
            receipt = await self._store.record(response, replace=changes)
            if receipt is not Receipt.STALE:
                return response, receipt
            await self._narrator.refresh()

    async def _response(
        self,
        session: Session,
        versions: Sequence[Item],
        given: Given,
        submission: Submission,
        stamp: int,
    ) -> Response:
        room = await self._store.room_by_id(session.room)
        streak = 0
        if session.rules.streak_bonus:
            before = await self._store.responses(session.id, given.by.id)
            streak = streak_before(given.turn, before)
        return respond(
            session, versions, given, submission, zone=room.zone, streak=streak, keyed=stamp
        )
