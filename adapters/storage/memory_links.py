"""Links in memory."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from adapters.storage.memory_responses import Code, MemoryData
from adapters.storage.values import new_id
from bot.ids import ParticipantId, RoomId
from bot.links import TRIES, VALID, Entered, Joining, Outcome


class MemoryLinks(MemoryData):
    """The part of the store that knows who is the same person."""

    async def identities(self, participant: ParticipantId) -> Sequence[ParticipantId]:
        """List all participants who are the same person: itself first, the others by id."""
        return self._identities(participant)

    async def link(self, one: ParticipantId, other: ParticipantId) -> None:
        """Let two participants, and all they are linked with, be one person."""
        if one != other:
            person = self._links.get(one) or self._links.get(other) or new_id()
            for who in (*self._identities(one), *self._identities(other)):
                self._links[who] = person

    async def unlink(self, participant: ParticipantId) -> bool:
        """Let a participant be a person of their own again; tell whether they were linked."""
        return self._part(participant)

    async def offer_code(
        self, participant: ParticipantId, room: RoomId, digest: str, at: datetime
    ) -> None:
        """Keep a code from `at` on for as long as `VALID`; an earlier one of theirs is void."""
        self._codes = {
            owner: code for owner, code in self._codes.items() if code.used or code.expires > at
        }
        self._codes[participant] = Code(digest=digest, room=room, expires=at + VALID)

    async def enter_code(self, digest: str, by: ParticipantId, at: datetime) -> Entered:
        """Try a code. A good one is reserved for who enters it first, until it expires.

        A wrong one is counted; beyond `TRIES` of them nothing is looked up any more.
        """
        wrong, latest = self._tries.get(by, (0, at))
        wrong = 0 if latest <= at - VALID else wrong
        if wrong >= TRIES:
            return Entered(outcome=Outcome.TOO_MANY)
        entered = self._look_up(digest, by, at)
        self._tries[by] = (wrong + (entered.outcome is Outcome.WRONG), at)
        return entered

    async def redeem_code(
        self, digest: str, by: ParticipantId, at: datetime
    ) -> ParticipantId | None:
        """Use up a code that is reserved for somebody, and link them with who made it."""
        owner = self._owner(digest, at)
        if owner is None or self._codes[owner].guest != by:
            return None
        self._codes[owner] = replace(self._codes[owner], used=True)
        await self.link(owner, by)
        return owner

    async def void_code(self, digest: str) -> None:
        """Let a code that is not used yet be good for nobody any more."""
        self._codes = {
            owner: code for owner, code in self._codes.items() if code.used or code.digest != digest
        }

    async def joined_by_code(self, platforms: Collection[str]) -> Sequence[Joining]:
        """Take who of these platforms has been joined with by their code, each only once."""
        found = [
            Joining(owner=owner, guest=code.guest, room=code.room)
            for owner, code in self._codes.items()
            if code.used and code.guest and self._participants[owner].alias.platform in platforms
        ]
        for joining in found:
            del self._codes[joining.owner]
        return found

    def _look_up(self, digest: str, by: ParticipantId, at: datetime) -> Entered:
        owner = self._owner(digest, at)
        if owner is None:
            return Entered(outcome=Outcome.WRONG)
        if owner == by:
            return Entered(outcome=Outcome.OWN)
        if owner in self._identities(by):
            return Entered(outcome=Outcome.JOINED, owner=owner)
        if self._codes[owner].guest not in {None, by}:
            return Entered(outcome=Outcome.WRONG)
        self._codes[owner] = replace(self._codes[owner], guest=by)
        return Entered(outcome=Outcome.FOUND, owner=owner)

    def _owner(self, digest: str, at: datetime) -> ParticipantId | None:
        """Give who made a code that is good now."""
        good = (
            owner
            for owner, code in self._codes.items()
            if code.digest == digest and not code.used and code.expires > at
        )
        return next(good, None)
