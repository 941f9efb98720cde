"""How each refusal of the call about quotes comes about, and of holds by their codes."""

from bespeak import Best, Line, Resource
from bespeak.inventory.resources import Price
from bespeak.pricing.rules import PriceCode, Pricing
from tests.harness.shapes import HERE, ROOMS, STRICT, THEATRE, of, on
from tests.http.api import Request, line
from tests.http.refused_shapes import held, shown_line
from tests.http.scenarios import HOLDS, NO_RESOURCE, Stage, refuses

QUOTES = "POST /v1/quotes"
CODES = Pricing(codes=(PriceCode(code="HALF", capacity=1, basis_points=5000),))


def quote(resource: Resource, *lines: Line) -> Request:
    """The request for a quote of these lines of a sample."""
    return Request(
        "POST", "/v1/quotes", {"lines": [shown_line(one) for one in on(resource, *lines)]}
    )


@refuses(QUOTES, "sold_out")
async def nothing_left_to_choose(stage: Stage) -> Request:
    rooms = await stage.make_shape(ROOMS)
    dates = ("2030-01-10", "2030-01-13")
    await held(stage, rooms, of(None, 3, *dates))
    return quote(rooms, of(None, 1, *dates))


@refuses(QUOTES, "not_together")
async def none_together(stage: Stage) -> Request:
    theatre = await stage.make_shape(THEATRE)
    await held(stage, theatre, *(of(f"{row}{seat}") for row in "AB" for seat in (1, 3, 5)))
    return quote(theatre, Line(HERE, best=Best(3, "gold")))


@refuses(QUOTES, "not_on_sale")
async def not_sold(stage: Stage) -> Request:
    return quote(await stage.make_shape(ROOMS), of("101", None, "2030-01-24", "2030-01-25"))


@refuses(QUOTES, "orphan_seat")
async def any_choice_leaves_one(stage: Stage) -> Request:
    strict = await stage.make_shape(THEATRE, plan=STRICT)
    await held(stage, strict, *(of(f"A{seat}") for seat in range(1, 6)))
    return quote(strict, Line(HERE, best=Best(1)))


@refuses(QUOTES, "unknown_unit", unit="Z9")
async def no_such_unit(stage: Stage) -> Request:
    return quote(await stage.make_shape(THEATRE), of("Z9"))


@refuses(QUOTES, "unknown_code", line=0)
async def no_such_code(stage: Stage) -> Request:
    return quote(await stage.make_shape(THEATRE, pricing=CODES), Line(HERE, "A1", code="half"))


@refuses(HOLDS, "unknown_code", line=1)
async def no_such_code_to_hold(stage: Stage) -> Request:
    theatre = await stage.make_shape(THEATRE)
    lines = on(theatre, of("A1"), Line(HERE, "A2", code="HALF"))
    body = {"owner": "asha", "lines": [shown_line(one) for one in lines]}
    return Request("POST", "/v1/holds", body)


@refuses(HOLDS, "sold_out")
async def a_code_that_is_used_up(stage: Stage) -> Request:
    theatre = await stage.make_shape(THEATRE, pricing=CODES)
    await held(stage, theatre, Line(HERE, "A1", code="HALF"))
    lines = on(theatre, Line(HERE, "A2", code="HALF"))
    body = {"owner": "asha", "lines": [shown_line(one) for one in lines]}
    return Request("POST", "/v1/holds", body)


@refuses(QUOTES, "duplicate_line")
async def twice_the_same(stage: Stage) -> Request:
    return quote(await stage.make_shape(THEATRE), of("A1"), of("A1"))


@refuses(QUOTES, "invalid_id")
async def no_id(stage: Stage) -> Request:
    return Request("POST", "/v1/quotes", {"lines": [{"resource_id": "res_1", "unit": "A1"}]})


@refuses(QUOTES, "resource_not_found")
async def no_such_resource(stage: Stage) -> Request:
    return Request("POST", "/v1/quotes", {"lines": [{"resource_id": NO_RESOURCE, "unit": "A1"}]})


@refuses(QUOTES, "currencies_differ")
async def two_currencies(stage: Stage) -> Request:
    other = await stage.make_show(price=Price(100, "USD"))
    return Request("POST", "/v1/quotes", {"lines": [line(stage.show, "A1"), line(other, "A1")]})
