"""Questions at checkout: asked once and for each ticket, in the visitor's language, answered before
the order, and changed on the page of the booking.
"""

from __future__ import annotations

from typing import cast

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.shop import booked, hold, make_show, pay

MEAL = {
    "id": "meal",
    "text": "Which meal?",
    "choices": ["Soup", "Salad"],
    "per": "ticket",
    "required": True,
}
NOTE = {"id": "note", "text": "Anything else?"}
WORDS = {"Which meal?": "Welches Essen?", "Soup": "Suppe", "Salad": "Salat"}
GERMAN = {"language": "de", "words": WORDS}


def answers(office: Office, booking: Json) -> list[tuple[object, object, object]]:
    found = office.call("GET", f"/v1/bookings/{booking['id']}/answers")["answers"]
    return [(one["question"], one["ticket"], one["answer"]) for one in cast("list[Json]", found)]


async def test_a_meal_is_asked_for_each_ticket_and_changed_afterwards(
    open_page: OpenPage, office: Office
) -> None:
    show = make_show(office, questions=[MEAL, NOTE])
    page = await open_page()
    await hold(page, show, "A1", "A2")
    questions = page.get_by_role("region", name="A few questions")
    await questions.get_by_label("Anything else? (optional)").fill("A pram, please")
    first = questions.get_by_role("group", name="Ticket 1").get_by_label("Which meal?")
    second = questions.get_by_role("group", name="Ticket 2").get_by_label("Which meal?")
    await first.select_option("Soup")
    await pay(page)
    await expect(questions.get_by_text("Please answer this question.")).to_be_visible()
    await expect(second).to_be_focused()
    await check_accessible(page)
    await page.reload()  # what was typed stays
    await expect(first).to_have_value("Soup")
    await second.select_option("Salad")
    await pay(page)
    booking = await booked(page)
    said = [("note", None, "A pram, please"), ("meal", 1, "Soup"), ("meal", 2, "Salad")]
    assert answers(office, booking) == said

    mine = page.get_by_role("region", name="Your answers")
    await expect(mine).to_contain_text("A pram, please")
    await check_accessible(page)
    await mine.get_by_role("button", name="Change answers").click()
    await (
        mine.get_by_role("group", name="Ticket 2").get_by_label("Which meal?").select_option("Soup")
    )
    await mine.get_by_role("button", name="Save answers").click()
    await expect(page.get_by_text("Your answers are saved.")).to_be_visible()
    assert answers(office, booking) == [*said[:2], ("meal", 2, "Soup")]


async def test_a_question_that_is_new_is_asked_before_the_order(
    open_page: OpenPage, office: Office
) -> None:
    show = make_show(office, questions=[NOTE])
    page = await open_page(locale="de-DE")
    await page.goto(f"/shows/{show}?seats=A1")
    await page.get_by_role("button", name="Weiter").click()
    await page.wait_for_url("**/checkout/**")
    await expect(page.get_by_label("Anything else? (freiwillig)")).to_be_visible()
    change = {"questions": [MEAL], "translations": [GERMAN]}
    office.call("PATCH", f"/v1/resources/{show}", change)
    await page.locator("input[type=radio]").first.check(force=True)
    await page.get_by_role("button", name="zahlen").click()
    await expect(page.get_by_text("Fragen zu beantworten")).to_be_visible()
    meal = page.get_by_label("Welches Essen?")
    await meal.select_option(label="Suppe")
    await page.get_by_role("button", name="zahlen").click()
    await page.wait_for_url("**/bookings/bkg_*")
    await expect(page.get_by_role("region", name="Ihre Antworten")).to_contain_text("Suppe")
    booking: Json = {"id": page.url.rsplit("/", 1)[1].split("?")[0]}
    assert answers(office, booking) == [("meal", 1, "Soup")]
