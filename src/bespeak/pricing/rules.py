"""The rules of a resource's prices beyond its plan: fees, taxes, demand steps, codes, and what a
cancellation gives back. They are data that a person writes; what makes no sense is refused here.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.lines import ADULT_AGE
from bespeak.pricing.rounding import ALL

AMOUNT_MAX = 1_000_000_000_000
_YEAR_SECONDS = 31_622_400
_PATTERN = r"^[^\x00-\x1f\x7f]*\Z"
_SCHEMA: dict[str, object] = {
    "pattern": r"^[^\x00-\x1f\x7f]*$",
    "description": "text in one line, without control characters",
    "examples": ["Booking fee"],
}

Label = Annotated[
    str, Meta(min_length=1, max_length=100, pattern=_PATTERN, extra_json_schema=_SCHEMA)
]
Amount = Annotated[int, Meta(ge=0, le=AMOUNT_MAX)]
Change = Annotated[int, Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]
BasisPoints = Annotated[int, Meta(ge=0, le=ALL)]
Names = Annotated[tuple[Label, ...], Meta(max_length=1000)]
Seconds = Annotated[int, Meta(ge=-_YEAR_SECONDS, le=10 * _YEAR_SECONDS)]
Moment = Annotated[datetime, Meta(tz=True)]


class Fee(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A fee on top of the price: so much for each `unit`, or once for the `order`, and a share of
    what is bought. `taxable` says that taxes are counted on it too."""

    name: Label
    per: Literal["unit", "order"] = "unit"
    amount: Amount = 0
    basis_points: BasisPoints = 0
    taxable: bool = True


class Tax(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A tax, `included` in the prices and fees, or on top of them: a share of them
    (`basis_points`), or for each guest and night of a stay so much (`guest_night`), of guests who
    are `age_from` or older, for at most the first `nights_max` nights."""

    name: Label
    basis_points: BasisPoints = 0
    included: bool = False
    guest_night: Amount = 0
    age_from: Annotated[int, Meta(ge=1, le=ADULT_AGE)] | None = None
    nights_max: Annotated[int, Meta(ge=1, le=366)] | None = None

    def guest_nights(self, guests: int, ages: Collection[int], nights: int) -> int:
        """For how many nights of guests a stay owes it. Who is not among the children is of age."""
        least = 0 if self.age_from is None else self.age_from
        owing = guests - sum(age < least for age in ages)
        return owing * (nights if self.nights_max is None else min(nights, self.nights_max))


class DemandStep(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """From what share (`from_basis_points`) or count of units sold on, a price is changed: by so
    many basis points of it, up or down, and then by an amount. It counts, and changes, those of a
    `category`, or of a counted `unit`, or (without either) all of the resource."""

    from_basis_points: Annotated[int, Meta(ge=1, le=ALL)] | None = None
    from_count: Annotated[int, Meta(ge=1, le=1_000_000_000)] | None = None
    basis_points: Annotated[int, Meta(ge=-ALL, le=10 * ALL)] = 0
    amount: Change = 0
    category: Label | None = None
    unit: Label | None = None


class PriceCode(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A code: for how many units in all, what it takes off the price of each (a share, then an
    amount), when it is good, and for what (empty: for all). With `presale` it lets one hold before
    the resource opens."""

    code: Label
    capacity: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    basis_points: BasisPoints = 0
    amount: Amount = 0
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    presale: bool = False
    units: Names = ()
    categories: Names = ()

    def admits(self, unit: str | None, category: str | None, now: datetime) -> bool:
        """Whether it is good for this unit at this time."""
        if self.valid_from is not None and now < self.valid_from:
            return False
        if self.valid_until is not None and now >= self.valid_until:
            return False
        if not self.units and not self.categories:
            return True
        return unit in self.units or category in self.categories


class RefundTier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What share is given back to who cancels at least so many seconds before the start (below
    zero: after it)."""

    before_seconds: Seconds
    basis_points: BasisPoints


class CancellationOverride(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Another policy for some units, categories, or rates of stays."""

    units: Names = ()
    categories: Names = ()
    rates: Names = ()
    refundable: bool = True
    free_until_seconds: Seconds | None = None
    tiers: Annotated[tuple[RefundTier, ...], Meta(max_length=50)] = ()
    fees_back: bool = False

    def terms(self) -> Terms:
        """The terms of what it is for."""
        return _terms(self)


class Cancellation(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What a cancellation gives back: all until `free_until_seconds` before the start, then by
    `tiers`, and nothing after the last; nothing ever if it is not `refundable`. Fees are kept
    unless `fees_back`."""

    refundable: bool = True
    free_until_seconds: Seconds | None = None
    tiers: Annotated[tuple[RefundTier, ...], Meta(max_length=50)] = ()
    fees_back: bool = False
    overrides: Annotated[tuple[CancellationOverride, ...], Meta(max_length=100)] = ()

    def terms_for(self, unit: str | None, category: str | None, rate: str | None = None) -> Terms:
        """The terms of one unit: of an override that names the rate it was bought by, else of one
        that names it, else of one that names its category, else those of the policy."""
        for override in self.overrides:
            if rate in override.rates:
                return _terms(override)
        for override in self.overrides:
            if unit in override.units:
                return _terms(override)
        for override in self.overrides:
            if category in override.categories:
                return _terms(override)
        return _terms(self)


class Terms(msgspec.Struct, frozen=True, omit_defaults=True):
    """A policy as it is for one line: the shares by time, the earliest first (none: nothing is
    given back), and whether fees are given back. It is frozen with the quote."""

    tiers: tuple[RefundTier, ...] = ()
    fees_back: bool = False


class Pricing(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """The rules of a resource's prices beyond its plan. The demand `steps_count` bookings and
    blocks, or with `payments` also holds that are being paid; never other holds."""

    fees: Annotated[tuple[Fee, ...], Meta(max_length=20)] = ()
    taxes: Annotated[tuple[Tax, ...], Meta(max_length=20)] = ()
    steps: Annotated[tuple[DemandStep, ...], Meta(max_length=200)] = ()
    steps_count: Literal["bookings", "payments"] = "bookings"
    codes: Annotated[tuple[PriceCode, ...], Meta(max_length=10_000)] = ()
    cancellation: Cancellation | None = None

    def without_secrets(self) -> Pricing:
        """The rules as a browser may see them: without their codes."""
        return msgspec.structs.replace(self, codes=())


def check_pricing(pricing: Pricing) -> Pricing:
    """The rules as their JSON is read, with tuples where lists were given. Raises InvalidRequest
    for rules that make no sense."""
    try:
        read = msgspec.json.decode(msgspec.json.encode(pricing), type=Pricing)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise nonsense(str(error)[:300]) from error
    _check_names([fee.name for fee in read.fees], "fee")
    _check_names([tax.name for tax in read.taxes], "tax")
    _check_names([code.code for code in read.codes], "code")
    for fee in read.fees:
        if fee.amount == 0 and fee.basis_points == 0:
            raise nonsense(f"the fee {fee.name[:60]!r} is nothing")
    for tax in read.taxes:
        _check_tax(tax)
    _check_steps(read.steps)
    for code in read.codes:
        _check_code(code)
    if read.cancellation is not None:
        _check_policy(read.cancellation, "cancellation")
        for place, override in enumerate(read.cancellation.overrides):
            _check_policy(override, f"cancellation.overrides[{place}]")
            if not override.units and not override.categories and not override.rates:
                raise nonsense(
                    f"cancellation.overrides[{place}] is for no unit, no category and no rate"
                )
    return read


def nonsense(detail: str) -> InvalidRequest:
    return InvalidRequest(f"pricing: {detail}", field="pricing")


def _check_names(names: list[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise nonsense(f"the {what} {name[:60]!r} comes twice")
        seen.add(name)


def _check_steps(steps: tuple[DemandStep, ...]) -> None:
    """Of one scope all count the same way, and rise."""
    latest: dict[tuple[str | None, str | None], tuple[bool, int]] = {}
    for place, step in enumerate(steps):
        if (step.from_basis_points is None) == (step.from_count is None):
            raise nonsense(f"steps[{place}] has either `from_basis_points` or `from_count`")
        if step.category is not None and step.unit is not None:
            raise nonsense(f"steps[{place}] is of a category or of a unit, not of both")
        if step.basis_points == 0 and step.amount == 0:
            raise nonsense(f"steps[{place}] changes nothing")
        is_count = step.from_count is not None
        start = (step.from_count if is_count else step.from_basis_points) or 0
        scope = (step.category, step.unit)
        before = latest.get(scope)
        if before is not None and before[0] != is_count:
            raise nonsense(f"steps[{place}] counts otherwise than the steps before it")
        if before is not None and start <= before[1]:
            raise nonsense(f"steps[{place}] does not begin after the one before it")
        latest[scope] = (is_count, start)


def _check_tax(tax: Tax) -> None:
    if tax.guest_night and tax.basis_points:
        raise nonsense(
            f"the tax {tax.name[:60]!r} is a share, or so much for a guest and night, not both"
        )
    if not tax.guest_night and (tax.age_from is not None or tax.nights_max is not None):
        raise nonsense(
            f"the tax {tax.name[:60]!r}: `age_from` and `nights_max` are of `guest_night`"
        )


def _check_code(code: PriceCode) -> None:
    since, until = code.valid_from, code.valid_until
    if since is not None and until is not None and since >= until:
        raise nonsense(f"the code {code.code[:60]!r} ends before it begins")


def _check_policy(policy: Cancellation | CancellationOverride, where: str) -> None:
    has_times = policy.free_until_seconds is not None or bool(policy.tiers)
    if policy.refundable != has_times:
        raise nonsense(
            f"{where} has neither `free_until_seconds` nor `tiers`, and is not `refundable` false"
            if policy.refundable
            else f"{where} is not refundable, and says when it is"
        )
    tiers = _terms(policy).tiers
    for one, after in pairwise(tiers):
        if one.before_seconds <= after.before_seconds:
            raise nonsense(f"the tiers of {where} do not come in the order of their times")
        if one.basis_points < after.basis_points:
            raise nonsense(f"{where} gives more back to who cancels later")


def _terms(policy: Cancellation | CancellationOverride) -> Terms:
    free: tuple[RefundTier, ...] = ()
    if policy.free_until_seconds is not None:
        free = (RefundTier(policy.free_until_seconds, ALL),)
    return Terms((*free, *policy.tiers), policy.fees_back)
