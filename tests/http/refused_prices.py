"""How each refusal of suggested prices comes about."""

from datetime import timedelta

from bespeak import ids
from tests.harness.clock import START
from tests.http.api import Json, Request, document
from tests.http.scenarios import NO_RESOURCE, Stage, refuses
from tests.http.stays import LISTINGS, made_listing, made_property

PRICES = f"{LISTINGS}/{{listing_id}}/suggested-prices"
_RULE: Json = {"least": 5_000, "most": 20_000}
_NIGHT = (START.date() + timedelta(days=5)).isoformat()
_CALLS: tuple[tuple[str, str, str, Json | None], ...] = (
    ("GET", "/suggested-prices", "sk", None),
    ("POST", "/suggested-prices", "ak", {"nights": [{"date": _NIGHT, "now": 1, "price": 1}]}),
    ("DELETE", "/suggested-prices", "ak", None),
    ("PUT", "/suggested-prices/rule", "ak", _RULE),
    ("GET", "/pick-up", "sk", None),
)


for _method, _path, _key, _body in _CALLS:

    @refuses(f"{_method} {LISTINGS}/{{listing_id}}{_path}", "invalid_id", kind="res")
    async def prices_of_no_id(
        stage: Stage,
        method: str = _method,
        path: str = _path,
        key: str = _key,
        body: Json | None = _body,
    ) -> Request:
        return Request(method, f"{LISTINGS}/l-1{path}", body, key)

    @refuses(f"{_method} {LISTINGS}/{{listing_id}}{_path}", "listing_not_found")
    async def prices_of_no_listing(
        stage: Stage,
        method: str = _method,
        path: str = _path,
        key: str = _key,
        body: Json | None = _body,
    ) -> Request:
        return Request(method, f"{LISTINGS}/{NO_RESOURCE}{path}", body, key)


@refuses(f"PUT {PRICES}/rule", "version_mismatch", version=0)
async def a_rule_of_a_version_that_there_is_not(stage: Stage) -> Request:
    listing = await _listing(stage)
    return Request("PUT", _path_of(listing, "/rule"), {**_RULE, "version": 7}, "ak")


async def _listing(stage: Stage, **fields: object) -> Json:
    house = await made_property(stage.api, ref=None)
    return await made_listing(stage.api, house, "ak", **{"ref": None} | fields)


def _path_of(listing: Json, more: str = "") -> str:
    return f"{LISTINGS}/{listing['id']}/suggested-prices{more}"


def _applying(listing: Json, now: int) -> Request:
    nights = [{"date": _NIGHT, "now": now, "price": 9_000}]
    return Request("POST", _path_of(listing), {"nights": nights}, "ak")


async def _with_rule(stage: Stage, **fields: object) -> Json:
    listing = await _listing(stage, **fields)
    document(await stage.api.ask("PUT", _path_of(listing, "/rule"), _RULE, key="ak"), 200)
    return listing


async def _with_plan_kept(stage: Stage, listing: Json) -> None:
    """Somebody's long transaction holds what the plan is now."""
    connection = await stage.open_transaction()
    number = ids.parse_resource(str(listing["id"]))
    await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)


@refuses(f"PUT {PRICES}/rule", "invalid_request", field="least")
async def the_least_above_the_most(stage: Stage) -> Request:
    rule = {"least": 20_000, "most": 5_000}
    return Request("PUT", _path_of(await _listing(stage), "/rule"), rule, "ak")


@refuses(f"POST {PRICES}", "price_rule_needed")
async def prices_without_bounds(stage: Stage) -> Request:
    return _applying(await _listing(stage), now=12_000)


@refuses(f"POST {PRICES}", "price_moved")
async def a_price_that_is_another_now(stage: Stage) -> Request:
    return _applying(await _with_rule(stage), now=11_000)


@refuses(f"POST {PRICES}", "payment_rule_needed")
async def a_price_of_what_was_free(stage: Stage) -> Request:
    return _applying(await _with_rule(stage, price=0, payment="none"), now=0)


@refuses(f"POST {PRICES}", "plan_changed")
async def prices_while_a_long_transaction_holds(stage: Stage) -> Request:
    listing = await _with_rule(stage)
    await _with_plan_kept(stage, listing)
    return _applying(listing, now=12_000)


@refuses(f"DELETE {PRICES}", "plan_changed")
async def taking_back_while_a_long_transaction_holds(stage: Stage) -> Request:
    listing = await _with_rule(stage)
    applying = _applying(listing, now=12_000)
    document(await stage.api.ask("POST", applying.path, applying.body, key="ak"), 200)
    await _with_plan_kept(stage, listing)
    return Request("DELETE", _path_of(listing), None, "ak")
