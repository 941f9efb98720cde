"""Reports of days: what was sold, taken and given back, for the books."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.http.api.day_rows import HEAD, day_rows
from bespeak.http.api.tickets import PDF, PDF_HEADERS
from bespeak.http.server import tags
from bespeak.http.server.answers import Answer
from bespeak.http.server.call import Call
from bespeak.http.server.endpoint import SERVERS, endpoint_table
from bespeak.http.server.languages import LanguageTag, language_of
from bespeak.http.server.scopes import READ
from bespeak.http.server.spreadsheets import CSV, csv_answer
from bespeak.http.server.workspaces import Reach
from bespeak.inventory.resource_checks import check_time_zone
from bespeak.reports.day_report import DayReport

_YEARS = range(1970, 9000)
ENDPOINTS, endpoint = endpoint_table(tags.PAYMENTS)

Zone = Annotated[str, Meta(min_length=1, max_length=60)]


class DayQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By the clocks of which zone (absent: the merchant's, else UTC); in which form."""

    zone: Zone | None = None
    format: Literal["json", "csv"] = "json"


class DayDocumentQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By the clocks of which zone, and in which language the document speaks."""

    zone: Zone | None = None
    lang: LanguageTag | None = None


@endpoint(
    "GET",
    "/v1/reports/days/{date}",
    "The report of a day",
    kinds=SERVERS,
    also=CSV,
    errors=(InvalidRequest,),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def get_day_report(call: Call[DayQuery, None]) -> DayReport | Answer:
    """What was sold in a day, by resource, category and provider; what each provider took and gave
    back; fees, taxes by their rates, refunds, and the takings of the desk."""
    report = await _report(call, call.query.zone)
    if call.query.format == "json":
        return report
    return csv_answer(f"day-{report.date.isoformat()}.csv", HEAD, day_rows(report))


@endpoint(
    "GET",
    "/v1/reports/days/{date}/document.pdf",
    "The report of a day as a PDF",
    answers=PDF,
    kinds=SERVERS,
    errors=(InvalidRequest,),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def get_day_report_pdf(call: Call[DayDocumentQuery, None]) -> Answer:
    """The report of a day to print, or to put on file."""
    report = await _report(call, call.query.zone)
    merchant = await call.service.merchants.of(call.caller.workspace)
    language = language_of(call.headers, call.query.lang)
    # The typesetter and its fonts are loaded by those processes that need them.
    from bespeak.reports.documents import write_report  # noqa: PLC0415

    body = await asyncio.to_thread(write_report, report, merchant.profile, language)
    name = f'inline; filename="day-{report.date.isoformat()}.pdf"'
    headers = (*PDF_HEADERS, (b"content-disposition", name.encode()))
    return Answer(200, body, headers=headers, content_type=PDF.encode())


async def _report(
    call: Call[DayQuery, None] | Call[DayDocumentQuery, None], zone: str | None
) -> DayReport:
    day = _day(call.path["date"])
    if zone is None:
        merchant = await call.service.merchants.of(call.caller.workspace)
        zone = merchant.profile.time_zone or "UTC"
    check_time_zone(zone)
    return await call.service.days.report(day, zone, call.workspace)


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() != text or day.year not in _YEARS:
        raise InvalidRequest("a day is named by its date, as 2030-01-05", field="date")
    return day
