"""Which server of a URL is the primary, and which a standby. A URL may name several hosts, as
those of libpq do: `postgresql://user@one,two/name`. They are asked one after the other, first the
one that answered last, each with a time of its own: a machine that is gone costs a moment.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import asyncpg
from asyncpg.connect_utils import SessionAttribute

if TYPE_CHECKING:
    from collections.abc import Mapping

# A machine without power refuses nothing: one waits for it in vain.
_HOST_SECONDS = 2.0
_ALONE_SECONDS = 5.0
_SILENT_SECONDS = 10
# Not every system has all of them.
_KEEPALIVE = {
    "TCP_KEEPIDLE": _SILENT_SECONDS // 2,
    "TCP_KEEPINTVL": _SILENT_SECONDS // 5,
    "TCP_USER_TIMEOUT": _SILENT_SECONDS * 1000,  # milliseconds
}
_ATTRIBUTE = "target_session_attrs"

_ABSENT: tuple[type[Exception], ...] = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)

# By the URL, the host that was what was asked for when somebody last connected.
_last_good: dict[str, str] = {}


class NoPrimary(asyncpg.InternalClientError):
    """Every host of the URL answered, and none of them takes writes: all are standbys."""


async def connect_to_primary(
    url: str, session: Mapping[str, str]
) -> asyncpg.Connection[asyncpg.Record]:
    """A connection to the host of the URL that takes writes, unless the URL itself says which is
    wanted (`target_session_attrs`). Raises NoPrimary, or why the last host did not answer."""
    hosts = hosts_of(url)
    hosts.sort(key=lambda host: host != _last_good.get(url))  # stable: else in the URL's order
    absent: Exception | None = None
    for host in hosts:
        try:
            wanted = None if _names_attribute(host) else SessionAttribute.read_write
            connection = await _connect(host, session, _seconds(hosts), wanted=wanted)
        except asyncpg.TargetServerAttributeNotMatched:
            continue
        except _ABSENT as error:
            absent = error
            continue
        _last_good[url] = host
        return connection
    raise absent or NoPrimary("no host of the database URL takes writes: all are standbys")


async def connect_for_reads(
    url: str, session: Mapping[str, str]
) -> asyncpg.Connection[asyncpg.Record]:
    """A connection to a standby among the hosts of the URL, or else to the last that answered.
    Raises why the last host did not answer."""
    absent: Exception = NoPrimary("the URL names no host")
    found: asyncpg.Connection[asyncpg.Record] | None = None
    hosts = hosts_of(url)
    for host in hosts:
        try:
            connection = await _connect(host, session, _seconds(hosts), wanted=None)
        except _ABSENT as error:
            absent = error
            continue
        if found is not None:
            found.terminate()
        found = connection
        if getattr(found.get_settings(), "in_hot_standby", None) == "on":
            break
    if found is None:
        raise absent
    return found


def hosts_of(url: str) -> list[str]:
    """A URL for each host that one names before its path; else the URL itself."""
    parts = urlsplit(url)
    user, at, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return [url]
    return [urlunsplit(parts._replace(netloc=f"{user}{at}{host}")) for host in hosts.split(",")]


def _seconds(hosts: list[str]) -> float:
    return _ALONE_SECONDS if len(hosts) == 1 else _HOST_SECONDS


def _names_attribute(host: str) -> bool:
    return _ATTRIBUTE in dict(parse_qsl(urlsplit(host).query))


async def _connect(
    host: str, session: Mapping[str, str], seconds: float, *, wanted: SessionAttribute | None
) -> asyncpg.Connection[asyncpg.Record]:
    connection = await asyncpg.connect(
        host, server_settings=dict(session), timeout=seconds, target_session_attrs=wanted
    )
    _notice_loss(connection)
    return connection


def _notice_loss(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """Has the system end the connection when nobody at the other end has answered for so long. A
    machine that loses its power says no word of it, and one would wait for a quarter of an hour."""
    transport = connection._transport  # type: ignore[attr-defined]
    there: socket.socket | None = transport.get_extra_info("socket")
    if there is None or there.family == socket.AF_UNIX:
        return
    # Of a copy, since an event loop's own socket may not let itself be set.
    with socket.socket(fileno=os.dup(there.fileno())) as own:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _KEEPALIVE.items():
            option: int | None = getattr(socket, name, None)
            if option is not None:
                own.setsockopt(socket.IPPROTO_TCP, option, value)
