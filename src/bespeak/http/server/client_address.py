"""Where a request comes from: the address that connects, or, where that is one of our proxies, the
one that the proxy tells. Limits and budgets by address ask here. A header is believed only when a
trusted proxy sent it, since anybody can write one.
"""

from __future__ import annotations

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import NamedTuple, TypeAlias

import structlog

from bespeak.cache import Cache
from bespeak.errors import InvalidSetting
from bespeak.http.server import metrics
from bespeak.http.server.asgi import AsgiScope, Headers, address_of
from bespeak.settings import Settings

_Address: TypeAlias = IPv4Address | IPv6Address
_Network: TypeAlias = IPv4Network | IPv6Network

_IPV6_PREFIX = 64
_READ_MAX = 10_000
_HOPS_MAX = 16
_VARIABLE = "BESPEAK_TRUSTED_PROXIES"
_PROXY_HEADERS = (b"forwarded", b"x-forwarded-for")
_PRIVATE = [
    ip_network(text)
    for text in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"),
        *("127.0.0.0/8", "::1/128", "fc00::/7", "fe80::/10"),
    )
]
_log = structlog.get_logger()


class ClientAddress(NamedTuple):
    """`prefix` is an IPv4 address, or the first 64 bits of an IPv6 address: whoever has one of
    these has all of them. Not `is_known`: it is that of a proxy which nobody has declared, and so
    of many clients."""

    prefix: str
    is_known: bool = True


class _Peer(NamedTuple):
    client: ClientAddress
    is_trusted: bool
    # It is no address of the internet: a proxy beside us, or a machine of the same house.
    is_private: bool


class ClientAddresses:
    """Reads the client's address from requests."""

    def __init__(self, settings: Settings) -> None:
        self._trusted = networks_of(settings.trusted_proxies, _VARIABLE)
        self._header = settings.proxy_header.encode()
        self._peers: Cache[str, _Peer] = Cache(size_max=_READ_MAX)
        self._has_warned = False

    def of(self, scope: AsgiScope) -> ClientAddress:
        """Where a request comes from. What a trusted proxy tells is read from the right: what is
        left of the last address that is no proxy of ours, the client may have written itself."""
        text = address_of(scope)
        peer = self._peer(text)
        if peer.is_trusted:
            return self._told(scope["headers"], peer)
        if peer.is_private and _has_proxy_header(scope["headers"]):
            return self._undeclared(text, peer)
        return peer.client

    def is_trusted(self, text: str) -> bool:
        """Whether an address is that of a trusted proxy."""
        return self._peer(text).is_trusted

    def named(self, text: str) -> ClientAddress | None:
        """The address that a trusted caller names; None for what is no address."""
        address = _parsed(text)
        return None if address is None else ClientAddress(_prefix(address))

    def _told(self, headers: Headers, peer: _Peer) -> ClientAddress:
        value = b",".join(value for name, value in headers if name == self._header)
        found = peer
        # Split at each comma, quoted or not: a quotation mark in what the client wrote must not
        # swallow what the proxy has added behind it, and no address has a comma.
        for hop in reversed(value.decode("latin-1").split(",")[-_HOPS_MAX:]):
            told = hop if self._header != b"forwarded" else _forwarded_for(hop)
            if _parsed(told) is None:
                return found.client
            found = self._peer(told)
            if not found.is_trusted:
                return found.client
        return found.client

    def _undeclared(self, text: str, peer: _Peer) -> ClientAddress:
        metrics.PROXY_UNDECLARED.inc()
        if not self._has_warned:
            self._has_warned = True
            _log.warning(
                "a proxy is not trusted: its clients cannot be told apart",
                peer=text,
                remedy=f"set {_VARIABLE}",
            )
        return ClientAddress(peer.client.prefix, is_known=False)

    def _peer(self, text: str) -> _Peer:
        found = self._peers.peek(text)
        if found is None:
            found = self._read(text)
            self._peers.put(text, found)
        return found

    def _read(self, text: str) -> _Peer:
        address = _parsed(text)
        if address is None:
            # A server on a socket of the machine: only a proxy beside it can connect there.
            return _Peer(ClientAddress("unknown", is_known=False), False, False)
        return _Peer(
            ClientAddress(_prefix(address)),
            any(address in network for network in self._trusted),
            any(address in network for network in _PRIVATE),
        )


def networks_of(setting: str, variable: str) -> list[_Network]:
    """The addresses and networks of a setting, with commas. Raises InvalidSetting."""
    try:
        return [ip_network(one.strip()) for one in setting.split(",") if one.strip()]
    except ValueError as error:
        raise InvalidSetting(
            f"{variable} is a list like 10.0.0.0/8,2001:db8::1: {error}", variable=variable
        ) from error


def _has_proxy_header(headers: Headers) -> bool:
    return any(name in _PROXY_HEADERS for name, _ in headers)


def _forwarded_for(element: str) -> str:
    """The node of an element of `Forwarded`, as `for="[2001:db8::1]:4711";proto=https`."""
    for pair in element.split(";"):
        name, _, value = pair.partition("=")
        if name.strip().lower() == "for":
            return value.strip().strip('"')
    return ""


def _parsed(text: str) -> _Address | None:
    """The address in a text, with or without brackets and a port; None: there is none."""
    plain = text.strip()
    if plain.startswith("["):
        plain = plain[1:].partition("]")[0]
    elif plain.count(":") == 1:
        plain = plain.partition(":")[0]
    try:
        address = ip_address(plain.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _prefix(address: _Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address, _IPV6_PREFIX), strict=False))
