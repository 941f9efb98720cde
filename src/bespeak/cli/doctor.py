"""`bespeak doctor`: looks for what is set up wrong, and says what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.cli.checks import Finding

_COLOURS = {"ok": "green", "warning": "yellow", "failed": "bold red"}


def doctor(*, database: DatabaseChoice | None = None, as_json: Json = False) -> int:
    """Look for what is set up wrong.

    Looks at the settings, the connection, PostgreSQL's version and durability, its connections,
    the schema, the clock, long transactions, the feed, the background worker; recounts every
    resource from its holds and bookings, and holds the money against them. Changes nothing. The
    status is 1 if a check failed.

    For example:

        bespeak doctor

        bespeak doctor --data ./demo --json

    Parameters
    ----------
    as_json
        Print the findings as one JSON array.
    """
    from bespeak.cli import checks
    from bespeak.cli.databases import on_connection
    from bespeak.cli.output import answer
    from bespeak.errors import DatabaseUnavailable

    found = [checks.settings(), *checks.verticals()]
    try:
        found += on_connection(database, checks.all_of)
    except DatabaseUnavailable as error:
        found.append(checks.unreachable(error))
    answer(found, _print_table, as_json=as_json)
    return 1 if any(finding.verdict == "failed" for finding in found) else 0


def _print_table(found: list[Finding]) -> None:
    from rich.table import Table
    from rich.text import Text

    from bespeak.cli.output import results

    table = Table("check", "verdict", "seen", "what to do")
    for finding in found:
        verdict = Text(finding.verdict, _COLOURS[finding.verdict])
        table.add_row(finding.check, verdict, Text(finding.seen), Text(finding.remedy))
    results().print(table)
