"""Requests: what an adapter asks of the desk, and what the desk has to say."""

from dataclasses import dataclass
from datetime import datetime

from bot.commands import Place
from bot.modes import Mode
from bot.panels import Panel
from bot.people import Participant, Room


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Who wants something, where; `via` is the adapter's own and reaches its chat again.

    `at` is when it arrived, for an adapter that has had to look things up since.
    """

    room: Room
    person: Participant
    place: Place
    moderator: bool = False
    via: object = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What to say to the person; `replaces` that it takes the place of the message with the
    button, `public` that the whole room may see it, `file` a name and content to send along.

    `picture` is a PNG with its name; the panel says the same for who cannot see it. `asks` says
    that a text is awaited as a reply.
    """

    panel: Panel
    replaces: bool = False
    public: bool = False
    file: tuple[str, bytes] | None = None
    picture: tuple[str, bytes] | None = None
    asks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizWish:
    """What somebody typed after `/quiz`; whatever is left out is chosen for them.

    Without a `mode` a private chat plays solo at once and a room gets a card to set it up.
    """

    pack: str = ""
    count: int | None = None
    mode: Mode | None = None
    seconds: int | None = None
