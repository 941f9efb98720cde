"""What merchants write in their mails: saved, judged, shown, tried, and in the mails that leave."""

from pathlib import Path
from typing import cast

import pytest

from bespeak import locales
from bespeak.inventory import resources
from bespeak.merchants.profile import ChangeMerchant
from bespeak.notifications.mail.outbox import MailOutbox
from tests.harness.shows import new_show
from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi
from tests.http.workspaces import ACME, act_in, found_acme

ALL = "/v1/mail-texts"
AT = f"{ALL}/booking_confirmed/en"
OWN: Json = {
    "subject": "See you at {title}",
    "introduction": "Dear {name},\n\nyour code is {booking_code}.\nDoors open early.",
    "closing": "Your team <of> {venue}",
}
NOTICES = ("waitlist_joined", "waitlist_offered", "waitlist_over", "turn_near")
KINDS = 7 + len(NOTICES)
TO_WHO_WAITS: Json = {
    "subject": "News of {title}",
    "introduction": "Dear guest <b>,\n\nthank you for waiting for {title}.",
    "closing": "Your team of {title}",
}


def own_of(kind: object) -> Json:
    """A text that this kind takes."""
    return TO_WHO_WAITS if kind in NOTICES else OWN


@pytest.fixture
async def api(open_api: OpenApi, tmp_path: Path) -> Api:
    return await open_api(mail_outbox=str(tmp_path / "outbox"))


async def texts(api: Api, key: str = "ak") -> dict[tuple[object, object], Json]:
    found = document(await api.ask("GET", ALL, key=key), 200)
    items = cast("list[Json]", found["items"])
    return {(one["kind"], one["language"]): one for one in items}


async def test_all_is_ours_until_somebody_writes_something(api: Api) -> None:
    found = await texts(api)
    assert len(found) == KINDS * len(locales.LANGUAGES)
    assert all(one["text"] is None and one["our_subject"] for one in found.values())
    assert "link" in found["booking_confirmed", "en"]["placeholders"]  # type: ignore[operator]
    assert "link" not in found["refunded", "en"]["placeholders"]  # type: ignore[operator]


async def test_a_text_is_set_replaced_and_taken_away(api: Api) -> None:
    made = document(await api.ask("PUT", AT, OWN, key="ak"), 200)
    assert made["text"] == OWN
    short: Json = {"subject": "", "introduction": "", "closing": "Bye"}
    document(await api.ask("PUT", AT, {"closing": "Bye"}, key="ak"), 200)
    found = await texts(api)
    assert found["booking_confirmed", "en"]["text"] == short
    assert found["booking_confirmed", "de"]["text"] is None
    for _ in range(2):
        assert document(await api.ask("DELETE", AT, key="ak"), 200)["text"] is None
    assert (await texts(api))["booking_confirmed", "en"]["text"] is None


async def test_each_workspace_has_its_own(api: Api) -> None:
    await found_acme(api)
    document(await api.ask("PUT", AT, OWN, key=f"{ACME} ak"), 200)
    assert (await texts(api))["booking_confirmed", "en"]["text"] is None
    assert (await texts(api, f"{ACME} ak"))["booking_confirmed", "en"]["text"] == OWN


async def preview(api: Api, body: Json, at: str = AT) -> dict[str, str]:
    found = document(await api.ask("POST", f"{at}/preview", body, key="ak"), 200)
    return {name: str(value) for name, value in found.items()}


async def test_a_preview_shows_what_is_not_saved(api: Api) -> None:
    shown = await preview(api, {"text": OWN})
    assert shown["subject"] == "See you at A Midsummer Night's Dream"
    assert "Dear Alex Smith,\n\nyour code is 7K3M-Q2XD.\nDoors open early." in shown["text"]
    assert "This is what you have booked" not in shown["text"]
    assert "your code is 7K3M-Q2XD.<br>Doors open early." in shown["html"]
    assert "Your team &lt;of&gt; Main Hall" in shown["html"]
    assert (await texts(api))["booking_confirmed", "en"]["text"] is None
    ours = await preview(api, {})
    assert "This is what you have booked" in ours["text"]


@pytest.mark.parametrize("language", locales.LANGUAGES)
async def test_every_mail_has_a_preview(api: Api, language: str) -> None:
    await api.service.merchants.change(None, ChangeMerchant(name="Lantern", currency="JPY"))
    for kind, _ in await texts(api):
        shown = await preview(api, {"text": own_of(kind)}, f"{ALL}/{kind}/{language}")
        assert shown["sender"].startswith("Lantern <")
        assert "{" not in shown["subject"] + shown["text"], kind


async def test_what_is_said_of_money_stays(api: Api) -> None:
    shown = await preview(api, {"text": OWN}, f"{ALL}/refunded/en")
    assert "Dear Alex Smith" in shown["text"] and "We have given €48.00 back" in shown["text"]


async def test_a_preview_of_a_booking_shows_nothing_of_its_buyer(api: Api) -> None:
    show = await resources.create(api.connection, new_show(name="Tosca {name} <b>"))
    booking = await api.booking(show, "A1")
    shown = await preview(api, {"text": OWN, "booking_id": booking["id"]})
    assert shown["subject"] == "See you at Tosca {name} <b>"
    assert str(booking["code"]) in shown["text"] and "asha" not in shown["text"].casefold()
    assert "Tosca {name} &lt;b&gt;" in shown["html"]


async def test_a_booking_of_another_workspace_is_none(api: Api) -> None:
    await found_acme(api)
    act_in(api, ACME)
    show = await resources.create(api.connection, new_show(), workspace=ACME)
    booking = await api.booking(show, "A1")
    body: Json = {"booking_id": booking["id"]}
    shown = await api.ask("POST", f"{AT}/preview", body, key=f"{ACME} ak")
    document(shown, 200)
    answer = await api.ask("POST", f"{AT}/preview", body, key="default ak")
    problem(answer, "booking_not_found")


async def test_a_mail_to_try_it_goes_to_the_address(api: Api, tmp_path: Path) -> None:
    body: Json = {"email": "desk@lantern.example", "text": OWN}
    sent = document(await api.ask("POST", f"{AT}/test", body, key="ak"), 200)
    mail = MailOutbox(tmp_path / "outbox").open(str(sent["id"]))
    assert "desk@lantern.example" in mail.to
    assert mail.subject == "See you at A Midsummer Night's Dream"


@pytest.mark.usefixtures("moved_clock")
@pytest.mark.parametrize("language", locales.LANGUAGES)
@pytest.mark.parametrize("kind", NOTICES)
async def test_a_mail_to_who_waits_is_edited_shown_tried_and_reset(
    api: Api, tmp_path: Path, kind: str, language: str
) -> None:
    at = f"{ALL}/{kind}/{language}"
    ours = await preview(api, {}, at)
    told = str((await texts(api))[kind, language]["our_subject"])
    assert ours["subject"].startswith(told.removesuffix("{title}"))
    made = document(await api.ask("PUT", at, TO_WHO_WAITS, key="ak"), 200)
    assert made["text"] == TO_WHO_WAITS
    shown = await preview(api, {}, at)
    body: Json = {"email": "desk@lantern.example"}
    sent = document(await api.ask("POST", f"{at}/test", body, key="ak"), 200)
    mail = MailOutbox(tmp_path / "outbox").open(str(sent["id"]))
    assert mail.subject == shown["subject"] != ours["subject"]
    assert "thank you for waiting" in mail.text and "Dear guest &lt;b&gt;," in shown["html"]
    # All that we say stays: until when, the link, how to give it up.
    kept = [line for line in ours["text"].splitlines() if line]
    assert kept == [line for line in shown["text"].splitlines() if line in kept and line]
    assert document(await api.ask("DELETE", at, key="ak"), 200)["text"] is None
    assert (await preview(api, {}, at))["subject"] == ours["subject"]


async def test_the_sample_of_an_offer_says_until_when_and_how_to_say_no(api: Api) -> None:
    at = f"{ALL}/waitlist_offered/en"
    text: Json = {"closing": "Until {until}. Begins {starts_at}"}
    shown = await preview(api, {"text": text}, at)
    assert "Accept: " in shown["text"] and "&do=decline" in shown["text"]
    until = shown["text"].partition("hold it for you until ")[2].partition(". After")[0]
    assert until and f"Until {until}. Begins " in shown["text"]
    assert "Dear" not in shown["text"] and "7K3M" not in shown["text"], "there is no booking"


async def test_in_another_workspace_there_is_no_page_to_link_to(api: Api) -> None:
    await found_acme(api)
    for key, has_link in (("ak", True), (f"{ACME} ak", False)):
        answer = await api.ask("POST", f"{ALL}/turn_near/en/preview", {}, key=key)
        assert ("Go to your place" in str(document(answer, 200)["text"])) is has_link


@pytest.mark.parametrize("name", ["link", "name", "booking_code", "venue"])
async def test_who_waits_has_no_booking_and_the_link_is_ours(api: Api, name: str) -> None:
    for kind in NOTICES:
        text: Json = {"introduction": f"{{{name}}}"}
        answer = await api.ask("PUT", f"{ALL}/{kind}/en", text, key="ak")
        problem(answer, "mail_text_invalid", field="introduction", placeholder=f"{{{name}}}")


@pytest.mark.parametrize("at", [AT, f"{ALL}/turn_near/en"])
@pytest.mark.parametrize(
    "text",
    [
        {"subject": "two\nlines"},
        {"subject": "x" * 151},
        {"subject": "a\r\nBcc: b@evil.example"},
        {"introduction": "x" * 2001},
        {"introduction": "x" * 4000},
        {"closing": "\u0000"},
        {"closing": None},
        {"html": "<b>"},
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_out_of_bounds_is_refused(module_api: Api, text: Json, at: str) -> None:
    problem(await module_api.ask("PUT", at, text, key="ak"), "invalid_request")


async def test_reminders_are_off_until_they_are_set(api: Api) -> None:
    path = "/v1/mail-reminders"
    assert document(await api.ask("GET", path, key="ak"), 200) == {"hours": [], "version": 0}
    saved = document(await api.ask("PUT", path, {"hours": [2, 48]}, key="ak"), 200)
    assert saved["hours"] == [48, 2]
    assert document(await api.ask("GET", path, key="ak"), 200) == saved
    refused: list[object] = [[1, 2, 3, 4], [0], [721], [2, 2], None, ["x"]]
    for hours in refused:
        problem(await api.ask("PUT", path, {"hours": hours}, key="ak"), "invalid_request")
