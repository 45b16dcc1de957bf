"""Runs a command with a PostgreSQL of its own, where the binaries exist; else simply runs it.

    python -m tests.helpers.with_postgres pytest tests/storage

The server listens on a loopback port, keeps its data in a temporary folder and ends with the
command. Its address is in KUIS_TEST_POSTGRES; an address that is already there is used instead.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

VARIABLE = "KUIS_TEST_POSTGRES"


def main() -> int:
    """Run the command that was given, and exit as it does."""
    with server() as url:
        environment = os.environ | ({VARIABLE: url} if url else {})
        return subprocess.run(sys.argv[1:], env=environment, check=False).returncode  # noqa: S603


@contextmanager
def server() -> Iterator[str | None]:
    """Start a throwaway server and give its address, or None where there is no PostgreSQL."""
    if given := os.environ.get(VARIABLE):
        yield given
        return
    with own_server() as mine:
        yield mine and mine.url


class Server:
    """A PostgreSQL of one's own, to be stopped, restarted and held up as one likes."""

    def __init__(self, *, binaries: Path, folder: Path, options: str = "") -> None:
        self._binaries = binaries
        self._folder = folder
        self._port = _free_port()
        self._options = (
            f"-p {self._port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=100"
            f" {options}"
        )
        user = _user()
        self._run = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
        self.url = f"postgresql+asyncpg://kuis@127.0.0.1:{self._port}/postgres"

    def make(self) -> None:
        """Make the files of an empty database and start."""
        if user := _user():
            os.chown(self._folder, user.pw_uid, user.pw_gid)
        how = ["-D", str(self._data), "-U", "kuis", "-A", "trust", "-E", "UTF8"]
        self._do(str(self._binaries / "initdb"), *how)
        self.start()

    def start(self) -> None:
        """Start, and wait until it can be used."""
        self._control("-l", str(self._folder / "log"), "-o", self._options, "start")

    def stop(self, how: str = "fast") -> None:
        """Stop: `fast` ends every connection, `immediate` is like a crash."""
        self._control("-m", how, "stop")

    def pause(self) -> None:
        """Hold up the server and all its processes, as if the computer were too busy."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let a server that was held up go on."""
        self._signal(signal.SIGCONT)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _signal(self, number: signal.Signals) -> None:
        head = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{head}/task/{head}/children").read_text().split()
        for process in (head, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def _control(self, *what: str) -> None:
        self._do(str(self._binaries / "pg_ctl"), "-D", str(self._data), "-w", "-s", *what)

    def _do(self, *command: str) -> None:
        subprocess.run(  # type: ignore[call-overload] # noqa: S603 - the server's own programs
            command, check=True, stdout=subprocess.DEVNULL, cwd=self._folder, **self._run
        )


@contextmanager
def own_server(options: str = "", folder: Path | None = None) -> Iterator[Server | None]:
    """Start a server that nobody else uses; None where there is no PostgreSQL."""
    binaries = _binaries()
    if binaries is None:
        yield None
        return
    where = folder or Path(tempfile.mkdtemp(prefix="kuis-postgres-"))
    mine = Server(binaries=binaries, folder=where, options=options)
    try:
        mine.make()
        yield mine
    finally:
        with suppress(subprocess.CalledProcessError, OSError):
            mine.go_on()
        with suppress(subprocess.CalledProcessError):
            mine.stop("immediate")
        shutil.rmtree(where, ignore_errors=True)


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def _user() -> pwd.struct_passwd | None:
    """Choose who runs the server: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
