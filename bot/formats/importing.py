"""Importing: any file to items, to questions that wait for their answer, and to a whole report.

What was found equals what was imported, what waits and what was skipped, always; and whatever
was skipped or changed has a remark that says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bot.building import build, named
from bot.cleaning import slug
from bot.drafts import Draft
from bot.errors import Problem
from bot.formats import doors, places, registry
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.judging import doubts, repeated
from bot.formats.keying import filled, split_keys, waits
from bot.formats.markdown import write
from bot.formats.plaintext import remark
from bot.ids import PackId
from bot.items import Item, kind
from bot.packs import Edition
from bot.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What became of a file.

    `questions` counts those of the file that were imported, `imported` holds the items that they
    became: more where one question makes several. `waiting` need to be told their answer.
    """

    file: str
    format: str
    found: int
    questions: int
    imported: tuple[Item, ...]
    waiting: tuple[Draft, ...]
    skipped: int
    report: tuple[Remark, ...]
    edition: Edition
    kinds: Mapping[str, int]
    files: Mapping[str, bytes]


def bring_in(
    source: Source,
    *,
    format: str = "",  # noqa: A002 - what it is called on the command line
    language: str = "",
    spoken: str = "en",
    keys: str | Sequence[str | int] | None = None,
) -> Import:
    """Read a file in any format, found by looking unless it is named.

    The questions are in `language`; without it in that of the file, or else in `spoken`.

    `keys` answer the questions that wait, in their order: numbers or letters of options, several
    with + between, nothing or 0 to leave one. Raises FileRefused for a file that is no bank.
    """
    doors.check(source)
    return sort(_haul(source, format), source.name, (language, spoken), keys)


def sort(
    haul: Haul,
    name: str,
    languages: tuple[str, str],
    keys: str | Sequence[str | int] | None = None,
) -> Import:
    """Sort what was found in a file of this name; `languages` and `keys` are as for `bring_in`."""
    wanted, spoken = languages
    sorter = _Sorter(name, split_keys(keys))
    sorter.sort(haul)
    return Import(
        file=name,
        format=haul.format,
        found=len(haul.questions),
        questions=sorter.imported,
        imported=tuple(sorter.items),
        waiting=tuple(sorter.waiting),
        skipped=sorter.skipped,
        report=(*haul.remarks, *sorter.report, *repeated(sorter.items)),
        edition=_edition(haul, name, sorter.items, (wanted, haul.language, spoken)),
        kinds=_counted(map(kind, sorter.items)),
        files=haul.files,
    )


def _haul(source: Source, name: str) -> Haul:
    """Read a file in the format named, or else in the first likely one that finds anything."""
    likely = registry.likely(source, name)
    hauls = (format_.read(source) for format_ in likely)
    first = next(hauls)
    return first if first.questions else next((haul for haul in hauls if haul.questions), first)


def worksheet(brought: Import) -> str:
    """Write the questions that wait as a pack without an x, to fill in and bring in again."""
    tried = (build(_tried(draft), brought.file) for draft in brought.waiting)
    items = tuple(item for item in tried if not isinstance(item, tuple))
    return write(replace(brought.edition, items=items), blank=True)


class _Sorter:
    """The questions of a file on their ways: to items, to those that wait, to those left out."""

    def __init__(self, file: str, keys: Sequence[str]) -> None:
        self.items: list[Item] = []
        self.waiting: list[Draft] = []
        self.imported = self.skipped = 0
        self.report: list[Remark] = []
        self._file = file
        self._keys = iter(keys)

    def sort(self, haul: Haul) -> None:
        """Take every question of a file."""
        names = _names(haul.questions)
        for number, question in enumerate(haul.questions, 1):
            self.report += question.remarks
            drafts = [next(names) for _ in _drafts(question)]
            if drafts:
                self._take(drafts, places.question(number))
            else:
                self._skip(question, number)
        left = sum(1 for key in self._keys if key)
        if left:
            reason = phrase("{left} more keys were given than questions wait for one.", left=left)
            self.report.append(
                remark(Severity.NOTE, phrase("keys"), "", reason, phrase("They were left out."))
            )

    def _take(self, drafts: Sequence[Draft], place: str) -> None:
        """Take a question: it is imported if anything of it is."""
        first = drafts[0]
        if waits(first):
            first, complaint = filled(first, next(self._keys, ""))
            self.report += [self._remark(first, place, *complaint)] if complaint else []
            drafts = (first, *drafts[1:])
        if waits(first):
            tried = build(_tried(first), self._file)
            if isinstance(tried, tuple):
                self._refuse(tried, first, place)
                self.skipped += 1
            else:
                self.waiting.append(first)
            return
        items = [item for draft in drafts if (item := self._built(draft, place))]
        self.items += items
        self.imported += bool(items)
        self.skipped += not items

    def _built(self, draft: Draft, place: str) -> Item | None:
        if draft.several is False and sum(option.is_key for option in draft.options) > 1:
            reason = phrase("Several options are right although only one may be chosen.")
            action = phrase("People are asked to choose all of them.")
            self.report.append(self._remark(draft, place, reason, action))
            draft = replace(draft, several=None)
        built = build(draft, self._file)
        if isinstance(built, tuple):
            self._refuse(built, draft, place)
            return None
        self.report += doubts(built, _place(draft.line, place))
        return built

    def _refuse(self, problems: Iterable[Problem], draft: Draft, place: str) -> None:
        """Report everything that is wrong with a draft."""
        for problem in problems:
            where = _place(problem.line, place)
            action = phrase("It was left out. {cure}", cure=problem.cure)
            self.report.append(remark(Severity.SKIPPED, where, draft.stem, problem.what, action))

    def _skip(self, question: Question, number: int) -> None:
        self.skipped += 1
        if not any(one.severity is Severity.SKIPPED for one in question.remarks):
            reason = phrase("It is of a kind that cannot be asked here.")
            self.report.append(remark(Severity.SKIPPED, places.question(number), "", reason))

    def _remark(self, draft: Draft, place: str, reason: str, action: str) -> Remark:
        return remark(Severity.CHANGED, _place(draft.line, place), draft.stem, reason, action)


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def _drafts(question: Question) -> tuple[Draft, ...]:
    return (question.draft, *question.more) if question.draft else ()


def _names(questions: Iterable[Question]) -> Iterator[Draft]:
    """Give every draft an id that no other has: its own, made fit, or one of its stem."""
    taken: set[str] = set()
    drafts: list[Draft] = []
    for draft in chain.from_iterable(map(_drafts, questions)):
        own = draft.id if _ID.fullmatch(draft.id) else draft.id and str(slug(draft.id))
        own = own if own not in taken else ""
        taken.add(own)
        drafts.append(replace(draft, id=own))
    return iter(named(drafts))


def _tried(draft: Draft) -> Draft:
    """Give a draft that waits any key, to see whether that is all it lacks."""
    first, *others = draft.options
    return replace(draft, options=(replace(first, is_key=True), *others))


def _place(line: int, place: str) -> str:
    return places.line(line) if line else place


def _edition(haul: Haul, file: str, items: Sequence[Item], languages: Iterable[str]) -> Edition:
    name = file.replace("\\", "/").rpartition("/")[2].split(".")[0]
    title = haul.title or name.replace("_", " ").replace("-", " ").strip() or "Questions"
    return Edition(
        id=PackId(slug(haul.id or name or title)),
        title=title[:200],
        language=next(filter(None, languages), "en"),
        items=tuple(items),
        tags=haul.tags,
        licence=haul.licence,
        author=haul.author,
        source=haul.source,
    )


def _counted(kinds: Iterable[str]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for one in kinds:
        counts[one] = counts.get(one, 0) + 1
    return counts
