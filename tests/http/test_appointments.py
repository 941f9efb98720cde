"""Teams: what is made is read back as it was said, what guests see of it, and what is booked."""

from typing import cast

import pytest

from tests.http.api import Api, Json, document, problem
from tests.http.teams import (
    PRACTICE,
    TEAMS,
    blocked,
    booked,
    changed,
    held,
    items,
    made_team,
    weekday,
)


async def read(api: Api, team: Json, tail: str = "", key: str = "ak") -> Json:
    return document(await api.ask("GET", f"{TEAMS}/{team['id']}{tail}", key=key), 200)


async def free_days(api: Api, team: Json, query: str, key: str = "pk") -> Json:
    return await read(api, team, f"/free-days?{query}", key)


async def test_a_team_is_read_as_it_was_said(api: Api) -> None:
    team = await made_team(api)
    told = ("name", "summary", "description", "address", "city", "country", "time_zone")
    assert {name: team[name] for name in told} == {name: PRACTICE[name] for name in told}
    assert (team["price_from"], team["payment"], team["published"]) == (0, "at_venue", True)
    assert items(team, "providers") == [
        {"name": "dr-rao", "title": "Dr. Rao"},
        {"name": "dr-lim", "title": "Dr. Lim"},
        {
            "name": "nurse",
            "title": "nurse",
            "weekly": [{"days": ["tue"], "from": "08:00", "to": "10:00"}],
        },
    ]
    assert items(team, "services")[1:] == [
        {
            "name": "Talk",
            "title": "Talk",
            "minutes": 20,
            "price": 3000,
            "step_minutes": 15,
            "buffer_before_minutes": 0,
            "buffer_after_minutes": 0,
            "providers": ["dr-rao", "dr-lim"],
        },
        {
            "name": "Blood test",
            "title": "Blood test",
            "minutes": 10,
            "price": 0,
            "step_minutes": 15,
            "buffer_before_minutes": 0,
            "buffer_after_minutes": 5,
            "providers": ["nurse"],
        },
    ]
    assert await read(api, team) == team
    by_guest = await read(api, team, key="pk")
    assert by_guest == {name: value for name, value in team.items() if name != "version"}
    resource = document(await api.ask("GET", f"/v1/resources/{team['id']}", key="ak"), 200)
    assert (resource["kind"], cast(Json, resource["plan"])["raster_minutes"]) == ("appointments", 5)
    assert cast(Json, resource["attributes"])["location"] == "Practice, Parkweg 1, Köln"


async def test_a_list_tells_no_hours(api: Api) -> None:
    team = await made_team(api)
    (listed,) = items(await api.get(TEAMS))
    assert not {"weekly", "exceptions", "holidays"} & listed.keys()
    assert items(listed, "providers")[2] == {"name": "nurse", "title": "nurse"}
    assert "description" not in items(listed, "services")[0]
    assert items(team, "services")[0]["description"] == "With a letter."


async def test_teams_are_found_by_words_and_by_city(api: Api) -> None:
    one = await made_team(api)
    two = await made_team(api, name="Courts", city="Bonn", translations=[])
    for query, found in (
        ("", [two, one]),
        ("?text=koln+prac", [one]),
        ("?text=dr.+lim&city=Bonn", [two]),
        ("?city=K%C3%B6ln", [one]),
        ("?text=nobody", []),
    ):
        answer = await api.get(TEAMS + query)
        assert [each["id"] for each in items(answer)] == [each["id"] for each in found], query
    first = await api.get(f"{TEAMS}?limit=1")
    second = await api.get(f"{TEAMS}?limit=1&cursor={first['next']}")
    assert [each["name"] for each in items(first) + items(second)] == ["Courts", "Practice"]
    assert second["next"] is None
    problem(await api.ask("GET", f"{TEAMS}?cursor=nonsense"), "invalid_cursor")


async def test_a_draft_is_for_who_sells_only(api: Api) -> None:
    team = await made_team(api, published=False)
    path = f"{TEAMS}/{team['id']}"
    for tail in ("", "/free-days?service=Talk"):
        problem(await api.ask("GET", path + tail, key="pk"), "team_not_found")
        document(await api.ask("GET", path + tail), 200)
    assert items(document(await api.ask("GET", TEAMS, key="pk"), 200)) == []
    assert (await changed(api, team, published=True))["published"]
    document(await api.ask("GET", path, key="pk"), 200)


async def test_another_kind_of_resource_is_no_team(api: Api) -> None:
    team = await made_team(api)
    plan = {"type": "times", "slot_minutes": 60, "weekly": PRACTICE["weekly"]}
    path = f"/v1/resources/{team['id']}"
    document(await api.ask("PATCH", path, {"plan": plan}, key="ak"), 200)
    problem(await api.ask("GET", f"{TEAMS}/{team['id']}"), "team_not_found")
    change = await api.ask("PATCH", f"{TEAMS}/{team['id']}", {"name": "X"}, key="ak")
    problem(change, "team_not_found")
    assert items(await api.get(TEAMS)) == []


async def test_services_of_one_provider_never_overlap(api: Api) -> None:
    team = await made_team(api)
    await booked(api, team, "Check-up", f"{weekday(0)}T10:00", unit="dr-rao")
    for service, start in (("Talk", "10:45"), ("Talk", "09:45"), ("Check-up", "09:15")):
        line = {"resource_id": team["id"], "rate": service, "from": f"{weekday(0)}T{start}"}
        body = {"owner": "ben", "lines": [line | {"unit": "dr-rao"}]}
        problem(await api.ask("POST", "/v1/holds", body), "unit_taken")
    other = await held(api, team, "Talk", f"{weekday(0)}T10:45")
    assert items(other, "lines")[0]["unit"] == "dr-lim"
    body = {"owner": "ben", "lines": [line | {"from": f"{weekday(0)}T10:45", "rate": "Talk"}]}
    problem(await api.ask("POST", "/v1/holds", body), "sold_out")
    await held(api, team, "Talk", f"{weekday(0)}T11:00", unit="dr-rao")


async def test_free_days_tell_what_can_be_held(api: Api) -> None:
    team = await made_team(api)
    asked = f"service=Check-up&from={weekday(0)}&to={weekday(7)}"
    found = await free_days(api, team, asked)
    # From 09:00 until 11:00 each quarter of an hour; the nurse has two hours of Tuesday.
    assert [day["free"] for day in items(found)] == [9, 13, 9, 9, 9, 0, 0]
    assert items(found)[1]["date"] == weekday(1)
    assert str(items(found)[1]["first"]).startswith(f"{weekday(1)}T08:00:00")
    assert found["next_free"] == items(found)[0]["first"]
    by_nurse = await free_days(api, team, f"{asked}&provider=nurse")
    assert [day["free"] for day in items(by_nurse)] == [0, 5, 0, 0, 0, 0, 0]
    await booked(api, team, "Check-up", f"{weekday(0)}T10:00", unit="dr-rao")
    rao = await free_days(api, team, f"{asked}&provider=dr-rao")
    assert [day["free"] for day in items(rao)] == [2, 9, 9, 9, 9, 0, 0]
    await blocked(api, team, unit="dr-rao", **{"from": weekday(1), "to": weekday(4)})
    rao = await free_days(api, team, f"{asked}&provider=dr-rao")
    assert [day["free"] for day in items(rao)] == [2, 0, 0, 0, 9, 0, 0]


async def test_the_next_free_time_may_be_behind_the_dates(api: Api) -> None:
    team = await made_team(api)
    weekend = f"service=Check-up&from={weekday(5)}&to={weekday(7)}"
    found = await free_days(api, team, weekend)
    assert str(found["next_free"]).startswith(f"{weekday(7)}T09:00:00")
    past = await free_days(api, team, "service=Check-up&from=2001-01-01&to=2001-01-03")
    assert [day["free"] for day in items(past)] == [0, 0] and past["next_free"] is not None
    late = await free_days(api, team, "service=Check-up&from=2100-01-01&to=2100-01-03")
    assert [day["free"] for day in items(late)] == [0, 0] and late["next_free"] is None
    path = f"/v1/resources/{team['id']}"
    document(await api.ask("PATCH", path, {"state": "closed"}, key="ak"), 200)
    closed = await free_days(api, team, weekend)
    assert (closed["next_free"], len(items(closed))) == (None, 2)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("service=Nothing", "service"),
        ("service=Talk&from=2030-01-02&to=2030-01-02", "to"),
        ("service=Talk&from=2030-01-01&to=2030-04-01", "to"),
        ("service=Talk&from=9999-12-31", "from"),
    ],
)
async def test_free_days_that_make_no_sense(api: Api, query: str, field: str) -> None:
    team = await made_team(api)
    answer = await api.ask("GET", f"{TEAMS}/{team['id']}/free-days?{query}")
    problem(answer, "invalid_request", field=field)


async def test_a_provider_gives_its_services_only(api: Api) -> None:
    team = await made_team(api)
    for provider in ("nurse", "nobody"):
        path = f"{TEAMS}/{team['id']}/free-days?service=Talk&provider={provider}"
        problem(await api.ask("GET", path), "unknown_unit", field="provider")


async def test_a_change_makes_the_plan_anew_and_keeps_the_rest(api: Api) -> None:
    team = await made_team(api)
    await booked(api, team, "Check-up", f"{weekday(0)}T10:00", unit="dr-rao")
    services = [{"name": "Talk", "minutes": 30, "price": 3500}]
    after = await changed(api, team, services=services, summary="", horizon_days=10)
    assert (after["summary"], after["horizon_days"], after["price_from"]) == ("", 10, 3500)
    assert items(after, "providers") == items(team, "providers")
    assert items(after, "services")[0]["providers"] == ["dr-rao", "dr-lim", "nurse"]
    assert await changed(api, team) == after | {"version": cast(int, after["version"]) + 1}
    stale = {"version": team["version"], "name": "X"}
    problem(await api.ask("PATCH", f"{TEAMS}/{team['id']}", stale, key="ak"), "version_mismatch")
    assert (await read(api, team))["name"] == "Practice"


async def test_a_provider_who_is_booked_is_not_taken_away(api: Api) -> None:
    team = await made_team(api, services=[{"name": "Talk", "minutes": 30}])
    await booked(api, team, "Talk", f"{weekday(0)}T10:00", unit="dr-rao")
    providers = cast(list[Json], PRACTICE["providers"])
    path = f"{TEAMS}/{team['id']}"
    refused = await api.ask("PATCH", path, {"providers": providers[1:]}, key="ak")
    problem(refused, "resource_in_use")
    assert await read(api, team) == team
    left = await changed(api, team, providers=[providers[0] | {"weekly": []}, *providers[1:]])
    assert items(left, "providers")[0] == {"name": "dr-rao", "title": "Dr. Rao", "weekly": []}
    asked = f"service=Talk&from={weekday(0)}&to={weekday(7)}&provider=dr-rao"
    assert not any(day["free"] for day in items(await free_days(api, team, asked)))
    without_lim = await changed(api, team, providers=[left_one(left), providers[2]])
    assert [one["name"] for one in items(without_lim, "providers")] == ["dr-rao", "nurse"]


def left_one(team: Json) -> Json:
    return items(team, "providers")[0]


async def test_a_finer_service_keeps_what_is_booked(api: Api) -> None:
    team = await made_team(api, services=[{"name": "Talk", "minutes": 30}])
    await booked(api, team, "Talk", f"{weekday(0)}T10:00", unit="dr-rao")
    finer = [{"name": "Talk", "minutes": 30}, {"name": "Short", "minutes": 5, "step_minutes": 5}]
    await changed(api, team, services=finer)
    line = {"resource_id": team["id"], "rate": "Short", "unit": "dr-rao"}
    body = {"owner": "ben", "lines": [line | {"from": f"{weekday(0)}T10:25"}]}
    problem(await api.ask("POST", "/v1/holds", body), "unit_taken")
    odd = {"services": [{"name": "Talk", "minutes": 7}]}
    problem(await api.ask("PATCH", f"{TEAMS}/{team['id']}", odd, key="ak"), "resource_in_use")


async def test_what_was_free_and_costs_now_says_how_it_is_paid(api: Api) -> None:
    free = [{"name": "Talk", "minutes": 30}]
    team = await made_team(api, services=free, payment="none")
    path, costs = f"{TEAMS}/{team['id']}", {"services": [free[0] | {"price": 100}]}
    problem(await api.ask("PATCH", path, costs, key="ak"), "payment_rule_needed")
    assert (await changed(api, team, **costs, payment="at_venue"))["price_from"] == 100


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"providers": []}, None),
        ({"services": []}, None),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"services": [{"name": "A", "minutes": 30, "providers": ["nobody"]}]}, "plan"),
        ({"services": [{"name": "A", "minutes": 30}, {"name": "A", "minutes": 60}]}, "plan"),
        ({"providers": [{"name": "a"}, {"name": "a"}]}, "plan"),
        ({"weekly": []}, "plan"),
        ({"hold_seconds_max": 0}, None),
    ],
)
async def test_a_team_that_makes_no_sense(api: Api, fields: Json, field: str | None) -> None:
    answer = await api.ask("POST", TEAMS, PRACTICE | fields, key="ak")
    found = problem(answer, "invalid_request")
    assert field is None or found["field"] == field, found
    assert items(await api.get(TEAMS)) == []


async def test_a_class_has_places(api: Api) -> None:
    hours = [{"days": ["mon"], "from": "18:00", "to": "19:00"}]
    fields = {"providers": [{"name": "Hall"}], "capacity": 3, "weekly": hours}
    team = await made_team(api, services=[{"name": "Yoga", "minutes": 60}], **fields)
    asked = f"service=Yoga&from={weekday(0)}&to={weekday(1)}"
    await booked(api, team, "Yoga", f"{weekday(0)}T18:00", quantity=2)
    assert items(await free_days(api, team, asked))[0]["free"] == 1
    await held(api, team, "Yoga", f"{weekday(0)}T18:00")
    assert items(await free_days(api, team, asked))[0]["free"] == 0


async def test_what_others_say_of_the_resource_is_shown_and_stays(api: Api) -> None:
    """Who changes the resource need not say all of each rate, and may say more of a provider."""
    team = await made_team(api, published=False)
    path = f"/v1/resources/{team['id']}"
    plan = cast(Json, document(await api.ask("GET", path, key="ak"), 200)["plan"])
    plan["rates"] = [{"name": "Talk", "minutes": 20}]
    plan |= {"buffer_after_minutes": 5, "providers": [{"name": "hall", "capacity": 8}]}
    body = {"plan": plan, "price": {"amount": 700, "currency": "EUR"}}
    document(await api.ask("PATCH", path, body, key="ak"), 200)
    told = document(await api.ask("GET", f"{TEAMS}/{team['id']}", key="ak"), 200)
    (service,) = items(told, "services")
    assert (service["price"], service["buffer_after_minutes"]) == (700, 5)
    assert told["price_from"] == 700
    after = await changed(api, told, summary="Anew.")
    assert items(after, "services")[0]["price"] == 700
    kept = cast(Json, document(await api.ask("GET", path, key="ak"), 200)["plan"])
    assert kept["providers"] == [{"name": "hall", "capacity": 8}]


async def test_a_title_is_of_a_provider_only(api: Api) -> None:
    """Mails know a provider by its name only, and call it by its title in every language."""
    team = await made_team(api)
    path = f"/v1/resources/{team['id']}"
    words = items(document(await api.ask("GET", path, key="ak"), 200), "translations")
    called = {one["language"]: cast(Json, one["words"])["dr-rao"] for one in words}
    assert called == dict.fromkeys(("en", "de", "ar"), "Dr. Rao")
    for name in ("Talk", "Practice"):
        providers = [{"name": name, "title": "Dr. Rao"}]
        services = [{"name": "Talk", "minutes": 20}]
        body = {"providers": providers, "services": services}
        answer = await api.ask("PATCH", f"{TEAMS}/{team['id']}", body, key="ak")
        problem(answer, "invalid_request", field="providers")


async def test_a_team_is_not_larger_than_a_page_can_tell(api: Api) -> None:
    names = [{"name": f"p{number}"} for number in range(200)]
    services = [{"name": f"s{number}", "minutes": 30} for number in range(26)]
    body = PRACTICE | {"providers": names, "services": services}
    problem(await api.ask("POST", TEAMS, body, key="ak"), "invalid_request", field="services")
    closed = [{"date": f"{2000 + year}-01-01", "closed": True} for year in range(100)]
    many = [one | {"exceptions": closed} for one in names]
    body = PRACTICE | {"providers": many, "services": services[:1]}
    problem(await api.ask("POST", TEAMS, body, key="ak"), "invalid_request", field="providers")


async def test_a_page_of_teams_has_no_hours(api: Api) -> None:
    team = await made_team(api)
    (told,) = items(document(await api.ask("GET", TEAMS), 200))
    assert [one["name"] for one in items(told, "providers")] == ["dr-rao", "dr-lim", "nurse"]
    assert "weekly" not in told and all("weekly" not in one for one in items(told, "providers"))
    assert items(team, "weekly")
