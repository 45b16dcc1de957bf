"""A session as versioned JSON: what a store keeps of it, and nothing a store has to understand."""

import json
from datetime import datetime
from typing import Any

from bot.draw import Draw
from bot.effects import Trouble
from bot.errors import StoreError
from bot.ids import ItemId, PackId, ParticipantId, RoomId, SessionId
from bot.modes import Mode, Rules
from bot.session import Phase, Session

VERSION = 1


def dump(session: Session) -> str:
    """Write a session as one line of JSON; fields at their defaults are left out."""
    rules = {
        name: getattr(session.rules, name)
        for name in Rules.__dataclass_fields__
        if name != "mode" and getattr(session.rules, name) != getattr(_DEFAULT_RULES, name)
    }
    fields: dict[str, Any] = {
        "v": VERSION,
        "id": session.id,
        "room": session.room,
        "starter": session.starter,
        "pack": session.pack,
        "language": session.language,
        "mode": session.rules.mode.value,
        "rules": rules,
        "seed": session.draw.seed,
        "items": session.draw.items,
        "packs": session.draw.packs,
        "phase": session.phase.value,
        "turn": session.turn,
        "closed": session.closed,
        "seconds": session.seconds,
        "message": session.message,
        "remaining": session.remaining,
        "paused_in": session.paused_in and session.paused_in.value,
        "trouble": session.trouble and session.trouble.value,
        **{name: _written(getattr(session, name)) for name in _TIMES},
    }
    kept = {name: value for name, value in fields.items() if value not in (None, "", (), {})}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def load(stored: str) -> Session:
    """Read a session back.

    Raises StoreError for one that a newer program has written.
    """
    fields = json.loads(stored)
    if fields.get("v") != VERSION:
        msg = f"A stored session has version {fields.get('v')}, this program reads {VERSION}."
        raise StoreError(msg)
    return Session(
        id=SessionId(fields["id"]),
        room=RoomId(fields["room"]),
        starter=ParticipantId(fields.get("starter", "")),
        pack=PackId(fields["pack"]),
        language=fields["language"],
        rules=Rules(mode=Mode(fields["mode"]), **fields.get("rules", {})),
        draw=Draw(
            seed=fields["seed"],
            items=tuple(map(ItemId, fields["items"])),
            packs=tuple(map(PackId, fields.get("packs", ()))),
        ),
        phase=Phase(fields["phase"]),
        turn=fields["turn"],
        closed=fields["closed"],
        seconds=tuple(fields.get("seconds", ())),
        message=fields.get("message", ""),
        remaining=fields.get("remaining"),
        paused_in=Phase(fields["paused_in"]) if "paused_in" in fields else None,
        trouble=Trouble(fields["trouble"]) if "trouble" in fields else None,
        started=datetime.fromisoformat(fields["started"]),
        **{name: _read(fields.get(name)) for name in _TIMES[1:]},
    )


_DEFAULT_RULES = Rules(mode=Mode.SOLO)
_TIMES = ("started", "opened", "deadline", "next_at", "finished")


def _written(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
