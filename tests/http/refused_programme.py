"""How each refusal of the calls about programmes comes about."""

from base64 import b64decode, b64encode
from typing import cast

from bespeak import ids
from tests.http.api import Json, Request, document
from tests.http.programmes import (
    PLAN,
    PRICES,
    PRODUCTION,
    ROOT,
    VENUE,
    drawn,
    hall,
    made,
    performance,
    performance_of,
)
from tests.http.scenarios import NO_RESOURCE, Stage, refuses

PREFIXES = {"venue": "ven", "hall": "hal", "production": "prd"}
PERFORMANCE = f"{ROOT}/performances/{{performance_id}}"
PICTURE = f"{ROOT}/productions/{{production_id}}/picture"
PRICES_UP: Json = {"stalls": 5000}


def _for_each_thing() -> None:
    cases: list[tuple[str, str, str, object]] = [
        ("GET", "/venues/{venue_id}", "venue", None),
        ("PATCH", "/venues/{venue_id}", "venue", {"name": "X"}),
        ("GET", "/halls/{hall_id}", "hall", None),
        ("PATCH", "/halls/{hall_id}", "hall", {"name": "X"}),
        ("GET", "/productions/{production_id}", "production", None),
        ("PATCH", "/productions/{production_id}", "production", {"title": "X"}),
        ("DELETE", "/productions/{production_id}", "production", None),
        ("GET", "/productions/{production_id}/picture", "production", None),
        ("DELETE", "/productions/{production_id}/picture", "production", None),
        ("PUT", "/productions/{production_id}/picture", "production", {"picture": drawn()}),
    ]
    for method, path, kind, body in cases:
        prefix = PREFIXES[kind]
        for bad in ("nonsense", f"{prefix}_", f"{prefix}_00000000000O", "res_00000001", "%00"):

            @refuses(f"{method} {ROOT}{path}", "invalid_id", kind=prefix)
            async def not_an_id(
                stage: Stage,
                method: str = method,
                path: str = path.replace(f"{{{kind}_id}}", bad),
                body: object = body,
            ) -> Request:
                return Request(method, ROOT + path, body, "ak")

        @refuses(f"{method} {ROOT}{path}", f"{kind}_not_found")
        async def nothing_there(
            stage: Stage,
            method: str = method,
            path: str = path.replace(f"{{{kind}_id}}", f"{prefix}_000000000000"),
            body: object = body,
        ) -> Request:
            return Request(method, ROOT + path, body, "ak")


_for_each_thing()


def _for_each_call_of_a_performance() -> None:
    cases: list[tuple[str, str, object]] = [
        ("GET", "", None),
        ("PATCH", "", {"note": "x"}),
        ("POST", "/copies", {"starts_at": ["2030-01-01T20:00"]}),
    ]
    for method, tail, body in cases:
        endpoint = f"{method} {PERFORMANCE}{tail}"

        @refuses(endpoint, "invalid_id", kind="res")
        async def no_id_of_a_performance(
            stage: Stage, method: str = method, tail: str = tail, body: object = body
        ) -> Request:
            return Request(method, f"{ROOT}/performances/show-1{tail}", body, "ak")

        @refuses(endpoint, "performance_not_found")
        async def no_such_performance(
            stage: Stage, method: str = method, tail: str = tail, body: object = body
        ) -> Request:
            return Request(method, f"{ROOT}/performances/{NO_RESOURCE}{tail}", body, "ak")

        @refuses(endpoint, "performance_not_found")
        async def a_resource_of_no_programme(
            stage: Stage, method: str = method, tail: str = tail, body: object = body
        ) -> Request:
            return Request(method, f"{ROOT}/performances/{stage.show.id}{tail}", body, "ak")


_for_each_call_of_a_performance()


def _for_each_list() -> None:
    filters = {
        "venues": (),
        "halls": ("venue",),
        "productions": ("venue",),
        "performances": ("venue", "production"),
    }
    for name, asked in filters.items():
        endpoint = f"GET {ROOT}/{name}"
        for bad in ("nonsense", "WzFd", "%00", "x%0a", "WyJcdTAwMDAiLCAiYSJd"):

            @refuses(endpoint, "invalid_cursor")
            async def not_a_cursor(stage: Stage, name: str = name, bad: str = bad) -> Request:
                return Request("GET", f"{ROOT}/{name}?after={bad}", key="pk")

        for field in asked:

            @refuses(endpoint, "invalid_id")
            async def by_what_is_no_id(
                stage: Stage, name: str = name, field: str = field
            ) -> Request:
                return Request("GET", f"{ROOT}/{name}?{field}=xyz", key="pk")

        for query in ("limit=0", "limit=101", "unheard=of", "after="):

            @refuses(endpoint, "invalid_request")
            async def nonsense(stage: Stage, name: str = name, query: str = query) -> Request:
                return Request("GET", f"{ROOT}/{name}?{query}", key="pk")


_for_each_list()


for _query in ("search=a%00b", "kind=circus", "state=lost", "from=2026-02-30", "series="):

    @refuses(f"GET {ROOT}/productions", "invalid_request")
    async def a_question_of_no_sense(stage: Stage, query: str = _query) -> Request:
        return Request("GET", f"{ROOT}/productions?{query}", key="pk")


def _for_each_wrong_form() -> None:
    wrong: dict[str, tuple[Json, list[Json]]] = {
        "venues": (
            VENUE,
            [
                {"name": ""},
                {"name": "x" * 101},
                {"time_zone": "Mars/Base"},
                {"country": "Germany"},
                {"website": "http://plain.example"},
                {"accessibility": "x" * 2001},
                {"address": "two\nlines"},
                {"unheard": "of"},
            ],
        ),
        "productions": (
            PRODUCTION,
            [
                {"title": ""},
                {"title": "x" * 201},
                {"title": "a\x00b"},
                {"kind": "circus"},
                {"minutes": 0},
                {"minutes": 1441},
                {"age_from": -1},
                {"performers": [""]},
                {"performers": ["x"] * 51},
                {"summary": "x" * 301},
                {"description": "x" * 8001},
                {"translations": [{"language": "de", "words": {}}] * 2},
            ],
        ),
    }
    for name, (good, parts) in wrong.items():
        for part in parts:

            @refuses(f"POST {ROOT}/{name}", "invalid_request")
            async def what_is_none(
                stage: Stage, name: str = name, good: Json = good, part: Json = part
            ) -> Request:
                return Request("POST", f"{ROOT}/{name}", good | part, "ak")


_for_each_wrong_form()


@refuses(f"PATCH {ROOT}/venues/{{venue_id}}", "invalid_request", field="time_zone")
async def other_clocks_where_something_is_given(stage: Stage) -> Request:
    venue = cast(Json, (await performance(stage.api))["venue"])
    return Request("PATCH", f"{ROOT}/venues/{venue['id']}", {"time_zone": "UTC"}, "ak")


@refuses(f"POST {ROOT}/halls", "invalid_id")
async def a_hall_of_what_is_no_venue(stage: Stage) -> Request:
    return Request("POST", f"{ROOT}/halls", {"venue": "x", "name": "1", "plan": PLAN}, "ak")


@refuses(f"POST {ROOT}/halls", "venue_not_found", field="venue")
async def a_hall_of_no_venue(stage: Stage) -> Request:
    body = {"venue": "ven_000000000000", "name": "1", "plan": PLAN}
    return Request("POST", f"{ROOT}/halls", body, "ak")


def _for_each_plan_of_no_hall() -> None:
    plans: list[Json] = [
        {name: value for name, value in PLAN.items() if name != "type"},
        {"type": "nights", "count": 3},
        {"type": "seats"},
        {**PLAN, "pools": [{"unit": "A1", "capacity": 1}]},
    ]
    for plan in plans:

        @refuses(f"POST {ROOT}/halls", "invalid_request", field="plan")
        async def a_new_hall(stage: Stage, plan: Json = plan) -> Request:
            venue = await made(stage.api, "/venues", VENUE)
            body = {"venue": venue["id"], "name": "1", "plan": plan}
            return Request("POST", f"{ROOT}/halls", body, "ak")

        @refuses(f"PATCH {ROOT}/halls/{{hall_id}}", "invalid_request", field="plan")
        async def a_hall_that_is_there(stage: Stage, plan: Json = plan) -> Request:
            place = await hall(stage.api)
            return Request("PATCH", f"{ROOT}/halls/{place['id']}", {"plan": plan}, "ak")


_for_each_plan_of_no_hall()


@refuses(f"DELETE {ROOT}/productions/{{production_id}}", "production_in_use", performances=1)
async def a_production_that_is_given(stage: Stage) -> Request:
    production = cast(Json, (await performance(stage.api))["production"])
    return Request("DELETE", f"{ROOT}/productions/{production['id']}", key="ak")


@refuses(
    f"PATCH {ROOT}/productions/{{production_id}}", "production_in_use", performances=1, units=2
)
async def a_production_that_guests_have_places_of(stage: Stage) -> Request:
    given = await performance(stage.api)
    lines = [{"resource_id": given["id"], "unit": "Floor", "quantity": 2}]
    document(await stage.api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    production = cast(Json, given["production"])
    return Request("PATCH", f"{ROOT}/productions/{production['id']}", {"archived": True}, "ak")


@refuses(f"GET {PICTURE}", "picture_not_found")
async def a_production_without_a_picture(stage: Stage) -> Request:
    production = await made(stage.api, "/productions", PRODUCTION)
    return Request("GET", f"{ROOT}/productions/{production['id']}/picture", key=None)


@refuses(f"GET {PICTURE}", "invalid_request")
async def a_picture_of_no_size(stage: Stage) -> Request:
    path = f"{ROOT}/productions/prd_000000000000/picture?size=poster"
    return Request("GET", path, key=None)


for _picture, _reason in (
    (b"GIF89a, and then nothing", "unknown_format"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "unknown_format"),
    (b"\x89PNG\r\n\x1a\n", "unknown_format"),
    (b64decode(drawn(12_001, 1)), "too_many_pixels"),
    (b64decode(drawn(300, 300))[:200], "broken"),
):

    @refuses(f"PUT {PICTURE}", "picture_invalid", reason=_reason, field="picture")
    async def what_is_no_picture(stage: Stage, picture: bytes = _picture) -> Request:
        production = await made(stage.api, "/productions", PRODUCTION)
        body = {"picture": b64encode(picture).decode()}
        return Request("PUT", f"{ROOT}/productions/{production['id']}/picture", body, "ak")


def _for_each_wrong_performance() -> None:
    gone = f"prd_{'0' * 12}"
    cases: list[tuple[str, str | None, Json]] = [
        ("invalid_id", None, {"production": "x"}),
        ("invalid_id", None, {"hall": "x"}),
        ("production_not_found", "production", {"production": gone}),
        ("hall_not_found", "hall", {"hall": f"hal_{'0' * 12}"}),
        ("invalid_request", "starts_at", {"starts_at": "2030-13-01T20:00"}),
        ("invalid_request", "starts_at", {"starts_at": "2030-03-31T02:30"}),
        ("invalid_request", "starts_at", {"starts_at": "0001-01-01T20:00"}),
        ("invalid_request", "doors_at", {"doors_at": "2030-03-07T20:01"}),
        ("invalid_request", "closes_at", {"opens_at": "2030-03-08T20:00"}),
        ("invalid_request", "prices", {"prices": {"throne": 1}}),
        ("invalid_request", "prices", {"prices": {"stalls": 1}}),
        ("invalid_request", "currency", {"currency": "ABC"}),
        ("invalid_request", None, {"prices": {"stalls": -1}}),
        ("invalid_request", None, {"minutes": 1441}),
        ("currency_needed", "currency", {"currency": None}),
    ]
    for code, field, part in cases:
        data: dict[str, object] = {} if field is None else {"field": field}

        @refuses(f"POST {ROOT}/performances", code, **data)
        async def a_performance_that_is_none(stage: Stage, part: Json = part) -> Request:
            place = await hall(stage.api)
            production = await made(stage.api, "/productions", PRODUCTION)
            body = performance_of(production, place) | part
            return Request("POST", f"{ROOT}/performances", body, "ak")


_for_each_wrong_performance()


@refuses(f"POST {ROOT}/performances", "invalid_request", field="minutes")
async def a_performance_that_nobody_says_the_end_of(stage: Stage) -> Request:
    place = await hall(stage.api)
    production = await made(stage.api, "/productions", PRODUCTION | {"minutes": None})
    return Request("POST", f"{ROOT}/performances", performance_of(production, place), "ak")


@refuses(f"POST {ROOT}/performances", "resource_not_ready", missing=["sale_ended"])
async def a_performance_of_yesterday_for_guests(stage: Stage) -> Request:
    place = await hall(stage.api)
    production = await made(stage.api, "/productions", PRODUCTION)
    body = performance_of(production, place, starts_at="2020-03-07T20:00", published=True)
    return Request("POST", f"{ROOT}/performances", body, "ak")


for _kind in ("production", "hall"):

    @refuses(f"POST {ROOT}/performances", "invalid_request", field=_kind)
    async def a_performance_of_what_is_archived(stage: Stage, kind: str = _kind) -> Request:
        place = await hall(stage.api)
        production = await made(stage.api, "/productions", PRODUCTION)
        path = f"{ROOT}/{kind}s/{(production if kind == 'production' else place)['id']}"
        document(await stage.api.ask("PATCH", path, {"archived": True}, key="ak"), 200)
        return Request("POST", f"{ROOT}/performances", performance_of(production, place), "ak")


@refuses(f"POST {ROOT}/performances", "hall_occupied", field="starts_at")
async def a_performance_in_the_middle_of_another(stage: Stage) -> Request:
    there = await performance(stage.api)
    body = performance_of(
        cast(Json, there["production"]), cast(Json, there["hall"]), starts_at="2030-03-07T21:00"
    )
    return Request("POST", f"{ROOT}/performances", body, "ak")


@refuses(f"PATCH {PERFORMANCE}", "hall_occupied", field="starts_at")
async def a_performance_that_moves_into_another(stage: Stage) -> Request:
    there = await performance(stage.api)
    body = performance_of(
        cast(Json, there["production"]), cast(Json, there["hall"]), starts_at="2030-03-08T20:00"
    )
    other = await made(stage.api, "/performances", body)
    path = f"{ROOT}/performances/{other['id']}"
    return Request("PATCH", path, {"starts_at": "2030-03-07T20:00"}, "ak")


@refuses(f"PATCH {PERFORMANCE}", "performance_sold", units=1, field="starts_at")
async def a_performance_that_moves_what_is_sold(stage: Stage) -> Request:
    there = await performance(stage.api)
    lines = [{"resource_id": there["id"], "unit": "A1"}]
    document(await stage.api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines}), 201)
    path = f"{ROOT}/performances/{there['id']}"
    return Request("PATCH", path, {"starts_at": "2030-03-08T20:00"}, "ak")


@refuses(f"PATCH {PERFORMANCE}", "plan_changed")
async def prices_that_change_while_a_long_transaction_holds(stage: Stage) -> Request:
    there = await performance(stage.api)
    connection = await stage.open_transaction()
    number = ids.parse_resource(str(there["id"]))
    await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    return Request("PATCH", f"{ROOT}/performances/{there['id']}", {"prices": PRICES_UP}, "ak")


@refuses(f"PATCH {PERFORMANCE}", "payment_rule_needed", field="payment")
async def what_was_free_and_costs_now(stage: Stage) -> Request:
    free = await performance(stage.api, prices={}, payment="none")
    return Request("PATCH", f"{ROOT}/performances/{free['id']}", {"prices": PRICES}, "ak")


@refuses(f"PATCH {PERFORMANCE}", "resource_called_off")
async def a_performance_that_was_called_off(stage: Stage) -> Request:
    off = await performance(stage.api)
    await stage.api.ask("POST", f"/v1/resources/{off['id']}/cancellation", {"reason": "storm"})
    return Request("PATCH", f"{ROOT}/performances/{off['id']}", {"state": "open"}, "ak")


@refuses(f"PATCH {PERFORMANCE}", "resource_not_ready", missing=["sale_ended"])
async def yesterdays_performance_that_is_to_be_seen(stage: Stage) -> Request:
    over = await performance(stage.api, starts_at="2020-03-07T20:00")
    return Request("PATCH", f"{ROOT}/performances/{over['id']}", {"published": True}, "ak")


def _for_each_wrong_copy() -> None:
    at = "2030-03-14T20:00"
    weekly: Json = {"days": ["thu"], "until": "2030-03-21"}
    bodies: list[tuple[str, Json]] = [
        ("starts_at", {}),
        ("starts_at", {"starts_at": [at], "weekly": weekly}),
        ("starts_at", {"starts_at": ["soon, very soon"]}),
        ("weekly.until", {"weekly": weekly | {"until": "2030-03-07"}}),
        ("weekly.until", {"weekly": weekly | {"until": "2040-03-07"}}),
        ("weekly", {"weekly": weekly | {"days": ["wed"], "until": "2030-03-12"}}),
        ("weekly", {"weekly": {"days": ["mon", "tue", "wed", "thu"], "until": "2032-03-07"}}),
        ("weekly.time", {"weekly": weekly | {"time": "24:61"}}),
        ("weekly.time", {"weekly": weekly | {"time": "19:30Z"}}),
    ]
    for field, body in bodies:

        @refuses(f"POST {PERFORMANCE}/copies", "invalid_request", field=field)
        async def copies_at_no_time(stage: Stage, body: Json = body) -> Request:
            there = await performance(stage.api)
            return Request("POST", f"{ROOT}/performances/{there['id']}/copies", body, "ak")


_for_each_wrong_copy()


@refuses(f"POST {PERFORMANCE}/copies", "hall_occupied", field="starts_at")
async def copies_of_which_one_is_in_the_way(stage: Stage) -> Request:
    there = await performance(stage.api)
    body = performance_of(
        cast(Json, there["production"]), cast(Json, there["hall"]), starts_at="2030-03-14T19:00"
    )
    await made(stage.api, "/performances", body)
    asked = {"weekly": {"days": ["thu"], "until": "2030-03-21"}}
    return Request("POST", f"{ROOT}/performances/{there['id']}/copies", asked, "ak")


@refuses(f"POST {PERFORMANCE}/copies", "resource_not_ready")
async def copies_of_the_past_for_guests(stage: Stage) -> Request:
    over = await performance(stage.api, starts_at="2020-03-07T20:00")
    body = {"starts_at": ["2020-03-14T20:00"], "published": True}
    return Request("POST", f"{ROOT}/performances/{over['id']}/copies", body, "ak")


@refuses(f"DELETE {ROOT}/sample", "plan_changed")
async def a_sample_that_goes_while_a_long_transaction_holds(stage: Stage) -> Request:
    asked = await stage.api.ask("PUT", f"{ROOT}/sample", {"sample": "house"}, key="ak")
    shows = cast(list[str], document(asked, 200)["performances"])
    line = {"resource_id": shows[0], "best": {"quantity": 1}}
    document(await stage.api.ask("POST", "/v1/holds", {"owner": "asha", "lines": [line]}), 201)
    connection = await stage.open_transaction()
    number = ids.parse_resource(shows[0])
    await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    return Request("DELETE", f"{ROOT}/sample", key="ak")
