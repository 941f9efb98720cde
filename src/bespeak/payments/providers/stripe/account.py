"""Asks Stripe whose a key is, and whether it can do what payments need: three calls that read, cost
nothing, and change nothing.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Final

import aiohttp
import msgspec
import stripe
from msgspec import Meta

from bespeak.payments.providers.provider import KeyFault, ProviderAccount
from bespeak.payments.providers.stripe.keys import checked_api_base, checked_key, mode_of

SECONDS_MAX: Final = 10.0
"""How long Stripe may take for all three."""
_NAME_LENGTH_MAX: Final = 200


class KeyDoubted(Exception):
    """The key cannot be used, or nobody could say; `fault` says why."""

    def __init__(self, fault: KeyFault) -> None:
        super().__init__(fault)
        self.fault = fault


class _Profile(msgspec.Struct, frozen=True):
    name: str | None = None


class _Dashboard(msgspec.Struct, frozen=True):
    display_name: str | None = None


class _AccountSettings(msgspec.Struct, frozen=True):
    dashboard: _Dashboard | None = None


class _Account(msgspec.Struct, frozen=True):
    """https://docs.stripe.com/api/accounts/object"""

    id: Annotated[str, Meta(min_length=1, max_length=255)]
    charges_enabled: bool = False
    business_profile: _Profile | None = None
    settings: _AccountSettings | None = None

    @property
    def name(self) -> str:
        """How its owner calls it."""
        shown = self.settings.dashboard if self.settings else None
        told = (shown.display_name if shown else None) or (
            self.business_profile.name if self.business_profile else None
        )
        plain = "".join(letter if letter.isprintable() else " " for letter in told or "")
        return plain[:_NAME_LENGTH_MAX].strip()


async def account_of(key: str, api_base: str | None) -> ProviderAccount:
    """The account of a key, found to be able to read payments and refunds. Raises KeyDoubted, and
    InvalidSetting for what is no key."""
    # The library tells messages on lower levels, which quote parts of the key.
    logging.getLogger("stripe").setLevel(logging.WARNING)
    http = stripe.AIOHTTPClient(timeout=aiohttp.ClientTimeout(total=SECONDS_MAX))
    try:
        client = stripe.StripeClient(
            checked_key(key),
            http_client=http,
            base_addresses={"api": checked_api_base(api_base)} if api_base else None,
            max_network_retries=0,
        )
        async with asyncio.timeout(SECONDS_MAX):
            told = await client.v1.accounts.retrieve_current_async()
            found = msgspec.convert(told.to_dict(), _Account)
            await client.v1.payment_intents.list_async({"limit": 1})
            await client.v1.refunds.list_async({"limit": 1})
    except (stripe.StripeError, aiohttp.ClientError, OSError, msgspec.ValidationError) as error:
        # Not `from error`: its message quotes parts of the key.
        raise KeyDoubted(_fault_of(error)) from None
    finally:
        await http.close_async()  # type: ignore[no-untyped-call]
    return ProviderAccount(
        account_id=found.id,
        account_name=found.name,
        is_live=mode_of(key) == "live",
        can_charge=found.charges_enabled,
    )


def _fault_of(error: Exception) -> KeyFault:
    if isinstance(error, stripe.AuthenticationError):
        return "wrong_key"
    if isinstance(error, stripe.PermissionError):
        return "no_rights"
    if isinstance(error, TimeoutError) or isinstance(error.__cause__, TimeoutError):
        return "timeout"
    if isinstance(error, stripe.APIConnectionError | aiohttp.ClientError | OSError):
        return "unreachable"
    return "away"
