"""How the calls about questions at checkout refuse."""

from tests.http.api import Request, document
from tests.http.scenarios import CONFIRM, NO_BOOKING, NO_RESOURCE, Stage, refuses

READ = "GET /v1/bookings/{booking_id}/answers"
CORRECT = "PUT /v1/bookings/{booking_id}/answers"
LIST = "GET /v1/resources/{resource_id}/answers"


def shopper(stage: Stage) -> dict[str, str]:
    return {"Bespeak-Shopper": stage.api.token()}


async def ask(stage: Stage) -> None:
    """Has the show ask something that has to be answered."""
    questions = [{"id": "note", "text": "Anything else?", "required": True}]
    path = f"/v1/resources/{stage.show.id}"
    document(await stage.api.ask("PATCH", path, {"questions": questions}, key="ak"), 200)


def unknown(stage: Stage) -> list[dict[str, str]]:
    return [{"resource_id": stage.show.id, "question": "size", "answer": "L"}]


@refuses(CONFIRM, "answers_required")
async def a_booking_of_a_shopper_who_answered_nothing(stage: Stage) -> Request:
    await ask(stage)
    hold = await stage.api.hold(stage.show, "A1")
    return Request("POST", "/v1/bookings", {"hold_id": hold["id"]}, "pk", shopper(stage))


@refuses(CONFIRM, "answer_invalid", reason="unknown_question")
async def a_booking_with_an_answer_to_what_is_not_asked(stage: Stage) -> Request:
    hold = await stage.api.hold(stage.show, "A1")
    return Request("POST", "/v1/bookings", {"hold_id": hold["id"], "answers": unknown(stage)})


@refuses(READ, "invalid_id")
async def answers_of_what_is_no_booking(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings/nothing/answers")


@refuses(READ, "booking_not_found")
async def answers_of_a_booking_that_there_is_not(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings/{NO_BOOKING}/answers")


@refuses(READ, "not_owner")
async def answers_of_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", owner="bela")
    path = f"/v1/bookings/{booking['id']}/answers"
    return Request("GET", path, None, "pk", shopper(stage))


@refuses(CORRECT, "invalid_id")
async def a_correction_of_what_is_no_booking(stage: Stage) -> Request:
    return Request("PUT", "/v1/bookings/nothing/answers", {"answers": []})


@refuses(CORRECT, "booking_not_found")
async def a_correction_of_a_booking_that_there_is_not(stage: Stage) -> Request:
    return Request("PUT", f"/v1/bookings/{NO_BOOKING}/answers", {"answers": []})


@refuses(CORRECT, "not_owner")
async def a_correction_of_anothers_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1", owner="bela")
    path = f"/v1/bookings/{booking['id']}/answers"
    return Request("PUT", path, {"answers": []}, "pk", shopper(stage))


@refuses(CORRECT, "booking_cancelled")
async def a_correction_of_a_cancelled_booking(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    document(await stage.api.ask("DELETE", f"/v1/bookings/{booking['id']}", {}), 200)
    return Request("PUT", f"/v1/bookings/{booking['id']}/answers", {"answers": []})


@refuses(CORRECT, "answers_required")
async def a_correction_that_leaves_out_what_is_required(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    await ask(stage)
    path = f"/v1/bookings/{booking['id']}/answers"
    return Request("PUT", path, {"answers": []}, "pk", shopper(stage))


@refuses(CORRECT, "version_mismatch", version=0)
async def a_correction_of_a_version_that_there_is_not(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    path = f"/v1/bookings/{booking['id']}/answers"
    return Request("PUT", path, {"answers": [], "version": 7})


@refuses(CORRECT, "answer_invalid", reason="unknown_question")
async def a_correction_with_an_answer_to_what_is_not_asked(stage: Stage) -> Request:
    booking = await stage.api.booking(stage.show, "A1")
    path = f"/v1/bookings/{booking['id']}/answers"
    return Request("PUT", path, {"answers": unknown(stage)})


@refuses(LIST, "invalid_id")
async def a_list_of_answers_of_what_is_no_resource(stage: Stage) -> Request:
    return Request("GET", "/v1/resources/nothing/answers")


@refuses(LIST, "resource_not_found")
async def a_list_of_answers_of_a_resource_that_there_is_not(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{NO_RESOURCE}/answers")


@refuses(LIST, "invalid_cursor")
async def a_list_of_answers_after_what_is_no_cursor(stage: Stage) -> Request:
    return Request("GET", f"/v1/resources/{stage.show.id}/answers?after=1-{'0' * 31}x")
