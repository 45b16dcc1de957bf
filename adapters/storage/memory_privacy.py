"""Notes and privacy in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adapters.storage.memory_responses import MemoryData
from adapters.storage.values import response_row
from bot.codec import dump
from bot.ids import ParticipantId


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
        person = self._participants.get(participant)
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
            "aliases": [{"external": person.alias.external}] if person else [],
            "participants": [{"id": person.id, "name": person.name}] if person else [],
        }

    async def forget(self, participant: ParticipantId) -> None:
        """Delete everything about a person; shared sessions stay, without their name."""
        self._scores = {k: v for k, v in self._scores.items() if k[1] != participant}
        self._responses = {k: v for k, v in self._responses.items() if k[2] != participant}
        self._asked = {k: v for k, v in self._asked.items() if k[1] != participant}
        self._sessions = {
            key: replace(one, starter=ParticipantId("")) if one.starter == participant else one
            for key, one in self._sessions.items()
            if one.owner != participant
        }
        self._dailies = {
            room: replace(one, starter=ParticipantId("")) if one.starter == participant else one
            for room, one in self._dailies.items()
        }
        self._participants.pop(participant, None)
        self._chosen.discard(participant)
