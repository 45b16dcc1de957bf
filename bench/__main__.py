"""Every bench, one after another: `make bench`. What the numbers mean is in docs/performance.md."""

import subprocess
import sys

BENCHES = (
    "startup",
    "responses",
    "engine",
    "close",
    "rescore",
    "boards",
    "service",
    "discord",
    "telegram",
    "formats",
    "review",
    "insight",
)


def main() -> int:
    """Run each in a process of its own, so that none measures what another has left."""
    worst = 0
    for name in BENCHES:
        print(f"\n== {name}", flush=True)
        done = subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False)  # noqa: S603
        worst = max(worst, done.returncode)
    print("\n== crash: run `python -m bench.crash` for it; it takes a quarter of an hour")
    return worst


if __name__ == "__main__":
    sys.exit(main())
