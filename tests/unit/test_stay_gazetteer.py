"""Towns of the earth by their names: what is found, against looking at all of them."""

import hashlib
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bespeak.verticals.stays.search import gazetteer_file
from bespeak.verticals.stays.search.gazetteer import Gazetteer
from bespeak.verticals.stays.search.spoken import words_of
from bespeak.verticals.stays.search.town_names import spellings, written
from tests.harness.gazetteer_sample import TOWNS, Town, gazetteer_of, written_data


@pytest.fixture(scope="module")
def earth(tmp_path_factory: pytest.TempPathFactory) -> Gazetteer:
    return gazetteer_of(tmp_path_factory.mktemp("earth"), TOWNS)


@pytest.mark.parametrize(
    ("text", "whole", "begun"),
    [
        ("wedel", ["Wedel DE"], ["Wedel DE"]),
        ("WED", [], ["Wedel DE"]),
        ("halle", ["Halle BE", "Halle DE"], ["Halle BE", "Hallein AT", "Halle DE"]),
        # Another name than the usual one is shown as it was found, with its accents.
        ("munchen", ["München DE"], ["München DE"]),
        ("muenchen", ["München DE"], ["München DE"]),
        ("munihe", ["Munich DE"], ["Munich DE"]),  # in letters of ours, as nobody writes it
        ("Hambourg", ["Hambourg DE"], ["Hambourg DE"]),
        ("هامبورغ", ["هامبورغ DE"], ["هامبورغ DE"]),
        ("ведель", ["Ведель DE"], ["Ведель DE"]),
        # A part of the usual name is that one.
        ("tolz", ["Bad Tölz DE"], ["Bad Tölz DE"]),
        ("toelz", [], ["Bad Tölz DE"]),
        ("ording", [], ["Sankt Peter-Ording DE"]),
        ("st peter ording", ["Sankt Peter-Ording DE"], ["Sankt Peter-Ording DE"]),
        ("Saint-Peter", [], ["Sankt Peter-Ording DE"]),
        ("sank", [], ["Sankt Peter-Ording DE"]),
        ("muc", [], []),  # an airport
        ("ha", [], []),  # too short
        ("", [], []),
        ("zzz", [], []),
    ],
)
def test_towns_are_found_by_their_names(
    earth: Gazetteer, text: str, whole: list[str], begun: list[str]
) -> None:
    assert [f"{one.name} {one.country}" for one in earth.called(text, 9)] == whole
    assert [f"{one.name} {one.country}" for one in earth.begun(text, 9)] == begun


def test_of_many_those_with_most_people_are_there(earth: Gazetteer) -> None:
    assert [one.country for one in earth.begun("halle", 2)] == ["BE", "AT"]
    (first,) = earth.called("halle", 1)
    assert first.point == (50.73385, 4.23454)
    (south,) = earth.called("nukualofa", 1) or earth.called("nuku alofa", 1)
    assert south.point == (-21.13938, -175.2018)


def test_a_town_is_known_by_any_of_its_names(earth: Gazetteer) -> None:
    (hamburg,) = earth.called("hamburg", 9)
    assert earth.is_called(hamburg.number, ["nothing", "amburgo"])
    assert not earth.is_called(hamburg.number, ["hambur", "wedel", ""])


NAMES = st.text(alphabet="abst ä-é", min_size=1, max_size=8)


@settings(max_examples=60)
@given(
    towns=st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=2)), min_size=1, max_size=12),
    text=NAMES,
)
def test_what_is_found_is_what_looking_at_all_finds(
    tmp_path_factory: pytest.TempPathFactory, towns: list[tuple[str, list[str]]], text: str
) -> None:
    sample: list[Town] = [
        (name, "DE", number, 0.0, len(towns) - number, others)
        for number, (name, others) in enumerate(towns)
    ]
    found = gazetteer_of(tmp_path_factory.mktemp("some"), sample)
    typed = [one for one in written(words_of(text)) if len(one) > 2]
    for number, (name, others) in enumerate(towns):
        lines = [line for one in (name, *others) for line in spellings(one)]
        starts = lines + [
            " ".join(line.split()[first:])
            for line in spellings(name)
            for first in range(1, len(line.split()))
        ]
        is_whole = any(line == one for line in lines for one in typed)
        is_begun = any(start.startswith(one) for start in starts for one in typed)
        assert (number in [one.number for one in found.called(text, 99)]) == is_whole
        assert (number in [one.number for one in found.begun(text, 99)]) == is_begun


def test_data_of_another_shape_are_refused(tmp_path: Path) -> None:
    data = written_data(tmp_path, TOWNS[:1])
    data.write_text(data.read_text().replace('"latitude"', '"lat"'))
    with (tmp_path / "x").open("w+b") as file, pytest.raises(msgspec.ValidationError):
        gazetteer_file.write_gazetteer(data, file)


def test_a_file_that_is_made_otherwise_has_another_number(tmp_path: Path) -> None:
    """Files stay in folders for years. Where this fails, raise `_SHAPE`, and write here what it is
    now and how the new file begins its digest."""
    gazetteer_of(tmp_path, TOWNS)
    digest = hashlib.sha256((tmp_path / "towns.arrays").read_bytes()).hexdigest()
    assert (gazetteer_file._SHAPE, digest[:16]) == (1, "628c07a809f5fbc1")


def test_no_towns_are_no_fault(tmp_path: Path) -> None:
    none = gazetteer_of(tmp_path, [])
    assert len(none) == 0
    assert none.called("hamburg", 9) == none.begun("hamburg", 9) == []
