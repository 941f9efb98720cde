"""The door of the console: who comes in, what is kept of the key, and how a session ends."""

import re
from urllib.parse import urlsplit

from playwright.async_api import Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import choose_key, enter_key, fresh_show, log_in_by_form

KEPT = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"


async def test_a_wrong_key_is_said_and_lets_nobody_in(page: Page) -> None:
    await page.goto("/console")
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await check_accessible(page)
    await choose_key(page)
    await page.get_by_role("button", name="Log in", exact=True).click()
    await expect(page.get_by_role("alert")).to_contain_text("Paste your admin key")
    await enter_key(page, "ak_nosuchkeynosuchkeynosuchkeynosu")
    await expect(page.get_by_role("alert")).to_contain_text("not known here")
    await expect(page.get_by_label("Admin key")).to_have_value("")
    await check_accessible(page)


async def test_another_kind_of_key_is_not_even_sent(page: Page, office: Office) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    await page.goto("/console")
    await enter_key(page, office.keys["pk"])
    await expect(page.get_by_role("alert")).to_contain_text("ak_")
    assert "/v1/console/session" not in asked


async def test_a_key_in_the_first_field_is_a_key(page: Page, office: Office) -> None:
    await page.goto("/console")
    await page.get_by_label("Name or e-mail").fill(office.keys["ak"])
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).not_to_have_text("Welcome back")


async def test_the_page_keeps_nothing_of_the_key(page: Page, office: Office) -> None:
    await log_in_by_form(page, office)
    kept = await page.evaluate(KEPT)
    assert office.keys["ak"] not in kept
    assert "ak_" not in kept
    cookies = {cookie.get("name"): cookie for cookie in await page.context.cookies()}
    session = cookies["bespeak_console"]
    assert session.get("httpOnly") is True
    assert session.get("sameSite") == "Strict"
    assert office.keys["ak"] not in str(session.get("value"))


async def test_a_session_survives_a_reload_and_ends_with_logout(
    open_page: OpenPage, office: Office
) -> None:
    page = await open_page()
    await log_in_by_form(page, office, "/console/keys")
    await page.reload()
    await expect(page.get_by_role("heading", name="Keys", level=1)).to_be_visible()
    old = await page.context.cookies()
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_label("Name or e-mail")).to_be_visible()
    await expect(page.get_by_text("You are logged out")).to_be_visible()
    # A copy of the cookie that somebody may have made is worth nothing any more.
    await page.context.add_cookies([cookie for cookie in old if cookie.get("name")])  # type: ignore[misc]
    # A worker that served the session may trust it for some seconds more.
    for _ in range(100):
        answer = await page.request.get("/v1/keys")
        if answer.status == 401:
            break
        await page.wait_for_timeout(200)
    assert answer.status == 401


async def test_a_logout_leaves_nothing_of_it_in_the_page(page: Page, office: Office) -> None:
    """Neither what was shown nor a way back to it: others use this browser too."""
    name = "shown before the logout"
    office.call("POST", "/v1/keys", {"kind": "secret", "name": name})
    await log_in_by_form(page, office, "/console/keys")
    await expect(page.get_by_text(name).first).to_be_visible()
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_label("Name or e-mail")).to_be_visible()
    assert name not in await page.content()
    kept = await page.evaluate(KEPT)
    assert name not in kept and "bespeak.console.open" not in kept
    await page.goto("/")
    await page.go_back()
    await expect(page.get_by_label("Name or e-mail")).to_be_visible()
    assert name not in await page.content()


async def test_who_is_logged_out_comes_back_to_where_they_were(page: Page, office: Office) -> None:
    made = office.call("POST", "/v1/keys", {"kind": "admin", "name": "short-lived"})
    details = made["details"]
    assert isinstance(details, dict)
    await page.goto("/console/shows?q=nothing-like-this")
    await enter_key(page, str(made["key"]))
    await expect(page.get_by_text("No shows found")).to_be_visible()
    office.call("DELETE", f"/v1/keys/{details['id']}")
    # Within seconds, says the reference; and the page asks every few seconds.
    await expect(page.get_by_text("Your session is over")).to_be_visible()
    await check_accessible(page)
    await enter_key(page, office.keys["ak"])
    await expect(page.get_by_role("searchbox")).to_have_value("nothing-like-this")
    await expect(page).to_have_url(re.compile(r"/console/shows\?q=nothing-like-this"))


async def test_a_form_of_another_site_changes_nothing(page: Page, office: Office) -> None:
    await log_in_by_form(page, office)
    show = fresh_show(office)
    forms = (
        f'<form method="post" enctype="text/plain" action="{office.url}/v1/resources/{show}/'
        f'cancellation"><input name=\'{{"reason": "theirs", "x": "\' value=\'"}}\'></form>'
    )

    async def other_site(route: object) -> None:
        await route.fulfill(content_type="text/html", body=forms)  # type: ignore[attr-defined]

    await page.context.route("http://elsewhere.example/", other_site)
    theirs = await page.context.new_page()
    await theirs.goto("http://elsewhere.example/")
    async with theirs.expect_navigation(url=re.compile("/cancellation")) as sent:
        await theirs.evaluate("document.forms[0].submit()")
    answer = await sent.value
    assert answer is not None
    assert answer.status in {401, 403, 415}
    assert office.send("GET", f"/v1/resources/{show}/cancellation").status_code == 404
    assert office.call("GET", f"/v1/resources/{show}")["state"] == "open"


async def test_without_the_token_the_cookie_alone_changes_nothing(
    page: Page, office: Office
) -> None:
    await log_in_by_form(page, office)
    show = fresh_show(office)
    status = await page.evaluate(
        """async (path) => (await fetch(path, {
          method: "PATCH",
          headers: {"content-type": "application/json"},
          body: '{"state": "closed"}',
        })).status""",
        f"/v1/resources/{show}",
    )
    assert status == 403
    assert office.call("GET", f"/v1/resources/{show}")["state"] == "open"


async def test_the_console_may_not_be_framed(page: Page) -> None:
    answer = await page.goto("/console")
    assert answer is not None
    assert answer.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
