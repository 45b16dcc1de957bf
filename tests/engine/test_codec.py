"""Sessions as JSON."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.codec import dump, load
from bot.draw import Draw
from bot.effects import Trouble
from bot.errors import StoreError
from bot.ids import ItemId, PackId
from bot.modes import Mode
from bot.session import Phase
from tests.helpers.samples import later, session

TIMES = st.none() | st.integers(0, 10**7).map(lambda ms: later(ms / 1000))


@given(
    st.sampled_from(list(Mode)),
    st.fixed_dictionaries(
        {
            "phase": st.sampled_from(list(Phase)),
            "turn": st.integers(0, 2),
            "closed": st.integers(0, 3),
            "seconds": st.just(()) | st.tuples(st.integers(0, 99), st.integers(0, 99)),
            "message": st.text(),
            "opened": TIMES,
            "deadline": TIMES,
            "next_at": TIMES,
            "finished": TIMES,
            "remaining": st.none() | st.floats(0, 99),
            "paused_in": st.none() | st.sampled_from(list(Phase)),
            "trouble": st.none() | st.sampled_from(list(Trouble)),
            "rules": st.fixed_dictionaries({"seconds": st.integers(5, 99), "grace": st.just(2.5)}),
        }
    ),
)
def test_a_session_survives_the_round_trip(mode: Mode, fields: dict[str, object]):
    stored = session(mode, **fields)

    assert load(dump(stored)) == stored


def test_a_session_of_a_hundred_items_stays_under_four_kibibytes():
    ids = tuple(ItemId(f"a-rather-long-item-id-{n:03}") for n in range(100))

    stored = dump(replace(session(), draw=Draw(seed=2**62, items=ids)))

    assert len(stored.encode()) < 4096


def test_a_session_written_by_a_newer_program_is_refused():
    fields = json.loads(dump(session())) | {"v": 99}

    with pytest.raises(StoreError, match="99"):
        load(json.dumps(fields))


def test_the_packs_of_a_mixed_session_are_kept_and_those_stored_before_have_none():
    items = tuple(map(ItemId, "abc"))
    packs = tuple(map(PackId, "xyx"))
    mixed = replace(session(), pack=PackId("~review"), draw=Draw(seed=1, items=items, packs=packs))

    assert load(dump(mixed)) == mixed
    assert [mixed.pack_at(turn) for turn in range(3)] == ["x", "y", "x"]
    assert "packs" not in json.loads(dump(session()))
    assert session().pack_at(2) == session().pack
