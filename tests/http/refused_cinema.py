"""How each refusal of the calls about the catalogue of cinemas comes about."""

import msgspec

from bespeak import ids
from bespeak.verticals.cinema import catalogue_changes, shows
from bespeak.verticals.cinema.names import CINEMA, CITY, FILM, SCREEN, id_of
from tests.harness.catalogues import CINEMAS, CITIES, FILMS, SCREENS, SMALL, show
from tests.http.api import Json, Request
from tests.http.scenarios import NO_RESOURCE, Stage, refuses

ROOT = "/v1/cinema"
NONE = {"city_id": "cty", "cinema_id": "cin", "screen_id": "scr", "film_id": "flm"}
PLAN: Json = {"type": "seats", "sections": [{"name": "S", "rows": [{"name": "A", "seats": 3}]}]}
NEW_FILM: Json = {"title": "T", "minutes": 90, "released": "2026-01-01"}
STARTS_AT = "2030-03-01T20:00"


async def stocked(stage: Stage) -> None:
    """Puts the small catalogue into the database, and a show; said again, it stays as it is."""
    connection = stage.api.connection
    async with connection.transaction():
        for city in CITIES:
            await catalogue_changes.put_city(connection, city)
        for cinema in CINEMAS:
            await catalogue_changes.put_cinema(connection, cinema)
        for screen in SCREENS:
            await catalogue_changes.put_screen(connection, screen)
        for film in FILMS:
            await catalogue_changes.put_film(connection, film)
        engine = stage.api.service.engine
        await shows.put_show(engine, connection, show("snow", "alka-1", STARTS_AT))


async def show_id(stage: Stage) -> str:
    """The show of the small catalogue."""
    await stocked(stage)
    made = await stage.api.ask(
        "GET", f"{ROOT}/shows?date=2030-03-01&cinema={id_of(CINEMA, 'alka')}"
    )
    return str(made.json()["items"][0]["id"])


def _for_each_thing() -> None:
    cases: list[tuple[str, str, str, object]] = [
        ("GET", "/films/{film_id}", "film", None),
        ("GET", "/films/{film_id}/poster.svg", "film", None),
        ("GET", "/cinemas/{cinema_id}", "cinema", None),
        ("GET", "/screens/{screen_id}", "screen", None),
        ("PATCH", "/cities/{city_id}", "city", {"name": "X"}),
        ("PATCH", "/cinemas/{cinema_id}", "cinema", {"name": "X"}),
        ("PATCH", "/screens/{screen_id}", "screen", {"name": "X"}),
        ("PATCH", "/films/{film_id}", "film", {"title": "X"}),
    ]
    for method, path, kind, body in cases:
        prefix = NONE[f"{kind}_id"]
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

    for method, body in (("GET", None), ("PATCH", {"state": "closed"})):
        endpoint = f"{method} {ROOT}/shows/{{show_id}}"

        @refuses(endpoint, "invalid_id", kind="res")
        async def no_id_of_a_show(
            stage: Stage, method: str = method, body: object = body
        ) -> Request:
            return Request(method, f"{ROOT}/shows/show-1", body, "ak")

        @refuses(endpoint, "show_not_found")
        async def no_such_show(stage: Stage, method: str = method, body: object = body) -> Request:
            return Request(method, f"{ROOT}/shows/{NO_RESOURCE}", body, "ak")

        @refuses(endpoint, "show_not_found")
        async def a_resource_that_is_no_show_of_a_cinema(
            stage: Stage, method: str = method, body: object = body
        ) -> Request:
            return Request(method, f"{ROOT}/shows/{stage.show.id}", body, "ak")


_for_each_thing()


def _for_each_list() -> None:
    filters = {
        "films": ("city",),
        "shows": ("city", "cinema", "film"),
        "cinemas": ("city",),
        "screens": ("cinema",),
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

        for query in ("limit=0", "limit=201", "unheard=of", "after="):

            @refuses(endpoint, "invalid_request")
            async def nonsense(stage: Stage, name: str = name, query: str = query) -> Request:
                return Request("GET", f"{ROOT}/{name}?{query}", key="pk")


_for_each_list()


@refuses(f"GET {ROOT}/films", "invalid_request")
async def a_search_with_a_zero_byte(stage: Stage) -> Request:
    return Request("GET", f"{ROOT}/films?q=a%00b", key="pk")


@refuses(f"GET {ROOT}/shows", "invalid_request")
async def a_date_that_is_none(stage: Stage) -> Request:
    return Request("GET", f"{ROOT}/shows?date=2026-02-30", key="pk")


@refuses(f"POST {ROOT}/cities", "reference_taken")
async def another_city_of_this_name(stage: Stage) -> Request:
    await stocked(stage)
    said = msgspec.to_builtins(CITIES[0]) | {"country": "NP"}
    return Request("POST", f"{ROOT}/cities", said, "ak")


@refuses(f"POST {ROOT}/cities", "invalid_request", field="time_zone")
async def a_city_without_clocks(stage: Stage) -> Request:
    said = {"name": "X", "country": "DE", "time_zone": "Mars/Base", "currency": "EUR"}
    return Request("POST", f"{ROOT}/cities", said, "ak")


@refuses(f"POST {ROOT}/cinemas", "reference_taken")
async def another_cinema_of_this_name(stage: Stage) -> Request:
    await stocked(stage)
    said = msgspec.to_builtins(CINEMAS[0]) | {"address": "elsewhere"}
    return Request("POST", f"{ROOT}/cinemas", said, "ak")


@refuses(f"POST {ROOT}/cinemas", "city_not_found")
async def a_cinema_of_no_city(stage: Stage) -> Request:
    return Request("POST", f"{ROOT}/cinemas", {"city": "atlantis", "name": "Deep"}, "ak")


@refuses(f"POST {ROOT}/cinemas", "invalid_request", field="pricing")
async def a_cinema_with_a_fee_of_nothing(stage: Stage) -> Request:
    await stocked(stage)
    said = {"city": "pune", "name": "Free", "pricing": {"fees": [{"name": "Fee"}]}}
    return Request("POST", f"{ROOT}/cinemas", said, "ak")


@refuses(f"POST {ROOT}/screens", "reference_taken")
async def another_screen_of_this_name(stage: Stage) -> Request:
    await stocked(stage)
    said = {"cinema": "alka", "name": "1", "plan": PLAN, "ref": "alka-1"}
    return Request("POST", f"{ROOT}/screens", said, "ak")


@refuses(f"POST {ROOT}/screens", "cinema_not_found")
async def a_screen_of_no_cinema(stage: Stage) -> Request:
    said = {"cinema": "nowhere", "name": "1", "plan": PLAN}
    return Request("POST", f"{ROOT}/screens", said, "ak")


@refuses(f"POST {ROOT}/screens", "invalid_request", field="plan")
async def a_screen_without_a_seat(stage: Stage) -> Request:
    await stocked(stage)
    said = {"cinema": "alka", "name": "9", "plan": {"type": "seats"}}
    return Request("POST", f"{ROOT}/screens", said, "ak")


def _for_each_plan_of_no_screen() -> None:
    """A plan is refused wherever it comes: without its type, and with one that has no seats."""
    untyped = {name: value for name, value in PLAN.items() if name != "type"}
    plans: list[Json] = [untyped, {"type": "nights", "count": 3}]
    for plan in plans:
        screen: Json = {"cinema": "alka", "name": "9", "plan": plan}

        @refuses(f"POST {ROOT}/screens", "invalid_request", field="plan")
        async def a_new_screen(stage: Stage, screen: Json = screen) -> Request:
            await stocked(stage)
            return Request("POST", f"{ROOT}/screens", screen, "ak")

        @refuses(f"PATCH {ROOT}/screens/{{screen_id}}", "invalid_request", field="plan")
        async def a_screen_that_is_there(stage: Stage, plan: Json = plan) -> Request:
            await stocked(stage)
            path = f"{ROOT}/screens/{id_of(SCREEN, 'alka-1')}"
            return Request("PATCH", path, {"plan": plan}, "ak")

    @refuses(f"POST {ROOT}/import", "invalid_request", field="screens[0].plan")
    async def an_import(stage: Stage) -> Request:
        said = {"screens": [{"cinema": "alka", "name": "9", "plan": untyped}]}
        return Request("POST", f"{ROOT}/import", said, "ak")


_for_each_plan_of_no_screen()


@refuses(f"POST {ROOT}/films", "reference_taken")
async def another_film_of_this_name(stage: Stage) -> Request:
    await stocked(stage)
    return Request("POST", f"{ROOT}/films", NEW_FILM | {"ref": "snow"}, "ak")


def _for_each_wrong_film() -> None:
    wrong: list[Json] = [
        {"title": ""},
        {"title": "x" * 201},
        {"title": "a\x00b"},
        {"minutes": 0},
        {"minutes": 1001},
        {"released": "yesterday"},
        {"hues": [0, 360]},
        {"hues": [1]},
        {"genres": ["x"] * 11},
        {"cast": [""]},
        {"synopsis": "x" * 4001},
        {"unheard": "of"},
    ]
    for part in wrong:

        @refuses(f"POST {ROOT}/films", "invalid_request")
        async def a_film_that_is_none(stage: Stage, part: Json = part) -> Request:
            return Request("POST", f"{ROOT}/films", NEW_FILM | part, "ak")


_for_each_wrong_film()


def _new_show(**fields: object) -> Json:
    base: Json = {"film": "snow", "screen": "alka-1", "starts_at": STARTS_AT, "language": "Hindi"}
    return base | fields


@refuses(f"POST {ROOT}/shows", "film_not_found", field="film")
async def a_show_of_no_film(stage: Stage) -> Request:
    await stocked(stage)
    return Request("POST", f"{ROOT}/shows", _new_show(film="lost"), "ak")


@refuses(f"POST {ROOT}/shows", "screen_not_found", field="screen")
async def a_show_in_no_screen(stage: Stage) -> Request:
    await stocked(stage)
    return Request("POST", f"{ROOT}/shows", _new_show(screen="wall"), "ak")


@refuses(f"POST {ROOT}/shows", "screen_occupied", field="starts_at")
async def a_show_in_the_middle_of_another(stage: Stage) -> Request:
    await stocked(stage)
    return Request("POST", f"{ROOT}/shows", _new_show(starts_at="2030-03-01T20:30"), "ak")


@refuses(f"POST {ROOT}/shows", "reference_taken")
async def another_show_of_this_reference(stage: Stage) -> Request:
    await stocked(stage)
    connection = stage.api.connection
    async with connection.transaction():
        new = show("train", "linde-1", STARTS_AT, ref="mine")
        await shows.put_show(stage.api.service.engine, connection, new)
    return Request("POST", f"{ROOT}/shows", _new_show(screen="kranich-1", ref="mine"), "ak")


@refuses(f"POST {ROOT}/shows", "invalid_request", field="prices")
async def a_show_with_a_price_of_no_seat(stage: Stage) -> Request:
    await stocked(stage)
    body = _new_show(prices={"throne": 1}, starts_at="2030-03-02T20:00")
    return Request("POST", f"{ROOT}/shows", body, "ak")


@refuses(f"PATCH {ROOT}/shows/{{show_id}}", "screen_occupied", field="starts_at")
async def a_show_that_moves_into_another(stage: Stage) -> Request:
    moved = await show_id(stage)
    connection = stage.api.connection
    async with connection.transaction():
        new = show("train", "alka-1", "2030-03-02T20:00")
        await shows.put_show(stage.api.service.engine, connection, new)
    return Request("PATCH", f"{ROOT}/shows/{moved}", {"starts_at": "2030-03-02T20:00"}, "ak")


@refuses(f"PATCH {ROOT}/shows/{{show_id}}", "resource_called_off")
async def a_show_that_was_called_off(stage: Stage) -> Request:
    off = await show_id(stage)
    await stage.api.ask("POST", f"/v1/resources/{off}/cancellation", {"reason": "storm"})
    return Request("PATCH", f"{ROOT}/shows/{off}", {"state": "open"}, "ak")


@refuses(f"PATCH {ROOT}/shows/{{show_id}}", "resource_not_ready", missing=["sale_ended"])
async def a_draft_that_is_over_before_guests_see_it(stage: Stage) -> Request:
    await stocked(stage)
    new = show("train", "alka-1", "2020-01-01T20:00", published=False)
    connection = stage.api.connection
    async with connection.transaction():
        made = await shows.put_show(stage.api.service.engine, connection, new)
    return Request("PATCH", f"{ROOT}/shows/{made.id}", {"published": True}, "ak")


@refuses(f"PATCH {ROOT}/shows/{{show_id}}", "plan_changed")
async def prices_that_change_while_a_long_transaction_holds(stage: Stage) -> Request:
    changed = await show_id(stage)
    connection = await stage.open_transaction()
    number = ids.parse_resource(changed)
    await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    return Request("PATCH", f"{ROOT}/shows/{changed}", {"prices": {"premium": 5}}, "ak")


@refuses(f"PATCH {ROOT}/screens/{{screen_id}}", "seat_retired")
async def a_plan_with_seats_that_were_retired(stage: Stage) -> Request:
    await stocked(stage)
    small = SCREENS[3]
    part = msgspec.structs.replace(SMALL, sections=SMALL.sections[:1])
    connection = stage.api.connection
    async with connection.transaction():
        new = msgspec.structs.replace(small, plan=part, ref="linde-9", name="9")
        await catalogue_changes.put_screen(
            connection, msgspec.structs.replace(new, plan=small.plan)
        )
        await catalogue_changes.put_screen(connection, new, update=True)
    screen = id_of(SCREEN, "linde-9")
    return Request(
        "PATCH", f"{ROOT}/screens/{screen}", {"plan": msgspec.to_builtins(small.plan)}, "ak"
    )


for _date in ("0001-01-01", "1887-12-31", "9999-12-31"):

    @refuses(f"PATCH {ROOT}/films/{{film_id}}", "invalid_request", field="released")
    async def a_film_of_no_time(stage: Stage, date: str = _date) -> Request:
        await stocked(stage)
        return Request("PATCH", f"{ROOT}/films/{id_of(FILM, 'snow')}", {"released": date}, "ak")

    @refuses(f"POST {ROOT}/films", "invalid_request", field="released")
    async def a_new_film_of_no_time(stage: Stage, date: str = _date) -> Request:
        return Request("POST", f"{ROOT}/films", NEW_FILM | {"released": date}, "ak")


@refuses(f"PATCH {ROOT}/films/{{film_id}}", "invalid_request")
async def a_film_without_a_title(stage: Stage) -> Request:
    await stocked(stage)
    return Request("PATCH", f"{ROOT}/films/{id_of(FILM, 'snow')}", {"title": ""}, "ak")


@refuses(f"PATCH {ROOT}/cities/{{city_id}}", "invalid_request")
async def a_city_whose_clocks_are_to_change(stage: Stage) -> Request:
    await stocked(stage)
    return Request("PATCH", f"{ROOT}/cities/{id_of(CITY, 'pune')}", {"time_zone": "UTC"}, "ak")


@refuses(f"POST {ROOT}/import", "invalid_request")
async def a_catalogue_that_is_none(stage: Stage) -> Request:
    return Request("POST", f"{ROOT}/import", {"films": [{"title": "only"}]}, "ak")


@refuses(f"POST {ROOT}/import", "invalid_request")
async def neither_checked_nor_not(stage: Stage) -> Request:
    return Request("POST", f"{ROOT}/import?check=perhaps", {}, "ak")
