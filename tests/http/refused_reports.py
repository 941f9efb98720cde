"""How the reports of days refuse."""

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
