"""Damaged and senseless files, so many in every format: only our own errors may come of them.

    python -m bench.fuzz                          100,000 inputs a format
    python -m bench.fuzz --inputs 5000 gift qti

Inputs are cut and glued together from the corpus (which must stand beside the project), from small
pieces that look like syntax, and from noise. Each goes the whole way: recognised, read, built and
reported. An input that fails is kept in `build/fuzz`, and its number with the seed finds it again.
"""

import argparse
import random
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from bot.errors import KuisError
from bot.formats import registry
from bot.formats.findings import Source
from bot.formats.importing import bring_in

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
KEPT = Path("build/fuzz")
FOLDERS = {
    "aiken": ("aiken",),
    "anki": ("anki",),
    "gift": ("gift", "gift-in-markdown"),
    "moodle-xml": ("moodle-xml",),
    "opentdb": ("json",),
    "qti": ("qti",),
    "red-trivia": ("red-trivia",),
    "csv": ("csv-xlsx", "anki"),
    "xlsx": ("csv-xlsx",),
}
OTHERS = ("plain", "markdown", "aiken")
WHOLE = ("anki", "qti", "xlsx")
"""Formats of packed files: a small cut of one would only ever be noise."""
A_WHOLE_FILE = 0.2
PIECES = (
    b"1. a\n- b\n+ c\n",
    b'A,B\n1,"2\n',
    b'{"question":"x"}',
    b"ANSWER: A\n",
    b"::t::q{=a ~%50%b #c}",
    b"{=1 -> 2}",
    b"<item><presentation>",
    b"<question type='multichoice'>",
    b"#separator:tab\n",
    b"# t\n## q\n- [x] a\n",
    b"{{c1::a}}",
    b"$$$$",
    b"```\n",
    b'"',
    b"\x00",
    b"\xff\xfe",
    b"((((((((",
    b"<<<<<<<<",
    b"&#0;&amp;",
)


def main() -> int:
    """Read what was asked for, try every format, and give 1 if anything came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("formats", nargs="*", default=[])
    asked = parser.parse_args()
    failed = 0
    for name in asked.formats or registry.readers():
        failed += _try(name, asked.inputs, asked.seed)
    return min(failed, 1)


def _try(name: str, inputs: int, seed: int) -> int:
    chance = random.Random(f"{seed}{name}")  # noqa: S311 - chance, not a secret
    seeds = _seeds(name)
    failed = read = 0
    slowest = 0.0
    begun = time.perf_counter()
    for number in range(inputs):
        content = _input(chance, seeds, whole=name in WHOLE or chance.random() < A_WHOLE_FILE)
        before = time.perf_counter()
        try:
            found = bring_in(Source(name="bank", content=content), format=name)
            assert found.found == found.questions + len(found.waiting) + found.skipped  # noqa: S101 - the promise of every report
            read += found.found > 0
        except KuisError:
            pass
        except Exception:  # noqa: BLE001 - what it is for
            failed += 1
            KEPT.mkdir(parents=True, exist_ok=True)
            (KEPT / f"{name}-{number}").write_bytes(content)
            traceback.print_exc(limit=-3, file=sys.stdout)
        slowest = max(slowest, time.perf_counter() - before)
    seconds = time.perf_counter() - begun
    print(
        f"{name:12} {inputs:,} inputs, {read:,} with questions, {failed} failed,"
        f" slowest {slowest:.2f} s, {seconds:.0f} s in all",
        flush=True,
    )
    return failed


def _seeds(name: str) -> Sequence[bytes]:
    folders = FOLDERS.get(name, OTHERS)
    files = (file for folder in folders for file in sorted((CORPUS / folder).iterdir()))
    most = 60_000 if name in WHOLE else 20_000
    contents = (file.read_bytes() for file in files if file.is_file())
    return [content[:most] for content in contents if content] + list(PIECES)


def _input(chance: random.Random, seeds: Sequence[bytes], *, whole: bool) -> bytes:
    parts = []
    for _ in range(chance.randint(1, 4)):
        seed = chance.choice(seeds)
        start = 0 if chance.random() < 0.3 else chance.randrange(len(seed))  # noqa: PLR2004 - as often
        parts.append(seed[start : start + chance.choice((5, 50, 500, 2000))])
        if chance.random() < 0.5:  # noqa: PLR2004 - as often
            parts.append(chance.randbytes(chance.randint(0, 4)))
        if chance.random() < 0.1:  # noqa: PLR2004 - as often
            parts.append(chance.choice(PIECES) * chance.choice((1, 10, 100)))
    content = bytearray(chance.choice(seeds) if whole else b"".join(parts))
    for _ in range(chance.choice((0, 0, 1, 8))):
        if content:
            content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)


if __name__ == "__main__":
    sys.exit(main())
