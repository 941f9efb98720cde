"""Statements that list things name the workspace that they are of; those that do not are asked with
ids that the wall has looked at, and stand here with that reason.
"""

from pathlib import Path

import pytest

from bespeak.postgres.queries import load

# Of each file of lists: the statements that are asked with ids which the call found itself.
LISTS = {
    ("bespeak.http.api", "booking_lists.sql"): {"bookings_named", "refunds_named"},
    ("bespeak.reservations", "live_holds.sql"): {"owned_holds"},  # of an erasure
    ("bespeak.overview", "figures.sql"): {"sold_twice"},
    ("bespeak.overview", "resources.sql"): {"taken"},
    ("bespeak.feed", "feed_snapshot.sql"): {"begin"},
    ("bespeak.payments", "takings.sql"): set(),
    ("bespeak.verticals.programme", "catalogue.sql"): {"picture"},  # which everybody may see
    ("bespeak.verticals.stays", "catalogue.sql"): set(),
    ("bespeak.invoices", "invoice_lists.sql"): set(),
    # The other statements are asked with the id of a room that was read by its workspace.
    ("bespeak.admission", "rooms.sql"): {
        name
        for name in load("bespeak.admission", "rooms.sql")
        if name not in ("read", "is_known", "make", "found")
    },
    ("bespeak.reports", "days.sql"): set(),
    ("bespeak.waitlists", "entry_lists.sql"): set(),
}
CONDITION = "workspace = $"


@pytest.mark.parametrize("where", LISTS, ids=lambda where: where[1])
def test_each_statement_of_a_list_names_the_workspace(where: tuple[str, str]) -> None:
    statements = load(*where)
    assert LISTS[where] <= set(statements), "one that is excused is gone"
    for name, statement in statements.items():
        if name not in LISTS[where]:
            assert CONDITION in statement, f"{where[1]}: {name} lists what is of every workspace"
        else:
            assert CONDITION not in statement, f"{where[1]}: {name} needs no excuse"


def test_every_file_of_lists_is_looked_at() -> None:
    """A file with the condition in one statement has it in all, or is of more than lists."""
    source = Path(__file__).resolve().parents[2] / "src/bespeak"
    found = {
        path.name for path in source.rglob("*.sql") if "w.workspace = $" in path.read_text("utf-8")
    }
    # One list each, among statements by id.
    others = {"refunds.sql", "feed.sql", "calendar_links.sql", "waitlists.sql", "entries.sql"}
    others |= {"outlook.sql", "links.sql"}
    assert found - others <= {name for _, name in LISTS}
