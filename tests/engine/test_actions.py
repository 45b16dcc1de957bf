"""Buttons carry what they need."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import Action, Verb, decode, encode
from bot.ids import SessionId


@given(
    st.sampled_from(list(Verb)),
    st.text("0123456789abcdef", max_size=16),
    st.integers(0, 999),
    st.text(alphabet="abc,:-é", max_size=12),
)
def test_an_action_survives_the_round_trip(verb: Verb, session: str, turn: int, value: str):
    action = Action(verb=verb, session=SessionId(session), turn=turn, value=value)

    assert decode(encode(action)) == action


def test_an_action_that_no_button_could_carry_is_refused():
    with pytest.raises(ValueError, match="64"):
        encode(Action(verb=Verb.PLAY, value="é" * 40))


@pytest.mark.parametrize(
    "forged", ["", "1", "1:a:s:0", "2:a:s:0:v", "1:zz:s:0:v", "1:a:s:-1:v", "1:a:s:²:v", "1:a:s::v"]
)
def test_what_was_not_written_by_us_is_not_obeyed(forged: str):
    assert decode(forged) is None


@given(st.text())
def test_no_text_at_all_breaks_the_reader(text: str):
    decode(text)
    decode("1:" + text)
