"""The timeline of a booking over HTTP, as its buyer reads it."""

from bespeak import Resource
from tests.http.api import Api, Request, document


async def test_a_buyer_reads_what_happened(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1", owner="asha")
    headers = {"Bespeak-Shopper": api.token("asha")}
    made = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    path = f"/v1/bookings/{made['id']}/timeline"
    told = document(await api.send(Request("GET", path, None, "pk", headers)), 200)
    assert told["hold_id"] == hold["id"]
    assert told["booking_id"] == made["id"]
    line = {"resource_id": show.id, "unit": "A1", "quantity": None}
    assert told["items"] == [
        {
            "at": hold["created_at"],
            "kind": "held",
            "hold_id": hold["id"],
            "lines": [line],
            "data": None,
            "actor": None,
        },
        {
            "at": made["confirmed_at"],
            "kind": "confirmed",
            "hold_id": hold["id"],
            "lines": [line],
            "data": None,
            "actor": None,
        },
    ]
    held = f"/v1/holds/{hold['id']}/timeline"
    assert document(await api.send(Request("GET", held, None, "pk", headers)), 200) == told
