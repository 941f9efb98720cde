"""Price rules: what makes no sense is said to make none; and demand steps do as they say."""

from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

from bespeak import InvalidRequest, SeatsPlan
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.price_lists import check_prices
from bespeak.inventory.shapes.pools.plan import Code, PoolsPlan
from bespeak.inventory.shapes.registry import compile_plan
from bespeak.inventory.shapes.seats.plan import Category, Row, Section
from bespeak.pricing.demand import Demand, Level, Scope, stepped
from bespeak.pricing.rules import (
    Cancellation,
    DemandStep,
    Fee,
    PriceCode,
    Pricing,
    RefundTier,
    Tax,
    check_pricing,
)

NONSENSE: dict[str, dict[str, Any]] = {
    "a fee of nothing": {"fees": [{"name": "f"}]},
    "a fee below zero": {"fees": [{"name": "f", "amount": -1}]},
    "more than all": {"fees": [{"name": "f", "basis_points": 10_001}]},
    "a fee twice": {"fees": [{"name": "f", "amount": 1}, {"name": "f", "amount": 2}]},
    "a tax twice": {"taxes": [{"name": "t", "basis_points": 1}] * 2},
    "a code twice": {"codes": [{"code": "A", "capacity": 1}] * 2},
    "a code without a name": {"codes": [{"code": "", "capacity": 1}]},
    "a code with a line break": {"codes": [{"code": "A\n", "capacity": 1}]},
    "a code that ends first": {
        "codes": [
            {
                "code": "A",
                "capacity": 1,
                "valid_from": "2027-01-02T00:00:00Z",
                "valid_until": "2027-01-01T00:00:00Z",
            }
        ]
    },
    "a code without an offset": {
        "codes": [{"code": "A", "capacity": 1, "valid_from": "2027-01-02T00:00:00"}]
    },
    "a step from nowhere": {"steps": [{"amount": 1}]},
    "a step from two": {"steps": [{"from_count": 1, "from_basis_points": 1, "amount": 1}]},
    "a step that changes nothing": {"steps": [{"from_count": 1}]},
    "a step of two scopes": {
        "steps": [{"from_count": 1, "amount": 1, "unit": "a", "category": "b"}]
    },
    "steps that fall": {"steps": [{"from_count": 5, "amount": 1}, {"from_count": 5, "amount": 2}]},
    "steps that count otherwise": {
        "steps": [{"from_count": 5, "amount": 1}, {"from_basis_points": 6000, "amount": 2}]
    },
    "a policy that says nothing": {"cancellation": {}},
    "a policy that says both": {"cancellation": {"refundable": False, "free_until_seconds": 1}},
    "tiers out of order": {
        "cancellation": {
            "tiers": [
                {"before_seconds": 1, "basis_points": 2},
                {"before_seconds": 2, "basis_points": 1},
            ]
        }
    },
    "tiers that rise": {
        "cancellation": {
            "tiers": [
                {"before_seconds": 2, "basis_points": 1},
                {"before_seconds": 1, "basis_points": 2},
            ]
        }
    },
    "a tier before the free time": {
        "cancellation": {
            "free_until_seconds": 5,
            "tiers": [{"before_seconds": 6, "basis_points": 1}],
        }
    },
    "an override of nothing": {
        "cancellation": {"refundable": False, "overrides": [{"free_until_seconds": 1}]}
    },
    "a field that is not known": {"discounts": []},
}


@pytest.mark.parametrize("rules", NONSENSE.values(), ids=NONSENSE.keys())
def test_rules_that_make_no_sense(rules: dict[str, Any]) -> None:
    with pytest.raises((InvalidRequest, msgspec.ValidationError)):
        check_pricing(msgspec.json.decode(msgspec.json.encode(rules), type=Pricing))


def test_rules_made_in_python_are_held_to_the_same_bounds() -> None:
    with pytest.raises(InvalidRequest):
        check_pricing(Pricing(fees=(Fee("f", amount=-5),)))
    with pytest.raises(InvalidRequest):
        check_pricing(Pricing(taxes=(Tax("t", 1.5),)))  # type: ignore[arg-type]
    listed = Pricing(fees=[Fee("f", amount=5)])  # type: ignore[arg-type]
    assert check_pricing(listed).fees == (Fee("f", amount=5),)


def test_rules_are_written_and_read() -> None:
    pricing = Pricing(
        fees=(Fee("f", amount=5),),
        taxes=(Tax("t", 1900, included=True),),
        steps=(DemandStep(from_count=5, amount=100),),
        codes=(PriceCode(code="A", capacity=1, presale=True),),
        cancellation=Cancellation(tiers=(RefundTier(60, 5000),)),
    )
    assert msgspec.json.decode(msgspec.json.encode(check_pricing(pricing)), type=Pricing) == pricing
    assert pricing.without_secrets().codes == ()


ROOM = SeatsPlan(
    sections=(Section("Stalls", (Row("A", 4),), category="gold"),),
    pools=(PoolPlan("floor", 5, category="tin"),),
    categories=(Category("gold", 2000), Category("tin", 1000)),
)
FAIR = PoolsPlan(pools=(PoolPlan("field", 5),), codes=(Code("A", 5),))
STEP = {"from_count": 1, "amount": 1}


@pytest.mark.parametrize(
    ("plan", "rules"),
    [
        (ROOM, {"steps": [{**STEP, "category": "lead"}]}),
        (ROOM, {"steps": [{**STEP, "unit": "ceiling"}]}),
        (ROOM, {"codes": [{"code": "A", "capacity": 1, "categories": ["lead"]}]}),
        (ROOM, {"cancellation": {"free_until_seconds": 60}}),  # before what?
        (
            ROOM,
            {
                "cancellation": {
                    "refundable": False,
                    "overrides": [{"categories": ["lead"], "refundable": False}],
                }
            },
        ),
        (FAIR, {"steps": [{**STEP, "category": "gold"}]}),
        (FAIR, {"codes": [{"code": "A", "capacity": 1}]}),
    ],
)
def test_rules_that_make_no_sense_with_the_plan(plan: Any, rules: dict[str, Any]) -> None:
    pricing = msgspec.convert(rules, Pricing)
    with pytest.raises(InvalidRequest, match="pricing"):
        check_prices(pricing, compile_plan(plan), None)


@given(
    st.integers(0, 10**12),
    st.integers(-10_000, 100_000),
    st.integers(-(10**12), 10**12),
    st.integers(0, 20),
)
def test_a_price_is_never_below_zero(price: int, points: int, amount: int, taken: int) -> None:
    step = DemandStep(from_count=5, basis_points=points, amount=amount)
    found = stepped(price, [step], Level(taken, 10))
    assert type(found) is int
    assert found >= 0
    if taken < 5:
        assert found == price


def test_the_last_step_that_is_reached_counts() -> None:
    steps = [
        DemandStep(from_basis_points=5000, basis_points=1000),
        DemandStep(from_basis_points=9000, basis_points=2500, amount=-1),
    ]
    prices = [stepped(1001, steps, Level(taken, 10)) for taken in (0, 4, 5, 8, 9, 10)]
    assert prices == [1001, 1001, 1101, 1101, 1250, 1250]
    assert stepped(1000, steps, Level(0, 0)) == 1000


def test_the_steps_of_a_unit_come_before_those_of_its_category_and_of_all() -> None:
    def levels(scope: Scope) -> Level:
        return Level({"floor": 1, None: 5}.get(scope.unit, 0), 10)

    demand = Demand(
        [
            DemandStep(from_count=5, amount=500),
            DemandStep(from_count=5, amount=70, category="gold"),
            DemandStep(from_count=1, amount=3, unit="floor"),
        ],
        levels,
    )
    assert demand.price(1000) == 1500
    assert demand.price(1000, "A1", "gold") == 1070
    assert demand.price(1000, "A1", "tin") == 1500
    assert demand.price(1000, "floor", "gold") == 1003
    assert Demand([DemandStep(from_count=1, amount=1, unit="x")], levels).price(1000) == 1000
