"""Notes and privacy in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adapters.storage.memory_responses import MemoryData
from adapters.storage.packs import pack_row, parcel_row
from adapters.storage.traces import is_own_room, names
from adapters.storage.values import new_id, reminder_row, response_row
from bot.codec import dump
from bot.ids import ParticipantId, RoomId
from bot.packs import Reach
from bot.people import Participant, Room


class MemoryPrivacy(MemoryData):
    """The part of the store that shows and deletes what is kept about somebody."""

    async def note(self, key: str) -> str | None:
        """Give what was noted under a key."""
        return self._notes.get(key)

    async def set_note(self, key: str, value: str) -> None:
        """Note something under a key."""
        self._notes[key] = value

    async def response_count(self, participant: ParticipantId) -> int:
        """Count the responses of a person."""
        return sum(one.participant == participant for one in self._responses.values())

    async def export(
        self, participant: ParticipantId
    ) -> Mapping[str, Sequence[Mapping[str, object]]]:
        """Give everything about a person, by kind, as values that JSON can hold."""
        return {**self._played(participant), **self._chosen_by(participant)}

    def _played(self, participant: ParticipantId) -> Mapping[str, Sequence[Mapping[str, object]]]:
        return {
            "scores": [response_row(r) for key, r in self._scores.items() if key[1] == participant],
            "responses": [
                response_row(one)
                for one in self._responses.values()
                if one.participant == participant
            ],
            "asked": [
                {"pack": pack, "item": item, "times": times}
                for (_, owner, pack, item), times in self._asked.items()
                if owner == participant
            ],
            "challenges": [
                {"pack": one.pack, "item": one.item, "reason": one.reason.value}
                for one in self._challenges.values()
                if one.participant == participant
            ],
            "corrections": [
                {"pack": one.pack, "item": one.item, "keys": sorted(one.keys)}
                for one in self._corrections
                if one.by == participant
            ],
            "sessions": [
                {"id": one.id, "state": dump(one)}
                for one in self._sessions.values()
                if one.starter == participant
            ],
            "dailies": [
                {"room": one.room, "source": one.schedule.source}
                for one in self._dailies.values()
                if one.starter == participant
            ],
        }

    def _chosen_by(
        self, participant: ParticipantId
    ) -> Mapping[str, Sequence[Mapping[str, object]]]:
        person = self._participants.get(participant)
        return {
            "reminders": [
                reminder_row(one)
                for one in self._reminders.values()
                if one.participant == participant
            ],
            "packs": [pack_row(one) for one in self._packs.values() if one.owner == participant],
            "parcels": [
                parcel_row(one) for one in self._parcels.values() if one.owner == participant
            ],
            "tries": [
                {"wrong": wrong, "latest": latest.isoformat()}
                for who, (wrong, latest) in self._tries.items()
                if who == participant
            ],
            "codes": [
                {"participant": owner, "digest": code.digest, "used": code.used}
                for owner, code in self._codes.items()
                if participant in {owner, code.guest}
            ],
            "links": [
                {"participant": who, "person": theirs}
                for who, theirs in self._links.items()
                if who == participant
            ],
            "notes": [{"key": key, "value": self._notes[key]} for key in self._about(person)],
            "rooms": [{"id": room.id} for room in self._own_rooms(person)],
            "aliases": [{"external": person.alias.external}] if person else [],
            "participants": [{"id": person.id, "name": person.name}] if person else [],
        }

    async def forget(self, participant: ParticipantId) -> None:
        """Delete everything about a participant, and what links them; shared sessions stay,
        without their name, unless they were in a room that is theirs alone.
        """
        self._forgotten.add(participant)
        person = self._participants.get(participant)
        for key in self._about(person):
            del self._notes[key]
        for room in self._own_rooms(person):
            self._close(room.id)
        self._scores = {k: v for k, v in self._scores.items() if k[1] != participant}
        self._responses = {k: v for k, v in self._responses.items() if k[2] != participant}
        self._asked = {k: v for k, v in self._asked.items() if k[1] != participant}
        self._sessions = {
            key: replace(one, starter=ParticipantId("")) if one.starter == participant else one
            for key, one in self._sessions.items()
            if one.owner != participant
        }
        self._part(participant)
        self._tries.pop(participant, None)
        self._codes = {
            owner: code
            for owner, code in self._codes.items()
            if participant not in {owner, code.guest}
        }
        self._reminders.pop(participant, None)
        self._parcels = {k: one for k, one in self._parcels.items() if one.owner != participant}
        for pack in [one for one in self._packs.values() if one.owner == participant]:
            del self._packs[pack.id]
            if pack.home.reach is not Reach.PERSON:
                nameless = replace(pack, owner=ParticipantId(""), version=pack.version + 1)
                self._packs[pack.id] = nameless
            self._packs_stamp = new_id()
        self._challenges = {k: v for k, v in self._challenges.items() if k[2] != participant}
        self._corrections = [
            replace(one, by=ParticipantId("")) if one.by == participant else one
            for one in self._corrections
        ]
        self._dailies = {
            room: replace(one, starter=ParticipantId("")) if one.starter == participant else one
            for room, one in self._dailies.items()
        }
        self._participants.pop(participant, None)
        self._chosen.discard(participant)

    def _about(self, person: Participant | None) -> list[str]:
        """Name the notes about somebody."""
        external = person.alias.external if person else ""
        return [key for key, text in self._notes.items() if person and names(key, text, external)]

    def _own_rooms(self, person: Participant | None) -> list[Room]:
        every = self._rooms.values()
        return [room for room in every if person and is_own_room(room.alias, person.alias)]

    def _close(self, room: RoomId) -> None:
        """Delete a room with all that was in it."""
        self._scores = {key: one for key, one in self._scores.items() if one.room != room}
        self._responses = {key: one for key, one in self._responses.items() if one.room != room}
        self._asked = {place: times for place, times in self._asked.items() if place[0] != room}
        self._sessions = {key: one for key, one in self._sessions.items() if one.room != room}
        del self._rooms[room]
