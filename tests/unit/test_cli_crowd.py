"""The crowd of `bespeak rush`: its map, its books, its client; and that it finds out a server that
sells twice, which a rush against a good one can never show.
"""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime

import msgspec
import pytest

from bespeak.demo.crowd.buyers import BuyerSettings, Crowd
from bespeak.demo.crowd.client import CrowdClient
from bespeak.demo.crowd.crowd_record import CrowdRecord
from bespeak.demo.crowd.receipts import Takings
from bespeak.demo.crowd.seats import CrowdSeatMap, Lines
from bespeak.demo.crowd.verdict import Rush, Verdict, verdict_of
from bespeak.inventory.audit import Audit
from bespeak.inventory.fields import PoolPlan
from bespeak.inventory.resources import Resource
from bespeak.inventory.shapes.seats.plan import Row, SeatsPlan, Section
from bespeak.money import Money

PLAN = SeatsPlan((Section("Stalls", (Row("A", 6, without=(3,)), Row("B", 1))),))
PAIR: Lines = [("A1", None), ("A2", None)]


def test_the_map_offers_neighbours_first_then_single_seats_then_nothing() -> None:
    seats, dice = CrowdSeatMap(PLAN), random.Random(1)
    neighbours = [{"A1", "A2"}, {"A4", "A5"}, {"A5", "A6"}]
    for _ in range(20):
        lines = seats.choose(dice, 2)
        assert lines is not None
        assert {unit for unit, _ in lines} in neighbours
    seats.show({"A1", "A5"}, {})
    singles = {tuple(seats.choose(dice, 2) or ()) for _ in range(60)}
    assert singles == {((unit, None),) for unit in ("A2", "A4", "A6", "B1")}
    seats.take([(unit, None) for unit in ("A2", "A4", "A6", "B1")])
    assert seats.choose(dice, 2) is None
    seats.give_back([("B1", None)])
    assert seats.choose(dice, 2) == [("B1", None)]


def test_the_map_draws_on_pools_and_never_more_than_they_have() -> None:
    seats = CrowdSeatMap(SeatsPlan(pools=(PoolPlan("floor", 3),)))
    dice = random.Random(1)
    assert seats.choose(dice, 2) == [("floor", 2)]
    seats.take([("floor", 2)])
    assert seats.choose(dice, 2) == [("floor", 1)]
    seats.take([("floor", 1)])
    assert seats.choose(dice, 2) is None
    seats.give_back([("floor", 5)])
    assert seats.units_free == 3


def test_the_books_find_a_seat_that_two_have_at_once() -> None:
    books = CrowdRecord({})
    books.grant("asha", PAIR, now=0, until=10)
    books.grant("bob", [("A2", None)], now=5, until=15)
    assert books.double_sold == ["A2"]


def test_the_books_find_a_held_seat_that_was_already_booked() -> None:
    books = CrowdRecord({})
    books.grant("asha", PAIR, now=0, until=10)
    books.confirm("asha", PAIR)
    books.grant("bob", [("A1", None)], now=99, until=109)
    assert books.double_sold == ["A1"]


def test_the_books_have_nothing_against_a_seat_that_was_given_back_or_had_lapsed() -> None:
    books = CrowdRecord({})
    books.grant("asha", PAIR, now=0, until=10)
    books.strike("asha", PAIR)
    books.grant("bob", PAIR, now=1, until=10)
    books.grant("chen", PAIR, now=10, until=20)
    assert books.double_sold == []
    books.strike("bob", PAIR)  # which chen has by now
    books.grant("dana", PAIR, now=11, until=20)
    assert books.double_sold == ["A1", "A2"]


def test_the_books_find_a_pool_beyond_its_capacity() -> None:
    books = CrowdRecord({"floor": 3})
    books.grant("asha", [("floor", 2)], now=0, until=10)
    books.confirm("asha", [("floor", 2)])
    books.grant("bob", [("floor", 1)], now=1, until=10)
    assert books.double_sold == []
    books.grant("chen", [("floor", 1)], now=2, until=10)
    assert books.double_sold == ["floor"]


Reply = Callable[[str, str, bytes], tuple[int, str, bytes]]
"""Method, path and body to status, more header lines, and body."""


@contextlib.asynccontextmanager
async def serving(reply: Reply, *, hangs_up_after: int | None = None) -> AsyncIterator[str]:
    """A server of a few lines that says whatever a test wants it to say."""
    answered = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal answered
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                method, path, _ = head.split(" ", 2)
                length = int(head.lower().split("content-length: ")[1].split("\r\n")[0])
                body = await reader.readexactly(length)
                status, headers, answer = reply(method, path, body)
                answered += 1
                if answered == hangs_up_after:
                    break
                head = f"HTTP/1.1 {status} X\r\n{headers}content-length: {len(answer)}\r\n\r\n"
                writer.write(head.encode() + answer)
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()[:2]
        yield f"http://{host}:{port}"
    finally:
        server.close()


async def test_the_client_waits_as_told_and_repeats_what_was_lost() -> None:
    asked: list[bytes] = []

    def reply(method: str, path: str, body: bytes) -> tuple[int, str, bytes]:
        asked.append(body)
        return (503, "Retry-After: 0.05\r\n", b"{}") if len(asked) == 1 else (201, "", b"done")

    async with serving(reply, hangs_up_after=2) as url:
        client = CrowdClient(url, "sk_test")
        answer = await client.post("/v1/holds", b"please", "key-1")
        client.close()
    assert (answer.status, answer.body) == (201, b"done")
    assert asked == [b"please"] * 3
    assert (client.waited, client.repeated) == (1, 1)


async def test_the_client_reads_an_answer_in_chunks() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    client = CrowdClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "sk_test")
    answer = await client.get("/v1/resources")
    client.close()
    server.close()
    assert answer.body == b"abcde"


PRICE = 2500


class FakeShow:
    """A server with one show; it sells a seat again while `generous` says so. It wants to be paid
    while it is `costly`, and takes as much as `takes` says of a booking that was read so often."""

    def __init__(
        self,
        *,
        generous: bool = False,
        costly: bool = False,
        takes: Callable[[int, int], tuple[str, int]] = lambda _, owed: ("captured", owed),
    ) -> None:
        self.generous = generous
        self.costly = costly
        self.takes = takes
        self.taken: set[str] = set()
        self.holds: dict[str, list[str]] = {}
        self.bookings: dict[str, int] = {}
        self.reads: Counter[str] = Counter()
        self.asked_to_pay: list[str] = []

    def reply(self, method: str, path: str, body: bytes) -> tuple[int, str, bytes]:
        if path.startswith("/v1/bookings/"):
            return self._booking(path.rsplit("/", 1)[1])
        if method == "GET":
            taken = set() if self.generous else self.taken
            shown: dict[str, object] = {"taken": {unit: {} for unit in taken}, "pools": {}}
            return 200, "", json.dumps(shown).encode()
        if method == "DELETE":
            self.taken -= set(self.holds.pop(path.rsplit("/", 1)[1]))
            return 200, "", b"{}"
        if path == "/v1/bookings":
            return self._confirmed(json.loads(body))
        units = [line["unit"] for line in json.loads(body)["lines"]]
        if self.taken & set(units) and not self.generous:
            conflicts = [{"unit": unit} for unit in self.taken & set(units)]
            problem = {"code": "unit_taken", "conflicts": conflicts}
            return 409, "", json.dumps(problem).encode()
        self.taken |= set(units)
        name = f"hold_{len(self.holds)}_{units[0]}"
        self.holds[name] = units
        amount = {"amount": PRICE * len(units) if self.costly else 0, "currency": "EUR"}
        hold = {"id": name, "expires_in_ms": 60_000, "amount": amount}
        return 201, "", json.dumps(hold).encode()

    def _confirmed(self, asked: dict[str, str]) -> tuple[int, str, bytes]:
        hold_id, token = asked["hold_id"], asked.get("payment_token")
        if self.costly:
            assert asked["provider"] == "sandbox", "it has play money only"
            assert token is not None
            self.asked_to_pay.append(token)
            if token != "tok_success":
                return 402, "", b'{"code": "payment_declined"}'
            if len(self.asked_to_pay) % 5 == 1:
                return 202, "", b'{"payment": {}}'  # it is under way: ask again
        name = hold_id.replace("hold_", "bkg_")
        self.bookings[name] = PRICE * len(self.holds[hold_id])
        return 201, "", json.dumps({"id": name}).encode()

    def _booking(self, name: str) -> tuple[int, str, bytes]:
        self.reads[name] += 1
        state, amount = self.takes(self.reads[name], self.bookings[name])
        payment = {"state": state, "amount": {"amount": amount, "currency": "EUR"}}
        return 200, "", json.dumps({"id": name, "payment": payment}).encode()


async def rush_on(
    show: FakeShow, buyers: int = 40, seed: int = 1, **fields: float
) -> tuple[Crowd, Rush]:
    async with serving(show.reply) as url:
        client = CrowdClient(url, "sk_test")
        manners = BuyerSettings(seed, buyers, pays=show.costly, **fields)  # type: ignore[arg-type]
        crowd = Crowd(client, "res_00000001", CrowdSeatMap(PLAN), manners)
        await crowd.run(connections=4)
        client.close()
        return crowd, Rush(RESOURCE, manners, crowd, client)


NOW = datetime(2026, 11, 21, tzinfo=UTC)
RESOURCE = Resource(
    id="res_00000001", name="Show", kind="show", state="open", plan=PLAN, time_zone="UTC",
    opens_at=None, closes_at=None, starts_at=None, ends_at=None, hold_seconds=60,
    hold_seconds_max=60, owner_limit=None, payment="none", payment_seconds=900,
    published=True,
        late_payment="same_units", price=Money(0, "EUR"), pricing=None, attributes={}, version=1,
    created_at=NOW, updated_at=NOW,
)  # fmt: skip


NO_MONEY = Takings(0, 0, 0)


def counted(sold: int) -> Audit:
    return Audit(
        resource_id="res_00000001", sold=sold, held=0, blocked=0, free=6 - sold, double_sold=0,
        violations=[],
    )  # fmt: skip


async def test_a_crowd_sells_a_show_out_and_stops() -> None:
    show = FakeShow(generous=False)
    crowd, rush = await rush_on(show)
    verdict = verdict_of(rush, 1.0, counted(0), counted(len(show.taken)), NO_MONEY)
    assert crowd.sold_out
    assert verdict.is_clean
    assert show.taken == {"A1", "A2", "A4", "A5", "A6", "B1"}
    assert verdict.confirmed < verdict.arrived < 40


async def test_a_server_that_sells_twice_is_found_out_though_it_denies_it() -> None:
    _, rush = await rush_on(FakeShow(generous=True))
    verdict = verdict_of(rush, 1.0, counted(0), counted(6), NO_MONEY)
    assert verdict.double_sold > 0
    assert not verdict.is_clean


async def test_a_booking_that_the_server_does_not_count_is_lost() -> None:
    show = FakeShow(generous=False)
    _, rush = await rush_on(show)
    verdict = verdict_of(rush, 1.0, counted(0), counted(len(show.taken) - 1), NO_MONEY)
    assert verdict.lost == 1
    assert not verdict.is_clean


async def takings_of(show: FakeShow, **fields: float) -> tuple[Crowd, Verdict]:
    """A crowd that pays, and the verdict on its money."""
    async with serving(show.reply) as url:
        client = CrowdClient(url, "sk_test")
        manners = BuyerSettings(1, 40, pays=True, **fields)  # type: ignore[arg-type]
        crowd = Crowd(client, "res_00000001", CrowdSeatMap(PLAN), manners)
        await crowd.run(connections=4)
        takings = await crowd.receipts.compare(client, 4)
        client.close()
    rush = Rush(RESOURCE, manners, crowd, client)
    return crowd, verdict_of(rush, 1.0, counted(0), counted(len(show.taken)), takings)


async def test_a_crowd_pays_and_its_money_is_counted() -> None:
    show = FakeShow(costly=True)
    crowd, verdict = await takings_of(show)
    assert verdict.is_clean, crowd.tally
    assert verdict.paid == verdict.captured == PRICE * len(show.taken)
    assert verdict.sold_out
    assert set(show.asked_to_pay) == {"tok_success"}


async def test_money_that_is_only_reserved_is_waited_for() -> None:
    def takes(reads: int, owed: int) -> tuple[str, int]:
        return ("authorized" if reads < 3 else "captured", owed)

    show = FakeShow(costly=True, takes=takes)
    _, verdict = await takings_of(show)
    assert verdict.is_clean
    assert set(show.reads.values()) == {3}


@pytest.mark.parametrize(
    ("state", "share"), [("captured", 0.5), ("captured", 2), ("voided", 1), ("failed", 1)]
)
async def test_a_booking_with_other_money_behind_it_is_found_out(state: str, share: float) -> None:
    show = FakeShow(costly=True, takes=lambda _, owed: (state, int(owed * share)))
    crowd, verdict = await takings_of(show)
    assert verdict.unpaid == crowd.tally.confirmed > 0
    assert not verdict.is_clean


async def test_who_has_no_good_card_lets_go_and_the_seats_are_sold_to_others() -> None:
    show = FakeShow(costly=True)
    crowd, verdict = await takings_of(show, decline=1.0, confirm=1.0)
    assert verdict.is_clean
    assert verdict.sold_out
    assert verdict.declined == show.asked_to_pay.count("tok_declined") == crowd.tally.granted
    assert verdict.confirmed == len(show.bookings) > 0
    assert verdict.released == verdict.declined - verdict.confirmed


def test_of_those_whose_card_is_declined_some_have_another() -> None:
    crowd = Crowd(
        CrowdClient("http://127.0.0.1:9", "sk_test"),
        "res_00000001",
        CrowdSeatMap(PLAN),
        BuyerSettings(1, 1, confirm=0.8, pays=True, decline=0.5),
    )
    found = Counter(tuple(crowd._cards(random.Random(number))) for number in range(1000))
    assert set(found) == {
        (), ("tok_success",), ("tok_declined", "tok_success"), ("tok_declined",)
    }  # fmt: skip
    assert 150 < found[()] < 250
    assert 350 < found[("tok_success",)] < 450


async def test_at_a_pace_nobody_comes_before_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bespeak.demo.crowd.buyers._THINK_SECONDS", (0.0, 0.01))
    arrivals: list[float] = []
    show = FakeShow()

    def reply(method: str, path: str, body: bytes) -> tuple[int, str, bytes]:
        if method == "POST" and path == "/v1/holds":
            arrivals.append(time.monotonic())
        return show.reply(method, path, body)

    async with serving(reply) as url:
        client = CrowdClient(url, "sk_test")
        began = time.monotonic()
        crowd = Crowd(
            client, "res_00000001", CrowdSeatMap(PLAN), BuyerSettings(1, 3, confirm=1.0, pace=4.0)
        )
        await crowd.run(connections=1)
        client.close()
    assert crowd.tally.confirmed == 3, "though there is one connection, nobody waits for another"
    assert max(arrivals) - began >= 2 / 4


@pytest.mark.parametrize("body", [b"", b"not json", b'{"id":5}'])
async def test_an_answer_that_makes_no_sense_is_an_error(body: bytes) -> None:
    def reply(method: str, path: str, content: bytes) -> tuple[int, str, bytes]:
        if method == "GET":
            return 200, "", msgspec.json.encode({"taken": {}, "pools": {}})
        return 201, "", body

    async with serving(reply) as url:
        client = CrowdClient(url, "sk_test")
        crowd = Crowd(client, "res_00000001", CrowdSeatMap(PLAN), BuyerSettings(1, 3))
        await crowd.run(connections=2)
        client.close()
    assert crowd.tally.errors == 3


def test_each_buyer_has_the_same_wishes_under_the_same_seed() -> None:
    wishes = [
        [CrowdSeatMap(PLAN).choose(random.Random(f"{seed} {number}"), 2) for number in range(20)]
        for seed in (1, 1, 2)
    ]
    assert wishes[0] == wishes[1] != wishes[2]
