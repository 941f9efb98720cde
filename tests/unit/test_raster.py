"""The raster: each cell has one name, the names are in the order of time, and what a picture has of
them is found whichever way it is looked for.
"""

from hypothesis import given
from hypothesis import strategies as st

from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.inventory.timeline.raster import Raster, among, containing, worse
from bespeak.states import UnitState

BOOKED = TakenClaims(UnitState.BOOKED, None)
TRACKS = ("", "dr-rao", "a@b")
lengths = st.sampled_from([1, 15, 45, 60, 90, 300, 900, 3600])
instants = st.integers(-60 * 365 * 86_400, 2000 * 365 * 86_400)


def test_names() -> None:
    cell = 1_795_319_100 // 15
    assert Raster(900, ["dr-rao"]).name("dr-rao", cell // 60) == "dr-rao@2026-11-22T03:45Z"
    assert Raster(15, [""]).name("", cell + 1) == "2026-11-22T03:45:15Z"
    assert Raster(15, [""]).mark(cell) == "2026-11-22T03:45:00Z"


@given(lengths, instants, st.sampled_from(TRACKS))
def test_a_cell_is_found_by_its_name(seconds: int, instant: int, track: str) -> None:
    raster = Raster(seconds, TRACKS)
    cell = raster.down(instant)
    assert cell * seconds <= instant < (cell + 1) * seconds
    assert raster.up(instant) == (cell if cell * seconds == instant else cell + 1)
    assert raster.cell_of(raster.name(track, cell)) == (track, cell)
    assert raster.names(track, [cell, cell + 1]) == [
        raster.name(track, cell),
        raster.name(track, cell + 1),
    ]


@given(lengths, st.lists(instants, min_size=2, max_size=2))
def test_names_are_in_the_order_of_time(seconds: int, pair: list[int]) -> None:
    raster = Raster(seconds, TRACKS)
    one, other = (raster.down(instant) for instant in pair)
    assert (raster.mark(one) < raster.mark(other)) == (one < other)
    assert (raster.mark(one) == raster.mark(other)) == (one == other)


@given(lengths, st.text("0123456789-:TZ@+ ", max_size=25))
def test_a_name_is_of_the_raster_only_in_its_one_form(seconds: int, text: str) -> None:
    raster = Raster(seconds, TRACKS)
    found = raster.cell_of(text)
    assert found is None or raster.name(*found) == text


@given(lengths, instants, st.data())
def test_a_name_that_is_changed_is_another_or_none(
    seconds: int, instant: int, data: st.DataObject
) -> None:
    raster = Raster(seconds, TRACKS)
    name = raster.name("dr-rao", raster.down(instant))
    place = data.draw(st.integers(0, len(name) - 1))
    changed = name[:place] + data.draw(st.sampled_from("0123456789TZ:-@٣")) + name[place + 1 :]
    found = raster.cell_of(changed)
    assert found is None or raster.name(*found) == changed


@given(
    st.sampled_from([15, 900]),
    st.sets(st.tuples(st.sampled_from(TRACKS), st.integers(-20, 60)), max_size=40),
    st.integers(-10, 30),
    st.integers(0, 30),
)
def test_what_is_taken_is_found_both_ways(
    seconds: int, cells: set[tuple[str, int]], first: int, length: int
) -> None:
    raster = Raster(seconds, TRACKS)
    base = 2_000_000_000 // seconds
    first, past = base + first, base + first + length
    held = TakenClaims(UnitState.HELD, 100.0)
    picture = Snapshot(
        {raster.name(track, base + cell): (BOOKED, held)[cell % 2] for track, cell in cells}
    )
    expected = {
        track: sorted(
            (base + cell, (BOOKED, held)[cell % 2])
            for of, cell in cells
            if of == track and first <= base + cell < past
        )
        for track in TRACKS
    }
    assert raster.taken(picture, TRACKS, first, past, 99.0) == expected
    # So much else that it is shorter to look through the cells.
    picture.mark([f"2{number:018}" for number in range(200)], BOOKED)
    picture.mark(["F7", "owner:x", "dr-who@" + raster.mark(base)], BOOKED)
    assert raster.taken(picture, TRACKS, first, past, 99.0) == expected
    later = raster.taken(picture, TRACKS, first, past, 100.0)
    assert later == {
        track: [one for one in found if one[1] == BOOKED] for track, found in expected.items()
    }
    for found in expected.values():
        assert among(found, first + 3, past - 3) == [
            one for one in found if first + 3 <= one[0] < past - 3
        ]


@given(st.permutations([
    BOOKED,
    TakenClaims(UnitState.BLOCKED, None),
    TakenClaims(UnitState.HELD, 5.0),
    TakenClaims(UnitState.HELD, 7.0),
]))  # fmt: skip
def test_which_of_two_reasons_stands_longer(order: list[TakenClaims]) -> None:
    found = order[0]
    for taken in order[1:]:
        assert worse(found, taken) == worse(taken, found)
        found = worse(found, taken)
    assert found == BOOKED
    assert worse(TakenClaims(UnitState.HELD, 5.0), TakenClaims(UnitState.HELD, 7.0)).until == 7.0


@given(
    st.lists(st.integers(0, 30), unique=True, max_size=10), st.integers(0, 30), st.integers(1, 9)
)
def test_the_range_that_has_all_of_another(edges: list[int], first: int, length: int) -> None:
    ordered = sorted(edges)
    ranges = list(zip(ordered[::2], ordered[1::2], strict=False))
    fitting = [one for one in ranges if one[0] <= first and first + length <= one[1]]
    assert containing(ranges, first, first + length) == (fitting[0] if fitting else None)
