"""`kuis play` as a process: killed at every moment it goes on where it stood."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pexpect
import pytest

from adapters.storage import open_store
from adapters.terminal.chat import ROOM
from bot.people import Alias
from bot.ports import BoardQuery, Response
from bot.scoring import Standing
from bot.session import Session

PROJECT = Path(__file__).parents[2]
KUIS = (sys.executable, "-m", "bot")
PACK = ("play", "gradient-accumulation", "--keep-order", "--language", "en", "--name", "Ann")
KEYS = "CADBACBD"
QUESTION = re.compile(r"^(\d)/8$")

# Runs the real command line with a chat that ends the process at one panel: before it is shown,
# or after, when nothing could be noted down yet.
DEADLY = """
import asyncio, os, signal, sys
from adapters.cli.playing import Asked, play
from adapters.terminal.chat import Terminal
from adapters.terminal.starting import Wanted

role, progress, moment = sys.argv[1:]

class Deadly(Terminal):
    async def show(self, post):
        due = (post.panel.role.value, post.panel.progress) == (role, progress)
        if due and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        shown = await super().show(post)
        if due:
            os.kill(os.getpid(), signal.SIGKILL)
        return shown

wanted = Wanted(pack="gradient-accumulation", keep_order=True)
asyncio.run(play(Asked(name="Ann", language="en", wanted=wanted), chat=Deadly))
"""


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Give the environment of somebody who has never played."""
    return {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "KUIS_LANGUAGE": "en",
        "KUIS_TIME_ZONE": "UTC",
    }


class Process:
    """A child whose questions are answered from the key, as they come."""

    def __init__(self, command: tuple[str, ...], home: dict[str, str]) -> None:
        self._child = subprocess.Popen(  # noqa: S603 - our own command
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=home,
            cwd=PROJECT,
            text=True,
            encoding="utf-8",
        )
        self.asked: list[int] = []
        self.printed = ""

    def read_until(self, text: str) -> None:
        """Read and answer until a text has been printed."""
        while text not in self.printed and self._read_line():
            pass
        assert text in self.printed

    def read_on(self) -> int:
        """Read and answer until the process ends; give its exit code."""
        while self._read_line():
            pass
        self._child.stdin.close()
        self._child.stdout.close()
        return self._child.wait(20)

    def kill(self) -> None:
        self._child.kill()
        self._child.wait(20)
        self._child.stdin.close()
        self._child.stdout.close()

    def _read_line(self) -> bool:
        line = self._child.stdout.readline()
        self.printed += line
        if found := QUESTION.match(line):
            self.asked.append(int(found[1]))
            try:
                self._child.stdin.write(KEYS[self.asked[-1] - 1] + "\n")
                self._child.stdin.flush()
            except BrokenPipeError:
                pass
        return bool(line)


def window(home: dict[str, str], *command: str) -> pexpect.spawn:
    """Start a command in a real terminal."""
    return pexpect.spawn(
        KUIS[0],
        [*KUIS[1:], *command],
        env=home,
        cwd=str(PROJECT),
        encoding="utf-8",
        timeout=60,
    )


def kept(home: dict[str, str]) -> tuple[list[tuple[Session, Sequence[Response]]], list[Standing]]:
    """Read what Ann has played, and the leaderboard of the terminal."""

    async def read():
        async with await open_store(f"sqlite:///{home['XDG_DATA_HOME']}/kuis/kuis.db") as store:
            me = await store.participant(Alias(platform="terminal", external="ann"))
            room = await store.room(ROOM)
            board = await store.leaderboard(BoardQuery(room=room), datetime.now(UTC))  # noqa: TID251
            return list(await store.history(me.id)), list(board.rows)

    return asyncio.run(read())


def assert_all_counted_once(home: dict[str, str]) -> None:
    ((session, responses),), (standing,) = kept(home)
    assert session.finished
    assert [response.grade for response in responses] == [1] * 8
    assert (standing.correct, standing.answered, standing.points) == (8, 8, 800)


def test_killed_after_the_third_answer_it_asks_the_fourth(home: dict[str, str]):
    first = Process((*KUIS, *PACK), home)
    first.read_until("\n4/8\n")
    first.kill()

    ((_, responses),), _ = kept(home)
    again = Process((*KUIS, *PACK), home)
    code = again.read_on()

    # The answer to the fourth was on its way when the process died: kept or not, never both.
    assert len(responses) in {3, 4}
    assert again.asked[0] in {4, 5}
    assert "Going on with “Gradient accumulation quiz” at question 4 of 8." in again.printed
    assert code == 0
    assert_all_counted_once(home)


@pytest.mark.parametrize(
    ("role", "progress", "moment", "next_question"),
    [
        ("question", "1/8", "before", 1),
        ("question", "4/8", "after", 4),
        ("reveal", "4/8", "before", 5),
        ("reveal", "4/8", "after", 5),
        ("question", "8/8", "after", 8),
        ("reveal", "8/8", "before", None),
        ("reveal", "8/8", "after", None),
        ("summary", "8/8", "before", None),
        ("summary", "8/8", "after", None),
    ],
)
def test_killed_around_any_panel_nothing_is_lost_and_nothing_counts_twice(
    home: dict[str, str], role: str, progress: str, moment: str, next_question: int | None
):
    first = Process((sys.executable, "-c", DEADLY, role, progress, moment), home)
    killed = first.read_on()

    again = Process((*KUIS, *PACK), home)
    code = again.read_on()

    assert (killed, code) == (-9, 0)
    assert again.asked == list(range(next_question, 9) if next_question else ())
    assert again.printed.rstrip().endswith("Done! 8/8")
    assert_all_counted_once(home)


def test_killed_in_a_window_while_it_waits_it_offers_to_go_on(home: dict[str, str]):
    first = window(home, *PACK)
    for turn in range(1, 4):
        first.expect(f"{turn}/8")
        first.expect("> ")
        first.sendline(KEYS[turn - 1])
        first.expect("Next")
        if turn < 3:
            first.sendline("")
    first.kill(9)
    first.expect(pexpect.EOF)
    first.close()

    again = pexpect.spawn(
        KUIS[0], [*KUIS[1:], "play", "--name", "Ann"], env=home, cwd=str(PROJECT), encoding="utf-8"
    )
    again.expect("Go on with “Gradient accumulation quiz” at question 4 of 8")
    again.sendline("")
    for turn in range(4, 9):
        again.expect(f"{turn}/8")
        again.expect("> ")
        again.sendline(KEYS[turn - 1])
        again.expect("Next|See your result")
        again.sendline("")
    again.expect("Done!.*8/8")
    again.expect(pexpect.EOF)
    again.close()

    assert again.exitstatus == 0
    assert_all_counted_once(home)


def test_control_c_stops_politely(home: dict[str, str]):
    child = window(home, *PACK)
    child.expect("> ")
    child.sendintr()
    child.expect("Your quiz waits for you")
    child.expect(pexpect.EOF)
    child.close()

    assert (child.exitstatus, child.signalstatus) == (0, None)


def test_a_reader_that_goes_away_ends_the_quiz_quietly(home: dict[str, str]):
    done = subprocess.run(  # noqa: S602 - a pipeline is what is tested
        f"yes A | {' '.join((*KUIS, *PACK))} | head -n 3",
        shell=True,
        env=home,
        cwd=PROJECT,
        capture_output=True,
        check=False,
        timeout=20,
    )

    assert done.stderr == b""
