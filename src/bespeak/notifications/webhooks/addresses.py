"""Where webhooks may go. A URL is looked at when it is given; what counts is the address that is
connected to, which is judged when the socket is made, so that no name and no spelling leads inside.
"""

from __future__ import annotations

import errno
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import urlsplit

from bespeak.errors import InvalidRequest

URL_LENGTH_MAX = 2000
_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
# What Python takes for public, or did not take for special at some time: protocol assignments and
# the metadata of one cloud within them, relays of 6to4, the host of another cloud's machines, and
# what is for documentation.
_INSIDE = tuple(
    ip_network(one)
    for one in ("192.0.0.0/24", "192.88.99.0/24", "168.63.129.16/32", "2001::/23", "3fff::/20")
)

_Address: TypeAlias = IPv4Address | IPv6Address
_AddressInfo: TypeAlias = tuple[
    int | socket.AddressFamily,
    int | socket.SocketKind,
    int,
    str,
    tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes],
]


class AddressRefused(OSError):
    """The address is in a network that webhooks do not go to."""

    def __init__(self, address: str) -> None:
        super().__init__(errno.EACCES, f"{address} is not a public address")


def is_public(address: str) -> bool:
    """Whether an address (without zone: `::1`, `10.0.0.1`) is one that anybody may reach."""
    try:
        found: _Address = ip_address(address)
    except ValueError:
        return False
    return all(_is_outside(one) for one in _meant(found))


def _is_outside(address: _Address) -> bool:
    if isinstance(address, IPv6Address) and address not in _UNICAST:
        return False
    is_special = any(address.version == net.version and address in net for net in _INSIDE)
    return address.is_global and not address.is_multicast and not is_special


def _meant(address: _Address) -> list[_Address]:
    """The address, or where it carries an IPv4 address, that one, which it leads to."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [IPv4Address(int(address) & 0xFFFFFFFF)]
    if address.sixtofour is not None:
        return [address, address.sixtofour]
    return [address]


def public_socket(info: _AddressInfo) -> socket.socket:
    """A socket for an address that is about to be connected to. Raises AddressRefused."""
    family, kind, protocol, _, place = info
    address = str(place[0]).partition("%")[0]
    if not is_public(address):
        raise AddressRefused(address)
    return socket.socket(family, kind, protocol)


def check_url(url: str, *, allow_private: bool) -> str:
    """A URL that webhooks can be sent to. Raises InvalidRequest."""
    if len(url) > URL_LENGTH_MAX or not url.isprintable() or " " in url or "\\" in url:
        raise InvalidRequest(
            f"url is a URL of at most {URL_LENGTH_MAX} characters without spaces", field="url"
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise InvalidRequest(f"url cannot be read: {error}", field="url") from error
    if parts.scheme not in ("http", "https"):
        raise InvalidRequest("url begins with http:// or https://", field="url")
    if not host or port == 0 or not _is_host(host):
        raise InvalidRequest("url names no host that can be reached", field="url")
    if parts.username is not None or parts.password is not None:
        raise InvalidRequest("url has no user and password: messages are signed", field="url")
    if parts.fragment:
        raise InvalidRequest("url has no fragment", field="url")
    if not allow_private and (_is_local_name(host) or _is_inside(host)):
        raise InvalidRequest("url is in a private network (BESPEAK_WEBHOOK_PRIVATE)", field="url")
    return url


def _is_host(host: str) -> bool:
    if ":" in host:  # within brackets, which urlsplit has checked
        return True
    try:
        return bool(host.encode("idna"))
    except UnicodeError:
        return False


def _is_local_name(host: str) -> bool:
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")


def _is_inside(host: str) -> bool:
    """Whether a host is written as an address that is not public. Other spellings of addresses are
    names here, and are judged by what they turn out to be."""
    try:
        return not is_public(str(ip_address(host.partition("%")[0])))
    except ValueError:
        return False
