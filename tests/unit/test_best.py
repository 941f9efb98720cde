"""The best seats against a reference that looks at every block of small rooms."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import NotTogether, OrphanSeat, SoldOut
from bespeak.errors import Refused
from bespeak.inventory.shapes.seats.plan import Orphans, Row, SeatsPlan, Section
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.lines import Best, Line, StrategyName
from bespeak.states import UnitState
from tests.harness.seat_reference import HERE, SALE, Reference, blocks, choose, orphans_of
from tests.harness.seatmaps import NOW, random_picture, random_plan

NAMES: tuple[StrategyName, ...] = ("best", "center", "front", "back")
chance = st.randoms(use_true_random=False)


@given(chance, st.sampled_from(["off", "lenient", "strict"]))
def test_the_best_block_is_the_best_of_all_blocks(dice: random.Random, orphans: Orphans) -> None:
    compiled = CompiledSeats(random_plan(dice, orphans))
    if not compiled.seating.units:
        return
    picture = random_picture(dice, compiled)
    best = Best(
        dice.randint(1, 5),
        category=dice.choice([None, None, *set(compiled.seating.category_names)]),
        strategy=dice.choice(NAMES),
        accessible=dice.random() < 0.2,
    )
    reference = Reference(compiled, picture, best)
    blocks_there = reference.preferred(best.quantity)
    if blocks_there:
        units = set(choose(compiled, best, picture))
        assert units in blocks_there
        assert reference.score(units) == min(map(reference.score, blocks_there))
        return
    with pytest.raises(Refused) as caught:
        choose(compiled, best, picture)
    accessible = reference.eligible & reference.accessible
    if len(reference.eligible) < best.quantity or (best.accessible and not accessible):
        assert isinstance(caught.value, SoldOut)
    elif reference.together(best.quantity, spare=False):
        assert isinstance(caught.value, OrphanSeat)
    else:
        assert isinstance(caught.value, NotTogether)


@given(chance, st.sampled_from(["off", "lenient", "strict"]))
def test_partial_gives_as_many_as_are_together(dice: random.Random, orphans: Orphans) -> None:
    compiled = CompiledSeats(random_plan(dice, orphans))
    if not compiled.seating.units:
        return
    picture = random_picture(dice, compiled)
    best = Best(dice.randint(1, 6), accessible=dice.random() < 0.2)
    reference = Reference(compiled, picture, best)
    sizes = [size for size in range(1, best.quantity + 1) if reference.preferred(size)]
    if not sizes:
        with pytest.raises((SoldOut, OrphanSeat)):
            choose(compiled, best, picture, partial=True)
        return
    units = set(choose(compiled, best, picture, partial=True))
    assert len(units) == max(sizes)
    assert units in reference.preferred(max(sizes))


def spans(compiled: CompiledSeats, eligible: set[str], size: int, free: set[str]) -> list[int]:
    """How many rows next to each other the group needs at least: within a section, over all (0:
    it cannot be)."""
    banks = compiled.seating.banks
    units = compiled.seating.units
    strict = compiled.plan.orphans == "strict"
    fewest = [0, 0]
    for first, last in itertools.combinations(range(len(banks) + 1), 2):
        there = [
            unit for unit in units[banks[first].start : banks[last - 1].stop] if unit in eligible
        ]
        possible = any(
            not (strict and orphans_of(compiled, free, set(chosen)))
            for chosen in itertools.combinations(there, size)
        )
        rows = last - first
        if possible:
            one = banks[first].section == banks[last - 1].section
            for level in (0, 1) if one else (1,):
                if not fewest[level] or rows < fewest[level]:
                    fewest[level] = rows
    return fewest


@given(chance, st.sampled_from(["off", "strict"]))
def test_a_split_takes_as_few_rows_next_to_each_other_as_can_be(
    dice: random.Random, orphans: Orphans
) -> None:
    rows = [
        Row(f"{name}-", dice.randint(1, 4), aisles=tuple(dice.sample([1], dice.randint(0, 1))))
        for name in "ABCDE"[: dice.randint(2, 5)]
    ]
    cut = dice.randint(0, len(rows))
    sections = (Section("S", tuple(rows[:cut])), Section("T", tuple(rows[cut:])))
    compiled = CompiledSeats(SeatsPlan(sections, orphans=orphans))
    picture = random_picture(dice, compiled)
    best = Best(dice.randint(2, 5), split=True, strategy=dice.choice(NAMES))
    reference = Reference(compiled, picture, best)
    if reference.preferred(best.quantity):
        assert set(choose(compiled, best, picture)) in reference.preferred(best.quantity)
        return
    within, over = spans(compiled, reference.eligible, best.quantity, reference.free)
    if not over:
        with pytest.raises((SoldOut, OrphanSeat, NotTogether)):
            choose(compiled, best, picture)
        return
    units = choose(compiled, best, picture)
    assert len(units) == best.quantity
    assert set(units) <= reference.eligible
    if orphans == "strict":
        assert not orphans_of(compiled, reference.free, set(units))
    places = [compiled.seating.index[unit] for unit in units]
    used = compiled.seating.bank_of[places]
    assert used.max() - used.min() + 1 == (within or over)


@given(chance, st.sampled_from(["off", "lenient", "strict"]))
def test_whatever_is_chosen_could_be_held(dice: random.Random, orphans: Orphans) -> None:
    compiled = CompiledSeats(random_plan(dice, orphans))
    if not compiled.seating.units:
        return
    picture = random_picture(dice, compiled)
    best = Best(
        dice.randint(1, 9),
        category=dice.choice([None, *set(compiled.seating.category_names)]),
        strategy=dice.choice(NAMES),
        accessible=dice.random() < 0.3,
        split=dice.random() < 0.7,
    )
    partial = dice.random() < 0.5
    reference = Reference(compiled, picture, best)
    try:
        units = choose(compiled, best, picture, partial=partial)
    except Refused:
        if best.split and orphans != "strict" and not best.accessible:
            assert len(reference.eligible) < (1 if partial else best.quantity)
        return
    assert set(units) <= reference.eligible
    assert 1 <= len(units) <= best.quantity
    assert partial or len(units) == best.quantity
    if best.accessible:
        assert set(units) & reference.accessible
    if orphans == "strict":
        assert not orphans_of(compiled, reference.free, set(units))
    if best.split and partial and orphans != "strict" and not best.accessible:
        assert len(units) == min(best.quantity, len(reference.eligible))


@given(chance, st.sampled_from(["off", "lenient", "strict"]))
def test_offers_can_be_held_and_are_none_of_what_was_asked(
    dice: random.Random, orphans: Orphans
) -> None:
    compiled = CompiledSeats(random_plan(dice, orphans))
    picture = random_picture(dice, compiled)
    for unit in dice.sample(list(compiled.pools), len(compiled.pools)):
        picture.draw(unit, dice.randint(0, compiled.pools[unit]))
    lines = [Line(HERE, unit) for unit in compiled.categories]
    lines += [Line(HERE, unit, dice.randint(1, 3)) for unit in compiled.pools]
    if compiled.seating.units:
        lines += [
            Line(HERE, best=Best(dice.randint(1, 4), strategy=dice.choice(NAMES), split=True)),
            Line(HERE, best=Best(2, category=compiled.seating.category_names[0])),
        ]
    line = dice.choice(lines)
    offers = compiled.offers(line, picture, SALE, 3)
    assert len(offers) <= 3
    seen: set[str] = set()
    for offer in offers:
        units = [one.unit or "" for one in offer]
        assert line.unit not in units
        assert not seen & set(units)
        seen |= set(units)
        for one in offer:
            for need in compiled.line_claims(one, SALE).needs:
                if need.quantity is None:
                    assert not picture.taken(need.unit, NOW)
                else:
                    assert picture.drawn(need.unit) + need.quantity <= (need.capacity or 0)
        assert sum(one.quantity or 1 for one in offer) == asked_of(line)
        minds_orphans(compiled, picture, units)


def minds_orphans(compiled: CompiledSeats, picture: Snapshot, units: list[str]) -> None:
    """Single seats that these leave, only where the rule gives way."""
    free = {unit for unit in compiled.seating.units if not picture.taken(unit, NOW)}
    assert not orphans_of(compiled, free, set(units)) or compiled.lenient_allows(
        units, picture, NOW
    )


@given(chance, st.sampled_from(["off", "lenient", "strict"]))
def test_a_group_is_offered_all_blocks_but_its_own(dice: random.Random, orphans: Orphans) -> None:
    compiled = CompiledSeats(random_plan(dice, orphans))
    seats = compiled.seating.units
    if not seats:
        return
    picture = random_picture(dice, compiled)
    size = dice.randint(1, min(4, len(seats)))
    asked = dice.sample(seats, size)
    if dice.random() < 0.7:
        asked = sorted(dice.choice(blocks(compiled, size) or [set(asked)]))
    offers = compiled.chooser.offers_for(asked, picture, SALE, 3)
    assert len(offers) <= 3
    free = {unit for unit in seats if not picture.taken(unit, NOW)}
    seen: set[str] = set()
    there = blocks(compiled, size)
    for offer in offers:
        assert set(offer) in there
        assert set(offer) <= free - seen
        assert set(offer) != set(asked)
        minds_orphans(compiled, picture, offer)
        seen |= set(offer)
    if offers or not compiled.seating.ordinary[[compiled.seating.index[u] for u in asked]].all():
        return
    ordinary = {
        unit for unit, is_one in zip(seats, compiled.seating.ordinary, strict=True) if is_one
    }
    assert not [
        block
        for block in there
        if block <= free & ordinary and block != set(asked)
        if orphans == "off" or not orphans_of(compiled, free, block)
    ]


def asked_of(line: Line) -> int:
    return line.best.quantity if isinstance(line.best, Best) else line.quantity or 1


@given(chance)
def test_a_picture_that_is_kept_up_to_date_is_as_good_as_a_new_one(dice: random.Random) -> None:
    compiled = CompiledSeats(random_plan(dice))
    units = compiled.seating.units
    if not units:
        return
    kept = random_picture(dice, compiled)
    compiled.chooser.search.view(kept, NOW)
    for _ in range(5):
        some = dice.sample(units, dice.randint(0, min(3, len(units))))
        if dice.random() < 0.5:
            kept.mark(
                [*some, "of no seat"], TakenClaims(UnitState.HELD, NOW + dice.choice([-1, 1]))
            )
        else:
            kept.unmark([*some, "of no seat"])
    fresh = Snapshot(dict(kept.units), now=NOW)
    free = [unit for unit in units if not kept.taken(unit, NOW)]
    for picture in (kept, fresh):
        view = compiled.chooser.search.view(picture, NOW)
        assert [unit for unit, is_free in zip(units, view.free, strict=True) if is_free] == free
