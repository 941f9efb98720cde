"""Looks at the settings for Stripe before anything is sent with them: a key that was mixed up with
another is told at the start of a process, by the name of its variable, and never shown.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from bespeak.errors import InvalidSetting

Mode: TypeAlias = Literal["live", "test"]
_KEY = re.compile(r"(?:sk|rk)_[A-Za-z0-9_]{1,250}")
_PUBLISHABLE_KEY = re.compile(r"pk_(?:live|test)_[A-Za-z0-9_]{1,250}")
_MODE = re.compile(r"(?:sk|rk|pk)_(live|test)_")
_WEBHOOK_SECRET = re.compile(r"whsec_[\x21-\x7e]{1,250}")
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def checked_key(key: str) -> str:
    """The secret or restricted key itself. Raises InvalidSetting."""
    if key.startswith("pk_"):
        raise _invalid(
            "BESPEAK_STRIPE_SECRET_KEY",
            "has the publishable key, which is for browsers; the secret one begins with sk_",
        )
    if not _KEY.fullmatch(key):
        raise _invalid("BESPEAK_STRIPE_SECRET_KEY", "begins with sk_ (or rk_, restricted)")
    return key


def checked_publishable_key(key: str, mode: Mode | None) -> str:
    """The key for browsers itself, of the mode that the secret key has (None: it does not say).
    Whether both are of one account only Stripe knows. Raises InvalidSetting."""
    if key.startswith(("sk_", "rk_", "whsec_")):
        raise _invalid(
            "BESPEAK_STRIPE_PUBLISHABLE_KEY",
            "has a secret, and every buyer would get it; the key for browsers begins with pk_",
        )
    if not _PUBLISHABLE_KEY.fullmatch(key):
        raise _invalid(
            "BESPEAK_STRIPE_PUBLISHABLE_KEY",
            "is the key for browsers and begins with pk_test_ or pk_live_",
        )
    if mode not in (None, mode_of(key)):
        raise _invalid(
            "BESPEAK_STRIPE_PUBLISHABLE_KEY",
            f"is of the other mode than the secret key: it must begin with pk_{mode}_",
        )
    return key


def mode_of(key: str) -> Mode | None:
    """Whether a key moves real money; None where it does not say."""
    found = _MODE.match(key)
    if found is None:
        return None
    return "live" if found[1] == "live" else "test"


def checked_webhook_secret(secret: str) -> str:
    """The signing secret of the webhook endpoint itself. Raises InvalidSetting."""
    if not _WEBHOOK_SECRET.fullmatch(secret):
        raise _invalid(
            "BESPEAK_STRIPE_WEBHOOK_SECRET",
            "is the signing secret of the webhook endpoint and begins with whsec_",
        )
    return secret


def checked_api_base(url: str) -> str:
    """The address of the API without a slash at its end. Raises InvalidSetting for what is none,
    and for one over which the key would travel in the clear."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError as error:
        raise _invalid("BESPEAK_STRIPE_API_BASE", "is an address: https://host") from error
    if host is None or parts.query or parts.fragment or parts.username:
        raise _invalid("BESPEAK_STRIPE_API_BASE", "is an address: https://host")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _LOOPBACK):
        raise _invalid("BESPEAK_STRIPE_API_BASE", "is https, or http on this machine's loopback")
    return url.rstrip("/")


def _invalid(variable: str, what: str) -> InvalidSetting:
    return InvalidSetting(f"{variable} {what}", variable=variable)
