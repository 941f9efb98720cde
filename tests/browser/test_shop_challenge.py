"""A visitor from whose network much is held: the page solves the challenge by itself, says so, and
the visitor goes on to the checkout.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import cast

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office, running_office
from tests.browser.operating import log_in
from tests.browser.shop import choose, go_on, make_show
from tests.browser.test_waiting_rooms import led_from, make_room, stage

WAIT_SECONDS_MAX = 30
ROUNDS = 8  # of new connections, each at a worker of two
OTHERS = 6  # who hold two each, so that the next two are asked about


@pytest.fixture(scope="module")
def strict_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A box office whose budgets are on."""
    with running_office(tmp_path_factory.mktemp("strict"), BESPEAK_BUDGETS="on") as made:
        yield made


# What the page says to all, also to who cannot see it. It says so for a moment only, and the
# challenge may be solved by then: whoever looks from outside can come too late.
LISTEN = """
said = [];
new MutationObserver(() => {
  for (const each of document.querySelectorAll("[role=status]")) said.push(each.textContent);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


def await_asked_everywhere(office: Office, show: str) -> None:
    """Waits until every worker asks: they tell each other some times a second what guests hold, and
    a connection stays with one of them."""
    minted = office.call("POST", "/v1/shopper-tokens", {"owner": "late"}, key="sk")
    lines = {"lines": [{"resource_id": show, "unit": "A1"}]}
    headers = {
        "Authorization": f"Bearer {office.keys['pk']}",
        "Bespeak-Shopper": str(minted["token"]),
    }
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    times = 0
    while times < ROUNDS:
        answer = httpx.post(f"{office.url}/v1/holds", json=lines, headers=headers)
        times = times + 1 if answer.status_code == 403 else 0
        if answer.is_success:
            hold_id = answer.json()["id"]
            httpx.delete(f"{office.url}/v1/holds/{hold_id}", headers=headers)
        assert time.monotonic() < deadline, answer.text


async def test_the_page_solves_a_challenge_by_itself(
    open_page: OpenPage, strict_office: Office
) -> None:
    show = make_show(strict_office)
    answers = []
    for number in range(OTHERS + 1):
        owner = f"neighbour-{number}"
        minted = strict_office.call("POST", "/v1/shopper-tokens", {"owner": owner}, key="sk")
        taken = [f"{'BC'[number % 2]}{2 * (number // 2) + seat}" for seat in (1, 2)]
        lines = [{"resource_id": show, "unit": unit} for unit in taken]
        answer = strict_office.send(
            "POST", "/v1/holds", {"lines": lines}, "pk", Bespeak_Shopper=str(minted["token"])
        )
        answers.append(answer.status_code)
    assert answers == [201] * OTHERS + [403]
    await_asked_everywhere(strict_office, show)
    page = await open_page(base_url=strict_office.url, phone=True)
    asked: list[str] = []
    page.on("request", lambda made: asked.append(made.headers.get("bespeak-challenge", "")))
    await page.add_init_script(LISTEN)
    await choose(page, show, "A5", "A6")
    await go_on(page)
    await expect(page.get_by_role("heading", name="Checkout")).to_be_visible()
    said = cast("list[str]", await page.evaluate("said"))
    assert any("checking your request" in one for one in said)
    assert [answer for answer in asked if answer], "it was asked, and answered"
    await check_accessible(page)


async def test_the_page_of_a_waiting_room_solves_one_by_itself(
    open_page: OpenPage, strict_office: Office
) -> None:
    """The operator asks everybody, at the console; who comes from a show joins all the same, and
    leaves again, after a question.
    """
    show = make_show(strict_office)
    room = make_room(strict_office, show)
    operator = await open_page(base_url=strict_office.url)
    await log_in(operator, strict_office, f"/console/waiting-rooms/{room}")
    everybody = operator.get_by_role("radio", name="Everybody")
    await expect(operator.get_by_role("radio", name="Nobody")).to_be_checked()
    await everybody.check()
    await operator.get_by_role("button", name="Change it").click()
    await expect(operator.get_by_text("That counts from the next second on.")).to_be_visible()
    await expect(everybody).to_be_checked()
    await check_accessible(operator)
    await_joins_asked_everywhere(strict_office, room)
    page = await open_page(base_url=strict_office.url, phone=True)
    answers: list[str] = []
    page.on("request", lambda made: answers.append(made.headers.get("bespeak-challenge", "")))
    await led_from(page, show, room)
    assert [answer for answer in answers if answer], "it was asked, and answered"
    await page.get_by_role("button", name="Leave the queue").click()
    dialog = page.get_by_role("dialog", name="Leave the queue?")
    await check_accessible(page)
    await dialog.get_by_role("button", name="Stay").click()
    await stage(page, "You are in")
    await page.get_by_role("button", name="Leave the queue").click()
    await dialog.get_by_role("button", name="Leave it").click()
    await stage(page, "There is a queue for these tickets")
    await page.reload()
    await stage(page, "There is a queue for these tickets")
    await check_accessible(page)


def await_joins_asked_everywhere(office: Office, room: str) -> None:
    """Waits until every worker asks whoever joins: each looks once a second."""
    minted = office.call("POST", "/v1/shopper-tokens", {"owner": "early"}, key="sk")
    headers = {
        "Authorization": f"Bearer {office.keys['pk']}",
        "Bespeak-Shopper": str(minted["token"]),
    }
    deadline = time.monotonic() + WAIT_SECONDS_MAX
    times = 0
    while times < ROUNDS:
        url = f"{office.url}/v1/waiting-rooms/{room}/queue-tokens"
        answer = httpx.post(url, json={}, headers=headers)
        times = times + 1 if answer.status_code == 403 else 0
        assert time.monotonic() < deadline, answer.text
