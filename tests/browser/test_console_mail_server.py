"""What was typed at the console outlives the way to a proof of who one is: of the mail server and
of the payment provider, where secrets do not, of a new key, and of another role.
"""

from pathlib import Path

from playwright.async_api import Locator, Page, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.first_day import become_owner, empty_server, press
from tests.browser.screens import PHONE, fits, resize

_AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip
# The device says yes at once, also to what the browser only offers in a form.
_NO_OFFERS = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"
SECRET = "a secret of the mail server"
TYPED = {
    "Server": "mail.lantern.example",
    "Port": "2525",
    "User": "box",
    "Sender": "Box office <box@lantern.example>",
}
PROVIDER_SECRET, PUBLISHABLE = "sk_test_51Lantern7xQ2", "pk_test_51Lantern8uT1"
WHERE = "Only for"
AGAIN = "What you typed before is here again."
KEPT = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"


async def test_what_was_typed_outlives_the_way_to_a_passkey(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """The first owner has a password alone, which is no proof: they go and add a passkey."""
    with empty_server(tmp_path) as told:
        link = told.replace("127.0.0.1", "localhost")  # passkeys are for names
        page = await open_page(base_url=link.partition("/console")[0])
        await page.add_init_script(_NO_OFFERS)
        devices = await page.context.new_cdp_session(page)
        await devices.send("WebAuthn.enable", {"enableUI": False})
        await devices.send("WebAuthn.addVirtualAuthenticator", {"options": _AUTHENTICATOR})
        await become_owner(page, link)
        await type_key(page)
        await choose_role(page)
        await type_provider(page)
        await type_server(page)
        await add_a_passkey(page)
        await find_it_again(page)
        await find_key_again(page)
        await find_role_again(page)
        await find_provider_again(page)
        await page.get_by_role("link", name="Mails", exact=True).first.click()
        await discard_it(page)
        await is_not_for_another(page)
        await type_server(page)
        await press(page, "Log out")
        await expect(page.get_by_text("You are logged out.")).to_be_visible()
        assert "lantern.example" not in await page.evaluate(KEPT), "not for who comes next"
        await page.context.close()  # before its server goes


async def open_key(page: Page) -> Locator:
    await page.get_by_role("link", name="Keys", exact=True).first.click()
    await press(page, "Create a key")
    return page.get_by_role("dialog", name="Create a key")


async def type_key(page: Page) -> None:
    dialog = await open_key(page)
    await dialog.get_by_label("Name").fill("Door in the yard")
    await dialog.get_by_role("radio", name="Restricted").check()
    await dialog.get_by_role("checkbox", name="check in").check()
    await press_and_go(page, dialog, "Create a key")


async def find_key_again(page: Page) -> None:
    """The dialog as it was left, until the key is made."""
    dialog = await open_key(page)
    await expect(dialog.get_by_label("Name")).to_have_value("Door in the yard")
    await expect(dialog.get_by_role("radio", name="Restricted")).to_be_checked()
    await expect(dialog.get_by_role("checkbox", name="check in")).to_be_checked()
    await dialog.get_by_role("button", name="Create a key").click()
    await press(page, "I have stored it")
    assert "Door in the yard" not in await page.evaluate(KEPT)


async def open_role(page: Page) -> Locator:
    await page.get_by_role("link", name="Operators", exact=True).first.click()
    await page.get_by_role("button", name="Change role").click()
    return page.get_by_role("dialog")


async def choose_role(page: Page) -> None:
    """Their own: that is refused later, as they are the only owner."""
    dialog = await open_role(page)
    await dialog.get_by_label("Role").select_option("manager")
    await dialog.get_by_label(WHERE).fill("cinema/cin_00000001")
    await press_and_go(page, dialog, "Change role")


async def find_role_again(page: Page) -> None:
    dialog = await open_role(page)
    await expect(dialog.get_by_label("Role")).to_have_value("manager")
    await expect(dialog.get_by_label(WHERE)).to_have_value("cinema/cin_00000001")
    await press(page, "Back")


async def type_provider(page: Page) -> None:
    await page.get_by_role("link", name="Payments", exact=True).first.click()
    await page.get_by_label("Secret key").fill(PROVIDER_SECRET)
    await page.get_by_label("Publishable key").fill(PUBLISHABLE)
    await press_and_go(page, page, "Save")


async def find_provider_again(page: Page) -> None:
    """All but the secrets, until it is discarded."""
    await page.get_by_role("link", name="Payments", exact=True).first.click()
    publishable = page.get_by_label("Publishable key")
    await expect(publishable).to_have_value(PUBLISHABLE)
    await expect(page.get_by_label("Secret key")).to_have_value("")
    await expect(page.get_by_text(AGAIN)).to_be_visible()
    await expect(page.get_by_text("A key or a secret that you typed was not kept")).to_be_visible()
    await check_accessible(page)
    told = await page.evaluate(KEPT)
    assert PUBLISHABLE in told and PROVIDER_SECRET not in told
    await press(page, "Discard what I typed")
    await expect(publishable).to_have_value("")
    assert PUBLISHABLE not in await page.evaluate(KEPT)


async def press_and_go(page: Page, within: Page | Locator, name: str) -> None:
    """It needs a proof, and the way to one is another page."""
    await within.get_by_role("button", name=name, exact=True).click()
    await expect(page.get_by_text("This needs a passkey or an authenticator app.")).to_be_visible()
    await page.get_by_role("dialog").get_by_role("button", name="My account").click()
    await expect(page.get_by_role("heading", name="My account", level=1)).to_be_visible()


async def type_server(page: Page) -> None:
    await page.get_by_role("link", name="Mails", exact=True).first.click()
    for label, text in TYPED.items():
        await field(page, label).fill(text)
    await field(page, "Password").fill(SECRET)
    await has_typed(page, SECRET)


def field(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


async def has_typed(page: Page, password: str) -> None:
    for label, text in TYPED.items():
        await expect(field(page, label)).to_have_value(text)
    await expect(field(page, "Password")).to_have_value(password)


async def add_a_passkey(page: Page) -> None:
    await press(page, "Save the mail server")
    await expect(page.get_by_text("This needs a passkey or an authenticator app.")).to_be_visible()
    await page.get_by_role("dialog").get_by_role("button", name="My account").click()
    await press(page, "Add a passkey")
    await page.get_by_role("dialog").get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_text("The passkey is added").first).to_be_visible()


async def find_it_again(page: Page) -> None:
    """All but the password, also after a reload; and it can be saved."""
    await page.get_by_role("link", name="Mails", exact=True).first.click()
    await is_there_again(page)
    await page.reload()
    await is_there_again(page)
    await check_accessible(page)
    await resize(page, PHONE)
    await fits(page, PHONE)
    await page.set_viewport_size({"width": 1280, "height": 900})
    await field(page, "Password").fill(SECRET)
    await expect(page.get_by_text("Type the password again")).to_have_count(0)
    await press(page, "Save the mail server")
    await page.get_by_role("dialog").get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_text("Saved. Mails leave by it").first).to_be_visible()
    await expect(page.get_by_text(AGAIN)).to_have_count(0)
    assert "lantern.example" not in await page.evaluate(KEPT)


async def is_there_again(page: Page) -> None:
    await expect(page.get_by_text(AGAIN)).to_be_visible()
    await expect(page.get_by_text("Type the password again")).to_be_visible()
    await has_typed(page, "")
    told = await page.evaluate(KEPT)
    assert "mail.lantern.example" in told and SECRET not in told


async def discard_it(page: Page) -> None:
    await field(page, "Server").fill("other.lantern.example")
    await page.get_by_role("link", name="Today", exact=True).first.click()
    await expect(page.get_by_role("heading", name="Today", level=1)).to_be_visible()
    await page.get_by_role("link", name="Mails", exact=True).first.click()
    await expect(field(page, "Server")).to_have_value("other.lantern.example")
    await expect(page.get_by_text(AGAIN)).to_be_visible()
    await expect(page.get_by_text("Type the password again")).to_have_count(0)
    await press(page, "Discard what I typed")
    await expect(field(page, "Server")).to_have_value(TYPED["Server"])
    await expect(page.get_by_text(AGAIN)).to_have_count(0)
    assert "lantern.example" not in await page.evaluate(KEPT)


async def is_not_for_another(page: Page) -> None:
    """Who finds it in this tab, after a session that ended without a logout."""
    await field(page, "Server").fill("other.lantern.example")
    await expect(field(page, "Server")).to_have_value("other.lantern.example")
    await page.evaluate("""() => {
        const name = "bespeak.console.typed.mail-server";
        const kept = JSON.parse(sessionStorage.getItem(name));
        sessionStorage.setItem(name, JSON.stringify({ ...kept, typed_by: "opr_another" }));
    }""")
    await page.reload()
    await expect(field(page, "Server")).to_have_value(TYPED["Server"])
    await expect(page.get_by_text(AGAIN)).to_have_count(0)
    assert "lantern.example" not in await page.evaluate(KEPT)
