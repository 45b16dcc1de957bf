"""Pictures of posters: in every script, in light and in dark, and with the same words as the text.

After a change that is meant: KUIS_WRITE_DOCS=1 pytest tests/adapters/test_pictures.py, and look at
docs/images/stats-*.png.
"""

import asyncio
import io
import os
import subprocess
import sys
import threading
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.text import Text
from PIL import Image

from adapters.pictures import Studio
from adapters.pictures.drawing import DARK, LIGHT, WIDTH, Colours, draw, drawn
from adapters.pictures.fonts import drawable
from bot.posters import Bar, Chart, Poster, poster, told
from bot.progress import Sureness
from bot.text import plain
from bot.wording import words
from tests.helpers.learning import diligent, progressed

IMAGES = Path(__file__).parents[2] / "docs" / "images"
NAMES = {
    "Chinese and Japanese": "王小明 さくら",
    "Korean": "김민수",
    "Arabic": "محمد العربي",
    "Hebrew": "דוד",
    "Devanagari": "प्रिया",
    "Javanese": "ꦱꦸꦠ꧀ꦩ",
    "Thai": "สมชาย",
    "emoji": "👩‍🔬🎉",
    "formulas": "$x^2$ \\frac{1}{2} $",
    "controls": "a\u202eb\x00c\ud800\nd",
    "nothing": "",
    "long": "Bambang " * 40,
}


def of(name: str = "Ani Wijaya", language: str = "en", **more: object) -> Poster:
    found = replace(progressed(diligent(), language), **more)  # type: ignore[arg-type]
    return poster(name, found, words(language))


def size(png: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(png)).size


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_pictures_in_the_guide_are_what_is_drawn(language: str, look: str):
    file = IMAGES / f"stats-{language}-{look}.png"

    png = draw(of(language=language), dark=look == "dark")

    if os.environ.get("KUIS_WRITE_DOCS"):
        file.write_bytes(png)
    assert len(png) < 80_000
    assert size(png)[0] == WIDTH
    assert size(png) == size(file.read_bytes())


def test_the_picture_of_how_sure_somebody_was_is_what_is_drawn():
    file = IMAGES / "stats-en-light-calibration.png"
    asked = (
        Sureness(sure=True, answered=42, right=37.0),
        Sureness(sure=False, answered=18, right=9.0),
    )

    png = draw(of(calibration=asked), dark=False)

    if os.environ.get("KUIS_WRITE_DOCS"):
        file.write_bytes(png)
    assert len(png) < 80_000
    assert size(png) == size(file.read_bytes())


@pytest.mark.parametrize("language", ["en", "id"])
def test_whatever_the_picture_says_the_text_says_too(language: str):
    sure = (Sureness(sure=True, answered=10, right=7.0),)
    found = of(language=language, calibration=sure)
    text = " ".join(plain(part) for part in told(found))
    calendar = {*found.calendar.weekdays, *(name for _, name in found.calendar.months)}

    figure = drawn(found, dark=False)

    shown = [one.get_text() for one in figure.findobj(Text) if one.get_text()]
    told_in_lines = " ".join(text.split())
    missing = [
        one
        for one in shown
        if one not in told_in_lines and one not in calendar and one != found.heading
    ]
    assert missing == []
    for bar in (*found.weeks.bars, *found.subjects.bars, *found.sureness.bars):
        assert {bar.label, bar.figure} <= set(shown)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_in_any_script_can_be_drawn(name: str, caplog: pytest.LogCaptureFixture):
    chart = Chart(title=name, bars=(Bar(label=name, share=0.5, figure="50%", note=name),))
    found = replace(of(name), subjects=chart, next=f"Go over “{name}”.")

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        png = draw(found, dark=False)

    assert size(png)[0] == WIDTH
    assert caplog.records == []


def test_what_no_font_can_write_is_left_out():
    assert drawable("Ani 👩‍🔬 Wijaya") == "Ani Wijaya"
    assert drawable("Zoë Łukasz Ωmega Дима") == "Zoë Łukasz Ωmega Дима"
    assert drawable("a\u0301") == "á"


def test_a_long_title_is_cut_and_stays_on_the_sheet():
    title = "A very long title of a pack that nobody would want to read on a phone"
    found = replace(of(), subjects=Chart(title="S", bars=(Bar(label=title, share=1.0),)))

    figure = drawn(found, dark=False)

    canvas = figure.canvas
    edges = [one.get_window_extent(canvas.get_renderer()) for one in figure.findobj(Text)]  # type: ignore[attr-defined]
    assert all(edge.x0 >= -1 and edge.x1 <= WIDTH + 1 for edge in edges)
    assert any(one.get_text().endswith("…") for one in figure.findobj(Text))


def test_a_poster_with_hardly_anything_on_it_is_drawn_too():
    first = poster("Ani", progressed(diligent()[:1]), words("en"))
    nothing = poster("Ani", progressed([]), words("en"))

    assert size(draw(first, dark=False))[0] == size(draw(nothing, dark=True))[0] == WIDTH


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_texts_stand_out_from_the_paper(colours: Colours):
    assert contrast(colours.ink, colours.paper) > 7
    assert contrast(colours.soft, colours.paper) > 4.5
    assert contrast(colours.strong, colours.track) > 3


def contrast(one: str, other: str) -> float:
    """Compute WCAG's contrast of two colours like #1c2024."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dim, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dim + 0.05)


async def test_while_pictures_are_drawn_everything_else_goes_on():
    studio = Studio()
    beats = 0
    drawing = asyncio.gather(*(studio.picture(of(), dark=dark) for dark in (False, True)))
    while not drawing.done():
        await asyncio.sleep(0)
        beats += 1

    pictures = await drawing

    assert all(pictures)
    assert beats > 10
    assert await studio.apart(threading.get_ident) != threading.get_ident()


def test_matplotlib_is_loaded_only_when_something_is_drawn():
    code = (
        "import sys, adapters.cli.wiring, bot.desk, adapters.telegram, adapters.discord;"
        "print(sorted({'matplotlib', 'numpy', 'PIL'} & set(sys.modules)))"
    )
    ran = subprocess.run(  # noqa: S603 - this Python
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )

    assert ran.stdout.strip() == "[]"
