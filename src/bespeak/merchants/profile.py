"""The profile of a merchant: its fields, their bounds, and what of a change makes no sense."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bespeak.errors import InvalidRequest
from bespeak.inventory.fields import NAME_PATTERN, NAME_SCHEMA
from bespeak.inventory.resource_checks import check_time_zone
from bespeak.inventory.resources import Currency
from bespeak.merchants.accent import check_colour

_TEXT_PATTERN = r"^[^\x00-\x09\x0b-\x1f\x7f]*\Z"
_TEXT_SCHEMA: dict[str, object] = {
    "pattern": r"^[^\x00-\x09\x0b-\x1f\x7f]*$",
    "description": "text without control characters but line breaks",
    "examples": ["Am Ufer 3\n10999 Berlin"],
}
_URL_PATTERN = "^https://[^\\s\\x00-\\x20\\x7f<>\"'\\\\`]+\\Z"
_URL_SCHEMA: dict[str, object] = {
    "pattern": r"^https://[^\s<>\"'\\`]+$",
    "format": "uri",
    "description": "an address that begins with https://",
    "examples": ["https://lantern.example/terms"],
}
_MAIL_PATTERN = r"^[^@\s\x00-\x1f<>]+@[^@\s\x00-\x1f<>]+\Z"
_MAIL_SCHEMA: dict[str, object] = {
    "pattern": r"^[^@\s<>]+@[^@\s<>]+$",
    "format": "email",
    "description": "an address of e-mail",
    "examples": ["desk@lantern.example"],
}
_PHONE_PATTERN = r"^\+?[0-9][0-9 ()./-]{2,38}\Z"
_PHONE_SCHEMA: dict[str, object] = {
    "pattern": r"^\+?[0-9][0-9 ()./-]{2,38}$",
    "description": "a telephone number in digits",
    "examples": ["+49 30 1234-0"],
}
_COLOUR_PATTERN = r"^#[0-9a-f]{6}\Z"
_COLOUR_SCHEMA: dict[str, object] = {
    "pattern": "^#[0-9a-f]{6}$",
    "description": "a colour as # and six small hexadecimal digits",
    "examples": ["#0b6e4f"],
}
_COUNTRY_PATTERN = r"^[A-Z]{2}\Z"
_COUNTRY_SCHEMA: dict[str, object] = {
    "pattern": "^[A-Z]{2}$",
    "description": "a country by its two capital letters (ISO 3166-1)",
    "examples": ["DE"],
}

# Groups of countries, and codes for tests.
_NO_COUNTRIES = frozenset(("EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"))

Language = Literal["en", "de", "ar"]
MerchantName = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)
]
Colour = Annotated[str, Meta(pattern=_COLOUR_PATTERN, extra_json_schema=_COLOUR_SCHEMA)]
Country = Annotated[str, Meta(pattern=_COUNTRY_PATTERN, extra_json_schema=_COUNTRY_SCHEMA)]
Languages = Annotated[tuple[Language, ...], Meta(min_length=1, max_length=3)]
TimeZone = Annotated[str, Meta(min_length=1, max_length=60)]
Email = Annotated[str, Meta(max_length=254, pattern=_MAIL_PATTERN, extra_json_schema=_MAIL_SCHEMA)]
Phone = Annotated[str, Meta(pattern=_PHONE_PATTERN, extra_json_schema=_PHONE_SCHEMA)]
PostalAddress = Annotated[
    str, Meta(min_length=1, max_length=300, pattern=_TEXT_PATTERN, extra_json_schema=_TEXT_SCHEMA)
]
Url = Annotated[str, Meta(max_length=500, pattern=_URL_PATTERN, extra_json_schema=_URL_SCHEMA)]
Wording = Annotated[
    str,
    Meta(min_length=1, max_length=60_000, pattern=_TEXT_PATTERN, extra_json_schema=_TEXT_SCHEMA),
]
_TAX_NUMBER_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9 ./-]{1,38}\Z"
_TAX_NUMBER_SCHEMA: dict[str, object] = {
    "pattern": "^[A-Za-z0-9][A-Za-z0-9 ./-]{1,38}$",
    "description": "a number of the tax office: letters, digits, and . / - between them",
    "examples": ["DE123456789"],
}
_PREFIX_PATTERN = r"^[A-Za-z0-9/.-]{0,19}[A-Za-z/.-]\Z"
_PREFIX_SCHEMA: dict[str, object] = {
    "pattern": "^[A-Za-z0-9/.-]{0,19}[A-Za-z/.-]$",
    "description": "what stands before the number; it does not end with a digit",
    "examples": ["2026-"],
}
TaxNumber = Annotated[str, Meta(pattern=_TAX_NUMBER_PATTERN, extra_json_schema=_TAX_NUMBER_SCHEMA)]
InvoicePrefix = Annotated[str, Meta(pattern=_PREFIX_PATTERN, extra_json_schema=_PREFIX_SCHEMA)]
InvoiceNote = Annotated[
    str, Meta(min_length=1, max_length=500, pattern=_TEXT_PATTERN, extra_json_schema=_TEXT_SCHEMA)
]
Edition = Annotated[str, Meta(max_length=40, pattern=NAME_PATTERN, extra_json_schema=NAME_SCHEMA)]


class LegalText(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A legal text: at an address of the merchant's (`url`, https), or in words of its own by
    language (`texts`, Markdown). `edition` is what the merchant calls this version of it."""

    url: Url | None = None
    texts: dict[Language, Wording] = {}
    edition: Edition = ""


class MerchantProfile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a merchant says of itself. Everything may be left out; `logo` is the digest of a
    picture."""

    name: MerchantName | None = None
    logo: str | None = None
    accent: Colour | None = None
    country: Country | None = None
    currency: Currency | None = None
    languages: Languages | None = None
    time_zone: TimeZone | None = None
    email: Email | None = None
    phone: Phone | None = None
    address: PostalAddress | None = None
    tax_number: TaxNumber | None = None
    invoice_prefix: InvoicePrefix | None = None
    invoice_note: InvoiceNote | None = None
    terms: LegalText | None = None
    privacy: LegalText | None = None
    imprint: LegalText | None = None


class ChangeMerchant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of the profile that are to change; null takes one away. `version`, if given, must
    be the present one (0: nothing was said yet)."""

    version: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    name: MerchantName | UnsetType | None = UNSET
    accent: Colour | UnsetType | None = UNSET
    country: Country | UnsetType | None = UNSET
    currency: Currency | UnsetType | None = UNSET
    languages: Languages | UnsetType | None = UNSET
    time_zone: TimeZone | UnsetType | None = UNSET
    email: Email | UnsetType | None = UNSET
    phone: Phone | UnsetType | None = UNSET
    address: PostalAddress | UnsetType | None = UNSET
    tax_number: TaxNumber | UnsetType | None = UNSET
    invoice_prefix: InvoicePrefix | UnsetType | None = UNSET
    invoice_note: InvoiceNote | UnsetType | None = UNSET
    terms: LegalText | UnsetType | None = UNSET
    privacy: LegalText | UnsetType | None = UNSET
    imprint: LegalText | UnsetType | None = UNSET


LegalField: TypeAlias = Literal["terms", "privacy", "imprint"]
LEGAL_FIELDS: Sequence[LegalField] = ("terms", "privacy", "imprint")


def changed(profile: MerchantProfile, change: ChangeMerchant) -> MerchantProfile:
    """The profile after a change. Raises InvalidRequest, ColourIllegible."""
    said = {
        name: value
        for name, value in msgspec.structs.asdict(change).items()
        if name != "version" and value is not UNSET
    }
    wanted = msgspec.structs.replace(profile, **said)
    if wanted.accent is not None:
        check_colour(wanted.accent)
    if wanted.country is not None and wanted.country not in _countries():
        raise InvalidRequest(
            f"there is no country {wanted.country!r}: two letters of ISO 3166-1, as DE",
            field="country",
        )
    if wanted.time_zone is not None:
        check_time_zone(wanted.time_zone)
    if wanted.languages is not None and len(set(wanted.languages)) != len(wanted.languages):
        raise InvalidRequest("a language comes twice", field="languages")
    for field in LEGAL_FIELDS:
        _check_legal(getattr(wanted, field), field)
    return wanted


def terms_digest(profile: MerchantProfile) -> str | None:
    """The digest of what buyers accept, with what they are told of their data: another whenever a
    word, an address or an edition is another. None: there are no terms to accept."""
    if profile.terms is None:
        return None
    return hashlib.sha256(terms_wording(profile)).hexdigest()[:32]


def terms_wording(profile: MerchantProfile) -> bytes:
    """What the digest is of, as JSON, which is kept beside it."""
    wording = {"terms": profile.terms, "privacy": profile.privacy}
    return msgspec.json.encode(wording, order="sorted")


def _check_legal(text: LegalText | None, field: str) -> None:
    if text is not None and (text.url is None) == (not text.texts):
        raise InvalidRequest(f"{field} has either `url` or `texts`", field=field)


@cache
def _countries() -> frozenset[str]:
    """The countries that CLDR names, without the codes that are of none."""
    from babel import Locale  # noqa: PLC0415 (not in the library alone)

    named = frozenset(str(code) for code in Locale("en").territories)
    return frozenset(code for code in named if code.isalpha()) - _NO_COUNTRIES
