"""Killed again and again under a stream of votes: the short version of `bench.crash`."""

from pathlib import Path

import pytest

from bench.crash import besiege

pytestmark = pytest.mark.xdist_group("telegram-process")


async def test_no_acknowledged_vote_is_lost_when_the_program_is_killed(tmp_path: Path):
    report = await besiege(tmp_path, f"sqlite:///{tmp_path}/kuis.db", kills=4, seed=7)

    assert report.good, report
    assert report.acknowledged > report.late + report.orphaned
