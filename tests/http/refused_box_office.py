"""How the sessions of the shop and of the console refuse, and the lists and figures."""

from datetime import timedelta

from bespeak.http.server.budgets import policy
from bespeak.http.server.errors import BoxOfficeClosed, RateLimited
from tests.http.api import Request
from tests.http.scenarios import Stage, refuses

SESSION = "POST /v1/box-office/session"
LOG_IN = "POST /v1/console/session"
SEEN = "GET /v1/console/session"
LOG_OUT = "DELETE /v1/console/session"
BOOKINGS = "GET /v1/bookings"
HOLDS = "GET /v1/holds"
OVERVIEW = "GET /v1/overview"
FIGURES = "GET /v1/overview/resources"
NO_CONSOLE_KEY = "ak_" + "0" * 32


def _guest(body: object = None) -> Request:
    return Request("POST", "/v1/box-office/session", body, None)


def _log_in(key: str) -> Request:
    return Request("POST", "/v1/console/session", {"key": key}, None)


def _close(stage: Stage) -> None:
    async def closed() -> str:
        raise BoxOfficeClosed(because="key")

    stage.monkeypatch.setattr(stage.api.service.box_office_key, "text", closed)


async def _too_many(*_: object) -> None:
    raise RateLimited(retry_after_seconds=7, limit="10 per 1 minute")


@refuses(SESSION, "box_office_closed", because="key")
async def a_guest_at_a_closed_box_office(stage: Stage) -> Request:
    _close(stage)
    return _guest()


@refuses(SESSION, "budget_spent", budget="guests")
async def more_new_guests_than_an_address_may_be(stage: Stage) -> Request:
    await stage.api.service.box_office_key.text()  # which the first visitor has made
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    stage.monkeypatch.setattr(policy, "GUESTS", policy.Limits(0, 0))
    return _guest()


@refuses(SESSION, "challenge_required", budget="guests")
async def so_many_new_guests_that_a_challenge_is_asked_for(stage: Stage) -> Request:
    await stage.api.service.box_office_key.text()  # which the first visitor has made
    stage.monkeypatch.setattr(stage.api.service.budgets, "mode", "on")
    stage.monkeypatch.setattr(policy, "GUESTS", policy.Limits(0, 10))
    return _guest()


@refuses(SESSION, "rate_limited")
async def too_many_guests_of_one_address(stage: Stage) -> Request:
    stage.monkeypatch.setattr(stage.api.service.limits, "count_guest_session", _too_many)
    return _guest()


@refuses(LOG_IN, "key_unknown")
async def a_login_with_no_key_of_ours(stage: Stage) -> Request:
    return _log_in(NO_CONSOLE_KEY)


@refuses(LOG_IN, "key_unknown")
async def a_login_with_a_text_that_no_database_takes(stage: Stage) -> Request:
    return _log_in("ak_\x00")


@refuses(LOG_IN, "key_expired")
async def a_login_with_a_key_that_is_over(stage: Stage) -> Request:
    ends = stage.clock.now + timedelta(hours=1)
    key = await stage.api.restricted("read", expires_at=ends)
    await stage.clock.set(ends)
    return _log_in(stage.api.keys[key])


@refuses(LOG_IN, "key_kind_wrong", kinds=["admin", "restricted"])
async def a_login_with_a_key_of_a_server(stage: Stage) -> Request:
    return _log_in(stage.api.keys["sk"])


@refuses(LOG_IN, "key_kind_wrong")
async def a_login_with_the_key_that_every_page_has(stage: Stage) -> Request:
    return _log_in(stage.api.keys["pk"])


@refuses(LOG_IN, "rate_limited")
async def a_login_from_where_too_many_failed(stage: Stage) -> Request:
    stage.monkeypatch.setattr(stage.api.service.limits, "check_login", _too_many)
    return _log_in(stage.api.keys["ak"])


@refuses(LOG_IN, "box_office_closed", because="setting")
async def a_login_where_there_is_no_box_office(stage: Stage) -> Request:
    def closed(_: object) -> None:
        raise BoxOfficeClosed(because="setting")

    stage.monkeypatch.setattr("bespeak.http.api.console.check_open", closed)
    return _log_in(stage.api.keys["ak"])


@refuses(SEEN, "console_session_invalid")
async def the_session_of_nobody(stage: Stage) -> Request:
    return Request("GET", "/v1/console/session", None, None)


@refuses(SEEN, "console_session_invalid")
async def a_session_with_a_guests_cookie(stage: Stage) -> Request:
    token = stage.api.service.guests.token("guest_asha")
    return Request("GET", "/v1/console/session", None, None, {"Cookie": f"bespeak_console={token}"})


@refuses(LOG_OUT, "csrf_token_invalid")
async def a_logout_that_another_page_asks_for(stage: Stage) -> Request:
    key = await stage.api.service.keys.find(stage.api.keys["ak"])
    cookie, _ = stage.api.service.consoles.open(key)
    headers = {"Cookie": f"bespeak_console={cookie}"}
    return Request("DELETE", "/v1/console/session", None, None, headers)


def _as_shopper(stage: Stage, path: str) -> Request:
    return Request("GET", path, None, "pk", {"Bespeak-Shopper": stage.api.token("asha")})


@refuses(BOOKINGS, "not_owner")
async def the_bookings_of_another(stage: Stage) -> Request:
    return _as_shopper(stage, "/v1/bookings?owner=ben")


@refuses(BOOKINGS, "invalid_id")
async def the_bookings_of_no_resource_that_could_be(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings?resource_id=show_7")


@refuses(BOOKINGS, "invalid_cursor")
async def the_bookings_after_nonsense(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings?after=yesterday")


@refuses(BOOKINGS, "invalid_cursor")
async def the_bookings_after_the_end_of_time(stage: Stage) -> Request:
    return Request("GET", f"/v1/bookings?after={'f' * 15}-{'0' * 32}")


@refuses(BOOKINGS, "invalid_request", field="to")
async def the_bookings_of_a_time_that_ends_before_it_begins(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings?from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z")


@refuses(BOOKINGS, "invalid_request", field="from")
async def the_bookings_since_a_time_before_time(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings?from=0001-01-01T00:00:00%2B14:00")


@refuses(BOOKINGS, "invalid_request", field="q")
async def the_bookings_of_a_word_that_no_database_takes(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings?q=a%00b")


@refuses(BOOKINGS, "invalid_request", field="owner")
async def the_bookings_of_an_owner_that_no_database_takes(stage: Stage) -> Request:
    return Request("GET", "/v1/bookings?owner=a%00b")


@refuses(HOLDS, "not_owner")
async def the_holds_of_another(stage: Stage) -> Request:
    return _as_shopper(stage, "/v1/holds?owner=ben")


@refuses(HOLDS, "invalid_request", field="owner")
async def the_holds_of_an_owner_that_no_database_takes(stage: Stage) -> Request:
    return Request("GET", "/v1/holds?owner=a%00b")


@refuses(HOLDS, "invalid_request", field="state")
async def the_holds_that_are_over(stage: Stage) -> Request:
    return Request("GET", "/v1/holds?state=expired")


@refuses(OVERVIEW, "invalid_request", field="from")
async def the_overview_of_a_century(stage: Stage) -> Request:
    path = "/v1/overview?from=1999-01-01T00:00:00Z&to=2099-01-01T00:00:00Z"
    return Request("GET", path, None, "ak")


@refuses(OVERVIEW, "invalid_request", field="from")
async def the_overview_of_no_time_at_all(stage: Stage) -> Request:
    path = "/v1/overview?from=2030-01-01T00:00:00Z&to=2030-01-01T00:00:00Z"
    return Request("GET", path, None, "ak")


@refuses(OVERVIEW, "invalid_request", field="from")
async def the_overview_since_a_time_of_nowhere(stage: Stage) -> Request:
    return Request("GET", "/v1/overview?from=2030-01-01T00:00:00", None, "ak")


@refuses(FIGURES, "invalid_cursor")
async def the_figures_after_nonsense(stage: Stage) -> Request:
    return Request("GET", "/v1/overview/resources?after=nonsense", None, "ak")


@refuses(FIGURES, "invalid_cursor")
async def the_figures_after_a_place_in_another_order(stage: Stage) -> Request:
    await stage.make_show()
    path = "/v1/overview/resources?limit=1&sort="
    page = await stage.api.ask("GET", f"{path}name", key="ak")
    return Request("GET", f"{path}sold&after={page.json()['next']}", None, "ak")


@refuses(FIGURES, "invalid_cursor")
async def the_figures_after_a_time_that_is_none(stage: Stage) -> Request:
    cursor = "WyJzdGFydHNfYXQiLCJzb29uIiwxXQ"  # ["starts_at","soon",1]
    return Request("GET", f"/v1/overview/resources?after={cursor}", None, "ak")


@refuses(FIGURES, "invalid_request", field="q")
async def the_figures_of_a_word_that_no_database_takes(stage: Stage) -> Request:
    return Request("GET", "/v1/overview/resources?q=a%00b", None, "ak")


@refuses("GET /v1/audit-log", "invalid_cursor")
async def a_page_of_the_audit_log_after_nothing(stage: Stage) -> Request:
    return Request("GET", "/v1/audit-log?after=x", key="ak")
