"""How each refusal of the calls about appointments comes about."""

from datetime import timedelta

from bespeak import ids
from tests.harness.clock import START
from tests.http.api import Json, Request, document
from tests.http.scenarios import NO_RESOURCE, Stage, refuses
from tests.http.teams import PRACTICE, TEAMS, made_team

TEAM = f"{TEAMS}/{{team_id}}"
ALWAYS = [{"from": "00:00", "to": "24:00"}]


def _for_each_call_of_a_team() -> None:
    cases: list[tuple[str, str, object]] = [
        ("GET", "", None),
        ("PATCH", "", {"name": "X"}),
        ("GET", "/free-days", None),
        ("GET", "/agenda", None),
    ]
    for method, tail, body in cases:
        endpoint = f"{method} {TEAM}{tail}"
        for bad in ("nonsense", "res_", "res_0000000O", "hold_00000001", "%00"):

            @refuses(endpoint, "invalid_id", kind="res")
            async def not_an_id(
                stage: Stage,
                method: str = method,
                path: str = f"{TEAMS}/{bad}{tail}",
                body: object = body,
            ) -> Request:
                return Request(method, path, body, "ak")

        @refuses(endpoint, "team_not_found")
        async def nothing_there(
            stage: Stage,
            method: str = method,
            path: str = f"{TEAMS}/{NO_RESOURCE}{tail}",
            body: object = body,
        ) -> Request:
            return Request(method, path, body, "ak")

        @refuses(endpoint, "team_not_found")
        async def a_resource_of_no_team(
            stage: Stage, method: str = method, tail: str = tail, body: object = body
        ) -> Request:
            return Request(method, f"{TEAMS}/{stage.show.id}{tail}", body, "ak")


_for_each_call_of_a_team()


@refuses(f"GET {TEAM}", "team_not_found")
async def a_team_in_draft_that_a_guest_asks_for(stage: Stage) -> Request:
    draft = await made_team(stage.api, published=False)
    return Request("GET", f"{TEAMS}/{draft['id']}", key="pk")


for _bad in ("nonsense", "WzFd", "%00"):

    @refuses(f"GET {TEAMS}", "invalid_cursor")
    async def not_a_cursor_of_teams(stage: Stage, bad: str = _bad) -> Request:
        return Request("GET", f"{TEAMS}?cursor={bad}", key="pk")


for _query in ("limit=0", "limit=101", "unheard=of", "cursor=", "text=%00"):

    @refuses(f"GET {TEAMS}", "invalid_request")
    async def a_list_of_teams_that_makes_no_sense(stage: Stage, query: str = _query) -> Request:
        return Request("GET", f"{TEAMS}?{query}", key="pk")


for _query, _field in (
    ("", "service"),
    ("?service=Nothing", "service"),
    ("?service=Talk&from=2030-01-02&to=2030-01-02", "to"),
    ("?service=Talk&from=2030-01-01&to=2030-03-05", "to"),
    ("?service=Talk&from=9999-12-31", "from"),
):

    @refuses(f"GET {TEAM}/free-days", "invalid_request", field=_field)
    async def free_days_that_make_no_sense(stage: Stage, query: str = _query) -> Request:
        team = await made_team(stage.api)
        return Request("GET", f"{TEAMS}/{team['id']}/free-days{query}", key="pk")


@refuses(f"GET {TEAM}/free-days", "unknown_unit", field="provider")
async def a_provider_who_does_not_give_the_service(stage: Stage) -> Request:
    team = await made_team(stage.api)
    path = f"{TEAMS}/{team['id']}/free-days?service=Talk&provider=nurse"
    return Request("GET", path, key="pk")


for _date in ("0001-01-01", "9999-12-31"):

    @refuses(f"GET {TEAM}/agenda", "invalid_request", field="date")
    async def an_agenda_of_no_day(stage: Stage, date: str = _date) -> Request:
        team = await made_team(stage.api)
        return Request("GET", f"{TEAMS}/{team['id']}/agenda?date={date}")


def _for_each_wrong_team() -> None:
    free = {"name": "A", "minutes": 30}
    cases: list[tuple[str, str | None, Json]] = [
        ("currency_needed", "currency", {"currency": None}),
        ("invalid_request", "currency", {"currency": "ABC"}),
        ("invalid_request", "time_zone", {"time_zone": "Mars/Olympus"}),
        ("invalid_request", None, {"name": ""}),
        ("invalid_request", None, {"providers": []}),
        ("invalid_request", "plan", {"providers": [{"name": "a"}, {"name": "a"}]}),
        ("invalid_request", None, {"services": []}),
        ("invalid_request", "plan", {"services": [free, free]}),
        ("invalid_request", "plan", {"services": [free | {"providers": ["nobody"]}]}),
        ("invalid_request", None, {"services": [free | {"minutes": 0}]}),
        ("invalid_request", None, {"services": [free | {"price": -1}]}),
        ("invalid_request", "plan", {"weekly": []}),
        ("invalid_request", None, {"horizon_days": 367}),
        ("invalid_request", None, {"unheard": "of"}),
    ]
    for code, field, part in cases:
        data: dict[str, object] = {} if field is None else {"field": field}

        @refuses(f"POST {TEAMS}", code, **data)
        async def a_team_that_is_none(stage: Stage, part: Json = part) -> Request:
            return Request("POST", TEAMS, PRACTICE | part, "ak")


_for_each_wrong_team()

_UNPAID: Json = {"services": [{"name": "A", "minutes": 30}], "payment": "required"}


@refuses(f"POST {TEAMS}", "resource_not_ready", missing=["no_price"])
async def a_team_for_guests_that_costs_nothing(stage: Stage) -> Request:
    return Request("POST", TEAMS, PRACTICE | _UNPAID, "ak")


@refuses(f"PATCH {TEAM}", "resource_not_ready", missing=["no_price"])
async def a_team_in_draft_without_a_price_that_is_to_be_seen(stage: Stage) -> Request:
    draft = await made_team(stage.api, **_UNPAID, published=False)
    return Request("PATCH", f"{TEAMS}/{draft['id']}", {"published": True}, "ak")


@refuses(f"PATCH {TEAM}", "payment_rule_needed", field="payment")
async def services_that_were_free_and_cost_now(stage: Stage) -> Request:
    free = {"name": "A", "minutes": 30}
    team = await made_team(stage.api, services=[free], payment="none")
    change = {"services": [free | {"price": 100}]}
    return Request("PATCH", f"{TEAMS}/{team['id']}", change, "ak")


@refuses(f"PATCH {TEAM}", "version_mismatch")
async def a_team_that_has_changed_since(stage: Stage) -> Request:
    team = await made_team(stage.api)
    return Request("PATCH", f"{TEAMS}/{team['id']}", {"version": 0, "name": "X"}, "ak")


@refuses(f"PATCH {TEAM}", "plan_changed")
async def hours_that_change_while_a_long_transaction_holds(stage: Stage) -> Request:
    team = await made_team(stage.api)
    connection = await stage.open_transaction()
    number = ids.parse_resource(str(team["id"]))
    await connection.execute("select bespeak.keep_plans(array[$1::bigint])", number)
    return Request("PATCH", f"{TEAMS}/{team['id']}", {"weekly": ALWAYS}, "ak")


@refuses(f"PATCH {TEAM}", "resource_in_use")
async def a_team_without_a_provider_who_is_booked(stage: Stage) -> Request:
    team = await made_team(stage.api, weekly=ALWAYS)
    day = (START.date() + timedelta(days=30)).isoformat()
    line = {"resource_id": team["id"], "rate": "Talk", "unit": "dr-rao", "from": f"{day}T12:00"}
    document(await stage.api.ask("POST", "/v1/holds", {"owner": "asha", "lines": [line]}), 201)
    change = {"providers": [{"name": "nurse"}], "services": [{"name": "Talk", "minutes": 20}]}
    return Request("PATCH", f"{TEAMS}/{team['id']}", change, "ak")
