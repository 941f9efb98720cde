"""Towns are counted again as listings change: what comes out is what counting all anew gives."""

from typing import NamedTuple
from unittest import mock

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from bespeak.inventory.arrays import np
from bespeak.verticals.stays.search import town_count
from bespeak.verticals.stays.search.town_count import TownCount
from bespeak.verticals.stays.search.towns import TownBook


class Said(NamedTuple):
    """What a number says of a town, as it is kept."""

    workspace: str
    city: str
    country: str | None
    words: tuple[tuple[str, str], ...]


Listed = tuple[Said | None, int]
"""What one number says, and how many listings say so."""
SAID = st.builds(
    Said,
    st.sampled_from(["default", "other"]),
    st.sampled_from(["Wedel", "Halle", "Bad Tölz", "Ulm"]),
    st.sampled_from(["DE", "BE", None]),
    st.sampled_from([(), (("ar", "بلدة"),), (("en", "Vedel"), ("fr", "Hal"))]),
)
STATES = st.lists(
    st.lists(st.tuples(st.none() | SAID, st.integers(0, 3)), max_size=9), min_size=1, max_size=5
)
Counted = tuple[tuple[str, str, str | None], int, tuple[int, ...], tuple[tuple[str, str], ...]]


def _update(count: TownCount, state: list[Listed]) -> None:
    keys = [None if said is None else msgspec.msgpack.encode(said) for said, _ in state]
    count.update([None, *keys], np.array([4, *(listings for _, listings in state)]))


def _grown(states: list[list[Listed]]) -> list[list[Listed]]:
    """Numbers are given again, and never fewer."""
    length, grown = 0, []
    for state in states:
        length = max(length, len(state))
        grown.append(state + [(None, 0)] * (length - len(state)))
    return grown


def _anew(state: list[Listed]) -> list[Counted]:
    """All towns, counted one listing after the other."""
    codes: dict[tuple[str, str, str | None], list[int]] = {}
    for code, (said, listings) in enumerate(state, 1):
        if said is not None and listings:
            codes.setdefault(said[:3], []).append(code)
    found = []
    for key, of in codes.items():
        words = [said.words for code in of if (said := state[code - 1][0]) and said.words]
        listings = sum(state[code - 1][1] for code in of)
        found.append((key, listings, tuple(of), words[0] if words else ()))
    return sorted(found, key=lambda one: (-one[1], one[0][1], one[0][2] or "", one[0][0]))


def _told(count: TownCount) -> list[Counted]:
    return [
        (
            (one.town.key.workspace, one.town.key.city, one.town.key.country),
            one.town.listings,
            one.codes,
            tuple((each.language, each.words[one.town.key.city]) for each in one.town.called),
        )
        for one in count.towns
    ]


@given(states=STATES, placed_max=st.sampled_from([0, 100]))
def test_what_is_counted_again_is_what_counting_anew_gives(
    states: list[list[Listed]], placed_max: int
) -> None:
    count, version = TownCount(), 0
    with mock.patch.object(town_count, "_PLACED_MAX", placed_max):
        for state in _grown(states):
            before = _told(count)
            _update(count, state)
            assert _told(count) == _anew(state)
            assert (count.version > version) or _told(count) == before
            version = count.version


@given(states=STATES, text=st.sampled_from(["", "wed", "vedel", "hal", "بل", "tolz", "weddel"]))
def test_a_book_that_took_names_over_finds_what_a_new_one_does(
    states: list[list[Listed]], text: str
) -> None:
    count, book = TownCount(), None
    for state in _grown(states):
        _update(count, state)
        book, new = TownBook(count.towns, book), TownBook(count.towns)
        assert book.chosen(text, 5) == new.chosen(text, 5)
        assert book.nearly(text, 5) == new.nearly(text, 5)
        assert book.of_codes(range(10)) == new.of_codes(range(10))


WEDEL, ULM = Said("default", "Wedel", "DE", ()), Said("default", "Ulm", "DE", ())


def test_where_nothing_changed_all_stays_as_it_is() -> None:
    count = TownCount()
    _update(count, [(WEDEL, 2), (ULM, 1)])
    towns, version = count.towns, count.version
    _update(count, [(WEDEL, 2), (ULM, 1)])
    assert count.towns is towns
    assert count.version == version


def test_only_the_town_that_changed_is_made_anew() -> None:
    count = TownCount()
    _update(count, [(WEDEL, 3), (ULM, 1)])
    (wedel, ulm), before = count.towns, list(count.towns)
    towns = count.towns
    _update(count, [(WEDEL, 3), (ULM, 2)])
    assert count.towns[0] is wedel
    assert count.towns[1] is not ulm
    assert towns == before, "who reads the list of before is not disturbed"


def test_names_are_read_anew_only_where_towns_come_or_change_places() -> None:
    count = TownCount()
    _update(count, [(WEDEL, 3), (ULM, 1)])
    book = TownBook(count.towns)
    _update(count, [(WEDEL, 3), (ULM, 2)])
    with mock.patch(f"{TownBook.__module__}.NameBook", side_effect=AssertionError):
        book = TownBook(count.towns, book)
    assert [one.town.listings for one in book.chosen("ulm", 9)] == [2]
    _update(count, [(WEDEL, 3), (ULM, 4)])
    book = TownBook(count.towns, book)
    assert [one.town.key.city for one in book.chosen("", 9)] == ["Ulm", "Wedel"]
