import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.building import build_all
from bot.cleaning import tags
from bot.drafts import Draft, DraftOption
from bot.formats.markdown import LONGEST, read, write
from bot.ids import PackId
from bot.items import (
    Choice,
    Interval,
    Item,
    MultiChoice,
    Numeric,
    ShortText,
    TrueFalse,
    keys,
)
from bot.packs import Edition
from bot.text import literal

FILE = "cells.en.md"
FRONT = "---\nid: cells\ntitle: Cells\nlanguage: en\n---\n"
GOOD = "## Why? {#why}\n\n- [x] a\n- [ ] b\n"
ROOT = Path(__file__).parents[2]


def items(body: str) -> tuple[Item, ...]:
    reading = read(FRONT + body, FILE)
    assert [str(problem) for problem in reading.problems] == []
    assert reading.edition
    assert read(write(reading.edition), FILE).edition == reading.edition
    return reading.edition.items


def item(body: str) -> Item:
    (only,) = items(body)
    return only


def wrong(body: str, front: str = FRONT) -> list[tuple[int, str]]:
    """List line (counted from the front matter's end) and text of everything wrong."""
    reading = read(front + body, FILE)
    assert reading.edition is None
    assert all(problem.cure and problem.file == FILE for problem in reading.problems)
    return [(problem.line - front.count("\n"), problem.what) for problem in reading.problems]


def cures(body: str) -> list[str]:
    return [problem.cure for problem in read(FRONT + body, FILE).problems]


# Front matter


def test_front_matter_describes_the_edition():
    front = """---
id: cells
title: "Cells: an introduction"
# a note for authors

Language:en
description:  'How they live'
tags: [biology, cells]
license: CC BY 4.0
author: Ayu
source: https://example.org/a: b
shuffle: Tidak
---
"""

    edition = read(f"\ufeff{front}{GOOD}".replace("\n", "\r\n"), FILE).edition

    assert edition
    assert replace(edition, items=()) == Edition(
        id=PackId("cells"),
        title="Cells: an introduction",
        language="en",
        items=(),
        description="How they live",
        tags=("biology", "cells"),
        licence="CC BY 4.0",
        author="Ayu",
        source="https://example.org/a: b",
        shuffle=False,
    )
    assert edition.file == FILE


def test_a_value_is_never_anything_but_text():
    edition = read(
        f"---\nid: 007\ntitle: No\nlanguage: no\nauthor: 1:30\n---\n{GOOD}", FILE
    ).edition

    assert edition
    assert (edition.id, edition.title, edition.language) == ("007", "No", "no")
    assert edition.author == "1:30"
    assert edition.shuffle


def test_every_fault_of_the_front_matter_is_reported_at_once():
    front = """---
id: Cells And More
langauge: en
author: A
author: B
shuffle: perhaps
just text
: nothing
title:
zzz: 1
---
"""

    problems = read(front + GOOD, FILE).problems

    assert [(problem.line, problem.what) for problem in problems] == [
        (1, "The pack has no language."),
        (2, "“Cells And More” cannot be the id of a pack."),
        (3, "“langauge” is not a key of a pack."),
        (5, "“author” stands here and on line 4."),
        (6, "“perhaps” is neither yes nor no."),
        (7, "“just text” is not a key and its value."),
        (8, "“: nothing” is not a key and its value."),
        (9, "The pack has no title."),
        (10, "“zzz” is not a key of a pack."),
    ]
    assert problems[1].cure.endswith("such as cells-and-more.")
    assert problems[2].cure.startswith("Did you mean language? ")


def test_front_matter_is_written_so_that_it_is_read_back():
    edition = Edition(
        id=PackId("cells"),
        title="  'Cells'  ",
        language="en",
        items=items(GOOD),
        description='"quoted"',
        tags=("[a]", "b"),
    )

    assert read(write(edition), FILE).edition == edition


@pytest.mark.parametrize("code", ["EN", "english", "en_GB", "e", "id, en"])
def test_a_language_is_a_code_in_lower_case(code):
    front = f"---\nid: cells\ntitle: Cells\nlanguage: {code}\n---\n"

    assert wrong(GOOD, front) == [(-1, f"“{code}” is not a language code.")]


def test_a_value_that_is_too_long_is_reported():
    front = f"---\nid: cells\ntitle: {'x' * 1001}\nlanguage: en\n---\n"

    assert "has 1,001 characters." in wrong(GOOD, front)[0][1]


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("", "The file begins with “”, not with a front matter."),
        ("# Hello", "The file begins with “# Hello”, not with a front matter."),
        ("---\nid: x", "The front matter that begins here never ends."),
    ],
)
def test_a_file_that_is_no_pack_gets_a_single_problem(source, what):
    assert [problem.what for problem in read(source, FILE).problems] == [what]


# Stems


def test_a_heading_asks():
    found = item("\n###### Why *so*?\n\n- [x] a\n- [ ] b\n")

    assert isinstance(found, Choice)
    assert (found.id, found.stem, found.line) == ("why-so", "Why *so*?", 7)


def test_all_blocks_above_the_answers_belong_to_the_stem():
    below = """A paragraph
of two lines.

```python
# not a heading

- [x] not an option
```

$$
x = 1
$$

![A cell](cell.png)

* a list
* of two

> A quote.

    code

a | b
--|--
1 | 2

Setext
===

<div>"""

    found = item(f"## Why? {{#why}}\n\n{below}\n\n- [x] a\n- [ ] b")

    assert found.stem == f"Why?\n\n{below}"


def test_a_heading_without_text_leaves_the_stem_to_its_blocks():
    assert item("## {#a}\n\n    code\n\n- [x] a\n- [ ] b").stem == "    code"
    assert item("##\n\n- a list\n\n* [x] a\n* [ ] b").id == "a-list"


@pytest.mark.parametrize(
    "heading",
    [
        "$\\frac{a}{b}$",
        "The set {x}",
        "The set {a, b}",
        "If {p=5}",
        "A \\{#b}",
        "A \\{ #b }",
        "Code `{}`",
        "x_{i}",
        "{% note %}",
        "Is {.foo}",
        "}",
    ],
)
def test_other_braces_stay_in_the_heading(heading):
    assert item(f"## {heading}\n\n- [x] a\n- [ ] b").stem == heading


def test_attributes_say_what_the_author_wishes():
    chosen = item(
        '## A {b} {#c seconds=45 tags="lr, weight decay" .keep-order .several}\n- [x] a\n- [ ] b'
    )
    typed = item("## A{#c typos=1 .any-accents .text}\n- = 7")

    assert isinstance(chosen, MultiChoice)
    assert (chosen.id, chosen.stem, chosen.seconds) == ("c", "A {b}", 45)
    assert chosen.tags == ("lr", "weight decay")
    assert chosen.keep_order
    assert isinstance(typed, ShortText)
    assert (typed.accepted, typed.typos, typed.any_accents) == (("7",), 1, True)


@pytest.mark.parametrize(
    ("attributes", "what", "cure"),
    [
        ("{#a second=45}", "“second” is not an attribute of an item.", "Did you mean seconds? "),
        ("{second=45}", "“second” is not an attribute of an item.", "Did you mean seconds? "),
        ("{#a .keeporder}", "“.keeporder” is not", "Did you mean .keep-order? "),
        ("{#a .zz}", "“.zz” is not an attribute of an item.", "There are seconds, tags, "),
        ("{#my id}", "The attributes “{#my id}” cannot be read.", "Write them like {#my-id"),
        ("{seconds = 45}", "The attributes “{seconds = 45}” cannot", "Write them like"),
        ("{#a tags=“b”}", "The attributes “{#a tags=“b”}” cannot be read.", "Write them like"),
        ('{#a tags="{b}"}', 'The attributes “{#a tags="{b}"}” cannot', "Write them like"),
        ("{#a seconds=soon}", "The time “soon” is not", "Write for instance seconds=45"),
        ("{#a .text typos=1}", "“.text” does nothing for options.", "Remove it"),
    ],
)
def test_attributes_that_cannot_be_used_are_reported(attributes, what, cure):
    problems = read(f"{FRONT}## A {attributes}\n\n- [x] a\n- [ ] b", FILE).problems

    assert problems[0].line == 6
    assert problems[0].what.startswith(what)
    assert problems[0].cure.startswith(cure)


def test_options_attributes_do_nothing_for_typed_answers():
    assert wrong("## A {.keep-order}\n- = b") == [
        (1, "“.keep-order” does nothing for typed answers.")
    ]


# Answers


@pytest.mark.parametrize("sign", ["-", "*", "+", "1.", "2)"])
def test_boxes_make_options(sign):
    found = item(f"## Why?\n\n{sign} [ ] a\n{sign} [X] b c\n")

    assert isinstance(found, Choice)
    assert [option.text for option in found.options] == ["a", "b c"]
    assert found.key == 1


def test_several_keys_make_a_multi_choice():
    assert keys(item("## Why?\n- [x] a\n- [x] b\n- [ ] c")) == {0, 1}


def test_true_and_false_make_a_statement():
    found = item("## It is.\n- [ ] Benar\n\n  No.\n- [x] Salah\n\n  Yes.")

    assert isinstance(found, TrueFalse)
    assert (found.key, found.when_true, found.when_false) == (False, "No.", "Yes.")


def test_what_is_below_an_option_is_its_rationale():
    body = """## Why?

- [x] first
  line

  Because:

  ```
  code
    more
  ```

  * a list
-   [ ] b

    > A quote
    > of two
1. [ ] c
"""

    found = items(body.replace("1. ", "- ") + "\n    code\n- [ ] d\n\n  > one\n\n  two\n")[0]

    assert isinstance(found, Choice)
    assert [option.text for option in found.options] == ["first\nline", "b", "c", "d"]
    assert found.options[0].rationale == "Because:\n\n```\ncode\n  more\n```\n\n* a list"
    assert found.options[1].rationale == "A quote\nof two"
    assert found.options[2].rationale == "code"
    assert found.options[3].rationale == "> one\n\ntwo"


def test_a_box_alone_takes_the_blocks_below_it():
    body = """## Why?
- [x]

  ```python
  x = [1]
  ```

  > Because.
- [ ]

  $$x$$

  and more
- [ ]

  > only a quote

  >
"""

    found = item(body)

    assert isinstance(found, Choice)
    assert [(option.text, option.rationale) for option in found.options] == [
        ("```python\nx = [1]\n```", "Because."),
        ("$$x$$\n\nand more", ""),
        ("> only a quote", ""),
    ]


def test_options_may_begin_with_any_sign():
    texts = ["[x] a", "= b", "[c](d)", "\\# e", "- f", "> g", "# h", "\\[ \\]"]
    body = "\n".join(f"- [ ] {text}" for text in texts)

    found = item(f"## Why?\n\n{body}\n- [x] z")

    assert isinstance(found, Choice)
    assert [option.text for option in found.options] == [*texts, "z"]


def test_equals_signs_make_answers_to_type():
    found = item(
        "## Why?\n\n- = learning rate\n- =`step size`\n- = `a` and `b`\n- = ``  `c` ``\n- = =x"
    )

    assert isinstance(found, ShortText)
    assert found.accepted == ("learning rate", "step size", "`a` and `b`", "`c`", "=x")


def test_numbers_make_a_numeric_item():
    found = item("## How much?\n\n- = 3,14 ± 0.01\n- = 5..6\n- = 1 (0..3)")

    assert isinstance(found, Numeric)
    assert found.accepted == (
        Interval(low=3.13, value=3.14, high=3.15),
        Interval(low=5, value=5.5, high=6),
        Interval(low=0, value=1, high=3),
    )


def test_quotes_after_the_list_are_the_rationale():
    after = "> One\nlazy\n> \n>     code\n\n---\n\n<!-- note -->\n\n>Two"

    found = item(f"## Why?\n\n> To read.\n\n- [x] a\n- [ ] b\n\n{after}")

    assert found.stem == "Why?\n\n> To read."
    assert found.rationale == "One\nlazy\n\n    code\n\nTwo"


def test_notes_and_rules_between_items_are_for_authors():
    first, second = items(f"<!-- note -->\n\n---\n\n{GOOD}\n---\n\n# B\n- = c")

    assert (first.id, second.id) == ("why", "b")


def test_what_nobody_would_see_is_reported():
    body = "Loose.\n\nMore.\n\n" + GOOD + "\nAfter.\n\n## B\n\n- = c\n\n  Below.\n\n* = d\n"

    assert wrong(body) == [
        (1, "“Loose.” stands above the first question, where nobody sees it."),
        (3, "“More.” stands above the first question, where nobody sees it."),
        (10, "“After.” stands after the answers, where nobody sees it."),
        (16, "“Below.” stands below an answer to type, where nobody sees it."),
        (18, "A second list of answers begins with “* = d”."),
    ]


def test_a_line_without_indentation_is_reported_before_it_joins_an_option():
    assert wrong("## Why?\n- [x] a\n- [ ] b\nText.") == [
        (4, "“Text.” is not indented like the answer above it."),
    ]
    assert cures("## Why?\n10. [x] a\n11. [ ] b\n  c")[0].startswith("Type 4 spaces before it")


@pytest.mark.parametrize("box", ["[]", "[v]", "[ x]", "[✓]", "[*]"])
def test_a_box_that_cannot_be_read_is_reported(box):
    found = wrong(f"## Why?\n- [x] a\n- {box} b")

    assert found[0] == (3, f"“{box} b” does not begin with a box that can be read.")


def test_a_box_without_a_space_is_reported():
    assert wrong("## Why?\n- [x]a\n- [ ] b") == [
        (2, "“[x]a” does not begin with a box that can be read."),
    ]


def test_a_mixed_list_is_reported():
    assert wrong("## Why?\n- [x] a\n- [ ] b\n- = c\n- d\n-\n- ```\n") == [
        (1, "The item has options and also answers to type."),
        (5, "“- d” has no box and no =, unlike its neighbours."),
        (6, "“-” has no box and no =, unlike its neighbours."),
        (7, "“- ```” has no box and no =, unlike its neighbours."),
    ]


@pytest.mark.parametrize(
    "body", ["## Why?", "## Why?\n\nText.", "## Why?\n\n- a\n- b", "## A\n- => b"]
)
def test_a_heading_without_answers_is_reported(body):
    assert wrong(body) == [(1, "The item has no answers.")]


def test_a_pack_without_items_is_reported():
    assert wrong("") == [(1, "There are no items.")]


def test_code_that_never_ends_is_reported_where_it_begins():
    assert wrong("## Why?\n\n~~~~ python\n- [x] a\n~~~\n## B\n") == [
        (3, "The code that begins here with ~~~~ never ends."),
    ]
    assert wrong("## Why?\n```") == [(2, "The code that begins here with ``` never ends.")]


def test_two_equal_ids_name_both_lines():
    assert wrong(f"{GOOD}\n{GOOD}") == [
        (6, "The id “why” is used on line 6 and again on line 11."),
    ]


def test_problems_of_building_have_the_lines_of_the_file():
    assert wrong("## Why?\n- [ ] a\n- [ ] b\n\n  c\n- [ ] A\n") == [
        (1, "No option is marked as right."),
        (6, "The option “A” is the same as “a”. That stands on line 7."),
    ]


# Noise


def test_invisible_characters_are_reported_with_their_place():
    assert wrong("## Wh\x00y?\n- [x] a\x07\n- [ ] b") == [
        (1, "Character 6 of the line is the invisible U+0000."),
        (2, "Character 8 of the line is the invisible U+0007."),
    ]


def test_only_so_many_problems_are_listed():
    problems = read(FRONT + "## A {#a}\n" * 40, FILE).problems

    assert len(problems) == 51
    more = "There are more problems than these: 29. Mend the ones above first."
    assert str(problems[-1]) == f"{FILE}: {more}"


@pytest.mark.parametrize("source", ["x" * (10 * LONGEST), "---\n" * 40_000])
def test_a_file_that_is_too_long_is_refused_at_once(source):
    (problem,) = read(source, FILE).problems

    assert problem.what == "The file is longer than a pack may be: 1 MiB and 30,000 lines."


@pytest.mark.parametrize(
    "noise",
    [
        "- [x] a\n",
        "$$a\n\n",
        "> ",
        "[a",
        '# {a="',
        "# {#a\n",
        "- = `",
        "```\n",
        "a\n",
        "a|b\n-|-\n",
        "\n",
        "# a\n- [x] a\n",
        "- ",
        "- [ ]\n\n  > a\n",
        "\x00",
        "{",
        "*a **b ",
        "<!--",
        " ",
        "# $a\n- [x] $\n",
    ],
)
def test_noise_is_refused(noise):
    source = FRONT + noise * min(29_000, LONGEST // len(noise) - 100)

    reading = read(source, FILE)

    assert reading.edition is None


@given(st.text() | st.text("#-=[]x >`$\n{}.ab\t\\|1*<!\x00"))
def test_no_text_makes_reading_fail(body):
    assert read(body, FILE).edition is None
    reading = read(FRONT + body, FILE)

    assert (reading.edition is None) == bool(reading.problems)


# Writing

SAFE = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30)
BLOCKS = st.sampled_from(
    [
        "Why **so**?",
        "Two\nlines  \nor three",
        "```python\nif x:\n\n    y\n   \n```",
        "$$\n\\frac{a}{b}\n$$",
        "- a\n- b\n\n  c",
        "* a\n* b",
        "1. a\n2. b",
        "> quoted\n>\n> twice",
        "![alt](a.png)",
        "a|b\n-|-\n1|2",
        "    code\n\n    more",
        "[ref]: /url",
        "---",
        "A {#b}",
        "A { set }",
        "A ## ",
        "~~~\n# not a heading\n~~~",
        "Setext\n---",
        "<!-- open",
        "$$",
        "\\# no heading",
        "= b",
        "[x] c",
    ]
)
PLAIN = SAFE.filter(str.strip)
RICH = st.lists(BLOCKS | PLAIN.map(literal), min_size=1, max_size=4).map("\n\n".join)
LINES = PLAIN.map(lambda text: " ".join(text.split()))


@st.composite
def drafts(draw) -> Draft:
    options = draw(
        st.lists(
            st.builds(DraftOption, text=RICH, is_key=st.booleans(), rationale=RICH | st.just("")),
            max_size=4,
        )
    )
    numbers = st.sampled_from(["3", "0.1 ± 0.02", "1..4", "1e-9 (0..1)"])
    return Draft(
        stem=draw(RICH),
        id=draw(st.from_regex(r"[a-z][a-z-]{0,5}", fullmatch=True)),
        options=tuple(options),
        accepted=() if options else tuple(draw(st.lists(LINES | numbers, min_size=1, max_size=3))),
        rationale=draw(RICH | st.just("")),
        seconds=draw(st.sampled_from(["", "5", "3600"])),
        typos="" if options else draw(st.sampled_from(["", "2"])),
        tags=tuple(draw(st.lists(SAFE, max_size=2))),
        keep_order=draw(st.booleans()),
        any_accents=draw(st.booleans()),
        several=draw(st.sampled_from([None, True])),
        as_text=draw(st.booleans()),
    )


@st.composite
def editions(draw) -> Edition:
    built = build_all(draw(st.lists(drafts(), min_size=1, max_size=3)), FILE)
    assume(built.items and not built.problems)
    return Edition(
        id=PackId("cells"),
        title=draw(PLAIN),
        language=draw(st.sampled_from(["en", "id", "fr"])),
        items=built.items,
        description=draw(SAFE),
        tags=tags(draw(st.lists(SAFE, max_size=2))),
        source=draw(SAFE),
        shuffle=draw(st.booleans()),
    )


@settings(deadline=None)
@given(editions())
def test_every_edition_is_read_back_as_it_was_written(edition):
    reading = read(write(edition), FILE)

    assert reading.problems == ()
    assert reading.edition == edition


@pytest.mark.parametrize(
    ("stem", "kept"),
    [
        ("# Title\n\ntext", "\\# Title\n\ntext"),
        ("text\n\n  ### Title", "text\n\n  \\### Title"),
        ("text\n\n- [x] a\n- b\n-", "text\n\n- \\[x] a\n- b\n-"),
        ("text\n\n1. = a", "text\n\n1. \\= a"),
        ("text\n\n````\ncode", "text\n\n````\ncode\n````"),
    ],
)
def test_what_would_end_a_stem_is_escaped_when_written(stem, kept):
    draft = Draft(stem=stem, id="a", accepted=("b",))
    (built,) = build_all([draft], FILE).items
    edition = Edition(id=PackId("cells"), title="Cells", language="en", items=(built,))

    again = read(write(edition), FILE).edition

    assert again
    assert again.items[0].stem == kept


def test_a_written_pack_looks_like_one_that_a_person_wrote():
    body = """## Why? {#why seconds=45 tags="a, b" .keep-order}

Text.

* a list

- [x] first

  Because.
- [ ] second

> So.

## It is. {#b}

- [ ] Benar
- [x] Salah

## How much? {#c}

- = 3.14 ± 0.01
"""
    front = "---\nid: cells\ntitle: Cells\nlanguage: id\ntags: x, y\nshuffle: no\n---\n\n"

    edition = read(front + body, FILE).edition

    assert edition
    assert write(edition) == front + body


# Shipped


@pytest.mark.parametrize("file", sorted((ROOT / "questions").rglob("*.md")), ids=lambda f: f.name)
def test_a_shipped_pack_is_read_and_written_without_loss(file):
    reading = read(file.read_text(encoding="utf-8"), str(file))

    assert [str(problem) for problem in reading.problems] == []
    assert reading.edition
    assert read(write(reading.edition), str(file)).edition == reading.edition


def test_the_example_of_the_guide_is_a_pack_of_every_kind():
    guide = (ROOT / "docs" / "packs.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^````markdown\n(.*?)^````$", guide, re.DOTALL | re.MULTILINE)

    reading = read(example, "example")

    assert reading.problems == ()
    assert reading.edition
    kinds = {type(found) for found in reading.edition.items}
    assert kinds == {Choice, MultiChoice, TrueFalse, ShortText, Numeric}
