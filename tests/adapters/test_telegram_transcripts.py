"""The pages that show Kuis on Telegram say what it says.

After a change that is meant: KUIS_WRITE_DOCS=1 pytest tests/adapters/test_telegram_transcripts.py
"""

import os

import pytest

from tests.helpers.telegram_scenes import DOCS, written


@pytest.mark.parametrize("language", ["en", "id"])
async def test_the_transcripts_show_what_the_bot_says(language: str):
    file = DOCS / f"telegram-transcript.{language}.md"

    page = await written(language)

    if os.environ.get("KUIS_WRITE_DOCS"):
        file.write_text(page)
    assert file.read_text() == page
