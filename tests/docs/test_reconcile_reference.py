"""Every difference that reconciling may tell stands in the guide, in the same words."""

from bespeak.payments.reconciliation.differences import DIFFERENCES
from tests.docs.pages import DOCS, code, rows, sections


def test_every_difference_is_documented() -> None:
    text = dict(sections(DOCS / "guides" / "reconcile.md"))["Whether the provider says the same"]
    assert {code(row[0])[0]: row[1] for row in rows(text)[1:]} == DIFFERENCES
