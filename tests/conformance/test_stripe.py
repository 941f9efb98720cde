"""Stripe keeps what every payment provider keeps."""

from collections.abc import AsyncIterator

import pytest

from tests.conformance.provider_doors import ProviderDoor
from tests.conformance.stripe_door import open_stripe_door
from tests.conformance.test_providers import ProviderSuite


class TestStripe(ProviderSuite):
    """Stripe, on a server of the test's own."""

    @pytest.fixture
    async def door(self) -> AsyncIterator[ProviderDoor]:
        async with open_stripe_door() as door:
            yield door
