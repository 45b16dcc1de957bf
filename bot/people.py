"""Who answers and where: participants, rooms, and the names platforms have for both."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.ids import ParticipantId, RoomId
from bot.modes import Rules
from bot.wording import Words, phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """What a platform calls a room or a person; it may change, our own id does not."""

    platform: str
    external: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a room has chosen; the empty string and None mean "not chosen".

    `starters` says who may start a shared quiz: "everyone" or "moderators"; `importers` who may
    bring in questions for the room. `style` is how a platform that has several shows items
    ("buttons", "poll"). `certainty_marks` means nothing without `confidence`.
    """

    language: str = ""
    time_zone: str = ""
    mode: str = ""
    seconds: int = 30
    starters: str = "everyone"
    importers: str = "moderators"
    style: str = ""
    speed_bonus: bool = False
    streak_bonus: bool = False
    verdict_at_once: bool = True
    may_change: bool = False
    confidence: bool = False
    certainty_marks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A channel, thread, chat, topic or terminal; `community` is what a leaderboard can span."""

    id: RoomId
    alias: Alias
    title: str = ""
    community: str = ""
    settings: Settings = field(default_factory=Settings)

    @property
    def zone(self) -> ZoneInfo:
        """Give the room's time zone, UTC unless it has chosen one."""
        return ZoneInfo(self.settings.time_zone or "UTC")


ANONYMOUS = phrase("A learner")
"""The nickname of who wants to be nobody on boards; `called` says it in the reader's language."""


def called(name: str, words: Words) -> str:
    """Give the name of somebody (plain text) as a reader is told it."""
    return words.say(name) if name == ANONYMOUS else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """Whoever answers, anywhere; `language` is empty until chosen or told by the platform.

    `shown` is what boards call them: their nickname if they have chosen one.
    """

    id: ParticipantId
    alias: Alias
    name: str
    language: str = ""
    nickname: str = ""

    @property
    def shown(self) -> str:
        """Give the name for other people to see."""
        return self.nickname or self.name


def week_of(at: datetime, zone: ZoneInfo) -> date:
    """Give the Monday of the week an instant falls into, by a room's calendar."""
    local = at.astimezone(zone).date()
    return local - timedelta(days=local.weekday())


def rules_for(settings: Settings, rules: Rules) -> Rules:
    """Give rules with a room's wishes about scoring, verdicts and looks taken over."""
    return replace(
        rules,
        speed_bonus=settings.speed_bonus,
        streak_bonus=settings.streak_bonus,
        verdict_at_once=settings.verdict_at_once,
        may_change=settings.may_change,
        confidence=settings.confidence,
        certainty_marks=settings.confidence and settings.certainty_marks,
        style=settings.style,
    )
