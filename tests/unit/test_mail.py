"""Mails: the settings, the words of every language, the odd contact."""

import re
import string
import tomllib
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from bespeak.errors import InvalidSetting
from bespeak.money import Money
from bespeak.notifications.assembly import _post
from bespeak.notifications.mail.message import (
    MailContact,
    MailData,
    MailResource,
    UnusableContact,
    compose,
    languages,
    parse_sender,
)
from bespeak.notifications.mail.sender import OutboxFolder, SmtpRoute, SmtpServer, parse_smtp_url
from bespeak.reservations.lines import BookedLine
from bespeak.settings import Settings

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
KINDS = ("booking_confirmed", "booking_cancelled", "payment_late", "payment_failed", "refunded")


def words(language: str) -> dict[str, object]:
    file = resources.files("bespeak.notifications.mail").joinpath("words", f"{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def shape(table: dict[str, object]) -> dict[str, object]:
    """The names of all words, with what each has filled in."""
    return {
        name: shape(value)
        if isinstance(value, dict)
        else sorted(field for _, field, _, _ in string.Formatter().parse(str(value)) if field)
        for name, value in table.items()
    }


def test_every_language_says_the_same() -> None:
    assert {"en", "de"} <= languages()
    for language in languages():
        assert shape(words(language)) == shape(words("en")), language


@pytest.mark.parametrize("language", sorted(languages()))
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


@pytest.mark.parametrize(
    ("locale", "total"),
    [
        (None, "€12.50"),
        ("en-IN", "€12.50"),
        ("de", "12,50 €"),
        ("de_AT", "€ 12,50"),
        ("xx", "€12.50"),
        ("fr-FR", "€12.50"),
        ("../../etc", "€12.50"),
        ("x" * 500, "€12.50"),
    ],
)
def test_a_language_that_is_not_known_is_english(locale: str | None, total: str) -> None:
    matter = msgspec.structs.replace(MATTER, contact=MailContact("a@example.org", None, locale))
    part = compose(matter, SENDER).get_body(("plain",))
    assert part is not None
    assert total in str(part.get_content()).replace("\xa0", " ")


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (Money(1250, "JPY"), "¥1,250"),
        (Money(1250, "KWD"), "KWD1.250"),
        (Money(5, "USD"), "$0.05"),
        (Money(7, "XQX"), "XQX0.07"),
    ],
)
def test_money_has_the_digits_of_its_currency(amount: Money, shown: str) -> None:
    part = compose(msgspec.structs.replace(MATTER, amount=amount), SENDER).get_body(("plain",))
    assert part is not None
    assert f"Total: {shown}" in str(part.get_content()).replace("\xa0", " ")


def test_ranges_are_said_as_people_do() -> None:
    stay = BookedLine("res_1", None, 2, 1, from_="2030-03-01", to="2030-03-03")
    time = BookedLine("res_1", "dr-rao", None, 1, from_="2030-03-01T09:00:00Z", to="x")
    part = compose(msgspec.structs.replace(MATTER, lines=[stay, time]), SENDER).get_body(("plain",))
    assert part is not None
    text = " ".join(str(part.get_content()).split())
    assert "Faust, Friday, March 1, 2030 \N{EN DASH} Sunday, March 3, 2030 (1 cancelled)" in text
    assert "Faust, dr-rao, March 1, 2030" in text and "10:00" in text and "(cancelled)" in text


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
    "setting", ["", "Box office", "box@", "a@b\nBcc: c@d", "Box <a@b>, c@d <e@f>", "<>"]
)
def test_a_sender_that_is_none_is_refused(setting: str) -> None:
    with pytest.raises(InvalidSetting, match="BESPEAK_MAIL_FROM"):
        parse_sender(setting)


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
    assert isinstance(_post(Settings(), tmp_path), OutboxFolder)
    assert isinstance(_post(Settings(mail_outbox=str(tmp_path)), Path("nowhere")), OutboxFolder)
    assert isinstance(_post(Settings(smtp_url="smtp://mail.example"), tmp_path), SmtpRoute)
