"""Which addresses webhooks may go to, and which URLs can be given."""

import socket

import pytest

from bespeak import InvalidRequest
from bespeak.notifications.webhooks.addresses import (
    AddressRefused,
    check_url,
    is_public,
    public_socket,
)

INSIDE = [
    "0.0.0.0",  # noqa: S104 (named, not bound to)
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "3fff::1",
    "4000::1",
]
OUTSIDE = [
    "1.1.1.1",
    "93.184.216.34",
    "172.32.0.1",
    "::ffff:93.184.216.34",
    "64:ff9b::5db8:d822",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
]


@pytest.mark.parametrize("address", INSIDE)
def test_what_is_inside_is_refused_when_the_socket_is_made(address: str) -> None:
    assert not is_public(address)
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    place = (address, 443, 0, 0) if ":" in address else (address, 443)
    with pytest.raises(AddressRefused, match="not a public address"):
        public_socket((family, socket.SOCK_STREAM, 6, "", place))


@pytest.mark.parametrize("address", OUTSIDE)
def test_what_is_outside_is_not(address: str) -> None:
    assert is_public(address)


def test_a_public_address_gets_its_socket() -> None:
    info = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))
    with public_socket(info) as made:
        assert made.family is socket.AF_INET


@pytest.mark.parametrize(
    "address", ["", "hooks.example", "127.1", "0x7f.0.0.1", "1.1.1.1 ", "::1%"]
)
def test_what_is_no_address_is_not_public(address: str) -> None:
    assert not is_public(address)


def test_a_zone_hides_nothing() -> None:
    info = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fe80::1%lo", 443, 0, 1))
    with pytest.raises(AddressRefused):
        public_socket(info)


GOOD = [
    "https://hooks.example",
    "http://hooks.example:8080/a/b?c=d&e=f",
    "https://93.184.216.34/",
    "https://[2606:4700:4700::1111]:8443/x",
    "https://bücher.example/",
    "https://hooks.example./",
    "https://my_host.example/",
]


@pytest.mark.parametrize("url", GOOD)
def test_a_url_is_kept_as_it_is(url: str) -> None:
    assert check_url(url, allow_private=False) == url


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://localhost:1/", "http://[fd00::1]/"])
def test_a_private_url_is_for_those_who_say_so(url: str) -> None:
    assert check_url(url, allow_private=True) == url
    with pytest.raises(InvalidRequest) as refused:
        check_url(url, allow_private=False)
    assert refused.value.data["field"] == "url"


@pytest.mark.parametrize(
    "url", ["", "//", "http:", "javascript:alert(1)", "http://a\tb/", "http://"]
)
def test_nonsense_is_refused_whoever_asks(url: str) -> None:
    with pytest.raises(InvalidRequest):
        check_url(url, allow_private=True)
