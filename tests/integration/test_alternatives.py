"""Alternatives: what a refusal offers instead can be held at that instant, by the same rule, and is
something else than what was refused.
"""

import hypothesis.strategies as st
import pytest
from hypothesis import given

import bespeak
from bespeak import Best, Line, Resource
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.refusals import Alternative
from tests.harness.asking import asks
from tests.harness.clock import START, Clock
from tests.harness.database import Connection
from tests.harness.shapes import (
    CLASSES,
    CLINIC,
    COTTAGE,
    COURTS,
    FESTIVAL,
    HERE,
    RAFFLE,
    ROOM_TYPE,
    ROOMS,
    SHAPES,
    THEATRE,
    TOKENS,
    TRAIN,
    MakeShape,
    Shape,
    hold,
    of,
    on,
)
from tests.integration.test_availability_shapes import HISTORIES, history


def alternatives_of(refusal: bespeak.BespeakError) -> list[Alternative]:
    found = refusal.data.get("alternatives", [])
    assert isinstance(found, list)
    return found


async def refusal_of(
    engine: bespeak.Engine, lines: list[Line], owner: str = "asha", **fields: object
) -> bespeak.BespeakError:
    with pytest.raises(bespeak.Refused) as caught:
        await hold(engine, lines, owner, **fields)
    return caught.value


# What is refused, and the first that is offered for it: the nearest.
NEAREST = [
    (THEATRE, [of("A1")], [of("A1")], [of("A2")]),
    (THEATRE, [of("A3"), of("A4")], [of("A3"), of("A4")], [of("B3"), of("B4")]),
    (
        ROOMS,
        [of("101", None, "2030-01-10", "2030-01-12")],
        [of("101", None, "2030-01-11", "2030-01-13")],
        [of("102", None, "2030-01-11", "2030-01-13")],
    ),
    (
        COTTAGE,
        [of("lake", None, "2030-01-10", "2030-01-12")],
        [of(None, None, "2030-01-11", "2030-01-13")],
        [of("lake", None, "2030-01-13", "2030-01-15")],
    ),
    (
        ROOM_TYPE,
        [of(None, 3, "2030-01-08", "2030-01-09")],
        [of(None, 2, "2030-01-08", "2030-01-09")],
        [of(None, 2, "2030-01-09", "2030-01-10")],
    ),
    (
        CLINIC,
        [of("dr-rao", None, "2030-01-02T09:00:00+05:30")],
        [of("dr-rao", None, "2030-01-02T09:00:00+05:30")],
        [of("dr-sen", None, "2030-01-02T09:00:00+05:30", "2030-01-02T09:30:00+05:30")],
    ),
    (
        CLASSES,
        [of(None, 4, "2030-01-02T23:00:00-05:00")],
        [of(None, 2, "2030-01-02T23:00:00-05:00")],
        [of(None, 2, "2030-01-02T22:00:00-05:00", "2030-01-02T23:00:00-05:00")],
    ),
    (FESTIVAL, [of("early-bird", 4)], [of("early-bird", 1)], [of("standing", 1)]),
    (
        TRAIN,
        [of("S1", None, "A", "C")],
        [of("S1", None, "B", "D")],
        None,
    ),
    (
        COURTS,
        [of("court-1", None, "2030-01-02T17:00:00+01:00", "2030-01-02T18:00:00+01:00")],
        [of("court-1", None, "2030-01-02T17:30:00+01:00", "2030-01-02T18:30:00+01:00")],
        [of("court-2", None, "2030-01-02T17:30:00+01:00", "2030-01-02T18:30:00+01:00")],
    ),
]


@pytest.mark.parametrize(
    ("shape", "taken", "asked", "offered"), NEAREST, ids=lambda one: str(one)[:20]
)
async def test_the_nearest_is_offered_first_and_can_be_held(
    engine: bespeak.Engine,
    clock: Clock,
    make_shape: MakeShape,
    shape: Shape,
    taken: list[Line],
    asked: list[Line],
    offered: list[Line] | None,
) -> None:
    resource = await make_shape(shape)
    await hold(engine, on(resource, *taken), "bela")
    (alternative,) = alternatives_of(await refusal_of(engine, on(resource, *asked)))
    assert alternative.instead_of == list(range(len(asked)))
    assert 1 <= len(alternative.offers) <= 3
    if offered is not None:
        assert alternative.offers[0] == on(resource, *offered)
    held = await hold(engine, alternative.offers[0])
    assert held.lines == alternative.offers[0]


async def test_as_many_as_wanted(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    resource = await make_shape(ROOMS)
    await hold(engine, on(resource, ROOMS.one), "bela")
    for count in (0, 1, 3, 10):
        refusal = await refusal_of(engine, on(resource, ROOMS.rival), alternatives=count)
        found = alternatives_of(refusal)
        assert [len(one.offers) for one in found] == ([count] if count else [])
        shown = {str(offer) for one in found for offer in one.offers}
        assert len(shown) == count
    for wrong in (-1, 11):
        with pytest.raises(bespeak.InvalidRequest):
            await hold(engine, on(resource, ROOMS.one), alternatives=wrong)


@pytest.mark.parametrize("shape", [TOKENS, RAFFLE], ids=str)
async def test_numbers_have_no_neighbours(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape, shape: Shape
) -> None:
    resource = await make_shape(shape)
    await hold(engine, on(resource, shape.one), "bela")
    assert alternatives_of(await refusal_of(engine, on(resource, shape.rival))) == []


async def test_only_what_was_refused_has_an_alternative(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    theatre, rooms, train = [await make_shape(shape) for shape in (THEATRE, ROOMS, TRAIN)]
    await hold(engine, on(theatre, of("B3")), "bela")
    asked = [
        *on(rooms, ROOMS.one),
        *on(theatre, of("floor", 1), of("B2"), of("B3")),
        *on(train, TRAIN.other),
    ]
    found = alternatives_of(await refusal_of(engine, asked))
    (seats,) = found
    assert seats.instead_of == [2, 3]
    # The seats were wanted together; so they are offered.
    together = [asked[0], asked[1], *seats.offers[0], asked[4]]
    held = await hold(engine, together)
    assert held.lines == together


async def test_what_the_request_names_itself_is_not_offered(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    resource = await make_shape(ROOMS)
    stay = ("2030-01-10", "2030-01-12")
    await hold(engine, on(resource, of("101", None, *stay)), "bela")
    asked = on(resource, of("101", None, *stay), of("102", None, *stay))
    (alternative,) = alternatives_of(await refusal_of(engine, asked))
    assert alternative.instead_of == [0]
    assert alternative.offers[0] == on(resource, of("103", None, *stay))
    held = await hold(engine, [*alternative.offers[0], asked[1]])
    assert {line.unit for line in held.lines} == {"102", "103"}


async def test_the_best_seats_and_a_group_have_alternatives(
    engine: bespeak.Engine, clock: Clock, make_shape: MakeShape
) -> None:
    resource = await make_shape(THEATRE)
    eight = [Line(resource.id, best=Best(8, "gold"))]
    refusal = await refusal_of(engine, eight)
    assert isinstance(refusal, bespeak.NotTogether)
    (alternative,) = alternatives_of(refusal)
    assert {len(offer) for offer in alternative.offers} == {8}
    assert len((await hold(engine, alternative.offers[0])).lines) == 8


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@HISTORIES
@given(data=st.data())
async def test_whatever_is_offered_can_be_held(
    data: st.DataObject,
    shape: Shape,
    engine: bespeak.Engine,
    clock: Clock,
    probe: Connection,
    make_shape: MakeShape,
) -> None:
    await clock.set(START)
    resource = await make_shape(shape)
    await history(data, shape, engine, clock, resource)
    for lines in data.draw(
        st.lists(st.lists(asks(shape), min_size=1, max_size=3), min_size=6, max_size=12)
    ):
        await offers_hold(engine, probe, resource, on(resource, *lines))


async def offers_hold(
    engine: bespeak.Engine, probe: Connection, resource: Resource, lines: list[Line]
) -> None:
    """Holds each of the offers for these lines, if they are refused, and undoes it."""
    transaction = probe.transaction()
    await transaction.start()
    try:
        await hold(engine, lines, connection=probe, alternatives=5)
        return
    except bespeak.BespeakError as error:
        found = alternatives_of(error)
    finally:
        await transaction.rollback()
    for alternative in found:
        others = [line for place, line in enumerate(lines) if place not in alternative.instead_of]
        is_open = compile_plan(resource.plan).is_open
        if len(found) > 1 or any(map(is_open, others)):
            others = []  # what is chosen for the others is not known before
        if not await can_be_held(engine, probe, others):
            others = []
        refused = [lines[place] for place in alternative.instead_of]
        for offer in alternative.offers:
            assert offer and offer != refused
            # Beside the rest of the request, where nothing else of that was refused.
            transaction = probe.transaction()
            await transaction.start()
            try:
                held = await hold(engine, [*offer, *others], "probe", connection=probe)
            finally:
                await transaction.rollback()
            assert held.lines[: len(offer)] == offer, "an offer leaves no choice open"
            assert HERE not in {line.resource_id for line in offer}


async def can_be_held(engine: bespeak.Engine, probe: Connection, lines: list[Line]) -> bool:
    """Whether these lines can be held alone, if there are any."""
    transaction = probe.transaction()
    await transaction.start()
    try:
        await hold(engine, lines, "probe", connection=probe, alternatives=0)
    except bespeak.BespeakError:
        return False
    finally:
        await transaction.rollback()
    return True
