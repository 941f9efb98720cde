"""Where a relay sends to, as a URL: `kafka://host:port/topic` or `nats://host:port/subject`. What
a broker needs is imported when it is named, so that an installation without it can start.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from bespeak.errors import InvalidSetting
from bespeak.relay.broker import Broker

VARIABLE = "BESPEAK_RELAY_TO"
_HOSTS_MAX = 20


class Target(NamedTuple):
    """A parsed URL: of which kind the broker is, its `host:port`s, the topic or subject, and who
    signs in, if anybody does."""

    kind: str
    is_secured: bool
    servers: tuple[str, ...]
    name: str
    user: str | None = None
    password: str | None = None


def parse_target(url: str) -> Target:
    """Raises InvalidSetting, which never shows the URL: it may have a password in it."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise _invalid("is no URL") from error
    kind, _, security = parts.scheme.partition("+")
    if kind not in _OPEN or security not in ("", "tls"):
        raise _invalid("begins with kafka://, kafka+tls://, nats:// or nats+tls://")
    name = unquote(parts.path.removeprefix("/"))
    if not name or "/" in name or parts.query or parts.fragment:
        raise _invalid("ends with /TOPIC of Kafka, or /SUBJECT of NATS, and nothing behind")
    user, password = _login(parts)
    return Target(kind, security == "tls", _servers(parts), name, user, password)


def open_broker(target: Target) -> Broker:
    """The broker of a target, to which nothing is sent yet. Raises InvalidSetting where what it
    needs is not installed."""
    try:
        return _OPEN[target.kind](target)
    except ImportError as error:
        raise InvalidSetting(
            f"{target.kind} needs an extra: pip install 'bespeak[{target.kind}]'", variable=VARIABLE
        ) from error


def _kafka(target: Target) -> Broker:
    from bespeak.relay.kafka_broker import KafkaBroker  # noqa: PLC0415

    options: dict[str, str] = {}
    if target.user is not None:
        options |= {
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": target.user,
            "sasl.password": target.password or "",
        }
    protocol = ("sasl_" if options else "") + ("ssl" if target.is_secured else "plaintext")
    options["security.protocol"] = protocol
    # librdkafka does not look at this variable, as all else does that speaks TLS here.
    if target.is_secured and (certificates := os.environ.get("SSL_CERT_FILE")):
        options["ssl.ca.location"] = certificates
    return KafkaBroker(",".join(target.servers), target.name, options)


def _nats(target: Target) -> Broker:
    from bespeak.relay.nats_broker import NatsBroker  # noqa: PLC0415

    scheme = "tls" if target.is_secured else "nats"
    servers = [f"{scheme}://{server}" for server in target.servers]
    return NatsBroker(servers, target.name, target.user, target.password)


_OPEN: dict[str, Callable[[Target], Broker]] = {"kafka": _kafka, "nats": _nats}


def _login(parts: SplitResult) -> tuple[str | None, str | None]:
    user, password = parts.username, parts.password
    return (unquote(user) if user else None, unquote(password) if password else None)


def _servers(parts: SplitResult) -> tuple[str, ...]:
    servers = tuple(parts.netloc.rpartition("@")[2].split(","))
    if len(servers) > _HOSTS_MAX or not all(_is_server(server) for server in servers):
        raise _invalid(f"names host:port, or up to {_HOSTS_MAX} of them with commas between")
    return servers


def _is_server(text: str) -> bool:
    host, _, port = text.rpartition(":")
    return bool(host) and port.isdecimal() and 0 < int(port[:6]) < 65536


def _invalid(what: str) -> InvalidSetting:
    return InvalidSetting(f"the address of a broker {what}", variable=VARIABLE)
