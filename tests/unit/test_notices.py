"""What a merchant writes in mails to who waits: it stands above and below our words, breaks out of
nothing, and takes nothing away that is ours.
"""

import hashlib
from contextlib import nullcontext
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any
from uuid import UUID

import pytest

from bespeak.locales import LANGUAGES
from bespeak.merchants.letterheads import Letterhead
from bespeak.notifications.errors import MailTextInvalid
from bespeak.notifications.mail.shops_parts import ShopsPart
from bespeak.notifications.mail.texts import MailText, check_text
from bespeak.notifications.mail.turns import compose_turn_mail
from tests.unit.test_mail import SENDER
from tests.unit.test_mail_words import turn_mails, waitlist_mails

LINK = "https://b.example/waiting/wrm_1#token=t"
OWN = MailText(subject="Own {title}", introduction="First\n\nSecond <b>", closing="Bye {title}")


def body(mail: EmailMessage, kind: str) -> str:
    """A part of the mail, as it arrives."""
    read = message_from_bytes(mail.as_bytes(), policy=default)
    part = read.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def near(
    text: MailText, *, is_called: bool = False, locale: str = "en", name: str = "Faust"
) -> EmailMessage:
    """A mail that a turn comes near."""
    row: Any = {  # any: as a row of the database
        **{"mail_id": UUID(int=6), "near_at": datetime(2030, 1, 1, tzinfo=UTC), "name": name},
        **{"email": "x@b.example", "locale": locale, "is_called": is_called},
        **{"grace_seconds": 60, "pass_seconds": 600},
    }
    return compose_turn_mail(row, SENDER, ShopsPart(Letterhead(name="Lantern"), text, LINK))


@pytest.mark.parametrize(
    ("language", "digest"),
    [
        ("en", "73ba2525ab018901dde041135f895e827fd43a1875b5446bcc64863488a7348f"),
        ("de", "387bb0bba8ae42115145aaaaea6eee6f70aabf06eb268c5bb16de650cf27f2c6"),
        ("ar", "1ae93fc136ab313b8ca9ea41bb84cd6aa71dec075333bc2c97cfef3190260f6b"),
    ],
)
def test_where_nothing_is_written_not_a_byte_is_another(language: str, digest: str) -> None:
    """The digests are of mails before merchants could write in them."""
    mails = [*turn_mails(language), *waitlist_mails(language)]
    parts = [
        str(part)
        for mail in mails
        for part in (*mail.values(), body(mail, "plain"), body(mail, "html"))
        if "multipart" not in str(part)[:20]  # its boundary is drawn
    ]
    assert hashlib.sha256("\n".join(parts).encode()).hexdigest() == digest


def test_the_words_stand_around_ours() -> None:
    mail = near(OWN)
    assert mail["Subject"] == "Own Faust"
    text = body(mail, "plain")
    order = ["Hello,", "First\n\nSecond <b>\n\nYou wait for Faust", LINK, "Bye Faust", "Lantern"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert "60 seconds to come in" in text and "Please do not reply" in text
    html = body(mail, "html")
    assert "<p>Second &lt;b&gt;</p>\n<p>You wait for Faust" in html
    assert f'href="{LINK}"' in html and "<p>Bye Faust</p>" in html


def test_who_has_been_called_reads_so_in_the_subject() -> None:
    """A merchant writes that it is soon; by now it counts in seconds."""
    mail = near(OWN, is_called=True)
    assert mail["Subject"] == "It is your turn: Faust"
    assert "First" in body(mail, "plain") and "Come in at once" in body(mail, "plain")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "hostile",
    [
        "</p><script>alert(1)</script>",
        '"><a href="https://evil.example">',
        "\u202eevil\u2066\u2069",
        "x" * 2000,
        "{{ link }}{% raw %}",
    ],
)
def test_hostile_words_stay_in_their_place(language: str, hostile: str) -> None:
    own = MailText(subject=hostile[:150], introduction=hostile, closing=hostile)
    mail = near(own, locale=language)
    html, text = body(mail, "html"), body(mail, "plain")
    assert "<script" not in html and 'evil.example">' not in html
    assert f'href="{LINK}"' in html and f": {LINK}\n" in text
    # What turns the direction ends with its paragraph, and is none of a subject.
    assert "\u202e" not in mail["Subject"]
    ours = body(near(MailText(), locale=language), "html")
    assert all(line in html.splitlines() for line in ours.splitlines())


@pytest.mark.parametrize("subject", ["a\r\nBcc: b@evil.example", "a\n\nbody", "a\u2028Bcc: b"])
def test_no_subject_begins_another_header(subject: str) -> None:
    """Also not one that came past the form, or by the name of what is waited for."""
    for mail in (near(MailText(subject=subject)), near(MailText(subject="{title}"), name=subject)):
        read = message_from_bytes(mail.as_bytes(), policy=default)
        assert "Bcc" not in read and len(str(read["Subject"]).splitlines()) == 1


@pytest.mark.parametrize(
    ("kind", "text", "is_known"),
    [
        ("waitlist_offered", "{title} {starts_at} {until}", True),
        ("waitlist_joined", "{until}", False),
        ("waitlist_over", "{starts_at}", True),
        ("turn_near", "{title}", True),
        ("turn_near", "{link}", False),
        ("waitlist_offered", "{link}", False),
        ("waitlist_joined", "{name}", False),
        ("waitlist_offered", "{booking_code}", False),
        ("booking_confirmed", "{until}", False),
        ("turn_near", "{0}", False),
        ("turn_near", "{}", False),
        ("turn_near", "{title.__class__}", False),
        ("turn_near", "{title!r:>999999999}", False),
        ("waitlist_offered", "{until", False),
        ("waitlist_offered", "until}", False),
        ("waitlist_offered", "{{until}}", False),
    ],
)
def test_each_kind_knows_its_own_placeholders(kind: Any, text: str, is_known: bool) -> None:
    with nullcontext() if is_known else pytest.raises(MailTextInvalid):
        check_text(kind, MailText(closing=text))


@pytest.mark.parametrize("text", ["{title.__class__}", "{0}", "{}", "{until", "{{title}}"])
def test_braces_that_came_past_the_form_are_filled_with_nothing_else(text: str) -> None:
    mail = near(MailText(introduction=f"Own {text} words", closing="{title}"), name="{link} {0}")
    told = body(mail, "plain")
    assert "class" not in told and "Own " in told
    assert "\n{link} {0}\n" in told, "what is filled in is not read for placeholders"
