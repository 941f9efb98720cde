"""The audit of the invoices: their numbers have no gap, and each is of money that was taken or
given back. The doctor, the tests and whoever asks share the one query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from bespeak import ids
from bespeak.invoices.invoice import number_of
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.invoices", "invoices.sql")

PROBLEMS: dict[str, str] = {
    "number_missing": "A number of a series is of no document.",
    "issued_out_of_order": "A document has an earlier date than one of a lower number.",
    "invoice_differs": "An invoice is not of what its payment took.",
    "credit_note_differs": "A credit note is not of a refund that was made.",
}
"""What each problem means, in a sentence."""


class InvoiceProblem(msgspec.Struct, frozen=True, kw_only=True):
    """What does not agree: at which number of which workspace, and of which document, if any."""

    problem: str
    meaning: str
    workspace: str
    number: str
    invoice_id: str | None


async def invoice_problems(connection: Connection) -> list[InvoiceProblem]:
    """What does not agree (at most 1,000). An empty list is the proof that no number is missing."""
    return [
        InvoiceProblem(
            problem=row["problem"],
            meaning=PROBLEMS[row["problem"]],
            workspace=row["workspace"],
            number=number_of(row["prefix"], row["place"]),
            invoice_id=None
            if row["invoice_id"] is None
            else ids.show(ids.INVOICE, row["invoice_id"]),
        )
        for row in await connection.fetch(_QUERIES["problems"])
    ]
