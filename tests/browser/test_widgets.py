"""The widgets in a site of somebody else: another origin, its own strict policy, a `pk_` key. What
the page put into a widget stays where the widget has nothing better to show."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from playwright.async_api import Page, Route, expect

from tests.browser.accessible import check_accessible
from tests.browser.conftest import OpenPage
from tests.browser.office import Json, Office
from tests.browser.other_site import Content, other_site
from tests.browser.until import until

WIDGET_BYTES_MAX = 8_000


@asynccontextmanager
async def shown(open_page: OpenPage, office: Office, body: str) -> AsyncIterator[Page]:
    """A page of another site that has these elements; its policy allows nothing inline."""
    page = await open_page()
    with other_site({"/": Content(_html(office, body))}, _policy(office)) as site:
        await page.goto(site)
        yield page


def _html(office: Office, body: str) -> str:
    return (
        '<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Die Scheune</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<script type="module" src="{office.url}/embed/widgets.js"></script>'
        f'<script type="module" src="{office.url}/embed/widgets.js?again"></script></head>'
        f"<body><main><h1>Die Scheune</h1>{body}</main></body></html>"
    )


def _policy(office: Office) -> str:
    return (
        f"default-src 'none'; script-src {office.url}; connect-src {office.url}; "
        f"img-src {office.url}; style-src 'none'; base-uri 'none'"
    )


def buy(office: Office, resource: str, attributes: str = "") -> str:
    return (
        f'<bespeak-buy resource="{resource}" api-key="{office.keys["pk"]}" '
        f'api-base="{office.url}" {attributes}>Karten an der Abendkasse</bespeak-buy>'
    )


def new_resource(office: Office, **fields: object) -> str:
    body: Json = {
        "kind": "evening",
        "name": "An evening in the barn",
        "plan": {"type": "pools", "pools": [{"unit": "floor", "capacity": 5}]},
        "price": {"amount": 900, "currency": "EUR"},
        **fields,
    }
    return str(office.call("POST", "/v1/resources", body, idempotency_key=str(uuid4()))["id"])


async def test_a_button_leads_to_a_show_and_says_its_price(
    open_page: OpenPage, office: Office
) -> None:
    show = next(str(one["id"]) for one in reversed(office.shows) if one["kind"] == "show")
    seen = office.call("GET", f"/v1/cinema/shows/{show}", key="pk")
    assert seen["state"] == "on_sale"
    async with shown(open_page, office, buy(office, show)) as page:
        button = page.get_by_role("link", name="Tickets")
        await expect(button).to_have_attribute("href", f"{office.url}/shows/{show}")
        await expect(button).to_contain_text("ab")
        await check_accessible(page)


async def test_what_is_not_sold_is_no_link_and_says_why(
    open_page: OpenPage, office: Office
) -> None:
    closed = new_resource(office, state="closed")
    later = new_resource(office, opens_at="2999-01-01T00:00:00Z")
    both = buy(office, closed) + buy(office, later, 'lang="ar"')
    async with shown(open_page, office, both) as page:
        await expect(page.get_by_text("Verkauf beendet")).to_be_visible()
        await expect(page.get_by_text("لم يبدأ البيع بعد")).to_be_visible()
        assert await page.get_by_role("link").count() == 0
        await check_accessible(page)


async def test_what_the_page_put_in_stays_when_the_server_refuses(
    open_page: OpenPage, office: Office
) -> None:
    listens = (
        "document.addEventListener('bespeak-error', "
        "({detail}) => (document.body.dataset.told = detail.code))"
    )
    async with shown(open_page, office, buy(office, "res_00000000")) as page:
        await page.evaluate(listens)
        # Told again, for whoever listens from now on.
        await page.evaluate("document.querySelector('bespeak-buy').setAttribute('label', 'Karten')")
        await expect(page.locator("body")).to_have_attribute("data-told", "resource_not_found")
        await expect(page.get_by_text("Karten an der Abendkasse")).to_be_visible()


async def test_an_answer_that_comes_late_is_not_shown(open_page: OpenPage, office: Office) -> None:
    first, second = new_resource(office), new_resource(office, state="closed")
    late: list[Route] = []

    async def keep(route: Route) -> None:
        late.append(route)

    async with shown(open_page, office, "") as page:
        await page.route(f"**/v1/resources/{first}", keep)
        await page.evaluate(
            "(html) => (document.querySelector('main').innerHTML = html)", buy(office, first)
        )
        element = page.locator("bespeak-buy")

        async def is_asked() -> bool:
            return len(late) > 0

        await until(is_asked, "the first is asked for")
        await element.evaluate("(one, id) => one.setAttribute('resource', id)", second)
        await expect(page.get_by_text("Verkauf beendet")).to_be_visible()
        (asked,) = late
        await asked.fulfill(response=await asked.fetch())
        # The program has read it once two pictures are drawn.
        await page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        await expect(page.get_by_text("Verkauf beendet")).to_be_visible()


def new_event(office: Office, title: str) -> tuple[str, str]:
    """An event with one date, which guests find; the ids of both."""

    def made(path: str, body: Json) -> str:
        key = str(uuid4())
        return str(office.call("POST", f"/v1/programme{path}", body, idempotency_key=key)["id"])

    venue = made("/venues", {"name": "Die Scheune", "city": title, "time_zone": "Asia/Kolkata"})
    plan: Json = {"type": "seats", "pools": [{"unit": "floor", "capacity": 5}]}
    hall = made("/halls", {"venue": venue, "name": "Tenne", "plan": plan})
    event = made("/productions", {"title": title, "minutes": 90, "performers": ["Zoë <b>Müller"]})
    body: Json = {
        "production": event,
        "hall": hall,
        "starts_at": "2099-12-31T23:00",
        "currency": "EUR",
        "prices": {"floor": 1500},
        "payment": "at_venue",
        "published": True,
    }
    return event, made("/performances", body)


async def test_a_list_has_the_events_to_come_with_date_place_and_price(
    open_page: OpenPage, office: Office
) -> None:
    title = f"Evening {uuid4().hex[:8]}"
    event, date = new_event(office, title)
    key = f'api-key="{office.keys["pk"]}" api-base="{office.url}"'
    body = f'<bespeak-events {key} city="{title}"></bespeak-events>' + buy(office, date)
    async with shown(open_page, office, body) as page:
        card = page.get_by_role("listitem").get_by_role("link")
        await expect(card).to_have_attribute("href", f"{office.url}/events/{event}")
        await expect(card).to_contain_text(title)
        await expect(card).to_contain_text("Zoë <b>Müller")
        # By the clocks of the place, wherever the visitor is.
        await expect(card).to_contain_text("Donnerstag, 31. Dezember 2099 um 23:00")
        await expect(card).to_contain_text("ab 15")
        await expect(card).to_contain_text("noch 5")
        await expect(page.get_by_role("link", name="Tickets")).to_contain_text("noch 5")
        await check_accessible(page)
        await page.locator("bespeak-events").evaluate(
            "(one) => one.setAttribute('city', 'Nowhere')"
        )
        await expect(page.get_by_text("Zurzeit gibt es keine Veranstaltungen.")).to_be_visible()


async def test_its_file_is_small_and_for_any_site(office: Office) -> None:
    answer = office.send("GET", "/embed/widgets.js")
    assert answer.headers["access-control-allow-origin"] == "*"
    packed = office.send("GET", "/embed/widgets.js", accept_encoding="gzip")
    assert int(packed.headers["content-length"]) < WIDGET_BYTES_MAX
