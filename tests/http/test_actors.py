"""Who did it: every kind of event says so, and it is the one who asked, also where requests share a
batch, where the work goes on in the background, and where a request is repeated by another."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, TypeAlias, cast

import pytest

from bespeak import Resource, Row, SeatsPlan, Section
from bespeak.admission.steering import Steering
from bespeak.background import BackgroundWork, kept
from bespeak.inventory.resources import Price
from bespeak.payments.recovery import Recovery
from bespeak.payments.refunds.call_off import CallOffWorker
from bespeak.payments.refunds.refunder import Refunder
from bespeak.personal_data.erasing import ErasureWorker
from bespeak.reservations.sweeper import Sweeper
from bespeak.states import EventKind
from tests.harness.clock import Clock
from tests.harness.database import feed_settled
from tests.harness.erasing import OVER
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, line, place, until
from tests.http.conftest import OpenApi
from tests.http.refused_payments import callback, paying
from tests.http.test_waitlists import join as wait_for
from tests.http.test_waitlists import match, set_up, wish
from tests.http.waiting import ALL as ROOMS
from tests.http.waiting import join, room_for

KNOWN = "select exists (select from bespeak.event where kind = $1)"
ERASED = "select exists (select from bespeak.erasure where state = 'done')"
PRICE = Price(1500, "EUR")
ONE_SEAT = SeatsPlan(sections=(Section("Stalls", (Row("A", 1),)),))


class Stage(NamedTuple):
    """What a scenario has: the API, shows, and a clock that it moves."""

    api: Api
    make_show: MakeShow
    clock: Clock

    async def background(self, kind: EventKind, work: BackgroundWork) -> None:
        """Keeps background work going until the feed has an event of a kind."""

        async def is_there() -> object:
            return await self.api.connection.fetchval(KNOWN, kind)

        async with kept([work]):
            await until(is_there)


Play: TypeAlias = Callable[[Stage], Awaitable[None]]
# Of each kind, who did it, the earliest first; a key by the short name of its kind.
Told: TypeAlias = Mapping[EventKind, list[str]]
SCENARIOS: list[tuple[Play, Told]] = []


def tells(**told: list[str]) -> Callable[[Play], Play]:
    """Registers a scenario, with what the feed is to tell of its resource afterwards."""

    def register(play: Play) -> Play:
        SCENARIOS.append((play, {EventKind(kind): actors for kind, actors in told.items()}))
        return play

    return register


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    """The API with the sandbox, and nobody in the background."""
    return await open_api(payment_providers="sandbox", allow_pretend_money=True)


async def events(api: Api) -> list[Json]:
    """The feed."""
    await feed_settled(api.connection)
    return cast("list[Json]", (await api.get("/v1/events?limit=1000"))["items"])


async def names(api: Api) -> dict[str, str]:
    """The short name of each key by its id."""
    rows = await api.connection.fetch("select key_id, name from bespeak.api_key")
    return {row["key_id"]: row["name"].removeprefix("test ") for row in rows}


def of_shopper(api: Api, method: str, path: str, body: object = None) -> Request:
    return Request(method, path, body, "pk", {"Bespeak-Shopper": api.token("asha")})


@tells(created=["ak"], changed=["ak", "ak"])
async def the_operator_makes_a_resource(stage: Stage) -> None:
    pools = [{"unit": "floor", "capacity": 9}]
    body = {"name": "A room", "plan": {"type": "seats", "pools": pools}}
    made = document(await stage.api.ask("POST", "/v1/resources", body, key="ak"), 201)
    larger = {"type": "seats", "pools": [{"unit": "floor", "capacity": 10}]}
    for change in ({"name": "The room"}, {"plan": larger}):
        answer = await stage.api.ask("PATCH", f"/v1/resources/{made['id']}", change, key="ak")
        document(answer, 200)


@tells(blocked=["ak"], unblocked=["ak"])
async def the_operator_blocks_a_seat(stage: Stage) -> None:
    show = await stage.make_show()
    block = await stage.api.block(show, "A6")
    path = f"/v1/resources/{show.id}/blocks/{block['id']}"
    document(await stage.api.ask("DELETE", path, key="ak"), 200)


@tells(held=["sk", "sk"], extended=["sk"], released=["sk"], expired=["sweeper"])
async def a_server_holds(stage: Stage) -> None:
    show = await stage.make_show()
    await stage.api.hold(show, "A1")
    await stage.clock.advance(3600)
    await Sweeper(stage.api.service.engine.database.pool).sweep()
    hold = await stage.api.hold(show, "A2", "floor 1")
    path = f"/v1/holds/{hold['id']}"
    document(await stage.api.ask("POST", f"{path}/extend", {"seconds": 900}), 200)
    document(await stage.api.ask("DELETE", path), 200)


@tells(
    held=["shopper", "shopper"],
    extended=["shopper"],
    released=["shopper"],
    confirmed=["sk"],
    cancelled=["shopper"],
)
async def a_shopper_holds_and_cancels(stage: Stage) -> None:
    api, show = stage.api, await stage.make_show()
    holds = []
    for unit in ("A1", "A2"):
        lines = {"lines": [line(show, unit)]}
        holds.append(document(await api.send(of_shopper(api, "POST", "/v1/holds", lines)), 201))
    path = f"/v1/holds/{holds[0]['id']}"
    document(await api.send(of_shopper(api, "POST", f"{path}/extend", {"seconds": 900})), 200)
    document(await api.send(of_shopper(api, "DELETE", path)), 200)
    body = {"hold_id": holds[1]["id"]}
    booking = document(await api.ask("POST", "/v1/bookings", body), 201)
    path = f"/v1/bookings/{booking['id']}"
    document(await api.send(of_shopper(api, "DELETE", path, {"reason": "rain"})), 200)


@tells(confirmed=["sk"], checked_in=["sk"], cancelled=["ak"])
async def who_sells_who_lets_in_and_who_cancels(stage: Stage) -> None:
    api, show = stage.api, await stage.make_show()
    booking = await api.booking(show, "A1", "A2")
    path = f"/v1/bookings/{booking['id']}"
    tickets = cast("list[Json]", (await api.get(f"{path}/tickets"))["items"])
    document(await api.ask("POST", "/v1/check-ins", {"code": tickets[0]["code"]}), 201)
    part = {"reason": "rain", "lines": [line(show, "A2")]}
    document(await api.ask("DELETE", path, part, key="ak"), 200)


async def given_back(stage: Stage, token: str, kind: EventKind) -> None:
    """Pays for a seat, and cancels it with another key; the money goes back in the background."""
    api, show = stage.api, await stage.make_show(payment="required", price=PRICE)
    hold = await api.hold(show, "A1")
    booking = document(await api.send(paying(hold, token)), 201)
    path = f"/v1/bookings/{booking['id']}"

    async def is_captured() -> bool:
        payment = cast("Json", (await api.get(path))["payment"])
        return payment["state"] == "captured"

    await until(is_captured)
    body = {"reason": "rain", "refund": "full"}
    document(await api.ask("DELETE", path, body, key="ak"), 200)
    engine = api.service.engine
    await stage.background(kind, Refunder(engine.payments, engine.refunds))


@tells(
    payment_begun=["sk"],
    payment_authorized=["sk"],
    payment_captured=["sk"],
    confirmed=["sk"],
    cancelled=["ak"],
    refund_begun=["ak"],
    refunded=["system"],
)
async def money_comes_and_goes_back(stage: Stage) -> None:
    await given_back(stage, "tok_success", EventKind.REFUNDED)


@tells(refund_begun=["ak"], refund_failed=["system"])
async def money_does_not_go_back(stage: Stage) -> None:
    await given_back(stage, "tok_refund_fails", EventKind.REFUND_FAILED)


@tells(payment_begun=["sk"], payment_failed=["sk"])
async def a_card_is_declined(stage: Stage) -> None:
    show = await stage.make_show(payment="required", price=PRICE)
    hold = await stage.api.hold(show, "A1")
    assert (await stage.api.send(paying(hold, "tok_declined"))).status_code == 402


@tells(
    payment_begun=["sk"],
    payment_authorized=["provider:sandbox"],
    payment_late=["provider:sandbox"],
    payment_voided=["provider:sandbox"],
    expired=["sweeper"],
)
async def a_provider_tells_of_late_money(stage: Stage) -> None:
    api = stage.api
    show = await stage.make_show(payment="required", price=PRICE, late_payment="refund")
    hold = await api.hold(show, "A1")
    payment = document(await api.send(paying(hold, "tok_challenge")), 202)["payment"]
    await api.connection.execute("update bespeak.sandbox_payment set state = 'authorized'")
    await stage.clock.advance(3600)
    await Sweeper(api.service.engine.database.pool).sweep()
    document(await api.send(callback(api, cast("Json", payment))), 200)
    # The callback's own work goes on behind its answer.
    await until(lambda: api.connection.fetchval(KNOWN, EventKind.PAYMENT_VOIDED))


async def pays_late(stage: Stage, policy: str, *, taken: bool) -> None:
    """The provider tells of money when its hold is over, whose seat somebody else may have then."""
    api = stage.api
    show = await stage.make_show(payment="required", price=PRICE, late_payment=policy)
    hold = await api.hold(show, "A1")
    payment = document(await api.send(paying(hold, "tok_challenge")), 202)["payment"]
    await api.connection.execute("update bespeak.sandbox_payment set state = 'authorized'")
    await stage.clock.advance(3600)
    if taken:
        await api.hold(show, "A1", owner="ben")
    document(await api.send(callback(api, cast("Json", payment))), 200)
    await until(lambda: api.connection.fetchval(KNOWN, EventKind.PAYMENT_CAPTURED))


@tells(
    held=["sk", "provider:sandbox"],
    expired=["sweeper"],
    payment_late=["provider:sandbox"],
    confirmed=["provider:sandbox"],
    payment_captured=["provider:sandbox"],
)
async def late_money_gets_its_seat_again(stage: Stage) -> None:
    await pays_late(stage, "same_units", taken=False)


@tells(
    held=["sk", "sk", "provider:sandbox"],
    payment_late=["provider:sandbox"],
    confirmed=["provider:sandbox"],
)
async def late_money_gets_another_seat(stage: Stage) -> None:
    await pays_late(stage, "equal_offer", taken=True)


@tells(payment_begun=["sk"], payment_late=["sk"], payment_voided=["system"])
async def another_amount_is_reserved(stage: Stage) -> None:
    show = await stage.make_show(payment="required", price=PRICE)
    hold = await stage.api.hold(show, "A1")
    assert (await stage.api.send(paying(hold, "tok_other_amount"))).status_code == 410
    recovery = Recovery(stage.api.service.engine.payments)
    await stage.background(EventKind.PAYMENT_VOIDED, recovery)


@tells(confirmed=["sk"], cancelled=["sk"], payment_captured=["sk"], refund_begun=["sk"])
async def another_amount_is_taken(stage: Stage) -> None:
    """It pays for nothing: the booking is cancelled, and the money is to go back."""
    show = await stage.make_show(payment="required", price=PRICE)
    hold = await stage.api.hold(show, "A1")
    document(await stage.api.send(paying(hold, "tok_partial_capture")), 201)
    await until(lambda: stage.api.connection.fetchval(KNOWN, EventKind.REFUND_BEGUN))


@tells(held=["sk"] * 3, called_off=["ak"], expired=["sweeper"], released=["ak"], cancelled=["ak"])
async def all_of_a_resource_is_called_off(stage: Stage) -> None:
    show = await stage.make_show()
    await stage.api.hold(show, "A1")
    await stage.clock.advance(3600)
    await stage.api.hold(show, "A2")
    await stage.api.booking(show, "A3")
    path, body = f"/v1/resources/{show.id}/cancellation", {"reason": "storm"}
    document(await stage.api.ask("POST", path, body, key="ak"), 202)
    engine = stage.api.service.engine
    worker = CallOffWorker(engine.database, engine.ready_resources, engine.settings)
    await stage.background(EventKind.CANCELLED, worker)


@tells(confirmed=["sk"], vacated=["ak"], moved=["ak"])
async def a_booking_is_moved(stage: Stage) -> None:
    booking = await stage.api.booking(await stage.make_show(), "A1")
    path, body = f"/v1/bookings/{booking['id']}/moves", [{"from_unit": "A1", "to_unit": "A9"}]
    document(await stage.api.ask("POST", path, {"moves": body}, key="ak"), 200)


@tells(
    waitlist_joined=["shopper"] * 4,
    waitlist_offered=["system"] * 3,
    waitlist_declined=["system"],
    waitlist_accepted=["system"],
    waitlist_lapsed=["system"],
    waitlist_left=["shopper"],
)
async def three_wait_for_what_is_sold_out(stage: Stage) -> None:
    api, show = stage.api, await stage.make_show(plan=ONE_SEAT)
    waitlist = await set_up(api, show)
    one, two, three = [
        (await wait_for(api, waitlist, wish(show), owner))["id"] for owner in ("asha", "ben", "zoe")
    ]
    await match(api)
    declined = f"/v1/waitlist-entries/{one}/decline"
    document(await api.ask("POST", declined, key="pk", bespeak_shopper=api.token("asha")), 200)
    await match(api)
    await stage.clock.advance(86_400)
    await match(api)
    accepted = f"/v1/waitlist-entries/{three}"
    offered = document(await api.ask("GET", accepted), 200)
    await api.ask("POST", "/v1/bookings", {"hold_id": cast("Json", offered["offer"])["hold_id"]})
    await match(api)
    token = {"bespeak_shopper": api.token("ben")}
    again = str((await wait_for(api, waitlist, wish(show), "ben"))["id"])
    document(await api.ask("DELETE", f"/v1/waitlist-entries/{again}", key="pk", **token), 200)
    assert two != again


@tells(
    waiting_room_opened=["ak"],
    held=["sk"],
    confirmed=["sk"],
    waiting_room_sold_out=["system"],
    waiting_room_drained=["ak"],
)
async def a_waiting_room_opens_sells_out_and_ends(stage: Stage) -> None:
    api, show = stage.api, await stage.make_show(plan=ONE_SEAT)
    room = await room_for(api, show, opens_in=600, pace="stock")
    await join(api, room)
    path = f"{ROOMS}/{room['id']}"
    document(await api.ask("PATCH", path, {"state": "open"}, key="ak"), 200)
    await api.booking(show, "A1", owner="fast")
    engine = api.service.engine
    steering = Steering(engine.database, engine.ready_resources)
    await stage.background(EventKind.WAITING_ROOM_SOLD_OUT, steering)
    document(await api.ask("PATCH", path, {"state": "ended"}, key="ak"), 200)


@tells(released=["sk"], erased=["sk", "sk"])
async def an_owner_is_erased(stage: Stage) -> None:
    show = await stage.make_show(starts_at=OVER)
    await stage.api.booking(show, "A1", owner="zoe")
    await stage.api.hold(show, "A2", owner="zoe")
    document(await stage.api.ask("POST", "/v1/erasures", {"owner": "zoe"}), 202)
    engine = stage.api.service.engine
    worker = ErasureWorker(engine.database, engine.ready_resources)
    async with kept([worker]):
        await until(lambda: stage.api.connection.fetchval(ERASED))


@pytest.mark.parametrize(("play", "told"), SCENARIOS, ids=[play.__name__ for play, _ in SCENARIOS])
async def test_each_event_has_its_actor(
    api: Api, make_show: MakeShow, moved_clock: Clock, play: Play, told: Told
) -> None:
    await play(Stage(api, make_show, moved_clock))
    shown = await names(api)
    found: dict[EventKind, list[str | None]] = {}
    for event in await events(api):
        actor = cast("str | None", event["actor"])
        found.setdefault(EventKind(str(event["kind"])), []).append(shown.get(actor or "", actor))
    assert {kind: found.get(kind) for kind in told} == told


def test_no_kind_of_event_is_left_out() -> None:
    assert {kind for _, told in SCENARIOS for kind in told} == set(EventKind)


async def test_requests_of_one_batch_have_each_their_own(api: Api, show: Resource) -> None:
    """One statement writes the holds of all who ask at once."""
    answers = await asyncio.gather(
        *(
            api.send(Request("POST", "/v1/holds", place(show, f"A{number}").body, key))
            for number, key in enumerate(("sk", "ak") * 8, start=1)
        )
    )
    wanted = {
        str(document(answer, 201)["id"]): key
        for answer, key in zip(answers, ("sk", "ak") * 8, strict=True)
    }
    shown = await names(api)
    held = [event for event in await events(api) if event["kind"] == "held"]
    assert {str(event["hold_id"]): shown[str(event["actor"])] for event in held} == wanted
    batches = await api.connection.fetchval("select count(distinct horizon) from bespeak.event")
    assert batches < len(held)


async def test_a_repeat_by_another_key_keeps_the_first(api: Api, show: Resource) -> None:
    request = place(show, "A1")
    ids = set()
    for key in ("sk", "ak"):
        again = Request("POST", "/v1/holds", request.body, key, {"Idempotency-Key": "k"})
        ids.add(document(await api.send(again), 201)["id"])
    assert len(ids) == 1
    (held,) = [event for event in await events(api) if event["kind"] == "held"]
    assert (await names(api))[str(held["actor"])] == "sk"


async def test_a_timeline_says_who_did_what(api: Api, show: Resource) -> None:
    hold = document(
        await api.send(of_shopper(api, "POST", "/v1/holds", {"lines": [line(show, "A1")]})), 201
    )
    booking = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    path = f"/v1/bookings/{booking['id']}"
    document(await api.ask("DELETE", path, {"reason": "rain"}, key="ak"), 200)
    shown = await names(api)
    for of in (path, f"/v1/holds/{hold['id']}"):
        items = cast("list[Json]", (await api.get(f"{of}/timeline"))["items"])
        told = [(one["kind"], shown.get(str(one["actor"]), one["actor"])) for one in items]
        assert told == [("held", "shopper"), ("confirmed", "sk"), ("cancelled", "ak")]
        # The shopper does not learn who of the house it was.
        page = document(await api.send(of_shopper(api, "GET", f"{of}/timeline")), 200)
        items = cast("list[Json]", page["items"])
        assert [one["actor"] for one in items] == ["shopper", None, None]
