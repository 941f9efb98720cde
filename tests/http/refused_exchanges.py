"""How giving a booking back for something better, or for other nights, is refused."""

from bespeak import ids
from bespeak.waitlists.entry import NewWaitlistEntry
from bespeak.waitlists.wish import WaitlistWish, WantedPlace
from tests.harness.shows import book, seats, take
from tests.http.api import Request, document
from tests.http.refused_tickets import checking, codes
from tests.http.refused_waitlists import ALL, JOIN, listed, wanted
from tests.http.scenarios import CONFIRM, HOLDS, Stage, refuses


async def naming(stage: Stage, booking_id: str, **settings: object) -> Request:
    """To wait on a list of the show, and give this back."""
    waitlist = await listed(stage, **{"exchange": "free", **settings})
    body = {**wanted(stage.show.id), "instead_of_booking": booking_id}
    return Request("POST", f"{ALL}/{waitlist.id}/entries", body)


async def booked(stage: Stage) -> str:
    return (await book(stage.api.service.engine, seats(stage.show, "A1"))).id


@refuses(JOIN, "waitlist_without_exchange")
async def where_nothing_is_taken_back(stage: Stage) -> Request:
    return await naming(stage, await booked(stage), exchange="none")


@refuses(JOIN, "booking_not_found")
async def with_a_booking_that_there_is_not(stage: Stage) -> Request:
    return await naming(stage, f"bkg_{'0' * 26}")


@refuses(JOIN, "invalid_id", kind="bkg")
async def with_what_is_no_booking(stage: Stage) -> Request:
    return await naming(stage, "booking-1")


@refuses(JOIN, "not_owner")
async def with_the_booking_of_somebody_else(stage: Stage) -> Request:
    other = await book(stage.api.service.engine, seats(stage.show, "A2"), "bela")
    return await naming(stage, other.id)


@refuses(JOIN, "booking_cancelled")
async def with_a_booking_that_is_cancelled(stage: Stage) -> Request:
    booking = await booked(stage)
    await stage.api.service.engine.cancel_booking(booking, reason="ill")
    return await naming(stage, booking)


@refuses(JOIN, "booking_not_exchangeable", reason="checked_in")
async def with_a_booking_that_let_somebody_in(stage: Stage) -> Request:
    booking, (code,) = await codes(stage, "A1")
    document(await stage.api.send(checking(code)), 201)
    return await naming(stage, str(booking["id"]))


@refuses(JOIN, "booking_waits")
async def with_a_booking_that_waits_already(stage: Stage) -> Request:
    booking = await booked(stage)
    asked = await naming(stage, booking, owner_entries_max=2)
    document(await stage.api.send(asked), 201)
    return asked


@refuses(CONFIRM, "booking_not_exchangeable", reason="checked_in")
async def what_is_for_a_booking_that_let_somebody_in(stage: Stage) -> Request:
    engine = stage.api.service.engine
    booking, (code,) = await codes(stage, "A1")
    waitlist = await listed(stage, exchange="free")
    wish = WaitlistWish(party=1, places=(WantedPlace(stage.show.id),))
    new = NewWaitlistEntry(wish=wish, instead_of_booking=str(booking["id"]))
    entry = await engine.waitlists.join(waitlist.id, new, owner="asha")
    hold = await take(engine, seats(stage.show, "A2"))
    await stage.api.connection.execute(
        "select bespeak.make_waitlist_offer($1, 1, $2, 600)",
        ids.parse(ids.WAITLIST_ENTRY, entry.id),
        ids.parse(ids.HOLD, hold.id),
    )
    document(await stage.api.send(checking(code)), 201)
    return Request("POST", "/v1/bookings", {"hold_id": hold.id})


def changing(stage: Stage, booking_id: str) -> Request:
    """To hold something else in place of this."""
    lines = [{"resource_id": stage.show.id, "unit": "A2"}]
    body = {"owner": "asha", "lines": lines, "instead_of_booking": booking_id}
    return Request("POST", "/v1/holds", body)


@refuses(HOLDS, "booking_not_found")
async def in_place_of_a_booking_that_there_is_not(stage: Stage) -> Request:
    return changing(stage, f"bkg_{'0' * 26}")


@refuses(HOLDS, "booking_cancelled")
async def in_place_of_a_booking_that_is_cancelled(stage: Stage) -> Request:
    booking = await booked(stage)
    await stage.api.service.engine.cancel_booking(booking, reason="ill")
    return changing(stage, booking)


@refuses(HOLDS, "booking_not_exchangeable", reason="checked_in")
async def in_place_of_a_booking_that_let_somebody_in(stage: Stage) -> Request:
    booking, (code,) = await codes(stage, "A1")
    document(await stage.api.send(checking(code)), 201)
    return changing(stage, str(booking["id"]))
