"""Every error that an endpoint has for a reason of its own: brought about, and nothing changed."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import msgspec
import pytest
import pytest_asyncio

from bespeak.errors import by_code
from bespeak.http.endpoints import ENDPOINTS
from bespeak.http.server.endpoint import Endpoint
from bespeak.inventory import resources
from tests.harness import database
from tests.harness.clock import Clock
from tests.harness.shows import new_show
from tests.http import (
    refused_accounts,
    refused_booking_links,
    refused_box_office,
    refused_calendars,
    refused_checkout_answers,
    refused_cinema,
    refused_demo,
    refused_drafts,
    refused_free_sales,
    refused_holds,
    refused_invite_codes,
    refused_invoices,
    refused_mail_texts,
    refused_mailings,
    refused_merchants,
    refused_moves,
    refused_operators,
    refused_outbox,
    refused_payments,
    refused_personal_data,
    refused_prices,
    refused_programme,
    refused_quotes,
    refused_ratings,
    refused_refund_terms,
    refused_refunds,
    refused_reports,
    refused_resources,
    refused_shapes,
    refused_stays,
    refused_streams,
    refused_tickets,
    refused_timelines,
    refused_waiting_rooms,
    refused_waitlists,
    refused_webhooks,
)
from tests.http.api import SETTINGS, Api, opened, problem
from tests.http.codes import CODES, NOT_ANSWERED
from tests.http.scenarios import SCENARIOS, Scenario, Stage
from tests.http.test_every_endpoint import GENERAL, general_codes

# Their import fills the register.
assert (
    refused_accounts
    and refused_booking_links
    and refused_box_office
    and refused_calendars
    and refused_checkout_answers
    and refused_cinema
    and refused_demo
    and refused_drafts
    and refused_holds
    and refused_free_sales
    and refused_invoices
    and refused_mail_texts
    and refused_mailings
    and refused_merchants
    and refused_moves
    and refused_operators
    and refused_outbox
    and refused_quotes
    and refused_reports
    and refused_resources
    and refused_shapes
)
assert (
    refused_payments
    and refused_personal_data
    and refused_prices
    and refused_programme
    and refused_ratings
    and refused_refund_terms
    and refused_refunds
    and refused_stays
    and refused_streams
    and refused_tickets
    and refused_timelines
    and refused_waiting_rooms
    and refused_invite_codes
    and refused_waitlists
    and refused_webhooks
)


# What is counted by being refused, and in which table.
COUNTED = {"sign_in_code_wrong": "sign_in"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_api(server: str) -> AsyncIterator[Api]:
    """The API with the sandbox, on a database that all scenarios share."""
    settings = msgspec.structs.replace(
        SETTINGS, payment_providers="sandbox", allow_pretend_money=True
    )
    async with (
        database.fresh_database(server) as url,
        database.session(url) as session,
        opened(settings, url, session) as made,
    ):
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clock(module_api: Api) -> Clock:
    made = Clock(module_api.connection)
    await made.set(made.now)
    made.shared_with(module_api.service.engine)
    return made


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
async def test_it_is_refused_and_nothing_changes(
    scenario: Scenario, module_api: Api, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = await resources.create(module_api.connection, new_show())
    async with AsyncExitStack() as stack:
        stage = Stage(module_api, show, clock, monkeypatch, stack)
        request = await scenario.prepare(stage)
        before = await module_api.snapshot()
        problem(await module_api.send(request), scenario.code, **scenario.data)
        after = await module_api.snapshot()
        if scenario.code in COUNTED:  # in this one table, and in no other
            changed = {name for name in after if after[name] != before[name]}
            assert changed == {COUNTED[scenario.code]}
        else:
            assert after == before
    assert await database.problems(module_api.connection) == []


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: f"{one.method} {one.path}")
def test_every_error_of_the_contract_is_brought_about(endpoint: Endpoint) -> None:
    name = f"{endpoint.method} {endpoint.path}"
    declared = {error.code for error in endpoint.all_errors()}
    own = {one.code for one in SCENARIOS if one.endpoint == name}
    assert own - declared == set(), "answered, but not in the contract"
    assert declared - own - general_codes(endpoint) == set(), "in the contract, but never seen"


def test_the_codes_are_those_that_clients_know() -> None:
    known = {
        code: (error.status, error.retryable)
        for code, error in by_code().items()
        if code not in NOT_ANSWERED
        and error.__module__
        in (
            "bespeak.admission.errors",
            "bespeak.demo.errors",
            "bespeak.errors",
            "bespeak.feed.errors",
            "bespeak.http.server.errors",
            "bespeak.http.server.operators.errors",
            "bespeak.inventory.errors",
            "bespeak.invoices.errors",
            "bespeak.merchants.errors",
            "bespeak.notifications.errors",
            "bespeak.payments.errors",
            "bespeak.payments.providers.provider",
            "bespeak.personal_data.errors",
            "bespeak.postgres.errors",
            "bespeak.reservations.errors",
            "bespeak.ticketing.errors",
            "bespeak.verticals.cinema.errors",
            "bespeak.verticals.currencies",
            "bespeak.verticals.pictures",
            "bespeak.verticals.programme.errors",
            "bespeak.verticals.stays.errors",
            "bespeak.waitlists.errors",
        )
    }
    assert known == CODES


def test_every_code_is_of_some_endpoint() -> None:
    declared = {error.code for endpoint in ENDPOINTS for error in endpoint.all_errors()}
    assert declared | GENERAL == set(CODES)
