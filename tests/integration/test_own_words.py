"""What a merchant writes in mails to who waits leaves with them: in the language of each mail, as
it is when the mail leaves, and in mails of their own workspace alone.
"""

from pathlib import Path
from typing import get_args

import pytest

import bespeak
from bespeak import Line, Resource
from bespeak.announcements import letterheads_of
from bespeak.inventory import resources, workspaces
from bespeak.merchants.merchants import Merchants
from bespeak.merchants.profile import ChangeMerchant, Language
from bespeak.notifications.mail.outbox import MailOutbox
from bespeak.notifications.mail.shops_parts import ShopsParts
from bespeak.notifications.mail.texts import MailKind, MailText, MailTexts, NoticeKind
from bespeak.waitlists.waitlist import NewWaitlist
from tests.harness import turn_mails
from tests.harness.clock import Clock
from tests.harness.database import Connection
from tests.harness.shows import book, new_show
from tests.harness.waiting import Hall
from tests.harness.waitlists import cancel, join, listed, mailed, match

LOCALES: tuple[tuple[str | None, Language], ...] = (
    ("en", "en"),
    ("de-AT", "de"),
    ("ar", "ar"),
    ("fr", "en"),
    (None, "en"),
)
"""What somebody reads, and what they are written to in."""
LANGUAGES: tuple[Language, ...] = ("en", "de", "ar")


WAITLISTS: tuple[NoticeKind, ...] = ("waitlist_joined", "waitlist_offered", "waitlist_over")
KINDS: tuple[MailKind, ...] = get_args(MailKind)
TO = "asha@example.org"


@pytest.fixture
def hall(engine: bespeak.Engine, connection: Connection, clock: Clock) -> Hall:
    return Hall(engine, connection, clock)


@pytest.fixture
def texts(engine: bespeak.Engine) -> MailTexts:
    return MailTexts(engine.database)


async def write(texts: MailTexts, kind: NoticeKind, word: str = "own") -> None:
    """Writes in all languages, each of its own."""
    for language in LANGUAGES:
        text = MailText(
            subject=f"{word} {language}: {{title}}",
            introduction=f"{word} begins {language} <i>",
            closing=f"{word} ends {language}",
        )
        await texts.set(None, kind, language, text)


async def near(
    hall: Hall,
    show: Resource,
    connection: Connection,
    locale: str | None,
    workspace: str | None = None,
) -> None:
    """Asks for the mail of a turn that comes near, and lets it come."""
    settings = {"a_minute": 1, "early_order": "first_come", "grace_seconds": 60}
    worker = await hall.open_in(workspace, show.id, after=60, **settings)
    tokens = [worker.join(f"guest {number}") for number in range(5)]
    await worker.look()
    await turn_mails.ask(connection, worker, tokens[3], TO, locale)
    await hall.go_on(60)
    await hall.go_on(2, times=2)


def opened(folder: Path) -> dict[str, tuple[str, str]]:
    """The subject and the text of each mail that left, by who it went to."""
    outbox = MailOutbox(folder)
    mails = [outbox.open(one.id) for one in outbox.page(None, 50).items]
    return {mail.to: (mail.subject, mail.text.replace("\r\n", "\n")) for mail in mails}


def is_whole(text: str, language: str, word: str = "own") -> bool:
    """Whether the words stand around ours, and a link below what they introduce."""
    begin, link, end = f"{word} begins {language} <i>", "https://shop.example/", f"{word} ends"
    return -1 < text.find(begin) < text.find(link) < text.find(end)


@pytest.mark.parametrize(("locale", "language"), LOCALES)
async def test_of_a_waitlist(
    engine: bespeak.Engine,
    show: Resource,
    texts: MailTexts,
    tmp_path: Path,
    locale: str | None,
    language: str,
) -> None:
    parts = ShopsParts(texts=texts)
    for kind in WAITLISTS:
        await write(texts, kind, kind)
    booking = await book(engine, [Line(show.id, "A1")])
    waitlist = await listed(engine, show)
    asha = await join(engine, waitlist, "asha", contact=bespeak.Contact(TO, locale=locale))
    for kind in WAITLISTS:
        if kind == "waitlist_offered":
            await cancel(engine, booking)
            await match(engine)
        elif kind == "waitlist_over":
            await engine.waitlists.remove(asha.id, note="as you asked us")
        folder = tmp_path / kind
        assert await mailed(engine, folder, parts) == [(TO, f"{kind} {language}: Show")]
        text = opened(folder)[TO][1]
        assert is_whole(text, language, kind)
        # What is ours stays.
        assert ("&do=decline" in text) is (kind == "waitlist_offered")
        assert ("as you asked us" in text) is (kind == "waitlist_over")


@pytest.mark.parametrize(("locale", "language"), LOCALES)
async def test_of_a_turn(
    hall: Hall,
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    texts: MailTexts,
    tmp_path: Path,
    locale: str | None,
    language: str,
) -> None:
    await write(texts, "turn_near")
    await near(hall, show, connection, locale)
    await turn_mails.mailed(engine, tmp_path, ShopsParts(texts=texts))
    subject, text = opened(tmp_path)[TO]
    assert subject == f"own {language}: Premiere"
    assert is_whole(text, language)


async def test_an_edit_before_a_mail_leaves_is_in_it(
    hall: Hall,
    engine: bespeak.Engine,
    show: Resource,
    connection: Connection,
    texts: MailTexts,
    tmp_path: Path,
) -> None:
    """Also one that was made in another process, some seconds before."""
    parts = ShopsParts(texts=MailTexts(engine.database))
    await write(texts, "turn_near", "early")
    await near(hall, show, connection, "de")
    waitlist = await listed(engine, show)
    await join(engine, waitlist, "bela", contact=bespeak.Contact("bela@example.org"))
    await write(texts, "turn_near", "late")
    await write(texts, "waitlist_joined", "late")
    await turn_mails.mailed(engine, tmp_path, parts)
    await mailed(engine, tmp_path, parts)
    found = opened(tmp_path)
    assert found[TO][0] == "late de: Premiere" and is_whole(found[TO][1], "de", "late")
    assert found["bela@example.org"][0] == "late en: Show"


async def test_after_a_reset_all_is_ours(
    engine: bespeak.Engine, show: Resource, texts: MailTexts, tmp_path: Path
) -> None:
    waitlist = await listed(engine, show)
    await write(texts, "waitlist_joined")
    await texts.remove(None, "waitlist_joined", "en")
    for language in ("en", "de"):
        contact = bespeak.Contact(f"{language}@example.org", locale=language)
        await join(engine, waitlist, language, contact=contact)
    assert await mailed(engine, tmp_path, ShopsParts(texts=texts)) == [
        ("de@example.org", "own de: Show"),
        ("en@example.org", "You are on the waitlist: Show"),
    ]


async def test_another_workspace_has_words_and_a_letterhead_of_its_own(
    engine: bespeak.Engine, connection: Connection, texts: MailTexts, tmp_path: Path
) -> None:
    await workspaces.create(connection, "acme")
    await Merchants(engine.database).change("acme", ChangeMerchant(name="Acme Hall"))
    await write(texts, "waitlist_joined")
    await texts.set("acme", "waitlist_joined", "en", MailText(closing="Yours, Acme"))
    theirs = await resources.create(connection, new_show(), workspace="acme")
    new = NewWaitlist(resource_ids=(theirs.id,))
    waitlist = await engine.waitlists.create(new, workspace="acme")
    await join(engine, waitlist, "asha", contact=bespeak.Contact(TO))
    parts = ShopsParts(letterheads_of(engine), texts)
    assert await mailed(engine, tmp_path, parts) == [(TO, "You are on the waitlist: Show")]
    text = opened(tmp_path)[TO][1]
    assert "Yours, Acme" in text and "Acme Hall" in text and "own" not in text
    assert "https://shop.example/" not in text, "whose pages are another's"


async def test_a_turn_in_another_workspace_has_its_words_alone(
    hall: Hall,
    engine: bespeak.Engine,
    connection: Connection,
    texts: MailTexts,
    tmp_path: Path,
) -> None:
    await workspaces.create(connection, "acme")
    await write(texts, "turn_near")
    await texts.set("acme", "turn_near", "de", MailText(subject="Acme: {title}", closing="Acme"))
    theirs = await resources.create(connection, new_show(), workspace="acme")
    await near(hall, theirs, connection, "de", "acme")
    await turn_mails.mailed(engine, tmp_path, ShopsParts(texts=texts))
    subject, text = opened(tmp_path)[TO]
    assert subject == "Acme: Premiere" and "\nAcme\n" in text and "own" not in text
    assert "https://shop.example/" not in text, "whose pages are another's"


@pytest.mark.parametrize("kind", KINDS)
async def test_the_database_knows_every_kind(
    texts: MailTexts, connection: Connection, kind: MailKind
) -> None:
    await texts.set(None, kind, "ar", MailText(closing="Bye"))
    assert await connection.fetchval("select kind from bespeak.mail_text") == kind
