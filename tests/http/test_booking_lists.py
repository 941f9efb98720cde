"""The lists of bookings and of live holds: whose they are, in order, by pages, found by words."""

import asyncio
import csv
import io
from collections.abc import Mapping

import pytest

from bespeak import Resource
from bespeak.inventory import resources
from bespeak.inventory.resources import Price
from bespeak.reservations.booking_code import BookingCode
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import new_show
from tests.http.api import Api, Json, document, line, problem
from tests.http.conftest import OpenApi

ARABIC = str.maketrans("0123456789", "".join(chr(0x660 + digit) for digit in range(10)))


def items(page: Mapping[str, object]) -> list[Json]:
    found = page["items"]
    assert isinstance(found, list)
    return found


def still(holds: list[Json]) -> list[Json]:
    """Holds without how long they still are, which is another a millisecond later."""
    return [
        {name: value for name, value in one.items() if name != "expires_in_ms"} for one in holds
    ]


async def booked(api: Api, query: str = "", key: str = "ak", **headers: str) -> list[str]:
    """The ids of the bookings that a list has, over all its pages."""
    found: list[str] = []
    after = ""
    while True:
        page = await api.get(f"/v1/bookings?limit=2{query}{after}", **{"key": key, **headers})
        found += [str(one["booking"]["id"]) for one in items(page)]  # type: ignore[index]
        if page["next"] is None:
            return found
        assert len(items(page)) == 2
        after = f"&after={page['next']}"


async def confirm(api: Api, show: Resource, *units: str, **fields: object) -> str:
    """A booking with a contact; its id."""
    owner = str(fields.pop("owner", "asha"))
    hold = await api.hold(show, *units, owner=owner)
    body = {"hold_id": hold["id"], **fields}
    return str(document(await api.ask("POST", "/v1/bookings", body), 201)["id"])


async def test_they_come_latest_first_each_once(api: Api, show: Resource) -> None:
    made = [await confirm(api, show, f"A{n}") for n in range(1, 8)]
    assert await booked(api) == made[::-1]
    assert await booked(api, "&owner=asha") == made[::-1]
    assert await booked(api, f"&resource_id={show.id}") == made[::-1]
    assert await booked(api, "&owner=ben") == []


async def test_bookings_of_one_instant_come_each_once_too(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    made = [await confirm(api, show, f"A{n}") for n in range(1, 8)]
    for query in ("", "&owner=asha", f"&resource_id={show.id}"):
        found = await booked(api, query)
        assert sorted(found) == sorted(made) and len(found) == len(set(found))


async def test_a_shopper_sees_only_their_own(api: Api, show: Resource) -> None:
    mine = await confirm(api, show, "A1")
    await confirm(api, show, "A2", owner="ben")
    token = {"Bespeak_Shopper": api.token("asha")}
    assert await booked(api, key="pk", **token) == [mine]
    assert await booked(api, "&owner=asha", key="pk", **token) == [mine]
    assert await booked(api, f"&resource_id={show.id}", key="pk", **token) == [mine]
    assert await booked(api, "&q=ben", key="pk", **token) == []


async def test_what_was_booked_has_its_name_in_the_visitors_language(
    api: Api, show: Resource
) -> None:
    await confirm(api, show, "A1")
    words = [{"language": "de", "words": {show.name: "Der Leuchtturm"}}]
    path = f"/v1/resources/{show.id}"
    document(await api.ask("PATCH", path, {"translations": words}, key="ak"), 200)
    for language, name in (("de-AT", "Der Leuchtturm"), ("ar", show.name)):
        page = await api.get("/v1/bookings", key="sk", Accept_Language=language)
        assert items(page)[0]["resource"]["name"] == name  # type: ignore[index]
    page = await api.get("/v1/bookings", key="ak", Accept_Language="de")
    assert items(page)[0]["resource"]["name"] == show.name  # type: ignore[index]


async def test_another_shoppers_booking_is_not_found_by_its_id(api: Api, show: Resource) -> None:
    theirs = await confirm(api, show, "A1", owner="ben")
    token = {"Bespeak_Shopper": api.token("asha")}
    assert await booked(api, f"&q={theirs}", key="pk", **token) == []
    assert await booked(api, f"&q={theirs}") == [theirs]
    assert await booked(api, f"&q={theirs.replace('bkg_', 'hold_')}") == [theirs]


async def test_one_is_found_by_its_code(api: Api, show: Resource) -> None:
    """As it is typed at the desk; and within what was asked for."""
    await confirm(api, show, "A1")
    theirs = await confirm(api, show, "A2", owner="ben")
    found = document(await api.ask("GET", f"/v1/bookings/{theirs}"), 200)
    code = str(found["code"])
    for typed in (code, code.lower(), code.replace("-", ""), code.replace("-", "%20")):
        assert await booked(api, f"&q={typed}") == [theirs]
    assert await booked(api, f"&q={code}&resource_id={show.id}&owner=ben") == [theirs]
    for other in (
        "&owner=asha",
        "&state=cancelled",
        "&resource_id=res_0000000z",
        "&to=2020-01-01T00:00:00Z",
    ):
        assert await booked(api, f"&q={code}{other}") == []
    token = {"Bespeak_Shopper": api.token("asha")}
    assert await booked(api, f"&q={code}", key="pk", **token) == []


async def test_one_of_years_ago_is_found_by_its_code(
    api: Api, show: Resource, connection: Connection
) -> None:
    """Codes come again after 388 days, and then the same code finds both."""
    made = await confirm(api, show, "A1")
    code = document(await api.ask("GET", f"/v1/bookings/{made}"), 200)["code"]
    for _ in range(3):
        await connection.execute(
            "update bespeak.booking set confirmed_at = confirmed_at - interval '33554432 seconds'"
        )
        assert document(await api.ask("GET", f"/v1/bookings/{made}"), 200)["code"] == code
        assert await booked(api, f"&q={code}") == [made]


async def test_a_name_that_looks_like_a_code_is_found(api: Api, show: Resource) -> None:
    word = str(BookingCode(5, 5)).replace("-", "").lower()
    made = await confirm(api, show, "A1", contact={"email": f"{word}@example.org"})
    assert await booked(api, f"&q={word}") == [made]


async def test_one_is_found_by_the_beginnings_of_words(api: Api, show: Resource) -> None:
    rao = {"email": "Asha.Rao@example.org", "name": "Asha Rao"}
    obrien = {"email": "c@example.org", "name": 'Conor O\'Brien \\ "Con"'}
    first = await confirm(api, show, "A1", contact=rao)
    second = await confirm(api, show, "A2", contact=obrien, owner="c-17")
    third = await confirm(api, show, "A3", contact={"email": "aishwarya@example.org"})
    for q, found in {
        "rao": [first], "RAO": [first], "ash ra": [first], "asha.rao@exam": [first],
        "o'brien": [second], "brien": [second], "c-17": [second], "con ob": [], "c-1": [],
        "aish": [third], "a": [third, first], "example.org": [], "nobody": [],
        "'": [], "\\": [], ":*": [], "& | !": [], "''''": [], "con:*": [second], "%": [], "asha": [
            third, first],
    }.items():  # fmt: skip
        listed = await api.client.get(
            "/v1/bookings", params={"q": q}, headers={"Authorization": f"Bearer {api.keys['ak']}"}
        )
        got = [one["booking"]["id"] for one in items(document(listed, 200))]  # type: ignore[index]
        assert got == found, q


async def test_one_is_found_by_a_telephone_number_however_it_is_said(
    api: Api, show: Resource
) -> None:
    berlin = {"name": "Asha Rao", "phone": "+49 (0)170 123-4567"}
    home = {"name": "Ben", "phone": "0351 / 987 65 43"}
    first = await confirm(api, show, "A1", contact=berlin)
    second = await confirm(api, show, "A2", contact=home)
    await confirm(api, show, "A3", contact={"email": "c1701234567@example.org"})
    for q, found in {
        "+49 (0)170 123-4567": [first], "+491701234567": [first], "0049 170 1234567": [first],
        "0170/1234567": [first], "01701234567": [first], "123 4567": [first], "4567": [first],
        "asha 0170": [first], "ben 0170": [], "+48 170 1234568": [],
        "0170 1234567".translate(ARABIC): [first],
        "0351 9876543": [second], "+49 351 9876543": [second], "03519876543": [second],
        "9876543": [second], "ben": [second], "9876544": [], "00": [], "+": [],
        "0": [second, first],
    }.items():  # fmt: skip
        listed = await api.client.get(
            "/v1/bookings", params={"q": q}, headers={"Authorization": f"Bearer {api.keys['ak']}"}
        )
        got = [one["booking"]["id"] for one in items(document(listed, 200))]  # type: ignore[index]
        assert got == found, q


async def test_a_contact_has_a_name_or_a_number_where_it_has_no_address(
    api: Api, show: Resource
) -> None:
    phone = {"phone": "+49 170 1234567"}
    named = await confirm(api, show, "A1", contact={"name": "Asha"})
    called = await confirm(api, show, "A2", contact=phone)
    told = [one["contact"] for one in items(await api.get("/v1/bookings", **{"key": "ak"}))]
    assert told == [phone, {"name": "Asha"}]
    for booking in (named, called):
        path = f"/v1/bookings/{booking}/mails"
        problem(await api.ask("POST", path, key="ak"), "contact_missing")
    mails = await api.connection.fetchval("select count(*) from bespeak.mail")
    assert mails == 0
    answer = await api.ask("GET", "/v1/bookings?format=csv", key="ak")
    rows = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""))
    assert [(row["name"], row["e-mail"], row["phone"]) for row in rows] == [
        ("", "", "'+49 170 1234567"),
        ("Asha", "", ""),
    ]


@pytest.mark.parametrize(
    "contact",
    [
        {},
        {"locale": "de"},
        {"phone": ""},
        {"phone": "ask for Asha"},
        {"phone": "0170 1234567".translate(ARABIC)},
        {"phone": "+"},
        {"phone": "12\n34567"},
        {"phone": "1" * 41},
        {"phone": "0170 1234567\n"},
        {"name": "Asha", "phone": "<script>"},
    ],
)
async def test_a_contact_that_is_nobodys_is_refused(
    api: Api, show: Resource, contact: dict[str, str]
) -> None:
    hold = await api.hold(show, "A1")
    body = {"hold_id": hold["id"], "contact": contact}
    told = problem(await api.ask("POST", "/v1/bookings", body), "invalid_request")
    assert "contact" in str(told["detail"])
    body["contact"] = {"phone": "1" * 40}
    document(await api.ask("POST", "/v1/bookings", body), 201)


async def test_words_of_very_many_find_the_latest(
    api: Api, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there are too many to sort, the latest are looked through: the same are found."""
    contact = {"email": "rao@example.org"}
    made = [await confirm(api, show, f"A{n}", contact=contact) for n in range(1, 6)]
    own = await confirm(api, show, "A6", owner="rao")
    await confirm(api, show, "A7")
    sorted_ones = await booked(api, "&q=rao")
    monkeypatch.setattr("bespeak.http.api.booking_lists._FEW", 2)
    assert await booked(api, "&q=rao") == sorted_ones == [own, *made[::-1]]


async def test_states_and_times_narrow_it(api: Api, show: Resource, moved_clock: Clock) -> None:
    early = await confirm(api, show, "A1")
    await moved_clock.advance(3600)
    late = await confirm(api, show, "A2")
    await api.ask("DELETE", f"/v1/bookings/{early}", {"reason": "ill"})
    assert await booked(api, "&state=cancelled") == [early]
    assert await booked(api, "&state=confirmed&owner=asha") == [late]
    page = await api.get("/v1/bookings", **{"key": "ak"})
    at = [str(one["booking"]["confirmed_at"]) for one in items(page)]  # type: ignore[index]
    assert await booked(api, f"&from={at[0]}") == [late]
    assert await booked(api, f"&to={at[0]}") == [early], "the end is not in it"
    assert await booked(api, f"&from={at[1]}&to={at[0]}&resource_id={show.id}") == [early]


async def test_a_booking_of_several_resources_is_in_the_list_of_each(
    api: Api, show: Resource
) -> None:
    other = await resources.create(api.connection, new_show(name="Other"))
    body = {"owner": "asha", "lines": [line(show, "A1"), line(other, "A1"), line(other, "floor 2")]}
    hold = document(await api.ask("POST", "/v1/holds", body), 201)
    both = document(await api.ask("POST", "/v1/bookings", {"hold_id": hold["id"]}), 201)["id"]
    alone = await confirm(api, other, "A2")
    assert await booked(api, f"&resource_id={show.id}") == [both]
    assert await booked(api, f"&resource_id={other.id}") == [alone, both]
    assert await booked(api, f"&resource_id={other.id}&owner=asha") == [alone, both]


async def test_each_comes_with_what_it_is_of_and_its_money(open_api: OpenApi) -> None:
    api = await open_api(payment_providers="sandbox", allow_pretend_money=True)
    fields = {"payment": "required", "price": Price(1500, "EUR"), "attributes": {"screen": "3"}}
    play = await resources.create(api.connection, new_show(name="Play", **fields))
    contact = {"email": "asha@example.org", "name": "Asha", "locale": "de"}
    made = await confirm(api, play, "A1", "A2", payment_token="tok_success", contact=contact)
    await api.ask("DELETE", f"/v1/bookings/{made}", {"lines": [line(play, "A2")], "refund": "full"})
    (one,) = items(await api.get("/v1/bookings", **{"key": "ak"}))
    assert one["contact"] == contact
    resource = one["resource"]
    assert isinstance(resource, dict)
    assert (resource["id"], resource["name"]) == (play.id, "Play")
    assert resource["attributes"] == {"screen": "3"}
    assert one["booking"] == await api.get(f"/v1/bookings/{made}", **{"key": "ak"})
    booking = one["booking"]
    assert isinstance(booking, dict) and len(booking["refunds"]) == 1


async def test_the_file_has_the_same_and_no_formula(api: Api, show: Resource) -> None:
    contact = {"email": "a@example.org", "name": "=HYPERLINK(1)"}
    made = await confirm(api, show, "A1", "floor 2", owner="@evil", contact=contact)
    answer = await api.ask("GET", "/v1/bookings?format=csv", key="ak")
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    text = answer.content.decode("utf-8-sig")
    (row,) = list(csv.DictReader(io.StringIO(text, newline="")))
    assert (row["booking"], row["resource"], row["quantity"]) == (made, "Show", "3")
    assert (row["owner"], row["name"]) == ("'@evil", "'=HYPERLINK(1)")
    assert "bespeak-next" not in answer.headers


async def test_a_long_file_tells_where_it_goes_on(
    api: Api, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bespeak.http.api.booking_lists.ROWS_MAX", 3)
    monkeypatch.setattr("bespeak.http.api.booking_lists.CHUNK", 2)
    made = [await confirm(api, show, f"A{n}") for n in range(1, 6)]
    found: list[str] = []
    after = ""
    for _ in range(2):
        answer = await api.ask("GET", f"/v1/bookings?format=csv{after}", key="ak")
        rows = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"), newline=""))
        found += [row["booking"] for row in rows]
        after = f"&after={answer.headers.get('bespeak-next')}"
    assert found == made[::-1] and after == "&after=None"


async def test_live_holds_are_found_after_a_reload(
    api: Api, show: Resource, moved_clock: Clock
) -> None:
    late = await api.hold(show, "A1")
    soon = await api.hold(show, "A2", hold_seconds=60)
    await api.hold(show, "A3", owner="ben")
    released = await api.hold(show, "A4")
    document(await api.ask("DELETE", f"/v1/holds/{released['id']}"), 200)
    await api.booking(show, "A5")
    token = {"Bespeak_Shopper": api.token("asha")}
    mine = still(items(await api.get("/v1/holds?state=held", **{"key": "pk", **token})))
    assert mine == still([soon, late]), "as they were placed, those that end first at the front"
    assert len(items(await api.get("/v1/holds", **{"key": "ak"}))) == 3
    assert still(items(await api.get("/v1/holds?limit=1&owner=asha"))) == still([soon])
    await moved_clock.advance(61)
    mine = items(await api.get("/v1/holds", **{"key": "pk", **token}))
    assert [one["id"] for one in mine] == [late["id"]], "nobody has swept the other"


async def test_a_crowd_that_asks_at_once_gets_each_its_own(
    api: Api, show: Resource, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 9):
        await api.hold(show, f"A{number}", owner=f"o{number}")
    asked: list[object] = []
    live = api.service.live_holds
    fetch = live._fetch

    async def counted(owners: list[str] | None, limit: int) -> object:
        asked.append(owners)
        return await fetch(owners, limit)

    monkeypatch.setattr(live, "_fetch", counted)
    found = await asyncio.gather(*(live.of_owner(f"o{n % 10}") for n in range(200)))
    assert [len(one) for one in found] == [int(0 < n % 10 < 9) for n in range(200)]
    assert len(asked) <= 2, "one question for all who came while it was asked"


async def test_whoever_waits_hears_of_a_fault(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    live = api.service.live_holds

    async def fail(*_: object) -> object:
        raise RuntimeError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(live, "_fetch", fail)
        answers = await asyncio.gather(*(api.ask("GET", "/v1/holds?owner=asha") for _ in range(3)))
        for answer in answers:
            problem(answer, "internal_error")
    assert items(await api.get("/v1/holds?owner=asha")) == []
