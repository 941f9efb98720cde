"""Questions at checkout, at the console: written for a show and for an event's date, translated,
and what was answered seen and corrected.
"""

from __future__ import annotations

from typing import cast

from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.operating import buy, fresh_show, log_in
from tests.browser.programme import days_on, make_date, make_event, make_programme

MEAL = {
    "id": "which-meal",
    "text": "Which meal?",
    "choices": ["Soup", "Salad"],
    "per": "ticket",
    "required": True,
}


def panel_of(page: Page, title: str) -> Locator:
    return page.locator("section", has=page.get_by_role("heading", name=title, exact=True))


async def write_meal(page: Page) -> None:
    """Writes the question of the meal, first with what cannot be saved."""
    panel = panel_of(page, "Questions at checkout")
    await panel.get_by_role("button", name="Change questions").click()
    await panel.get_by_role("button", name="Add a question").click()
    first = panel.get_by_role("group", name="Question 1")
    await first.get_by_label("Answered by").select_option("A choice")
    await panel.get_by_role("button", name="Save questions").click()
    await expect(first.get_by_text("What is asked?")).to_be_visible()
    await expect(first.get_by_text("Write 1 to 50 choices")).to_be_visible()
    await first.get_by_label("Question", exact=True).fill("Which meal?")
    await first.get_by_label("Choices").fill("Soup\nSalad")
    await first.get_by_label("Asked").select_option("For each ticket")
    await first.get_by_label("Has to be answered").check()
    await panel.get_by_text("In other languages").click()
    await panel.get_by_label("Which meal? (Deutsch)").fill("Welches Essen?")
    await check_accessible(page)
    await panel.get_by_role("button", name="Save questions").click()
    await expect(page.get_by_text("The questions are saved.")).to_be_visible()
    told = panel.get_by_text("For each ticket · Has to be answered · Soup, Salad")
    await expect(told).to_be_visible()


def german(found: Json) -> object:
    words = {
        one["language"]: one["words"] for one in cast("list[Json]", found.get("translations", []))
    }
    return cast("Json", words["de"])["Which meal?"]


async def test_a_question_of_a_show_is_written_and_its_answer_corrected(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    page = await open_page()
    await log_in(page, office, f"/console/shows/{show}")
    await write_meal(page)
    found = office.call("GET", f"/v1/resources/{show}")
    assert found["questions"] == [MEAL]
    assert german(found) == "Welches Essen?"

    booking = buy(office, show, ["A1", "A2"])
    path = f"/v1/bookings/{booking}/answers"
    soup = {"resource_id": show, "question": "which-meal", "ticket": 1, "answer": "Soup"}
    office.call("PUT", path, {"answers": [soup]})
    await page.goto(f"/console/bookings/{booking}")
    answers = panel_of(page, "Answers")
    await expect(answers).to_contain_text("Which meal? · ticket 1")
    await answers.get_by_role("button", name="Change answers").click()
    await answers.get_by_label("Which meal? · ticket 2").select_option("Salad")
    await check_accessible(page)
    await answers.get_by_role("button", name="Save answers").click()
    await expect(page.get_by_text("The answers are saved.")).to_be_visible()
    salad = {**soup, "ticket": 2, "answer": "Salad"}
    assert office.call("GET", path)["answers"] == [soup, salad]

    await page.goto(f"/console/shows/{show}")
    questions = panel_of(page, "Questions at checkout")
    async with page.expect_download() as downloading:
        await questions.get_by_role("link", name="CSV").click()
    download = await downloading.value
    assert download.suggested_filename == "answers.csv"


async def test_the_questions_of_a_date_go_along_to_the_next(
    open_page: OpenPage, office: Office
) -> None:
    made = make_programme(office)
    event = make_event(office, "Supper with Strings")
    date = make_date(office, made, event, "seated", days_on(5))
    page = await open_page()
    await log_in(page, office, f"/console/programme/dates/{date}")
    await write_meal(page)
    found = office.call("GET", f"/v1/programme/performances/{date}")
    assert found["questions"] == [MEAL]
    assert german(found) == "Welches Essen?"
    assert german(office.call("GET", f"/v1/resources/{date}")) == "Welches Essen?"
    await page.goto(f"/console/programme/events/{event}/new-date")
    await page.get_by_label("Begins").fill(days_on(6))
    await page.get_by_role("button", name="Make the date").click()
    await page.wait_for_url("**/console/programme/dates/res_*")
    copy = page.url.rsplit("/", 1)[1]
    copied = office.call("GET", f"/v1/programme/performances/{copy}")
    assert copied["questions"] == [MEAL]
    assert german(copied) == "Welches Essen?"
    await page.goto(f"/console/shows/{date}")
    await page.get_by_role("link", name="Change questions on the date's page").click()
    await page.wait_for_url(f"**/console/programme/dates/{date}")
