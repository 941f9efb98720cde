"""Questions at checkout: asked of shoppers before anything is booked or paid, kept with the hold,
corrected afterwards, and listed for who sells.
"""

import csv
import io
from typing import cast

import pytest

from bespeak import Resource
from bespeak.inventory.questions import CheckoutQuestion
from bespeak.inventory.resources import Price
from tests.harness.paying import PRICE
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, Request, document, line, problem
from tests.http.test_consents import confirming
from tests.http.test_payments import api as api  # noqa: PLC0414
from tests.http.test_personal_data import work

MEAL = CheckoutQuestion(
    id="meal", text="Which meal?", choices=("Soup", "Salad"), per="ticket", required=True
)
NOTE = CheckoutQuestion(id="note", text="Anything else?")
TERRIBLE = CheckoutQuestion(id="formula", text="=1+1")


@pytest.fixture
async def show(make_show: MakeShow) -> Resource:
    return await make_show(questions=(MEAL, NOTE))


def answer(
    show: Resource, question: str, said: str, ticket: int | None = None
) -> dict[str, str | int | None]:
    return {"resource_id": show.id, "question": question, "ticket": ticket, "answer": said}


def meals(show: Resource, *said: str) -> list[dict[str, str | int | None]]:
    return [answer(show, "meal", one, ticket) for ticket, one in enumerate(said, start=1)]


async def kept(api: Api, booking: Json) -> list[Json]:
    found = await api.get(f"/v1/bookings/{booking['id']}/answers")
    return cast("list[Json]", found["answers"])


def correcting(api: Api, booking: Json, answers: object, owner: str = "asha") -> Request:
    path = f"/v1/bookings/{booking['id']}/answers"
    return Request("PUT", path, {"answers": answers}, "pk", {"Bespeak-Shopper": api.token(owner)})


async def rows_of(api: Api) -> int:
    return int(await api.connection.fetchval("select count(*) from bespeak.checkout_answers"))


async def test_without_answers_nothing_is_booked_or_paid(api: Api, make_show: MakeShow) -> None:
    free = await make_show(questions=(MEAL,))
    paid = await make_show(payment="required", price=Price(PRICE, "EUR"), questions=(MEAL,))
    for show, token in ((free, None), (paid, "tok_success")):
        hold = await api.hold(show, "A1", "A2")
        for said in (None, [], meals(show, "Soup")):
            asked = confirming(api, hold, payment_token=token, answers=said)
            first = 2 if said else 1
            missing = [
                {"resource_id": show.id, "question": "meal", "ticket": ticket}
                for ticket in range(first, 3)
            ]
            problem(await api.send(asked), "answers_required", questions=missing)
        assert (await api.get(f"/v1/holds/{hold['id']}"))["state"] == "held"
    for table in ("booking", "payment", "checkout_answers"):
        assert await api.connection.fetchval(f"select count(*) from bespeak.{table}") == 0


async def test_who_answers_books_and_it_is_kept(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1", "A2")
    said = [*meals(show, "Soup", "Salad"), answer(show, "note", "No nuts, please")]
    booking = document(await api.send(confirming(api, hold, answers=said)), 201)
    assert await kept(api, booking) == said
    path = f"/v1/bookings/{booking['id']}/answers"
    own = Request("GET", path, None, "pk", {"Bespeak-Shopper": api.token("asha")})
    assert document(await api.send(own), 200)["answers"] == said


@pytest.mark.parametrize(
    ("question", "said", "ticket", "reason"),
    [
        ("size", "L", None, "unknown_question"),
        ("note", "Hi", 1, "not_of_a_ticket"),
        ("meal", "Soup", None, "no_such_ticket"),
        ("meal", "Soup", 3, "no_such_ticket"),
        ("meal", "Steak", 1, "not_a_choice"),
        ("note", "   ", None, "blank"),
        ("meal", "Salad", 2, "twice"),
    ],
)
async def test_what_is_no_answer_is_refused(
    api: Api, show: Resource, question: str, said: str, ticket: int | None, reason: str
) -> None:
    hold = await api.hold(show, "A1", "A2")
    wrong = [*meals(show, "Soup", "Salad"), answer(show, question, said, ticket)]
    if reason in ("not_a_choice", "no_such_ticket"):
        wrong = wrong[2:]
    asked = confirming(api, hold, answers=wrong)
    named = {"field": "answers", "reason": reason, "resource_id": show.id, "question": question}
    of_ticket = {} if ticket is None else {"ticket": ticket}
    problem(await api.send(asked), "answer_invalid", **named, **of_ticket)
    assert await rows_of(api) == 0


async def test_tickets_are_counted_over_the_lines_of_each_resource(
    api: Api, make_show: MakeShow
) -> None:
    first, second = await make_show(), await make_show(questions=(MEAL, NOTE))
    lines = [line(first, "A1"), line(second, "A1"), line(second, "A2")]
    placed = await api.ask("POST", "/v1/holds", {"owner": "asha", "lines": lines})
    hold = document(placed, 201)
    wrong = confirming(api, hold, answers=[answer(second, "meal", "Soup", 1)])
    problem(await api.send(wrong), "answer_invalid", reason="no_such_ticket")
    said = [answer(second, "meal", "Soup", ticket) for ticket in (2, 3)]
    booking = document(await api.send(confirming(api, hold, answers=said)), 201)
    assert await kept(api, booking) == said


async def test_servers_answer_for_themselves(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1")
    assert await kept(api, booking) == []
    hold = await api.hold(show, "A2")
    body = {"hold_id": hold["id"], "answers": meals(show, "Steak")}
    problem(await api.ask("POST", "/v1/bookings", body), "answer_invalid")
    body["answers"] = meals(show, "Soup")
    booked = document(await api.ask("POST", "/v1/bookings", body), 201)
    assert await kept(api, booked) == meals(show, "Soup")


async def test_another_card_needs_no_new_answers(api: Api, make_show: MakeShow) -> None:
    show = await make_show(payment="required", price=Price(PRICE, "EUR"), questions=(MEAL,))
    hold = await api.hold(show, "A1")
    declined = confirming(api, hold, payment_token="tok_declined", answers=meals(show, "Soup"))
    problem(await api.send(declined), "payment_declined")
    booking = document(await api.send(confirming(api, hold, payment_token="tok_success")), 201)
    assert await kept(api, booking) == meals(show, "Soup")


async def test_a_repeat_is_answered_and_changes_nothing(api: Api, show: Resource) -> None:
    """The reply was lost, and the page asks again, with other answers by then."""
    hold = await api.hold(show, "A1")
    for said in ("Soup", "Salad"):
        asked = confirming(api, hold, answers=meals(show, said))
        headers = {**asked.headers, "Idempotency-Key": "k"}
        keyed = Request(asked.method, asked.path, asked.body, "pk", headers)
        booking = document(await api.send(keyed), 201)
    assert await kept(api, booking) == meals(show, "Soup")


async def test_nobody_answers_for_another(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1", owner="asha")
    asked = confirming(api, hold, owner="bela", answers=meals(show, "Soup"))
    problem(await api.send(asked), "not_owner")
    assert await rows_of(api) == 0
    booking = await api.booking(show, "A2")
    problem(await api.send(correcting(api, booking, [], owner="bela")), "not_owner")


async def test_answers_are_corrected_as_long_as_the_booking_stands(
    api: Api, show: Resource
) -> None:
    hold = await api.hold(show, "A1", "A2")
    said = meals(show, "Soup", "Soup")
    booking = document(await api.send(confirming(api, hold, answers=said)), 201)
    problem(await api.send(correcting(api, booking, [])), "answers_required")
    problem(
        await api.send(correcting(api, booking, meals(show, "Steak", "Soup"))), "answer_invalid"
    )
    assert await kept(api, booking) == said
    better = meals(show, "Soup", "Salad")
    document(await api.send(correcting(api, booking, better)), 200)
    assert await kept(api, booking) == better
    await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {})
    problem(await api.send(correcting(api, booking, said)), "booking_cancelled")
    assert await kept(api, booking) == better


async def test_for_what_was_given_back_nobody_need_answer(api: Api, show: Resource) -> None:
    booking = await api.booking(show, "A1", "A2")
    line = {"resource_id": show.id, "unit": "A2"}
    document(await api.ask("DELETE", f"/v1/bookings/{booking['id']}", {"lines": [line]}), 200)
    document(await api.send(correcting(api, booking, meals(show, "Soup"))), 200)


async def test_answers_are_listed_with_a_row_for_each_ticket(api: Api, make_show: MakeShow) -> None:
    show = await make_show(questions=(MEAL, NOTE, TERRIBLE))
    hold = await api.hold(show, "A1", "A2")
    said = [*meals(show, "Soup", "Salad"), answer(show, "note", "=cmd()")]
    contact = {"email": "asha@example.com", "name": "Asha Rao"}
    booking = document(await api.send(confirming(api, hold, answers=said, contact=contact)), 201)
    other = await api.booking(show, "A3", owner="bela")
    gone = await api.booking(show, "A4", owner="cara")
    document(await api.ask("DELETE", f"/v1/bookings/{gone['id']}", {}), 200)
    path = f"/v1/resources/{show.id}/answers"
    found = await api.get(path)
    latest, first = cast("list[Json]", found["items"])
    assert (latest["booking_id"], latest["answers"]) == (other["id"], [])
    assert (first["booking_id"], first["answers"]) == (booking["id"], said)
    assert first["contact"] == contact
    page = await api.get(f"{path}?limit=1")
    rest = await api.get(f"{path}?limit=1&after={page['next']}")
    assert [*cast("list[Json]", page["items"]), *cast("list[Json]", rest["items"])] == [
        latest,
        first,
    ]
    assert rest["next"] is None
    text = (await api.ask("GET", f"{path}?format=csv")).content.decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head[3:] == [
        "name",
        "e-mail",
        "phone",
        "ticket",
        "unit",
        "Which meal?",
        "Anything else?",
        "'=1+1",
    ]
    assert [row[3:] for row in rows] == [
        ["", "", "", "1", "A3", "", "", ""],
        ["Asha Rao", "asha@example.com", "", "1", "A1", "Soup", "'=cmd()", ""],
        ["Asha Rao", "asha@example.com", "", "2", "A2", "Salad", "'=cmd()", ""],
    ]


async def test_answers_are_exported_and_erased(api: Api, show: Resource) -> None:
    hold = await api.hold(show, "A1")
    said = meals(show, "Soup")
    document(await api.send(confirming(api, hold, answers=said)), 201)
    (item,) = cast("list[Json]", (await api.get("/v1/personal-data?owner=asha"))["items"])
    assert item["answers"] == said
    erasure = {"owner": "asha", "including_upcoming": True}
    document(await api.ask("POST", "/v1/erasures", erasure), 202)
    await work(api)
    assert await rows_of(api) == 0


async def test_questions_are_checked(api: Api, show: Resource) -> None:
    meal = {"id": "meal", "text": "Which meal?"}
    for wrong in (
        [meal, meal],
        [{**meal, "choices": ["Soup", "Soup"]}],
        [{**meal, "id": "The meal"}],
        [{**meal, "text": ""}],
        [{**meal, "id": f"q{number}"} for number in range(21)],
    ):
        body = {"questions": wrong}
        problem(
            await api.ask("PATCH", f"/v1/resources/{show.id}", body, key="ak"), "invalid_request"
        )
    changed = await api.ask("PATCH", f"/v1/resources/{show.id}", {"questions": [meal]}, key="ak")
    whole = {**meal, "choices": [], "per": "booking", "required": False}
    assert document(changed, 200)["questions"] == [whole]
