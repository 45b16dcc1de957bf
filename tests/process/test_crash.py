"""The short version of `bench/crash.py`: a bot killed again and again loses nothing."""

from pathlib import Path

from bench.crash import besiege


async def test_a_bot_that_is_killed_again_and_again_loses_nothing(tmp_path: Path):
    report = await besiege(tmp_path, f"sqlite:///{tmp_path}/kuis.db", kills=4, seed=7)

    assert report.good, report
    assert report.acknowledged > 0
