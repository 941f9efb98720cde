"""The sandbox, at which everybody pays without money, is for the demo."""

import pytest

import bespeak
from bespeak import Settings
from bespeak.errors import InvalidSetting


@pytest.mark.parametrize(
    ("providers", "demo"),
    [
        ("sandbox", False),  # left on in a shop
        ("stripe,sandbox", False),  # a token of the sandbox pays beside real cards
        ("sandbox,stripe", True),
        ("stripe, sandbox", True),
    ],
)
async def test_pretend_money_is_for_the_demo(providers: str, demo: bool, database_url: str) -> None:
    settings = Settings(payment_providers=providers, demo=demo, stripe_secret_key="sk_test_1")
    with pytest.raises(InvalidSetting, match="ALLOW_PRETEND_MONEY") as refused:
        async with bespeak.connect(database_url, settings=settings):
            raise AssertionError("it took pretend money")
    assert refused.value.data == {"variable": "BESPEAK_PAYMENT_PROVIDERS"}


@pytest.mark.parametrize(
    "settings",
    [
        Settings(payment_providers="sandbox", demo=True),
        Settings(payment_providers="sandbox", allow_pretend_money=True),
        Settings(payment_providers=""),
    ],
)
async def test_where_it_is_wanted_it_stands(settings: Settings, database_url: str) -> None:
    async with bespeak.connect(database_url, settings=settings) as engine:
        assert set(engine.payments.providers) == (
            {"sandbox"} if settings.payment_providers else set()
        )
