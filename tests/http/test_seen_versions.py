"""What is saved whole is saved for the version that was seen: a stale save is told of the present
version and changes nothing, a fresh one is taken, and one that names none wins as before.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

import httpx
import msgspec
import pytest

from bespeak.inventory.questions import CheckoutQuestion
from bespeak.payments.providers import stripe
from bespeak.payments.providers.provider import ProviderAccount
from tests.harness.shows import MakeShow
from tests.http.api import Api, Json, document, problem
from tests.http.stays import LISTINGS, made_listing, made_property

TEXTS = "/v1/mail-texts"
SERVER: Json = {
    "host": "mail.lantern.example",
    "port": 587,
    "encryption": "starttls",
    "sender": "Box office <box@lantern.example>",
}


class Whole:
    """Something that is saved whole: where, three bodies of it, and how it is read."""

    def __init__(self, path: str, *bodies: Json, read: Callable[[], Awaitable[Json]]) -> None:
        self.path = path
        self.mine, self.theirs, self.again = bodies
        self.read = read

    async def version(self) -> object:
        return (await self.read())["version"]


async def _mail_text(api: Api, make_show: MakeShow) -> Whole:
    async def read() -> Json:
        found = await api.ask("GET", TEXTS, key="ak")
        first: Json = document(found, 200)["items"][0]  # type: ignore[index]
        return first

    one = await read()
    bodies: list[Json] = [{"closing": said} for said in ("Mine", "Theirs", "Again")]
    return Whole(f"{TEXTS}/{one['kind']}/{one['language']}", *bodies, read=read)


async def _reminders(api: Api, make_show: MakeShow) -> Whole:
    async def read() -> Json:
        return document(await api.ask("GET", "/v1/mail-reminders", key="ak"), 200)

    bodies: list[Json] = [{"hours": [hours]} for hours in (24, 48, 2)]
    return Whole("/v1/mail-reminders", *bodies, read=read)


async def _mail_server(api: Api, make_show: MakeShow) -> Whole:
    async def read() -> Json:
        return document(await api.ask("GET", "/v1/mail-server", key="ak"), 200)

    bodies = [{**SERVER, "port": port} for port in (587, 2525, 465)]
    return Whole("/v1/mail-server", *bodies, read=read)


async def _price_rule(api: Api, make_show: MakeShow) -> Whole:
    listing = await made_listing(api, await made_property(api, ref=None), "ak", ref=None)
    path = f"{LISTINGS}/{listing['id']}/suggested-prices"

    async def read() -> Json:
        found = document(await api.ask("GET", path, key="ak"), 200)["rule"]
        return found if isinstance(found, dict) else {"version": 0}

    bodies: list[Json] = [{"least": least, "most": 20_000} for least in (5_000, 6_000, 7_000)]
    return Whole(f"{path}/rule", *bodies, read=read)


async def _answers(api: Api, make_show: MakeShow) -> Whole:
    show = await make_show(questions=(CheckoutQuestion(id="note", text="Anything else?"),))
    path = f"/v1/bookings/{(await api.booking(show, 'A1'))['id']}/answers"

    async def read() -> Json:
        return document(await api.ask("GET", path, key="ak"), 200)

    bodies: list[Json] = [
        {"answers": [{"resource_id": show.id, "question": "note", "answer": said}]}
        for said in ("Mine", "Theirs", "Again")
    ]
    return Whole(path, *bodies, read=read)


@pytest.fixture(params=[_mail_text, _reminders, _mail_server, _price_rule, _answers])
async def whole(request: pytest.FixtureRequest, api: Api, make_show: MakeShow) -> Whole:
    made: Whole = await request.param(api, make_show)
    return made


async def test_of_two_who_saw_the_same_the_second_is_told(api: Api, whole: Whole) -> None:
    assert await whole.version() == 0
    saved = document(await api.ask("PUT", whole.path, {**whole.mine, "version": 0}, key="ak"), 200)
    assert saved["version"] == await whole.version() != 0
    late = await api.ask("PUT", whole.path, {**whole.theirs, "version": 0}, key="ak")
    problem(late, "version_mismatch", version=saved["version"])
    assert await whole.version() == saved["version"]
    fresh = {**whole.theirs, "version": saved["version"]}
    theirs = document(await api.ask("PUT", whole.path, fresh, key="ak"), 200)
    assert theirs["version"] == await whole.version() != saved["version"]
    late = await api.ask("PUT", whole.path, {**whole.again, "version": saved["version"]}, key="ak")
    problem(late, "version_mismatch", version=theirs["version"])
    assert await whole.version() == theirs["version"]


async def test_who_names_no_version_wins_as_before(api: Api, whole: Whole) -> None:
    seen = set()
    for body in (whole.mine, whole.theirs, whole.again):
        seen.add(document(await api.ask("PUT", whole.path, body, key="ak"), 200)["version"])
    assert len(seen) == 3
    assert await whole.version() in seen


async def test_what_was_taken_away_meanwhile_is_not_written_again(api: Api) -> None:
    for path, body in (
        (f"{TEXTS}/refunded/en", {"closing": "Bye"}),
        ("/v1/mail-server", SERVER),
    ):
        saved = document(await api.ask("PUT", path, body, key="ak"), 200)
        document(await api.ask("DELETE", path, key="ak"), 200)
        late = await api.ask("PUT", path, {**body, "version": saved["version"]}, key="ak")
        problem(late, "version_mismatch", version=0)


@pytest.mark.parametrize("make", [_mail_text, _mail_server])
async def test_it_is_taken_away_for_the_version_that_was_seen(
    api: Api, make_show: MakeShow, make: Callable[[Api, MakeShow], Awaitable[Whole]]
) -> None:
    whole = await make(api, make_show)

    async def taken_away(seen: object = "") -> httpx.Response:
        query = "" if seen == "" else f"?version={seen}"
        return await api.ask("DELETE", f"{whole.path}{query}", key="ak")

    async def saved(body: Json) -> object:
        return document(await api.ask("PUT", whole.path, body, key="ak"), 200)["version"]

    assert document(await taken_away(0), 200)["version"] == 0
    mine = await saved(whole.mine)
    problem(await taken_away(0), "version_mismatch", version=mine)
    theirs = await saved(whole.theirs)
    problem(await taken_away(mine), "version_mismatch", version=theirs)
    assert await whole.version() == theirs
    assert document(await taken_away(theirs), 200)["version"] == 0
    # As after an answer that was lost; and who names none takes away what is there, as before.
    assert document(await taken_away(theirs), 200)["version"] == 0
    await saved(whole.again)
    assert document(await taken_away(), 200)["version"] == await whole.version() == 0
    for nonsense in (-1, (1 << 53) + 1, "x"):
        problem(await taken_away(nonsense), "invalid_request")


async def test_reminders_are_ended_for_the_version_that_was_seen(api: Api) -> None:
    path = "/v1/mail-reminders"

    async def end(**seen: object) -> httpx.Response:
        return await api.ask("PUT", path, {"hours": [], **seen}, key="ak")

    assert document(await end(version=0), 200) == {"hours": [], "version": 0}
    saved = document(await api.ask("PUT", path, {"hours": [24]}, key="ak"), 200)
    problem(await end(version=0), "version_mismatch", version=saved["version"])
    assert document(await api.ask("GET", path, key="ak"), 200) == saved
    assert document(await end(version=saved["version"]), 200)["hours"] == []
    problem(await end(version=saved["version"]), "version_mismatch", version=0)


async def test_the_same_said_again_is_the_same_version(api: Api) -> None:
    path, body = f"{TEXTS}/refunded/en", {"closing": "Bye"}
    first = document(await api.ask("PUT", path, body, key="ak"), 200)
    assert document(await api.ask("PUT", path, body, key="ak"), 200) == first


@pytest.fixture
async def paying(api: Api, monkeypatch: pytest.MonkeyPatch) -> Api:
    """Where the environment does not say where buyers pay, and Stripe knows each key, of an account
    for each ending."""
    accounts = api.service.engine.payments.accounts
    free = msgspec.structs.replace(accounts.settings, payment_providers="desk")
    monkeypatch.setattr(accounts, "settings", free)

    async def known(key: str, _: str | None) -> ProviderAccount:
        account_id = f"acct_{key[-1]}"
        return ProviderAccount(
            account_id=account_id, account_name="", is_live=False, can_charge=True
        )

    monkeypatch.setattr(stripe, "account_of", known)
    return api


async def test_an_account_is_ended_for_the_version_that_was_seen(paying: Api) -> None:
    path = "/v1/payment-provider"

    async def ended(**seen: object) -> httpx.Response:
        query = "".join(f"?version={one}" for one in seen.values())
        return await paying.ask("DELETE", f"{path}{query}", key="ak")

    async def saved(key: str) -> object:
        body = {"secret_key": key, "webhook_secret": "whsec_lantern"}
        return _account(await paying.ask("PUT", path, body, key="ak"))["version"]

    async def present() -> object:
        return _account(await paying.ask("GET", path, key="ak"))["version"]

    assert document(await ended(version=0), 200)["account"] is None
    first = await saved("sk_test_one_1")
    problem(await ended(version=0), "version_mismatch", version=first)
    rolled = await saved("sk_test_two_1")
    problem(await ended(version=first), "version_mismatch", version=rolled)
    other = await saved("sk_test_one_2")
    problem(await ended(version=rolled), "version_mismatch", version=other)
    assert await present() == other
    assert document(await ended(version=other), 200)["account"] is None
    # As after an answer that was lost; and who names none ends it wherever buyers pay, as before.
    assert document(await ended(version=other), 200)["account"] is None
    await saved("sk_test_one_1")
    assert document(await ended(), 200)["account"] is None
    for nonsense in (-1, (1 << 53) + 1, "x"):
        problem(await ended(version=nonsense), "invalid_request")


def _account(answer: httpx.Response) -> Json:
    return cast("Json", document(answer, 200)["account"])
