"""Drawing: a poster as a picture for a phone, in light or dark colours.

Everything is placed in pixels from the top left corner; chats show the picture about as wide as a
phone, so that the smallest letters are as large as the chat's own.
"""

import io
import threading
from bisect import bisect_right
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from PIL import Image

from adapters.pictures.fonts import drawable, families
from bot.posters import Bar, Calendar, Chart, Poster
from bot.text import plain

WIDTH = 680
MARGIN = 36
INNER = WIDTH - 2 * MARGIN
DPI = 100
PALETTE = 64

HEADING, HEADLINE, TITLE, TEXT, SMALL = 40, 27, 28, 25, 22
"""Heights of letters in pixels."""

COLUMNS = 150
FEWEST = 7
BAR = 18
CELL, GAP = 32, 6
"""Of the calendar: how large a day is, and what is between two."""

_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Colours:
    """What is drawn in which colour; texts are legible on the paper (WCAG AA)."""

    paper: str
    ink: str
    soft: str
    strong: str
    track: str


LIGHT = Colours(paper="#ffffff", ink="#1c2024", soft="#5a6270", strong="#1f6feb", track="#e6eaf0")
DARK = Colours(paper="#1e2024", ink="#f2f4f7", soft="#b3bac5", strong="#6cb0ff", track="#363a42")


def draw(poster: Poster, *, dark: bool) -> bytes:
    """Draw a poster as PNG."""
    with _one_at_a_time:
        canvas = FigureCanvasAgg(drawn(poster, dark=dark))
        canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    whole = Image.fromarray(pixels).convert("RGB")
    small = whole.quantize(PALETTE, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    small.save(packed, format="png", compress_level=6)  # smaller ones hold everybody up
    return packed.getvalue()


def drawn(poster: Poster, *, dark: bool) -> Figure:
    """Draw a poster on a figure, once to see how high it becomes, then for good."""
    colours = DARK if dark else LIGHT
    with mpl.rc_context({"font.family": list(families()), "text.parse_math": False}):
        height = _Sheet(colours, 100).fill(poster)
        sheet = _Sheet(colours, height)
        sheet.fill(poster)
    return sheet.figure


class _Sheet:
    """A sheet that is filled from top to bottom; `y` is where the next thing begins."""

    def __init__(self, colours: Colours, height: int) -> None:
        self.colours = colours
        self.height = height
        self.y = float(MARGIN)
        self.figure = Figure(figsize=(WIDTH / DPI, height / DPI), facecolor=colours.paper)
        self.canvas = FigureCanvasAgg(self.figure)

    def fill(self, poster: Poster) -> int:
        """Put everything on it, and give how high it had to be."""
        self.line(poster.heading, HEADING, bold=True)
        self.paragraph(plain(poster.headline), HEADLINE)
        self.paragraph(poster.small, SMALL, self.colours.soft)
        self.columns(poster.weeks)
        self.rows(poster.subjects)
        self.rows(poster.sureness)
        self.days(poster.calendar)
        self.title(poster.next_title)
        self.paragraph(poster.next, TEXT)
        return ceil(self.y + MARGIN / 2)

    # ------------------------------------------------------------ texts

    def text(  # noqa: PLR0913 - where, what and how
        self,
        x: float,
        y: float,
        said: str,
        size: float,
        *,
        colour: str = "",
        bold: bool = False,
        align: str = "left",
    ) -> None:
        """Write a line with its top at `y`; what no font can write is left out."""
        self.figure.text(
            x / WIDTH,
            1 - (y + size) / self.height,
            drawable(said),
            fontsize=_points(size),
            color=colour or self.colours.ink,
            fontweight="bold" if bold else "normal",
            horizontalalignment=align,
            verticalalignment="baseline",
        )

    def line(self, said: str, size: float, colour: str = "", *, bold: bool = False) -> None:
        """Write a line of its own, cut where the sheet ends; nothing takes no room."""
        if drawable(said):
            shown = self.cut(said, size, INNER, bold=bold)
            self.text(MARGIN, self.y, shown, size, colour=colour, bold=bold)
            self.y += size * 1.5

    def title(self, said: str) -> None:
        """Begin a part."""
        self.y += TITLE * 0.7
        self.line(said, TITLE, bold=True)

    def width(self, said: str, size: float, *, bold: bool = False) -> float:
        """Measure a line in pixels."""
        weight = "bold" if bold else "normal"
        shown = drawable(said)
        probe = self.figure.text(0, 0, shown, fontsize=_points(size), fontweight=weight)
        wide = probe.get_window_extent(self.canvas.get_renderer()).width  # type: ignore[no-untyped-call]
        probe.remove()
        return float(wide)

    def cut(self, said: str, size: float, most: float, *, bold: bool = False) -> str:
        """Shorten a line until it fits."""
        shown = drawable(said)
        if self.width(shown, size, bold=bold) <= most:
            return shown
        fitting = bisect_right(
            range(len(shown)), most, key=lambda end: self.width(f"{shown[:end]}…", size, bold=bold)
        )
        return f"{shown[: max(fitting - 1, 0)].rstrip()}…"

    def paragraph(self, said: str, size: float, colour: str = "") -> None:
        """Write a sentence in as many lines as it needs."""
        line = ""
        for word in drawable(said).split():
            longer = f"{line} {word}".strip()
            if line and self.width(longer, size) > INNER:
                self.line(line, size, colour)
                longer = word
            line = longer
        self.line(line, size, colour)

    # ------------------------------------------------------------ shapes

    def box(self, x: float, y: float, wide: float, high: float, colour: str) -> None:
        """Draw a box with rounded corners."""
        if wide <= 0 or high <= 0:
            return
        round_ = min(8.0, wide / 2, high / 2)
        shape = FancyBboxPatch(
            (x + round_, self.height - y - high + round_),
            wide - 2 * round_,
            high - 2 * round_,
            boxstyle=f"round,pad={round_},rounding_size={round_}",
            facecolor=colour,
            linewidth=0,
            transform=None,
        )
        self.figure.add_artist(shape)

    def frame(self, x: float, y: float, side: float) -> None:
        """Draw the outline of a day."""
        shape = Rectangle(
            (x, self.height - y - side),
            side,
            side,
            fill=False,
            edgecolor=self.colours.ink,
            linewidth=2,
            transform=None,
        )
        self.figure.add_artist(shape)

    # ------------------------------------------------------------ charts

    def columns(self, chart: Chart) -> None:
        """Draw bars side by side, for weeks; a share of 1 is as high as the grey behind it."""
        if not chart.bars:
            return
        self.title(chart.title)
        step = (INNER + 2 * GAP) / max(len(chart.bars), FEWEST)
        for at, bar in enumerate(chart.bars):
            x, wide = MARGIN + at * step, step - 2 * GAP
            top = self.y + SMALL * 1.4
            high = COLUMNS * (bar.share or 0.0)
            self.box(x, top, wide, COLUMNS, self.colours.track)
            self.box(x, top + COLUMNS - high, wide, high, self.colours.strong)
            middle = x + wide / 2
            self.text(middle, self.y, bar.figure, SMALL, bold=True, align="center")
            below, soft = top + COLUMNS + GAP, self.colours.soft
            self.text(middle, below, bar.label, SMALL, colour=soft, align="center")
        self.y += SMALL * 2.9 + COLUMNS + GAP

    def rows(self, chart: Chart) -> None:
        """Draw bars below one another, each under its name."""
        if not chart.bars:
            return
        self.title(chart.title)
        for bar in chart.bars:
            self.row(bar)

    def row(self, bar: Bar) -> None:
        """Draw one bar: its name and share above it, what else there is to say beside it."""
        right = MARGIN + INNER
        name = self.cut(bar.label, TEXT, INNER - 96)
        self.text(MARGIN, self.y, name, TEXT)
        self.text(right, self.y, bar.figure, TEXT, bold=True, align="right")
        self.y += TEXT * 1.4
        long = INNER * 0.6
        self.box(MARGIN, self.y, long, BAR, self.colours.track)
        self.box(MARGIN, self.y, long * (bar.share or 0.0), BAR, self.colours.strong)
        self.text(right, self.y - 4, bar.note, SMALL, colour=self.colours.soft, align="right")
        self.y += BAR + TEXT * 0.8

    def days(self, calendar: Calendar) -> None:
        """Draw a calendar: a column for each week, a row for each day of the week."""
        self.title(calendar.title)
        self.paragraph(calendar.note, TEXT)
        soft, step = self.colours.soft, CELL + GAP
        left = MARGIN + 20 + max(self.width(name, SMALL) for name in calendar.weekdays)
        for monday, name in calendar.months:
            x = left + (monday - calendar.first).days // 7 * step
            self.text(x, self.y, name, SMALL, colour=soft)
        self.y += SMALL * 1.5
        for row, name in enumerate(calendar.weekdays):
            self.text(MARGIN, self.y + row * step + 3, name, SMALL, colour=soft)
        for at in range((calendar.today - calendar.first).days + 1):
            day = calendar.first + timedelta(days=at)
            x, y = left + at // 7 * step, self.y + at % 7 * step
            marked = day in calendar.marked
            self.box(x, y, CELL, CELL, self.colours.strong if marked else self.colours.track)
            if day == calendar.today:
                self.frame(x - 2, y - 2, CELL + 4)
        self.y += 7 * step


def _points(pixels: float) -> float:
    return pixels * 72 / DPI
