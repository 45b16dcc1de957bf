from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.building import build, build_all, named
from bot.cleaning import clean, slug, tags
from bot.drafts import Draft, DraftOption
from bot.items import Choice, Interval, MultiChoice, Numeric, ShortText, TrueFalse

FILE = "pack.en.md"


def options(*texts: str) -> tuple[DraftOption, ...]:
    """Make options on lines 11, 12, ...; a leading `*` marks a key."""
    return tuple(
        DraftOption(text=text.removeprefix("*"), is_key=text.startswith("*"), line=line)
        for line, text in enumerate(texts, 11)
    )


def choice(*texts: str, **more) -> Draft:
    return Draft(**{"stem": "What?", "id": "what", "line": 10, "options": options(*texts), **more})


def typed(*accepted: str | Interval, **more) -> Draft:
    return Draft(**{"stem": "What?", "id": "what", "line": 10, "accepted": accepted, **more})


def faults(draft: Draft) -> list[tuple[int, str]]:
    built = build(draft, FILE)
    assert isinstance(built, tuple)
    assert all(problem.file == FILE and problem.cure for problem in built)
    return [(problem.line, problem.what) for problem in built]


def test_one_key_makes_it_a_choice():
    item = build(choice("*a", "b"), FILE)

    assert isinstance(item, Choice)
    assert item.key == 0
    assert [option.text for option in item.options] == ["a", "b"]


def test_a_second_key_makes_it_a_multi_choice():
    item = build(choice("*a", "b", "*c"), FILE)

    assert isinstance(item, MultiChoice)
    assert item.keys == {0, 2}


def test_a_format_can_ask_for_all_that_apply_with_a_single_key():
    item = build(choice("*a", "b", several=True, keep_order=True), FILE)

    assert isinstance(item, MultiChoice)
    assert item.keys == {0}
    assert item.keep_order


def test_a_format_that_allows_one_answer_refuses_a_second_key():
    draft = choice("*a", "*b", several=False)

    assert faults(draft) == [
        (12, "“a” and “b” are both right, but the item allows one answer."),
    ]
    assert isinstance(build(choice("*a", "b", several=False), FILE), Choice)


@pytest.mark.parametrize(
    "pair", [("true", "False."), ("Benar", "SALAH"), ("Betul", "Salah"), ("**True**", "`False`")]
)
def test_a_pair_of_true_and_false_is_a_statement(pair):
    drafts = [DraftOption(text=text, rationale=f"why {text}") for text in pair]
    drafts[1] = replace(drafts[1], is_key=True)

    item = build(Draft(stem="It is.", options=tuple(drafts)), FILE)

    assert isinstance(item, TrueFalse)
    assert not item.key
    assert (item.when_true, item.when_false) == (f"why {pair[0]}", f"why {pair[1]}")


def test_false_before_true_stays_in_its_order():
    item = build(choice("*Salah", "Benar"), FILE)

    assert isinstance(item, Choice)
    assert item.keep_order


@pytest.mark.parametrize("texts", [("*Yes", "No"), ("*Ya", "Tidak"), ("*True", "False", "Both")])
def test_other_pairs_are_ordinary_options(texts):
    item = build(choice(*texts), FILE)

    assert isinstance(item, Choice)
    assert not item.keep_order


def test_answers_that_are_all_numbers_make_it_numeric():
    item = build(typed("3 ± 1", "10", Interval(low=20, value=20, high=30)), FILE)

    assert isinstance(item, Numeric)
    assert item.accepted == (
        Interval(low=2, value=3, high=4),
        Interval(low=10, value=10, high=10),
        Interval(low=20, value=20, high=30),
    )


def test_other_answers_make_it_a_short_text():
    item = build(typed("42", "forty \n two", any_accents=True, typos="2"), FILE)

    assert isinstance(item, ShortText)
    assert item.accepted == ("42", "forty two")
    assert item.any_accents
    assert item.typos == 2


def test_numbers_can_be_compared_as_text():
    item = build(typed("007", Interval(low=7, value=7, high=7), as_text=True), FILE)

    assert isinstance(item, ShortText)
    assert item.accepted == ("007", "7")
    assert item.typos == 0


def test_what_all_kinds_share_is_kept():
    draft = choice("*a", "b", rationale=" Why.\r\n", seconds="45", tags=("x, y", "x", ' "z" '))

    item = build(draft, FILE)

    assert not isinstance(item, tuple)
    assert (item.id, item.rationale, item.seconds, item.line) == ("what", "Why.", 45, 10)
    assert item.tags == ("x", "y", "z")


def test_everything_wrong_is_reported_at_once():
    draft = choice("a", "A ", "", stem=" ", id="1.5", seconds="soon", typos="many")

    assert faults(draft) == [
        (10, "The item asks nothing."),
        (10, "“1.5” cannot be an id."),
        (10, "The time “soon” is not a whole number of seconds from 5 to 3600."),
        (10, "The number of typos “many” is not one from 0 to 3."),
        (10, "No option is marked as right."),
        (12, "The option “A” is the same as “a”. That stands on line 11."),
        (13, "An option has no text."),
    ]


@pytest.mark.parametrize("seconds", ["4", "3601", "45s", "4.5", "-5", "١٠", "9" * 5000])
def test_seconds_are_a_whole_number_from_5_to_3600(seconds):
    assert len(faults(choice("*a", "b", seconds=seconds))) == 1


@pytest.mark.parametrize("seconds", ["5", "3600"])
def test_the_shortest_and_the_longest_time_are_fine(seconds):
    item = build(choice("*a", "b", seconds=seconds), FILE)

    assert not isinstance(item, tuple)
    assert item.seconds == int(seconds)


@pytest.mark.parametrize("name", ["-a", "a b", "a.b", "é", "a" * 65, "_"])
def test_an_unusable_id_is_reported_with_one_that_works(name):
    built = build(choice("*a", "b", id=name), FILE)

    assert isinstance(built, tuple)
    assert [problem.what.endswith("cannot be an id.") for problem in built] == [True]


def test_a_single_option_is_no_choice():
    assert faults(choice("*a")) == [(10, "“a” is the only option.")]


def test_there_are_as_many_options_as_letters():
    texts = ["*0", *map(str, range(1, 27))]

    assert faults(choice(*texts)) == [(37, "There are 27 options, but only 26 letters.")]
    assert isinstance(build(choice(*texts[:26]), FILE), Choice)


def test_equal_options_without_lines_are_named_by_their_text():
    draft = Draft(stem="?", options=(DraftOption(text="a", is_key=True), DraftOption(text="**a**")))

    assert faults(draft) == [(0, "The option “**a**” is the same as “a”.")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$\\sigma$", "$\\Sigma$"),
        ("`True`", "`true`"),
        ("![](a.png)", "![](b.png)"),
        ("```\nif x:\n  y\n```", "```\nif x:\ny\n```"),
        ("a_1", "a_2"),
    ],
)
def test_options_that_look_different_are_different(one, other):
    assert isinstance(build(choice(f"*{one}", other), FILE), Choice)


@pytest.mark.parametrize("text", ["\u200b", "[a]: /b", "&#8203;"])
def test_an_option_that_shows_nothing_has_no_text(text):
    assert faults(choice("*a", text)) == [(12, "An option has no text.")]


def test_an_item_needs_answers_of_one_sort():
    assert faults(Draft(stem="What?", line=10)) == [(10, "The item has no answers.")]
    assert faults(choice("*a", "b", accepted=("c",))) == [
        (10, "The item has options and also answers to type."),
    ]


def test_an_accepted_answer_cannot_be_empty():
    assert faults(typed("a", " \t")) == [(10, "An accepted answer is empty.")]


def test_a_range_beside_words_is_reported():
    assert faults(typed("3 ± 1", "three")) == [
        (10, "“3 ± 1” is a range of numbers, but “three” is text."),
    ]
    assert isinstance(build(typed("1..2", "one", as_text=True), FILE), ShortText)


def test_texts_that_no_chat_can_carry_are_reported():
    long = "x" * 3001
    draft = choice("*a", "b" * 501, stem=long, rationale=long)
    draft = replace(draft, options=(replace(draft.options[0], rationale="y" * 1001), *options("c")))

    assert [what.split("“")[0] for _, what in faults(draft)] == [
        "The question ",
        "The rationale ",
        "The rationale ",
    ]
    assert faults(choice("*a", "b" * 501))[0][0] == 12
    assert "201 characters; a chat can carry 200." in faults(typed("x" * 201))[0][1]


def test_a_question_and_its_options_share_a_message():
    texts = [f"*{'a' * 499}", *(f"{letter}" * 499 for letter in "bcdefg")]

    assert [line for line, _ in faults(choice(*texts))] == [10]
    assert isinstance(build(choice(*texts[:6]), FILE), Choice)


def test_a_file_keeps_its_good_items_and_reports_the_others():
    built = build_all([choice("*a", "b"), choice("a", "b", id="bad"), typed("c", id="c")], FILE)

    assert [item.id for item in built.items] == ["what", "c"]
    assert [problem.item for problem in built.problems] == ["bad"]


def test_an_id_used_twice_names_both_lines():
    built = build_all([choice("*a", "b"), choice("*c", "d", line=20)], FILE)

    (problem,) = built.problems
    assert problem.line == 20
    assert problem.what == "The id “what” is used on line 10 and again on line 20."
    assert problem.cure == "Give one of the two another id, such as what-2."


def test_items_without_ids_get_different_ones():
    drafts = [Draft(stem=stem) for stem in ("What is it?", "What is it?", "?")]

    names = [draft.id for draft in named([*drafts, Draft(stem="x", id="what-is-it-2")])]

    assert names == ["what-is-it", "what-is-it-3", slug("?"), "what-is-it-2"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What is π?", "what-is"),
        ("Apa  itu *laju*?", "apa-itu-laju"),
        ("Ünïcode", "unicode"),
        ("a" * 60, "a" * 48),
        ("word " * 20, "word-word-word-word-word-word-word-word-word"),
        ("学習率", "item-77753cb0"),
    ],
)
def test_a_slug_says_what_its_text_is_about(text, name):
    assert slug(text) == name


@given(st.text())
def test_a_slug_is_always_a_usable_id(text):
    assert isinstance(build(choice("*a", "b", id=slug(text)), FILE), Choice)


@given(st.text())
def test_a_clean_text_stays_as_it_is(text):
    once = clean(text)

    assert clean(once) == once


def test_cleaning_keeps_what_means_something():
    assert clean("\n \n    code\n\tcode \r\n") == "    code\n    code"
    assert clean(" a\x00\n\n b\tc") == "a\n\n b\tc"


def test_tags_are_tidied():
    assert tags(["a, b ,a", " c  d ", "{x}", ""]) == ("a", "b", "c d", "x")


def test_weights_and_credits_lie_within_all_of_it():
    heavy = replace(choice("*a", "b"), options=(
        DraftOption(text="a", is_key=True, weight=1.5, line=11), DraftOption(text="b", line=12)
    ))  # fmt: skip

    assert faults(heavy) == [(11, "The option “a” is worth 150 %.")]
    assert faults(typed("a", "b", credits=(1.0, 0.0))) == [
        (10, "The accepted answer “b” is worth 0 %.")
    ]


def test_nobody_reads_a_thousand_accepted_answers():
    assert faults(typed(*map(str, range(501)))) == [(10, "There are 501 accepted answers.")]


def test_credits_stay_only_where_an_answer_earns_less_than_all():
    whole, part = (build(typed("a", "b", credits=(1.0, one)), FILE) for one in (1.0, 0.5))

    assert isinstance(whole, ShortText)
    assert isinstance(part, ShortText)
    assert (whole.credits, part.credits) == ((), (1.0, 0.5))


def test_weights_that_say_the_usual_are_left_out():
    weights = (0.3333333, 0.3333333, 0.3333333, -0.3333333)
    texts = ("a", "b", "c", "d")
    usual = tuple(
        DraftOption(text=text, is_key=weight > 0, weight=weight)
        for text, weight in zip(texts, weights, strict=True)
    )

    item = build(Draft(stem="What?", options=usual), FILE)
    odd = build(Draft(stem="What?", options=(*usual[:3], replace(usual[3], weight=0.0))), FILE)

    assert isinstance(item, MultiChoice)
    assert isinstance(odd, MultiChoice)
    assert [option.weight for option in item.options] == [None] * 4
    assert [option.weight for option in odd.options] == [*weights[:3], 0.0]


def test_a_statement_with_weights_stays_a_choice():
    true = DraftOption(text="True", is_key=True)
    false = DraftOption(text="False", weight=-1.0)

    item = build(Draft(stem="So?", options=(true, false)), FILE)

    assert isinstance(item, Choice)
    assert item.options[1].weight == -1.0
