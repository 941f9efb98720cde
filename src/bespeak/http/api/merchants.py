"""The merchant: who sells, as everybody may know it, and changing that."""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
from msgspec import Meta

from bespeak.errors import DatabaseUnavailable, VersionMismatch
from bespeak.http.server import tags
from bespeak.http.server.answer_headers import INERT_POLICY
from bespeak.http.server.answers import Answer, JsonAnswer
from bespeak.http.server.asgi import Headers
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import (
    ANYONE,
    NOT_MODIFIED,
    OPERATORS,
    endpoint_table,
)
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.scopes import ANY_SCOPE, MANAGE
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.resources import Currency
from bespeak.merchants.accent import Accent, accent_of
from bespeak.merchants.consents import TermsWording, read_wording
from bespeak.merchants.errors import ColourIllegible, LogoInvalid, LogoNotFound, TermsNotFound
from bespeak.merchants.logos import PICTURE_BYTES_MAX, draw_logo, read_logo
from bespeak.merchants.merchants import Merchant
from bespeak.merchants.order_rules import OrderRules, order_rules
from bespeak.merchants.profile import (
    ChangeMerchant,
    Colour,
    Country,
    Email,
    InvoiceNote,
    InvoicePrefix,
    Language,
    LegalText,
    MerchantName,
    Phone,
    PostalAddress,
    TaxNumber,
    TimeZone,
)
from bespeak.postgres.errors import DatabaseReadOnly

_FOREVER = b"public, max-age=31536000, immutable"
_PNG = "image/png"

ENDPOINTS, endpoint = endpoint_table(tags.MERCHANT)


class MerchantLogo(msgspec.Struct, frozen=True):
    """Where the logo is. Another picture has another address."""

    url: str


class MerchantView(msgspec.Struct, frozen=True, kw_only=True):
    """Who sells, and how the shop looks. All is null until somebody says it. `accent_colours` are
    the colours of both themes that are made of `accent`; `version` rises with each change;
    `ordering` is what the country wants of an order."""

    version: int
    name: MerchantName | None
    logo: MerchantLogo | None
    accent: Colour | None
    accent_colours: Accent | None
    country: Country | None
    currency: Currency | None
    languages: list[Language] | None
    time_zone: TimeZone | None
    email: Email | None
    phone: Phone | None
    address: PostalAddress | None
    tax_number: TaxNumber | None
    invoice_prefix: InvoicePrefix | None
    invoice_note: InvoiceNote | None
    terms: LegalText | None
    privacy: LegalText | None
    imprint: LegalText | None
    ordering: OrderRules


class SetLogo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture for the logo: the bytes of a PNG, JPEG or WebP, in Base64."""

    picture: Annotated[bytes, Meta(min_length=1, max_length=PICTURE_BYTES_MAX)]


@endpoint(
    "GET",
    "/v1/merchant",
    "Who sells",
    answers=MerchantView,
    other_statuses=(NOT_MODIFIED,),
    scopes=ANY_SCOPE,
    reach=Reach.WORKSPACE,
)
async def get_merchant(call: Call[None, None]) -> Answer:
    """The profile of the merchant. Repeat it with If-None-Match."""
    # Who may change it sees it as it is, whichever process answers; a shop may be seconds behind.
    seconds = None if call.caller.kind is KeyKind.PUBLISHABLE else 0.0
    found = await call.service.merchants.of(call.caller.workspace, seconds=seconds)
    body = msgspec.json.encode(merchant_view(found))
    etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers: Headers = ((b"etag", etag.encode()), (b"cache-control", b"private, no-cache"))
    if call.has_etag(etag):
        return Answer(304, headers=headers)
    return Answer(200, body, headers=headers)


@endpoint(
    "PATCH",
    "/v1/merchant",
    "Change the merchant's profile",
    kinds=OPERATORS,
    errors=(VersionMismatch, ColourIllegible),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def change_merchant(call: Call[None, ChangeMerchant]) -> MerchantView:
    """Changes fields of the profile; null takes one away. The shop's pages show it within
    seconds."""
    return merchant_view(await call.service.merchants.change(call.caller.workspace, call.body))


@endpoint(
    "PUT",
    "/v1/merchant/logo",
    "Set the logo",
    kinds=OPERATORS,
    takes_document=True,
    errors=(LogoInvalid,),
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def set_merchant_logo(call: Call[None, SetLogo]) -> MerchantView:
    """Sets the logo. It is drawn anew as PNG, at most 640 by 320 pixels."""
    logo = await draw_logo(call.body.picture)
    return merchant_view(await call.service.merchants.set_logo(call.caller.workspace, logo))


@endpoint(
    "DELETE",
    "/v1/merchant/logo",
    "Remove the logo",
    kinds=OPERATORS,
    scopes=MANAGE,
    reach=Reach.WORKSPACE,
    audited=True,
)
async def remove_merchant_logo(call: Call[None, None]) -> MerchantView:
    """Shows no logo any more. Repeated, it changes nothing."""
    return merchant_view(await call.service.merchants.set_logo(call.caller.workspace, None))


@endpoint(
    "GET",
    "/v1/merchant/logos/{digest}",
    "A logo",
    answers=_PNG,
    kinds=ANYONE,
    errors=(LogoNotFound, DatabaseUnavailable, DatabaseReadOnly),
)
async def get_merchant_logo(call: Call[None, None]) -> Answer:
    """The picture, for pages and mails. It never changes: another one has another address."""
    logo = await read_logo(call.service.engine.database, call.path["digest"].removesuffix(".png"))
    headers: Headers = (
        (b"cache-control", _FOREVER),
        (b"content-security-policy", INERT_POLICY),
        (b"cross-origin-resource-policy", b"cross-origin"),
    )
    return Answer(200, logo.content, headers=headers, content_type=_PNG.encode())


@endpoint(
    "GET",
    "/v1/merchant/terms/{digest}",
    "What buyers accepted",
    answers=TermsWording,
    kinds=ANYONE,
    errors=(TermsNotFound, DatabaseUnavailable, DatabaseReadOnly),
)
async def get_accepted_terms(call: Call[None, None]) -> JsonAnswer[TermsWording]:
    """The wording of terms that consents name. It stays when the merchant has other terms."""
    found = await read_wording(call.service.engine.database, call.path["digest"])
    return JsonAnswer(200, found, headers=((b"cache-control", _FOREVER),))


def logo_path(digest: str) -> str:
    """Where a logo is, from the root of the server."""
    return f"/v1/merchant/logos/{digest}.png"


def merchant_view(merchant: Merchant) -> MerchantView:
    """The profile as everybody may see it."""
    said = merchant.profile
    return MerchantView(
        version=merchant.version,
        name=said.name,
        logo=None if said.logo is None else MerchantLogo(logo_path(said.logo)),
        accent=said.accent,
        accent_colours=None if said.accent is None else accent_of(said.accent),
        country=said.country,
        currency=said.currency,
        languages=None if said.languages is None else list(said.languages),
        time_zone=said.time_zone,
        email=said.email,
        phone=said.phone,
        address=said.address,
        tax_number=said.tax_number,
        invoice_prefix=said.invoice_prefix,
        invoice_note=said.invoice_note,
        terms=said.terms,
        privacy=said.privacy,
        imprint=said.imprint,
        ordering=order_rules(said),
    )
