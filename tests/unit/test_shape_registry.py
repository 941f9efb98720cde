"""Which shapes there are: ours, those of other packages, and plans whose shape is not here."""

import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest

from bespeak.errors import InvalidRequest
from bespeak.inventory.plans import AvailabilityQuery, CompiledPlan, SaleContext
from bespeak.inventory.resource_checks import check_resource
from bespeak.inventory.resources import NewResource
from bespeak.inventory.shapes import registry
from bespeak.inventory.shapes.pools.plan import PoolsPlan
from bespeak.inventory.shapes.registry import (
    OWN_SHAPES,
    compile_plan,
    installed_shapes,
    parse_plan,
    stored_plan,
)
from bespeak.inventory.shapes.unknown import UnknownPlan, UnknownShape
from bespeak.lines import Line

RESOURCE = "res_kbq6mf4p"
SALE = SaleContext(datetime(2030, 1, 1, tzinfo=UTC), ZoneInfo("UTC"), RESOURCE)
LOCKERS = '{"type": "lockers", "count": 3}'

Offer = Callable[[str], None]


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Offer]:
    """Installs a package with the shape that the test writes."""
    monkeypatch.syspath_prepend(str(tmp_path))
    information = tmp_path / "offering-1.0.dist-info"

    def install(source: str) -> None:
        information.mkdir()
        (information / "METADATA").write_text("Metadata-Version: 2.1\nName: offering\n")
        (information / "entry_points.txt").write_text("[bespeak.shapes]\nx = offered_shape:SHAPE\n")
        (tmp_path / "offered_shape.py").write_text(source)
        forget()

    def forget() -> None:
        installed_shapes.cache_clear()
        registry._decoder.cache_clear()
        sys.modules.pop("offered_shape", None)

    yield install
    monkeypatch.undo()
    forget()


def shape_named(name: str) -> str:
    return f"""
from bespeak.inventory.plans import Plan, Shape
from bespeak.inventory.shapes.pools.availability import PoolsAvailability
from bespeak.inventory.shapes.pools.rules import CompiledPools

class OfferedPlan(Plan, frozen=True, tag={name!r}):
    count: int

SHAPE = Shape(OfferedPlan, CompiledPools, PoolsAvailability)
"""


def test_all_shapes_have_the_same_files_and_names() -> None:
    for shape in OWN_SHAPES:
        name, title = shape.name, shape.name.capitalize()
        folder = f"bespeak.inventory.shapes.{name}"
        assert (shape.plan.__module__, shape.plan.__name__) == (f"{folder}.plan", f"{title}Plan")
        compiled = shape.compile
        assert isinstance(compiled, type)
        assert issubclass(compiled, CompiledPlan)
        assert (compiled.__module__, compiled.__name__) == (f"{folder}.rules", f"Compiled{title}")
        answer = shape.availability
        assert answer.__module__ == f"{folder}.availability"
        assert answer.__name__ == f"{title}Availability"
        assert hasattr(sys.modules[f"{folder}.availability"], f"{title}Reader")
        assert hasattr(sys.modules[f"{folder}.choice"], f"{title}Chooser")
        assert hasattr(sys.modules[f"{folder}.plan"], "check_plan")


def test_a_shape_of_another_package_is_decoded(offer: Offer) -> None:
    with pytest.raises(InvalidRequest, match="lockers"):
        parse_plan(LOCKERS)
    offer(shape_named("lockers"))
    assert [shape.name for shape in installed_shapes()][7:] == ["lockers"]
    assert msgspec.json.decode(msgspec.json.encode(parse_plan(LOCKERS))) == {
        "type": "lockers",
        "count": 3,
    }


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("SHAPE = 5", TypeError),
        (shape_named("seats"), ValueError),
        (shape_named("unknown"), ValueError),
    ],
)
def test_what_is_no_shape_is_refused(offer: Offer, source: str, error: type[Exception]) -> None:
    offer(source)
    with pytest.raises(error):
        installed_shapes()


def test_a_stored_plan_of_an_unknown_shape_refuses_what_needs_its_rules() -> None:
    plan = stored_plan(LOCKERS)
    assert plan == UnknownPlan("lockers")
    compiled = compile_plan(plan)
    assert compiled.units_total() is None
    assert compiled.shown_claim("3@2030-01-05", SALE.zone).unit == "3@2030-01-05"
    for ask in (
        lambda: compiled.line_claims(Line(RESOURCE, "3"), SALE),
        lambda: compiled.block_needs(Line(RESOURCE, "3"), SALE),
        lambda: compiled.availability_units(AvailabilityQuery(), SALE),
        lambda: compiled.has("3"),
        lambda: check_resource(NewResource(name="Hall", plan=plan)),
    ):
        with pytest.raises(UnknownShape, match="lockers") as caught:
            ask()
        assert caught.value.data == {"shape": "lockers"}


def test_a_stored_plan_of_ours_that_does_not_decode_is_no_unknown_shape() -> None:
    with pytest.raises(InvalidRequest):
        stored_plan('{"type": "pools", "pools": 5}')
    assert isinstance(
        stored_plan('{"type": "pools", "pools": [{"unit": "a", "capacity": 1}]}'), PoolsPlan
    )
