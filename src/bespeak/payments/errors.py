"""The errors of paying, branches of the one tree in bespeak.errors."""

from __future__ import annotations

from bespeak.errors import InvalidRequest, NotPermitted, Refused


class PaymentDeclined(Refused):
    """The payment came to nothing; `failure` says why, and another means of payment may do while
    the hold lasts. `payment_id` names the record."""

    code = "payment_declined"
    status = 402
    title = "The payment was declined"


class PaymentInProgress(Refused):
    """Another payment of this hold is under way or done; `payment_id` names it, if it is the
    caller's."""

    code = "payment_in_progress"
    retryable = True
    title = "This hold is being paid already"


class FreeSalesOff(NotPermitted):
    """Nothing is given for nothing here: BESPEAK_FREE_SALES says so."""

    code = "free_sales_off"
    title = "Nothing is given for nothing here"


class PaymentNotFound(Refused):
    """No payment has this id."""

    code = "payment_not_found"
    status = 404
    title = "There is no payment with this id"


class ProviderUnknown(InvalidRequest):
    """No such payment provider is set up here; `providers` lists those that are."""

    code = "provider_unknown"
    title = "This payment provider is not set up"


class PaymentProviderInvalid(InvalidRequest):
    """The keys are none, or not those of a usable account; `field` names which."""

    code = "payment_provider_invalid"
    title = "The payment provider cannot be set so"


class PaymentProviderFixed(Refused):
    """Where buyers pay is said by the environment of the server, or it is a demo; `fixed_by` names
    which. It cannot be set here."""

    code = "payment_provider_fixed"
    title = "Where buyers pay cannot be set here"


class PaymentProviderMissing(Refused):
    """No payment provider is set, so there is none to try."""

    code = "payment_provider_missing"
    title = "No payment provider is set"


class PaymentProviderInUse(Refused):
    """Payments that began with the keys of the environment may still be refunded, and are known to
    that account alone; `payments` says how many, counted up to a thousand."""

    code = "payment_provider_in_use"
    title = "Payments need the account of the environment"


class MoneyReturned(Refused):
    """The money came when the hold was over, and what it was for is not to be had any more: it is
    given back. `payment_id` names the record."""

    code = "money_returned"
    status = 410
    title = "The hold was over when the money came; it is given back"


class CallbackMismatch(InvalidRequest):
    """The callback names another amount or currency than the payment has. Nothing was done."""

    code = "callback_mismatch"
    title = "The callback does not fit the payment"


class RefundTooGreat(Refused):
    """The refunds of the booking would come to more than the caller allows; `comes_to` says to how
    much, in minor units. Nothing was done."""

    code = "refund_too_great"
    title = "The refunds would come to more than is allowed"


class RefundByPolicyOnly(NotPermitted):
    """A shopper gets back what the policy gives; only a server may say otherwise."""

    code = "refund_by_policy_only"
    title = "A shopper cancels by the policy"


class RefundNotFound(Refused):
    """No refund has this id."""

    code = "refund_not_found"
    status = 404
    title = "There is no refund with this id"


class RefundNotFailed(Refused):
    """The refund was made; there is nothing to try again. `refund_id` names it."""

    code = "refund_not_failed"
    title = "This refund did not fail"


class RefundNotAtDesk(Refused):
    """The refund is not one that is handed over at the desk: another provider gives it back, or it
    failed. `refund_id` names it."""

    code = "refund_not_at_desk"
    title = "This refund is not handed over at the desk"


class NotCalledOff(Refused):
    """The resource was not called off: there is no progress to tell."""

    code = "not_called_off"
    status = 404
    title = "This resource was not called off"


class CallingOffRuns(Refused):
    """The resource is still being called off: it can be reopened when that is done."""

    code = "calling_off_runs"
    title = "This resource is still being called off"
    retryable = True
