"""`kuis run discord` as a process: killed, cut off, slowed down and refused, on a real wire."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.discord_process import Process, connected
from tests.helpers.discord_wire import Fault, WireDiscord, text_of, until

pytestmark = pytest.mark.xdist_group("discord-wire")

PACK = "gradient-accumulation"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[tuple[WireDiscord, Process]]:
    async with connected(tmp_path) as world:
        yield world


async def live(wire: WireDiscord, person: int, **options: Any) -> Any:
    """Start a live quiz and give its first question."""
    options = {"pack": PACK, "mode": "live", "count": 1, "seconds": 5, **options}
    await wire.command(person, "quiz", **options)
    await until(wire.public)
    return wire.public()[-1]


async def ended(wire: WireDiscord) -> str:
    """Wait for the standings."""
    await until(lambda: "Final standings" in text_of(wire.public()[-1]))
    return text_of(wire.public()[-1])


async def test_commands_are_registered_once_and_sigterm_ends_everything_politely(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, process = world

    first = await process.end()
    await process.start()
    second = await process.end()

    assert (first[0], second[0]) == (0, 0)
    assert len([r for r in wire.requests if r[0] == "PUT" and r[1].endswith("/commands")]) == 1


async def test_a_process_runs_the_shards_it_is_told_to(tmp_path: Path) -> None:
    wire = WireDiscord()
    await wire.start()
    process = Process(wire=wire, folder=tmp_path, more={"KUIS_SHARDS": "1-2/4"})
    process.child = await process.spawn()
    await until(lambda: wire.identified == 2, child=process.child)
    await asyncio.sleep(0.7)

    await live(wire, wire.person("ann"))
    code, _ = await process.end()

    assert wire.shards == [[1, 4], [2, 4]]
    assert code == 0
    await wire.stop()


async def test_a_bad_token_is_one_clear_sentence(tmp_path: Path) -> None:
    wire = WireDiscord()
    await wire.start()
    process = Process(wire=wire, folder=tmp_path, token="MTIz.bad.token")  # noqa: S106

    process.child = await process.spawn()
    async with asyncio.timeout(20):
        _, complaint = await process.child.communicate()

    assert process.child.returncode == 1
    assert complaint.decode().startswith("kuis: Discord does not accept the token")
    assert "Traceback" not in complaint.decode()
    await wire.stop()


async def test_killed_in_the_middle_of_a_private_quiz_it_goes_on_at_the_next_click(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, process = world
    ann = wire.person("ann")
    await wire.command(ann, "quiz", pack=PACK)
    (message,) = wire.private()

    await process.kill()
    await process.start()
    verdict = await wire.click(ann, message, "A")
    await process.kill()
    await process.start()
    question = await wire.click(ann, message, "Next")

    assert "Right!" in verdict or "Not quite" in verdict
    assert "2/8" in question
    assert wire.public() == []


async def test_killed_while_a_question_is_open_no_answer_is_lost_or_counted_twice(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, process = world
    ann, ben = wire.person("ann"), wire.person("ben")
    question = await live(wire, ann, seconds=8)
    told = await wire.click(ann, question, "A")

    await process.kill()
    await process.start()
    again = await wire.click(ann, question, "B")
    late = await wire.click(ben, question, "A")
    end = await ended(wire)

    assert "You answered **A**" in told
    assert "already answered **A**" in again
    assert "You answered **A**" in late
    assert "**ann**" in end
    assert "**ben**" in end
    assert sum("The answer" in text_of(message) for message in wire.public()) == 1


async def test_killed_between_answer_and_next_question_the_quiz_goes_on(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, process = world
    ann = wire.person("ann")
    question = await live(wire, ann, count=2)
    await wire.click(ann, question, "A")
    await until(lambda: "The answer" in text_of(question))

    await process.kill()
    await process.start()
    await until(lambda: "2/2" in text_of(wire.public()[-1]))
    end = await ended(wire)

    assert "**ann**" in end


async def test_killed_as_the_clock_runs_out_the_reveal_still_comes(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, process = world
    ann = wire.person("ann")
    question = await live(wire, ann)
    await wire.click(ann, question, "A")
    await asyncio.sleep(3)

    await process.kill()
    await asyncio.sleep(4)
    await process.start()
    end = await ended(wire)

    assert "**ann**" in end
    assert "The answer" in text_of(question)


async def test_a_click_missed_while_the_connection_was_down_arrives_with_resume(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, _ = world
    ann = wire.person("ann")
    question = await live(wire, ann, seconds=20, count=2)

    await wire.drop()
    record = wire.press(ann, question, "A")
    await until(lambda: wire.resumed == 1)
    again = await wire.click(ann, question, "B")

    assert wire.identified == 1
    assert record.id != 0
    assert "already answered **A**" in again


async def test_a_429_is_waited_for_and_the_question_sent_once(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, _ = world
    ann = wire.person("ann")
    wire.faults.append(
        Fault(
            method="POST",
            path="/channels/*/messages",
            status=429,
            body={"message": "slow down", "retry_after": 0.5, "global": False, "code": 0},
            headers={"Retry-After": "1", "Via": "1.1 google", "X-RateLimit-Scope": "user"},
        )
    )

    await live(wire, ann)
    end = await ended(wire)

    posts = [r for r in wire.requests if r[0] == "POST" and r[1].endswith("/messages")]
    assert "Nobody answered" in end
    assert len(posts) == 3
    assert posts[0][2]["nonce"] == posts[1][2]["nonce"]
    assert len(wire.public()) == 2


async def test_a_500_is_tried_again_with_the_same_nonce(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, _ = world
    ann = wire.person("ann")
    wire.faults.append(
        Fault(method="POST", path="/channels/*/messages", status=502, body={"message": "bad"})
    )

    await live(wire, ann)

    posts = [r for r in wire.requests if r[0] == "POST" and r[1].endswith("/messages")]
    assert len(posts) == 2
    assert posts[0][2]["nonce"] == posts[1][2]["nonce"]
    assert posts[1][2]["enforce_nonce"] is True


async def test_a_discord_that_stays_broken_pauses_the_quiz_which_can_be_resumed(
    world: tuple[WireDiscord, Process],
) -> None:
    wire, _ = world
    ann = wire.person("ann")
    wire.faults.append(
        Fault(
            method="POST",
            path="/channels/*/messages",
            status=403,
            body={"message": "Missing Permissions", "code": 50013},
            times=2,
        )
    )

    record = await wire.command(ann, "quiz", pack=PACK, mode="live")
    told = text_of(wire.backend.get_message(wire.channel.id, record.message_id))
    await wire.command(ann, "resume")
    await until(wire.public)

    assert "Allow me to send messages" in told
    assert "1/8" in text_of(wire.public()[-1])
