"""An engine with payment providers, for the commands that look into their books."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bespeak.engine import Engine


@asynccontextmanager
async def with_providers(url: str, provider: str | None) -> AsyncIterator[Engine]:
    """An engine with the providers that are set up, or only this one. Raises InvalidSetting where
    there is none."""
    import msgspec

    from bespeak.assembly import connect
    from bespeak.errors import InvalidSetting
    from bespeak.payments.providers.provider import kind_of
    from bespeak.settings import Settings

    # To compare books sells nothing, so the sandbox's may be compared anywhere.
    settings = msgspec.structs.replace(Settings.read(), allow_pretend_money=True)
    is_account = provider is not None and kind_of(provider) != provider
    if provider is not None and not is_account:
        settings = msgspec.structs.replace(settings, payment_providers=provider)
    async with connect(url, settings=settings, sweep=False) as engine:
        if provider is not None:  # nor those that were set at the console
            for name in [*engine.payments.providers]:
                if name != provider:
                    await engine.payments.providers.pop(name).close()
        if not engine.payments.providers:
            variable = "BESPEAK_PAYMENT_PROVIDERS"
            raise InvalidSetting(
                f"no payment provider is set up: set {variable}, or name one with --provider",
                variable=variable,
            )
        yield engine
