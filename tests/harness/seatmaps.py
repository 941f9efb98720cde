"""Seat maps by chance: small rooms with everything that the format has, and pictures of them."""

import random

from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.shapes.seats.plan import (
    Category,
    Companion,
    Orphans,
    Row,
    Seat,
    SeatsPlan,
    Section,
    Stage,
    Table,
)
from bespeak.inventory.shapes.seats.rules import CompiledSeats
from bespeak.inventory.snapshot import Snapshot, TakenClaims
from bespeak.states import UnitState

CATEGORIES = ("gold", "silver", "standard")
NOW = 1_000_000.0


def random_row(dice: random.Random, name: str) -> Row:
    """A row, counted or listed, with aisles, gaps and places for wheelchairs."""
    category = dice.choice([None, None, *CATEGORIES])
    if dice.random() < 0.3:
        return Row(name, category=category, listed=random_seats(dice))
    seats, step = dice.randint(1, 12), dice.choice([1, 1, 1, 2, -1, -2])
    first = dice.randint(0, 9) if step > 0 else dice.randint(0, 3) + (seats - 1) * -step
    numbers = list(range(first, first + seats * step, step))
    without = tuple(dice.sample(numbers, dice.choice([0, 0, min(2, seats - 1)])))
    there = [number for number in numbers if number not in without]
    special = dice.sample(there, min(len(there), dice.choice([0, 0, 2, 3])))
    places = dice.randint(1, 2)
    return Row(
        name,
        seats,
        first,
        without,
        step,
        aisles=tuple(dice.sample(numbers, dice.choice([0, 0, 1]))),
        accessible=tuple(special[:places]),
        companions=tuple(Companion(seat, special[0]) for seat in special[places:]),
        category=category,
    )


def random_seats(dice: random.Random) -> tuple[Seat, ...]:
    """The seats of a listed row."""
    labels = dice.sample(["1", "2", "3", "4b", "5", "6", "7", "box", "ö"], dice.randint(1, 8))
    is_placed = dice.random() < 0.5
    accessible = dice.choice([None, labels[0]])
    companion = dice.choice([None, labels[-1]]) if accessible and len(labels) > 1 else None
    return tuple(
        Seat(
            label,
            x=float(place) if is_placed else None,
            y=dice.uniform(0, 3) if is_placed else None,
            category=dice.choice([None, None, *CATEGORIES]),
            accessible=label == accessible,
            companion_of=accessible if label == companion else None,
            gap=dice.random() < 0.2,
        )
        for place, label in enumerate(labels)
    )


def random_section(dice: random.Random, number: int) -> Section:
    """A section whose units are its own, because of its prefix."""
    return Section(
        f"Section {number}",
        tuple(random_row(dice, f"{name}-") for name in "ABCD"[: dice.randint(0, 4)]),
        dice.choice(CATEGORIES),
        prefix=f"{number}/",
        tables=tuple(
            Table(
                f"T{table}",
                dice.randint(1, 6),
                category=dice.choice([None, *CATEGORIES]),
                whole=dice.random() < 0.3,
                shape=dice.choice(["round", "rectangle"]),
            )
            for table in range(dice.choice([0, 0, 1, 2]))
        ),
        rotation=dice.choice([0.0, 0.0, 90.0]),
        curve=dice.choice([0.0, 0.0, 60.0]),
    )


def random_plan(dice: random.Random, orphans: Orphans = "off") -> SeatsPlan:
    """A small room, with a unit at least."""
    sections = tuple(random_section(dice, number) for number in range(dice.randint(1, 3)))
    pools = tuple(
        PoolPlan(f"area {n}", dice.randint(0, 9), dice.choice([None, *CATEGORIES]))
        for n in range(dice.randint(0, 2))
    )
    if not pools and not any(section.rows or section.tables for section in sections):
        pools = (PoolPlan("floor", 5),)
    return SeatsPlan(
        sections,
        pools,
        tuple(
            Category(name, dice.choice([None, 0, 1500, 10**12]), rank=dice.randint(1, 3))
            for name in CATEGORIES
        )
        if dice.random() < 0.7
        else (),
        orphans,
        focus=dice.choice([None, (1.0, 2.0)]),
        stage=dice.choice([None, Stage(), Stage("screen", y=-3.0)]),
    )


def picture_of(taken: list[str]) -> Snapshot:
    """A picture in which these seats are taken and no other."""
    return Snapshot({unit: TakenClaims(UnitState.BOOKED, None) for unit in taken}, now=NOW)


def random_picture(dice: random.Random, compiled: CompiledSeats) -> Snapshot:
    """A picture in which some seats are taken, and some claims have lapsed."""
    part = dice.random()
    picture = Snapshot(now=NOW)
    for unit in compiled.categories:
        if dice.random() < part:
            until = dice.choice([None, NOW + 60, NOW - 1, NOW])
            state = UnitState.BOOKED if until is None else UnitState.HELD
            picture.mark([unit], TakenClaims(state, until))
    return picture
