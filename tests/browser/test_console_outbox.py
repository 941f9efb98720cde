"""The outbox at the console: mails are read there, and a hostile one does nothing."""

from email.message import EmailMessage
from uuid import uuid4

from playwright.async_api import expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Office
from tests.browser.operating import log_in

HOSTILE = """
<h1>Win a seat</h1>
<script>parent.document.title = "caught"; document.title = "caught"</script>
<img src="x" onerror="parent.document.title = 'caught'">
<form action="/v1/keys" method="post"><button>Send</button></form>
<svg onload="top.location = '/caught'"></svg>
"""


def put(office: Office, subject: str) -> None:
    mail = EmailMessage()
    mail["Subject"] = subject
    mail["From"] = "box@office.example"
    mail["To"] = "asha@example.com"
    mail.set_content("As plain text.")
    mail.add_alternative(HOSTILE, subtype="html")
    mail.add_attachment(b"%PDF-1", maintype="application", subtype="pdf", filename="tickets.pdf")
    office.outbox.mkdir(exist_ok=True)
    (office.outbox / f"{uuid4()}.eml").write_bytes(mail.as_bytes())


async def test_a_hostile_mail_cannot_touch_the_console(open_page: OpenPage, office: Office) -> None:
    subject = f"Hostile {uuid4().hex[:8]}"
    put(office, subject)
    page = await open_page()
    await log_in(page, office, "/console/outbox")
    await check_accessible(page)
    await page.get_by_role("link", name=subject).click()
    frame = page.frame_locator("iframe.outbox-html")
    await expect(frame.get_by_role("heading", name="Win a seat")).to_be_visible()
    await expect(page.get_by_text("As plain text.")).to_be_visible()
    await expect(page.get_by_role("link", name="tickets.pdf")).to_be_visible()
    await check_accessible(page)
    assert await page.locator("iframe").get_attribute("sandbox") == ""
    await frame.get_by_role("button", name="Send").click()
    await expect(frame.get_by_role("heading", name="Win a seat")).to_be_visible()
    assert "caught" not in await page.title()
    assert "/console/outbox/" in page.url
    async with page.expect_download() as kept:
        await page.get_by_role("link", name="tickets.pdf").click()
    assert (await kept.value).suggested_filename == "tickets.pdf"
