"""Links: one person on several platforms, and the codes with which they are joined.

Every identity stays the participant it is; a link only says that some of them are one person, so
taking it away again loses nothing. A code is shown to one identity and entered by another; what
is kept of it, and what buttons carry, is its digest.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Protocol

from bot.ids import ParticipantId, RoomId

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What codes are written with: nothing that looks like something else."""

LENGTH = 8
VALID = timedelta(minutes=10)
TRIES = 5
"""So many wrong codes somebody may enter until ten minutes have passed since the last of them."""


def draw_code(seed: int) -> str:
    """Make a code of a random number, which must be drawn evenly from at least 2**50."""
    letters = []
    for _ in range(LENGTH):
        seed, place = divmod(seed, len(ALPHABET))
        letters.append(ALPHABET[place])
    return "".join(letters)


def written(code: str) -> str:
    """Write a code as people read it: `ABCD-EFGH`."""
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def digest(typed: str) -> str:
    """Give what is kept of a code, however it was typed: 32 hexadecimal digits."""
    meant = "".join(sign for sign in typed.upper() if sign.isalnum())
    return hashlib.sha256(meant.encode()).hexdigest()[:32]


class Outcome(Enum):
    """What comes of entering a code; an expired or used one is as wrong as one never made."""

    FOUND = "found"
    WRONG = "wrong"
    TOO_MANY = "too many"
    OWN = "own"
    JOINED = "joined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """What came of entering a code; `owner` is who made it, where it is good."""

    outcome: Outcome
    owner: ParticipantId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """Somebody (`guest`) has joined with who made a code (`owner`) in a room."""

    owner: ParticipantId
    guest: ParticipantId
    room: RoomId


class Links(Protocol):
    """Which participants are one person, and the codes that are open."""

    async def identities(self, participant: ParticipantId) -> Sequence[ParticipantId]:
        """List all participants who are the same person: itself first, the others by id."""

    async def link(self, one: ParticipantId, other: ParticipantId) -> None:
        """Let two participants, and all they are linked with, be one person."""

    async def unlink(self, participant: ParticipantId) -> bool:
        """Let a participant be a person of their own again; tell whether they were linked."""

    async def offer_code(
        self, participant: ParticipantId, room: RoomId, digest: str, at: datetime
    ) -> None:
        """Keep a code from `at` on for as long as `VALID`; an earlier one of theirs is void."""

    async def enter_code(self, digest: str, by: ParticipantId, at: datetime) -> Entered:
        """Try a code. A good one is reserved for who enters it first, until it expires.

        A wrong one is counted; beyond `TRIES` of them nothing is looked up any more.
        """

    async def redeem_code(
        self, digest: str, by: ParticipantId, at: datetime
    ) -> ParticipantId | None:
        """Use up a code that is reserved for somebody, and link them with who made it.

        Gives who that is; None if the code is not theirs, expired or used. Once only, however
        many try at once.
        """

    async def void_code(self, digest: str) -> None:
        """Let a code that is not used yet be good for nobody any more."""

    async def joined_by_code(self, platforms: Collection[str]) -> Sequence[Joining]:
        """Take who of these platforms has been joined with by their code, each only once."""
