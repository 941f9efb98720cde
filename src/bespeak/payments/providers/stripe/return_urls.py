"""Where a buyer comes back to from Stripe: the shop's address, which is told of which payment and,
where a challenge has no page of its own, what Stripe's script needs to show it.
"""

from __future__ import annotations

from urllib.parse import quote

_ACTION = "stripe_action"


def with_payment_id(url: str, payment_id: str) -> str:
    """The shop's address with the payment's id, by which it can ask how the payment went."""
    address, hash_, fragment = url.partition("#")
    joint = "&" if "?" in address else "?"
    return f"{address}{joint}payment_id={payment_id}{hash_}{fragment}"


def with_action(url: str, payment_id: str, client_secret: str) -> str:
    """The shop's address, to which Stripe's script is told what to show. It stands behind the hash,
    which browsers keep for the page and send nobody."""
    address, _, _ = with_payment_id(url, payment_id).partition("#")
    return f"{address}#{_ACTION}={quote(client_secret, safe='')}"
