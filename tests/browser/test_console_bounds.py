"""What the console shows to whom: people who are bound to a show, names of those who did something,
and links to a show's calendar.
"""

from datetime import datetime, timedelta

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, fresh_show, log_in
from tests.browser.test_console_accounts import PASSWORD, invited


async def set_up(page: Page, office: Office, link: str) -> None:
    """Logs an invited operator in."""
    await page.goto(f"{office.url}/console/set-up#{link.partition('#')[2]}")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Set a password").click()
    await expect(page.get_by_role("navigation").first).to_be_visible()


async def test_somebody_is_invited_for_one_show(open_page: OpenPage, office: Office) -> None:
    show, other = fresh_show(office), fresh_show(office)
    page = await open_page()
    await log_in(page, office, "/console/operators")
    await page.get_by_role("button", name="Invite somebody").click()
    dialog = page.get_by_role("dialog")
    login = f"bela-{show}"
    await dialog.get_by_label("Name", exact=True).fill("Bela Horn")
    await dialog.get_by_label("Name or e-mail").fill(login)
    await dialog.get_by_label("Manager").check()
    await dialog.get_by_label("Only for").fill(f"{show} cinema/cin_x")
    await expect(dialog.get_by_text("Either resources, or one place")).to_be_visible()
    invite = dialog.get_by_role("button", name="Invite somebody")
    await expect(invite).to_be_disabled()
    await dialog.get_by_label("Only for").fill(show)
    await check_accessible(page)
    await invite.click()
    link = await page.get_by_text("/console/set-up#opl_").inner_text()
    await page.get_by_role("button", name="I have stored it").click()
    row = page.get_by_role("row").filter(has_text=login)
    await expect(row).to_contain_text(show)

    own = await open_page(phone=True)
    asked: list[str] = []
    own.on("request", lambda request: asked.append(request.url))
    await set_up(own, office, link)
    await own.goto("/console/work")
    await expect(own.get_by_role("heading", name="Work", level=1)).to_be_visible()
    await expect(own.locator(".skeleton")).to_have_count(0)
    await expect(own.get_by_role("heading", name="Budgets")).to_have_count(0)
    assert not [url for url in asked if "/v1/budgets" in url]
    await own.goto(f"/console/shows/{show}")
    await expect(own.get_by_role("heading", level=1)).to_contain_text("The Lantern")
    await own.goto(f"/console/shows/{other}")
    await expect(own.get_by_role("alert")).to_be_visible()

    await row.get_by_role("button", name="Change role").click()
    await dialog.get_by_label("Only for").fill(f"{show}, {other}")
    await dialog.get_by_role("button", name="Change role").click()
    await expect(row).to_contain_text(other)


async def test_who_is_bound_to_nothing_sees_the_budgets(page: Page, office: Office) -> None:
    await log_in(page, office, "/console/work")
    await expect(page.get_by_role("heading", name="Budgets")).to_be_visible()


async def test_an_operator_is_told_by_name(open_page: OpenPage, office: Office) -> None:
    booking = buy(office, fresh_show(office), ["A1"])
    page = await open_page()
    await set_up(page, office, invited(office)[1])
    await page.goto(f"/console/bookings/{booking}")
    await page.get_by_role("button", name="Cancel and refund").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Cancel, give back").click()
    await expect(page.get_by_text("Cancelled").first).to_be_visible()
    await expect(page.get_by_text("Asha Rao").last).to_be_visible()
    await expect(page.get_by_text("opr_")).to_have_count(0)


async def test_a_link_to_the_calendar_is_made_and_shown_once(
    open_page: OpenPage, office: Office
) -> None:
    show = fresh_show(office)
    buy(office, show, ["A1"])
    page = await open_page(phone=True, color_scheme="dark")
    await log_in(page, office, f"/console/shows/{show}")
    await page.get_by_role("button", name="Make a link").click()
    dialog = page.get_by_role("dialog")
    make = dialog.get_by_role("button", name="Make a link")
    await expect(make).to_be_disabled()
    await dialog.get_by_label("Name", exact=True).fill("the caretaker's phone")
    await dialog.get_by_label("Ends on").fill("2020-01-01")
    await expect(dialog.get_by_text("This day has begun already")).to_be_visible()
    await expect(make).to_be_disabled()
    ends = datetime.now().astimezone() + timedelta(days=30)
    await dialog.get_by_label("Ends on").fill(f"{ends:%Y-%m-%d}")
    await check_accessible(page)
    await make.click()
    address = await page.get_by_text("/calendar.ics?token=").inner_text()
    await check_accessible(page)
    stranger = await open_page()
    read = await stranger.request.get(address)
    assert "BEGIN:VEVENT" in await read.text()
    await page.get_by_role("button", name="I have stored it").click()
    await expect(page.get_by_text("/calendar.ics?token=")).to_have_count(0)
    await expect(page.get_by_text("the caretaker's phone").first).to_be_visible()
    assert "the caretaker" in str(office.call("GET", f"/v1/calendar-links?resource_id={show}"))
