import csv
import io
import zipfile
from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from bot.building import build
from bot.drafts import Draft
from bot.errors import FileRefused
from bot.formats import tables, xlsx
from bot.formats.findings import Haul, Severity
from bot.formats.tables import grid
from bot.items import Choice, Interval, Item, MultiChoice, Numeric, Option, ShortText, TrueFalse
from bot.packs import Edition
from bot.text import Markdown
from tests.helpers.foreign import (
    NEED_CORPUS,
    again,
    brought,
    damaged,
    editions,
    mutated,
    said,
    shown,
    source,
    survived,
)

HEAD = "question,option 1,option 2,option 3,correct"
PLAIN = f"{HEAD},explanation\nWhy?,a,b,c,2,because\n"


def read(text: str, name: str = "bank.csv") -> Haul:
    return tables.read(source(text, name))


def drafts(haul: Haul) -> list[Draft]:
    return [question.draft for question in haul.questions if question.draft]


def keys(text: str) -> list[str]:
    """Give the right options of every question, joined."""
    return [
        "+".join(option.text for option in draft.options if option.is_key)
        for draft in drafts(read(text))
    ]


def item(text: str) -> Item:
    (draft,) = drafts(read(text))
    built = build(draft, "f")
    assert not isinstance(built, tuple)
    return built


def book(*sheets: Iterable[Iterable[object]]) -> bytes:
    """Make a workbook of rows."""
    made = Workbook()
    for number, rows in enumerate(sheets):
        sheet = made.create_sheet(f"S{number + 1}", number)
        for row in rows:
            sheet.append(list(row))
    made.remove(made.worksheets[-1])
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


# Headers


def test_a_plain_header_gives_a_choice():
    found = item(PLAIN)

    assert isinstance(found, Choice)
    assert (found.stem, found.key, found.rationale) == ("Why?", 1, "because")
    assert [option.text for option in found.options] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "head",
    [
        "Soal;Opsi A;Opsi B;Opsi C;Kunci Jawaban",
        "Pregunta;Respuesta 1;Respuesta 2;Respuesta 3;Respuesta correcta",
        "Question;Réponse 1;Réponse 2;Réponse 3;Bonne réponse",
        "Frage;Antwort A;Antwort B;Antwort C;Richtige Antwort",
        "Pergunta;Opção 1;Opção 2;Opção 3;Resposta correta",
        "Вопрос;Вариант 1;Вариант 2;Вариант 3;Правильный ответ",
        "Domanda;Risposta 1;Risposta 2;Risposta 3;Risposta corretta",
        "السؤال;خيار 1;خيار 2;خيار 3;الإجابة الصحيحة",
        "題目;选项1;选项2;选项3;答案",
        "QUESTION TEXT;option_1;option_2;option_3;correct_answer",
        "Question;1st answer;2nd answer;3rd answer;Key",
        "Question;A;B;C;Answer",
    ],
)
def test_headers_are_known_in_many_languages_and_spellings(head: str):
    assert keys(f"{head}\nWhy?;x;y;z;2\n") == ["y"]


def test_the_header_is_found_below_prose_that_is_reported_by_nobody_missing():
    text = f'My quiz,,,,\n"{"Please fill in the rows below. " * 6}",,,,\n\n{HEAD}\nWhy?,a,b,c,1\n'

    haul = read(text)

    assert [draft.line for draft in drafts(haul)] == [5]
    assert keys(text) == ["a"]


def test_a_row_with_only_a_number_is_no_question():
    haul = read(f"no,{HEAD}\n1,Why?,a,b,c,1\n2,,,,,\n")

    assert len(haul.questions) == 1


def test_answers_without_a_question_and_words_without_answers_are_skipped_with_their_place():
    haul = read(f"{HEAD}\n,a,b,c,1\nThe end,,,,\n")

    assert [question.draft for question in haul.questions] == [None, None]
    assert [question.remarks[0].place for question in haul.questions] == ["line 2", "line 3"]


def test_a_column_that_is_not_understood_is_reported_once_if_it_holds_anything():
    head = "question,option 1,option 2,correct,mood,weather"
    haul = read(f"{head}\nWhy?,a,b,1,\nHow?,a,b,1,glad\n")

    assert [one.place for one in haul.remarks] == ["line 3, column 5"]
    assert "mood" in haul.remarks[0].reason


# Keys


@pytest.mark.parametrize(
    ("key", "right"),
    [
        ("2", "b"), ("B", "b"), ("b)", "b"), ("b", "b"), ("Answer 2", "b"), ("(c)", "c"),
        ("1,3", "a+c"), ("1;3", "a+c"), ("A, C", "a+c"), ("AC", "a+c"), ("a | c", "a+c"),
        ("A & B", "a+b"), ("4", ""), ("E", ""), ("none", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_key_is_a_number_a_letter_or_the_options_words(key: str, right: str):
    assert keys(f'{HEAD}\nWhy?,a,b,c,"{key}"\n') == [right]


def test_a_key_in_words_may_hold_a_comma():
    text = f'{HEAD}\nWhere?,"Paris, France","Rome, Italy",c,"Rome, Italy"\n'

    assert keys(text) == ["Rome, Italy"]


def test_several_keys_in_words_are_taken_apart():
    assert keys(f'{HEAD}\nWhich?,one fish,two fish,c,"one fish; two fish"\n') == [
        "one fish+two fish"
    ]


def test_a_key_that_is_no_option_is_reported_and_waits():
    haul = read(f"{HEAD}\nWhy?,a,b,c,nothing\n")

    assert said(haul) == ["The answer is none of the options."]
    assert not any(option.is_key for option in drafts(haul)[0].options)


def test_a_number_that_is_also_an_options_text_is_taken_for_the_text_and_reported():
    haul = read(f"{HEAD}\n2 + 1?,2,3,4,3\n")

    assert [option.text for option in drafts(haul)[0].options if option.is_key] == ["3"]
    assert said(haul) == ["The answer can be the number of one option and the text of another."]


def test_a_header_that_asks_for_numbers_is_believed():
    text = "question,option 1,option 2,option 3,correct (number)\n2 + 1?,2,3,4,3\n"

    assert keys(text) == ["4"]
    assert said(read(text)) == []


def test_numbers_win_in_a_column_where_not_all_keys_are_texts():
    text = f"{HEAD}\n2 + 1?,2,3,4,2\nWhy?,a,b,c,1\n"

    assert keys(text) == ["3", "a"]
    assert "taken for the number" in read(text).questions[0].remarks[0].action


def test_a_column_that_counts_from_0_is_understood_and_reported():
    text = f"{HEAD}\nWhy?,a,b,c,0\nHow?,a,b,c,2\n"

    assert keys(text) == ["a", "c"]
    assert set(said(read(text))) == {"The answers are counted from 0, it seems."}


def test_a_key_counts_empty_cells_between_options():
    assert keys(f"{HEAD}\nWhy?,a,,c,3\nWhat?,a,,c,2\n") == ["c", ""]


def test_options_earn_points_where_there_is_a_column_for_them():
    text = "question,answer a,answer b,answer c,points a,points b\nWhy?,x,y,z,0,10\n"

    assert keys(text) == ["y"]


def test_right_and_wrong_answers_in_columns_of_their_own_are_sorted():
    text = (
        "category,question,correct_answer,incorrect_answer_1,incorrect_answer_2\nArt,Who?,b,c,a\n"
    )
    (draft,) = drafts(read(text))

    assert [(option.text, option.is_key) for option in draft.options] == [
        ("a", False),
        ("b", True),
        ("c", False),
    ]
    assert draft.tags == ("Art",)


@pytest.mark.parametrize("cell", ["c|a", "c; a", '"c, a"', '"c\na"', '"- c\n- a"'])
def test_wrong_answers_in_one_cell_are_taken_apart(cell: str):
    text = f"question,correct answer,incorrect answers\nWho?,b,{cell}\n"

    assert keys(text) == ["b"]
    assert len(drafts(read(text))[0].options) == 3


def test_wrong_answers_without_a_right_one_wait():
    assert keys("question,correct answer,incorrect answers\nWho?,,a|b\n") == [""]


@pytest.mark.parametrize("cell", ["a|b|c", '"A. a\nB. b\nC. c"', "a; b; c"])
def test_options_in_one_cell_are_taken_apart(cell: str):
    assert keys(f"question,options,answer\nWhy?,{cell},B\n") == ["b"]


# Other kinds


def test_a_sheet_of_questions_and_answers_asks_for_typing():
    text = "question,answer\nCapital of France?,Paris | Lutetia\nWhat now?,\n"
    first, second = drafts(read(text))

    assert (first.accepted, second.accepted) == (("Paris", "Lutetia"), ())


@pytest.mark.parametrize(("word", "key"), [("TRUE", True), ("Salah", False), ("верно", True)])
def test_an_answer_that_is_true_or_false_makes_such_an_item(word: str, key: bool):  # noqa: FBT001
    found = item(f"question,answer\nSky is blue,{word}\n")

    assert isinstance(found, TrueFalse)
    assert found.key is key


def test_no_can_be_a_word_to_type_unless_the_type_says_otherwise():
    assert isinstance(item("question,answer\nNobelium?,No\n"), ShortText)
    assert isinstance(item("type,question,answer\ntrue/false,Really?,no\n"), TrueFalse)


def test_a_statement_without_its_truth_waits():
    (draft,) = drafts(read("type,question,answer\ntrue/false,Really?,perhaps\n"))

    assert len(draft.options) == 2
    assert not any(option.is_key for option in draft.options)


def test_a_type_that_cannot_be_asked_is_skipped():
    haul = read(f"{HEAD},type\nTell us,,,,,Essay\n")

    (remark,) = haul.questions[0].remarks
    assert remark.reason == "A question of the type essay cannot be asked here."


def test_the_type_decides_between_words_and_numbers_and_several_keys():
    text = (
        "type,question,option 1,option 2,correct\nshort answer,7?,7,seven,\nnumber,7?,7 ± 1,,\n"
        "checkbox,Which?,a,b,1\n"
    )
    words, number, several = (build(draft, "f") for draft in drafts(read(text)))

    assert isinstance(words, ShortText)
    assert isinstance(number, Numeric)
    assert isinstance(several, MultiChoice)


def test_a_single_option_becomes_an_answer_to_type():
    haul = read(f"{HEAD}\nWho?,Ada,,,1\n")

    assert drafts(haul)[0].accepted == ("Ada",)
    assert said(haul) == ["There is one option only."]


def test_repeated_options_are_left_out_and_named():
    haul = read(f"{HEAD}\nWho?,Ada,Bob,Bob,1\n")

    assert [option.text for option in drafts(haul)[0].options] == ["Ada", "Bob"]
    assert said(haul) == ["Option 3 repeats another one."]


@pytest.mark.parametrize(
    ("cell", "seconds"),
    [("20", "20"), ("20.0", "20"), ("20 sec", "20"), ("1:30", "90"), ("2", ""), ("soon", "")],
)
def test_the_time_is_read_or_reported(cell: str, seconds: str):
    haul = read(f"{HEAD},time limit\nWhy?,a,b,c,1,{cell}\n")

    assert drafts(haul)[0].seconds == seconds
    assert bool(said(haul)) is not bool(seconds)


# Without a header


def test_without_a_header_the_longest_column_asks_and_the_next_one_answers():
    rows = "".join(f"{n}\tGeography\tWhat is the capital of {n}?\tTown {n}\n" for n in range(9))
    haul = read(rows, "bank.tsv")

    assert len(haul.questions) == 9
    assert drafts(haul)[3].accepted == ("Town 3",)
    assert haul.remarks[0].action == (
        "Taken were column 3 for the question, column 4 for the answer."
    )


def test_without_a_header_options_are_told_by_the_column_that_names_them():
    rows = "".join(f"What is the colour of item {n}?,red{n},green{n},blue{n},B\n" for n in range(5))

    assert keys(rows) == [f"green{n}" for n in range(5)]


def test_without_a_header_and_keys_the_options_wait():
    rows = "".join(f"What is the colour of thing {n}?,red{n},green{n},blue{n}\n" for n in range(5))
    haul = read(rows)

    assert all(len(draft.options) == 3 for draft in drafts(haul))
    assert keys(rows) == [""] * 5


def test_a_single_column_is_no_table():
    haul = read("Dear all\nhere is\nmy file\n")
    empty = tables.read(source(""))

    assert haul.questions == ()
    assert haul.remarks[0].severity is Severity.SKIPPED
    assert said(empty) == ["No row of the table is a question."]


def test_a_sheet_of_translations_asks_in_its_first_language():
    text = "country,capital,capital:de,capital:fr\nItaly,Rome,Rom,Rome\n"

    (draft,) = drafts(read(text))

    assert (draft.stem, draft.accepted) == ("Italy", ("Rome",))


def test_addresses_are_decoded():
    haul = read("Is%20it%20so%3F,True\nWho%20was%20it%3F,Ada%20L\n")

    assert [draft.stem for draft in drafts(haul)] == ["Is it so?", "Who was it?"]
    assert drafts(haul)[1].accepted == ("Ada L",)


# Delimiters, quotes, encodings


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_delimiters_are_found(sign: str):
    text = PLAIN.replace(",", sign)

    assert keys(text) == ["b"]
    assert tables.sniff(source(text, "x")) == 0.9


def test_a_delimiter_that_excel_declares_is_used():
    assert keys("sep=;\nquestion;option 1;option 2;correct\nA, b, c?;x, y;z;1\n") == ["x, y"]


def test_cells_in_quotes_hold_line_feeds_and_quotes():
    (draft,) = drafts(read(f'{HEAD}\n"Why ""me""?\nReally?",a,b,c,1\n'))

    assert draft.stem == 'Why "me"?\\\nReally?'


def test_quotes_that_enclose_nothing_are_taken_as_they_are():
    rows = "".join(f'"Song {n}" is by whom, really and truly?\tBand {n}\n' for n in range(9))

    assert len(drafts(read(rows))) == 9


def test_a_quote_that_never_ends_does_not_swallow_the_rest_in_silence():
    rows = f"{HEAD}\n" + 'Why?,"a,b,c,1\n' + "How?,a,b,c,1\n" * 9

    assert len(read(rows).questions) == 10


def test_a_broken_cell_is_reported_with_its_line_and_the_rest_is_read():
    haul = read(f"{HEAD}\nWhy?,a,b,c,1\nHow?,{'x' * 200_000},b,c,1\nWho?,a,b,c,1\n")

    assert len(haul.questions) == 2
    assert haul.remarks[-1].place == "line 3"


def test_too_many_rows_are_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(grid, "MOST_ROWS", 3)

    haul = read(f"{HEAD}\n" + "Why?,a,b,c,1\n" * 9)

    assert len(haul.questions) == 2
    assert "rows" in haul.remarks[-1].reason


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings_of_spreadsheets_are_read(encoding: str):
    text = f"{HEAD}\nOù?,ça,là,été,2\n"

    haul = tables.read(source(text.encode(encoding)))

    assert [draft.stem for draft in drafts(haul)] == ["Où?"]
    assert bool(haul.remarks) is (encoding == "cp1252")


def test_cyrillic_of_old_windows_is_guessed():
    haul = tables.read(source("вопрос;ответ\nСтолица России?;Москва\n".encode("cp1251")))

    assert drafts(haul)[0].accepted == ("Москва",)


def test_formulas_and_signs_of_markdown_stay_what_they_are():
    (draft,) = drafts(read(f"{HEAD}\nWhat is *p and $x^2$?,_a_,<b>,# c,1\n"))
    found = build(draft, "f")

    assert isinstance(found, Choice)
    assert draft.stem == "What is *p and $x^2$?"


# Sniffing


def test_sniffing_is_careful():
    assert tables.sniff(source(PLAIN)) == 0.9
    assert tables.sniff(source("a,b\nc,d\n", "x.csv")) == 0.7
    assert tables.sniff(source("a\tb\nc\td\n", "x.txt")) == 0.55
    assert tables.sniff(source("a,b\nc,d\n", "x.txt")) == 0.0
    assert tables.sniff(source("a,b\nc\nd\ne\nf\n", "x.csv")) == 0.2
    assert tables.sniff(source("<a>,<b>\n", "x.txt")) == 0.0
    assert tables.sniff(source("", "x.csv")) == 0.0
    assert tables.sniff(source(book([["a"]]))) == 0.0
    assert xlsx.sniff(source(book([["a"]]))) == 0.95
    assert xlsx.sniff(source(PLAIN)) == 0.0


# Workbooks


def test_a_workbook_is_read_sheet_by_sheet_with_places_to_look_up():
    rows = [["Soal", "A", "B", "Kunci", "X"], ["Why?", 1.0, True, "Z", "lost"]]
    haul = xlsx.read(source(book(rows, rows), "q.xlsx"))

    assert [draft.options[0].text for draft in drafts(haul)] == ["1", "1"]
    assert haul.questions[1].remarks[0].place == "sheet S2, row 2"
    assert haul.remarks[1].place == "sheet S2, cell E2"


def test_a_sheet_that_names_no_columns_is_reported_by_its_name():
    rows = [["What is the capital of France?", "Paris"], ["What is the capital of Italy?", "Rome"]]
    haul = xlsx.read(source(book(rows, rows), "q.xlsx"))

    assert [one.place for one in haul.remarks] == ["sheet S1", "sheet S2"]


def test_a_workbook_of_one_sheet_needs_no_name_in_places():
    rows = [["question", "A", "B", "key"], ["Why?", 1.5, None, "Z"], [None] * 4]
    haul = xlsx.read(source(book(rows, []), "q.xlsx"))

    assert haul.questions[0].remarks[0].place == "row 2"


def test_dates_in_cells_are_shown_as_dates():
    rows = [["question", "A", "B", "key"], ["When?", date(2020, 1, 2), "never", 1]]

    assert drafts(xlsx.read(source(book(rows))))[0].options[0].text.startswith("2020-01-02")


def test_whole_numbers_are_shown_without_a_point():
    whole = io.BytesIO()
    made = book([["question", "A", "B", "key", "time"], ["Why?", "a", "b", 1, 20]])
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(whole, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"<v>20</v>", b"<v>20.0</v>"))

    (draft,) = drafts(xlsx.read(source(whole.getvalue())))

    assert draft.seconds == "20"


def test_columns_after_z_have_two_letters():
    assert [grid.letters(number) for number in (0, 25, 26, 701, 702)] == [
        "A", "Z", "AA", "ZZ", "AAA",
    ]  # fmt: skip


def test_a_workbook_with_16384_columns_is_read():
    wide = [*["question", "A", "B", "key"], *[None] * 16_000, "far"]
    content = book([wide, ["Why?", "a", "b", 1], *[["x"] * 16_384] * 3])

    haul = xlsx.read(source(content))

    assert len(haul.questions) == 4
    assert "far to the right" in haul.remarks[0].reason


def test_a_workbook_of_very_many_cells_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(grid, "MOST_CELLS", 20)
    content = book([["question", "A", "B", "key"], *[["Why?", "a", "b", 1]] * 9])

    haul = xlsx.read(source(content))

    assert len(haul.questions) == 4
    assert "cells" in haul.remarks[0].reason


def test_a_workbook_bomb_is_refused():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/workbook.xml", b"<a/>")
        for number in range(4):
            bomb.writestr(f"xl/worksheets/{number}.xml", b"0" * 30_000_000)

    haul = survived(xlsx, content.getvalue(), "q.xlsx")

    assert haul is None or "suspiciously" in said(haul)[0]


def test_a_damaged_workbook_is_reported_or_refused():
    content = book([["question", "A", "B", "key"], ["Why?", "a", "b", 1]])
    with pytest.raises(FileRefused):
        xlsx.read(source(content[: len(content) // 2]))
    bare = io.BytesIO()
    with zipfile.ZipFile(bare, "w") as made:
        made.writestr("xl/workbook.xml", "<workbook/>")

    haul = xlsx.read(source(bare.getvalue()))

    assert "damaged" in haul.remarks[0].reason


# Writing


def edition(*items: Item, **more: object) -> Edition:
    return Edition(id="p", title="P", language="en", items=items, **more)  # type: ignore[arg-type]


def test_what_a_table_has_no_place_for_is_said():
    _, remarks = tables.write(edition(licence="CC0", shuffle=False))

    assert "title, language, licence, wish not to shuffle" in remarks[0].reason


def test_a_pack_without_a_name_loses_nothing():
    _, remarks = tables.write(Edition(id="p", title="", language="", items=()))

    assert remarks == ()


def test_formulas_of_spreadsheets_are_disarmed():
    options = (Option(text=Markdown("=1+1")), Option(text=Markdown("@me")))
    text, _ = tables.write(edition(Choice(id="a", stem=Markdown("-x?"), options=options, key=0)))

    (_, row) = list(csv.reader(io.StringIO(str(text))))

    assert row[2:5] == ["'-x?", "'=1+1", "'@me"]


def test_weights_and_credits_have_columns_of_their_own():
    options = (Option(text=Markdown("a"), weight=0.5), Option(text=Markdown("b")))
    options = (*options, Option(text=Markdown("c"), weight=-0.25))
    choice = MultiChoice(id="m", stem=Markdown("?"), options=options, keys=frozenset({0}))
    words = ShortText(id="s", stem=Markdown("!"), accepted=("x", "y"), credits=(1.0, 0.5))
    one = Numeric(id="n", stem=Markdown("n?"), accepted=(Interval(low=1, high=2, value=1.5),))

    text, _ = tables.write(edition(choice, words, one))

    assert again(tables, text) == tuple(map(shown, (choice, words, one)))


@given(editions())
@settings(max_examples=60, deadline=None)
def test_csv_gives_back_what_was_written(pack: Edition):
    text, _ = tables.write(pack)

    assert again(tables, text) == tuple(map(shown, pack.items))


@given(editions())
@settings(max_examples=20, deadline=None)
def test_xlsx_gives_back_what_was_written(pack: Edition):
    content, _ = xlsx.write(pack)

    assert again(xlsx, content) == tuple(map(shown, pack.items))


# Anything at all


@given(mutated(PLAIN.encode(), b'sep=;\na;"b"\n', b"Q%20?,True\n", PLAIN.encode("utf-16")))
@settings(max_examples=150, deadline=None)
def test_anything_is_survived(content: bytes):
    survived(tables, content)


@given(st.integers(0, 4000), st.binary(min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_any_damage_to_a_workbook_is_survived(at: int, noise: bytes):
    content = book([["question", "A", "B", "key"], ["Why?", "a", "b", 1]])

    survived(xlsx, content[:at] + noise + content[at + len(noise) :])


@pytest.mark.parametrize("variant", damaged(PLAIN.encode() * 3))
def test_damaged_sheets_are_survived(variant: bytes):
    survived(tables, variant, "bank.csv")


def test_ten_megabytes_of_noise_are_refused_with_a_reason():
    noise = bytes(range(32, 256)) * 45_000

    haul = survived(tables, noise, "bank.csv")

    assert haul
    assert "8 MiB" in said(haul)[0]


@NEED_CORPUS
@pytest.mark.parametrize(
    ("path", "found", "imported"),
    [
        ("csv-xlsx/001-kahoot-template.xlsx", 1, 1),
        ("csv-xlsx/002-kahoot-filled.xlsx", 16, 16),
        ("csv-xlsx/003-kahoot-qas.csv", 5, 4),
        ("csv-xlsx/007-science-quiz.xlsx", 9, 8),
        ("csv-xlsx/009-otdb-animals.csv", 75, 75),
        ("csv-xlsx/011-icelandic.tsv", 11_610, 11_610),
        ("anki/003-ultimate-geography.csv", 219, 219),
    ],
)
def test_the_corpus_is_read(path: str, found: int, imported: int):
    result = brought(path)

    assert (result.found, result.questions) == (found, imported)
