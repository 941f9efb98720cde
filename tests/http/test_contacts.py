"""Who a booking is for: put right at the desk, and told to no browser."""

from typing import cast

from bespeak import Resource
from tests.http.api import Api, Json, document, problem
from tests.http.test_audit_log import entries, told
from tests.http.test_booking_links import GUEST, by_link, link_to, path_to

ASHA: Json = {"email": "asha@example.org", "name": "Asha Rao", "locale": "de-AT"}
PHONE: Json = {"phone": "+43 1 234567"}


async def contact_of(api: Api, booking: Json) -> Json:
    return document(await api.ask("GET", path_to(booking, "/contact")), 200)


async def found(api: Api, words: str) -> list[str]:
    page = await api.get(f"/v1/bookings?q={words}")
    items = cast("list[dict[str, Json]]", page["items"])
    return [str(one["booking"]["id"]) for one in items]


async def test_the_desk_says_it_anew_and_finds_the_booking_by_it(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1")
    path = path_to(booking, "/contact")
    assert await contact_of(api, booking) == {"contact": None, "version": 0}
    first = document(await api.ask("PUT", path, {"contact": ASHA, "version": 0}), 200)
    assert first["contact"] == ASHA
    assert await found(api, "asha+rao") == [booking["id"]]
    # Somebody else at the desk has seen nothing of it.
    late = {"contact": PHONE, "version": 0}
    problem(await api.ask("PUT", path, late), "version_mismatch", version=first["version"])
    both = {"contact": ASHA | PHONE, "version": first["version"]}
    second = document(await api.ask("PUT", path, both), 200)
    # It may be repeated after a lost answer: what it says is what stands there.
    assert document(await api.ask("PUT", path, both), 200) == second
    assert await contact_of(api, booking) == second
    assert await found(api, "1234567") == [booking["id"]]
    other = {"contact": {"name": "Ben"}}
    document(await api.ask("PUT", path, other), 200)
    assert (await found(api, "1234567"), await found(api, "asha+rao")) == ([], [])
    assert told(await entries(api, subject=str(booking["id"])))[-1] == (
        "change_contact",
        "asked",
        booking["id"],
        None,
    )


async def test_it_is_a_right_of_who_sells(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1")
    path = path_to(booking, "/contact")
    reader, seller = await api.restricted("read"), await api.restricted("sell")
    document(await api.ask("GET", path, key=reader), 200)
    problem(await api.ask("PUT", path, {"contact": ASHA}, key=reader), "missing_scope")
    problem(await api.ask("GET", path, key=seller), "missing_scope")
    document(await api.ask("PUT", path, {"contact": ASHA}, key=seller), 200)


async def test_no_browser_is_told(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", owner=GUEST)
    document(await api.ask("PUT", path_to(booking, "/contact"), {"contact": ASHA}), 200)
    token = await link_to(api, booking)
    for method, body in (("GET", None), ("PUT", {"contact": PHONE})):
        answer = await by_link(api, token, method, path_to(booking, "/contact"), body)
        problem(answer, "key_kind_wrong")
    read = await by_link(api, token, "GET", path_to(booking))
    assert "asha" not in read.text.replace(GUEST, "").lower()
