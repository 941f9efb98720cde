"""The report of a day over HTTP: its sums are those of the ledger, whatever was sold and given
back.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from typing import cast

import pytest

from bespeak.inventory.resources import Price
from bespeak.pricing.rules import Fee, Pricing, Tax
from bespeak.reports.days import bounds
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.paying import PRICE, assert_money_agrees, paid_show
from tests.harness.shows import MakeShow
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.test_desk import refunder, sold
from tests.http.test_invoices import given_back

DAY = "/v1/reports/days/2030-01-01"
PERIOD = "/v1/reports/period"
WHOLE = "first=2030-01-01&last=2030-12-31"
LISTS = ("sales", "money", "fees", "taxes", "refunded_taxes", "refunds", "desk", "free")
TAXED = Pricing(
    fees=(Fee("Booking fee", amount=100), Fee("Post", "order", amount=390, taxable=False)),
    taxes=(Tax("VAT", 700, included=True),),
)
ADDED = Pricing(taxes=(Tax("Sales tax", 875),))
# What reconciling compares with the books of providers.
LEDGER = """
    select coalesce(sum(a.captured), 0)::bigint as taken,
        coalesce(sum(a.captured) filter (where a.is_returning), 0)::bigint as for_nothing,
        coalesce(sum(a.refunded), 0)::bigint as returned
    from bespeak.payment_account a where a.state in ('captured', 'refunded')
"""

pytestmark = pytest.mark.usefixtures("moved_clock")


@pytest.fixture
async def api(database_url: str, connection: Connection) -> AsyncIterator[Api]:
    settings = type(SETTINGS)(
        known_taken_seconds=0,
        pool_max=4,
        availability_ms=0,
        payment_providers="sandbox,desk",
        allow_pretend_money=True,
        free_sales=True,
    )
    async with opened(settings, database_url, connection) as made:
        yield made


def rows(report: Json, name: str) -> list[Json]:
    return cast(list[Json], report[name])


def total(found: list[Json], name: str) -> int:
    return sum(cast(int, one[name]) for one in found)


async def test_a_day(api: Api, make_show: MakeShow, connection: Connection) -> None:
    show = await paid_show(make_show, pricing=TAXED, name="Lantern")
    await sold(api, show, "A1")
    await sold(api, show, "A2", method="voucher")
    await given_back(api, await sold(api, show, "A3"))
    await refunder(api)
    report = await api.get(DAY)
    each = PRICE + 100 + 390
    assert report["bookings"] == 3
    sales = {"resource_id": show.id, "name": "Lantern", "category": "standard"}
    assert report["sales"] == [
        {**sales, "provider": "desk", "currency": "EUR", "units": 3, "amount": 3 * (PRICE + 100)},
        {
            "resource_id": None,
            "name": "",
            "category": None,
            "provider": "desk",
            "currency": "EUR",
            "units": 0,
            "amount": 3 * 390,
        },
    ]
    assert report["money"] == [
        {
            "provider": "desk",
            "currency": "EUR",
            "payments": 3,
            "taken": 3 * each,
            "taken_for_nothing": 0,
            "refunds": 1,
            "returned": each,
            "balance": 2 * each,
        }
    ]
    assert report["fees"] == [
        {"name": "Booking fee", "currency": "EUR", "quantity": 3, "amount": 300},
        {"name": "Post", "currency": "EUR", "quantity": 3, "amount": 1170},
    ]
    vat, untaxed = rows(report, "taxes")
    assert (vat["name"], vat["basis_points"]) == ("VAT", 700)
    assert (vat["gross"], vat["tax"]) == (3 * (PRICE + 100), 3 * 105)
    assert (untaxed["name"], untaxed["gross"]) == ("", 1170)
    back = rows(report, "refunded_taxes")
    assert [(one["gross"], one["tax"]) for one in back] == [(-1600, -105), (-390, 0)]
    assert report["refunds"] == [
        {"cause": "cancelled", "currency": "EUR", "count": 1, "amount": each}
    ]
    assert Counter(str(one["method"]) for one in rows(report, "desk")) == {"cash": 1, "voucher": 1}
    assert_sums(report)
    await assert_money_agrees(connection)


def assert_sums(report: Json) -> None:
    """What the lists of a report say of one another."""
    money = rows(report, "money")
    for_sale = total(money, "taken") - total(money, "taken_for_nothing")
    assert total(rows(report, "sales"), "amount") == for_sale
    assert total(rows(report, "taxes"), "gross") == for_sale
    assert total(rows(report, "refunds"), "amount") == total(money, "returned")
    desk = [one for one in money if one["provider"] == "desk"]
    assert total(rows(report, "desk"), "taken") == total(desk, "taken")
    assert total(rows(report, "desk"), "handed_back") == total(desk, "returned")


async def test_the_sums_are_those_of_the_ledger(
    api: Api,
    make_show: MakeShow,
    connection: Connection,
    moved_clock: Clock,
    dice: random.Random,
) -> None:
    """Over three days, with taxes inside, on top and none, and refunds in full and in part."""
    shows = [
        await paid_show(make_show, pricing=TAXED),
        await paid_show(make_show, pricing=ADDED),
        await paid_show(make_show),
    ]
    days = ["2030-01-01", "2030-01-02", "2030-01-03"]
    for turn in range(12):
        show = dice.choice(shows)
        booking = await sold(api, show, f"A{turn % 12 + 1}", dice.choice(["cash", "voucher"]))
        if dice.random() < 0.5:
            await given_back(api, booking)
        if turn % 4 == 3:
            await moved_clock.advance(86_400)
    reports = [await api.get(f"/v1/reports/days/{day}") for day in days]
    for report in reports:
        assert_sums(report)
    row = await connection.fetchrow(LEDGER)
    assert row is not None
    for name in ("taken", "returned"):
        found = sum(total(rows(report, "money"), name) for report in reports)
        assert found == row[name]
    assert sum(total(rows(report, "refunded_taxes"), "gross") for report in reports) == (
        -row["returned"]
    )
    assert sum(cast(int, report["bookings"]) for report in reports) == 12
    await assert_money_agrees(connection)


def added_up(reports: list[Json], name: str) -> dict[tuple[object, ...], Counter[str]]:
    """The numbers of the lists of this name, by what is no number, and by the rate."""
    found: dict[tuple[object, ...], Counter[str]] = {}
    for one in (one for report in reports for one in rows(report, name)):
        numbers = {key: value for key, value in one.items() if isinstance(value, int)}
        rate = numbers.pop("basis_points", None)
        texts = [value for value in one.values() if not isinstance(value, int)]
        found.setdefault((*texts, rate), Counter()).update(numbers)
    return found


async def test_the_report_of_several_days_is_the_sum_of_theirs(
    api: Api,
    make_show: MakeShow,
    connection: Connection,
    moved_clock: Clock,
    dice: random.Random,
) -> None:
    """In two currencies, with refunds on later days and places given for nothing, over a day of 23
    hours in Berlin: of any days, by whatever clocks."""
    await moved_clock.set(datetime(2030, 3, 29, 20, 30, tzinfo=UTC))
    shows = [
        await paid_show(make_show, pricing=TAXED),
        await paid_show(make_show, pricing=ADDED, price=Price(PRICE, "JPY")),
    ]
    bookings: list[Json] = []
    for turn in range(12):
        show = shows[turn % 2]
        bookings.append(await sold(api, show, f"A{turn + 1}", dice.choice(["cash", "voucher"])))
        if turn % 3 == 2:
            await given_back(api, bookings.pop(dice.randrange(len(bookings))))
        await moved_clock.advance(dice.randrange(3600, 9 * 3600))
    hold = await api.hold(shows[0], "A2")
    document(await api.ask("POST", f"/v1/holds/{hold['id']}/free-sale", {"reason": "press"}), 200)
    document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    all_days = [date(2030, 3, 29) + timedelta(days=at) for at in range(7)]
    for zone in ("Europe/Berlin", "Pacific/Kiritimati"):
        by_day = {day: await api.get(f"/v1/reports/days/{day}?zone={zone}") for day in all_days}
        first, last = sorted(dice.sample(all_days, 2))
        for begins, ends in ((all_days[0], all_days[-1]), (first, last), (last, last)):
            asked = f"{PERIOD}?first={begins}&last={ends}&zone={zone}"
            summed = await api.get(asked)
            days = [by_day[day] for day in all_days if begins <= day <= ends]
            assert summed["bookings"] == sum(cast(int, one["bookings"]) for one in days)
            for name in LISTS:
                assert added_up([summed], name) == added_up(days, name), name
            assert rows(summed, "days") == [
                {"date": one["date"], **moved} for one in days for moved in rows(one, "money")
            ]
            assert (summed["since"], summed["until"]) == (days[0]["since"], days[-1]["until"])
            assert_sums(summed)
        assert total(rows(await api.get(f"{PERIOD}?{WHOLE}"), "money"), "payments") == 12
    await assert_money_agrees(connection)
    text = (await api.ask("GET", f"{PERIOD}?{WHOLE}&format=csv")).content.decode("utf-8-sig")
    parts = Counter(row.partition(",")[0] for row in text.splitlines()[1:])
    assert parts["day"] == len(rows(await api.get(f"{PERIOD}?{WHOLE}"), "days"))
    assert parts["money"] == 2
    for language in ("en", "de", "ar"):
        for asked in (WHOLE, "first=2031-01-01&last=2031-12-31"):
            pdf = await api.ask("GET", f"{PERIOD}/document.pdf?{asked}&lang={language}")
            assert pdf.content.startswith(b"%PDF-")
            assert "days-203" in pdf.headers["content-disposition"]


async def test_what_is_too_much_for_one_report_is_asked_for_in_parts(
    api: Api, make_show: MakeShow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bespeak.reports.days._MOVES_MAX", 2)
    show = await paid_show(make_show)
    for unit in ("A1", "A2"):
        booking = await sold(api, show, unit)
    asked = f"{PERIOD}?first=2030-01-01&last=2030-01-01"
    assert (await api.get(asked))["bookings"] == 2
    await given_back(api, booking)
    refused = problem(await api.ask("GET", asked), "invalid_request")
    assert refused["field"] == "last"
    assert (await api.get(DAY))["bookings"] == 2


async def test_a_day_is_that_of_the_merchants_clocks(
    api: Api, make_show: MakeShow, moved_clock: Clock
) -> None:
    """At noon in Europe it is tomorrow on Kiritimati, fourteen hours ahead."""
    await sold(api, await paid_show(make_show), "A1")
    there = "Pacific/Kiritimati"
    assert (await api.get(DAY))["bookings"] == 1
    assert (await api.get(f"{DAY}?zone={there}"))["bookings"] == 0
    document(await api.ask("PATCH", "/v1/merchant", {"time_zone": there}, key="ak"), 200)
    report = await api.get("/v1/reports/days/2030-01-02")
    assert (report["bookings"], report["time_zone"]) == (1, there)


async def test_what_the_desk_gives_for_nothing(
    api: Api, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show, pricing=TAXED, name="Lantern")
    hold = await api.hold(show, "A1", "A2")
    path = f"/v1/holds/{hold['id']}/free-sale"
    for _ in range(2):
        given = document(await api.ask("POST", path, {"reason": "press"}), 200)
        assert (given["amount"], given["quote"]) == ({"amount": 0, "currency": "EUR"}, None)
    booked = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)
    assert booked["amount"] == {"amount": 0, "currency": "EUR"}
    document(await api.ask("POST", path, {"reason": "press"}), 200)
    problem(await api.ask("POST", path, {"reason": "staff"}), "hold_confirmed")
    problem(await api.ask("POST", f"/v1/bookings/{booked['id']}/invoices"), "booking_not_paid")
    report = await api.get(DAY)
    assert (report["bookings"], report["money"]) == (0, [])
    assert report["free"] == [
        {
            "resource_id": show.id,
            "name": "Lantern",
            "reason": "press",
            "currency": "EUR",
            "bookings": 1,
            "units": 2,
            "worth": 2 * (PRICE + 100) + 390,
        }
    ]
    rows_of = (await api.ask("GET", f"{DAY}?format=csv")).text.splitlines()
    assert rows_of[1].startswith("free,Lantern,press,,2,")
    document(await api.ask("DELETE", f"/v1/bookings/{booked['id']}", {"reason": "ill"}), 200)
    assert (await api.get(DAY))["free"] == []
    await assert_money_agrees(connection)


async def test_what_somebody_tried_to_pay_for_keeps_its_price(
    api: Api, make_show: MakeShow, connection: Connection
) -> None:
    show = await paid_show(make_show)
    hold = await api.hold(show, "A1")
    declined = {"hold_id": hold["id"], "payment_token": "tok_declined", "provider": "sandbox"}
    await api.ask("POST", "/v1/bookings", declined)
    path = f"/v1/holds/{hold['id']}/free-sale"
    problem(await api.ask("POST", path, {"reason": "press"}), "payment_in_progress")
    assert (await api.get(f"/v1/holds/{hold['id']}"))["amount"] == {
        "amount": PRICE,
        "currency": "EUR",
    }
    assert await connection.fetchval("select count(*) from bespeak.free_sale") == 0
    await assert_money_agrees(connection)


def test_days_have_23_to_25_hours() -> None:
    since, until = bounds(date(2030, 3, 31), "Europe/Berlin")
    assert (since, until) == (
        datetime(2030, 3, 30, 23, tzinfo=UTC),
        datetime(2030, 3, 31, 22, tzinfo=UTC),
    )
    since, until = bounds(date(2030, 10, 27), "Europe/Berlin")
    assert (until - since).total_seconds() == 25 * 3600


async def test_as_a_file(api: Api, make_show: MakeShow) -> None:
    show = await paid_show(make_show, pricing=TAXED, name='=1+1, "quoted"')
    await given_back(api, await sold(api, show, "A1"))
    answer = await api.ask("GET", f"{DAY}?format=csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="day-2030-01-01.csv"'
    text = answer.content.decode("utf-8-sig")
    parts = Counter(row.partition(",")[0] for row in text.splitlines()[1:])
    assert parts == {
        "sold": 2, "money": 1, "fee": 2, "tax": 2, "refunded tax": 2, "refund": 1, "desk": 1,
    }  # fmt: skip
    assert "\"'=1+1" in text
    for language in ("en", "de", "ar"):
        for day in (DAY, "/v1/reports/days/2031-01-01"):
            pdf = await api.ask("GET", f"{day}/document.pdf?lang={language}")
            assert pdf.content.startswith(b"%PDF-")
            assert pdf.headers["cache-control"] == "private, no-store"
