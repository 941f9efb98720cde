"""Reading answers: a struct, or the error that the library raises for the same refusal.

An error is found by its code. One that this version does not know, as a newer server may answer
it, is made on the branch of the tree that its status belongs to, with the code that it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec
from msgspec import structs

from bespeak.admission.invites import InviteBatch
from bespeak.errors import BespeakError, InvalidRequest, NotPermitted, Refused, Unavailable, by_code
from bespeak.inventory.blocks import Block
from bespeak.inventory.resources import Resource
from bespeak.payments.payment import Paid, Payment
from bespeak.refusals import Alternative, Conflict
from bespeak.reservations.hold_batches import HoldOutcome
from bespeak.reservations.holds import Booking, Hold
from bespeak.waitlists.entry import WaitlistEntry

if TYPE_CHECKING:
    from bespeak.client.requests import ApiRequest

Answer = TypeVar("Answer")
Item = TypeVar("Item")

_ERRORS = (
    "admission",
    "feed",
    "inventory",
    "invoices",
    "merchants",
    "notifications",
    "payments",
    "personal_data",
    "reservations",
    "ticketing",
    "waitlists",
)
_BRANCHES = {403: NotPermitted, 409: Refused, 410: Refused, 422: InvalidRequest}
_BODY_SHOWN = 200
_NULL = b"null"


class ServerUnreachable(Unavailable):
    """The server did not answer, or its answer was lost: what was asked for may be done all the
    same. The client repeated it under its key for as long as it was told to, and so may you."""

    code = "server_unreachable"
    title = "The server did not answer"


class Items(msgspec.Struct, Generic[Item]):
    """A list that is answered as a whole."""

    items: list[Item]


class BatchOutcome(msgspec.Struct):
    """What became of one hold of a batch; of `hold` and `problem` one is null."""

    status: int
    hold: msgspec.Raw
    problem: msgspec.Raw
    repeated: bool = False

    def outcome(self) -> HoldOutcome:
        """The hold, or the error that the problem stands for."""
        if bytes(self.hold) == _NULL:
            return error_of(self.status, bytes(self.problem), {})
        hold = msgspec.json.decode(self.hold, type=Hold)
        return structs.replace(hold, replayed=True) if self.repeated else hold


class BatchOutcomes(msgspec.Struct):
    """What a batch of holds is answered with."""

    items: list[BatchOutcome]


class _Problem(msgspec.Struct):
    code: str
    detail: str
    status: int
    retryable: bool = False
    title: str = ""
    conflicts: list[Conflict] | None = None
    alternatives: list[Alternative] | None = None


_SAID = frozenset((*_Problem.__struct_fields__, "type"))


def decoded(request: ApiRequest[Answer], body: bytes, headers: Mapping[str, str]) -> Answer:
    """The answer to a request, `replayed` if it is that of an earlier one. Raises ServerUnreachable
    for what is none, as a proxy sends it."""
    try:
        found = request.decode(body)
    except (msgspec.DecodeError, ValueError) as error:
        raise ServerUnreachable(f"an answer that is none of Bespeak's: {error}") from error
    if "idempotent-replayed" in headers and isinstance(
        found, Hold | Booking | Paid | Resource | Block | InviteBatch | WaitlistEntry
    ):
        return structs.replace(found, replayed=True)
    return found


def paid(body: bytes) -> Paid:
    """What a wish to pay has come to: a booking with its payment, or the payment alone."""
    payment = msgspec.json.decode(body, type=_WithPayment).payment
    is_booked = "confirmed_at" in msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return Paid(payment, msgspec.json.decode(body, type=Booking) if is_booked else None)


class _WithPayment(msgspec.Struct):
    payment: Payment | None


def error_of(status: int, body: bytes, headers: Mapping[str, str]) -> BespeakError:
    """The error that an answer stands for, with its data."""
    try:
        problem = msgspec.json.decode(body, type=_Problem)
        data = msgspec.json.decode(body, type=dict[str, object])
    except (msgspec.DecodeError, ValueError):
        shown = body[:_BODY_SHOWN].decode("utf-8", "replace")
        return ServerUnreachable(f"status {status}, and no problem document: {shown}")
    data = {name: value for name, value in data.items() if name not in _SAID}
    if problem.conflicts is not None:
        data["conflicts"] = problem.conflicts
    if problem.alternatives is not None:
        data["alternatives"] = problem.alternatives
    seconds = headers.get("retry-after", "")
    if seconds.isdecimal():
        data.setdefault("retry_after_seconds", int(seconds))
    kind = _known().get(problem.code) or _unknown(
        problem.code, problem.status, problem.title, problem.retryable
    )
    return kind(problem.detail, **data)


@cache
def _known() -> dict[str, type[BespeakError]]:
    for name in _ERRORS:  # a class is known once its module is imported
        import_module(f"bespeak.{name}.errors")
    return by_code()


@cache
def _unknown(code: str, status: int, title: str, retryable: bool) -> type[BespeakError]:
    branch = Unavailable if retryable else _BRANCHES.get(status, BespeakError)
    said = {"code": code, "status": status, "title": title or code, "retryable": retryable}
    return type("UnknownProblem", (branch,), said)
