"""The seat map in a site of somebody else: another origin, its own strict policy, a `pk_` key, and
a hold placed with a shopper token, as the guide says. And the page that shows how.
"""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import cast
from uuid import uuid4

import msgspec
from playwright.async_api import expect

from bespeak.inventory.shapes.seats.room_maker import make_room
from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.pointing import place, wait_chosen

_PAGE = """<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Die Scheune</title>
<script type="module" src="{office}/embed/seatmap.js"></script>
<script type="module" src="{office}/embed/seatmap.js?again"></script>
<script type="module" src="/shop.js"></script></head><body><main><h1>Die Scheune</h1>
<bespeak-seatmap resource="{resource}" api-key="{pk}" api-base="{office}" max="4"></bespeak-seatmap>
<button id="hold">Halten</button><p id="told" role="status"></p></main></body></html>"""

FILE_BYTES_MAX = 60_000

_SHOP = """
const map = document.querySelector("bespeak-seatmap");
const told = document.querySelector("#told");
document.addEventListener("bespeak-lost", () => (told.textContent = "lost"));
document.querySelector("#hold").addEventListener("click", async () => {
  const { token } = await (await fetch("/my-shop/shopper-token", { method: "POST" })).json();
  const lines = map.selection.map((unit) => ({ resource_id: map.getAttribute("resource"), unit }));
  map.holding = true;
  const answer = await fetch(map.getAttribute("api-base") + "/v1/holds", {
    method: "POST",
    headers: {
      Authorization: "Bearer " + map.getAttribute("api-key"),
      "Bespeak-Shopper": token,
      "Content-Type": "application/json",
      "Idempotency-Key": crypto.randomUUID(),
    },
    body: JSON.stringify({ lines }),
  });
  const hold = await answer.json();
  if (answer.ok) map.mine = map.selection;
  map.holding = false;
  told.textContent = hold.state + " " + hold.owner;
});
"""


@contextmanager
def somebody_elses_site(office: Office, resource: str) -> Iterator[str]:
    """A site of another origin whose server mints shopper tokens; its address."""
    page = _PAGE.format(office=office.url, resource=resource, pk=office.keys["pk"])
    policy = (
        f"default-src 'none'; script-src 'self' {office.url}; connect-src 'self' {office.url}; "
        "style-src 'none'; base-uri 'none'"
    )

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script = self.path == "/shop.js"
            self._answer(_SHOP if script else page, "text/javascript" if script else "text/html")

        def do_POST(self) -> None:
            body: Json = {"owner": "greta", "expires_in_seconds": 600}
            self._answer(
                json.dumps(office.call("POST", "/v1/shopper-tokens", body, "sk")),
                "application/json",
            )

        def _answer(self, text: str, kind: str) -> None:
            content = text.encode()
            self.send_response(200)
            self.send_header("content-type", f"{kind}; charset=utf-8")
            self.send_header("content-security-policy", policy)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (inherited)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def new_show(office: Office, name: str) -> str:
    """A show with a small room."""
    body: Json = {
        "kind": "show",
        "name": name,
        "plan": msgspec.to_builtins(make_room("classroom", 24)),
        "price": {"amount": 900, "currency": "EUR"},
    }
    return str(office.call("POST", "/v1/resources", body, idempotency_key=str(uuid4()))["id"])


async def test_another_site_sells_with_it(open_page: OpenPage, office: Office) -> None:
    resource = new_show(office, "An evening in the barn")
    with somebody_elses_site(office, resource) as site:
        page = await open_page(base_url=site)
        await page.goto("/")
        seatmap = page.locator("bespeak-seatmap")
        await expect(seatmap.get_by_role("application", name="Saalplan")).to_be_visible()
        await page.mouse.click(*await place(page, "B2"))
        await page.mouse.click(*await place(page, "B3"))
        await page.get_by_role("button", name="Halten").click()
        await expect(page.locator("#told")).to_have_text("held greta")
        seen = office.call("GET", f"/v1/resources/{resource}/availability")
        assert sorted(cast("Json", seen["taken"])) == ["B2", "B3"]
        # The stream brings one's own hold too; it is not a loss.
        await expect(seatmap).to_have_js_property("unitsFree", 22)
        assert await page.locator("#told").text_content() == "held greta"
        await wait_chosen(page, "B2", "B3")
        await check_accessible(page)


async def test_its_file_is_small(office: Office) -> None:
    answer = office.send("GET", "/embed/seatmap.js")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert len(gzip.compress(answer.content, 9)) < FILE_BYTES_MAX


async def test_a_name_is_never_markup(open_page: OpenPage, office: Office) -> None:
    evil = "<img src=x onerror=document.title='owned'>"
    plan = {
        "type": "seats",
        "categories": [{"name": evil, "price": 100}],
        "stage": {"label": evil},
        "sections": [
            {"name": evil, "category": evil, "rows": [{"name": "<b>A</b>", "seats": 3}]},
            {"name": "Other", "category": evil, "rows": [{"name": "B", "seats": 3}]},
        ],
        "pools": [{"unit": evil, "capacity": 3}],
    }
    body: Json = {"kind": "show", "name": evil, "plan": plan}
    made = office.call("POST", "/v1/resources", body, idempotency_key=str(uuid4()))
    page = await open_page(f"/embed?resource={made['id']}&key={office.keys['pk']}")
    seatmap = page.locator("bespeak-seatmap")
    await expect(seatmap.get_by_role("application")).to_be_visible()
    await page.mouse.click(*await place(page, "<b>A</b>1"))
    await expect(seatmap.locator(".card")).to_contain_text("<b>A</b>")
    await seatmap.get_by_role("button", name="List", exact=True).click()
    await expect(seatmap.locator(".list")).to_contain_text(evil)
    assert await seatmap.locator("img").count() == 0
    assert await page.title() == "The seat map in your site"


async def test_the_page_shows_a_show_of_its_own(open_page: OpenPage) -> None:
    page = await open_page("/embed")
    await expect(page.get_by_role("application", name="Seat map")).to_be_visible()
    shown = page.locator("pre").first
    await expect(shown).to_contain_text('api-key="pk_')
    await check_accessible(page)
    phone = await open_page("/embed", phone=True)
    await expect(phone.get_by_role("application", name="Seat map")).to_be_visible()
    assert await phone.evaluate("() => document.documentElement.scrollWidth") == 390
    await check_accessible(phone)
