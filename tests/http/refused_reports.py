"""How the reports of days, one or several, refuse."""

from tests.http.api import Request
from tests.http.scenarios import Stage, refuses

REPORT = "GET /v1/reports/days/{date}"
PDF = "GET /v1/reports/days/{date}/document.pdf"


def asked(endpoint: str, day: str, query: str = "") -> Request:
    return Request("GET", endpoint.removeprefix("GET ").replace("{date}", day) + query)


for each in (REPORT, PDF):
    for text in ("yesterday", "2030-02-30", "0001-01-01", "20300101", "2030-W01-1"):

        @refuses(each, "invalid_request", field="date")
        async def of_no_day(_stage: Stage, endpoint: str = each, day: str = text) -> Request:
            return asked(endpoint, day)

    @refuses(each, "invalid_request", field="time_zone")
    async def by_the_clocks_of_nowhere(_stage: Stage, endpoint: str = each) -> Request:
        return asked(endpoint, "2030-01-01", "?zone=Mars/Base")


PERIOD = "GET /v1/reports/period"
PERIOD_PDF = "GET /v1/reports/period/document.pdf"


def of_days(endpoint: str, first: str, last: str, more: str = "") -> Request:
    path = endpoint.removeprefix("GET ")
    return Request("GET", f"{path}?first={first}&last={last}{more}")


for each in (PERIOD, PERIOD_PDF):
    for field, days in (
        ("first", ("yesterday", "2030-01-01")),
        ("last", ("2030-01-01", "2030-02-30")),
        ("last", ("2030-01-02", "2030-01-01")),
        ("last", ("2030-01-01", "2031-01-02")),
    ):

        @refuses(each, "invalid_request", field=field)
        async def of_no_days(
            _stage: Stage, endpoint: str = each, asked: tuple[str, str] = days
        ) -> Request:
            return of_days(endpoint, *asked)

    @refuses(each, "invalid_request", field="time_zone")
    async def several_nowhere(_stage: Stage, endpoint: str = each) -> Request:
        return of_days(endpoint, "2030-01-01", "2030-01-31", "&zone=Mars/Base")
