"""Runs a command with a PostgreSQL of its own, where the binaries exist; without one, simply runs it.

    python -m tests.helpers.with_postgres pytest tests/storage

The server listens on a loopback port, keeps its data in a temporary folder and ends with the
command. Its address is in KUIS_TEST_POSTGRES; an address that is already there is used instead.
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
    binaries = _binaries()
    if binaries is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="kuis-postgres-"))
    user = _user()
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    run = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}
    port = _free_port()
    control = [str(binaries / "pg_ctl"), "-D", str(folder / "data"), "-w", "-s"]
    try:
        init = [
            binaries / "initdb",
            "-D",
            folder / "data",
            "-U",
            "kuis",
            "-A",
            "trust",
            "-E",
            "UTF8",
        ]
        subprocess.run(init, check=True, stdout=subprocess.DEVNULL, cwd=folder, **run)  # type: ignore[call-overload] # noqa: S603
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=100"
        start = [*control, "-l", str(folder / "log"), "-o", options, "start"]
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL, cwd=folder, **run)  # type: ignore[call-overload] # noqa: S603
        yield f"postgresql+asyncpg://kuis@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, cwd="/", **run)  # type: ignore[call-overload] # noqa: S603
        shutil.rmtree(folder, ignore_errors=True)


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
