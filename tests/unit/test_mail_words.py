"""The words of mails: every language says the same, in its own words, and all of it is said
somewhere.
"""

import re
import string
import tomllib
from datetime import UTC, datetime
from email.message import EmailMessage
from importlib import resources
from typing import Any  # any: see its use
from uuid import UUID

import msgspec
import pytest
from babel import Locale

from bespeak import ids
from bespeak.locales import LANGUAGES
from bespeak.merchants.letterheads import EMPTY
from bespeak.money import Money
from bespeak.notifications.mail.line_words import MailResource, begin
from bespeak.notifications.mail.message import (
    MailContact,
    SignInMail,
    compose,
    compose_sign_in,
)
from bespeak.notifications.mail.server_trials import trial_mail
from bespeak.notifications.mail.shops_parts import ShopsPart
from bespeak.notifications.mail.turns import compose_turn_mail
from bespeak.notifications.mail.waitlists import compose_waitlist_mail
from bespeak.notifications.mail.writing import WordsOf
from bespeak.reservations.lines import BookedLine, LaterUnit
from tests.unit.test_mail import KINDS, LETTERHEAD, MATTER, SENDER


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
    folder = resources.files("bespeak.notifications.mail").joinpath("words")
    assert {file.name for file in folder.iterdir()} == {f"{one}.toml" for one in LANGUAGES}
    for language in LANGUAGES:
        assert shape(words(language)) == shape(words("en")), language


@pytest.mark.parametrize(
    ("locale", "total"),
    [
        (None, "€12.50"),
        ("ar", "\u200f12.50 €"),
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
    assert "Faust, Friday, March 1, 2030 to Sunday, March 3, 2030 (1 cancelled)" in text
    assert "Faust, dr-rao, Friday, March 1, 2030, 10:00" in text
    assert "(Central European Standard Time) (cancelled)" in text


@pytest.mark.parametrize(
    ("from_", "thing", "told"),
    [
        (msgspec.UNSET, MailResource("A", "UTC", "2030-03-01T09:00:00Z"), "March 1, 2030"),
        ("2030-03-02", MailResource("A", "UTC", None), "March 2, 2030"),
        ("OPO", MailResource("A", "UTC", None, stops={"OPO": "Porto"}), ""),
        ("OPO", MailResource("A", "UTC", "2030-03-03", stops={"OPO": "Porto"}), "March 3, 2030"),
        (msgspec.UNSET, MailResource("A", "UTC", None), ""),
    ],
)
def test_when_it_begins_is_a_time_and_no_stop(
    from_: object, thing: MailResource, told: str
) -> None:
    found = begin(thing, from_, WordsOf(Locale("en")))
    assert told in found if told else found == ""


def test_a_stay_says_its_guests_and_its_rate() -> None:
    stay = BookedLine("res_1", None, 1, 0, from_="2030-03-01", to="2030-03-03")
    rated = msgspec.structs.replace(stay, guests=3, ages=(4,), rate="Saver")
    part = compose(msgspec.structs.replace(MATTER, lines=[rated]), SENDER).get_body(("plain",))
    assert part is not None
    text = " ".join(str(part.get_content()).split())
    assert "Sunday, March 3, 2030, guests: 3, Saver" in text


@pytest.mark.parametrize(
    ("locale", "zone", "shown"),
    [
        ("en-US", "Asia/Kolkata", "Tuesday, January 1, 2030, 10:00 AM (India Time)"),
        ("en-GB", "Asia/Kolkata", "Tuesday, 1 January 2030, 10:00 (India Time)"),
        ("de", "Asia/Kolkata", "Dienstag, 1. Januar 2030, 10:00 (Indien (Ortszeit))"),
        ("ar", "Asia/Kolkata", "الثلاثاء، 1 يناير 2030، 10:00 ص (توقيت الهند)"),
        ("en", "Etc/GMT+3", "Tuesday, January 1, 2030, 1:30 AM (GMT-03:00)"),
    ],
)
def test_a_time_is_that_of_the_place_and_says_so(locale: str, zone: str, shown: str) -> None:
    """Who reads a mail may be anywhere, and reads it by the habits of their own region."""
    matter = msgspec.structs.replace(
        MATTER,
        contact=MailContact("asha@example.org", None, locale),
        things={"res_1": MailResource("Faust", zone, "2030-01-01T10:00:00+05:30")},
    )
    part = compose(matter, SENDER).get_body(("plain",))
    assert part is not None
    text = " ".join(str(part.get_content()).split())
    assert shown in text and "+0530" not in text and ":00:00" not in text


def texts_of(table: dict[str, object]) -> set[str]:
    """What the words of a language say, without what is filled in; letters only count."""
    found: set[str] = set()
    for value in table.values():
        if isinstance(value, dict):
            found |= texts_of(value)
        else:
            parts = [part for part, _, _, _ in string.Formatter().parse(str(value))]
            found |= {part.strip(" .,:;،") for part in parts if sum(map(str.isalpha, part)) > 3}
    return found


def turn_mails(language: str) -> list[EmailMessage]:
    """Those about a turn in a waiting room: near, and there."""
    row: dict[str, object] = {
        **{"mail_id": UUID(int=6), "near_at": datetime(2030, 1, 1, tzinfo=UTC), "name": "Zzz"},
        **{"email": "x@example.org", "locale": language},
        **{"grace_seconds": 60, "pass_seconds": 600},
    }
    made = []
    for is_called in (False, True):
        whole: Any = {**row, "is_called": is_called}  # any: as a row of the database
        made.append(compose_turn_mail(whole, SENDER, ShopsPart(link="https://b.example/")))
    return made


def waitlist_mails(language: str) -> list[EmailMessage]:
    """Those to who waits, in every turn that they can take."""
    at = datetime(2030, 1, 1, tzinfo=UTC)
    hold = {
        **dict.fromkeys(("quote", "ended_at", "shown")),
        **{"hold_id": UUID(int=8), "owner": "o", "state": "held", "limit_lines": 0},
        **{"resources": [1, 1], "units": ["Q7", "Q8"], "quantities": [None, 3]},
        **dict.fromkeys(("created_at", "expires_at", "extends_until"), at),
        **{"amount": 500, "currency": "EUR"},
    }
    contact = msgspec.json.encode({"email": "x@example.org", "locale": language})
    places = [{"resource_id": ids.show_resource(1)}]
    wish = msgspec.json.encode({"party": 2, "places": places, "categories": ["standard"]})
    row: dict[str, object] = {
        **{"mail_id": UUID(int=9), "entry_id": UUID(int=7), "created_at": at, "contact": contact},
        **{"place": 3, "party": 2, "hold": hold, "policy": "strict", "reason": None, "note": None},
        **dict.fromkeys(("instead_of", "instead_booked_at")),
        **{"resources": [1], "wish": wish},
    }
    things = {ids.show_resource(1): MailResource("Zzz", "Europe/Berlin", None)}
    turns: list[dict[str, object]] = [
        {"kind": "joined"},
        {"kind": "joined", "policy": "lottery"},
        {"kind": "offered"},
        {"kind": "offered", "instead_of": UUID(int=9), "instead_booked_at": at},
        {"kind": "over", "reason": "lapsed"},
        {"kind": "over", "reason": "until"},
        {"kind": "over", "reason": "list_ended"},
        {"kind": "over", "reason": "removed", "note": "123"},
    ]
    made = []
    for turn in turns:
        whole: Any = {**row, **turn}  # any: as a row of the database
        part = ShopsPart(link="https://b.example/waitlist/x#token=y")
        made.append(compose_waitlist_mail(whole, things, SENDER, part))
    return made


@pytest.mark.parametrize(
    ("place", "thing", "told"),
    [
        (
            {"from": "2030-02-01", "to": "2030-02-03"},
            MailResource("Double", "Europe/Berlin", None),
            "Double, Friday, February 1, 2030 to Sunday, February 3, 2030, guests: 2",
        ),
        (
            {"from": "2030-02-01T03:30:00.000Z", "to": "2030-02-01T03:45:00.000Z"},
            MailResource("Clinic", "Asia/Kolkata", None),
            "Clinic, Friday, February 1, 2030, 9:00 AM to "
            "Friday, February 1, 2030, 9:15 AM (India Time), guests: 2",
        ),
        (
            {"from": "2030-02-01T09:00", "to": "2030-02-01T09:15"},
            MailResource("Clinic", "Asia/Kolkata", None),
            "Clinic, Friday, February 1, 2030, 9:00 AM to "
            "Friday, February 1, 2030, 9:15 AM (India Time), guests: 2",
        ),
        (
            {"from": "OPO", "to": "LIS"},
            MailResource("Train", "UTC", None, stops={"OPO": "Porto", "LIS": "Lisbon"}),
            "Train, Porto to Lisbon, guests: 2",
        ),
        ({}, MailResource("Faust", "UTC", None), "Faust, guests: 2"),
        # A mail carries no message of whoever typed its address.
        (
            {"from": "2030-02-01", "to": "Win at evil.example"},
            MailResource("Double", "UTC", None),
            "Double, guests: 2",
        ),
        # Another zone has no such times.
        (
            {"from": "0001-01-01T00:00:00+14:00", "to": "9999-12-31T23:59:59-12:00"},
            MailResource("Clinic", "America/New_York", None),
            "Clinic, guests: 2",
        ),
        (
            {"from": "2030-02-01T evil.example", "to": "2030-02-03"},
            MailResource("Double", "UTC", None),
            "Double, guests: 2",
        ),
    ],
)
def test_a_wish_is_told_in_names_and_in_dates(
    place: dict[str, str], thing: MailResource, told: str
) -> None:
    resource = ids.show_resource(1)
    wish = {"places": [{"resource_id": resource, **place}], "guests": 2, "categories": ["Q", "R"]}
    row: Any = {  # any: as a row of the database
        **{"mail_id": UUID(int=9), "entry_id": UUID(int=7), "kind": "joined", "policy": "strict"},
        **{"created_at": datetime(2030, 1, 1, tzinfo=UTC), "contact": '{"email": "x@b.example"}'},
        **{"place": 3, "party": 2, "hold": None, "reason": None, "note": None},
        **dict.fromkeys(("instead_of", "instead_booked_at")),
        **{"resources": [1], "wish": msgspec.json.encode(wish)},
    }
    mail = compose_waitlist_mail(row, {resource: thing}, SENDER, ShopsPart())
    text = mail.get_body(("plain",))
    assert text is not None
    lines = re.sub(r"\s+", " ", text.get_content().replace("\N{NARROW NO-BREAK SPACE}", " "))
    assert f"- {told} - Q, R " in lines


@pytest.mark.parametrize(("locale", "said"), [("de", "Standard"), ("ar", "عادي")])
def test_the_category_of_seats_without_one_has_a_word_in_each_language(
    locale: str, said: str
) -> None:
    resource = ids.show_resource(1)
    wish = {"places": [{"resource_id": resource}], "categories": ["standard"]}
    row: Any = {  # any: as a row of the database
        **{"mail_id": UUID(int=7), "created_at": datetime(2030, 1, 1, tzinfo=UTC)},
        **{"contact": f'{{"email": "asha@b.example", "locale": "{locale}"}}'},
        **{"kind": "joined", "policy": "strict"},
        **{"place": 3, "party": 2, "hold": None, "reason": None, "note": None},
        **dict.fromkeys(("instead_of", "instead_booked_at")),
        **{"resources": [1], "wish": msgspec.json.encode(wish)},
    }
    thing = MailResource("Faust", "UTC", None)
    mail = compose_waitlist_mail(row, {resource: thing}, SENDER, ShopsPart())
    text = mail.get_body(("plain",))
    assert text is not None
    assert f"- {said}" in text.get_content().splitlines()


def all_mails(language: str) -> list[str]:
    """Every mail in every turn that it can take, as text and as HTML."""
    contact = MailContact("x@example.org", "Zyx", language)
    start = "2030-01-01T10:00:00Z"
    line = BookedLine("res_1", "Q7", None, 0)
    some = BookedLine("res_1", "Q8", 3, 1, from_=start, to="2030-01-01T11:00:00Z", guests=2)
    parted = BookedLine("res_1", "Q7", None, 0, from_=start, later=(LaterUnit("Q8", start),))
    things = {"res_1": MailResource("Zzz", "Europe/Berlin", start)}
    mails = [
        compose(
            msgspec.structs.replace(
                MATTER,
                kind=kind,
                contact=one,
                late=late,
                moved=moved,
                partly=partly,
                exchanged=exchanged,
                lines=[line, some, parted],
                things=things,
                link="https://b.example/",
                refunds="$",
                letterhead=letterhead,
            ),
            SENDER,
        )
        for kind in (*KINDS, "mailing")
        for letterhead, one in (
            (EMPTY, contact),
            (LETTERHEAD, msgspec.structs.replace(contact, name=None)),
        )
        for late in (None, "same_units", "equal_offer", "refund")
        for moved in (None, Money(500, "EUR"))
        for partly, exchanged in ((False, False), (True, False), (False, True))
    ]
    mails.append(
        compose_sign_in(
            SignInMail(
                mail_id=UUID(int=8),
                at=MATTER.at,
                email="x@example.org",
                locale=language,
                code="12345678",
                link="https://b.example/",
            ),
            SENDER,
        )
    )
    mails += waitlist_mails(language)
    mails += turn_mails(language)
    trial = trial_mail(UUID(int=9), MATTER.at, "x@example.org", language, SENDER)
    found = [f"{trial['Subject']}\n{trial.get_content()}"]
    for mail in mails:
        parts = [mail.get_body((kind,)) for kind in ("plain", "html")]
        assert parts[0] is not None and parts[1] is not None
        found.append(f"{mail['Subject']}\n{parts[0].get_content()}")
        direction = "rtl" if language == "ar" else "ltr"
        assert f'<html lang="{language}" dir="{direction}">' in parts[1].get_content()
        found.append(re.sub(r"<style.*?</style>|<[^>]*>", " ", parts[1].get_content()))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_mail_has_text_of_another_language(language: str) -> None:
    found = all_mails(language)
    own = texts_of(words(language))
    assert all(any(text in mail for mail in found) for text in own), "every text is used"
    # A zone is called by Babel, and one word of it is what German calls a category.
    together = "\n".join(found).replace("Central European Standard Time", "")
    for other in set(LANGUAGES) - {language}:
        for text in texts_of(words(other)) - own:
            if text in together:  # as a part of a word, perhaps
                whole = rf"(?<!\w){re.escape(text)}(?!\w)"
                assert not re.search(whole, together), (other, text)
    if language == "ar":
        known = r"https?://\S+|x@b.example|bkg_1|Zyx|Zzz|Q[78]"
        for mail in found:
            assert not re.search(r"[A-Za-z]{2,}", re.sub(known, "", mail)), mail
