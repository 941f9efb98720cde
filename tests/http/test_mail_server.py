"""The mail server that is set at the console: kept sealed, told to nobody, used by every process,
and tried, with what is wrong with it in a word.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import closing, contextmanager
from pathlib import Path
from socket import create_server
from typing import cast

import msgspec
import pytest
import pytest_asyncio
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from bespeak.notifications.mail.outbox import with_outbox
from bespeak.notifications.mail.sender import MailServerAway, SmtpRoute, SmtpServer
from bespeak.notifications.mail.servers import SetMailServer
from bespeak.notifications.mail.ways import ChosenWays
from bespeak.settings import Settings
from tests.harness import database
from tests.http.api import SETTINGS, Api, Json, document, opened, problem
from tests.http.operating import LoggedIn, operator
from tests.http.workspaces import ACME, found_acme
from tests.integration.test_notifications_mail import Mailbox
from tests.services.certificates import Certificates

AT = "/v1/mail-server"
PASSWORD = "pässword-never-told"
SENDER = "Box office <box@lantern.example>"
SERVER: Json = {
    "host": "mail.lantern.example",
    "port": 587,
    "encryption": "starttls",
    "username": "box",
    "password": PASSWORD,
    "sender": SENDER,
}
_WAITS = """select exists (
    select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
)"""
SECRET = "a signing secret of the tests, long enough"
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def office(server: str) -> AsyncIterator[Api]:
    """One API for all tests of this file; its mails go into a folder that nobody named."""
    async with (
        database.fresh_database(server) as url,
        database.session(url) as session,
        opened(SETTINGS, url, session) as made,
    ):
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def api(office: Api) -> Api:
    document(await office.ask("DELETE", AT, key="ak"), 200)
    return office


def ways_of(api: Api, tmp_path: Path, **settings: object) -> ChosenWays:
    """What another process of the installation sees."""
    changed = msgspec.structs.replace(Settings(), **settings)
    return ChosenWays(api.service.engine.database, with_outbox(changed, tmp_path), tmp_path)


def free_port() -> int:
    with closing(create_server(("127.0.0.1", 0))) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def smtp(certificates: Certificates | None = None) -> Iterator[tuple[int, Mailbox]]:
    """A mail server on the loopback; with a certificate it lets in whoever has the password."""
    mailbox, port = Mailbox(), free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    if certificates is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates.certificate, certificates.key)

        def let_in(*asked: object) -> AuthResult:
            login = cast("LoginPassword", asked[4])
            return AuthResult(success=login.password == PASSWORD.encode(), handled=False)

        controller = Controller(
            mailbox,
            hostname="127.0.0.1",
            port=port,
            tls_context=context,
            authenticator=let_in,
            auth_required=True,
        )
    controller.start()
    try:
        yield port, mailbox
    finally:
        controller.stop()


async def trial(api: Api, **server: object) -> Json:
    body: Json = {"email": "desk@lantern.example"}
    if server:
        body["server"] = {"host": "127.0.0.1", "encryption": "none", "sender": SENDER, **server}
    return document(await api.ask("POST", f"{AT}/test", body, key="ak"), 200)


async def test_the_password_is_told_to_nobody(
    api: Api, tmp_path: Path, logged: list[MutableMapping[str, object]]
) -> None:
    before = document(await api.ask("GET", AT, key="ak"), 200)
    assert before["decided_by"] == "nobody" and before["host"] is None
    answer = await api.ask("PUT", AT, SERVER, key="ak")
    made = document(answer, 200)
    assert made["decided_by"] == "console" and made["has_password"] is True
    assert not made["must_set_password"] and made["sender"] == SENDER
    told = answer.text + (await api.ask("GET", AT, key="ak")).text
    told += (await api.ask("GET", "/v1/audit-log?limit=100", key="ak")).text
    kept = str(await api.connection.fetch("select t::text from bespeak.mail_server t"))
    assert "set_mail_server" in told
    assert PASSWORD not in told + kept and PASSWORD.encode().hex() not in kept
    # Another process, by what is kept alone.
    other = ways_of(api, tmp_path)
    route = (await other.now()).route
    assert isinstance(route, SmtpRoute) and route._place.password == PASSWORD
    lost = ways_of(api, tmp_path, signing_secret=SECRET)
    with pytest.raises(MailServerAway) as away:
        await lost.now()
    assert logged, "that mails do not leave"
    # Whatever shows a part of the program shows no password.
    shown = [logged, away.value, route._place, msgspec.convert(SERVER, SetMailServer)]
    assert PASSWORD not in "".join(repr(one) for one in shown)
    assert route._place.starttls is True and not route._place.use_tls


async def test_a_password_stays_with_its_server(api: Api) -> None:
    document(await api.ask("PUT", AT, SERVER, key="ak"), 200)
    without = {name: value for name, value in SERVER.items() if name != "password"}
    renamed = {**without, "sender": "Till <till@lantern.example>"}
    assert document(await api.ask("PUT", AT, renamed, key="ak"), 200)["has_password"] is True
    elsewhere: list[Json] = [
        {"host": "mail.thief.example"},
        {"port": 588},
        {"encryption": "tls"},
        {"username": "b"},
    ]
    for change in elsewhere:
        body = {**without, **change}
        problem(await api.ask("PUT", AT, body, key="ak"), "mail_server_invalid", field="password")
        tried = {"email": "a@b.example", "server": body}
        refused = await api.ask("POST", f"{AT}/test", tried, key="ak")
        problem(refused, "mail_server_invalid", field="password")
    found = document(await api.ask("GET", AT, key="ak"), 200)
    assert (found["host"], found["sender"]) == (SERVER["host"], renamed["sender"])


async def test_who_keeps_the_password_keeps_the_last_one(api: Api) -> None:
    """Another operator sets another password between the reading and the writing."""
    document(await api.ask("PUT", AT, SERVER, key="ak"), 200)
    seal = await api.service.mail_ways.seal()
    theirs = seal.seal(msgspec.convert(SERVER, SetMailServer), "theirs")
    without = {name: value for name, value in SERVER.items() if name != "password"}
    async with api.connection.transaction():
        await api.connection.execute("update bespeak.mail_server set password = $1", theirs)
        asked = asyncio.create_task(api.ask("PUT", AT, without, key="ak"))
        async with asyncio.timeout(30):
            while not await api.connection.fetchval(_WAITS):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    document(await asked, 200)
    assert await api.connection.fetchval("select password from bespeak.mail_server") == theirs


async def test_after_another_signing_secret_it_is_to_be_set_again(api: Api, tmp_path: Path) -> None:
    document(await api.ask("PUT", AT, SERVER, key="ak"), 200)
    other = ways_of(api, tmp_path, signing_secret=SECRET)
    with pytest.raises(MailServerAway, match="set again"):
        await other.now()
    assert await other.sends() and (await other.sender()).header == SENDER
    # What is wrong is said, and nothing else is.
    service = api.service
    own = service.mail_ways
    try:
        service.mail_ways = other
        found = document(await api.ask("GET", AT, key="ak"), 200)
        assert found["must_set_password"] is True and found["has_password"] is True
        tried = await api.ask("POST", f"{AT}/test", {"email": "a@b.example"}, key="ak")
        problem(tried, "mail_server_invalid", field="password")
        without = {name: value for name, value in SERVER.items() if name != "password"}
        again = await api.ask("PUT", AT, without, key="ak")
        problem(again, "mail_server_invalid", field="password")
        document(await api.ask("PUT", AT, SERVER, key="ak"), 200)
        assert isinstance((await other.now()).route, SmtpRoute)
    finally:
        service.mail_ways = own


async def test_what_the_environment_says_wins(api: Api, tmp_path: Path) -> None:
    document(await api.ask("PUT", AT, SERVER, key="ak"), 200)
    url = "smtp://me:s3cret@mail.example:2525"
    named = ways_of(api, tmp_path, smtp_url=url, mail_from="Env <env@lantern.example>")
    route = (await named.now()).route
    assert isinstance(route, SmtpRoute) and route._place.host == "mail.example"
    assert (await named.sender()).header == "Env <env@lantern.example>"
    assert named.fixed_by == "environment"
    # A folder that somebody named keeps mails in, also those of a copied database; so does a demo.
    assert ways_of(api, tmp_path, mail_outbox=str(tmp_path)).fixed_by == "environment"
    assert ways_of(api, tmp_path, demo=True).fixed_by == "demo"
    assert ways_of(api, tmp_path).fixed_by is None
    # The sender alone.
    sender = ways_of(api, tmp_path, mail_from="Env <env@lantern.example>")
    assert (await sender.sender()).header == "Env <env@lantern.example>"
    own = api.service.mail_ways
    try:
        api.service.mail_ways = named
        answer = await api.ask("GET", AT, key="ak")
        found = document(answer, 200)
        assert (found["decided_by"], found["host"]) == ("environment", "mail.example")
        assert found["is_sender_fixed"] is True and found["encryption"] == "starttls"
        assert "s3cret" not in answer.text
        api.service.mail_ways = sender
        problem(await api.ask("PUT", AT, SERVER, key="ak"), "mail_server_invalid", field="sender")
    finally:
        api.service.mail_ways = own


async def test_each_field_that_makes_no_sense_is_named(api: Api) -> None:
    loopback: Json = {"host": "127.0.0.1", "encryption": "none", "username": "", "password": None}
    refused: list[tuple[Json, str]] = [
        ({"host": "mail.example/x"}, "host"),
        ({"host": "me@mail.example"}, "host"),
        ({"host": "-a.example"}, "host"),
        ({"host": "10.0.0.300"}, "host"),
        ({"host": "fe80::1%eth0"}, "host"),
        ({"host": "a..example"}, "host"),
        ({"encryption": "none", "username": "", "password": None}, "encryption"),
        ({**loopback, "username": "box", "password": "x"}, "encryption"),
        ({"username": ""}, "username"),
        ({"sender": "nobody"}, "sender"),
        ({"sender": "a@b.example, c@d.example"}, "sender"),
        ({"sender": '"=?utf-8?q?a=0d=0aBcc=3ax?=" <a@b.example>'}, "sender"),
        ({"sender": None}, "sender"),
    ]
    for change, field in refused:
        answer = await api.ask("PUT", AT, {**SERVER, **change}, key="ak")
        problem(answer, "mail_server_invalid", field=field)
        assert PASSWORD not in answer.text
    bounded: list[tuple[Json, str]] = [
        ({"host": ""}, "host"),
        ({"host": "a" * 254}, "host"),
        ({"port": 0}, "port"),
        ({"port": 65536}, "port"),
        ({"port": "587"}, "port"),
        ({"encryption": "ssl"}, "encryption"),
        ({"username": "x" * 321}, "username"),
        ({"username": "a\r\nb"}, "username"),
        ({"password": ""}, "password"),
        ({"password": "x" * 1001}, "password"),
        ({"password": "a\nb"}, "password"),
        ({"sender": "x" * 401}, "sender"),
    ]
    for change, field in bounded:
        answer = await api.ask("PUT", AT, {**SERVER, **change}, key="ak")
        problem(answer, "invalid_request", field=field)
    assert document(await api.ask("GET", AT, key="ak"), 200)["decided_by"] == "nobody"
    good: list[Json] = [
        loopback,
        {**loopback, "host": "::1"},
        {**loopback, "host": "localhost"},
        {"host": "10.0.0.7"},
        {"host": "mail_relay"},
    ]
    for change in good:
        document(await api.ask("PUT", AT, {**SERVER, **change}, key="ak"), 200)


async def test_who_may(api: Api) -> None:
    """All rights in the default workspace, and a proof of some minutes ago at most."""
    manager = await api.restricted("manage")
    for method, path in [("GET", AT), ("PUT", AT), ("DELETE", AT), ("POST", f"{AT}/test")]:
        problem(await api.ask(method, path, key=manager), "missing_scope")
        problem(await api.ask(method, path, key="sk"), "key_kind_wrong")
    await found_acme(api)
    for method, path in [("GET", AT), ("PUT", AT), ("DELETE", AT), ("POST", f"{AT}/test")]:
        problem(await api.ask(method, path, key=f"{ACME} ak"), "not_in_workspace")
    asha: LoggedIn = await operator(api)
    document(await asha.ask("GET", AT), 200)
    problem(await asha.ask("PUT", AT, SERVER), "step_up_required")


async def test_a_trial_leaves_and_nothing_of_it_is_kept(api: Api) -> None:
    with smtp() as (port, mailbox):
        found = await trial(api, port=port)
        assert found == {"is_sent": True, "fault": None, "said": ""}
        (mail,) = mailbox.mails
        assert mail["To"] == "desk@lantern.example" and mail["From"] == SENDER
        mailbox.answers["desk@lantern.example"] = "550 no such box here"
        refused = await trial(api, port=port)
        assert refused["fault"] == "recipient_refused"
        assert refused["said"] == "550 no such box here"
        assert (await trial(api, port=port, encryption="starttls"))["fault"] == "no_tls"
        assert (await trial(api, port=port, encryption="tls"))["fault"] == "no_tls"
        assert document(await api.ask("GET", AT, key="ak"), 200)["decided_by"] == "nobody"
        # What is set is tried as it is set.
        body = {"host": "127.0.0.1", "port": port, "encryption": "none", "sender": SENDER}
        document(await api.ask("PUT", AT, body, key="ak"), 200)
        mailbox.answers.clear()
        assert (await trial(api))["is_sent"] is True and len(mailbox.mails) == 2


async def test_a_trial_says_what_is_wrong(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await trial(api, port=free_port()))["fault"] == "refused"
    assert (await trial(api, port=free_port(), host="localhost"))["fault"] == "refused"
    named = {"host": "mail.lantern.invalid", "encryption": "starttls"}
    assert (await trial(api, port=587, **named))["fault"] == "no_such_host"
    certificates = Certificates(tmp_path)
    login: Json = {"encryption": "starttls", "username": "box", "password": PASSWORD}
    with smtp(certificates) as (port, mailbox):
        assert (await trial(api, port=port, **login))["fault"] == "certificate"
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates.authority))
        assert (await trial(api, port=port, **login))["is_sent"] is True
        wrong = await trial(api, port=port, **{**login, "password": "another"})
        assert wrong["fault"] == "wrong_password" and str(wrong["said"]).startswith("535")
        assert len(mailbox.mails) == 1


async def test_a_trial_shows_no_other_servers_banner(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis, SSH and the like answer with something; one that is silent holds up nobody."""
    monkeypatch.setattr("bespeak.notifications.mail.server_trials._SECONDS_MAX", 0.5)
    with closing(create_server(("127.0.0.1", 0))) as silent:
        found = await trial(api, port=silent.getsockname()[1])
        assert found == {"is_sent": False, "fault": "timeout", "said": ""}

    async def greet(_reader: object, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-secret_version\r\n")
        await writer.drain()
        writer.close()

    monkeypatch.setattr("bespeak.notifications.mail.server_trials._SECONDS_MAX", 30.0)
    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        found = await trial(api, port=port)
        assert found == {"is_sent": False, "fault": "no_mail_server", "said": ""}
        # Nor does any other mail that goes by it.
        place = SmtpServer("127.0.0.1", port, None, None, False, False)
        with pytest.raises(MailServerAway, match="no mail server") as away:
            async with SmtpRoute(place).opened():
                pass
    assert "secret_version" not in str(away.value)
