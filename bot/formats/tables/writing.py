"""Writing question sheets that read back as the same items: CSV and XLSX."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from bot.formats import places
from bot.formats.findings import PARTS, Remark, Severity
from bot.formats.html import from_plain
from bot.formats.plaintext import LEFT_OUT, remark
from bot.intervals import written
from bot.items import (
    Choice,
    Item,
    MultiChoice,
    Numeric,
    Option,
    ShortText,
    TrueFalse,
    keys,
)
from bot.numbers import number
from bot.packs import Edition
from bot.text import Markdown, blocks, plain
from bot.wording import phrase


def write(edition: Edition) -> tuple[str, tuple[Remark, ...]]:
    """Write an edition as CSV with commas, and say what has no column."""
    table = io.StringIO()
    csv.writer(table, lineterminator="\r\n").writerows(_rows(edition))
    return table.getvalue(), _lost(edition)


def write_xlsx(edition: Edition) -> tuple[bytes, tuple[Remark, ...]]:
    """Write an edition as a workbook of one sheet, in which every cell is text."""
    from openpyxl import Workbook  # noqa: PLC0415 - loaded when needed
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415 - as above

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Questions")
    for row in _rows(edition):
        cells = [WriteOnlyCell(sheet, value=text) for text in row]
        for cell in cells:
            cell.data_type = "s"
        sheet.append(cells)
    table = io.BytesIO()
    book.save(table)
    return table.getvalue(), _lost(edition)


_FORMULA = re.compile(r"'*[=+\-@]")
_TRUTH = {"id": ("Benar", "Salah")}
KINDS = {
    "Choice": "choice",
    "MultiChoice": "multiple answers",
    "TrueFalse": "true/false",
    "ShortText": "short answer",
    "Numeric": "number",
}


def _rows(edition: Edition) -> Iterator[list[str]]:
    """Give the header and a row for each item; columns of options as far as the longest needs."""
    width = max((len(answers(item, edition.language)) for item in edition.items), default=0)
    numbers = range(1, width + 1)
    weighted = any(map(credits_of, edition.items))
    yield [
        "item id",
        "type",
        "question",
        *(f"option {place}" for place in numbers),
        "correct (number)",
        "explanation",
        *(f"feedback {place}" for place in numbers),
        "time limit",
        "tags",
        "settings",
        "format",
        *(f"credit {place}" for place in numbers if weighted),
    ]
    for item in edition.items:
        cells = [*_cells(item, edition.language, width), *credits_of(item)]
        yield [_guarded(cell) for cell in cells]


def answers(item: Item, language: str) -> Sequence[Option]:
    """Give what stands in the columns of options: options, or what may be typed."""
    match item:
        case Choice() | MultiChoice():
            return item.options
        case TrueFalse():
            reasons = (item.when_true, item.when_false)
            words = map(Markdown, _TRUTH.get(language, ("True", "False")))
            return [Option(text=w, rationale=r) for w, r in zip(words, reasons, strict=True)]
        case ShortText():
            return [Option(text=Markdown(text)) for text in item.accepted]
        case Numeric():
            return [Option(text=Markdown(written(accepted))) for accepted in item.accepted]


def _cells(item: Item, language: str, width: int) -> list[str]:
    options = answers(item, language)
    typed = isinstance(item, ShortText | Numeric)
    reasons = [option.rationale for option in options]
    as_markdown = not all(map(_is_bare, texts_of(item, language)))

    def cell(text: Markdown) -> str:
        return str(text) if as_markdown else plain(text)

    gap = [""] * (width - len(options))
    return [
        item.id,
        KINDS[type(item).__name__],
        cell(item.stem),
        *(option.text if typed else cell(option.text) for option in options),
        *gap,
        ",".join(str(place + 1) for place in sorted(keys(item))),
        cell(item.rationale),
        *map(cell, reasons),
        *gap,
        str(item.seconds or ""),
        ", ".join(item.tags),
        " ".join(settings(item)),
        "markdown" if as_markdown else "",
    ]


def _is_bare(text: Markdown) -> bool:
    """Tell whether a text reads back as it is from its plain form."""
    return blocks(from_plain(plain(text).strip())) == blocks(text)


def texts_of(item: Item, language: str) -> tuple[Markdown, ...]:
    """List everything of an item that is Markdown."""
    options = answers(item, language)
    shown = () if isinstance(item, ShortText | Numeric) else (o.text for o in options)
    return (item.stem, item.rationale, *shown, *(option.rationale for option in options))


def settings(item: Item) -> Iterator[str]:
    """Give the words that stand for an author's wishes."""
    match item:
        case Choice() | MultiChoice():
            yield from ["keep-order"] * item.keep_order
        case ShortText():
            yield from ["any-accents"] * item.any_accents
            yield from [f"typos={item.typos}"] * bool(item.typos)
        case TrueFalse() | Numeric():
            pass


def credits_of(item: Item) -> list[str]:
    """List what options or accepted texts earn; nothing if their author does not say."""
    match item:
        case Choice() | MultiChoice():
            weights = [option.weight for option in item.options]
            known = any(weight is not None for weight in weights)
            return ["" if weight is None else repr(weight) for weight in weights] if known else []
        case ShortText() | Numeric():
            return [repr(credit) for credit in item.credits]
        case TrueFalse():
            return []


def _guarded(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run as a formula."""
    return f"'{cell}" if _FORMULA.match(cell) and number(cell) is None else cell


def _lost(edition: Edition) -> tuple[Remark, ...]:
    """Say what belongs to the pack as a whole, for which a table has no place."""
    names = ("title", "language", "description", "tags", "licence", "author", "source")
    kept = [PARTS[name] for name in names if getattr(edition, name)]
    kept += [] if edition.shuffle else [phrase("wish not to shuffle")]
    if not kept:
        return ()
    reason = phrase("A table has no place for the pack's {kept}.", kept=kept)
    return (remark(Severity.CHANGED, places.FILE, edition.title, reason, LEFT_OUT),)
