"""Plans: which units they have, and which plans make no sense."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bespeak import InvalidRequest, PoolPlan, Row, SeatsPlan, Section
from bespeak.inventory.plans import compile_plan, parse_plan

rows = st.builds(
    Row,
    name=st.text("abcXYZ", min_size=1, max_size=3).map(lambda name: name + "-"),
    seats=st.integers(1, 30),
    first=st.integers(0, 20),
    without=st.lists(st.integers(0, 50), max_size=5).map(tuple),
)
plans = st.builds(
    SeatsPlan,
    sections=st.lists(rows, min_size=1, max_size=5, unique_by=lambda row: row.name).map(
        lambda found: (Section("S", tuple(found)),)
    ),
    pools=st.lists(
        st.builds(PoolPlan, unit=st.text("pq", min_size=1), capacity=st.integers(0, 9)),
        max_size=3,
        unique_by=lambda pool: pool.unit,
    ).map(tuple),
)


@given(plans)
def test_a_plan_has_each_seat_that_it_says_and_no_other(plan: SeatsPlan) -> None:
    expected = {
        f"{row.name}{number}"
        for section in plan.sections
        for row in section.rows
        for number in range(row.first, row.first + row.seats)
        if number not in row.without
    }
    if not expected and not plan.pools:
        with pytest.raises(InvalidRequest):
            compile_plan(plan)
        return
    compiled = compile_plan(plan)
    assert set(compiled.categories) == expected
    assert compiled.pools == {pool.unit: pool.capacity for pool in plan.pools}


@given(plans)
def test_a_plan_is_read_as_it_was_written(plan: SeatsPlan) -> None:
    assert parse_plan(msgspec.json.encode(plan)) == plan


A = Row("A", 3)
NONSENSE = [
    SeatsPlan(),
    SeatsPlan(sections=(Section("S", ()),)),
    SeatsPlan(sections=(Section("S", (A, A)),)),
    SeatsPlan(sections=(Section("S", (Row("A1", 1), Row("A", 20))),)),
    SeatsPlan(sections=(Section("S", (Row("A", 1, without=(1,)),)),)),
    SeatsPlan(pools=(PoolPlan("p", 1), PoolPlan("p", 2))),
    SeatsPlan(sections=(Section("S", (A,)),), pools=(PoolPlan("A1", 1),)),
    SeatsPlan(pools=(PoolPlan("owner:asha", 1),)),
    SeatsPlan(sections=(Section("S", (Row("owner:", 1),)),)),
    SeatsPlan(sections=(Section("S", tuple(Row(f"{n}-", 10_000) for n in range(21))),)),
]


@pytest.mark.parametrize("plan", NONSENSE, ids=range(len(NONSENSE)))
def test_a_plan_that_makes_no_sense(plan: SeatsPlan) -> None:
    with pytest.raises(InvalidRequest) as caught:
        compile_plan(plan)
    assert caught.value.data == {"field": "plan"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"type":"nights"}',
        '{"type":"seats","pools":[{"unit":"p"}]}',
        '{"type":"seats","pools":[{"unit":"p","capacity":-1}]}',
        '{"type":"seats","pools":[{"unit":"p\\u0000","capacity":1}]}',
        '{"type":"seats","rows":[]}',
        '{"type":"seats","sections":[{"name":"S","rows":[{"name":"A","seats":0}]}]}',
        '{"type":"seats","sections":[{"name":"S","rows":[{"name":"A","seats":"3"}]}]}',
    ],
)
def test_text_that_is_no_plan(text: str) -> None:
    with pytest.raises(InvalidRequest, match="plan"):
        parse_plan(text)
