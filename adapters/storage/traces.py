"""Traces: notes of a chat and rooms of one's own, in which somebody is named by their platform."""

import re

from bot.people import Alias


def names(key: str, value: str, external: str) -> bool:
    """Tell whether a note is about somebody: by its key, or as a name or an id in its JSON."""
    quoted = re.escape(external)
    about_them = key.endswith(f".{external}")
    return about_them or bool(re.search(rf'"{quoted}"|": ?{quoted}(?!\w)', value))


def is_own_room(room: Alias, person: Alias) -> bool:
    """Tell whether a room is somebody's own chat, or a topic in it: it is called as they are."""
    return room.platform == person.platform and (
        room.external == person.external or room.external.startswith(f"{person.external}/")
    )
