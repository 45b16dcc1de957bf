"""Commands: the one table that every chat registers from."""

from dataclasses import dataclass
from enum import Enum

from bot.wording import LANGUAGES, Words, phrase


class Place(Enum):
    """Where a command makes sense."""

    PRIVATE = "private"
    ROOM = "room"


EVERYWHERE = frozenset(Place)


class Topic(Enum):
    """What a person wants of a command; the value is its heading in the help."""

    PLAY = phrase("Play")
    LEARN = phrase("Learn")
    TEACH = phrase("Teach")
    YOURSELF = phrase("About you")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: its name in each language, the English one first, and what it is for.

    `only` names the one platform that has it; empty where all have.
    """

    name: str
    indonesian: str
    summary: str
    topic: Topic
    places: frozenset[Place] = EVERYWHERE
    moderators: bool = False
    only: str = ""

    def localised(self, language: str) -> str:
        """Give the name in a language."""
        return self.indonesian if language == "id" else self.name

    def described(self, words: Words) -> str:
        """Say in a line what the command does."""
        return words.say(self.summary)


COMMANDS = (
    Command(name="quiz", indonesian="kuis", summary=phrase("Start a quiz"), topic=Topic.PLAY),
    Command(
        name="resume",
        indonesian="lanjut",
        summary=phrase("Go on with a paused quiz"),
        topic=Topic.PLAY,
    ),
    Command(
        name="skip",
        indonesian="lewati",
        summary=phrase("Leave out this question"),
        topic=Topic.PLAY,
    ),
    Command(name="stop", indonesian="berhenti", summary=phrase("End the quiz"), topic=Topic.PLAY),
    Command(
        name="packs",
        indonesian="paket",
        summary=phrase("See which quizzes there are"),
        topic=Topic.PLAY,
    ),
    Command(
        name="daily",
        indonesian="harian",
        summary=phrase("One question every day"),
        topic=Topic.PLAY,
        places=frozenset({Place.ROOM}),
    ),
    Command(
        name="leaderboard",
        indonesian="peringkat",
        summary=phrase("See who is ahead"),
        topic=Topic.PLAY,
    ),
    Command(
        name="review",
        indonesian="ulang",
        summary=phrase("Review what is due for you today"),
        topic=Topic.LEARN,
    ),
    Command(
        name="missed",
        indonesian="keliru",
        summary=phrase("Try again what you missed lately"),
        topic=Topic.LEARN,
    ),
    Command(
        name="stats",
        indonesian="statistik",
        summary=phrase("See how you are doing"),
        topic=Topic.LEARN,
    ),
    Command(
        name="import",
        indonesian="impor",
        summary=phrase("Bring in your own questions"),
        topic=Topic.TEACH,
    ),
    Command(
        name="done",
        indonesian="selesai",
        summary=phrase("Make a quiz of the polls you have forwarded"),
        topic=Topic.TEACH,
        only="telegram",
    ),
    Command(
        name="export",
        indonesian="ekspor",
        summary=phrase("Get a quiz as a file"),
        topic=Topic.TEACH,
    ),
    Command(
        name="insight",
        indonesian="analisis",
        summary=phrase("See how the questions are doing"),
        topic=Topic.TEACH,
        places=frozenset({Place.ROOM}),
        moderators=True,
    ),
    Command(
        name="challenges",
        indonesian="sanggahan",
        summary=phrase("Judge challenged questions"),
        topic=Topic.TEACH,
        places=frozenset({Place.ROOM}),
        moderators=True,
    ),
    Command(
        name="settings",
        indonesian="pengaturan",
        summary=phrase("Change how quizzes run here"),
        topic=Topic.TEACH,
        places=frozenset({Place.ROOM}),
        moderators=True,
    ),
    Command(
        name="language",
        indonesian="bahasa",
        summary=phrase("Choose your language"),
        topic=Topic.YOURSELF,
    ),
    Command(
        name="privacy",
        indonesian="privasi",
        summary=phrase("See or delete what is kept about you"),
        topic=Topic.YOURSELF,
    ),
    Command(
        name="link",
        indonesian="tautkan",
        summary=phrase("Join your accounts"),
        topic=Topic.YOURSELF,
    ),
    Command(
        name="unlink",
        indonesian="pisahkan",
        summary=phrase("Separate your accounts"),
        topic=Topic.YOURSELF,
    ),
    Command(
        name="help",
        indonesian="bantuan",
        summary=phrase("See how this works"),
        topic=Topic.YOURSELF,
    ),
)


def find(name: str) -> Command | None:
    """Give the command a person means, by its name in any language."""
    wanted = name.casefold()
    for command in COMMANDS:
        if wanted in {command.localised(language) for language in LANGUAGES}:
            return command
    return None
