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
    refused_appointments,
    refused_booking_links,
    refused_box_office,
    refused_calendars,
    refused_checkout_answers,
    refused_cinema,
    refused_contacts,
    refused_demo,
    refused_drafts,
    refused_exchanges,
    refused_free_sales,
    refused_holds,
    refused_invite_codes,
    refused_invoices,
    refused_mail_server,
    refused_mail_texts,
    refused_mailings,
    refused_merchants,
    refused_moves,
    refused_operators,
    refused_outbox,
    refused_payment_provider,
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
    and refused_appointments
    and refused_cinema
    and refused_contacts
    and refused_demo
    and refused_drafts
    and refused_exchanges
    and refused_holds
    and refused_free_sales
    and refused_invoices
    and refused_mail_server
    and refused_payment_provider
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


# So many scenarios share a database, which each of them compares with itself: what the others left
# in it costs time.
SHARING = 100
# What is counted by being refused, and in which table.
COUNTED = {"sign_in_code_wrong": "sign_in"}


class SharedApis:
    """An API with the sandbox on a database that so many scenarios share, one after the other."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._opened = AsyncExitStack()
        self._shared = SHARING
        self._now: tuple[Api, Clock] | None = None

    async def next(self) -> tuple[Api, Clock]:
        """The API for the next scenario, and the clock of its database."""
        if self._now is None or self._shared >= SHARING:
            await self.close()
            self._now = await self._open()
            self._shared = 0
        self._shared += 1
        return self._now

    async def close(self) -> None:
        await self._opened.aclose()

    async def _open(self) -> tuple[Api, Clock]:
        settings = msgspec.structs.replace(
            SETTINGS, payment_providers="sandbox", allow_pretend_money=True
        )
        open_one = self._opened.enter_async_context
        url = await open_one(database.fresh_database(self._server))
        session = await open_one(database.session(url))
        api = await open_one(opened(settings, url, session))
        clock = Clock(session)
        await clock.set(clock.now)
        clock.shared_with(api.service.engine)
        return api, clock


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def apis(server: str) -> AsyncIterator[SharedApis]:
    made = SharedApis(server)
    yield made
    await made.close()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
async def test_it_is_refused_and_nothing_changes(
    scenario: Scenario, apis: SharedApis, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, clock = await apis.next()
    show = await resources.create(api.connection, new_show())
    async with AsyncExitStack() as stack:
        stage = Stage(api, show, clock, monkeypatch, stack)
        request = await scenario.prepare(stage)
        before = await api.snapshot()
        problem(await api.send(request), scenario.code, **scenario.data)
        after = await api.snapshot()
        if scenario.code in COUNTED:  # in this one table, and in no other
            changed = {name for name in after if after[name] != before[name]}
            assert changed == {COUNTED[scenario.code]}
        else:
            assert after == before
    assert await database.problems(api.connection) == []


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
            "bespeak.verticals.appointments.errors",
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
