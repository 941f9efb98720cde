"""`bespeak reconcile`: compares a payment provider's books with ours, and lists what differs."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from bespeak.cli.options import DatabaseChoice, Json

if TYPE_CHECKING:
    from bespeak.payments.reconciliation.report import ReconciliationReport

_LISTED = 100
_YEAR_MIN, _YEAR_MAX = 2000, 2999
_DAY = timedelta(days=1)


def reconcile(
    *,
    since: str | None = None,
    until: str | None = None,
    provider: str | None = None,
    rebook: bool = False,
    refund: bool = False,
    apply: bool = False,
    database: DatabaseChoice | None = None,
    as_json: Json = False,
) -> int:
    """Compare the payment provider's books with ours.

    Lists every payment and refund in which they differ: unknown on either side, another state or
    amount, money given back twice or not at all, money without a booking. What still moves is
    counted as unsettled, and not compared. Changes nothing but the note of this run, which
    `bespeak doctor` reads. The background worker does the same for each day by itself. The status
    is 1 if anything differs.

    With `--rebook` or `--refund` it looks for payments that our record lost instead, as a failover
    to a standby that was behind loses some: it lists them, and with `--apply` takes them back into
    the record. It may be repeated, and killed at any moment. The status is 1 while any is left.

    For example:

        bespeak reconcile

        bespeak reconcile --since 2026-11-01 --until 2026-12-01 --provider stripe --json

        bespeak reconcile --since 2026-11-22T18:00Z --rebook --apply

    Parameters
    ----------
    since
        Payments that began from this day, or time, on. Days are those of UTC. Absent: yesterday,
        or the day before `until`. For lost payments: the last 24 hours.
    until
        Payments that began before this day, or time. Absent: a day after `since`; for lost
        payments: now.
    provider
        Only this one. Absent: all that BESPEAK_PAYMENT_PROVIDERS names.
    rebook
        Book again what lost payments paid for, where it is free; give back the rest.
    refund
        Give all lost payments back.
    apply
        Do it, and not only list them.
    as_json
        Print the reports as one JSON array.
    """
    from bespeak.cli.databases import opened
    from bespeak.cli.output import print_json
    from bespeak.errors import InvalidRequest

    is_recovery = rebook or refund
    if rebook and refund:
        raise InvalidRequest("either --rebook or --refund", field="rebook")
    if apply and not is_recovery:
        raise InvalidRequest("--apply goes with --rebook or --refund", field="apply")
    begin, end = window(since, until, datetime.now(UTC), until_now=is_recovery)
    if is_recovery:
        from bespeak.cli.lost_payments import recover_lost

        time = (begin, end)
        return recover_lost(
            time, provider, database, refund=refund, is_dry=not apply, as_json=as_json
        )
    with opened(database) as url:
        reports = asyncio.run(_compare(url, begin, end, provider))
    if as_json:
        print_json(reports)
    else:
        for report in reports:
            _print(report)
    return 1 if any(report.differences_total for report in reports) else 0


def window(
    since: str | None, until: str | None, now: datetime, *, until_now: bool = False
) -> tuple[datetime, datetime]:
    """The half-open time that the options name; where they name no end, whole days or all `until
    now`. Raises InvalidRequest."""
    from bespeak.payments.reconciliation.report import check_window

    begin, end = _moment(since, "since"), _moment(until, "until")
    if end is None and until_now:
        end = now
    elif end is None:
        today = now.replace(hour=0, minute=0, second=0, microsecond=0)
        end = today if begin is None else begin + _DAY
    begin = begin or end - _DAY
    check_window(begin, end)
    return begin, end


def _moment(text: str | None, field: str) -> datetime | None:
    from bespeak.errors import InvalidRequest

    if text is None:
        return None
    message = f"{field} is a day or a time, as 2026-11-21 or 2026-11-21T18:00Z: {text[:40]!r}"
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidRequest(message, field=field) from error
    if not _YEAR_MIN <= found.year <= _YEAR_MAX:
        raise InvalidRequest(message, field=field)
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)  # a day, or a time that names no zone
    return found.astimezone(UTC)


async def _compare(
    url: str, since: datetime, until: datetime, provider: str | None
) -> list[ReconciliationReport]:
    from bespeak.cli.providers import with_providers
    from bespeak.payments.reconciliation.report import note_report
    from bespeak.payments.reconciliation.report import reconcile as compare

    reports = []
    async with with_providers(url, provider) as engine:
        for each in engine.payments.providers.values():
            report = await compare(engine.database, engine.settings, each, since, until)
            await note_report(engine.database, engine.settings, report)
            reports.append(report)
    return reports


def _print(report: ReconciliationReport) -> None:
    from rich.table import Table

    from bespeak.cli.output import results

    console = results()
    console.print(
        f"{report.provider}, {report.since:%Y-%m-%d %H:%M} to {report.until:%Y-%m-%d %H:%M} UTC:"
        f" {report.ours} payments here, {report.theirs} there, {report.unsettled} unsettled,"
        f" {report.differences_total} differences",
        soft_wrap=True,
    )
    if not report.differences:
        return
    table = Table("payment", "difference", "here", "there")
    for one in report.differences[:_LISTED]:
        sides = [
            "" if side is None else f"{side.state} {side.amount} {side.currency}"
            for side in (one.ours, one.theirs)
        ]
        table.add_row(one.refund_id or one.payment_id, one.meaning, *sides)
    console.print(table)
