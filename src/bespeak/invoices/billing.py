"""What a buyer wants to stand on an invoice: the company that it is for. It may be said until the
invoice is issued; then it stands.
"""

from __future__ import annotations

import msgspec

from bespeak.merchants.profile import MerchantName, PostalAddress, TaxNumber


class BillingDetails(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The company that an invoice is for, its address and its tax number; all may be left out."""

    company: MerchantName | None = None
    address: PostalAddress | None = None
    tax_number: TaxNumber | None = None


class Buyer(msgspec.Struct, frozen=True, omit_defaults=True):
    """To whom an invoice was issued: what was said by then. An erasure takes the e-mail address,
    and the rest when the law lets it go."""

    name: str | None = None
    email: str | None = None
    company: str | None = None
    address: str | None = None
    tax_number: str | None = None
