"""Mails: what they are made of, the odd contact, and the settings of where they go."""

import gc
import re
from datetime import UTC, datetime
from email.headerregistry import BaseHeader
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from bespeak.errors import InvalidSetting
from bespeak.locales import LANGUAGES
from bespeak.merchants.letterheads import Letterhead
from bespeak.merchants.logos import Logo
from bespeak.money import Money
from bespeak.notifications.mail.line_words import MailResource
from bespeak.notifications.mail.message import (
    MailContact,
    MailData,
    compose,
)
from bespeak.notifications.mail.sender import OutboxFolder, SmtpRoute, SmtpServer, parse_smtp_url
from bespeak.notifications.mail.ways import mail_route
from bespeak.notifications.mail.writing import LOGO_ID, UnusableContact, parse_sender
from bespeak.reservations.lines import BookedLine
from bespeak.settings import Settings

_ENCODED = '"=?utf-8?q?a=0d=0aBcc=3ax?=" <a@b.example>'  # a line break in an encoded name
SENDER = parse_sender("Box office <box@office.example>")
MATTER = MailData(
    mail_id=UUID(int=7),
    kind="booking_confirmed",
    at=datetime(2030, 1, 1, 12, tzinfo=UTC),
    contact=MailContact("asha@example.org"),
    reference="bkg_1",
    lines=[BookedLine("res_1", "F7", None, 0)],
    things={"res_1": MailResource("Faust", "Europe/Berlin", None)},
    amount=Money(1250, "EUR"),
)
LETTERHEAD = Letterhead(
    name="Zzz",
    logo=Logo("0" * 32, b"PNG", 400, 160),
    email="x@b.example",
    phone="+49 30 1",
    address=("Q7", "Q8"),
    imprint="https://b.example/imprint",
    terms="https://b.example/terms",
)
KINDS = (
    "booking_confirmed",
    "booking_reminder",
    "booking_moved",
    "booking_cancelled",
    "payment_late",
    "payment_failed",
    "refunded",
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("late", [None, "same_units", "equal_offer", "refund"])
@pytest.mark.parametrize("moved", [None, Money(500, "JPY")])
def test_every_mail_can_be_composed(
    kind: str, language: str, late: str | None, moved: Money | None
) -> None:
    for partly in (False, True):
        matter = msgspec.structs.replace(
            MATTER,
            kind=kind,
            contact=MailContact("asha@example.org", "Asha", language),
            late=late,
            moved=moved,
            partly=partly,
        )
        mail = compose(matter, SENDER)
        assert mail["Content-Language"] == language
        text = mail.as_string()
        assert not re.search(r"{\w*}|None", text), text


def test_a_mail_leaves_no_class_of_header_behind() -> None:
    compose(MATTER, SENDER).as_bytes()
    gc.collect()
    gc.disable()
    try:
        before = BaseHeader.__subclasses__()
        compose(MATTER, SENDER).as_bytes()
        assert BaseHeader.__subclasses__() == before
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "email",
    [
        "",
        "asha",
        "@",
        "a@",
        "@b",
        "a b@c",
        "a@b\nc",
        "a@b, c@d",
        "<a@b>",
        "a@b\x00",
        "x" * 250 + "@e.org",
    ],
)
def test_what_is_no_address_is_refused(email: str) -> None:
    with pytest.raises(UnusableContact):
        compose(msgspec.structs.replace(MATTER, contact=MailContact(email)), SENDER)


@pytest.mark.parametrize(
    "name",
    [
        "Asha",
        "Mary-Jane O'Neill",
        "Dr. Jos\u00e9 \u00c1lvarez de la Cruz",
        "\u0634\u0647\u0631\u0632\u0627\u062f \u0639\u0644\u064a",
        "\u674e\u5c0f\u9f99",
        "D\u2019Angelo",
    ],
)
def test_a_name_is_greeted_by(name: str) -> None:
    matter = msgspec.structs.replace(MATTER, contact=MailContact("asha@example.org", name))
    mail = compose(matter, SENDER)
    body = mail.get_body(("plain",))
    assert body is not None
    assert f"Hello {name}," in body.get_content()
    assert mail["To"].addresses[0].display_name == name


@pytest.mark.parametrize(
    "name",
    [
        "Click http://evil.example",
        "evil.example",
        "evil\uff0eexample",
        "@evil",
        "Call 0900 123456",
        "<b>You have won</b>",
        "You have won a prize please write to us now",
        "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "Transfer \U0001f4b0 now",
        "A\u202eB",
        ". . .",
    ],
)
def test_a_mail_carries_no_text_of_somebodys_own(name: str) -> None:
    """A guest can have a mail sent to any address: the greeting is then without a name."""
    contact = MailContact("asha@example.org", name)
    mail = compose(msgspec.structs.replace(MATTER, contact=contact), SENDER)
    nameless = compose(MATTER, SENDER)
    assert str(mail["To"]) == str(nameless["To"])
    for kind in ("plain", "html"):
        bodies = [one.get_body((kind,)) for one in (mail, nameless)]
        assert bodies[0] is not None and bodies[1] is not None
        assert bodies[0].get_content() == bodies[1].get_content()


@pytest.mark.parametrize("name", ["A\r\nBcc: x@y.z", '"', "a,b;c:d", "é" * 300, "<x@y.z>", "\x00"])
def test_a_name_stays_a_name(name: str) -> None:
    matter = msgspec.structs.replace(MATTER, contact=MailContact("asha@example.org", name))
    mail = compose(matter, SENDER)
    assert [one.addr_spec for one in mail["To"].addresses] == ["asha@example.org"]
    assert "Bcc" not in mail and mail.as_bytes()


@pytest.mark.parametrize(
    "setting", ["", "Box office", "box@", "a@b\nBcc: c@d", "Box <a@b>, c@d <e@f>", "<>", _ENCODED]
)
def test_a_sender_that_is_none_is_refused(setting: str) -> None:
    with pytest.raises(InvalidSetting, match="BESPEAK_MAIL_FROM"):
        parse_sender(setting)


def test_a_merchants_mail_is_theirs() -> None:
    """Their name stands before the address of the installation, and answers go to them."""
    matter = msgspec.structs.replace(MATTER, letterhead=LETTERHEAD, refunds="No refund")
    mail = compose(matter, SENDER)
    assert mail["From"] == "Zzz <box@office.example>"
    assert mail["Reply-To"] == "Zzz <x@b.example>"
    plain, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert plain is not None and html is not None
    assert "Reply to this message" in plain.get_content()
    assert "Imprint: https://b.example/imprint" in plain.get_content()
    assert "If you cancel: No refund\nTerms: https://b.example/terms" in plain.get_content()
    pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert [part["Content-ID"] for part in pictures] == [f"<{LOGO_ID}>"]
    assert pictures[0].get_content() == b"PNG"
    assert f'<img src="cid:{LOGO_ID}" alt="Zzz" width="200" height="80"' in html.get_content()


def test_without_a_profile_a_mail_is_as_before() -> None:
    mail = compose(MATTER, SENDER)
    assert mail["From"] == "Box office <box@office.example>" and "Reply-To" not in mail
    assert not [part for part in mail.walk() if part.get_content_maintype() == "image"]


@pytest.mark.parametrize("email", ["a,b@c", '"@c', "a@b;c@d", "a(b@c", "", "é@b.example"])
def test_an_address_to_answer_to_that_is_none_is_left_out(email: str) -> None:
    head = Letterhead(name="A\r\nBcc: x@y.z", email=email)
    mail = compose(msgspec.structs.replace(MATTER, letterhead=head), SENDER)
    assert "Bcc" not in mail and mail.as_bytes()
    assert [one.addr_spec for one in mail["From"].addresses] == ["box@office.example"]
    if "Reply-To" in mail:
        assert [one.addr_spec for one in mail["Reply-To"].addresses] == [email]


def test_an_smtp_url() -> None:
    found = parse_smtp_url("smtp://me%40x:p%3Ass@mail.example:2525?starttls=1")
    assert found == SmtpServer("mail.example", 2525, "me@x", "p:ss", False, True)
    assert parse_smtp_url("smtp://mail.example").port == 587
    assert parse_smtp_url("smtp://mail.example").starttls is None
    assert parse_smtp_url("smtps://mail.example").port == 465
    assert parse_smtp_url("smtps://mail.example").use_tls


def test_a_password_goes_over_tls_only() -> None:
    """Where the offer of STARTTLS is taken out on the way, nothing is sent."""
    assert parse_smtp_url("smtp://me:pass@mail.example").starttls is True
    assert parse_smtp_url("smtps://me:pass@mail.example").use_tls
    with pytest.raises(InvalidSetting, match="never sent without TLS") as refused:
        parse_smtp_url("smtp://me:s3cret@mail.example?starttls=0")
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mail.example",
        "http://mail.example",
        "smtp://",
        "smtp://mail.example:0",
        "smtp://mail.example:port",
        "smtp://user@mail.example",
        "smtp://mail.example?starttls=maybe",
        "smtp://mail.example?tls=1",
        "smtps://mail.example?starttls=1",
        "smtp://[::1",
    ],
)
def test_an_smtp_url_that_makes_no_sense_is_refused(url: str) -> None:
    with pytest.raises(InvalidSetting, match="BESPEAK_SMTP_URL"):
        parse_smtp_url(url)


def test_a_password_is_not_told() -> None:
    with pytest.raises(InvalidSetting) as refused:
        parse_smtp_url("smtp://me:s3cret@mail.example:port")
    assert "s3cret" not in str(refused.value) and refused.value.__cause__ is None


def test_mails_go_where_the_settings_say(tmp_path: Path) -> None:
    assert isinstance(mail_route(Settings(), tmp_path), OutboxFolder)
    assert isinstance(
        mail_route(Settings(mail_outbox=str(tmp_path)), Path("nowhere")), OutboxFolder
    )
    assert isinstance(mail_route(Settings(smtp_url="smtp://mail.example"), tmp_path), SmtpRoute)
