"""Whose address counts: the one that connects, or what a trusted proxy tells."""

from typing import cast

import pytest
from structlog.testing import capture_logs

from bespeak import Settings
from bespeak.errors import InvalidSetting
from bespeak.http.server.asgi import AsgiScope
from bespeak.http.server.client_address import ClientAddress, ClientAddresses

PROXIES = "10.0.0.0/8, 2001:db8:ffff::/48,198.51.100.7"


def seen(
    peer: str | None, *told: str, proxies: str = PROXIES, header: str = "x-forwarded-for"
) -> ClientAddress:
    scope = {
        "client": None if peer is None else (peer, 4711),
        "headers": [(header.encode(), value.encode("latin-1")) for value in told],
    }
    settings = Settings(trusted_proxies=proxies, proxy_header=header)
    return ClientAddresses(settings).of(cast("AsgiScope", scope))


@pytest.mark.parametrize(
    ("peer", "told", "prefix"),
    [
        # Nobody told anything.
        ("203.0.113.9", (), "203.0.113.9"),
        ("2001:db8:1:2:3::4", (), "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", (), "203.0.113.9"),
        # Who is no proxy of ours may tell what it likes.
        ("203.0.113.9", ("192.0.2.1",), "203.0.113.9"),
        ("2001:db8:1:2:3::4", ("192.0.2.1",), "2001:db8:1:2::/64"),
        # A proxy of ours tells the last address; what the client wrote is left of it.
        ("10.1.1.1", ("192.0.2.1",), "192.0.2.1"),
        ("10.1.1.1", ("6.6.6.6, 192.0.2.1",), "192.0.2.1"),
        ("10.1.1.1", ("6.6.6.6", "192.0.2.1"), "192.0.2.1"),
        ("10.1.1.1", ("192.0.2.1, 198.51.100.7, 10.9.9.9",), "192.0.2.1"),
        ("2001:db8:ffff::1", ("2001:db8:1:2:3::4",), "2001:db8:1:2::/64"),
        ("10.1.1.1", ("192.0.2.1:5555",), "192.0.2.1"),
        ("10.1.1.1", ("[2001:db8:1:2:3::4]:5555",), "2001:db8:1:2::/64"),
        # Nonsense ends the way: the last hop that could be read counts.
        ("10.1.1.1", ("192.0.2.1, unknown",), "10.1.1.1"),
        ("10.1.1.1", ("192.0.2.1, x, 10.9.9.9",), "10.9.9.9"),
        ("10.1.1.1", ("",), "10.1.1.1"),
        ("10.1.1.1", ("10.2.2.2",), "10.2.2.2"),
    ],
)
def test_the_address_that_counts(peer: str, told: tuple[str, ...], prefix: str) -> None:
    assert seen(peer, *told) == ClientAddress(prefix)


@pytest.mark.parametrize(
    ("told", "prefix"),
    [
        (("for=192.0.2.1;proto=https;by=10.1.1.1",), "192.0.2.1"),
        (('For="[2001:db8:1:2:3::4]:4711"',), "2001:db8:1:2::/64"),
        (("for=6.6.6.6, for=192.0.2.1",), "192.0.2.1"),
        # A quotation mark that the client left open must not hide what the proxy added.
        (('for=", for=192.0.2.1',), "192.0.2.1"),
        (("for=_hidden",), "10.1.1.1"),
        (("proto=https",), "10.1.1.1"),
    ],
)
def test_the_header_forwarded(told: tuple[str, ...], prefix: str) -> None:
    assert seen("10.1.1.1", *told, header="forwarded").prefix == prefix


def test_only_the_header_that_the_proxy_writes_is_read() -> None:
    """A proxy that adds to the one header passes the other on as the client wrote it."""
    scope = cast(
        "AsgiScope",
        {
            "client": ("10.1.1.1", 1),
            "headers": [(b"forwarded", b"for=6.6.6.6"), (b"x-forwarded-for", b"192.0.2.1")],
        },
    )
    for header, prefix in (("x-forwarded-for", "192.0.2.1"), ("forwarded", "6.6.6.6")):
        settings = Settings(trusted_proxies=PROXIES, proxy_header=header)
        assert ClientAddresses(settings).of(scope).prefix == prefix


def test_a_long_header_is_read_from_its_end_and_not_for_long() -> None:
    proxies = ", ".join(["10.2.2.2"] * 5000)
    assert seen("10.1.1.1", f"192.0.2.1, {proxies}").prefix == "10.2.2.2"


def test_behind_a_proxy_that_nobody_declared_clients_are_not_told_apart() -> None:
    with capture_logs() as logged:
        assert seen("127.0.0.1", "192.0.2.1", proxies="") == ClientAddress(
            "127.0.0.1", is_known=False
        )
    assert logged[0]["remedy"] == "set BESPEAK_TRUSTED_PROXIES"
    # Without the header it is a client of this machine; from the internet, the header is a lie.
    assert seen("127.0.0.1", proxies="").is_known
    assert seen("8.8.8.8", "192.0.2.1", proxies="") == ClientAddress("8.8.8.8")
    # A socket of the machine has no addresses at all.
    assert not seen(None, proxies="").is_known


@pytest.mark.parametrize("setting", ["10.0.0.1/8", "proxy.example", "10.0.0.0/8;10.1.1.1"])
def test_proxies_that_are_none_stop_the_start(setting: str) -> None:
    with pytest.raises(InvalidSetting) as refused:
        ClientAddresses(Settings(trusted_proxies=setting))
    assert refused.value.data["variable"] == "BESPEAK_TRUSTED_PROXIES"


def test_the_header_is_one_of_two() -> None:
    with pytest.raises(InvalidSetting):
        Settings.read({"BESPEAK_PROXY_HEADER": "x-real-ip"})
