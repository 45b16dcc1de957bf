"""GIFT as Moodle reads it, and better where Moodle loses questions in silence."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.formats import gift
from bot.formats.findings import Haul, Question, Severity, Source
from bot.formats.gift.writing import ARROW
from bot.items import Choice, Interval, Item, MultiChoice, Numeric, ShortText, TrueFalse, keys
from bot.packs import Edition
from bot.text import plain
from tests.helpers.banks import brought, brought_or_refused, editions, mutated, read_or_refused
from tests.helpers.oracles import SHARED, disagreement, first_words, oracle
from tests.helpers.samples import edition

CORPUS = sorted((SHARED / "corpus" / "gift").glob("*")) if SHARED.exists() else []
absent = pytest.mark.skipif(not CORPUS, reason="../shared/corpus is not there")


def read(text: str) -> Haul:
    return gift.read(Source(name="bank.gift", content=text.encode()))


def items(text: str) -> tuple[Item, ...]:
    found = brought(text, format="gift")
    assert found.skipped == 0, found.report
    return found.imported


def item(text: str) -> Item:
    (only,) = items(text)
    return only


def options(text: str) -> list[tuple[str, bool]]:
    found = item(text)
    assert isinstance(found, Choice | MultiChoice)
    return [(plain(o.text), at in keys(found)) for at, o in enumerate(found.options)]


def changes(text: str) -> list[tuple[str, str]]:
    return [
        (one.place, one.reason)
        for one in brought(text, format="gift").report
        if one.severity is Severity.CHANGED
    ]


# What Moodle reads


def test_a_choice_has_one_right_answer_and_feedback():
    found = item("::Grant::Who?{~Grant#No. =no one#Yes.\n~Jefferson ####Nobody is *buried*. }")

    assert isinstance(found, Choice)
    assert found.id == "grant"
    assert [o.text for o in found.options] == ["Grant", "no one", "Jefferson"]
    assert [o.rationale for o in found.options] == ["No.", "Yes.", ""]
    assert found.key == 1
    assert plain(found.rationale) == "Nobody is *buried*."


def test_without_an_equals_sign_several_options_are_right_by_their_weights():
    found = item("Who? {~%-100%No one ~%50%Grant ~%50%His wife ~Other}")

    assert isinstance(found, MultiChoice)
    assert [o.weight for o in found.options] == [-1.0, 0.5, 0.5, 0.0]
    assert found.keys == {1, 2}


def test_an_option_may_earn_a_part():
    found = item("Who? {=a ~%50%b ~%-25%c ~d}")

    assert isinstance(found, Choice)
    assert [o.weight for o in found.options] == [None, 0.5, -0.25, None]


def test_weights_that_say_the_usual_are_left_out():
    found = item("Who? {~%33.33333%a ~%33.33333%b ~%33.33333%c ~%-33.33333%d}")

    assert isinstance(found, MultiChoice)
    assert [o.weight for o in found.options] == [None] * 4


@pytest.mark.parametrize("answer", ["T", "TRUE", "true"])
def test_true_and_false_carry_feedback_for_wrong_and_right(answer: str):
    found = item(f"Sun {{{answer}#wrong#right}}")

    assert isinstance(found, TrueFalse)
    assert found.key
    assert (found.when_true, found.when_false) == ("right", "wrong")


def test_true_and_false_in_small_letters_are_reported():
    assert [reason for _, reason in changes("Sun {false}")] == [
        "TRUE and FALSE are in small letters."
    ]


def test_text_behind_the_braces_makes_a_blank():
    assert item("Grant is {=buried ~entombed} there.").stem == "Grant is _____ there."
    assert item("Two plus two is {=four =4}.").stem == "Two plus two is _____."


def test_typed_answers_have_credits_and_feedback():
    found = item("From? {=Nazareth#Yes. =%75%Nazereth#Nearly. =%0%Rome#No.}")

    assert isinstance(found, ShortText)
    assert (found.accepted, found.credits) == (("Nazareth", "Nazereth"), (1.0, 0.75))
    assert found.rationale == "**Nazareth**: Yes.\n\n**Nazereth**: Nearly.\n\n**Rome**: No."


def test_an_answer_that_looks_like_a_number_stays_a_text():
    assert isinstance(item("Room? {=007}"), ShortText)


@pytest.mark.parametrize(
    ("answers", "low", "high", "value"),
    [
        ("#3", 3, 3, 3),
        ("#3.14:0.01", 3.13, 3.15, 3.14),
        ("#1..5", 1, 5, 3),
        ("#-1", -1, -1, -1),
        ("# =%100%6:0#Good", 6, 6, 6),
        ("#2:-1", 1, 3, 2),
    ],
)
def test_numbers_have_tolerances_and_ranges(answers: str, low: float, high: float, value: float):
    found = item(f"How much? {{{answers}}}")

    assert isinstance(found, Numeric)
    assert found.accepted == (Interval(low=low, high=high, value=value),)


def test_numbers_earn_parts_and_tell_what_was_wrong():
    found = item("When? {# =1822:0#Right =%50%1822:2#Near ~#Look it up ####In Ohio}")

    assert isinstance(found, Numeric)
    assert found.credits == (1.0, 0.5)
    assert found.rationale == (
        "In Ohio\n\n**1822**: Right\n\n**1822 ± 2**: Near\n\n**…**: Look it up"
    )


def test_a_number_that_is_none_is_left_out():
    assert changes("How much? {#3 =many}") == [
        ("line 1", "An answer is no number, and was left out.")
    ]
    assert brought("How much? {#many}", format="gift").skipped == 1


def test_a_matching_question_makes_a_choice_for_each_pair_and_counts_once():
    found = brought("::m::Match {=a -> 1 =b -> 2 = -> 3}", format="gift")

    assert (found.found, found.questions, found.kinds) == (1, 1, {"Choice": 2})
    first, second = found.imported
    assert isinstance(first, Choice)
    assert isinstance(second, Choice)
    assert (first.id, first.stem) == ("m-1", "Match\n\na")
    assert (second.id, second.stem) == ("m-2", "Match\n\nb")
    assert [o.text for o in second.options] == ["1", "2", "3"]
    assert (first.key, second.key) == (0, 1)


def test_pairs_without_an_arrow_or_a_choice_are_reported():
    assert changes("Match {=a -> 1 =b =c -> <b>2</b>}") == [("line 1", "A pair has no arrow.")]
    assert brought("Match {=a -> 1 =b -> 1}", format="gift").skipped == 1


def test_very_many_pairs_keep_the_right_side_among_the_options():
    found = items("Match {" + " ".join(f"=left{n} -> right{n}" for n in range(30)) + "}")

    assert all(isinstance(one, Choice) and len(one.options) == 26 for one in found)
    assert plain(found[29].options[found[29].key].text) == "right29"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Write. {}", "It asks for an essay, which nobody can grade at once."),
        ("Just a text.", "It has no braces with answers."),
        ("Fill {1:SA:=for~=x} in", "It is a Cloze question with several blanks."),
    ],
)
def test_what_cannot_be_asked_is_skipped_with_its_reason(text: str, reason: str):
    found = brought(f"first {{T}}\n\n{text}", format="gift")

    assert found.skipped == 1
    assert [(one.place, one.reason) for one in found.report] == [("line 3", reason)]


def test_categories_and_comments_become_tags_and_ids():
    text = (
        "$CATEGORY: $course$/top/Default for LING/Set theory: Unit 4\n\n"
        "// question: 1 [id:Q 7] [tag:Advanced] [tag:a,b]\n::x::q{T}\n\n"
        "$CATEGORY: A//B/C, D\n\nr{F}"
    )

    first, second = items(text)

    assert first.id == "q-7"
    assert first.tags == ("Set theory: Unit 4", "Advanced", "a;b")
    assert second.tags == ("A/B", "C; D")


def test_each_text_may_have_its_own_format():
    found = item("[markdown]**bold** \\{x\\} {=[html]<i>x</i> ~[plain]<i>y</i> ~*z*}")

    assert isinstance(found, Choice)
    assert found.stem == "**bold** {x}"
    assert [o.text for o in found.options] == ["*x*", "\\<i>y\\</i>", "*z*"]


def test_pictures_that_are_not_in_the_file_are_reported():
    text = (
        '[html]<img src\\="@@PLUGINFILE@@/a.png" alt\\="map"/>'
        '<img src\\="b.png"><img src\\="http\\://a.b/c.png"><img src\\="data\\:x"><video>'
        "Where? {T}"
    )

    found = brought(text, format="gift")

    assert found.imported[0].stem.startswith("map![](http://a.b/c.png)")
    assert [(one.severity.value, one.reason) for one in found.report] == [
        ("changed", "Chats cannot show what <video> holds."),
        ("note", "The picture http://a.b/c.png is not in the file. Its address is kept."),
        ("changed", "The picture a.png is not in the file."),
        ("changed", "The picture b.png is not in the file."),
        ("changed", "A picture written into the text cannot be read."),
    ]


def test_a_wildcard_is_left_out_of_an_answer():
    text = "How? {=*manually* =*}"

    assert item(text).accepted == ("manually",)  # type: ignore[union-attr]
    assert item("Sign? {=\\\\*}").accepted == ("*",)  # type: ignore[union-attr]
    assert [reason for _, reason in changes(text)] == [
        "A * in an answer stands for any text in Moodle."
    ]


# The cases that people reported, each with what it should become


def test_b01_general_feedback_of_a_number():
    found = item("::T::Two plus 4?{#\n\t=%100%6:0#Good!\n\t####2+4 \\= 6\n}")

    assert isinstance(found, Numeric)
    assert found.rationale == "2+4 = 6\n\n**6**: Good!"


def test_b02_b03_colons_escaped_or_not():
    assert item("Two people are entombed\\: {~a =b}").stem == "Two people are entombed:"
    assert item("1+1:=2 {T}").stem == "1+1:=2"


def test_b05_matching_punctuation():
    first, second = items("Match\\:\n{\n  =abc -> ...\n  =xyz -> , . ,\n}")

    assert [plain(o.text) for o in first.options] == ["...", ", . ,"]  # type: ignore[union-attr]
    assert second.key == 1  # type: ignore[union-attr]


def test_b06_a_backslash_that_escapes_nothing_stays():
    assert plain(item("Is \\[ it {T}").stem) == "Is \\[ it"


def test_b07_any_weight_is_good_and_one_behind_an_equals_sign_is_read():
    text = "Quin? {\n~%-15%Fortran #no\n=%100%Html #Si\n~%-15%C++  #no\n}"

    found = item(text)

    assert isinstance(found, Choice)
    assert [(o.text, o.weight) for o in found.options] == [
        ("Fortran", -0.15),
        ("Html", None),
        ("C++", -0.15),
    ]
    assert [reason for _, reason in changes(text)] == ["A weight stands behind =."]


def test_b08_a_category_with_a_colon():
    assert item("$CATEGORY: $course$/top/Set theory: Unit 4\n\nq{T}").tags == (
        "Set theory: Unit 4",
    )


def test_b09_a_title_that_ends_in_a_colon():
    found = item("::Title\\:::[html]<p>Stem</p>{T}")

    assert (found.id, found.stem) == ("title", "Stem")


def test_b10_an_arrow_in_a_comment_of_the_feedback():
    found = item(
        '::P::[html]<p>q?</p>{\n\t~[moodle]a\n\t=[moodle]N.\n\t####<a href\\="x"><!--v-->L</a>\n}'
    )

    assert isinstance(found, Choice)
    assert ([o.text for o in found.options], found.rationale) == (["a", "N."], "[L](x)")


def test_b11_an_escaped_equals_sign_in_the_stem():
    assert item("// true/false\n::Q1 T/F:: 1+1\\=2 {T}").stem == "1+1=2"


def test_b12_an_unescaped_equals_sign_in_a_tag_of_the_feedback():
    text = 'q {~a#<a href="x">no</a>\n=b\n#yes}'

    assert options(text) == [("a", False), ("b", True)]
    assert item(text).options[0].rationale == "[no](x)"  # type: ignore[union-attr]


def test_b13_a_category_glued_to_a_question_loses_nothing():
    first = "$CATEGORY: Kapitel 1\n::V1::Frage {~a =b}"
    text = first + "\n\n::V2::Frage 2 {~a =b}\n$CATEGORY: K2\n::V3::x{T}"

    assert [(one.id, one.tags) for one in items(text)] == [
        ("v1", ("Kapitel 1",)),
        ("v2", ("Kapitel 1",)),
        ("v3", ("K2",)),
    ]
    assert changes(text) == [
        ("line 5", "There is no empty line before it."),
        ("line 2", "There is no empty line before it."),
        ("line 6", "There is no empty line before it."),
    ]


def test_questions_glued_to_one_another_are_parted():
    text = "One? {T}\nTwo? {\n=a\n~b}\n::Three::x{F}\nand on it goes {=a ~b}"

    assert [one.stem for one in items(text)] == ["One?", "Two?", "x", "and on it goes"]


def test_b14_an_empty_line_among_the_answers():
    text = "::Q::Stem {\n~a\n\n=b\n}\n\n::Q2::x{T}"

    assert [one.id for one in items(text)] == ["q", "q2"]
    assert options(text.partition("\n\n::Q2")[0]) == [("a", False), ("b", True)]
    assert changes(text) == [("line 1", "There is an empty line among its answers.")]


def test_several_empty_lines_among_the_answers():
    assert options("q {\n~a\n\n=b\n\n~c\n\n}") == [("a", False), ("b", True), ("c", False)]
    assert brought("q {\n~a\n=b\n\nan end without braces", format="gift").skipped == 1


def test_a_comment_above_a_category_is_none_of_anybodys_business():
    assert brought("//a.b\n$CATEGORY: x\n\nq{T}", format="gift").report == ()


def test_b16_braces_of_a_formula_in_the_stem():
    found = item("::L::Compute $\\frac{1}{2}+1$ {=1.5 =3/2}")

    assert isinstance(found, ShortText)
    assert (found.stem, found.accepted) == ("Compute $\\frac{1}{2}+1$", ("1.5", "3/2"))


def test_b17_an_equals_sign_in_a_formula():
    text = "Pick {\n=$x=1$\n~$x=2$\n}"

    assert [o.text for o in item(text).options] == ["$x=1$", "$x=2$"]  # type: ignore[union-attr]
    assert changes(text)[0][1].startswith("Signs that GIFT reserves stand in a formula")


def test_prices_and_variables_are_no_formulas():
    assert options("Price? {=$5 ~$10}") == [("$5", True), ("$10", False)]
    assert options("Name? {=$a =$b ~$c}") == [("$a", True), ("$b", True), ("$c", False)]


def test_b19_a_line_that_begins_like_a_comment_is_one_and_is_reported():
    found = brought("Which?\n//example.org/path is a\n{=relative =x}", format="gift")

    assert found.imported[0].stem == "Which?"
    assert [one.reason for one in found.report] == [
        "A line that begins with // is a comment, and was left out."
    ]


def test_b20_an_answer_with_a_per_cent_sign():
    assert options("Which magic? {\n=%run\n~%save\n}") == [("%run", True), ("%save", False)]


def test_b21_a_line_feed_is_none_in_a_command_of_latex():
    assert item("Is \\(a\\neq b\\)?\\nYes {T}").stem == "Is $a\\neq b$?\\\nYes"
    assert item("Is \\(a\\nb\\) {T}").stem == "Is $a b$"


def test_b22_b33_a_decimal_comma():
    text = "Pi? {#3,14:0,01}"

    assert item(text).accepted == (Interval(low=3.13, high=3.15, value=3.14),)  # type: ignore[union-attr]
    assert item("Pi? {#3,14}").accepted == (Interval(low=3.14, high=3.14, value=3.14),)  # type: ignore[union-attr]
    assert changes(text) == [("line 1", "A decimal comma was read as a point.")]


def test_b23_the_sharp_of_c_sharp():
    assert options("Language? {=C\\# ~F# ~C}") == [("C#", True), ("F#", False), ("C", False)]


def test_b25_weights_that_do_not_say_a_hundred():
    found = brought("Pick {~%30%a ~%30%b ~%-100%d}", format="gift")

    assert [o.weight for o in found.imported[0].options] == [0.3, 0.3, -1.0]  # type: ignore[union-attr]
    assert [one.reason for one in found.report] == [
        "The right options are worth 60 % together, not 100 %."
    ]


def test_b26_a_brace_that_is_never_closed():
    text = "::Q::Stem {~a =b\n\n::Q2::y{T}\n\nQ3 {=c ~d\n\nQ4 {T}\n\n$CATEGORY: x\n\nQ5 {=e ~f"

    assert [one.stem for one in items(text)] == ["Stem", "y", "Q3", "Q4", "Q5"]
    assert [place for place, _ in changes(text)] == ["line 1", "line 5", "line 11"]


def test_b28_answers_that_are_signs():
    assert options("Control? {\n~ \\~\n= \\\\ # right\n~ \\}\n}") == [
        ("~", False),
        ("\\", True),
        ("}", False),
    ]


def test_b31_two_right_answers_in_a_single_choice():
    text = "Pick one {=a =b ~c}"

    assert isinstance(item(text), MultiChoice)
    assert changes(text) == [("line 1", "Several answers are marked as right with =.")]


def test_b32_options_without_braces():
    text = "P1. ¿Qué es Hadoop?\na) x\nb) y\nRespuesta: a"

    assert options(text) == [("x", True), ("y", False)]
    assert changes(text) == [
        ("line 1", "It has no braces, but options and a line with the answer.")
    ]


def test_b34_a_range_that_runs_backwards():
    text = "r {#5..1}"

    assert item(text).accepted == (Interval(low=1, high=5, value=3),)  # type: ignore[union-attr]
    assert changes(text) == [("line 1", "The range runs backwards; its ends were swapped.")]


def test_a_question_of_absurd_length_is_skipped():
    assert brought("q {" + "=a " * 501 + "}", format="gift").report[0].reason == (
        "It has more than 500 answers."
    )
    assert brought("\\(x\\n" * 16000 + "{T}", format="gift").skipped == 1


def test_an_open_brace_in_an_answer_is_text():
    assert options("q {\n=a { b\n~c\n}") == [("a { b", True), ("c", False)]
    assert options("q {=f(x) {y} ~c}") == [("f(x) {y}", True), ("c", False)]
    assert options("q {=a { b ~c} d { e") == [("a { b", True), ("c", False)]


def test_a_second_pair_of_braces_is_reported():
    assert changes("a {=b ~c} d {=e}")[0][1] == "It has more than one pair of braces."


def test_a_closing_brace_before_the_opening_one_makes_no_answers():
    assert brought("a } b {", format="gift").skipped == 1


def test_a_title_that_never_ends_is_part_of_the_stem():
    assert plain(item("::abc {T}").stem) == "::abc"


# Whether it is GIFT at all


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("::a::b{T}", 0.9),
        ("q {=a ~b}", 0.6),
        ("$CATEGORY: x\n\nq {#3}", 0.9),
        ("Text\n```\n::a::b{T}\n```\n", 0.9),
        ("Text\n```\nb{=a ~c}\n```\n", 0.3),
    ],
)
def test_gift_is_recognised(text: str, least: float):
    assert gift.sniff(Source(name="x.txt", content=text.encode())) >= least
    assert gift.sniff(Source(name="x.txt", content=text.encode("utf-16"))) >= least


@pytest.mark.parametrize("text", ['{"a": {}}', "[{}]", "<quiz>{=a}</quiz>", "+-a\n-b", "---\n{#a}"])
def test_other_files_are_not_taken_for_gift(text: str):
    assert gift.sniff(Source(name="x.txt", content=text.encode())) == 0


def test_a_name_alone_says_little():
    assert gift.sniff(Source(name="a.gift", content=b"::a:: b")) == 0.3
    assert gift.sniff(Source(name="a.gift", content=b"PK\x03\x04::a::b{T}")) == 0


def test_gift_between_the_fences_of_a_page_is_read_with_its_lines():
    found = brought("# How\n\n```\n::a::b{T}\n```\n\n```sh\nls\n```\n")

    assert (found.format, [one.line for one in found.imported]) == ("gift", [4])


def test_a_file_in_windows_1252_is_read_and_reported():
    found = brought("::a::Où est la fenêtre ? {=ici ~là}".encode("cp1252"))

    assert found.imported[0].stem == "Où est la fenêtre ?"
    assert [one.place for one in found.report] == ["file"]


# Writing


def test_a_written_bank_is_read_as_the_same():
    text, remarks = gift.write(edition())

    assert remarks == ()
    assert brought(text).imported == edition().items


def test_what_gift_cannot_carry_is_reported():
    rich = (
        Choice(**_head("a"), options=_two(), key=0, seconds=30, keep_order=True),
        ShortText(**_head("b"), accepted=("x",), typos=1),
        Numeric(**_head("c"), accepted=(Interval(low=0, high=10, value=3),)),
    )

    text, remarks = gift.write(edition(*rich, author="Ani", licence="CC0", source="here"))

    assert [one.reason for one in remarks] == [
        "Moodle knows no time for a single question.",
        "GIFT cannot keep the order of options.",
        "Moodle knows no answers with other accents or with typos.",
        "GIFT shows the middle of a range as its answer.",
    ]
    assert text.startswith(
        "// A mixed pack\n\n// Author: Ani\n\n// Licence: CC0\n\n// Source: here"
    )
    assert items(text)[2].accepted == (Interval(low=0, high=10, value=5),)  # type: ignore[union-attr]


def test_an_arrow_in_a_typed_answer_is_written_as_html_and_reported():
    arrow = ShortText(**_head("a"), accepted=("x -> <b> *", "y"))

    text, remarks = gift.write(edition(arrow))

    assert [one.reason for one in remarks] == [ARROW]
    assert items(text) == (arrow,)


def _head(name: str) -> dict[str, str]:
    return {"id": name, "stem": name}


def _two():
    found = item("q {=a ~b}")
    assert isinstance(found, Choice)
    return found.options


@settings(max_examples=150, deadline=None)
@given(editions())
def test_whatever_is_written_comes_back(drawn: Edition):
    text, remarks = gift.write(drawn)

    assert {one.reason for one in remarks} <= {ARROW}
    assert brought(text, format="gift").imported == drawn.items


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=80), st.text("{}=~#:\\$<>%->Tq1\n[]/ ", max_size=80).map(str.encode)
    )
)
def test_nothing_but_refusals_is_raised(content: bytes):
    read_or_refused(gift, content)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_damaged_bank_gives_a_report(data: st.DataObject):
    text, _ = gift.write(edition())

    brought_or_refused(data.draw(mutated(text.encode())), format="gift")


# Real files


@absent
@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.name)
def test_a_real_file_is_read(file: Path):
    found = brought(file.read_bytes(), file.name)

    assert found.format == "gift"


@absent
def test_moodle_agrees_in_99_of_100_questions():
    pairs = [pair for file in CORPUS for pair in _read_by_both(file)]
    differing = [
        f"{file.name}: {why}: {first_words(question)}"
        for file, question, moodle in pairs
        if (why := disagreement(question, moodle))
    ]

    print("\n".join(differing))  # noqa: T201 - docs/formats.md explains them

    assert len(differing) <= len(pairs) / 100


def _read_by_both(file: Path) -> list[tuple[Path, Question, dict]]:
    questions = gift.read(Source(name=file.name, content=file.read_bytes())).questions
    return [(file, *pair) for pair in zip(questions, oracle("gift", file), strict=True)]
