"""The merchant's profile: read by everybody, changed by who manages, and no change is lost."""

import asyncio
from base64 import b64encode
from typing import cast

import pytest

from bespeak.http.api.box_office import LOCALES
from bespeak.http.server.operators.roles import OperatorRole
from bespeak.merchants.merchants import Merchants
from bespeak.merchants.profile import ChangeMerchant, Language
from tests.http.api import Api, Json, document, problem
from tests.http.operating import operator
from tests.http.workspaces import ACME, found_acme
from tests.unit.test_logos import SVG, picture

PATH = "/v1/merchant"
LOGO = f"{PATH}/logo"
HALL: Json = {
    "name": "Lantern Hall",
    "accent": "#0b6e4f",
    "country": "DE",
    "currency": "EUR",
    "languages": ["de", "en"],
    "time_zone": "Europe/Berlin",
    "email": "desk@lantern.example",
    "phone": "+49 30 1234-0",
    "address": "Lantern Hall\nAm Ufer 3\n10999 Berlin",
    "terms": {"texts": {"de": "# AGB\n\nEs gilt ...", "en": "# Terms"}, "edition": "2026-11"},
    "privacy": {"url": "https://lantern.example/privacy"},
    "imprint": {"url": "https://lantern.example/imprint"},
}


async def change(api: Api, body: Json, key: str = "ak") -> Json:
    return document(await api.ask("PATCH", PATH, body, key=key), 200)


async def set_logo(api: Api, content: bytes) -> Json:
    sent = {"picture": b64encode(content).decode()}
    return document(await api.ask("PUT", LOGO, sent, key="ak"), 200)


def logo_of(merchant: Json) -> str:
    return str(cast("Json", merchant["logo"])["url"])


async def test_nobody_has_said_anything_yet(api: Api) -> None:
    found = document(await api.ask("GET", PATH, key="pk"), 200)
    assert found.pop("version") == 0
    ordering = {"button": "pay", "consent": "none", "terms": None, "tells_no_withdrawal": False}
    assert found.pop("ordering") == ordering
    assert set(found.values()) == {None}


async def test_what_the_merchant_says_everybody_reads(api: Api) -> None:
    made = await change(api, HALL)
    assert made["version"] == 1
    for key in ("pk", "sk", "ak"):
        answer = await api.ask("GET", PATH, key=key)
        found = document(answer, 200)
        assert {name: found[name] for name in HALL} == HALL
        assert found["accent_colours"]["light"]["accent"] == "#0b6e4f"  # type: ignore[index]
        again = await api.ask("GET", PATH, key=key, if_none_match=answer.headers["etag"])
        assert (again.status_code, again.content) == (304, b"")


async def test_a_field_is_changed_and_taken_away(api: Api) -> None:
    await change(api, HALL)
    made = await change(api, {"name": "New Hall", "phone": None})
    assert (made["name"], made["phone"], made["country"]) == ("New Hall", None, "DE")
    assert made["version"] == 2


async def test_of_two_who_change_it_the_second_is_told(api: Api) -> None:
    seen = await change(api, {"name": "One"})
    await change(api, {"name": "Two", "version": seen["version"]})
    answer = await api.ask("PATCH", PATH, {"name": "Three", "version": seen["version"]}, key="ak")
    problem(answer, "version_mismatch", version=2)
    assert (await change(api, {}))["name"] == "Two"


async def test_who_may_change_it_sees_it_as_it_is(api: Api) -> None:
    """Also at a process whose memory is behind: an operator's page that is reloaded after a change
    which another process made."""
    manager = await operator(api, "manager", OperatorRole.MANAGER)
    await change(api, {"name": "Old"})
    document(await api.ask("GET", PATH, key="pk"), 200)
    await Merchants(api.service.engine.database).change(None, ChangeMerchant(name="New"))
    assert document(await manager.ask("GET", PATH), 200)["name"] == "New"


@pytest.mark.parametrize("first", [True, False], ids=["the first change", "a later one"])
async def test_changes_of_other_fields_at_once_are_all_kept(api: Api, first: bool) -> None:
    """Two processes, each with a profile in its memory: both changes are there afterwards."""
    if not first:
        await change(api, {"country": "DE"})
    database = api.service.engine.database
    processes = [Merchants(database), Merchants(database)]
    for one in processes:
        await one.of(None)
    changes = [ChangeMerchant(name="One"), ChangeMerchant(phone="+49 30 1")]
    await asyncio.gather(
        *(one.change(None, what) for one, what in zip(processes, changes, strict=True))
    )
    found = document(await api.ask("GET", PATH, key="ak"), 200)
    assert (found["name"], found["phone"]) == ("One", "+49 30 1")
    assert found["version"] == 3 - first


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"country": "ZZ"}, "country"),
        ({"country": "XX"}, "country"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"languages": ["de", "de"]}, "languages"),
        ({"terms": {}}, "terms"),
        ({"terms": {"url": "https://a.example", "texts": {"en": "x"}}}, "terms"),
        ({"privacy": {"url": "http://a.example"}}, "privacy.url"),
        ({"imprint": {"url": "javascript:alert(1)"}}, "imprint.url"),
        ({"imprint": {"url": 'https://a.example/"><script>'}}, "imprint.url"),
        ({"email": "a@b\r\nBcc: x@y"}, "email"),
        ({"phone": "call me"}, "phone"),
        ({"name": ""}, "name"),
        ({"name": "a" * 81}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"accent": "red"}, "accent"),
        ({"languages": ["fr"]}, "languages[0]"),
        ({"terms": {"texts": {"en": "x" * 60_001}}}, None),
        ({"logo": "0" * 32}, None),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_what_makes_no_sense_is_refused(
    module_api: Api, said: Json, field: str | None
) -> None:
    found = problem(await module_api.ask("PATCH", PATH, said, key="ak"), "invalid_request")
    if field is not None:
        assert found["field"] == field
    assert document(await module_api.ask("GET", PATH, key="ak"), 200)["version"] == 0


async def test_a_colour_that_nobody_can_read_is_answered_with_one_that_all_can(api: Api) -> None:
    answer = await api.ask("PATCH", PATH, {"accent": "#ffcc00"}, key="ak")
    nearest = problem(answer, "colour_illegible", field="accent")["nearest"]
    assert (await change(api, {"accent": nearest}))["accent"] == nearest


async def test_a_logo_is_shown_at_an_address_that_never_changes(api: Api) -> None:
    made = await set_logo(api, picture(kind="JPEG"))
    first = logo_of(made)
    shown = await api.ask("GET", first, key=None)
    assert shown.headers["content-type"] == "image/png"
    assert shown.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert shown.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert shown.content.startswith(b"\x89PNG")
    second = logo_of(await set_logo(api, picture(mode="L")))
    assert second != first
    assert (await api.ask("GET", first, key=None)).content == shown.content
    gone = document(await api.ask("DELETE", LOGO, key="ak"), 200)
    assert (gone["logo"], gone["version"]) == (None, 3)


async def test_a_drawing_with_a_script_in_it_is_no_logo(api: Api) -> None:
    sent = {"picture": b64encode(SVG).decode()}
    answer = await api.ask("PUT", LOGO, sent, key="ak")
    problem(answer, "logo_invalid", reason="unknown_format")
    assert document(await api.ask("GET", PATH, key="ak"), 200)["logo"] is None


async def test_old_logos_go_when_nobody_shows_them(api: Api) -> None:
    first = logo_of(await set_logo(api, picture(30)))
    second = logo_of(await set_logo(api, picture(31)))
    await api.connection.execute("update bespeak.merchant_logo set added_at = '2020-01-01'")
    third = logo_of(await set_logo(api, picture(32)))
    statuses = [(await api.ask("GET", one, key=None)).status_code for one in (first, second, third)]
    assert statuses == [404, 404, 200]
    # The one that is shown stays, however old it is.
    await api.connection.execute("update bespeak.merchant_logo set added_at = '2020-01-01'")
    await set_logo(api, picture(32))
    assert (await api.ask("GET", third, key=None)).status_code == 200


async def test_each_workspace_has_a_merchant_of_its_own(api: Api) -> None:
    await found_acme(api)
    await change(api, {"name": "Lantern Hall"})
    await change(api, {"name": "Acme"}, key=f"{ACME} ak")
    for key, name in (("pk", "Lantern Hall"), (f"{ACME} pk", "Acme")):
        assert document(await api.ask("GET", PATH, key=key), 200)["name"] == name


async def test_who_manages_changes_it_without_a_proof_and_others_do_not(api: Api) -> None:
    manager = await operator(api, "manager", OperatorRole.MANAGER)
    made = document(await manager.ask("PATCH", PATH, {"name": "Ours"}), 200)
    assert made["name"] == "Ours"
    seller = await operator(api, "seller", OperatorRole.SELLER)
    problem(await seller.ask("PATCH", PATH, {"name": "Mine"}), "missing_scope")
    for key in ("pk", "sk"):
        problem(await api.ask("PATCH", PATH, {"name": "Mine"}, key=key), "key_kind_wrong")


async def test_a_change_is_in_the_audit_log(api: Api) -> None:
    await change(api, {"name": "Ours"})
    entries = document(await api.ask("GET", "/v1/audit-log", key="ak"), 200)["items"]
    assert "change_merchant" in [one["action"] for one in cast("list[Json]", entries)]


def test_a_merchant_writes_in_the_languages_of_the_pages() -> None:
    assert list(Language.__args__) == LOCALES  # type: ignore[attr-defined]
