"""How the calls about the links of bookings, and of the booking of a hold, refuse."""

from tests.http.api import Request
from tests.http.scenarios import NO_BOOKING, NO_HOLD, Stage, refuses

END = "DELETE /v1/bookings/{booking_id}/links"
OF_HOLD = "GET /v1/holds/{hold_id}/booking"
MAIL = "POST /v1/bookings/{booking_id}/mails"


@refuses(END, "invalid_id", kind="bkg")
async def the_end_of_the_links_of_a_hold(stage: Stage) -> Request:
    return Request("DELETE", f"/v1/bookings/{NO_HOLD}/links")


@refuses(END, "booking_not_found")
async def the_end_of_the_links_of_no_booking(stage: Stage) -> Request:
    return Request("DELETE", f"/v1/bookings/{NO_BOOKING}/links")


@refuses(END, "not_owner")
async def the_end_of_the_links_of_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", owner="ben")
    headers = {"Bespeak-Shopper": stage.api.token("asha")}
    return Request("DELETE", f"/v1/bookings/{booking['id']}/links", None, "pk", headers)


@refuses(MAIL, "invalid_id", kind="bkg")
async def the_mail_of_a_hold(stage: Stage) -> Request:
    return Request("POST", f"/v1/bookings/{NO_HOLD}/mails")


@refuses(MAIL, "booking_not_found")
async def the_mail_of_no_booking(stage: Stage) -> Request:
    return Request("POST", f"/v1/bookings/{NO_BOOKING}/mails")


@refuses(MAIL, "not_owner")
async def the_mail_of_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", owner="ben")
    path = f"/v1/bookings/{booking['id']}/mails"
    return Request("POST", path, headers={"Bespeak-Owner": "asha"})


@refuses(MAIL, "booking_cancelled")
async def the_mail_of_a_cancelled_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    await stage.api.ask("DELETE", f"/v1/bookings/{booking['id']}")
    return Request("POST", f"/v1/bookings/{booking['id']}/mails")


@refuses(MAIL, "contact_missing")
async def the_mail_of_a_booking_of_nobody_with_an_address(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    return Request("POST", f"/v1/bookings/{booking['id']}/mails")


@refuses(MAIL, "mailed_too_often")
async def a_mail_that_was_sent_again_and_again(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    body = {"hold_id": hold["id"], "contact": {"email": "asha@example.org"}}
    booking = (await stage.api.ask("POST", "/v1/bookings", body)).json()
    path = f"/v1/bookings/{booking['id']}/mails"
    for _ in range(3):
        await stage.api.ask("POST", path)
        await stage.api.connection.execute(
            "update bespeak.mail set state = 'sent', due_at = null, ended_at = bespeak.now()"
            " where state = 'pending' and position is null"
        )
    return Request("POST", path)


@refuses(OF_HOLD, "invalid_id", kind="hold")
async def the_booking_of_a_booking(stage: Stage) -> Request:
    return Request("GET", f"/v1/holds/{NO_BOOKING}/booking")


@refuses(OF_HOLD, "booking_not_found")
async def the_booking_of_a_hold_that_is_none(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    return Request("GET", f"/v1/holds/{hold['id']}/booking")


@refuses(OF_HOLD, "not_owner")
async def the_booking_of_anothers_hold(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", owner="ben")
    hold_id = str(booking["id"]).replace("bkg_", "hold_")
    headers = {"Bespeak-Owner": "asha"}
    return Request("GET", f"/v1/holds/{hold_id}/booking", headers=headers)


@refuses(OF_HOLD, "hold_not_found")
async def the_booking_of_no_hold(stage: Stage) -> Request:
    return Request("GET", f"/v1/holds/{NO_HOLD}/booking")
