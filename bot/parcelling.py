"""Parcelling: what was read from a file is made fit to be kept, within bounds that are told."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.banks import LONGEST_TITLE, MOST_ITEMS
from bot.drafts import Draft, DraftOption
from bot.errors import FileRefused
from bot.formats import importing, markdown
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.importing import Import, worksheet
from bot.formats.plaintext import remark
from bot.items import Choice, Item, MultiChoice, Numeric, Option, ShortText, TrueFalse
from bot.text import Markdown, literal, pictures, plain, shorten, tidy
from bot.wording import Words, phrase

POLLS = "polls"
TITLE = 40


def read(source: Source, words: Words) -> Import:
    """Read a file. Raises FileRefused, with a sentence in the language of the reader."""
    try:
        brought = importing.bring_in(source, spoken=words.language)
    except FileRefused as refused:
        raise FileRefused(words.tell(refused.sentence)) from None
    return fit(brought, words)


def of_polls(drafts: Sequence[Draft], title: str, words: Words) -> Import:
    """Make an import of polls that somebody has forwarded. Raises FileRefused."""
    first = shorten(tidy(plain(Markdown(drafts[0].stem))), TITLE)
    haul = Haul(
        format=POLLS,
        questions=tuple(Question(draft=draft) for draft in drafts),
        title=title or words.say("Polls: {first}", first=first),
    )
    return fit(importing.sort(haul, POLLS, ("", words.language)), words)


def poll(question: str, options: Sequence[str], keys: Sequence[int], explanation: str) -> Draft:
    """Make a draft of a poll, whose texts are plain; `keys` are places, none if they are hidden."""
    return Draft(
        stem=literal(question),
        options=tuple(
            DraftOption(text=literal(option), is_key=place in keys)
            for place, option in enumerate(options)
        ),
        rationale=literal(explanation),
    )


def fit(brought: Import, words: Words) -> Import:
    """Leave out what a chat cannot keep, and refuse what is too much. Raises FileRefused."""
    count = len(brought.imported) + len(brought.waiting)
    if count > MOST_ITEMS:
        raise FileRefused(
            words.say(
                "{file} holds {n} questions. {most} are the most in one quiz: please split it.",
                file=brought.file,
                n=words.number(count),
                most=MOST_ITEMS,
            )
        )
    brought = _without_files(brought)
    edition = replace(
        brought.edition,
        title=shorten(tidy(brought.edition.title) or brought.file, LONGEST_TITLE),
        language=_code(brought.edition.language, words),
        items=brought.imported,
    )
    brought = replace(brought, edition=edition)
    text = markdown.write(edition) if edition.items else ""
    if len(text) + len(worksheet(brought)) > markdown.LONGEST:
        sentence = words.say(
            "The texts of {file} are too long for one quiz: please split it.", file=brought.file
        )
        raise FileRefused(sentence)
    if text and markdown.read(text, brought.file).edition is None:
        sentence = words.say(
            "I cannot keep the questions of {file} as they are.", file=brought.file
        )
        raise FileRefused(sentence)
    return brought


def welcome(words: Words) -> str:
    """Say what can be handed in."""
    return words.say(
        "I can read tables (Kahoot's, Excel, CSV), Moodle GIFT and XML, Aiken, Anki, QTI, JSON, "
        "Markdown and plain lists of questions."
    )


def _code(language: str, words: Words) -> str:
    """Give the code of a language as packs write it; files write all kinds of things."""
    found = re.match(r"[a-z]{2,3}(?![a-z])", language.strip().lower())
    return found[0] if found else words.language


_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_GONE = phrase("Pictures that are files cannot be kept here.")


def _without_files(brought: Import) -> Import:
    """Let pictures stay only if they have an address: a file's name would be one of ours."""
    changes: list[Remark] = []
    items: list[Item] = []
    for item in brought.imported:
        clean = _item(item)
        if clean == item:
            items.append(item)
        elif _whole(clean):
            items.append(clean)
            changes.append(_changed(item.stem))
        else:
            changes.append(remark(Severity.SKIPPED, item.id, item.stem, _GONE))
    waiting = tuple(map(_draft, brought.waiting))
    gone = len(brought.imported) - len(items)
    return replace(
        brought,
        imported=tuple(items),
        waiting=waiting,
        questions=max(0, brought.questions - gone),
        skipped=brought.skipped + min(gone, brought.questions),
        report=(*brought.report, *changes),
    )


def _changed(stem: str) -> Remark:
    return remark(
        Severity.CHANGED, phrase("picture"), stem, _GONE, phrase("Its description stays.")
    )


def _item(item: Item) -> Item:
    item = replace(item, stem=_text(item.stem), rationale=_text(item.rationale))
    match item:
        case Choice() | MultiChoice():
            return replace(item, options=tuple(map(_option, item.options)))
        case TrueFalse():
            return replace(item, when_true=_text(item.when_true), when_false=_text(item.when_false))
        case ShortText() | Numeric():
            return item


def _option(option: Option) -> Option:
    return replace(option, text=_text(option.text), rationale=_text(option.rationale))


def _draft(draft: Draft) -> Draft:
    options = tuple(
        replace(option, text=_text(option.text), rationale=_text(option.rationale))
        for option in draft.options
    )
    rationale = _text(draft.rationale)
    return replace(draft, stem=_text(draft.stem), rationale=rationale, options=options)


def _whole(item: Item) -> bool:
    """Tell whether an item still asks something, and offers different answers."""
    texts = (
        [option.text for option in item.options] if isinstance(item, Choice | MultiChoice) else []
    )
    shown = {tidy(plain(text)).casefold() for text in texts}
    return bool(plain(item.stem).strip()) and len(shown) == len(texts) and "" not in shown


def _text(text: str) -> Markdown:
    if "![" not in text or not _local(text):
        return Markdown(text)
    described = _PICTURE.sub(_described, text)
    return literal(plain(Markdown(described))) if _local(described) else Markdown(described)


def _described(found: re.Match[str]) -> str:
    return found[1] if _local(found[0]) else found[0]


def _local(text: str) -> bool:
    remote = ("http://", "https://")
    return any(not picture.source.startswith(remote) for picture in pictures(Markdown(text)))
