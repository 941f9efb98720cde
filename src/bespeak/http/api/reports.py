"""Reports of days, one or many: what was sold, taken and given back, for the books."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bespeak.errors import InvalidRequest
from bespeak.http.api.day_rows import HEAD, day_rows, period_rows
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
from bespeak.reports.day_report import DayReport, PeriodReport

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


DayText = Annotated[str, Meta(max_length=10, extra_json_schema={"format": "date"})]


class PeriodQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which days, both of them within; by the clocks of which zone (absent: the merchant's, else
    UTC); in which form."""

    first: DayText
    last: DayText
    zone: Zone | None = None
    format: Literal["json", "csv"] = "json"


class PeriodDocumentQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of which days, by the clocks of which zone, and in which language the document speaks."""

    first: DayText
    last: DayText
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
    return await _document(call, call.query.lang, report, f"day-{report.date.isoformat()}")


@endpoint(
    "GET",
    "/v1/reports/period",
    "The report of several days",
    kinds=SERVERS,
    also=CSV,
    errors=(InvalidRequest,),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def get_period_report(call: Call[PeriodQuery, None]) -> PeriodReport | Answer:
    """The sums of the reports of at most 366 days, and what each provider moved on each of them.
    Days with more than 200,000 payments and refunds between them are asked for in parts."""
    made = await _period(call, call.query.zone)
    if call.query.format == "json":
        return made
    return csv_answer(f"{_file_name(made)}.csv", HEAD, period_rows(made))


@endpoint(
    "GET",
    "/v1/reports/period/document.pdf",
    "The report of several days as a PDF",
    answers=PDF,
    kinds=SERVERS,
    errors=(InvalidRequest,),
    scopes=READ,
    reach=Reach.WORKSPACE,
)
async def get_period_report_pdf(call: Call[PeriodDocumentQuery, None]) -> Answer:
    """The report to print, or to put on file."""
    made = await _period(call, call.query.zone)
    return await _document(call, call.query.lang, made, _file_name(made))


def _file_name(made: PeriodReport) -> str:
    return f"days-{made.first.isoformat()}-{made.last.isoformat()}"


async def _document(
    call: Call[object, None], lang: str | None, report: DayReport | PeriodReport, name: str
) -> Answer:
    # The typesetter and its fonts are loaded by those processes that need them.
    from bespeak.reports.documents import write_report  # noqa: PLC0415

    merchant = await call.service.merchants.of(call.caller.workspace)
    language = language_of(call.headers, lang)
    body = await asyncio.to_thread(write_report, report, merchant.profile, language)
    kept = (b"content-disposition", f'inline; filename="{name}.pdf"'.encode())
    return Answer(200, body, headers=(*PDF_HEADERS, kept), content_type=PDF.encode())


async def _period(
    call: Call[PeriodQuery, None] | Call[PeriodDocumentQuery, None], zone: str | None
) -> PeriodReport:
    first, last = _day(call.query.first, "first"), _day(call.query.last, "last")
    zone = await _zone(call, zone)
    return await call.service.days.period(first, last, zone, call.workspace)


async def _report(
    call: Call[DayQuery, None] | Call[DayDocumentQuery, None], zone: str | None
) -> DayReport:
    day = _day(call.path["date"], "date")
    zone = await _zone(call, zone)
    return await call.service.days.report(day, zone, call.workspace)


async def _zone(call: Call[object, None], zone: str | None) -> str:
    """The zone that was asked for, else the merchant's. Raises InvalidRequest."""
    if zone is None:
        merchant = await call.service.merchants.of(call.caller.workspace)
        zone = merchant.profile.time_zone or "UTC"
    check_time_zone(zone)
    return zone


def _day(text: str, field: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() != text or day.year not in _YEARS:
        raise InvalidRequest("a day is named by its date, as 2030-01-05", field=field)
    return day
