"""The screen: lines go out, lines come in. The only place here that touches a terminal."""

import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from adapters.terminal.drawing import Look, draw, look_at, paragraphs
from adapters.terminal.markup import hang, lines_of
from bot.panels import Panel
from bot.text import Markdown
from bot.wording import Words

# What a terminal would obey instead of showing it, in a name or in somebody's pack.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Screen:
    """Shows panels and asks for lines; `interactive` tells that a person sits in front of it.

    From a pipe no prompt is drawn, and whoever writes the answers is not asked to wait.
    """

    def __init__(
        self, *, console: Console, words: Words, read: Callable[[], str], interactive: bool
    ) -> None:
        """Take a console, a language, and what gives the next line (empty at the end)."""
        self.words = words
        self.interactive = interactive
        self._console = console
        self._read = read

    @classmethod
    def of_process(cls, words: Words) -> Self:
        """Use the input and the output of this process."""
        for stream in (sys.stdin, sys.stdout):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        return cls(
            console=Console(highlight=False, emoji=False, markup=False),
            words=words,
            read=sys.stdin.readline,
            interactive=sys.stdin.isatty() and sys.stdout.isatty(),
        )

    def show(self, panel: Panel) -> None:
        """Draw a panel."""
        self.write(draw(panel, self._look()))

    def tell(self, *sentences: str, style: str = "") -> None:
        """Say something of one's own, in Markdown, after a blank line."""
        lines = list(paragraphs(map(Markdown, sentences), self._look()))
        for line in lines:
            line.stylize_before(style)
        self.write([Text(), *lines])

    def entry(self, front: str, source: str) -> None:
        """Say one line of a list, in Markdown; what does not fit hangs under its beginning."""
        mark, look = Text(front), self._look()
        width = look.inside(mark.cell_len).width
        self.write(hang(mark, lines_of(Markdown(source), self._console, width)))

    def write(self, lines: Iterable[Text]) -> None:
        """Print lines that already fit."""
        for line in lines:
            line.plain = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", line.plain)
            self._console.print(line, soft_wrap=True)

    def table(self, table: Table) -> None:
        """Print a table of texts."""
        self._console.print(table)

    def ask(self, prompt: str) -> str | None:
        """Take the next line; None at the end of the input and at Ctrl-C.

        This waits without letting anything else run: a quiz of one's own has no timers, and a
        thread that waits for a terminal cannot be stopped.
        """
        if self.interactive:
            self._console.print(Text(prompt, "bold cyan"), end="")
            self._console.file.flush()
        try:
            with _interruptible():
                line = self._read()
        except KeyboardInterrupt:
            line = ""
        if not line and self.interactive:
            self._console.print()
        return line.rstrip("\r\n") if line else None

    def _look(self) -> Look:
        return look_at(self._console, self.words)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end the waiting: asyncio's own handler would only note it down."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
