"""The store in memory: the same promises without a database, for trying out and for tests.

Each method does its work without awaiting, so nothing comes between; slow and simple.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Self

from adapters.storage.memory_boards import MemoryBoards
from adapters.storage.memory_corrections import MemoryCorrections
from adapters.storage.memory_dailies import MemoryDailies
from adapters.storage.memory_links import MemoryLinks
from adapters.storage.memory_packs import MemoryPacks
from adapters.storage.memory_privacy import MemoryPrivacy
from adapters.storage.memory_records import MemoryRecords
from adapters.storage.memory_responses import MemoryResponses
from adapters.storage.memory_review import MemoryReview
from adapters.storage.rows import OVERDUE, stepped_aside, was_asked
from adapters.storage.tidying import Tidied
from adapters.storage.values import clean, new_id, now
from bot.banks import StoredPack, community_of
from bot.errors import StoreError
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.packs import Home
from bot.people import Alias, Participant, Room, Settings
from bot.ports import Conflict
from bot.session import Phase, Session


class MemoryStore(
    MemoryResponses,
    MemoryBoards,
    MemoryPrivacy,
    MemoryLinks,
    MemoryReview,
    MemoryRecords,
    MemoryPacks,
    MemoryCorrections,
    MemoryDailies,
):
    """Everything that is kept, for as long as the program runs."""

    waiting = 0
    shared = False

    async def close(self) -> None:
        """Close nothing; every store can be closed."""

    async def tidy(self, now: datetime, keep: timedelta | None = None) -> Tidied:  # noqa: ARG002 - nothing lasts here
        """Delete nothing: it is gone with the program."""
        return Tidied()

    async def __aenter__(self) -> Self:
        """Use the store in a block that closes it."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the store."""
        await self.close()

    async def room(self, alias: Alias, *, title: str = "", community: str = "") -> Room:
        """Give the room, made on first sight; a title or community that changed is kept."""
        found = self._room_by_alias(alias) or Room(id=RoomId(new_id()), alias=alias)
        self._rooms[found.id] = replace(
            found,
            title=clean(title) or found.title,
            community=clean(community) or found.community,
        )
        return self._rooms[found.id]

    async def room_by_id(self, room: RoomId) -> Room:
        """Give a room by our own id.

        Raises StoreError if there is none.
        """
        return self._known(room)

    async def set_settings(self, room: RoomId, settings: Settings) -> None:
        """Keep what a room has chosen."""
        if room in self._rooms:
            self._rooms[room] = replace(self._rooms[room], settings=settings)

    async def move_room(self, old: Alias, new: Alias) -> None:
        """Let a room keep everything under its new name on the platform, at once.

        If the new name is already a room of its own, both become one: the old one's.
        """
        kept = self._room_by_alias(old)
        if not kept or old == new:
            return
        other = self._room_by_alias(new)
        if other:
            self._merge(kept=kept.id, other=other.id)
        self._rooms[kept.id] = replace(kept, alias=new)
        for pack in [one for one in self._packs.values() if one.home == community_of(old)]:
            self._rehome(pack, community_of(new))

    async def participant(self, alias: Alias, *, name: str = "", language: str = "") -> Participant:
        """Give the participant, made on first sight; a name that changed is kept, a language
        only until one is chosen.
        """
        known = (one for one in self._participants.values() if one.alias == alias)
        found = next(known, None) or Participant(id=ParticipantId(new_id()), alias=alias, name="")
        told = found.language if found.id in self._chosen else language or found.language
        person = replace(found, name=clean(name) or found.name, language=told)
        self._participants[found.id] = person
        return person

    async def participants(
        self, ids: Sequence[ParticipantId]
    ) -> Mapping[ParticipantId, Participant]:
        """Give participants by our own ids; one that is not known is left out."""
        return {one: self._participants[one] for one in ids if one in self._participants}

    async def set_participant(
        self,
        participant: ParticipantId,
        *,
        language: str | None = None,
        nickname: str | None = None,
    ) -> None:
        """Keep what a person has chosen; an empty language takes the choice back."""
        person = self._participants.get(participant)
        if not person:
            return
        if language is not None:
            person = replace(person, language=language)
            (self._chosen.add if language else self._chosen.discard)(participant)
        if nickname is not None:
            person = replace(person, nickname=clean(nickname))
        self._participants[participant] = person

    async def start(self, session: Session) -> None:
        """Store a new session. Raises Conflict if its place is taken."""
        self._known(session.room)
        if session.id in self._sessions:
            msg = f"There is a session {session.id}."
            raise Conflict(msg)
        self._place(session)

    async def session(self, session: SessionId) -> Session | None:
        """Give a session as it was last saved."""
        return self._sessions.get(session)

    async def open_session(self, room: RoomId, owner: ParticipantId | None) -> Session | None:
        """Give the session that is not finished: a person's own in a room, or the shared one.

        An active one comes before paused ones, a later one before earlier ones.
        """
        here = [
            one
            for one in self._sessions.values()
            if (one.room, one.place) == (room, owner or "") and one.phase is not Phase.FINISHED
        ]
        return max(here, key=lambda one: (one.active, one.started, one.id), default=None)

    async def unfinished(self) -> Sequence[Session]:
        """List the active sessions, oldest first."""
        active = [one for one in self._sessions.values() if one.active]
        return sorted(active, key=lambda one: (one.started, one.id))

    async def active(self) -> int:
        """Count the active sessions."""
        return len(await self.unfinished())

    async def claim(self, platforms: Collection[str], now: datetime) -> Sequence[Session]:
        """Take over active sessions that were released, or whose deadline is long past."""
        return [
            self._keep(one)
            for one in await self.unfinished()
            if self._rooms[one.room].alias.platform in platforms
            and (one.id not in self._kept or (one.deadline and one.deadline < now - OVERDUE))
        ]

    async def release(self) -> None:
        """Look after no session any more."""
        self.abandon()

    def abandon(self) -> None:
        """Look after no session any more, as when a process dies."""
        self._kept.clear()

    async def lead(self, name: str) -> bool:  # noqa: ARG002 - there is nobody else
        """Lead whatever there is to lead."""
        return True

    async def save(self, before: Session, after: Session) -> bool:
        """Move a session on, if it still is in the phase and turn of `before`, with its deadline.

        Raises Conflict if it would take a place that is taken.
        """
        stored = self._sessions.get(before.id)
        if not stored or _stands(stored) != _stands(before):
            return False
        self._place(replace(after, room=stored.room))
        for response in self._responses.values():
            if response.session == before.id and before.closed <= response.turn < after.closed:
                self._score(response)
        if was_asked(before, after):
            key = (stored.room, stored.place, before.pack_at(before.turn), before.item)
            self._asked[key] = self._asked.get(key, 0) + 1
        return True

    async def asked(
        self, room: RoomId, owner: ParticipantId | None, pack: PackId
    ) -> Mapping[ItemId, int]:
        """Count how often each item was put to a room (or to one person in it)."""
        place = (room, owner or "", pack)
        return {key[3]: times for key, times in self._asked.items() if key[:3] == place}

    def _room_by_alias(self, alias: Alias) -> Room | None:
        return next((room for room in self._rooms.values() if room.alias == alias), None)

    def _known(self, room: RoomId) -> Room:
        if room not in self._rooms:
            msg = f"There is no room {room}."
            raise StoreError(msg)
        return self._rooms[room]

    def _place(self, session: Session) -> None:
        """Store a session unless another one is active in its place."""
        if session.active and any(
            (one.room, one.place) == (session.room, session.place)
            for one in self._sessions.values()
            if one.active and one.id != session.id
        ):
            msg = "Another session is active here."
            raise Conflict(msg)
        self._sessions[session.id] = self._keep(session)

    def _keep(self, session: Session) -> Session:
        self._kept.add(session.id)
        return session

    def _merge(self, *, kept: RoomId, other: RoomId) -> None:
        """Give everything of the other room to the one that is kept, as in `moving.merge`."""
        taken = {one.place for one in self._sessions.values() if one.active and one.room == kept}
        for one in [one for one in self._sessions.values() if one.room == other]:
            aside = stepped_aside(one, now()) if one.active and one.place in taken else one
            self._sessions[one.id] = replace(aside, room=kept)
        for key, response in self._responses.items():
            if response.room == other:
                self._responses[key] = replace(response, room=kept)
        for who, reminder in self._reminders.items():
            if reminder.room == other:
                self._reminders[who] = replace(reminder, room=kept)
        self._move_corrections(kept=kept, other=other)
        for won in [won for won in self._scores if won[0] == other]:
            self._score(replace(self._scores.pop(won), room=kept))
        for place in [place for place in self._asked if place[0] == other]:
            moved = (kept, *place[1:])
            self._asked[moved] = self._asked.get(moved, 0) + self._asked.pop(place)
        for pack in [one for one in self._packs.values() if one.home.target == other]:
            self._rehome(pack, replace(pack.home, target=kept))
        for parcel in [one for one in self._parcels.values() if one.room == other]:
            self._parcels[parcel.id] = replace(parcel, room=kept)
        if daily := self._dailies.pop(other, None):
            self._dailies.setdefault(kept, replace(daily, room=kept))
        del self._rooms[other]

    def _rehome(self, pack: StoredPack, home: Home) -> None:
        self._keep_pack(replace(pack, home=home, version=pack.version + 1))


def _stands(session: Session) -> tuple[object, ...]:
    return session.phase, session.turn, session.deadline
