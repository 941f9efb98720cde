"""The sandbox's own calls: tokens for one buyer, and the page on which a buyer approves or declines
a payment, as a bank's page does. Plain HTML without scripts. Where the sandbox is not set up, there
is nothing here.
"""

from __future__ import annotations

from html import escape
from typing import Annotated
from urllib.parse import urlencode, urlsplit, urlunsplit

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest, NotOwner
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import ANYONE, endpoint_table
from bespeak.http.server.form_bodies import FORM_TYPE, form_fields
from bespeak.http.server.scopes import SELL
from bespeak.http.server.workspaces import Reach
from bespeak.money import Money, decimals_of
from bespeak.payments.errors import ProviderUnknown
from bespeak.payments.providers.provider import ProviderUnavailable, Standing, StandingState
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.reservations.request import OWNER_LENGTH_MAX, check_text

_NOT_FOUND = 404
_HTML = b"text/html; charset=utf-8"

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --ink: #0b57d0; --on-ink: #fff; --soft: #8881; }
@media (prefers-color-scheme: dark) { :root { --ink: #a8c7fa; --on-ink: #062e6f; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 1rem; min-height: 100vh;
  display: grid; place-items: center; }
main { width: 100%; max-width: 26rem; border: 1px solid var(--line); border-radius: 1rem;
  padding: 1.5rem; overflow-wrap: anywhere; }
.note { margin: 0 0 1rem; padding: .5rem .75rem; border-radius: .5rem; background: var(--soft);
  font-size: .9rem; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
.amount { font-size: 2.25rem; font-weight: 700; line-height: 1.2; margin: 0;
  font-variant-numeric: tabular-nums; }
dl { margin: 1rem 0; display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { opacity: .8; } dd { margin: 0; }
form { display: grid; gap: .75rem; margin-top: 1.5rem; }
button, .button { font: inherit; font-weight: 600; min-height: 3rem; border-radius: .75rem;
  border: 2px solid var(--ink); cursor: pointer; }
.button { display: grid; place-items: center; text-decoration: none; margin-top: 1.5rem; }
button[value=approve], .button { background: var(--ink); color: var(--on-ink); }
button[value=decline] { background: transparent; color: var(--ink); }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
"""

_SAID = {
    StandingState.CHALLENGE: ("Approve this payment?", ""),
    StandingState.PENDING: ("The bank is deciding", "The shop is told as soon as it has."),
    StandingState.AUTHORIZED: ("Approved", "The amount is reserved for the shop."),
    StandingState.CAPTURED: ("Paid", "The shop has taken the amount."),
    StandingState.VOIDED: ("Given up", "This payment was called off. Nothing was taken."),
    StandingState.FAILED: ("Declined", "Nothing was taken."),
}


_NO_PAYMENT = ((_NOT_FOUND, "There is no such payment"),)
ENDPOINTS, endpoint = endpoint_table(tags.SANDBOX)
# Beside the API proper: for people with a browser and no key.
PAGES, page = endpoint_table(tags.PAGES)


class NewSandboxToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a token of the sandbox: for which buyer, and what becomes of the payment."""

    owner: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    outcome: Annotated[str, Meta(min_length=1, max_length=60)] = "success"


class SandboxToken(msgspec.Struct, frozen=True):
    """A token with which this owner, and nobody else, pays once."""

    token: str
    owner: str
    outcome: str


@endpoint(
    "POST",
    "/sandbox/tokens",
    "Make a personal token of the sandbox",
    status=201,
    scopes=SELL,
    reach=Reach.WORKSPACE,
    needs_shopper=True,
    errors=(NotOwner, ProviderUnknown, ProviderUnavailable),
)
async def make_sandbox_token(call: Call[None, NewSandboxToken]) -> SandboxToken:
    """Makes a token for one payment of one buyer at the sandbox."""
    owner = call.placing_owner(call.body.owner)
    check_text(owner, "owner", OWNER_LENGTH_MAX)
    sandbox = _sandbox(call)
    if sandbox is None:
        raise ProviderUnknown(providers=sorted(call.engine.payments.providers))
    token = await sandbox.make_token(owner, call.body.outcome)
    return SandboxToken(token, owner, call.body.outcome)


@page(
    "GET",
    "/sandbox/payments/{reference}",
    "The sandbox's page of a payment",
    answers="text/html",
    kinds=ANYONE,
    other_statuses=_NO_PAYMENT,
    errors=(ProviderUnavailable,),
)
async def sandbox_page(call: Call[None, None]) -> Answer:
    """The sandbox's page of a payment, where the buyer approves or declines."""
    sandbox, reference = _sandbox(call), call.path["reference"]
    found = await sandbox.find(reference) if sandbox is not None else None
    if found is None:
        return _not_found()
    standing, description, return_url = found
    title, text = _SAID[standing.state]
    parts = [
        f'<h1>{title}</h1><p class="amount">{escape(shown(standing.amount))}</p>',
        f"<p>{text}</p>" if text else "",
        _facts(standing, description),
    ]
    if standing.state is StandingState.CHALLENGE:
        parts.append(
            f'<form method="post" action="{escape(reference)}/decide">'
            '<button name="decision" value="approve">Approve</button>'
            '<button name="decision" value="decline">Decline</button></form>'
        )
    elif return_url is not None:
        there = escape(_returning(return_url, standing.payment_id))
        parts.append(f'<a class="button" href="{there}">Back to the shop</a>')
    return _page(200, title, "".join(parts), return_url)


@page(
    "POST",
    "/sandbox/payments/{reference}/decide",
    "Approve or decline at the sandbox",
    answers="text/html",
    status=303,
    kinds=ANYONE,
    raw_type=FORM_TYPE,
    other_statuses=_NO_PAYMENT,
    errors=(InvalidRequest, ProviderUnavailable),
)
async def decide_sandbox_payment(call: Call[None, bytes]) -> Answer:
    """The buyer's decision, from the form of the page. A payment that is decided stays so."""
    decision = _decision(call)
    sandbox, reference = _sandbox(call), call.path["reference"]
    found = await sandbox.find(reference) if sandbox is not None else None
    if sandbox is None or found is None:
        return _not_found()
    standing, _description, return_url = found
    await sandbox.decide(standing.payment_id, approve=decision == "approve")
    there = f"../{reference}"
    if return_url is not None:
        there = _returning(return_url, standing.payment_id)
    headers = ((b"location", there.encode()), (b"cache-control", b"no-store"))
    return Answer(303, headers=headers, content_type=_HTML)


def shown(amount: Money) -> str:
    """An amount as people write it: 1,234.50 EUR, 500 JPY."""
    digits = decimals_of(amount.currency)
    whole, rest = divmod(amount.amount, 10**digits)
    return f"{whole:,}{f'.{rest:0{digits}}' if digits else ''} {amount.currency}"


def _sandbox(call: Call[object, object]) -> Sandbox | None:
    provider = call.engine.payments.providers.get(Sandbox.name)
    return provider if isinstance(provider, Sandbox) else None


def _decision(call: Call[None, bytes]) -> str:
    decision = form_fields(call.headers, call.body, "decision").get("decision")
    if decision not in ("approve", "decline"):
        raise InvalidRequest("decision is approve or decline", field="decision")
    return decision


def _facts(standing: Standing, description: str) -> str:
    facts = [("For", description), ("Payment", standing.payment_id)]
    if standing.failure is not None:
        facts.append(("Because", standing.failure.replace("_", " ")))
    if standing.refunded:
        facts.append(("Given back", shown(Money(standing.refunded, standing.amount.currency))))
    rows = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts if value)
    return f"<dl>{rows}</dl>"


def _returning(url: str, payment_id: str) -> str:
    """The shop's address, told which payment the buyer comes from."""
    parts = urlsplit(url)
    told = urlencode({"payment_id": payment_id})
    return urlunsplit(parts._replace(query=f"{parts.query}&{told}" if parts.query else told))


def _not_found() -> Answer:
    text = "<h1>No such payment</h1><p>There is no payment at this address.</p>"
    return _page(_NOT_FOUND, "No such payment", text, None)


def _page(status: int, title: str, body: str, return_url: str | None) -> Answer:
    document = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex">'
        f"<style>{_STYLE}</style></head><body><main>"
        '<p class="note">Sandbox bank: this is a test, no money moves.</p>'
        f"{body}</main></body></html>"
    )
    return Answer(status, document.encode(), headers=_security(return_url), content_type=_HTML)


def _security(return_url: str | None) -> list[tuple[bytes, bytes]]:
    """No script, no frame around it, no trace of its address; a form may lead back to the shop,
    which browsers take for a target of the form."""
    targets = "'self'"
    if return_url is not None:
        parts = urlsplit(return_url)
        targets += f" {parts.scheme}://{parts.netloc}"
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
        f"base-uri 'none'; form-action {targets}"
    )
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cache-control", b"no-store"),
    ]
