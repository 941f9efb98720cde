"""A guest who changes rooms within a stay, on the board and among the guests of the day."""

from typing import cast

from tests.http.api import Api, Json, document
from tests.http.stays import soon
from tests.http.test_stays_board import booked, column, exact_house, items, read, row


async def test_a_stay_in_two_rooms_is_two_bars_of_one_booking(api: Api) -> None:
    house, listing = await exact_house(api)
    booking = await booked(api, listing, soon(1), soon(5), unit="Heron")
    move = {"from_unit": "Heron", "to_unit": "Otter", "nights_from": soon(3), "nights_to": soon(5)}
    path = f"/v1/bookings/{booking['id']}/moves"
    moved = document(await api.ask("POST", path, {"moves": [move]}), 200)
    (line,) = items(moved, "lines")
    assert line["later"] == [{"unit": "Otter", "from": soon(3)}]
    assert moved["amount"] == booking["amount"]

    found = await row(api, house, soon(0), 7)
    bars = [(one["room"], one["from"], one["to"], one["id"]) for one in items(found, "stays")]
    assert bars == [
        ("Heron", soon(1), soon(3), booking["id"]),
        ("Otter", soon(3), soon(5), booking["id"]),
    ]
    nights = items(found, "nights")
    # A night to clean each: Heron while the guest sleeps in Otter, and Otter at the end.
    assert column(nights, "taken") == [0, 1, 1, 2, 1, 1, 0]
    # A page that begins behind the first room has the second alone.
    assert column(items(await row(api, house, soon(3), 2), "stays"), "room") == ["Otter"]

    for day, kind, room in (
        (1, "arrival", "Heron"),
        (2, "in_house", "Heron"),
        (3, "in_house", "Otter"),
        (5, "departure", "Otter"),
    ):
        (guest,) = items(await read(api, house, "arrivals", {"date": soon(day)}))
        assert (guest["kind"], guest["room"]) == (kind, room)
        assert (guest["from"], guest["nights"]) == (soon(1), 4)


async def test_the_figures_of_a_parted_stay_are_those_of_one_stay(api: Api) -> None:
    house, listing = await exact_house(api)
    booking = await booked(api, listing, soon(1), soon(5), unit="Heron")
    asked = {"from": soon(0), "days": 7}
    before = await read(api, house, "figures", asked)
    move = {"from_unit": "Heron", "to_unit": "Otter", "nights_from": soon(2), "nights_to": soon(3)}
    path = f"/v1/bookings/{booking['id']}/moves"
    document(await api.ask("POST", path, {"moves": [move]}), 200)
    after = await read(api, house, "figures", asked)
    assert cast("list[Json]", after["items"]) == before["items"]
