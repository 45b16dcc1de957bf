"""Drawing for Discord: every text shows as it was meant, and nothing is too long or cut off."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.discord.drawing import draw
from adapters.discord.markup import discord_text, escaped
from bot.actions import Action, Verb
from bot.ids import SessionId
from bot.panels import Button, Entry, Form, OptionLine, Panel, Role, Tone
from bot.text import Markdown
from tests.helpers.discord_limits import violations
from tests.helpers.discord_looks import buttons, texts, walk


def sent(panel: Panel) -> Any:
    """Draw a panel and give what would be sent, after a look at the limits."""
    drawing = draw(panel)
    components = drawing.view.to_components()
    body = {"components": components, "allowed_mentions": {"parse": []}}
    assert violations([SimpleNamespace(method="POST", path="/x", json=body)]) == []
    return SimpleNamespace(components=components, files=drawing.files)


def form(entry: Entry) -> Form:
    return Form(session=SessionId("s1"), turn=0, entry=entry)


def options(count: int, text: str = "text") -> tuple[OptionLine, ...]:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return tuple(OptionLine(letter=letters[n], place=n, text=Markdown(text)) for n in range(count))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("plain", "plain"),
        ("**bold** *soft* ~~gone~~ `a*b`", "**bold** *soft* ~~gone~~ `a*b`"),
        ("``a`b``", "`` a`b ``"),
        ("```python\nx = 1\n```", "```python\nx = 1\n```"),
        ("- one\n- two", "- one\n- two"),
        ("1. one\n2. two", "1. one\n2. two"),
        ("> wise", "> wise"),
        ("$x^2$", "x²"),
        ("[text](https://example.org/a_b)", "[text](<https://example.org/a_b>)"),
        ("[text](mailto:a@example.org)", "text"),
        ("snake\\_case \\# 3 \\* 4", r"snake\_case # 3 \* 4"),
        ("\\# no heading", r"\# no heading"),
        ("see https://example.org/a_b now", "see https://example.org/a_b now"),
    ],
)
async def test_markdown_is_written_as_discord_reads_it(source: str, shown: str) -> None:
    assert discord_text(Markdown(source)) == shown


async def test_plain_text_cannot_become_markup_or_a_mention() -> None:
    assert escaped("<@1> @everyone **x** `y` ||z||") == (
        r"\<\@1> \@everyone \*\*x\*\* \`y\` \|\|z\|\|"
    )


async def test_a_fence_in_code_does_not_end_the_code() -> None:
    assert discord_text(Markdown("~~~\n```\n~~~")).count("```") == 2


async def test_the_longest_item_a_pack_may_hold_fits_as_a_question() -> None:
    panel = Panel(
        role=Role.QUESTION,
        progress="1/8",
        body=(Markdown("word " * 580),),
        options=options(26, "x" * 20),
        form=form(Entry.ONE),
        language="en",
    )

    message = sent(panel)

    assert len(buttons(message)) == 26
    assert message.files == []


async def test_what_is_too_long_for_a_message_comes_along_whole_as_a_file() -> None:
    panel = Panel(
        role=Role.REVEAL,
        tone=Tone.WRONG,
        heading="Not quite",
        body=(Markdown("stem " * 500),),
        options=options(4, "option " * 50),
        notes=(Markdown("why " * 240), Markdown("reason " * 400)),
        buttons=(Button(label="Next", action=Action(verb=Verb.NEXT)),),
        language="en",
    )

    message = sent(panel)

    (file,) = message.files
    content = file.fp.read().decode()
    assert all(text in content for text in ("stem " * 500, "reason " * 400, "why " * 240))
    assert "The full text is in the file." in texts(message.components)
    assert "Not quite" in texts(message.components)
    assert "Next" in buttons(message)


async def test_more_options_than_a_menu_takes_are_answered_by_typing() -> None:
    panel = Panel(
        role=Role.QUESTION, body=(Markdown("Which?"),), options=options(26), form=form(Entry.MANY)
    )

    assert list(buttons(sent(panel))) == ["✏️ Answer"]


async def test_a_menu_entry_that_is_too_long_ends_in_an_ellipsis() -> None:
    panel = Panel(
        role=Role.QUESTION,
        body=(Markdown("Which?"),),
        options=options(4, "word " * 40),
        form=form(Entry.MANY),
    )

    (menu,) = [part for part in walk(sent(panel).components) if part["type"] == 3]

    assert all(entry["label"].endswith("…") for entry in menu["options"])


async def test_pictures_are_shown_with_their_alternative_text(tmp_path: Path) -> None:
    picture = tmp_path / "graph.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    source = f"See:\n\n![A graph]({picture})\n\n![A map](https://example.org/map.png)"
    panel = Panel(
        role=Role.QUESTION,
        body=(Markdown(source),),
        options=options(2),
        form=form(Entry.ONE),
    )

    message = sent(panel)

    (gallery,) = [part for part in walk(message.components) if part["type"] == 12]
    urls = [(item["media"]["url"], item["description"]) for item in gallery["items"]]
    assert urls == [
        ("attachment://picture-1.png", "A graph"),
        ("https://example.org/map.png", "A map"),
    ]
    assert len(message.files) == 1
    message.files[0].close()
