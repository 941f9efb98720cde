"""The agenda of a team: who has the time of which provider on a date, and what is blocked."""

from tests.http.api import Api, Json, document, problem
from tests.http.teams import PRACTICE, TEAMS, blocked, booked, held, items, made_team, weekday


async def agenda(api: Api, team: Json, day: str | None = None, key: str = "sk") -> Json:
    query = "" if day is None else f"?date={day}"
    answer = await api.ask("GET", f"{TEAMS}/{team['id']}/agenda{query}", key=key)
    return document(answer, 200)


def told(found: Json, *names: str) -> list[tuple[object, ...]]:
    return [tuple(one[name] for name in names) for one in items(found)]


async def test_a_day_has_what_is_booked_held_and_blocked(api: Api) -> None:
    team = await made_team(api)
    day = weekday(0)
    booking = await booked(api, team, "Check-up", f"{day}T10:00", unit="dr-rao")
    hold = await held(api, team, "Talk", f"{day}T09:00", unit="dr-lim")
    lines = {"unit": "dr-lim", "from": f"{day}T11:00", "to": f"{day}T12:00"}
    block = await blocked(api, team, **lines)
    await booked(api, team, "Check-up", f"{weekday(1)}T10:00", unit="dr-rao")
    found = await agenda(api, team, day)
    assert found["providers"] == ["dr-rao", "dr-lim", "nurse"]
    assert (found["team"], found["date"], found["time_zone"]) == (
        team["id"],
        day,
        "Europe/Berlin",
    )
    assert told(found, "state", "provider", "service", "quantity") == [
        ("held", "dr-lim", "Talk", 1),
        ("booked", "dr-rao", "Check-up", 1),
        ("blocked", "dr-lim", None, 1),
    ]
    at_nine, at_ten, at_eleven = items(found)
    line = items(booking, "lines")[0]
    assert (at_ten["from"], at_ten["to"]) == (line["from"], line["to"])
    assert (at_ten["booking_id"], at_ten["code"]) == (booking["id"], booking["code"])
    assert at_ten["guest"] == {"email": "asha@example.com", "name": "Asha Rao"}
    assert (at_ten["payment"], at_ten["arrived"]) == ("at_venue", False)
    assert at_ten["amount"] == {"amount": 9000, "currency": "EUR"}
    assert (at_nine["hold_id"], at_nine["until"]) == (hold["id"], hold["expires_at"])
    assert (at_nine["guest"], at_nine["booking_id"], at_nine["payment"]) == (None, None, None)
    assert (at_eleven["block_id"], at_eleven["reason"]) == (block["id"], "training")
    assert [str(at_eleven[end])[11:16] for end in ("from", "to")] == ["11:00", "12:00"]


async def test_who_calls_is_on_it_by_name_and_number(api: Api) -> None:
    team, caller = await made_team(api), {"name": "Ben", "phone": "030 1234567"}
    for contact, hour in ((caller, "09:00"), ({"name": "Asha"}, "10:00")):
        hold = await held(api, team, "Check-up", f"{weekday(0)}T{hour}", unit="dr-rao")
        body = {"hold_id": hold["id"], "contact": contact}
        document(await api.ask("POST", "/v1/bookings", body), 201)
    assert told(await agenda(api, team, weekday(0)), "guest") == [(caller,), ({"name": "Asha"},)]


async def test_what_is_given_back_is_on_no_agenda(api: Api) -> None:
    team = await made_team(api)
    booking = await booked(api, team, "Check-up", f"{weekday(0)}T10:00", unit="dr-rao")
    hold = await held(api, team, "Check-up", f"{weekday(0)}T10:00", unit="dr-lim")
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}"), 200)
    document(await api.ask("DELETE", f"/v1/holds/{hold['id']}"), 200)
    assert items(await agenda(api, team, weekday(0))) == []
    assert items(await agenda(api, team)) == []


async def test_a_block_of_several_days_is_told_day_by_day(api: Api) -> None:
    team = await made_team(api)
    await blocked(api, team, unit="nurse", **{"from": weekday(1), "to": weekday(3)})
    for ordinal, found in ((0, []), (1, [("nurse", 1)]), (2, [("nurse", 1)]), (3, [])):
        page = await agenda(api, team, weekday(ordinal))
        assert told(page, "provider", "quantity") == found
        for one in items(page):
            assert str(one["from"]).startswith(f"{weekday(ordinal)}T00:00")
            assert str(one["to"]).startswith(f"{weekday(ordinal + 1)}T00:00")


async def test_an_appointment_over_midnight_is_on_both_days(api: Api) -> None:
    night = [{"days": ["mon"], "from": "22:00", "to": "02:00"}]
    services = [{"name": "Watch", "minutes": 240}]
    team = await made_team(api, weekly=night, services=services, providers=[{"name": "ann"}])
    await booked(api, team, "Watch", f"{weekday(0)}T22:00")
    for ordinal, count in ((0, 1), (1, 1), (2, 0)):
        assert len(items(await agenda(api, team, weekday(ordinal)))) == count
    (free,) = items(await agenda(api, team, weekday(0)))
    assert free["payment"] == "free"


async def test_time_before_and_after_is_no_appointment(api: Api) -> None:
    late = [{"days": ["mon", "tue"], "from": "22:00", "to": "24:00"}]
    services = [{"name": "Bath", "minutes": 60, "buffer_after_minutes": 60}]
    team = await made_team(api, weekly=late, services=services, providers=[{"name": "spa"}])
    await booked(api, team, "Bath", f"{weekday(0)}T23:00")
    assert len(items(await agenda(api, team, weekday(0)))) == 1
    assert items(await agenda(api, team, weekday(1))) == []


async def test_a_class_shows_each_booking_with_its_places(api: Api) -> None:
    fields = {"providers": [{"name": "Hall"}], "capacity": 5}
    team = await made_team(api, services=[{"name": "Yoga", "minutes": 60}], **fields)
    booking = await booked(api, team, "Yoga", f"{weekday(0)}T09:00", quantity=3)
    await booked(api, team, "Yoga", f"{weekday(0)}T09:00")
    await blocked(api, team, quantity=1, **{"from": f"{weekday(0)}T09:00", "to": "PT1H"})
    line = items(booking, "lines")[0] | {"quantity": 1}
    del line["cancelled_quantity"]
    part = {"lines": [line]}
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", part), 200)
    page = await agenda(api, team, weekday(0))
    assert sorted(told(page, "state", "quantity")) == [
        ("blocked", 1),
        ("booked", 1),
        ("booked", 2),
    ]


async def test_who_arrived_is_told(api: Api) -> None:
    team = await made_team(api)
    booking = await booked(api, team, "Check-up", f"{weekday(0)}T10:00", unit="dr-rao")
    tickets = document(await api.ask("GET", f"/v1/bookings/{booking['id']}/tickets"), 200)
    (ticket,) = items(tickets)
    document(await api.ask("POST", "/v1/check-ins", {"code": ticket["code"]}), 201)
    (one,) = items(await agenda(api, team, weekday(0)))
    assert one["arrived"] is True


async def test_the_agenda_is_for_who_sells(api: Api) -> None:
    team = await made_team(api)
    answer = await api.ask("GET", f"{TEAMS}/{team['id']}/agenda", key="pk")
    problem(answer, "key_kind_wrong")
    for day in ("0001-01-01", "9999-12-31"):
        answer = await api.ask("GET", f"{TEAMS}/{team['id']}/agenda?date={day}")
        problem(answer, "invalid_request", field="date")


async def test_a_day_of_changed_clocks_has_all_of_its_hours(api: Api) -> None:
    """On 2027-03-28 the clocks of Berlin go forward at two in the night."""
    always = [{"days": ["sun"], "from": "00:00", "to": "24:00"}]
    services = [{"name": "Watch", "minutes": 60}]
    team = await made_team(
        api,
        weekly=always,
        services=services,
        providers=[{"name": "ann"}],
        horizon_days=366,
        holidays=[],
        payment=PRACTICE["payment"],
    )
    await booked(api, team, "Watch", "2027-03-28T01:30")
    await blocked(api, team, **{"from": "2027-03-28", "to": "2027-03-28T01:30"})
    page = await agenda(api, team, "2027-03-28")
    assert [(str(one["from"])[11:], str(one["to"])[11:]) for one in items(page)] == [
        ("00:00:00+01:00", "01:30:00+01:00"),
        ("01:30:00+01:00", "03:30:00+02:00"),
    ]
