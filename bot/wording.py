"""Wording: every sentence in the reader's language, from Babel catalogues.

The English sentence is its own key; `bot/locales/<language>.po` translates it. Markdown in the
sentences is ours; what is filled in must already be Markdown (see `bot.text.literal`).
"""

import gettext
import io
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from importlib import resources
from zoneinfo import ZoneInfo

LANGUAGES = {"en": "English", "id": "Bahasa Indonesia"}
FALLBACK = "en"


class Words:
    """One language: its sentences, numbers, dates and durations."""

    def __init__(self, language: str) -> None:
        """Take a language code; an unknown one reads English."""
        self.language = language if language in LANGUAGES else FALLBACK
        self._catalogue = _catalogue(self.language)

    def say(self, sentence: str, **values: object) -> str:
        """Give a sentence, with its values filled in."""
        return self._catalogue.gettext(sentence).format(**values)

    def tell(self, text: str) -> str:
        """Give a sentence that `phrase` has made in this language; any other text as it is."""
        if not isinstance(text, Said):
            return text
        if not text.values:
            return self._catalogue.gettext(text.sentence)
        return self.say(text.sentence, **{name: self._value(v) for name, v in text.values.items()})

    def _value(self, value: object) -> object:
        if isinstance(value, str):
            return self.tell(value)
        if isinstance(value, list):
            return ", ".join(map(self.tell, value))
        return self.number(value) if isinstance(value, int) else value

    def plural(self, one: str, many: str, number: int, **values: object) -> str:
        """Give the sentence that fits a number, which is filled in as `n`."""
        chosen = self._catalogue.ngettext(one, many, number)
        return chosen.format(n=self.number(number), **values)

    def number(self, value: float) -> str:
        """Write a number as the language does: `0.5` or `0,5`."""
        from babel.numbers import format_decimal  # noqa: PLC0415 - loaded when first needed

        return format_decimal(value, locale=self.language, decimal_quantization=False)

    def percent(self, share: float) -> str:
        """Write a share from 0 to 1 as whole per cent."""
        from babel.numbers import format_percent  # noqa: PLC0415 - loaded when first needed

        return format_percent(share, locale=self.language)

    def seconds(self, value: float) -> str:
        """Write a short time in seconds, to a tenth."""
        return self.say("{n} s", n=self.number(round(value, 1)))

    def duration(self, seconds: float) -> str:
        """Write a span of time in its two largest units."""
        from babel.units import format_unit  # noqa: PLC0415 - loaded when first needed

        whole = max(1, round(seconds))
        units = {"hour": whole // 3600, "minute": whole // 60 % 60, "second": whole % 60}
        parts = [
            format_unit(number, f"duration-{unit}", locale=self.language)
            for unit, number in units.items()
            if number
        ]
        return " ".join(parts[:2])

    def day(self, at: datetime, zone: ZoneInfo) -> str:
        """Write a date and time of day in a time zone."""
        from babel.dates import format_date, format_time  # noqa: PLC0415 - as above

        local = at.astimezone(zone)
        day = format_date(local, "medium", locale=self.language)
        return f"{day}, {format_time(local, 'short', locale=self.language)}"

    def day_of_month(self, day: date) -> str:
        """Write a date without its year: `Mar 2` or `2 Mar`."""
        from babel.dates import format_skeleton  # noqa: PLC0415 - as above

        return format_skeleton("MMMd", day, locale=self.language)

    def month(self, day: date) -> str:
        """Name a month in short."""
        from babel.dates import format_date  # noqa: PLC0415 - as above

        return format_date(day, "LLL", locale=self.language)

    def in_month(self, days: str, day: date) -> str:
        """Put days into the month of a date: `Mar 2, 4` or `2, 4 Mar`."""
        month = self.month(day)
        return f"{days} {month}" if self.language == "id" else f"{month} {days}"

    def weekdays(self) -> tuple[str, ...]:
        """Name the seven days of the week in short, from Monday on."""
        from babel.dates import get_day_names  # noqa: PLC0415 - as above

        names = get_day_names("abbreviated", context="stand-alone", locale=self.language)
        return tuple(names[day] for day in range(7))

    def dated(self, day: date) -> str:
        """Write a date of these months with its weekday: `Wednesday, 2 December`."""
        from babel.dates import format_date  # noqa: PLC0415 - as above

        return format_date(day, "EEEE, d MMMM", locale=self.language)

    def month_and_year(self, day: date) -> str:
        """Write the month of a date: `December 2026`."""
        from babel.dates import format_date  # noqa: PLC0415 - as above

        return format_date(day, "LLLL yyyy", locale=self.language)

    def clock(self, minute: int) -> str:
        """Write a time of day, given as minutes since midnight: `07:30` or `07.30`."""
        hour, minute = divmod(minute, 60)
        return f"{hour:02}{'.' if self.language == 'id' else ':'}{minute:02}"


class Said(str):
    """A sentence that was made far from its reader: English, and what it was made of."""

    __slots__ = ("sentence", "values")

    sentence: str
    values: Mapping[str, object]


def phrase(sentence: str, **values: object) -> str:
    """Mark a sentence that is written where no reader is known, so that it is found and translated.

    As it stands it is English; `Words.tell` says it in a language. A value may be such a sentence
    itself, or several of them; any other text is somebody's own, and stays. A whole number is
    counted and has its thousands apart: give one that names something, as that of a line, as a
    text.
    """
    filled = {name: _english(value) for name, value in values.items()}
    said = Said(sentence.format(**filled) if values else sentence)
    said.sentence, said.values = sentence, values
    return said


def _english(value: object) -> object:
    if isinstance(value, int):
        return f"{value:,}"
    return ", ".join(value) if isinstance(value, list) else value


@lru_cache(maxsize=8)
def words(language: str) -> Words:
    """Give the words of a language."""
    return Words(language)


def choose(*wishes: str) -> str:
    """Give the first language of the wishes that Kuis speaks (`id-ID` counts as `id`)."""
    for wish in wishes:
        code = wish.replace("_", "-").split("-")[0].lower()
        if code in LANGUAGES:
            return code
    return FALLBACK


def _catalogue(language: str) -> gettext.NullTranslations:
    if language == FALLBACK:
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - loaded when first needed
    from babel.messages.pofile import read_po  # noqa: PLC0415 - loaded when first needed

    source = resources.files("bot").joinpath("locales", f"{language}.po").read_bytes()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(source), locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
