"""Posters: somebody's progress in words and lengths; drawn as a picture, or told as a text.

Both are made from the same poster, so they say the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from bot.progress import Move, Progress, Step, Subject
from bot.text import Markdown, literal
from bot.wording import Words

DAYS_A_WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A share from 0 to 1 (None: there is nothing to show), what it is of, and in figures."""

    label: str
    share: float | None
    figure: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Bars under a title; without any it is left out."""

    title: str
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Days in rows from Monday to Sunday, oldest week first; `marked` are those that count.

    `weekdays` and `months` are names: of the seven rows, and of months that begin in a column.
    """

    title: str
    first: date
    today: date
    marked: frozenset[date]
    weekdays: tuple[str, ...]
    months: tuple[tuple[date, str], ...]
    note: str
    listed: str

    @property
    def weeks(self) -> int:
        """Count the columns."""
        return (self.today - self.first).days // DAYS_A_WEEK + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Poster:
    """Everything there is to say, from top to bottom; but for the headline in plain text."""

    heading: str
    headline: Markdown
    small: str
    weeks: Chart
    subjects: Chart
    sureness: Chart
    calendar: Calendar
    next_title: str
    next: str


def poster(name: str, progress: Progress, words: Words) -> Poster:
    """Put progress into words."""
    headline = words.say(
        "**{correct} of {answered}** right at first try ({accuracy})",
        correct=words.number(progress.right),
        answered=words.number(progress.answered),
        accuracy=words.percent(progress.accuracy),
    )
    small = [
        words.plural("{n} point", "{n} points", progress.points),
        words.plural("{n} quiz taken", "{n} quizzes taken", progress.sessions),
    ]
    return Poster(
        heading=name,
        headline=Markdown(headline),
        small=" · ".join(small),
        weeks=Chart(title=words.say("Right, week by week"), bars=tuple(_weeks(progress, words))),
        subjects=Chart(
            title=words.say("Right, by subject"),
            bars=tuple(_subject(one, words) for one in progress.subjects),
        ),
        sureness=Chart(
            title=words.say("Right, by how sure you were"),
            bars=tuple(_sureness(progress, words)),
        ),
        calendar=_calendar(progress, words),
        next_title=words.say("What to do next"),
        next=next_step(progress.step, words),
    )


def told(poster: Poster) -> tuple[Markdown, ...]:
    """Tell a poster as text: for who cannot see the picture, and where none can be drawn."""
    calendar = poster.calendar
    days = f"{calendar.note} {calendar.listed}".strip()
    charts = (_listed(chart) for chart in (poster.weeks, poster.subjects, poster.sureness))
    paragraphs = [
        f"{poster.headline}  \n{literal(poster.small)}",
        *filter(None, charts),
        _titled(calendar.title, [days]),
        _titled(poster.next_title, [poster.next]),
    ]
    return tuple(map(Markdown, paragraphs))


def next_step(step: Step | None, words: Words) -> str:
    """Say what to do next, as plain text."""
    if step is None:
        return words.say("You have mastered everything there is here. Well done!")
    title = step.title
    match step.move:
        case Move.MISSED:
            return words.plural(
                "Go over {n} question in “{title}” that you last got wrong.",
                "Go over {n} questions in “{title}” that you last got wrong.",
                step.items,
                title=title,
            )
        case Move.UNSEEN:
            return words.plural(
                "Meet {n} question in “{title}” that you have not seen yet.",
                "Meet {n} questions in “{title}” that you have not seen yet.",
                step.items,
                title=title,
            )
        case Move.AGAIN:
            return words.plural(
                "Answer {n} question in “{title}” right once more, and you master it.",
                "Answer {n} questions in “{title}” right once more, and you master them.",
                step.items,
                title=title,
            )
        case Move.NEW:
            return words.say("Begin something new: “{title}”.", title=title)


def _weeks(progress: Progress, words: Words) -> Iterator[Bar]:
    for week in progress.weeks:
        share = week.right / week.answered if week.answered else None
        yield Bar(
            label=words.day_of_month(week.monday),
            share=share,
            figure="–" if share is None else words.percent(share),
        )


def _subject(one: Subject, words: Words) -> Bar:
    share = one.right / one.answered if one.answered else 0.0
    mastered = words.say(
        "{mastered} of {items} mastered",
        mastered=words.number(one.mastered),
        items=words.number(one.items),
    )
    return Bar(label=one.title, share=share, figure=words.percent(share), note=mastered)


def _sureness(progress: Progress, words: Words) -> Iterator[Bar]:
    for one in progress.calibration or ():
        share = one.right / one.answered if one.answered else 0.0
        note = words.plural("{n} answer", "{n} answers", one.answered)
        label = words.say("Sure") if one.sure else words.say("Not sure")
        yield Bar(label=label, share=share, figure=words.percent(share), note=note)


def _calendar(progress: Progress, words: Words) -> Calendar:
    monday = progress.today - timedelta(days=progress.today.weekday())
    first = min((day - timedelta(days=day.weekday()) for day in progress.days), default=monday)
    weeks = [first + timedelta(weeks=at) for at in range((monday - first).days // DAYS_A_WEEK + 1)]
    begins = [at for at in weeks if at.day <= DAYS_A_WEEK]
    if not begins or begins[0] > first + timedelta(weeks=1):  # else two names would overlap
        begins.insert(0, first)
    note = words.plural("You answered on {n} day.", "You answered on {n} days.", len(progress.days))
    if progress.streak > 1:
        note += " " + words.plural("{n} day in a row!", "{n} days in a row!", progress.streak)
    return Calendar(
        title=words.say("Your days"),
        first=first,
        today=progress.today,
        marked=frozenset(progress.days),
        weekdays=words.weekdays(),
        months=tuple((at, words.month(at)) for at in begins),
        note=note,
        listed=_dates(progress.days, words),
    )


def _dates(days: Sequence[date], words: Words) -> str:
    """List days as briefly as possible: `Feb 3, 5 to 8, 12`, with a dash."""
    months = []
    for _, group in groupby(days, key=lambda day: (day.year, day.month)):
        these = list(group)
        months.append(words.in_month(", ".join(_runs([day.day for day in these])), these[0]))
    return "; ".join(months) + "." if months else ""


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(numbers), key=lambda one: one[1] - one[0]):
        run = [number for _, number in group]
        yield f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}"


def _listed(chart: Chart) -> str:
    lines = []
    for bar in chart.bars:
        more = f" ({literal(bar.note)})" if bar.note else ""
        lines.append(f"{literal(bar.label)} {literal(bar.figure)}{more}")
    if not lines:
        return ""
    apart = "  \n" if any(bar.note for bar in chart.bars) else " · "
    return f"**{literal(chart.title)}**  \n{apart.join(lines)}"


def _titled(title: str, lines: Sequence[str]) -> str:
    return "  \n".join([f"**{literal(title)}**", *map(literal, lines)])
