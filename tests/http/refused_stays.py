"""How each refusal of the calls about stays comes about."""

import asyncio
from base64 import b64encode, urlsafe_b64encode
from datetime import timedelta

from bespeak import ids
from bespeak.inventory.fields import WEEKDAYS
from bespeak.verticals.stays import listings
from bespeak.verticals.stays.search import following
from bespeak.verticals.stays.search.following import StaysSearcher
from bespeak.verticals.stays.search.region import region_of
from tests.harness.clock import START
from tests.http.api import Json, Request, document
from tests.http.scenarios import NO_RESOURCE, Stage, refuses
from tests.http.stays import (
    DOUBLE,
    HOUSE,
    LISTINGS,
    MAP,
    PROPERTIES,
    SEARCH,
    made_listing,
    made_property,
)

PROPERTY = f"{PROPERTIES}/{{property_id}}"
LISTING = f"{LISTINGS}/{{listing_id}}"
PICTURES = "/v1/stays/pictures"
NO_PICTURE = "0" * 32
NO_PROPERTY = f"prp_{'0' * 12}"
NEAR = f"{SEARCH}?lat=53.5&lon=10"
TOWNS = "/v1/stays/places"
MAP_NEAR = f"{MAP}?lat=53.5&lon=10"


def _day(days: int) -> str:
    """A date so many days and 30 from the scenarios' now."""
    return (START.date() + timedelta(days=30 + days)).isoformat()


def _weekday(days: int) -> str:
    return WEEKDAYS[(START.date() + timedelta(days=30 + days)).weekday()]


def _ref(stage: Stage) -> str:
    """A reference that no other scenario has: they share a workspace."""
    return f"of-{stage.show.id}"


def _for_each_thing() -> None:
    cases: list[tuple[str, str, str, str, str, object]] = [
        ("GET", PROPERTY, "prp", NO_PROPERTY, "property_not_found", None),
        ("PATCH", PROPERTY, "prp", NO_PROPERTY, "property_not_found", {"name": "X"}),
        ("GET", LISTING, "res", NO_RESOURCE, "listing_not_found", None),
        *(
            ("GET", f"{PROPERTY}/{what}", "prp", NO_PROPERTY, "property_not_found", None)
            for what in ("board", "arrivals", "figures")
        ),
        ("PATCH", LISTING, "res", NO_RESOURCE, "listing_not_found", {"name": "X"}),
        ("GET", f"{LISTING}/rates", "res", NO_RESOURCE, "listing_not_found", None),
        ("GET", f"{PROPERTY}/party-rooms", "prp", NO_PROPERTY, "property_not_found", None),
    ]
    for method, path, kind, nobody, code, body in cases:
        root, _, rest = path.partition("/{")
        below = rest.partition("}")[2]
        if below in ("/rates", "/party-rooms"):
            below += f"?start={_day(0)}&end={_day(1)}"
        for bad in ("nonsense", f"{kind}_", f"{kind}_00000000000O", "hold_00000001", "%00"):

            @refuses(f"{method} {path}", "invalid_id", kind=kind)
            async def not_an_id(
                stage: Stage,
                method: str = method,
                path: str = f"{root}/{bad}{below}",
                body: object = body,
            ) -> Request:
                return Request(method, path, body, "ak")

        @refuses(f"{method} {path}", code)
        async def nothing_there(
            stage: Stage,
            method: str = method,
            path: str = f"{root}/{nobody}{below}",
            body: object = body,
        ) -> Request:
            return Request(method, path, body, "ak")


_for_each_thing()


for _method, _body in (("GET", None), ("PATCH", {"name": "X"})):

    @refuses(f"{_method} {LISTING}", "listing_not_found")
    async def a_resource_of_no_property(
        stage: Stage, method: str = _method, body: object = _body
    ) -> Request:
        return Request(method, f"{LISTINGS}/{stage.show.id}", body, "ak")


@refuses(f"GET {LISTING}", "listing_not_found")
async def a_draft_that_a_guest_asks_for(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    draft = await made_listing(stage.api, house, published=False, ref=_ref(stage))
    return Request("GET", f"{LISTINGS}/{draft['id']}", key="pk")


def _cursor(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _for_each_list() -> None:
    for path, sign in ((PROPERTIES, "?"), (LISTINGS, "?"), (NEAR, "&")):
        endpoint = f"GET {path.partition('?')[0]}"
        for bad in ("nonsense", "WzFd", "%00", "x%0a", _cursor('["\\u0000", 1]')):

            @refuses(endpoint, "invalid_cursor")
            async def not_a_cursor(stage: Stage, path: str = f"{path}{sign}after={bad}") -> Request:
                return Request("GET", path, key="pk")

        for query in ("limit=0", "limit=101", "unheard=of", "after="):

            @refuses(endpoint, "invalid_request")
            async def nonsense(stage: Stage, path: str = f"{path}{sign}{query}") -> Request:
                return Request("GET", path, key="pk")


_for_each_list()


@refuses(f"GET {SEARCH}", "invalid_cursor")
async def a_cursor_of_another_question(stage: Stage) -> Request:
    cursor = _cursor('[1, 1, "EUR", "000000000000"]')
    return Request("GET", f"{NEAR}&after={cursor}", key="pk")


@refuses(f"GET {LISTINGS}", "invalid_cursor")
async def a_cursor_with_a_number_that_no_listing_has(stage: Stage) -> Request:
    cursor = _cursor('["a", 9223372036854775808]')
    return Request("GET", f"{LISTINGS}?after={cursor}", key="pk")


@refuses(f"GET {LISTINGS}", "invalid_id", kind="prp")
async def listings_of_what_is_no_property(stage: Stage) -> Request:
    return Request("GET", f"{LISTINGS}?property=xyz", key="pk")


for _query in ("from=2026-02-30", "days=0", "days=366", "rooms=0", "from=soon"):

    @refuses(f"GET {LISTING}", "invalid_request")
    async def a_calendar_of_no_sense(stage: Stage, query: str = _query) -> Request:
        return Request("GET", f"{LISTINGS}/{NO_RESOURCE}?{query}", key="pk")


@refuses(f"GET {LISTING}", "invalid_request")
async def a_calendar_beyond_the_last_year(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    made = await made_listing(stage.api, house, ref=_ref(stage))
    return Request("GET", f"{LISTINGS}/{made['id']}?from=9999-12-31", key="pk")


for _query in (
    *("lat=91&lon=10", "lat=53.5&lon=181", "lat=nan&lon=10", "lat=53.5", "lon=10"),
    *("lat=53.5&lon=10&radius=99", "lat=53.5&lon=10&radius=100001"),
    *("lat=53.5&lon=10&guests=0", "lat=53.5&lon=10&rooms=51", "lat=53.5&lon=10&limit=51"),
    *("lat=53.5&lon=10&flexible=-1", "lat=53.5&lon=10&flexible=8"),
    *(f"lat=53.5&lon=10&text={'x' * 61}", "lat=53.5&lon=10&text=a%00"),
    *("box=1,2,3", "box=1,2,3,4&lat=53.5&lon=10", "box=0,0,21,1", "box=4,2,3,2"),
    *("lat=53.5&lon=10&sort=stars", "lat=53.5&lon=10&price_max=-1"),
    *(
        "lat=53.5&lon=10&rating_min=0.9",
        "lat=53.5&lon=10&rating_min=11",
        "lat=53.5&lon=10&rating_min=nan",
    ),
    *("lat=53.5&lon=10&amenities=dragons", "lat=53.5&lon=10&amenities_any=wifi,dragons"),
    *("polygon=", "polygon=1,2;3,4", "polygon=1,2;3,4;x", "polygon=1,2;3,4;1,2"),
    *("polygon=0,0;1,1;1,0;0,1", "polygon=0,0;21,0;0,1", "polygon=0,0;1,91;1,0"),
    *("polygon=0,0;1,0;0,1&lat=1&lon=1", "polygon=0,0;1,0;0,1&box=0,0,1,1"),
):

    @refuses(f"GET {SEARCH}", "invalid_request")
    async def a_search_of_no_sense(stage: Stage, query: str = _query) -> Request:
        return Request("GET", f"{SEARCH}?{query}", key="pk")


for _start, _end, _field in (
    (_day(3), _day(3), "end"),
    (_day(3), _day(1), "end"),
    ("2020-01-01", "2020-01-03", "start"),
    (_day(0), None, "end"),
    (None, _day(0), "start"),
):

    @refuses(f"GET {SEARCH}", "invalid_stay", field=_field)
    async def dates_of_no_stay(
        stage: Stage, start: str | None = _start, end: str | None = _end
    ) -> Request:
        said = {"start": start, "end": end}
        query = "".join(f"&{name}={date}" for name, date in said.items() if date is not None)
        return Request("GET", NEAR + query, key="pk")


for _query, _field in (
    ("", "start"),
    (f"start={_day(0)}", "end"),
    (f"start={_day(1)}&end={_day(0)}", "end"),
    (f"start={_day(0)}&end={_day(367)}", "end"),
    (f"start={_day(-100)}&end={_day(0)}", "start"),
    (f"start={_day(0)}&end={_day(1)}&guests=3", "guests"),
    (f"start={_day(0)}&end={_day(1)}&rooms=2", "guests"),
    (f"start={_day(0)}&end={_day(1)}&guests=2&ages=18", "ages"),
):

    @refuses(
        f"GET {LISTING}/rates",
        "invalid_request" if _field == "ages" else "invalid_stay",
        field=_field,
    )
    async def rates_of_no_stay(stage: Stage, query: str = _query) -> Request:
        house = await made_property(stage.api, ref=_ref(stage))
        made = await made_listing(stage.api, house, ref=_ref(stage))
        return Request("GET", f"{LISTINGS}/{made['id']}/rates?{query}", key="pk")


for _query, _field in (
    ("", "start"),
    (f"start={_day(0)}", "end"),
    (f"start={_day(1)}&end={_day(0)}", "end"),
    (f"start={_day(0)}&end={_day(1)}&guests=2&ages=18", "ages"),
):

    @refuses(
        f"GET {PROPERTY}/party-rooms",
        "invalid_request" if _field == "ages" else "invalid_stay",
        field=_field,
    )
    async def rooms_for_no_stay(stage: Stage, query: str = _query) -> Request:
        house = await made_property(stage.api, ref=_ref(stage))
        await made_listing(stage.api, house, ref=_ref(stage))
        return Request("GET", f"{PROPERTIES}/{house['id']}/party-rooms?{query}", key="pk")


for _query, _field in (
    (f"from={_day(0)}&to={_day(9)}", "nights"),
    (f"from={_day(0)}&nights=3", "to"),
    (f"to={_day(9)}&nights=3", "from"),
    ("arrive=fri", "from"),
    (f"from={_day(0)}&to={_day(9)}&nights=3&start={_day(0)}", "start"),
    (f"from={_day(0)}&to={_day(9)}&nights=3&end={_day(2)}", "end"),
    (f"from={_day(0)}&to={_day(9)}&nights=3&flexible=1", "flexible"),
    (f"from={_day(0)}&to={_day(2)}&nights=3", "to"),
    (f"from={_day(9)}&to={_day(0)}&nights=3", "to"),
    (f"from={_day(0)}&to={_day(63)}&nights=3", "to"),
    ("from=2020-01-01&to=2020-01-09&nights=3", "to"),
    ("from=9999-12-30&to=9999-12-31&nights=3", "from"),
    (f"from={_day(0)}&to={_day(1)}&nights=1&arrive={_weekday(1)}", "arrive"),
):

    @refuses(f"GET {SEARCH}", "invalid_stay", field=_field)
    async def a_window_of_no_stay(stage: Stage, query: str = _query) -> Request:
        return Request("GET", f"{NEAR}&{query}", key="pk")


@refuses(f"GET {SEARCH}", "invalid_request", field="arrive")
async def a_weekday_that_there_is_not(stage: Stage) -> Request:
    query = f"from={_day(0)}&to={_day(9)}&nights=3&arrive=friday"
    return Request("GET", f"{NEAR}&{query}", key="pk")


@refuses(f"GET {SEARCH}", "invalid_stay", field="flexible")
async def other_days_than_none(stage: Stage) -> Request:
    return Request("GET", f"{NEAR}&flexible=3", key="pk")


for _query in ("lat=53.5", "box=0,0,21,1", "polygon=0,0;1,1;1,0;0,1", "lat=53.5&lon=10&zoom=23"):

    @refuses(f"GET {MAP}", "invalid_request")
    async def a_map_of_no_sense(stage: Stage, query: str = _query) -> Request:
        return Request("GET", f"{MAP}?{query}", key="pk")


@refuses(f"GET {MAP}", "invalid_stay", field="end")
async def a_map_of_a_stay_without_nights(stage: Stage) -> Request:
    return Request("GET", f"{MAP_NEAR}&start={_day(3)}&end={_day(3)}", key="pk")


class _NeverSet(asyncio.Event):
    """A search that does not come to be ready."""

    def set(self) -> None:
        return


for _path in (NEAR, TOWNS, MAP_NEAR):

    @refuses(f"GET {_path.partition('?')[0]}", "outside_region")
    async def what_another_search_server_has(stage: Stage, path: str = _path) -> Request:
        engine = stage.api.service.engine
        searcher = engine.parts.companions.get(
            StaysSearcher, lambda: StaysSearcher(engine.database)
        )
        stage.monkeypatch.setattr(searcher, "region", region_of("100,-40,180,0"))
        return Request("GET", path, key="pk")

    @refuses(f"GET {_path.partition('?')[0]}", "search_not_ready")
    async def before_the_listings_are_read(stage: Stage, path: str = _path) -> Request:
        engine = stage.api.service.engine
        searcher = engine.parts.companions.get(
            StaysSearcher, lambda: StaysSearcher(engine.database)
        )
        stage.monkeypatch.setattr(searcher, "_ready", _NeverSet())
        stage.monkeypatch.setattr(following, "_READY_SECONDS", 0.0)
        return Request("GET", path, key="pk")


for _what, _query in (
    *(("board", query) for query in ("days=0", "days=63", "from=soon", "limit=101", "after=")),
    *(("arrivals", query) for query in ("date=soon", "limit=0", "days=1")),
    *(("figures", query) for query in ("days=0", "days=367", "from=2026-02-30", "limit=1")),
):

    @refuses(f"GET {PROPERTY}/{_what}", "invalid_request")
    async def days_of_no_sense(stage: Stage, path: str = f"{_what}?{_query}") -> Request:
        return Request("GET", f"{PROPERTIES}/{NO_PROPERTY}/{path}")


for _what, _query, _field in (
    ("board", "from=9999-12-31", "from"),
    ("figures", "from=9999-12-31", "from"),
    ("arrivals", "date=9999-12-31", "date"),
    ("arrivals", "date=0001-01-01", "date"),
):

    @refuses(f"GET {PROPERTY}/{_what}", "invalid_request", field=_field)
    async def days_beyond_all_calendars(stage: Stage, path: str = f"{_what}?{_query}") -> Request:
        house = await made_property(stage.api, ref=_ref(stage))
        return Request("GET", f"{PROPERTIES}/{house['id']}/{path}")


for _what in ("board", "arrivals"):
    for _bad in ("nonsense", "WzFd", _cursor('["a", "b", 3]'), _cursor('[1, "no number"]')):

        @refuses(f"GET {PROPERTY}/{_what}", "invalid_cursor")
        async def no_cursor_of_a_house(
            stage: Stage, path: str = f"{_what}?after={_bad}"
        ) -> Request:
            house = await made_property(stage.api, ref=_ref(stage))
            return Request("GET", f"{PROPERTIES}/{house['id']}/{path}")


def _for_each_wrong_property() -> None:
    wrong: list[Json] = [
        {"name": ""},
        {"name": "x" * 101},
        {"kind": "castle"},
        {"lat": 90.1},
        {"lon": -180.1},
        {"time_zone": "Mars/Base"},
        {"ref": ""},
        {"ref": "a b"},
        {"ref": "x" * 61},
        {"stars": 0},
        {"stars": 6},
        {"address": "two\nlines"},
        {"country": "Germany"},
        {"check_in_time": "24:00"},
        {"check_out_time": "noon"},
        {"summary": "x" * 301},
        {"description": "x" * 8001},
        {"house_rules": "a\x00b"},
        {"amenities": ["dragons"]},
        {"languages": ["a b"]},
        {"website": "http://plain.example"},
        {"rated_elsewhere": {"rating": 11, "ratings": 1, "source": "Survey"}},
        {"rated_elsewhere": {"rating": 8, "ratings": 0, "source": "Survey"}},
        {"rated_elsewhere": {"rating": 8, "ratings": 1, "source": ""}},
        {"rated_elsewhere": {"rating": 8, "ratings": 1}},
        {"translations": [{"language": "de", "words": {}}] * 2},
        {"unheard": "of"},
    ]
    for part in wrong:

        @refuses(f"POST {PROPERTIES}", "invalid_request")
        async def a_property_that_is_none(stage: Stage, part: Json = part) -> Request:
            return Request("POST", PROPERTIES, HOUSE | {"ref": _ref(stage)} | part, "ak")

        @refuses(f"PATCH {PROPERTY}", "invalid_request")
        async def a_change_of_no_sense(stage: Stage, part: Json = part) -> Request:
            house = await made_property(stage.api, ref=_ref(stage))
            return Request("PATCH", f"{PROPERTIES}/{house['id']}", part, "ak")


_for_each_wrong_property()


@refuses(f"POST {PROPERTIES}", "stay_reference_taken", field="ref")
async def a_second_property_of_a_reference(stage: Stage) -> Request:
    await made_property(stage.api, ref=_ref(stage))
    return Request("POST", PROPERTIES, HOUSE | {"ref": _ref(stage)}, "ak")


@refuses(f"PATCH {PROPERTY}", "stay_reference_taken", field="ref")
async def a_property_that_takes_anothers_reference(stage: Stage) -> Request:
    await made_property(stage.api, ref=_ref(stage))
    other = await made_property(stage.api, ref=None)
    return Request("PATCH", f"{PROPERTIES}/{other['id']}", {"ref": _ref(stage)}, "ak")


@refuses(f"PATCH {PROPERTY}", "invalid_request", field="time_zone")
async def other_clocks_where_something_is_let(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    await made_listing(stage.api, house, ref=_ref(stage))
    return Request("PATCH", f"{PROPERTIES}/{house['id']}", {"time_zone": "UTC"}, "ak")


def _for_each_wrong_listing() -> None:
    cases: list[tuple[str, str | None, Json]] = [
        ("invalid_id", None, {"property": "x"}),
        ("property_not_found", None, {"property": NO_PROPERTY}),
        ("currency_needed", "currency", {"currency": None}),
        ("invalid_request", "plan", {"plan": {"type": "tickets", "count": 3}}),
        ("invalid_request", None, {"plan": {"type": "nights"}}),
        ("invalid_request", None, {"plan": {"count": 3}}),
        ("invalid_request", None, {"name": ""}),
        ("invalid_request", None, {"guests": 0}),
        ("invalid_request", None, {"guests": 51}),
        ("invalid_request", None, {"price": -1}),
        ("invalid_request", "currency", {"currency": "ABC"}),
        ("invalid_request", None, {"beds": [{"kind": "straw"}]}),
        ("invalid_request", None, {"beds": [{"kind": "double", "count": 0}]}),
        ("invalid_request", None, {"square_metres": 0}),
        ("invalid_request", None, {"amenities": ["dragons"]}),
        ("invalid_request", None, {"unheard": "of"}),
    ]
    for code, field, part in cases:
        data: dict[str, object] = {} if field is None else {"field": field}

        @refuses(f"POST {LISTINGS}", code, **data)
        async def a_listing_that_is_none(stage: Stage, part: Json = part) -> Request:
            house = await made_property(stage.api, ref=_ref(stage))
            body = DOUBLE | {"property": house["id"]} | {"ref": _ref(stage)} | part
            return Request("POST", LISTINGS, body, "ak")


_for_each_wrong_listing()


@refuses(f"POST {LISTINGS}", "property_full", listings=1)
async def one_listing_more_than_a_property_has(stage: Stage) -> Request:
    stage.monkeypatch.setattr(listings, "LISTINGS_MAX", 1)
    house = await made_property(stage.api, ref=_ref(stage))
    await made_listing(stage.api, house, ref=None)
    return Request(
        "POST", LISTINGS, DOUBLE | {"property": house["id"]} | {"ref": _ref(stage)}, "ak"
    )


@refuses(f"POST {LISTINGS}", "stay_reference_taken", field="ref")
async def a_second_listing_of_a_reference(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    await made_listing(stage.api, house, ref=_ref(stage))
    return Request(
        "POST", LISTINGS, DOUBLE | {"property": house["id"]} | {"ref": _ref(stage)}, "ak"
    )


@refuses(f"PATCH {LISTING}", "stay_reference_taken", field="ref")
async def a_listing_that_takes_anothers_reference(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    await made_listing(stage.api, house, ref=_ref(stage))
    other = await made_listing(stage.api, house, ref=None)
    return Request("PATCH", f"{LISTINGS}/{other['id']}", {"ref": _ref(stage)}, "ak")


@refuses(f"POST {LISTINGS}", "resource_not_ready", missing=["no_price"])
async def a_listing_for_guests_that_costs_nothing(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    body = (
        DOUBLE | {"property": house["id"], "price": 0, "payment": "required"} | {"ref": _ref(stage)}
    )
    return Request("POST", LISTINGS, body, "ak")


@refuses(f"PATCH {LISTING}", "resource_not_ready", missing=["no_price"])
async def a_draft_without_a_price_that_is_to_be_seen(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    draft = await made_listing(
        stage.api, house, price=0, payment="required", published=False, ref=_ref(stage)
    )
    return Request("PATCH", f"{LISTINGS}/{draft['id']}", {"published": True}, "ak")


@refuses(f"PATCH {LISTING}", "payment_rule_needed", field="payment")
async def what_was_free_and_costs_now(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    free = await made_listing(stage.api, house, price=0, payment="none", ref=_ref(stage))
    return Request("PATCH", f"{LISTINGS}/{free['id']}", {"price": 9900}, "ak")


@refuses(f"PATCH {LISTING}", "plan_changed")
async def a_plan_that_changes_while_a_long_transaction_holds(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    made = await made_listing(stage.api, house, ref=_ref(stage))
    connection = await stage.open_transaction()
    number = ids.parse_resource(str(made["id"]))
    await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    plan = {"plan": {"type": "nights", "count": 9}}
    return Request("PATCH", f"{LISTINGS}/{made['id']}", plan, "ak")


@refuses(f"PATCH {LISTING}", "invalid_request", field="plan")
async def a_listing_that_is_sold_by_seats(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    made = await made_listing(stage.api, house, ref=_ref(stage))
    plan = {"plan": {"type": "tickets", "count": 3}}
    return Request("PATCH", f"{LISTINGS}/{made['id']}", plan, "ak")


@refuses(f"PATCH {LISTING}", "version_mismatch")
async def a_listing_that_has_changed_since(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    made = await made_listing(stage.api, house, ref=_ref(stage))
    return Request("PATCH", f"{LISTINGS}/{made['id']}", {"version": 0, "price": 9900}, "ak")


@refuses(f"PATCH {LISTING}", "resource_in_use")
async def a_plan_without_a_room_that_somebody_has(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    plan = {"type": "nights", "rooms": ["Heron", "Otter"]}
    made = await made_listing(stage.api, house, plan=plan, ref=_ref(stage))
    line = {"resource_id": made["id"], "unit": "Otter", "from": _day(0), "to": _day(2)}
    document(await stage.api.ask("POST", "/v1/holds", {"owner": "asha", "lines": [line]}), 201)
    fewer = {"plan": {"type": "nights", "rooms": ["Heron"]}}
    return Request("PATCH", f"{LISTINGS}/{made['id']}", fewer, "ak")


@refuses(f"PATCH {PROPERTY}", "plan_changed")
async def another_hour_of_arrival_while_a_long_transaction_holds(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    made = await made_listing(stage.api, house, ref=_ref(stage))
    connection = await stage.open_transaction()
    number = ids.parse_resource(str(made["id"]))
    await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    return Request("PATCH", f"{PROPERTIES}/{house['id']}", {"check_in_time": "16:00"}, "ak")


@refuses(f"GET {PICTURES}/{{picture_id}}", "picture_not_found")
async def a_picture_that_nobody_sent(stage: Stage) -> Request:
    return Request("GET", f"{PICTURES}/{NO_PICTURE}", key=None)


@refuses(f"GET {PICTURES}/{{picture_id}}", "invalid_request")
async def a_picture_of_stays_of_no_size(stage: Stage) -> Request:
    return Request("GET", f"{PICTURES}/{NO_PICTURE}?size=poster", key=None)


for _picture, _reason in (
    (b"<svg/>", "unknown_format"),
    (b"GIF89a", "unknown_format"),
    (b"\x89PNG\r\n\x1a\n", "unknown_format"),
):

    @refuses(f"POST {PICTURES}", "picture_invalid", reason=_reason, field="picture")
    async def what_is_no_picture_of_stays(stage: Stage, picture: bytes = _picture) -> Request:
        return Request("POST", PICTURES, {"picture": b64encode(picture).decode()}, "ak")


_SHOWN: Json = {"pictures": [{"id": NO_PICTURE, "description": "A bed"}]}


@refuses(f"POST {PROPERTIES}", "picture_unknown", field="pictures")
async def a_property_with_a_picture_that_is_not_there(stage: Stage) -> Request:
    return Request("POST", PROPERTIES, HOUSE | {"ref": _ref(stage)} | _SHOWN, "ak")


@refuses(f"PATCH {PROPERTY}", "picture_unknown", field="pictures")
async def a_picture_of_a_property_that_is_not_there(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    return Request("PATCH", f"{PROPERTIES}/{house['id']}", _SHOWN, "ak")


@refuses(f"POST {LISTINGS}", "picture_unknown", field="pictures")
async def a_listing_with_a_picture_that_is_not_there(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    body = DOUBLE | {"property": house["id"], "ref": _ref(stage)} | _SHOWN
    return Request("POST", LISTINGS, body, "ak")


@refuses(f"PATCH {LISTING}", "picture_unknown", field="pictures")
async def a_picture_of_a_listing_that_is_not_there(stage: Stage) -> Request:
    house = await made_property(stage.api, ref=_ref(stage))
    made = await made_listing(stage.api, house, ref=_ref(stage))
    return Request("PATCH", f"{LISTINGS}/{made['id']}", _SHOWN, "ak")
