"""Corrections in memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from adapters.storage.memory_responses import MemoryData
from bot.corrections import (
    EVERYWHERE,
    Challenge,
    Correction,
    News,
    Reason,
    Rescored,
    State,
)
from bot.ids import ItemId, PackId, ParticipantId, RoomId
from bot.items import Item
from bot.ports import Response
from bot.rescoring import counted, regraded, rekeyed


class MemoryCorrections(MemoryData):
    """The part of the store that knows what was wrong."""

    async def challenge(self, challenge: Challenge) -> bool:
        """Keep a challenge; only one for each person, item and room. Tells whether it is new.

        One that is still open takes on a reason that is said later.
        """
        for key, one in self._challenges.items():
            if _whose(one) == _whose(challenge):
                if one.state is State.OPEN and challenge.reason is not Reason.UNSAID:
                    self._challenges[key] = replace(one, reason=challenge.reason)
                return False
        key = (challenge.session, challenge.turn, challenge.participant)
        self._challenges[key] = challenge
        return True

    async def challenges(self, room: RoomId | None = None) -> Sequence[Challenge]:
        """List the open challenges, oldest first: of a room, or of all."""
        here = (one for one in self._challenges.values() if room in {None, one.room})
        still = (one for one in here if one.state is State.OPEN)
        return sorted(still, key=lambda one: (one.at, one.session))

    async def reject(
        self, pack: PackId, item: ItemId, room: RoomId | None, by: ParticipantId, at: datetime
    ) -> int:
        """Turn down the open challenges of an item in a room, or in all; gives how many."""
        del by, at  # nobody asks a memory who has decided
        return len(self._decide(pack, item, room, State.OPEN, State.REJECTED))

    async def stamp(self) -> int:
        """Give a number that grows with every correction and everything taken back."""
        return self._stamp

    async def corrections(self) -> tuple[int, Sequence[Correction]]:
        """Give the stamp, and every correction there ever was, oldest first."""
        return self._stamp, tuple(self._corrections)

    async def correct(
        self, correction: Correction, versions: Sequence[Item], *, trial: bool = False
    ) -> Rescored:
        """Keep a correction and grade every response to the item that it reaches again; challenges
        in its room are accepted. A `trial` only tells what would change.
        """
        kept = replace(correction, id=0 if trial else len(self._corrections) + 1)
        log = [*self._corrections, kept]
        changed = self._changes(kept, versions, log)
        rescored = counted(kept, changed)
        if not trial:
            self._take_over(log, changed)
            scope = None if kept.room == EVERYWHERE else kept.room
            accepted = self._decide(kept.pack, kept.item, scope, State.OPEN, State.ACCEPTED)
            if scope is None:
                self._news += [
                    News(
                        room=room,
                        pack=kept.pack,
                        item=kept.item,
                        people=rescored.rooms.get(room, 0),
                    )
                    for room in sorted({one.room for one in accepted})
                ]
        return rescored

    async def undo(
        self, correction: int, versions: Sequence[Item], *, trial: bool = False
    ) -> Rescored | None:
        """Take a correction back, as `correct` makes it; None if there is none in force.

        Its challenges are open again.
        """
        standing = (one for one in self._corrections if one.id == correction and not one.undone)
        found = next(standing, None)
        if found is None:
            return None
        undone = replace(found, undone=True)
        log = [undone if one is found else one for one in self._corrections]
        changed = self._changes(found, versions, log)
        if not trial:
            self._take_over(log, changed)
            scope = None if found.room == EVERYWHERE else found.room
            self._decide(found.pack, found.item, scope, State.ACCEPTED, State.OPEN)
            self._news = [n for n in self._news if (n.pack, n.item) != (found.pack, found.item)]
        return counted(undone, changed)

    async def news(self, platforms: Sequence[str]) -> Sequence[News]:
        """Take what rooms of platforms are to be told; each is given once."""
        here = [n for n in self._news if self._rooms[n.room].alias.platform in platforms]
        self._news = [one for one in self._news if one not in here]
        return here

    def _changes(
        self, about: Correction, versions: Sequence[Item], log: Sequence[Correction]
    ) -> list[Response]:
        changed: list[Response] = []
        every = sorted(self._responses.values(), key=lambda one: one.session)
        for session_id, group in groupby(every, key=lambda one: one.session):
            session = self._sessions[session_id]
            everyones = list(group)
            touched = {
                one.participant
                for one in everyones
                if (one.pack, one.item) == (about.pack, about.item)
            }
            if touched and about.room in {EVERYWHERE, session.room}:
                theirs = [one for one in everyones if one.participant in touched]
                now = rekeyed(versions, about.pack, log, session.room)
                changed += regraded(session, theirs, now)
        return changed

    def _take_over(self, log: list[Correction], changed: Sequence[Response]) -> None:
        self._corrections = log
        self._stamp += 1
        for response in changed:
            self._rescore(response)

    def _decide(
        self, pack: PackId, item: ItemId, room: RoomId | None, before: State, after: State
    ) -> list[Challenge]:
        decided = {
            key: replace(one, state=after)
            for key, one in self._challenges.items()
            if (one.pack, one.item, one.state) == (pack, item, before) and room in {None, one.room}
        }
        self._challenges |= decided
        return list(decided.values())

    def _move_corrections(self, *, kept: RoomId, other: RoomId) -> None:
        self._corrections = [
            replace(one, room=kept) if one.room == other else one for one in self._corrections
        ]
        self._challenges = {
            key: replace(one, room=kept) if one.room == other else one
            for key, one in self._challenges.items()
        }
        self._news = [replace(one, room=kept) if one.room == other else one for one in self._news]


def _whose(one: Challenge) -> tuple[object, ...]:
    return one.participant, one.pack, one.item, one.room
