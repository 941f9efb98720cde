"""The link in the mails about an entry of a waitlist: on any device it opens that entry, the hold
that it is offered and the booking that comes of it, and nothing else of its owner.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import NamedTuple, cast

import httpx
import pytest

from bespeak import PoolPlan, Resource, SeatsPlan, ids
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.inventory.resources import Price
from bespeak.waitlists.links import SECONDS_AFTER, WaitlistLinks
from bespeak.waitlists.owners import erase_entries
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem, until
from tests.http.conftest import OpenApi
from tests.http.test_booking_links import OF_BROWSERS
from tests.http.test_every_endpoint import named, path_of
from tests.http.test_waitlists import ENTRIES, join, match, set_up, wish
from tests.http.workspaces import ACME, found_acme

GUEST = "guest_asha"
CONTACT: Json = {"email": "asha@example.org"}
OPENED = [one for one in ENDPOINTS if one.waitlist_link_opens]


class Way(NamedTuple):
    """An entry, and what its mail's link has."""

    api: Api
    entry: str
    token: str

    async def ask(self, method: str, path: str, body: object = None) -> httpx.Response:
        """What who has nothing but the link is answered."""
        headers = {"bespeak-waitlist-link": self.token}
        return await self.api.ask(method, path, body, key="pk", **headers)

    async def own(self, method: str = "GET", rest: str = "") -> httpx.Response:
        return await self.ask(method, f"{ENTRIES}/{self.entry}{rest}")

    async def hold(self) -> str:
        """The hold that is offered."""
        offer = document(await self.own(), 200)["offer"]
        return str(cast("Json", offer)["hold_id"])


def token_of(api: Api, entry: str) -> str:
    return api.service.waitlist_links.token(ids.parse(ids.WAITLIST_ENTRY, entry))


async def waits(api: Api, show: Resource, owner: str = GUEST, party: int = 1) -> Way:
    """Who waits for a show that has a waitlist, with their link."""
    (found,) = cast("list[Json]", (await api.get(f"/v1/resources/{show.id}/waitlists"))["items"])
    made = await join(api, str(found["id"]), {**wish(show, party), "contact": CONTACT}, owner)
    return Way(api, str(made["id"]), token_of(api, str(made["id"])))


async def offered(api: Api, show: Resource, owner: str = GUEST) -> Way:
    """Who is offered something; the others of the list before them too."""
    way = await waits(api, show, owner)
    await match(api)
    assert document(await way.own(), 200)["state"] == "offered"
    return way


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    """The API with the sandbox."""
    return await open_api(payment_providers="sandbox", allow_pretend_money=True)


@pytest.fixture
async def listed_show(api: Api, show: Resource) -> Resource:
    """A show of which everything is free, with a waitlist."""
    await set_up(api, show)
    return show


@pytest.fixture
async def play(api: Api, make_show: MakeShow) -> AsyncIterator[Resource]:
    """One that must be paid for, with a waitlist."""
    plan = SeatsPlan(pools=(PoolPlan("floor", 5),))
    made = await make_show(plan=plan, payment="required", price=Price(1500, "EUR"))
    await set_up(api, made)
    yield made


async def test_from_the_mail_to_the_booking_on_another_device(
    api: Api, listed_show: Resource
) -> None:
    way = await offered(api, listed_show)
    hold = document(await way.own("POST", "/accept"), 200)
    there = f"/v1/holds/{hold['id']}"
    assert document(await way.ask("GET", there), 200)["owner"] == GUEST
    document(await way.ask("GET", f"{there}/refund-terms"), 200)
    problem(await way.ask("GET", f"{there}/booking"), "booking_not_found")
    booked = document(await way.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    found = document(await way.ask("GET", f"{there}/booking"), 200)
    assert found["booking_id"] == booked["id"]
    link = {"bespeak-booking-link": str(found["link"])}
    path = f"/v1/bookings/{booked['id']}"
    assert document(await api.ask("GET", path, key="pk", **link), 200)["owner"] == GUEST
    await match(api)
    assert document(await way.own(), 200)["state"] == "accepted"
    # Who ends the links of the booking ends this way to a fresh one, too.
    document(await api.ask("DELETE", f"{path}/links"), 200)
    assert document(await way.ask("GET", f"{there}/booking"), 200)["link"] is None


async def test_the_booking_of_a_hold_is_found_by_who_has_it_without_a_link(
    api: Api, show: Resource
) -> None:
    booking = await api.booking(show, "A1", owner=GUEST)
    path = f"/v1/holds/{str(booking['id']).replace('bkg_', 'hold_')}/booking"
    told = {"booking_id": booking["id"], "link": None}
    assert await api.get(path) == told
    own = {"bespeak-shopper": api.token(GUEST)}
    assert document(await api.ask("GET", path, key="pk", **own), 200) == told
    other = {"bespeak-shopper": api.token("mallory")}
    problem(await api.ask("GET", path, key="pk", **other), "not_owner")


async def test_it_declines_and_it_leaves(api: Api, listed_show: Resource) -> None:
    first = await offered(api, listed_show)
    gone = document(await first.own("POST", "/decline"), 200)
    assert (gone["state"], gone["reason"]) == ("over", "declined")
    problem(await first.own("POST", "/accept"), "no_offer_stands", state="over")
    second = await offered(api, listed_show, "guest_ben")
    hold = await second.hold()
    assert document(await second.own("DELETE"), 200)["state"] == "withdrawn"
    assert document(await second.own("DELETE"), 200)["state"] == "withdrawn"
    assert document(await second.ask("GET", f"/v1/holds/{hold}"), 200)["state"] == "released"


async def test_two_devices_at_once_have_one_offer(api: Api, listed_show: Resource) -> None:
    way = await offered(api, listed_show)
    both = await asyncio.gather(*(way.own("POST", "/accept") for _ in range(2)))
    assert len({str(document(one, 200)["id"]) for one in both}) == 1
    body = {"hold_id": await way.hold()}
    answers = await asyncio.gather(*(way.ask("POST", "/v1/bookings", body) for _ in range(2)))
    assert sorted(one.status_code for one in answers) == [201, 409]
    (late,) = [one for one in answers if one.status_code == 409]
    problem(late, "hold_confirmed")
    problem(await way.own("POST", "/decline"), "no_offer_stands", state="accepted")


async def test_accepted_and_declined_at_once_is_one_of_the_two(
    api: Api, listed_show: Resource
) -> None:
    way = await offered(api, listed_show)
    hold = await way.hold()
    booked, declined = await asyncio.gather(
        way.ask("POST", "/v1/bookings", {"hold_id": hold}), way.own("POST", "/decline")
    )
    await match(api)
    entry = document(await way.own(), 200)
    if booked.status_code == 201:
        problem(declined, "no_offer_stands")
        assert entry["state"] == "accepted"
    else:
        problem(booked, "hold_released")
        assert (entry["state"], entry["reason"]) == ("over", "declined")


async def test_it_opens_nothing_else_of_its_owner(api: Api, listed_show: Resource) -> None:
    """All calls that a browser may make, on what is the owner's too, but of another entry."""
    way = await offered(api, listed_show)
    other = await offered(api, listed_show, "guest_ben")
    await api.connection.execute("update bespeak.waitlist_entry set owner = $1", GUEST)
    hold = str((await api.hold(listed_show, "A7", owner=GUEST))["id"])
    booking = str((await api.booking(listed_show, "A8", owner=GUEST))["id"])
    before = await api.snapshot()
    opened = 0
    for endpoint in OF_BROWSERS:
        if endpoint.opens_stream:
            continue
        path = _path(endpoint, listed_show, other.entry, hold, booking)
        body = {"hold_id": hold} if endpoint.operation_id == "confirm_hold" else None
        answer = await way.ask(endpoint.method, path, body)
        if endpoint.waitlist_link_opens:
            problem(answer, "waitlist_link_invalid")
            opened += 1
        elif endpoint.needs_shopper:
            problem(answer, "shopper_token_invalid")
        else:
            without = await api.ask(endpoint.method, path, key="pk")
            assert answer.status_code == without.status_code, endpoint.path
    assert opened == len(OPENED) >= 10
    assert await api.snapshot() == before
    assert document(await other.own(), 200)["state"] == "offered"
    for path in (ENTRIES, "/v1/bookings", "/v1/holds", f"{ENTRIES}?owner={GUEST}"):
        problem(await way.ask("GET", path), "shopper_token_invalid")
    # Nor is it a shopper token, a booking's link or a key; beside a server's key it says nothing.
    own = f"{ENTRIES}/{way.entry}"
    token = {"bespeak-shopper": way.token}
    problem(await api.ask("GET", own, key="pk", **token), "shopper_token_invalid")
    token = {"bespeak-booking-link": way.token}
    problem(
        await api.ask("GET", f"/v1/bookings/{booking}", key="pk", **token), "booking_link_invalid"
    )
    bearer = {"Authorization": f"Bearer {way.token}"}
    problem(await api.client.get(own, headers=bearer), "key_unknown")
    link = {"bespeak-waitlist-link": "nonsense"}
    assert (await api.ask("GET", own, **link)).status_code == 200


def _path(endpoint: Endpoint, show: Resource, entry: str, hold: str, booking: str) -> str:
    path = endpoint.path.replace("{entry_id}", entry).replace("{hold_id}", hold)
    path = path.replace("{booking_id}", booking).replace("{resource_id}", show.id)
    return path_of(replace(endpoint, path=path))


@pytest.mark.parametrize("endpoint", OPENED, ids=named)
async def test_what_is_no_link_of_this_installation_opens_nothing(
    endpoint: Endpoint, api: Api, listed_show: Resource
) -> None:
    way = await offered(api, listed_show)
    hold = await way.hold()
    path = _path(endpoint, listed_show, way.entry, hold, "")
    body = {"hold_id": hold} if endpoint.operation_id == "confirm_hold" else None
    elsewhere = WaitlistLinks(api.service.engine.database, b"another installation's secret...")
    foreign = elsewhere.token(ids.parse(ids.WAITLIST_ENTRY, way.entry))
    unknown = token_of(api, f"{ids.WAITLIST_ENTRY}_{'0' * 26}")
    odd = api.service.waitlist_links._signer.make(waitlist_entry=7)
    forged = "eyJhbGciOiJub25lIn0.eyJ3YWl0bGlzdF9lbnRyeSI6InggIn0."
    long = way.token + "a" * 5000
    for token in (foreign, unknown, odd, forged, long, api.token(GUEST), way.token[:-1], "x", ""):
        answer = await way._replace(token=token).ask(endpoint.method, path, body)
        problem(answer, "waitlist_link_invalid")
    assert document(await way.own(), 200)["state"] == "offered"


async def test_it_is_good_for_an_hour_after_the_entry_has_ended(
    api: Api, listed_show: Resource, moved_clock: Clock
) -> None:
    way = await offered(api, listed_show)
    await moved_clock.advance(1801)
    await match(api)
    entry = document(await way.own(), 200)
    assert (entry["state"], entry["reason"]) == ("over", "lapsed")
    await moved_clock.advance(SECONDS_AFTER - 1)
    assert document(await way.own(), 200)["state"] == "over"
    await moved_clock.advance(1)
    for method, rest in (("GET", ""), ("POST", "/accept"), ("DELETE", "")):
        problem(await way.own(method, rest), "waitlist_link_invalid")


async def test_an_entry_that_waits_has_no_last_hour(
    api: Api, play: Resource, moved_clock: Clock
) -> None:
    way = await waits(api, play, party=6)  # more than there are
    await match(api)
    await moved_clock.advance(90 * 86_400)
    assert document(await way.own(), 200)["state"] == "waiting"


async def test_who_is_paying_as_it_ends_sees_how_it_ended(
    api: Api, play: Resource, moved_clock: Clock
) -> None:
    """The bank takes its time: while it does, the link is good, and for the same hour after."""
    way = await offered(api, play)
    hold = document(await way.own("POST", "/accept"), 200)
    body = {"hold_id": hold["id"], "payment_token": "tok_challenge"}
    begun = document(await way.ask("POST", "/v1/bookings", body), 202)
    payment = cast("Json", begun["payment"])
    where = f"/v1/payments/{payment['id']}"
    assert document(await way.ask("GET", where), 200)["booking_id"] is None
    # Its entry has ended long ago, by whatever ended it; the payment is still under way.
    await api.connection.execute(
        "update bespeak.waitlist_entry set state = 'withdrawn',"
        " ended_at = bespeak.now() - interval '1 day'"
    )
    assert document(await way.ask("GET", where), 200)["booking_id"] is None
    document(await way.ask("GET", f"/v1/holds/{hold['id']}"), 200)
    await api.connection.execute(
        "update bespeak.payment set state = 'failed', step = null, due_at = null,"
        " ended_at = bespeak.now()"
    )
    problem(await way.ask("GET", where), "waitlist_link_invalid")


async def test_another_payment_of_its_owner_is_none_of_its_business(
    api: Api, play: Resource
) -> None:
    way = await offered(api, play)
    hold = await api.hold(play, "floor 1", owner=GUEST)
    body = {"hold_id": hold["id"], "payment_token": "tok_challenge"}
    begun = document(await api.ask("POST", "/v1/bookings", body), 202)
    where = f"/v1/payments/{cast('Json', begun['payment'])['id']}"
    problem(await way.ask("GET", where), "waitlist_link_invalid")
    problem(await way.ask("GET", "/v1/payments/pay_1"), "invalid_id")


async def test_who_was_erased_is_not_found_by_it(api: Api, listed_show: Resource) -> None:
    way = await offered(api, listed_show)
    await erase_entries(api.connection, GUEST, "erased_00000000000000000000000000")
    problem(await way.own(), "waitlist_link_invalid")


async def test_it_follows_its_entry_to_another_owner(api: Api, play: Resource) -> None:
    """The token names nobody: whose the entry is says its row."""
    way = await waits(api, play, party=6)
    await api.connection.execute("update bespeak.waitlist_entry set owner = 'guest_ben'")
    assert document(await way.own(), 200)["owner"] == "guest_ben"


async def test_it_is_of_its_workspace(api: Api, listed_show: Resource) -> None:
    way = await waits(api, listed_show)
    await found_acme(api)
    link = {"bespeak-waitlist-link": way.token}
    answer = await api.ask("GET", f"{ENTRIES}/{way.entry}", key=f"{ACME} pk", **link)
    problem(answer, "waitlist_link_invalid")


async def test_who_has_it_cannot_use_up_what_its_owner_may_ask(
    open_api: OpenApi, show: Resource
) -> None:
    api = await open_api(rate_limit_publishable="2/minute", rate_limit_address="2/minute")
    await set_up(api, show)
    way = await waits(api, show)
    for _ in range(2):
        document(await way.own(), 200)
    problem(await way.own(), "rate_limited")
    own = {"bespeak-shopper": api.token(GUEST)}
    document(await api.ask("GET", f"{ENTRIES}/{way.entry}", key="pk", **own), 200)


async def test_each_mail_has_it_behind_the_hash(
    open_api: OpenApi, show: Resource, tmp_path: Path, connection: Connection
) -> None:
    api = await open_api(sweep=True, mail_outbox=str(tmp_path), public_url="http://bespeak.test/")
    await set_up(api, show)
    way = await waits(api, show)
    await until(lambda: len(list(tmp_path.glob("*.eml"))) == 2)
    found = await _links(tmp_path)
    assert len(found) == 3, "to how it stands, to accept, to decline"
    assert {entry for entry, _, _ in found} == {way.entry}
    assert sorted(rest for _, _, rest in found) == ["", "", "&do=decline"]
    for _, token, _ in found:
        assert document(await way._replace(token=token).own(), 200)["state"] == "offered"


async def _links(outbox: Path) -> list[tuple[str, str, str]]:
    """Of the links in the mails: entry, token, and what follows."""
    found: list[tuple[str, str, str]] = []
    for sent in await asyncio.to_thread(lambda: [f.read_bytes() for f in outbox.glob("*.eml")]):
        text = message_from_bytes(sent, policy=default).get_body(("plain",))
        assert text is not None
        pattern = r"http://bespeak\.test/waitlist/(wle_\w+)#token=([\w.-]+)(\S*)"
        found += re.findall(pattern, text.get_content())
    return found
