"""Names for the keys that travel through the engine, so that they cannot be mixed up."""

from typing import NewType

PackId = NewType("PackId", str)
ItemId = NewType("ItemId", str)
SessionId = NewType("SessionId", str)
RoomId = NewType("RoomId", str)
ParticipantId = NewType("ParticipantId", str)
