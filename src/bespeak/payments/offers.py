"""Offers for late money: what was paid for is held again for the same owner, judged by the plan as
it is now. Where it is gone, and the policy is `equal_offer`, the nearest alternative of the same
price is held, by the same rule that offers alternatives with every refusal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from bespeak import ids
from bespeak.errors import BespeakError, HoldNotFound, IdempotencyKeyReused, Unavailable
from bespeak.lines import Line
from bespeak.payments.payment import DuePayment
from bespeak.refusals import Alternative
from bespeak.reservations.alternatives import OFFERS_MAX
from bespeak.reservations.holds import Hold

if TYPE_CHECKING:
    from bespeak.reservations.verbs import Reservations

_HOLD_SECONDS = 60


class OfferFinder:
    """Places holds of equal offers."""

    def __init__(self, engine: Reservations) -> None:
        self._engine = engine

    async def place(self, work: DuePayment) -> UUID | None:
        """A new hold of the payment's owner, of the same price and home as the one that it was for;
        None where there is no such offer. Asked again, it answers the hold that it placed before.
        Raises Unavailable when that cannot be told now."""
        try:
            before = await self._engine.get_hold(ids.show(ids.HOLD, work.hold))
        except HoldNotFound:
            return None
        # The same lines first: they may have come free since.
        tries: list[Sequence[Line]] = [before.lines]
        number = 0
        while number < len(tries):
            hold, alternatives = await self._try(work, tries[number], number)
            if hold is not None:
                return ids.parse(ids.HOLD, hold.id)
            if number == 0 and await self._may_replace(before):
                tries += list(_replaced(before.lines, alternatives))
            number += 1
        return None

    async def _may_replace(self, before: Hold) -> bool:
        """Whether all resources of the hold allow equal offers: the strictest policy counts."""
        numbers = [ids.parse_resource(line.resource_id) for line in before.lines]
        resources = await self._engine.ready_resources.get_many(numbers, None)
        return all(one.resource.late_payment == "equal_offer" for one in resources.values())

    async def _try(
        self, work: DuePayment, lines: Sequence[Line], number: int
    ) -> tuple[Hold | None, list[Alternative]]:
        try:
            hold = await self._engine.place_hold(
                owner=work.owner,
                lines=lines,
                hold_seconds=_HOLD_SECONDS,
                alternatives=OFFERS_MAX,
                idempotency_key=f"late:{work.id}:{number}",
            )
        except Unavailable:
            raise
        except IdempotencyKeyReused:
            return None, []  # an earlier search, that died, tried another offer at this place
        except BespeakError as error:
            found = error.data.get("alternatives")
            return None, found if isinstance(found, list) else []
        if self._is_equal(work, hold):
            return hold, []
        await self._engine.release_hold(hold.id, owner=work.owner)
        return None, []

    def _is_equal(self, work: DuePayment, hold: Hold) -> bool:
        home = ids.home_of(ids.parse(ids.HOLD, hold.id))
        return hold.amount == work.amount and home == work.home


def _replaced(lines: Sequence[Line], alternatives: Sequence[Alternative]) -> Iterator[list[Line]]:
    """The lines with an offer in the place of those that were refused, the nearest first; only
    where one alternative stands for all that was refused."""
    if len(alternatives) != 1:
        return
    places = alternatives[0].instead_of
    for offer in alternatives[0].offers:
        kept = [line for place, line in enumerate(lines) if place not in places]
        yield [*offer, *kept] if 0 in places else [*kept, *offer]
