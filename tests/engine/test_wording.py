"""Both languages, complete."""

import ast
import re
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from bot.wording import choose, phrase, words

ROOT = Path(__file__).parents[2]
KEYWORDS = {"say": None, "plural": (1, 2), "phrase": None}


def sentences() -> set[str | tuple[str, ...]]:
    """Collect every sentence the program can say."""
    method = [("bot/**.py", "python"), ("adapters/**.py", "python")]
    return {found[2] for found in extract_from_dir(str(ROOT), method_map=method, keywords=KEYWORDS)}


def test_every_sentence_is_translated_and_none_is_left_over():
    with (ROOT / "bot/locales/id.po").open("rb") as file:
        catalogue = read_po(file, locale="id")
    translated = {message.id for message in catalogue if message.id and message.string}

    said = {found if isinstance(found, str) else tuple(found) for found in sentences()}

    assert said == translated


def test_every_translation_fills_in_the_same_values():
    with (ROOT / "bot/locales/id.po").open("rb") as file:
        catalogue = read_po(file, locale="id")

    for message in catalogue:
        if message.id:
            pair = (message.id, message.string)
            ids, texts = ([t] if isinstance(t, str) else list(t) for t in pair)
            wanted = set(re.findall(r"{(\w+)}", ids[-1]))
            assert all(set(re.findall(r"{(\w+)}", text)) == wanted for text in texts), message.id


def test_every_phrase_is_given_what_its_sentence_is_filled_in_with():
    calls = [
        (path, call)
        for path in (ROOT / "bot").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "phrase"
    ]

    filled = [
        (call.args[0].value, {value.arg for value in call.keywords}, f"{path.name}:{call.lineno}")
        for path, call in calls
        if call.keywords and isinstance(call.args[0], ast.Constant)
    ]
    assert len(filled) > 100
    for sentence, given, where in filled:
        assert set(re.findall(r"{(\w+)}", sentence)) == given, where


def test_a_sentence_written_where_no_reader_is_known_is_told_in_any_language():
    place = phrase("line {number}", number="1234")
    nested = phrase("It was left out. {cure}", cure=phrase("Remove it from the braces."))
    several = phrase("QTI 2.1 has no place for {lost}.", lost=[phrase("tags"), phrase("the time")])
    counted = phrase("The table has more than {most} rows.", most=20_000)
    indonesian = words("id")

    assert [*map(words("en").tell, (place, nested))] == [place, nested]
    assert place == "line 1234"
    assert nested == "It was left out. Remove it from the braces."
    assert several == "QTI 2.1 has no place for tags, the time."
    assert counted == "The table has more than 20,000 rows."
    assert indonesian.tell(place) == "baris 1234"
    assert indonesian.tell(nested) == "Dilewati. Hapus dari kurung kurawal."
    assert indonesian.tell(several) == "QTI 2.1 tidak punya tempat untuk tag, waktu."
    assert "20.000" in indonesian.tell(counted)
    for own in ("", "what {somebody} wrote", "file"):
        assert indonesian.tell(own) == own
    assert indonesian.tell(phrase("file")) == "berkas"
    assert indonesian.tell(phrase("Type [x] or [ ], and a space after it.")).startswith("Ketik")
    column = phrase("Nothing is known about the column {name}.", name="options")
    assert indonesian.tell(column) == "Kolom options tidak dikenal."


def test_plurals_follow_the_language():
    english, indonesian = words("en"), words("id")

    assert english.plural("{n} point", "{n} points", 1) == "1 point"
    assert english.plural("{n} point", "{n} points", 1200) == "1,200 points"
    assert indonesian.plural("{n} point", "{n} points", 1200) == "1.200 poin"


def test_numbers_dates_and_durations_follow_the_language():
    noon = datetime(2026, 5, 3, 12, 0, tzinfo=UTC)

    assert [words(code).number(0.125) for code in ("en", "id")] == ["0.125", "0,125"]
    assert [words(code).percent(0.875) for code in ("en", "id")] == ["88%", "88%"]
    assert [words(code).seconds(2.04) for code in ("en", "id")] == ["2 s", "2 dtk"]
    assert words("id").day(noon, ZoneInfo("Asia/Jakarta")) == "3 Mei 2026, 19.00"
    assert words("en").duration(3723) == "1 hour 2 minutes"
    assert words("id").duration(75) == "1 menit 15 detik"
    assert words("en").duration(0) == "1 second"


def test_a_language_is_chosen_from_what_somebody_would_like():
    assert choose("", "id-ID", "en") == "id"
    assert choose("pt_BR", "fr") == "en"
    assert choose("EN_us") == "en"
    assert words("xx").language == "en"
    assert phrase("as it is") == "as it is"


def test_days_stand_where_a_language_puts_them_in_a_date():
    day = date(2026, 3, 4)

    assert words("en").in_month("4, 6", day) == "Mar 4, 6"
    assert words("id").in_month("4, 6", day) == "4, 6 Mar"
