"""How the calls about the data of a person refuse."""

from bespeak.inventory.resources import Price
from bespeak.personal_data.erasing import ErasureWorker
from tests.http.api import Request, place
from tests.http.scenarios import HOLDS, NO_ERASURE, NO_HOLD, Stage, refuses

EXPORT = "GET /v1/personal-data"
ERASE = "POST /v1/erasures"
LIST = "GET /v1/erasures"
READ = "GET /v1/erasures/{erasure_id}"


@refuses(EXPORT, "invalid_cursor")
async def an_export_after_nothing(stage: Stage) -> Request:
    return Request("GET", "/v1/personal-data?owner=asha&after=b-1")


@refuses(ERASE, "owner_unknown")
async def the_erasure_of_nobody(stage: Stage) -> Request:
    return Request("POST", "/v1/erasures", {"owner": "nobody"})


@refuses(ERASE, "bookings_upcoming")
async def the_erasure_of_who_has_a_ticket(stage: Stage) -> Request:
    await stage.api.booking(stage.show, "A1", owner="zoe")
    return Request("POST", "/v1/erasures", {"owner": "zoe"})


@refuses(ERASE, "money_moving", refunds=[])
async def the_erasure_of_who_is_paying(stage: Stage) -> Request:
    show = await stage.make_show(payment="required", price=Price(1500, "EUR"))
    hold = await stage.api.hold(show, "A1", owner="xin")
    body = {"hold_id": hold["id"], "payment_token": "tok_challenge"}
    await stage.api.ask("POST", "/v1/bookings", body)
    return Request("POST", "/v1/erasures", {"owner": "xin"})


@refuses(LIST, "invalid_cursor")
async def the_erasures_after_a_hold(stage: Stage) -> Request:
    return Request("GET", f"/v1/erasures?after={NO_HOLD}")


@refuses(READ, "invalid_id", kind="era")
async def an_erasure_by_the_id_of_a_hold(stage: Stage) -> Request:
    return Request("GET", f"/v1/erasures/{NO_HOLD}")


@refuses(READ, "erasure_not_found")
async def an_erasure_that_never_was(stage: Stage) -> Request:
    return Request("GET", f"/v1/erasures/{NO_ERASURE}")


@refuses(HOLDS, "hold_erased")
async def a_repeat_of_what_was_erased(stage: Stage) -> Request:
    repeat = place(stage.show, "A1", owner="yan")
    headers = {"Idempotency-Key": "of yan"}
    keyed = Request(repeat.method, repeat.path, repeat.body, "sk", headers)
    hold = (await stage.api.send(keyed)).json()
    await stage.api.ask("DELETE", f"/v1/holds/{hold['id']}")
    await stage.api.ask("POST", "/v1/erasures", {"owner": "yan"})
    engine = stage.api.service.engine
    await ErasureWorker(engine.database, engine.ready_resources).look()
    return keyed
