"""The outbox over HTTP: mails that were written into a folder are listed and opened, whatever
stands in them, by nobody but who may do all.
"""

import os
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from uuid import UUID

import pytest

from bespeak.notifications.mail import outbox
from tests.http.api import Api, Json, document, problem
from tests.http.conftest import OpenApi

ALL = "/v1/outbox"
SCRIPT = "<p onclick='alert(1)'>Hello</p><script>parent.document.title = 'caught'</script>"

OpenOutbox = Callable[[], Awaitable[Api]]


def name_of(number: int) -> str:
    return str(UUID(int=number))


def mail(number: int, subject: str = "Your tickets") -> EmailMessage:
    made = EmailMessage(policy=SMTP)
    made["Subject"] = subject
    made["From"] = "Box office <box@office.example>"
    made["To"] = "Asha <asha@example.com>"
    made["Message-ID"] = f"<{name_of(number)}@office.example>"
    made.set_content(f"Hello Asha, this is mail {number}: zwölf Plätze.")
    made.add_alternative(SCRIPT, subtype="html")
    made.add_attachment(b"%PDF-1", maintype="application", subtype="pdf", filename="tickets.pdf")
    made.add_attachment(
        b"<script>alert(2)</script>", maintype="text", subtype="html", filename='../a"/b.html'
    )
    return made


def put(folder: Path, number: int, content: bytes | None = None) -> Path:
    """A file of the outbox, each a second later than the one before."""
    file = folder / f"{name_of(number)}.eml"
    file.write_bytes(mail(number).as_bytes() if content is None else content)
    os.utime(file, (1_800_000_000 + number, 1_800_000_000 + number))
    return file


@pytest.fixture
async def api(open_api: OpenApi, tmp_path: Path) -> Api:
    return await open_api(mail_outbox=str(tmp_path / "outbox"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "outbox"
    made.mkdir()
    return made


async def read(api: Api, path: str = "") -> Json:
    return document(await api.ask("GET", f"{ALL}{path}", key="ak"), 200)


def ids(page: Json) -> list[object]:
    items = page["items"]
    assert isinstance(items, list)
    return [item["id"] for item in items]


async def test_mails_are_listed_the_latest_first_page_by_page(api: Api, folder: Path) -> None:
    assert (await read(api))["items"] == []
    for number in range(1, 6):
        put(folder, number)
    first = await read(api, "?limit=2")
    assert ids(first) == [name_of(5), name_of(4)]
    second = await read(api, f"?limit=2&after={first['next']}")
    last = await read(api, f"?limit=2&after={second['next']}")
    assert ids(second) + ids(last) == [name_of(3), name_of(2), name_of(1)]
    assert last["next"] is None
    items = first["items"]
    assert isinstance(items, list)
    assert items[0]["to"] == "Asha <asha@example.com>"
    assert items[0]["subject"] == "Your tickets"
    assert items[0]["written_at"] == "2027-01-15T08:00:05Z"


async def test_a_mail_is_opened_with_its_text_and_what_goes_with_it(api: Api, folder: Path) -> None:
    put(folder, 1)
    opened = await read(api, f"/{name_of(1)}")
    assert "zwölf Plätze" in str(opened["text"])
    assert opened["has_html"] is True
    assert opened["sender"] == "Box office <box@office.example>"
    attachments = opened["attachments"]
    assert isinstance(attachments, list)
    assert attachments[0] == {
        "index": 1, "name": "tickets.pdf", "media_type": "application/pdf", "size_bytes": 6,
    }  # fmt: skip
    assert len(attachments) == 2


async def test_what_a_mail_says_is_run_by_nobody(api: Api, folder: Path) -> None:
    put(folder, 1)
    html = await api.ask("GET", f"{ALL}/{name_of(1)}/html", key="ak")
    assert html.status_code == 200
    assert "caught" in html.text, "it is shown as it is, so that it is the policy that holds it"
    rules = [rule.strip() for rule in html.headers["content-security-policy"].split(";")]
    assert {"sandbox", "default-src 'none'", "form-action 'none'"} <= set(rules)
    assert "frame-ancestors 'self'" in rules
    assert not [rule for rule in rules if "script" in rule or "allow" in rule]
    for index in (1, 2):
        file = await api.ask("GET", f"{ALL}/{name_of(1)}/attachments/{index}", key="ak")
        assert file.status_code == 200
        assert file.headers["content-type"] == "application/octet-stream"
        assert file.headers["x-content-type-options"] == "nosniff"
        named = file.headers["content-disposition"]
        assert named.startswith("attachment; filename*=UTF-8''")
        assert not set('\r\n"/\\') & set(named.partition("''")[2])
    for no_file in ("0", "3", "x", "9999"):
        path = f"{ALL}/{name_of(1)}/attachments/{no_file}"
        problem(await api.ask("GET", path, key="ak"), "mail_not_found")


async def test_no_name_leads_out_of_the_folder(api: Api, folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("Subject: secret\n\nsecret")
    (folder / f"{name_of(1)}.eml").symlink_to(secret)
    (folder / f"{name_of(2)}.eml").mkdir()
    (folder / "notes.eml").write_text("Subject: not ours\n\n")
    (folder / f".{name_of(3)}.17.partial").write_text("Subject: half\n\n")
    assert ids(await read(api)) == []
    for name in (name_of(1), name_of(2), "notes", "..%2Fsecret", "%2e%2e", name_of(4)):
        for rest in ("", "/html", "/attachments/1"):
            answer = await api.ask("GET", f"{ALL}/{name}{rest}", key="ak")
            assert answer.status_code == 404, (name, rest)
            assert "Subject" not in answer.text


async def test_what_is_no_mail_is_shown_as_far_as_it_goes(
    api: Api, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [
        b"", b"\xff\xfe\x00", b"To: <<<>>>@\nSubject: =?x?q?=?=\n\n", parts_in_parts(2000),
        b"Content-Type: text/plain; charset=nonsense\n\nHello", b"Subject: " + b"x" * 100_000,
        b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n",
    ]  # fmt: skip
    for number, content in enumerate(broken, start=1):
        put(folder, number, content)
    items = (await read(api))["items"]
    assert isinstance(items, list)
    assert len(items) == len(broken)
    assert all(len(item["subject"]) <= 500 for item in items)
    for number in range(1, len(broken) + 1):
        answer = await api.ask("GET", f"{ALL}/{name_of(number)}", key="ak")
        assert answer.status_code in (200, 404), number
    monkeypatch.setattr(outbox, "MAIL_BYTES_MAX", 10)
    problem(await api.ask("GET", f"{ALL}/{name_of(6)}", key="ak"), "mail_not_found")


@pytest.mark.parametrize("is_nested", [True, False])
async def test_a_mail_of_too_many_parts_is_not_opened(
    is_nested: bool, api: Api, folder: Path
) -> None:
    for number, parts in ((1, 150), (2, 250), (3, 100_000)):
        put(folder, number, parts_in_parts(parts) if is_nested else parts_in_a_row(parts))
    assert (await api.ask("GET", f"{ALL}/{name_of(1)}", key="ak")).status_code == 200
    for number in (2, 3):
        for rest in ("", "/html", "/attachments/1"):
            refused = await api.ask("GET", f"{ALL}/{name_of(number)}{rest}", key="ak")
            said = problem(refused, "mail_not_found")["detail"]
            assert "more than 200 parts" in str(said)


def parts_in_parts(number: int) -> bytes:
    return b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(number)
    )


def parts_in_a_row(number: int) -> bytes:
    return b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nHello\n" * number + b"--b--"


async def test_who_opened_a_mail_is_noted(api: Api, folder: Path) -> None:
    put(folder, 1)
    await read(api)
    await read(api, f"/{name_of(1)}")
    for key in ("pk", "sk"):
        answer = await api.ask("GET", f"{ALL}/{name_of(1)}", key=key)
        assert answer.status_code == 403
    entries = (await api.get("/v1/audit-log?limit=10", key="ak"))["items"]
    assert isinstance(entries, list)
    seen = {(entry["action"], entry["outcome"]) for entry in entries}
    assert seen == {("open_mail", "asked")}, "the page of the list asks again and again"


async def test_where_mails_are_sent_there_is_no_outbox(open_api: OpenApi, folder: Path) -> None:
    put(folder, 1)
    sending = await open_api(mail_outbox=str(folder), smtp_url="smtp://127.0.0.1:1")
    problem(await sending.ask("GET", ALL, key="ak"), "outbox_closed")
