"""In which form buyers pay in the shop's own pages now. The pages ask for it, and so does whoever
sends them, since it says whose script may run there.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from bespeak.errors import Unavailable

if TYPE_CHECKING:
    from bespeak.payments.providers.provider import PaymentForm
    from bespeak.payments.settlement import Settlement

_WAIT_SECONDS: Final = 0.5
"""How long a page waits for accounts that are read anew. They are in memory, a moment old."""


async def payment_form(payments: Settlement) -> PaymentForm | None:
    """The form of the provider at which payments begin; None where buyers cannot pay in the pages.
    While the database is away or slow, it is the one that was known last: where it is not right any
    more, the payment is refused before it begins."""
    with suppress(Unavailable, TimeoutError):
        async with asyncio.timeout(_WAIT_SECONDS):
            await payments.takes_payments()
    found = payments.providers.get(payments.usual or "")
    return None if found is None else found.form()
