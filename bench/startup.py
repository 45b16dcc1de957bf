"""How long `kuis --help` takes, against importing typer and rich alone: at most 1.5 times."""

import statistics
import subprocess
import sys
import time

ROUNDS = 11
MOST = 1.5
COMMANDS = {
    "import typer, rich": (sys.executable, "-c", "import typer, rich"),
    "kuis --help": (sys.executable, "-m", "bot", "--help"),
}


def main() -> None:
    """Measure both in turn, and print the medians and their ratio."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            times[name].append(_timed(command))
    base, ours = (statistics.median(times[name]) for name in COMMANDS)
    for name in COMMANDS:
        print(f"{name:20} {1000 * statistics.median(times[name]):6.0f} ms")
    print(f"{'ratio':20} {ours / base:6.2f} (at most {MOST})")


def _timed(command: tuple[str, ...]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
