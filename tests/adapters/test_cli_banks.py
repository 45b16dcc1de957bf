"""Commands about quizzes that were brought in by chat."""

import asyncio
import json
from itertools import count
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.cli import app
from adapters.storage import open_store
from bot.answering import Given
from bot.banks import StoredPack
from bot.corrections import Challenge
from bot.errors import KuisError
from bot.formats import markdown
from bot.host import Host
from bot.ids import PackId
from bot.modes import Mode, Rules
from bot.packs import Home, Library, Reach
from bot.people import Alias
from bot.review_panels import REVIEW
from bot.session import Session
from bot.submissions import Chosen
from bot.wishes import Mixture
from tests.helpers.doubles import Recorder, Watch
from tests.helpers.samples import CHOICE, NOON, edition

BANK = PackId("bank-1")


@pytest.fixture(autouse=True)
def reviewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Ani has answered, in a review, an item of a quiz that was brought in, and challenged it."""
    url = f"sqlite:///{tmp_path}/kuis.db"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("KUIS_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("USER", "ani")
    monkeypatch.setenv("LOGNAME", "ani")
    monkeypatch.chdir(tmp_path)
    return asyncio.run(_reviewed(url))


async def _reviewed(url: str) -> Session:
    async with await open_store(url) as store:
        room = await store.room(Alias(platform="terminal", external="local"))
        ani = await store.participant(Alias(platform="terminal", external="ani"), name="Ani")
        bank = StoredPack(
            id=BANK,
            owner=ani.id,
            home=Home(reach=Reach.ROOM, target=room.id),
            language="en",
            title="Bank",
            text=markdown.write(edition(CHOICE, pack=BANK)),
            created=NOON,
            changed=NOON,
        )
        await store.keep_pack(bank)
        host = Host(
            store=store,
            clock=Watch(),
            library=Library(),
            chats={"terminal": Recorder()},
            seeds=count(1).__next__,
        )
        await host.shelves.know(BANK)
        wish = Mixture(pack_id=REVIEW, items=((BANK, CHOICE.id),), rules=Rules(mode=Mode.SOLO))
        session = await host.start(wish, room=room, by=ani)
        assert isinstance(session, Session)
        given = Given(session=session.id, turn=0, answer=Chosen(frozenset({1})), by=ani, at=NOON)
        assert await host.answer(given) is None
        challenge = Challenge(
            session=session.id,
            turn=0,
            room=room.id,
            pack=BANK,
            item=CHOICE.id,
            participant=ani.id,
            at=NOON,
        )
        await store.challenge(challenge)
        await host.close()
        return session


def kuis(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def test_history_names_what_was_answered():
    (session,) = json.loads(kuis("history", "--json"))

    (answer,) = session["responses"]
    assert (answer["pack"], answer["item"]) == (BANK, CHOICE.id)
    assert answer["response"] == CHOICE.options[1].text
    assert CHOICE.stem in kuis("history")


def test_insight_and_results_are_about_it_by_its_id(reviewed: Session):
    assert "1 person" in kuis("insight", BANK)
    assert "1 person" in kuis("insight", BANK, "--session", reviewed.id)
    assert CHOICE.id in kuis("results", BANK)
    assert CHOICE.id in kuis("results", "--session", reviewed.id)


def test_a_session_of_several_quizzes_needs_the_name_of_one(reviewed: Session):
    with pytest.raises(KuisError, match="name one of them too"):
        kuis("insight", "--session", reviewed.id)


def test_its_challenges_are_listed_and_its_keys_corrected():
    assert CHOICE.stem in kuis("challenges")
    assert "1 person was scored again" in kuis("correct", BANK, "1", "--key", "A", "--yes")
    assert "No question is challenged" in kuis("challenges")
