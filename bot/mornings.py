"""Mornings: what a room reads of its daily question, and of how the month goes, as panels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from bot.actions import Action, Verb
from bot.appointments import ZONES, zone_label
from bot.dailies import EVERY_DAY, Daily, DailyAnswer, Schedule, day_of
from bot.effects import Trouble
from bot.ids import ParticipantId, SessionId
from bot.packs import Library
from bot.panels import Button, Panel, Role, Tone
from bot.ports import Response, Tally
from bot.session import Session
from bot.showing import Staged, given, question, reveal
from bot.summing import MEDALS
from bot.text import Markdown, literal
from bot.verdicts import headline, tone
from bot.wording import Words, phrase

NAMED = 10
WORTH_NAMING = 3
WEEKDAYS = frozenset(range(5))
DAY_NAMES = (
    phrase("Monday"),
    phrase("Tuesday"),
    phrase("Wednesday"),
    phrase("Thursday"),
    phrase("Friday"),
    phrase("Saturday"),
    phrase("Sunday"),
)
SUGGESTED = (6 * 60, 7 * 60 + 30, 12 * 60, 19 * 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """How the questions of some days went: the dates on which there were any, oldest first, the
    answers to those that are closed, in the order in which they came, and the streaks of people.
    """

    days: Sequence[date]
    answers: Sequence[DailyAnswer]
    streaks: Mapping[ParticipantId, int] = field(default_factory=dict)

    def on(self, day: date) -> Sequence[DailyAnswer]:
        """List the answers of one day."""
        return [one for one in self.answers if one.day == day]


# ---------------------------------------------------------------- the question


def daily_question(session: Session, staged: Staged) -> Panel:
    """Show the question of the day."""
    words = staged.words
    panel = question(session, staged)
    note = words.say("Open until the next one comes, and with it the answer.")
    return replace(
        panel,
        heading=words.say("Daily question"),
        progress=words.dated(day_of(session.id)),
        notes=(*panel.notes, Markdown(note)),
    )


def daily_receipt(staged: Staged, response: Response) -> Panel:
    """Tell one person at once whether they were right; why is for the next morning."""
    words = staged.words
    note = words.say(
        "You answered {answer}. The answer and why come with the next question.",
        answer=given(staged, response.submission),
    )
    return Panel(
        role=Role.RECEIPT,
        tone=tone(response),
        heading=headline(response, words),
        notes=(Markdown(note),),
    )


def daily_reveal(session: Session, staged: Staged, tally: Tally, record: Record) -> Panel:
    """Tell a room the answer, why, who got it, and who keeps it up."""
    words, day = staged.words, day_of(session.id)
    panel = reveal(session, staged, replace(tally, fastest=()))
    answers = record.on(day)
    notes = list(panel.notes)
    right = [literal(one.name) for one in answers if one.grade == 1]
    if right:
        notes.append(Markdown(words.say("Right: {names}", names=_some(right, words))))
    lengths = record.streaks
    keen = [one for one in answers if lengths.get(one.participant, 0) >= WORTH_NAMING]
    keen.sort(key=lambda one: -lengths[one.participant])
    if keen:
        each = [f"{literal(one.name)} {_days(lengths[one.participant], words)}" for one in keen]
        notes.append(Markdown(words.say("🔥 In a row: {names}", names=_some(each, words))))
    return replace(
        panel,
        heading=words.say("The answer to the daily question"),
        anew=True,
        progress=words.dated(day),
        notes=tuple(notes),
    )


def switched_off(session: SessionId, trouble: Trouble, words: Words) -> Panel:
    """Say that the daily question has come to an end by itself, and what to do."""
    sentence = {
        Trouble.ROOM_GONE: words.say("The place of the daily question is gone."),
        Trouble.PACK_GONE: words.say("The quiz that the daily question is from is gone."),
        Trouble.ROOM_CLOSED: words.say(
            "The topic or thread of the daily question is closed. Open it again first."
        ),
    }.get(trouble, words.say("I may not write the daily question any more. Allow me to first."))
    again = words.say("It is switched off now; `/daily set` switches it on again.")
    on = Action(verb=Verb.DAILY, session=session, value="again")
    return Panel(
        role=Role.NOTICE,
        tone=Tone.NOTICE,
        heading=words.say("Daily question"),
        body=(Markdown(f"{sentence} {again}"),),
        buttons=(Button(label=words.say("Switch it on again"), action=on, primary=True),),
    )


# ---------------------------------------------------------------- its state


def state(
    daily: Daily | None,
    library: Library,
    words: Words,
    *,
    month: Record,
    me: ParticipantId,
    streak: int,
) -> Panel:
    """Show how the daily question of a room is set, and how this month has gone so far.

    `streak` is how long that of `me` is, who has asked.
    """
    notes: list[Markdown] = []
    if month.answers:
        title = words.month_and_year(month.days[-1])
        notes += [
            Markdown(f"**{title}**"),
            Markdown("  \n".join(_standings(month, me, words))),
        ]
    if streak:
        notes.append(Markdown(words.say("Your streak: {days}", days=_days(streak, words))))
    if daily is None or daily.next_at is None:
        notes.append(
            Markdown(
                words.say("A moderator can switch it on: tap a time, or write `/daily set 07:30`.")
            )
        )
    return Panel(
        role=Role.NOTICE,
        language=words.language,
        heading=words.say("Daily question"),
        body=(Markdown(_how(daily, library, words)),),
        notes=tuple(notes),
        buttons=_switches(daily, words),
    )


def switched_on(daily: Daily, library: Library, words: Words) -> Panel:
    """Say when the first question comes."""
    first = moment(daily.next_at, daily.schedule, words) if daily.next_at else ""
    when = words.say("The first one comes on **{day}**.", day=first)
    return Panel(
        role=Role.NOTICE,
        language=words.language,
        tone=Tone.RIGHT,
        heading=words.say("Daily question"),
        body=(Markdown(described(daily.schedule, library, words)), Markdown(when)),
    )


def no_more(until: str, words: Words) -> Panel:
    """Say that the daily question is off; `until` is how long the last one stays open, or ""."""
    lines = [Markdown(words.say("There is no daily question any more."))]
    if until:
        last = words.say(
            "The last one stays open until **{day}**; its answer comes then.", day=until
        )
        lines.append(Markdown(last))
    return Panel(role=Role.NOTICE, heading=words.say("Daily question"), body=tuple(lines))


def which_zone(minute: int, values: Mapping[str, str], words: Words) -> Panel:
    """Ask in which time zone a time is meant; `values` are what the buttons carry, by zone."""
    clock = words.clock(minute)
    ask = words.say("In which time zone is it **{time}**?", time=clock)
    other = words.say("Any other can be typed: `/daily set 07:30 Europe/Paris`.")
    return Panel(
        role=Role.NOTICE,
        language=words.language,
        heading=words.say("Daily question"),
        body=(Markdown(ask), Markdown(other)),
        buttons=tuple(
            Button(label=label, action=Action(verb=Verb.DAILY, value=values[zone]))
            for zone, label in ZONES
            if zone in values
        ),
    )


def how_to(words: Words) -> Panel:
    """Say how to write the command."""
    lines = (
        words.say("`/daily set 07:30` asks one question every day at that time."),
        words.say("More can follow, in any order: a quiz or a #tag, days, a time zone."),
        words.say("`/daily set 19:00 Asia/Jakarta weekdays` · `/daily off`"),
    )
    return Panel(
        role=Role.NOTICE,
        language=words.language,
        heading=words.say("Daily question"),
        body=tuple(map(Markdown, lines)),
    )


def described(schedule: Schedule, library: Library, words: Words) -> str:
    """Say when, in which zone and from what a question comes."""
    return words.say(
        "{days} at **{time}** ({zone}), from {source}.",
        days=_weekdays(schedule.days, words),
        time=words.clock(schedule.minute),
        zone=literal(zone_label(schedule.zone)),
        source=_source(schedule, library, words),
    )


def moment(at: datetime, schedule: Schedule, words: Words) -> str:
    """Write when something happens by the schedule's calendar."""
    local = at.astimezone(ZoneInfo(schedule.zone))
    return f"{words.dated(local.date())}, {words.clock(local.hour * 60 + local.minute)}"


def _how(daily: Daily | None, library: Library, words: Words) -> str:
    if daily is None or daily.next_at is None:
        return words.say("There is no daily question here at the moment.")
    following = moment(daily.next_at, daily.schedule, words)
    when = words.say("The next one comes on **{day}**.", day=following)
    return f"{described(daily.schedule, library, words)}\n\n{when}"


def _switches(daily: Daily | None, words: Words) -> tuple[Button, ...]:
    if daily and daily.next_at:
        off = Action(verb=Verb.DAILY, value="off")
        return (Button(label=words.say("Switch it off"), action=off),)
    return tuple(
        Button(
            label=words.clock(minute),
            action=Action(verb=Verb.DAILY, value=f"set,{minute},0123456,,"),
        )
        for minute in SUGGESTED
    )


def _standings(month: Record, me: ParticipantId, words: Words) -> Sequence[str]:
    """Write who was right on most days, then who answered most; oneself in any case."""
    answered = Counter(one.participant for one in month.answers)
    right = Counter(one.participant for one in month.answers if one.grade == 1)
    names = {one.participant: one.name for one in month.answers}
    ordered = sorted(answered, key=lambda who: (-right[who], -answered[who], names[who].casefold()))
    places = _places([(right[who], answered[who]) for who in ordered])

    def line(place: int, who: ParticipantId) -> str:
        mark = MEDALS.get(place, f"{words.number(place)}.")
        score = words.say(
            "{right} right, {answered} of {n} days",
            right=words.number(right[who]),
            answered=words.number(answered[who]),
            n=words.number(len(month.days)),
        )
        return f"{mark} **{literal(names[who])}** · {score}"

    rows = [line(place, who) for place, who in zip(places, ordered, strict=True)]
    lines = rows[:NAMED]
    if me in ordered[NAMED:]:
        lines.append(rows[ordered.index(me)])
    if more := len(rows) - len(lines):
        lines.append(words.plural("and {n} more", "and {n} more", more))
    return lines


def _places(merits: Sequence[tuple[int, int]]) -> Sequence[int]:
    """Give places to merits in order; equal ones share a place (1, 2, 2, 4)."""
    return [1 + merits.index(merit) for merit in merits]


def _source(schedule: Schedule, library: Library, words: Words) -> str:
    if not schedule.source:
        return words.say("all quizzes in turn")
    pack = library.get(schedule.source)
    return f"**{literal(pack.edition(words.language).title if pack else schedule.source)}**"


def _weekdays(days: frozenset[int], words: Words) -> str:
    if days == EVERY_DAY:
        return words.say("Every day")
    if days == WEEKDAYS:
        return words.say("From Monday to Friday")
    return ", ".join(words.say(DAY_NAMES[day]) for day in sorted(days))


def _days(number: int, words: Words) -> str:
    return words.plural("{n} day", "{n} days", number)


def _some(names: Sequence[str], words: Words) -> str:
    """Name at most ten, and say how many more there are."""
    named = ", ".join(names[:NAMED])
    more = len(names) - NAMED
    return f"{named} {words.plural('and {n} more', 'and {n} more', more)}" if more > 0 else named
