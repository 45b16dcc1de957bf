"""Writing a native pack, so that reading it gives the same edition again."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bot.cleaning import clean
from bot.formats.markdown import front_matter, headings, pieces
from bot.intervals import written
from bot.items import Choice, Item, MultiChoice, Numeric, Option, ShortText, TrueFalse, keys
from bot.packs import Edition
from bot.text import Markdown


def write(edition: Edition, *, blank: bool = False) -> str:
    """Write an edition as a pack; what would be read as something else is escaped.

    A `blank` one has no x in any box: a sheet to fill in.
    """
    items = (_item(item, edition.language, blank=blank) for item in edition.items)
    return "\n\n".join((front_matter.write(edition), *items)) + "\n"


def _item(item: Item, language: str, *, blank: bool) -> str:
    stem = _harmless(item.stem)
    line, below = _divided(stem)
    heading = " ".join(part for part in ("##", line, headings.attributes(item)) if part)
    answers = "\n".join(_answers(item, _sign(stem), language, blank=blank))
    rationale = pieces.quote(item.rationale) if item.rationale else ""
    return "\n\n".join(part for part in (heading, below, answers, rationale) if part)


def _harmless(stem: str) -> str:
    """Escape what would end a stem: headings, lists like those of answers, code that never ends."""
    lines = stem.split("\n")
    for piece in pieces.read(stem):
        if piece.type == "heading":
            lines[piece.start] = lines[piece.start].replace("#", "\\#", 1)
        elif pieces.is_answers(piece):
            for block in filter(None, map(pieces.first, pieces.split(piece.inner))):
                lines[block.start] = re.sub(r"[\[=]", r"\\\g<0>", lines[block.start], count=1)
        elif pieces.is_open(piece, lines):
            lines.append(piece.token.markup)
    return "\n".join(lines)


def _divided(stem: str) -> tuple[str, str]:
    """Divide a stem into the heading's line, if it begins with one, and what stands below."""
    line, _, below = stem.partition("\n\n")
    fits = "\n" not in line and line == line.strip() and below == clean(below)
    fits = fits and pieces.is_one_paragraph(line)
    return (line, below) if fits else ("", stem)


def _sign(stem: str) -> str:
    """Choose a sign for the answers that does not continue a list at the end of the stem."""
    last = pieces.read(stem)[-1:]
    used = last[0].token.markup if last and last[0].type == "bullet_list" else ""
    return "*" if used == "-" else "-"


def _answers(item: Item, sign: str, language: str, *, blank: bool) -> Iterator[str]:
    match item:
        case Choice() | MultiChoice():
            for place, option in enumerate(item.options):
                yield _option(option, sign, key=place in keys(item) and not blank)
        case TrueFalse():
            words = _TRUTH.get(language, _TRUTH["en"])
            reasons = (item.when_true, item.when_false)
            for word, reason, key in zip(words, reasons, (item.key, not item.key), strict=True):
                option = Option(text=Markdown(word), rationale=reason)
                yield _option(option, sign, key=key and not blank)
        case ShortText():
            yield from _typed(map(_coded, item.accepted), item.credits, sign)
        case Numeric():
            yield from _typed(map(written, item.accepted), item.credits, sign)


def _typed(texts: Iterator[str], credits_: Sequence[float], sign: str) -> Iterator[str]:
    for text, credit in zip_longest(texts, credits_, fillvalue=1.0):
        yield f"{sign} = {text}" if credit == 1 else f"{sign} = [{pieces.percent(credit)}] {text}"


_TRUTH = {"en": ("True", "False"), "id": ("Benar", "Salah")}


def _option(option: Option, sign: str, *, key: bool) -> str:
    weight = "" if option.weight is None else pieces.percent(option.weight)
    box = f"{sign} [{' '.join(filter(None, ('x' * key, weight))) or ' '}]"
    reason = str(option.rationale)
    if pieces.is_one_paragraph(option.text):
        quoted = pieces.quote(reason) if pieces.is_one_quote(reason) else reason
        parts = [f"{box} {option.text}", quoted]
    else:
        quoted = pieces.quote(reason) if reason or pieces.ends_in_quote(option.text) else ""
        parts = [box, option.text, quoted]
    lines = "\n\n".join(part for part in parts if part).split("\n")
    return "\n".join([lines[0], *(f"  {line}" if line else line for line in lines[1:])])


def _coded(text: str) -> str:
    """Put an answer that begins and ends with backticks, or like a credit, into more of them."""
    if not (text.startswith("`") and text.endswith("`")) and not pieces.CREDIT.match(text):
        return text
    fence = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    return f"{fence} {text} {fence}"
