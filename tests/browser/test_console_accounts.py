"""People at the console: the link that sets up a login, passkeys and passwords, their own account,
other operators, and the proof that is asked for again.
"""

import re
import uuid

import pytest_asyncio
from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import buy, fresh_show

PASSWORD = "correct horse battery"


def invited(office: Office, role: str = "owner") -> tuple[str, str]:
    """A new operator: what they log in with, and their link."""
    login = f"{role}-{uuid.uuid4().hex[:8]}@example.com"
    body = {"login": login, "name": "Asha Rao", "role": role}
    return login, str(office.call("POST", "/v1/operators", body)["link"])


def at_localhost(office: Office, link: str) -> str:
    """Browsers have passkeys for names, and the server is at an address."""
    return f"{office.url.replace('127.0.0.1', 'localhost')}/console/set-up#{link.partition('#')[2]}"


@pytest_asyncio.fixture(loop_scope="session")
async def own_page(open_page: OpenPage, office: Office) -> Page:
    """A page of a browser with a device that has passkeys, at the name of this machine. The device
    says yes at once, also to what the browser only offers in a form: so it offers nothing there."""
    page = await open_page(base_url=office.url.replace("127.0.0.1", "localhost"))
    await page.add_init_script(
        "PublicKeyCredential.isConditionalMediationAvailable = async () => false"
    )
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable", {"enableUI": False})
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


async def test_a_passkey_is_made_by_the_link_and_logs_in(own_page: Page, office: Office) -> None:
    page = own_page
    _, link = invited(office)
    await page.goto(at_localhost(office, link))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Hello, Asha Rao")
    await expect(page).not_to_have_url(re.compile("#"))  # the secret does not stay in it
    await check_accessible(page)
    await page.get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()
    await page.get_by_role("button", name="Log out").click()
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()
    await page.goto(at_localhost(office, link))
    await expect(page.get_by_text("This link was used already")).to_be_visible()
    await check_accessible(page)


async def test_a_password_logs_in_and_the_account_is_kept(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page(phone=True)
    login, link = invited(office)
    await page.goto(f"{office.url}/console/set-up#{link.partition('#')[2]}")
    await page.get_by_label("Password").fill("short")
    await page.get_by_role("button", name="Set a password").click()
    await expect(page.get_by_role("alert")).to_contain_text("12")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Set a password").click()
    await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()
    other = await open_page("/console")
    await other.get_by_label("Name or e-mail").fill(login)
    await other.get_by_label("Password").fill("not the one that it is")
    await other.get_by_role("button", name="Log in", exact=True).click()
    await expect(other.get_by_role("alert")).to_contain_text("not right")
    await check_accessible(other)
    await other.get_by_label("Password").fill(PASSWORD)
    await other.get_by_role("button", name="Log in", exact=True).click()
    await expect(other.get_by_role("heading", name="Today", level=1)).to_be_visible()
    await page.goto("/console/account")
    await expect(page.get_by_text("This one")).to_be_visible()
    await check_accessible(page)
    # An open page would notice by itself, and say so once only: it is told when it comes back.
    await other.goto("about:blank")
    await page.get_by_role("button", name="End", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    await expect(page.get_by_role("button", name="End", exact=True)).to_have_count(0)
    await other.goto(f"{office.url}/console")
    await expect(other.get_by_text("Your session is over")).to_be_visible()


async def test_an_owner_invites_and_disables(own_page: Page, office: Office) -> None:
    page = own_page
    await page.goto(at_localhost(office, invited(office)[1]))
    await page.get_by_role("button", name="Add a passkey").click()
    await page.get_by_role("link", name="Operators").click()
    await page.get_by_role("button", name="Invite somebody").click()
    login = f"bela-{uuid.uuid4().hex[:8]}"
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill("Bela Horn")
    await dialog.get_by_label("Name or e-mail").fill(login)
    await check_accessible(page)
    await dialog.get_by_role("button", name="Invite somebody").click()
    await expect(page.get_by_text("/console/set-up#opl_")).to_be_visible()
    await page.get_by_role("button", name="I have stored it").click()
    row = page.get_by_role("row").filter(has_text=login)
    await expect(row).to_contain_text("Invited")
    await row.get_by_role("button", name="Disable").click()
    await page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    await expect(row).to_contain_text("Disabled")
    await check_accessible(page)


async def test_a_great_refund_asks_again(own_page: Page, office: Office) -> None:
    page = own_page
    show = fresh_show(office, price={"amount": 20_000, "currency": "EUR"})
    booking = buy(office, show, ["A1"])
    await page.goto(at_localhost(office, invited(office, "seller")[1]))
    await page.get_by_text("Use a password instead").click()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Set a password").click()
    await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()
    await page.goto(f"/console/bookings/{booking}")
    # A password alone is no proof: a passkey is set up first.
    await cancel(page)
    await expect(page.get_by_text("This needs a passkey or an authenticator app")).to_be_visible()
    await check_accessible(page)
    await page.get_by_role("button", name="My account").click()
    await page.get_by_role("button", name="Add a passkey").click()
    await page.get_by_role("dialog").get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_text("The passkey is added")).to_be_visible()
    await page.goto(f"/console/bookings/{booking}")
    await cancel(page)
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_text("Cancelled").first).to_be_visible()


async def cancel(page: Page) -> None:
    """Cancels the booking of the page."""
    await page.get_by_role("button", name="Cancel and refund").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Cancel, give back").click()
