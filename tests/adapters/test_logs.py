"""Logs: readable for people, JSON for machines, and never a secret in them."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from adapters.cli.logs import start_logging, striking

TOKEN = "123456789:AAHk3-secret_secret_secret_secret99"  # noqa: S105 - opens nothing
DISCORD = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.0123456789abcdefghijklmnopqrstuvwxyzAB"


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    yield
    root.setLevel(before[0])
    root.handlers[:] = before[1]
    for name in ("bot", "adapters"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def test_a_machine_reads_one_json_document_a_line():
    out = io.StringIO()
    start_logging("info", stream=out)

    logging.getLogger("bot.host").warning("not delivered", extra={"session": "s1"})

    line = json.loads(out.getvalue())
    assert (line["event"], line["session"], line["level"]) == ("not delivered", "s1", "warning")
    assert line["logger"] == "bot.host"
    assert line["timestamp"].endswith("Z")


def test_a_person_reads_a_line():
    out = Screen()
    start_logging("info", stream=out)

    logging.getLogger("bot.host").info("serving")

    assert "serving" in out.getvalue()
    assert "{" not in out.getvalue()


def test_a_trace_is_shown_without_what_variables_hold():
    for out in (Screen(), io.StringIO()):
        start_logging("info", stream=out)
        name = "Ani Rahmawati"
        try:
            int(name[:0])
        except ValueError:
            logging.getLogger("bot.host").exception("failed")

        assert "ValueError: invalid literal" in out.getvalue()
        assert "Rahmawati" not in out.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        f"POST https://api.telegram.org/bot{TOKEN}/getMe",
        f"bot{TOKEN.replace(':', '%3A')}",
        f"header Authorization: Bot {DISCORD}",
        "postgresql://kuis:hunter2hunter@db.example.org/kuis",
    ],
)
def test_whatever_looks_like_a_secret_is_struck_out(line):
    struck = striking(())(line)

    assert "[secret]" in struck
    assert not any(part in struck for part in ("secret_secret", "GabcdE", "hunter2"))


def test_what_is_configured_is_struck_out_in_every_form_it_may_have():
    strike = striking(["12:short-token", 'pass"word'])

    line = strike(json.dumps({"url": "/bot12%3Ashort-token/x", "why": 'the pass"word'}))

    assert "short-token" not in line
    assert "pass" not in line


def test_ordinary_lines_stay_as_they_are():
    line = "2026-03-04T12:00:00.000000Z session 0a1b2c3d4e5f, https://example.org/a:b?c=d@e"

    assert striking([""])(line) == line


def test_a_trace_with_a_secret_in_it_is_struck_out():
    out = io.StringIO()
    start_logging("info", [TOKEN], stream=out)

    try:
        raise OSError(f"https://api.telegram.org/bot{TOKEN}/getMe")  # noqa: EM102, TRY301
    except OSError:
        logging.getLogger("adapters.telegram").exception("no connection")

    assert "secret_secret" not in out.getvalue()
    assert "no connection" in out.getvalue()


def test_other_libraries_tell_only_what_went_wrong():
    out = io.StringIO()
    start_logging("debug", stream=out)

    logging.getLogger("httpx").info("POST sendMessage text=Ani")
    logging.getLogger("aiosqlite").debug("INSERT Ani")
    logging.getLogger("discord.http").warning("told to wait")
    logging.getLogger("bot.host").debug("seen")

    events = [json.loads(line)["event"] for line in out.getvalue().splitlines()]
    assert events == ["told to wait", "seen"]


def test_only_errors_where_only_errors_are_wanted():
    out = io.StringIO()
    start_logging("error", stream=out)

    logging.getLogger("bot.host").warning("a pity")
    logging.getLogger("bot.host").error("bad")

    assert [json.loads(line)["event"] for line in out.getvalue().splitlines()] == ["bad"]
