"""Ids: out and in again, and what is none is refused."""

import contextlib
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import ids
from bespeak.errors import InvalidId

homes = st.integers(1, ids.MAX_RESOURCE_NUMBER)


@given(homes, st.booleans())
def test_an_id_carries_its_home_and_kind(home: int, is_block: bool) -> None:
    number = ids.IdMaker().new(home, is_block=is_block)
    assert (ids.home_of(number), ids.is_block(number)) == (home, is_block)
    assert (number.version, number.variant) == (8, "specified in RFC 4122")


@given(st.uuids(), st.sampled_from([ids.HOLD, ids.BOOKING, ids.BLOCK]))
def test_shown_ids_are_read_again(number: UUID, prefix: str) -> None:
    text = ids.show(prefix, number)
    assert len(text) == len(prefix) + 27
    assert ids.parse(prefix, text) == number


@given(st.lists(st.uuids(), min_size=2, max_size=2))
def test_shown_ids_sort_as_their_numbers_do(pair: list[UUID]) -> None:
    first, second = sorted(pair)
    assert ids.show("hold", first) <= ids.show("hold", second)


@given(homes)
def test_resource_ids_are_read_again(number: int) -> None:
    assert ids.parse_resource(ids.show_resource(number)) == number


@given(st.text(max_size=40))
def test_any_text_is_an_id_or_refused(text: str) -> None:
    with contextlib.suppress(InvalidId):
        assert ids.show(ids.HOLD, ids.parse(ids.HOLD, text)) == text
    with contextlib.suppress(InvalidId):
        assert ids.show_resource(ids.parse_resource(text)) == text


@pytest.mark.parametrize(
    "text",
    ["hold_", "hold_" + "8" + "0" * 25, "HOLD_" + "0" * 26, "hold_" + "l" * 26, "bkg_" + "0" * 26],
)
def test_what_is_nearly_an_id(text: str) -> None:
    with pytest.raises(InvalidId):
        ids.parse(ids.HOLD, text)


def test_many_ids_at_once_differ() -> None:
    maker = ids.IdMaker()
    assert len({maker.new(7) for _ in range(10_000)}) == 10_000
