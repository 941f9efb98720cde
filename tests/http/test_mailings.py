"""What a merchant writes to all who booked: asked for once, shown before, listed, stopped."""

from typing import cast

import pytest

from bespeak import Resource
from tests.http.api import Api, Json, document, problem
from tests.http.workspaces import ACME, found_acme

HELLO: Json = {"language": "en", "subject": "Doors: {title}", "text": "They open at 19:30."}
GERMAN: Json = {"language": "de", "subject": "Einlass", "text": "Beginn <um> 19.30 Uhr, {name}."}


def at(show: Resource) -> str:
    return f"/v1/resources/{show.id}/mailings"


async def paid(api: Api, show: Resource, *units: str) -> Json:
    """A booking with an address."""
    hold = await api.hold(show, *units)
    contact = {"email": "asha@example.org", "name": "Asha Rao", "locale": "de"}
    body: Json = {"hold_id": hold["id"], "contact": contact}
    return document(await api.ask("POST", "/v1/bookings", body), 201)


async def mailings(api: Api, show: Resource) -> list[Json]:
    return cast("list[Json]", document(await api.ask("GET", at(show), key="ak"), 200)["items"])


async def test_it_is_written_once_by_key_listed_and_stopped(api: Api, show: Resource) -> None:
    await paid(api, show, "A1")
    body: Json = {"texts": [HELLO, GERMAN]}
    first = document(await api.ask("POST", at(show), body, key="ak", idempotency_key="doors"), 201)
    assert (first["state"], first["recipients"]) == ("writing", 0)
    again = await api.ask("POST", at(show), body, key="ak", idempotency_key="doors")
    assert again.headers["idempotent-replayed"] == "true"
    assert document(again, 201) == first
    (listed,) = await mailings(api, show)
    assert listed == first
    path = f"{at(show)}/{first['id']}"
    assert document(await api.ask("GET", path, key="ak"), 200) == first
    stopped = document(await api.ask("DELETE", path, key="ak"), 200)
    assert stopped == {**first, "state": "stopped"}


async def test_it_is_shown_first_with_how_many_get_it(api: Api, show: Resource) -> None:
    await paid(api, show, "A1", "A2")
    await api.booking(show, "A3")  # without an address
    asked: Json = {"texts": [HELLO, GERMAN], "language": "de"}
    shown = document(await api.ask("POST", f"{at(show)}/preview", asked, key="ak"), 200)
    assert shown["recipients"] == 1
    mail = cast("Json", shown["mail"])
    assert mail["subject"] == "Einlass"
    assert "Beginn &lt;um&gt; 19.30 Uhr, Alex Schmidt." in str(mail["html"])
    assert show.name in str(mail["text"])
    asked["language"] = "ar"  # in which nothing is said: the first
    shown = document(await api.ask("POST", f"{at(show)}/preview", asked, key="ak"), 200)
    assert cast("Json", shown["mail"])["subject"] == f"Doors: {show.name}"
    assert await mailings(api, show) == []


async def test_another_workspace_neither_writes_nor_reads(api: Api, show: Resource) -> None:
    made = document(await api.ask("POST", at(show), {"texts": [HELLO]}, key="ak"), 201)
    await found_acme(api)
    for method, path, body in (
        ("POST", at(show), {"texts": [HELLO]}),
        ("GET", at(show), None),
        ("POST", f"{at(show)}/preview", {"texts": [HELLO], "language": "en"}),
        ("GET", f"{at(show)}/{made['id']}", None),
        ("DELETE", f"{at(show)}/{made['id']}", None),
    ):
        answer = await api.ask(method, path, body, key=f"{ACME} ak")
        assert answer.status_code == 404, (method, path)
    assert document(await api.ask("GET", f"{at(show)}/{made['id']}", key="ak"), 200) == made


@pytest.mark.parametrize("key", ["pk", None])
async def test_it_is_the_operators(api: Api, show: Resource, key: str | None) -> None:
    code = "key_missing" if key is None else "key_kind_wrong"
    problem(await api.ask("POST", at(show), {"texts": [HELLO]}, key=key), code)
