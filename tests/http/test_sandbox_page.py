"""The sandbox's page, as a browser sees it: what it shows in each state, what its form does, and
what it lets nobody do. And the tokens that are one buyer's."""

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx
import msgspec
import pytest

from bespeak.http.api.sandbox import shown
from bespeak.money import Money
from bespeak.payments.providers.provider import Standing, StandingState
from bespeak.payments.providers.sandbox import Sandbox
from tests.conformance.provider_doors import charge_of, new_order, new_refund_id
from tests.http.api import Api, document, problem
from tests.http.conftest import OpenApi

FORM = {"content-type": "application/x-www-form-urlencoded"}
NOBODY = "/sandbox/payments/sbx" + "0" * 32


@pytest.fixture
async def api(open_api: OpenApi) -> Api:
    """The API with the sandbox."""
    return await open_api(payment_providers="sandbox", allow_pretend_money=True)


def bank(api: Api) -> Sandbox:
    found = api.service.engine.payments.providers["sandbox"]
    assert isinstance(found, Sandbox)
    return found


async def challenged(api: Api, **fields: object) -> tuple[Standing, str]:
    """A payment that waits for its buyer, and the path of its page."""
    standing = await bank(api).authorize(new_order("tok_challenge", **fields))  # type: ignore[arg-type]
    assert standing.action_url is not None
    return standing, urlsplit(standing.action_url).path


class Page(HTMLParser):
    """What of a page matters here: its form, its links, and that every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.action: str | None = None
        self.buttons: dict[str, str] = {}
        self.links: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        assert self._open == [], "tags are closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        assert not any(name.startswith("on") or name == "style" for name in named)
        assert tag not in {"script", "iframe", "img", "link", "object"}
        if tag != "meta":
            self._open.append(tag)
        if tag == "form":
            assert named["method"] == "post"
            self.action = named["action"]
        if tag == "button":
            self.buttons[named["value"]] = named["name"]
        if tag == "a":
            self.links.append(named["href"])

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text += data + " "


async def opened(api: Api, path: str, status: int = 200) -> Page:
    """The page at a path, with what every page of it keeps."""
    answer = await api.ask("GET", path, key=None)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    for rule in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action"):
        assert rule in policy
    assert "script-src" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith('<!doctype html><html lang="en">')
    assert 'name="viewport"' in answer.text and "no money moves" in answer.text
    return Page(answer.text)


async def decide(api: Api, path: str, decision: str) -> httpx.Response:
    """Presses a button of the form on a page."""
    page = await opened(api, path)
    assert page.action is not None and page.buttons[decision] == "decision"
    return await api.client.post(
        urljoin(path, page.action), content=f"decision={decision}", headers=FORM
    )


@pytest.mark.parametrize(
    ("decision", "state", "said"),
    [
        ("approve", StandingState.AUTHORIZED, "Approved"),
        ("decline", StandingState.FAILED, "Declined"),
    ],
)
async def test_the_buyer_decides_and_goes_back(
    api: Api, decision: str, state: StandingState, said: str
) -> None:
    standing, path = await challenged(api)
    page = await opened(api, path)
    for text in ("Approve this payment?", "25.00 EUR", "Two seats: Otter Creek"):
        assert text in page.text
    assert set(page.buttons) == {"approve", "decline"}
    answer = await decide(api, path, decision)
    back = f"https://shop.example/after?cart=7&payment_id={standing.payment_id}"
    assert (answer.status_code, answer.headers["location"]) == (303, back)
    found = await bank(api).lookup(charge_of(standing))
    assert found is not None and found.state is state
    after = await opened(api, path)
    assert said in after.text
    assert (after.action, after.links) == (None, [back])


async def test_without_a_shop_to_go_back_to_the_page_says_it(api: Api) -> None:
    _, path = await challenged(api, return_url=None)
    answer = await decide(api, path, "approve")
    assert answer.status_code == 303
    there = urljoin(str(answer.url), answer.headers["location"])
    assert urlsplit(there).path == path
    page = await opened(api, path)
    assert "Approved" in page.text and page.links == []


async def test_a_decision_is_made_once(api: Api) -> None:
    standing, path = await challenged(api)
    await decide(api, path, "decline")
    for decision in ("approve", "decline"):
        answer = await api.client.post(
            f"{path}/decide", content=f"decision={decision}", headers=FORM
        )
        assert answer.status_code == 303
    found = await bank(api).lookup(charge_of(standing))
    assert found is not None and found.state is StandingState.FAILED


async def test_the_page_tells_every_state(api: Api) -> None:
    sandbox = bank(api)
    pending = await sandbox.authorize(new_order("tok_pending"))
    assert (
        "The bank is deciding" in (await opened(api, f"/sandbox/payments/{pending.reference}")).text
    )
    voided, path = await challenged(api)
    await sandbox.void(charge_of(voided))
    page = await opened(api, path)
    assert "Given up" in page.text and page.action is None
    failed = await sandbox.authorize(new_order("tok_insufficient_funds"))
    page = await opened(api, f"/sandbox/payments/{failed.reference}")
    assert "Declined" in page.text and "insufficient funds" in page.text
    paid = await sandbox.authorize(new_order("tok_success"))
    path = f"/sandbox/payments/{paid.reference}"
    assert "Approved" in (await opened(api, path)).text
    await sandbox.capture(charge_of(paid))
    assert "Paid" in (await opened(api, path)).text
    await sandbox.refund(charge_of(paid), new_refund_id(), 999)
    assert "9.99 EUR" in (await opened(api, path)).text


@pytest.mark.parametrize(
    "reference",
    ["sbx" + "0" * 32, "x", "%00", "%27", "é", "x" * 5000, "pay_01h2xcejqtf2nbrexx3vqjhp41"],
)
async def test_who_does_not_know_the_address_sees_nothing(api: Api, reference: str) -> None:
    await challenged(api)
    path = f"/sandbox/payments/{reference}"
    assert "No such payment" in (await opened(api, path, 404)).text
    answer = await api.client.post(f"{path}/decide", content="decision=approve", headers=FORM)
    assert answer.status_code == 404 and "No such payment" in answer.text


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"", FORM["content-type"]),
        (b"decision=", FORM["content-type"]),
        (b"decision=maybe", FORM["content-type"]),
        (b"decision=approve&decision=", FORM["content-type"] + "; charset=utf-8"),
        (b"choice=approve", FORM["content-type"]),
        (b"\xff\xfe", FORM["content-type"]),
        (b"&a=1" * 11 + b"&decision=approve", FORM["content-type"]),
        (b'{"decision": "approve"}', "application/json"),
        (b"decision=approve", "text/plain"),
        (b"decision=approve", "multipart/form-data; boundary=x"),
    ],
)  # fmt: skip
async def test_a_form_that_makes_no_sense(api: Api, content: bytes, media_type: str) -> None:
    standing, path = await challenged(api)
    before = await api.snapshot()
    answer = await api.client.post(
        f"{path}/decide", content=content, headers={"content-type": media_type}
    )
    if content == b"decision=approve&decision=":  # a blank one does not count
        assert answer.status_code == 303
        return
    problem(answer, "invalid_request", field="decision")
    assert await api.snapshot() == before
    large = await api.client.post(f"{path}/decide", content=b"x" * 300_000, headers=FORM)
    problem(large, "body_too_large")
    assert standing.state is StandingState.CHALLENGE


async def test_text_of_others_stays_text(api: Api) -> None:
    _, path = await challenged(
        api,
        description="<script>alert(1)</script>\"'><b>&amp;",
        return_url="https://shop.example/?q=%22&b='\"><script>",
    )
    answer = await api.ask("GET", path, key=None)
    assert "<script" not in answer.text and "<b>" not in answer.text
    page = Page(answer.text)
    assert "<script>alert(1)</script>\"'><b>&amp;" in page.text
    await decide(api, path, "approve")
    (link,) = (await opened(api, path)).links
    assert link.startswith("https://shop.example/?q=%22&b=") and "payment_id=pay_" in link


async def test_the_form_may_lead_to_the_shop_and_nowhere_else(api: Api) -> None:
    for return_url, targets in (
        ("http://[::1]:3000/x", "form-action 'self' http://[::1]:3000"),
        (None, "form-action 'self'"),
        ("javascript:alert(1)", "form-action 'self'"),
    ):
        _, path = await challenged(api, return_url=return_url)
        answer = await api.ask("GET", path, key=None)
        assert answer.headers["content-security-policy"].endswith(targets)


async def test_where_there_is_no_sandbox_there_is_no_page(open_api: OpenApi) -> None:
    api = await open_api()
    assert "No such payment" in (await opened(api, NOBODY, 404)).text
    answer = await api.client.post(f"{NOBODY}/decide", content="decision=approve", headers=FORM)
    assert answer.status_code == 404
    refused = await api.ask("POST", "/sandbox/tokens", {"owner": "asha"})
    problem(refused, "provider_unknown", providers=["desk"])


async def test_a_bank_that_is_away_is_a_problem(api: Api) -> None:
    _, path = await challenged(api)
    bank(api).is_away = True
    problem(await api.ask("GET", path, key=None), "provider_unavailable")
    answer = await api.client.post(f"{path}/decide", content="decision=approve", headers=FORM)
    problem(answer, "provider_unavailable")
    problem(await api.ask("POST", "/sandbox/tokens", {"owner": "asha"}), "provider_unavailable")


async def test_a_token_is_made_for_a_buyer(api: Api) -> None:
    made = document(await api.ask("POST", "/sandbox/tokens", {"owner": "asha"}), 201)
    assert (made["owner"], made["outcome"]) == ("asha", "success")
    first = await bank(api).authorize(new_order(str(made["token"]), owner="asha"))
    assert first.state is StandingState.AUTHORIZED
    made = document(
        await api.ask("POST", "/sandbox/tokens", {"outcome": "declined"}, key="pk",
                      Bespeak_Shopper=api.token("bela")), 201)  # fmt: skip
    assert made["owner"] == "bela"
    theirs = await bank(api).authorize(new_order(str(made["token"]), owner="bela"))
    assert theirs.failure == "declined"


async def test_a_token_that_is_not_made(api: Api) -> None:
    shopper = {"Bespeak_Shopper": api.token("bela")}
    before = await api.snapshot()
    path = "/sandbox/tokens"
    problem(await api.ask("POST", path, {}), "invalid_request", field="owner")
    problem(await api.ask("POST", path, {"owner": "asha"}, key="pk", **shopper), "not_owner")
    problem(await api.ask("POST", path, {}, key="pk"), "shopper_token_invalid")
    problem(await api.ask("POST", path, {}, key=None), "key_missing")
    for outcome in ("nothing", "tok_success", "slow_99", "", "x" * 61):
        answer = await api.ask("POST", path, {"owner": "asha", "outcome": outcome})
        problem(answer, "invalid_request", field="outcome")
    for owner in ("", "x" * 201, "a\x00", 7):
        problem(await api.ask("POST", path, {"owner": owner}), "invalid_request", field="owner")
    assert await api.snapshot() == before


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (Money(123_450, "EUR"), "1,234.50 EUR"),
        (Money(5, "USD"), "0.05 USD"),
        (Money(500, "JPY"), "500 JPY"),
        (Money(12_345, "KWD"), "12.345 KWD"),
        (Money(1, "XTS"), "0.01 XTS"),
    ],
)
def test_amounts_are_shown_as_people_write_them(amount: Money, text: str) -> None:
    assert shown(amount) == text


def test_a_body_of_a_token_is_strict() -> None:
    from bespeak.http.api.sandbox import NewSandboxToken

    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"owner": "a", "surprise": 1}', type=NewSandboxToken)
