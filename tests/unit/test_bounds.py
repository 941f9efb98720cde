"""What holds a plan that was made in Python to the bounds of its JSON, and its names apart."""

import pytest

from bespeak import InvalidRequest
from bespeak.inventory.bounds import check_bounds, check_names
from bespeak.inventory.shapes.moments.plan import MomentsPlan
from bespeak.inventory.shapes.tickets.plan import TicketsPlan


def test_a_plan_comes_back_as_it_is_read() -> None:
    made = MomentsPlan(things=["a", "b"], raster_minutes=5)  # type: ignore[arg-type]
    assert check_bounds(made) == MomentsPlan(things=("a", "b"), raster_minutes=5)


@pytest.mark.parametrize(
    "plan",
    [
        TicketsPlan(0),
        TicketsPlan(1, prefix="\n"),
        TicketsPlan(1, prefix="\ud800"),
        TicketsPlan(2**70),
        TicketsPlan(float("nan")),  # type: ignore[arg-type]
        TicketsPlan(object()),  # type: ignore[arg-type]
    ],
    ids=range(6),
)
def test_a_plan_beyond_its_bounds(plan: TicketsPlan) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_bounds(plan)
    assert refused.value.data["field"] == "plan"


@pytest.mark.parametrize("names", [["a", "a"], ["owner:a"], ["next:"], ["b", "code:1"]])
def test_names_that_claims_cannot_carry(names: list[str]) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check_names(names, "thing")
    assert refused.value.data["field"] == "plan"


def test_names_that_claims_can_carry() -> None:
    check_names(["a", "A", "owner", "code"], "thing")
    check_names(["next:a"], "stop", reserved=())
