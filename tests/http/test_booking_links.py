"""The link in the mail of a booking: it opens that booking, and nothing else of its guest."""

import asyncio
import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import httpx
import pytest

from bespeak import Resource
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.keys import KeyKind
from bespeak.ticketing.links import BookingLinks
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem, until
from tests.http.conftest import OpenApi
from tests.http.test_every_endpoint import named, path_of

GUEST = "guest_asha"
OF_BROWSERS = [one for one in ENDPOINTS if KeyKind.PUBLISHABLE in one.kinds and one.tag.name]
DAY = 86_400


async def link_to(api: Api, booking: Json) -> str:
    """The token of the link that a mail about this booking would have now."""
    links = api.service.booking_links
    token = await links.token(await api.service.engine.get_booking(str(booking["id"])))
    assert token is not None
    return token


async def by_link(
    api: Api, token: str, method: str, path: str, body: object = None
) -> httpx.Response:
    """What who has nothing but the link is answered."""
    return await api.ask(method, path, body, key="pk", bespeak_booking_link=token)


def path_to(booking: Json, rest: str = "") -> str:
    return f"/v1/bookings/{booking['id']}{rest}"


async def test_a_link_reads_its_booking_and_cancels_it_by_its_policy(
    api: Api, show: Resource
) -> None:
    booking = await api.booking(show, "A1", "A2", owner=GUEST)
    token = await link_to(api, booking)
    read = document(await by_link(api, token, "GET", path_to(booking)), 200)
    assert (read["id"], read["owner"]) == (booking["id"], GUEST)
    for rest in ("/tickets", "/tickets.pdf", "/tickets/1.svg", "/calendar.ics", "/timeline"):
        assert (await by_link(api, token, "GET", path_to(booking, rest))).status_code == 200
    gone = await by_link(api, token, "DELETE", path_to(booking), {"refund": "full"})
    problem(gone, "refund_by_policy_only")
    gone = await by_link(api, token, "DELETE", path_to(booking))
    assert document(gone, 200)["state"] == "cancelled"


async def test_a_link_opens_no_other_call(api: Api, show: Resource) -> None:
    """All calls of the API with a link: it adds to none of them, but to those of its booking. What
    it opened before was all that its guest has."""
    booking = await api.booking(show, "A1", owner=GUEST)
    other = await api.booking(show, "A2", owner=GUEST)
    hold = await api.hold(show, "A3", owner=GUEST)
    token = await link_to(api, booking)
    before = await api.snapshot()
    opened = 0
    for endpoint in OF_BROWSERS:
        if endpoint.opens_stream:
            continue
        path = _path(endpoint, show, str(other["id"]), str(hold["id"]))
        body = _body(endpoint, show, str(other["id"]), str(hold["id"]))
        answer = await by_link(api, token, endpoint.method, path, body)
        if endpoint.booking_link_opens:
            problem(answer, "booking_link_invalid")
            opened += 1
        elif endpoint.needs_shopper:
            problem(answer, "shopper_token_invalid")
        else:
            without = await api.ask(endpoint.method, path, body, key="pk")
            assert answer.status_code == without.status_code, endpoint.path
        as_shopper = await api.ask(endpoint.method, path, body, key="pk", bespeak_shopper=token)
        if endpoint.needs_shopper:
            problem(as_shopper, "shopper_token_invalid")
    assert opened >= 10
    assert await api.snapshot() == before
    for path in ("/v1/bookings", "/v1/holds", f"/v1/bookings?owner={GUEST}"):
        problem(await by_link(api, token, "GET", path), "shopper_token_invalid")


def _path(endpoint: Endpoint, show: Resource, booking_id: str, hold_id: str) -> str:
    path = endpoint.path.replace("{booking_id}", booking_id).replace("{hold_id}", hold_id)
    return path_of(replace(endpoint, path=path.replace("{resource_id}", show.id)))


def _body(endpoint: Endpoint, show: Resource, booking_id: str, hold_id: str) -> object:
    """Of the calls whose body names what a link is for."""
    lines = [{"resource_id": show.id, "unit": "A4"}]
    bodies: Json = {
        "place_hold": {"lines": lines, "instead_of_booking": booking_id},
        "confirm_hold": {"hold_id": hold_id},
    }
    return bodies.get(endpoint.operation_id)


async def test_a_link_is_no_key_no_cookie_and_no_calendar(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", owner=GUEST)
    token = await link_to(api, booking)
    bearer = {"Authorization": f"Bearer {token}"}
    problem(await api.client.get(path_to(booking), headers=bearer), "key_unknown")
    cookies = {"Cookie": f"bespeak_guest={token}; bespeak_console={token}"}
    session = await api.ask("POST", "/v1/box-office/session", key=None, **cookies)
    assert document(session, 200)["owner"] != GUEST
    problem(
        await api.ask("GET", "/v1/console/session", key=None, **cookies), "console_session_invalid"
    )
    feed = f"/v1/resources/{show.id}/calendar.ics?token={token}"
    problem(await api.ask("GET", feed, key=None), "calendar_link_invalid")
    # Beside a key that is no browser's it says nothing, and the key decides.
    assert (await api.ask("GET", path_to(booking), bespeak_booking_link=token)).status_code == 200


async def test_what_is_no_link_of_this_installation_opens_nothing(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", owner=GUEST)
    hold = await api.hold(show, "A3", owner=GUEST)
    elsewhere = BookingLinks(api.service.engine, b"another installation's secret...")
    foreign = await elsewhere.token(await api.service.engine.get_booking(str(booking["id"])))
    assert foreign is not None
    forged = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJndWVzdF9hc2hhIn0."
    bad = (foreign, forged, api.token(GUEST), api.service.guests.token(GUEST), "x", "")
    for endpoint in [one for one in ENDPOINTS if one.booking_link_opens]:
        path = _path(endpoint, show, str(booking["id"]), str(hold["id"]))
        body = _body(endpoint, show, str(booking["id"]), str(hold["id"]))
        for token in bad:
            answer = await by_link(api, token, endpoint.method, path, body)
            assert problem(answer, "booking_link_invalid"), named(endpoint)


async def test_an_ended_link_opens_nothing_and_a_new_one_does(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", owner=GUEST)
    beside = await api.booking(show, "A2", owner=GUEST)
    token, other = await link_to(api, booking), await link_to(api, beside)
    ended = document(await api.ask("DELETE", path_to(booking, "/links")), 200)
    assert ended["booking_id"] == booking["id"]
    problem(await by_link(api, token, "GET", path_to(booking)), "booking_link_invalid")
    problem(await by_link(api, token, "DELETE", path_to(booking)), "booking_link_invalid")
    assert (await by_link(api, other, "GET", path_to(beside))).status_code == 200
    fresh = await link_to(api, booking)
    assert (await by_link(api, fresh, "GET", path_to(booking))).status_code == 200
    # Who has the link ends it too, and with it every copy; so does the guest whose booking it is.
    assert (await by_link(api, fresh, "DELETE", path_to(booking, "/links"))).status_code == 200
    problem(await by_link(api, fresh, "DELETE", path_to(booking, "/links")), "booking_link_invalid")
    fresh = await link_to(api, booking)
    own = {"key": "pk", "bespeak_shopper": api.token(GUEST)}
    assert (await api.ask("DELETE", path_to(booking, "/links"), **own)).status_code == 200
    problem(await by_link(api, fresh, "GET", path_to(booking)), "booking_link_invalid")
    assert (await api.ask("GET", path_to(booking), **own)).status_code == 200
    stranger = {"key": "pk", "bespeak_shopper": api.token("guest_ivo")}
    problem(await api.ask("DELETE", path_to(booking, "/links"), **stranger), "not_owner")


async def test_the_link_of_a_mail_from_before_opens_its_own_booking_only(
    api: Api, show: Resource
) -> None:
    """What mails carried until now: signed by the same secret, without a word of ends."""
    booking, other = [await api.booking(show, unit, owner=GUEST) for unit in ("A1", "A2")]
    signer = api.service.booking_links._signer
    old = signer.make(sub=GUEST, booking=booking["id"], exp=int(time.time()) + 90 * DAY)
    assert (await by_link(api, old, "GET", path_to(booking))).status_code == 200
    problem(await by_link(api, old, "GET", path_to(other)), "booking_link_invalid")
    document(await api.ask("DELETE", path_to(booking, "/links")), 200)
    problem(await by_link(api, old, "GET", path_to(booking)), "booking_link_invalid")


@pytest.mark.parametrize(("starts_in", "good_for"), [(30, 44), (-3, 14), (None, 90)])
async def test_a_link_ends_some_days_after_what_was_booked(
    starts_in: int | None,
    good_for: int,
    api: Api,
    make_show: MakeShow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attributes = {}
    if starts_in is not None:
        starts = datetime.now(UTC) + timedelta(days=starts_in)
        attributes = {"starts_at": starts.isoformat(timespec="seconds")}
    show = await make_show(attributes=attributes)
    booking = await api.booking(show, "A1", owner=GUEST)
    token = await link_to(api, booking)
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + good_for * DAY - 60)
    assert (await by_link(api, token, "GET", path_to(booking))).status_code == 200
    monkeypatch.setattr("time.time", lambda: now + good_for * DAY + 60)
    problem(await by_link(api, token, "GET", path_to(booking)), "booking_link_invalid")


async def test_a_link_leads_nowhere_after_its_owner_was_erased(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", owner=GUEST)
    token = await link_to(api, booking)
    await api.connection.execute(
        "update bespeak.booking set owner = 'erased_00000000000000000000000000'"
    )
    problem(await by_link(api, token, "GET", path_to(booking)), "not_owner")


async def test_there_is_no_link_to_the_bookings_of_a_shops_own_customers(
    api: Api, show: Resource
) -> None:
    booked = await api.booking(show, "A1", owner="customer-17")
    booking = await api.service.engine.get_booking(str(booked["id"]))
    assert await api.service.booking_links.token(booking) is None


async def test_who_has_a_link_cannot_use_up_what_its_guest_may_ask(
    open_api: OpenApi, show: Resource
) -> None:
    api = await open_api(rate_limit_publishable="1/minute", rate_limit_address="2/minute")
    booking = await api.booking(show, "A1", owner=GUEST)
    token = await link_to(api, booking)
    for _ in range(2):
        document(await by_link(api, token, "GET", path_to(booking)), 200)
    problem(await by_link(api, token, "GET", path_to(booking)), "rate_limited")
    own = {"key": "pk", "bespeak_shopper": api.token(GUEST)}
    document(await api.ask("GET", path_to(booking), **own), 200)


async def test_the_mail_has_the_link_and_sent_again_a_new_one(
    open_api: OpenApi, show: Resource, tmp_path: Path
) -> None:
    api = await open_api(sweep=True, mail_outbox=str(tmp_path), public_url="http://bespeak.test/")
    booked: dict[str, Json] = {}
    for owner, unit in ((GUEST, "A1"), ("customer-17", "A2")):
        hold = await api.hold(show, unit, owner=owner)
        body = {"hold_id": hold["id"], "contact": {"email": f"{unit}@example.org"}}
        booked[unit] = document(await api.ask("POST", "/v1/bookings", body), 201)
    await until(lambda: len(list(tmp_path.glob("*.eml"))) == 2)
    own = await _links(tmp_path, "A1@example.org")
    assert [booking_id for booking_id, _ in own] == [booked["A1"]["id"]]
    token = own[0][1]
    assert await _links(tmp_path, "A2@example.org") == [], "it has a page of its own shop's"
    assert (await by_link(api, token, "GET", path_to(booked["A1"]))).status_code == 200
    document(await api.ask("DELETE", path_to(booked["A1"], "/links")), 200)
    document(await api.ask("POST", path_to(booked["A1"], "/mails")), 202)
    await until(lambda: len(list(tmp_path.glob("*.eml"))) == 3)
    tokens = {each for _, each in await _links(tmp_path, "A1@example.org")}
    assert len(tokens) == 2
    (fresh,) = tokens - {token}
    problem(await by_link(api, token, "GET", path_to(booked["A1"])), "booking_link_invalid")
    assert (await by_link(api, fresh, "GET", path_to(booked["A1"]))).status_code == 200


async def _links(outbox: Path, to: str) -> list[tuple[str, str]]:
    """The bookings and tokens of the links in the mails to an address."""
    found: list[tuple[str, str]] = []
    for sent in await asyncio.to_thread(lambda: [f.read_bytes() for f in outbox.glob("*.eml")]):
        mail = message_from_bytes(sent, policy=default)
        text = mail.get_body(("plain",))
        assert text is not None
        if to in mail["To"]:
            pattern = r"http://bespeak\.test/bookings/(bkg_\w+)#token=(\S+)"
            found += re.findall(pattern, text.get_content())
    return found


async def test_a_mail_is_sent_again_once_at_a_time_and_three_times_an_hour(
    api: Api, show: Resource
) -> None:
    hold = await api.hold(show, "A1", owner=GUEST)
    body = {"hold_id": hold["id"], "contact": {"email": "asha@example.org"}}
    booking = document(await api.ask("POST", "/v1/bookings", body), 201)
    path = path_to(booking, "/mails")
    twice = await asyncio.gather(*(api.ask("POST", path) for _ in range(2)))
    first, again = [document(answer, 202) for answer in twice]
    assert first == again, "one that waits already is not written twice"
    sent = "update bespeak.mail set state = 'sent', due_at = null, ended_at = bespeak.now()"
    for _ in range(2):
        await api.connection.execute(f"{sent} where position is null and state = 'pending'")
        assert document(await api.ask("POST", path), 202) != first
    await api.connection.execute(f"{sent} where position is null and state = 'pending'")
    problem(await api.ask("POST", path), "mailed_too_often", retry_after_seconds=1200)
    # It tells of no event, so the feed keeps none for it.
    horizon = "select count(*) from bespeak.feed_needed_from('{}') where position is null"
    waits = "update bespeak.mail set state = 'pending', due_at = at, ended_at = null"
    await api.connection.execute(f"{waits} where mail_id = $1", first["id"])
    assert await api.connection.fetchval(horizon) == 0
