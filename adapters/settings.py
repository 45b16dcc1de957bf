"""Settings: what can be set from outside, in the environment or in `.env` where Kuis is started."""

import os
import re
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import KuisError
from bot.wording import LANGUAGES, choose

FEWEST_DAYS = 28
ROOT = Path(__file__).parent.parent


class SettingsError(KuisError):
    """A setting has a value that means nothing."""


class Settings(BaseSettings):
    """Every setting; `.env.example` shows them all, and a test compares the two."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
    )

    telegram_token: SecretStr = Field(
        default=SecretStr(""),
        alias="TELEGRAM_TOKEN",
        description="The Telegram bot's token, from @BotFather. Without it Telegram is left out.",
        examples=["123456789:AAExampleTokenFromBotFather"],
    )
    discord_token: SecretStr = Field(
        default=SecretStr(""),
        alias="DISCORD_TOKEN",
        description="The Discord bot's token, from https://discord.com/developers/applications. "
        "Without it Discord is left out.",
        examples=["MTIzNDU2Nzg5.example.token"],
    )
    telegram_api_url: str = Field(
        default="https://api.telegram.org",
        alias="TELEGRAM_API_URL",
        description="The Bot API server, by its root; a local one, if you run it.",
        examples=["http://127.0.0.1:8081"],
    )
    telegram_webhook_url: str = Field(
        default="",
        alias="TELEGRAM_WEBHOOK_URL",
        description="The public address at which Telegram reaches this program. Without it "
        "Telegram is asked for updates.",
        examples=["https://quiz.example.org"],
    )
    port: int = Field(
        default=8080,
        alias="PORT",
        description="The port for the webhook; without one, for health and metrics if it is set.",
        examples=["8080"],
    )
    health_port: int = Field(
        default=0,
        alias="KUIS_HEALTH_PORT",
        description="The port for /healthz, /readyz and /metrics. Without it: PORT, if that is set "
        "and no webhook listens there.",
        examples=["9090"],
    )
    shards: str = Field(
        default="",
        alias="KUIS_SHARDS",
        description="Which shards of how many this process runs on Discord. Without it: all.",
        examples=["0-3/8"],
    )
    database_url: str = Field(
        default_factory=lambda: f"sqlite+aiosqlite:///{data_folder() / 'kuis.db'}",
        alias="DATABASE_URL",
        description="Where scores are kept. Without it: a file in your own data folder.",
        examples=["sqlite+aiosqlite:///kuis.db", "postgresql+asyncpg://user:password@host/kuis"],
    )
    questions: str = Field(
        default="",
        alias="KUIS_QUESTIONS",
        description="More files and folders of packs, with a colon between (on Windows a "
        "semicolon).",
        examples=["/home/ani/questions:/srv/questions"],
    )
    language: str = Field(
        default="",
        alias="KUIS_LANGUAGE",
        description="The language where nobody has chosen one: id or en. Without it: your "
        "system's.",
        examples=["id"],
    )
    time_zone: str = Field(
        default="",
        alias="KUIS_TIME_ZONE",
        description="The time zone in which days and weeks begin. Without it: your system's.",
        examples=["Asia/Jakarta"],
    )
    keep_days: int = Field(
        default=0,
        ge=0,
        alias="KUIS_KEEP_DAYS",
        description="How many days answers are kept, at least 28; older weeks are deleted and "
        "leave the leaderboards. Without it: for ever.",
        examples=["400"],
    )
    log: str = Field(
        default="warning",
        alias="KUIS_LOG",
        description="How much is logged: debug, info, warning or error.",
        examples=["info"],
    )

    @field_validator("language")
    @classmethod
    def _is_spoken(cls, value: str) -> str:
        if value and value.replace("_", "-").split("-")[0].lower() not in LANGUAGES:
            msg = f"Choose one of {', '.join(LANGUAGES)}."
            raise ValueError(msg)
        return value

    @field_validator("keep_days")
    @classmethod
    def _is_long_enough(cls, value: int) -> int:
        if 0 < value < FEWEST_DAYS:
            msg = f"Choose at least {FEWEST_DAYS} days, or 0 for ever."
            raise ValueError(msg)
        return value

    @field_validator("time_zone")
    @classmethod
    def _is_a_zone(cls, value: str) -> str:
        if value and not is_zone(value):
            msg = "Write the name of a time zone, like Asia/Jakarta or UTC."
            raise ValueError(msg)
        return value

    @field_validator("shards")
    @classmethod
    def _is_a_range(cls, value: str) -> str:
        if value and read_shards(value) is None:
            msg = "Write which shards of how many, like 0-3/8 (four of eight) or 5/8 (one)."
            raise ValueError(msg)
        return value

    @field_validator("log")
    @classmethod
    def _is_a_level(cls, value: str) -> str:
        if value.lower() not in {"debug", "info", "warning", "error"}:
            msg = "Choose debug, info, warning or error."
            raise ValueError(msg)
        return value.lower()

    @property
    def secrets(self) -> tuple[str, ...]:
        """List what must never be shown."""
        tokens = (self.telegram_token.get_secret_value(), self.discord_token.get_secret_value())
        password = urlsplit(self.database_url).password or ""
        return tuple(secret for secret in (*tokens, password) if secret)

    @property
    def kept(self) -> timedelta | None:
        """Give how long answers are kept; None: for ever."""
        return timedelta(days=self.keep_days) if self.keep_days else None

    @property
    def watched_at(self) -> int:
        """Choose the port for health and metrics; 0 for none."""
        free = "port" in self.model_fields_set and not self.telegram_webhook_url
        return self.health_port or (self.port if free else 0)

    @property
    def pack_paths(self) -> tuple[Path, ...]:
        """List where packs are: the shipped ones, the imported ones, then one's own."""
        own = (Path(part).expanduser() for part in self.questions.split(os.pathsep) if part)
        usual = (ROOT / "questions", imported_folder())
        return (*(folder for folder in usual if folder.is_dir()), *own)

    @property
    def spoken(self) -> str:
        """Choose the language: the setting, or the system's."""
        return choose(self.language) if self.language else system_language()

    @property
    def zone(self) -> str:
        """Choose the time zone: the setting, or the system's."""
        return self.time_zone or system_zone()


def load() -> Settings:
    """Read the settings. Raises SettingsError with one line for each that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        lines = (f"{part['loc'][0]}: {_reason(part['msg'])}" for part in error.errors())
        raise SettingsError("\n".join(lines)) from None


def example() -> str:
    """Write `.env.example`: every setting with what it is for, all of them commented out."""
    parts = ["# Copy this file to .env and take the # away from what you want to set."]
    for name, field in Settings.model_fields.items():
        examples = field.examples or [""]
        lines = [f"# {field.description}", *(f"# {field.alias or name}={one}" for one in examples)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def read_shards(written: str) -> tuple[range, int] | None:
    """Read `0-3/8` or `5/8`: which shards, and of how many; None if it means nothing."""
    found = re.fullmatch(r"(\d+)(?:-(\d+))?/(\d+)", written)
    if not found:
        return None
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    return (range(first, last + 1), count) if first <= last < count else None


def data_folder() -> Path:
    """Give the folder for one's own data, as the platform has it."""
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".local" / "share") / "kuis"


def imported_folder() -> Path:
    """Give the folder for packs that were imported on the command line."""
    return data_folder() / "questions"


def system_language() -> str:
    """Give the language of the system, if Kuis speaks it."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    return choose(next((value for name in names if (value := os.environ.get(name))), ""))


@lru_cache(maxsize=1)
def system_zone() -> str:
    """Give the name of the system's time zone; UTC where it has none."""
    linked = Path("/etc/localtime")
    named = str(linked.resolve()).partition("zoneinfo/")[2] if linked.exists() else ""
    wishes = (os.environ.get("TZ", "").removeprefix(":"), named)
    return next((wish for wish in wishes if wish and is_zone(wish)), "UTC")


def is_zone(name: str) -> bool:
    """Tell whether there is a time zone with this name."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError):  # an unknown one is a KeyError with OSError behind it
        return False
    except KeyError:
        return False
    return True


def _reason(message: str) -> str:
    return message.removeprefix("Value error, ")
