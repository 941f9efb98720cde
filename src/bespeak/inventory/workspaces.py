"""Workspaces: several businesses in one installation. Each resource is in one and stays there, and
whatever is of a resource is in its workspace. One of them, `default`, is always there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from bespeak.errors import InvalidRequest
from bespeak.inventory.errors import WorkspaceExists
from bespeak.postgres.queries import load

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.inventory", "workspaces.sql")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")

DEFAULT = "default"
"""The workspace of everything that names no other."""


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace, with how many resources and good keys it has."""

    name: str
    created_at: datetime
    resources: int = 0
    keys: int = 0


def named(name: str) -> str:
    """A name as a row has it, as the values of structs have it: what is the default is left out of
    JSON only where it is the very same object."""
    return DEFAULT if name == DEFAULT else name


async def create(connection: Connection, name: str) -> Workspace:
    """A new workspace. Raises InvalidRequest, WorkspaceExists."""
    if not _NAME.fullmatch(name):
        raise InvalidRequest(
            "a workspace's name begins with a letter and has up to 40 of a-z, 0-9 and -",
            field="workspace",
        )
    row = await connection.fetchrow(_QUERIES["create"], name)
    if row is None:
        raise WorkspaceExists(workspace=name)
    return Workspace(name=row["name"], created_at=row["created_at"])


async def list_all(connection: Connection) -> list[Workspace]:
    """All workspaces, the oldest first."""
    return [
        msgspec.convert(dict(row), Workspace) for row in await connection.fetch(_QUERIES["list"])
    ]


async def checked(connection: Connection, name: str | None) -> str:
    """The workspace of this name, which there is; None is the default one. Raises
    InvalidRequest."""
    if name is None or name == DEFAULT:
        return DEFAULT
    if not name.isprintable() or not await connection.fetchval(_QUERIES["exists"], name):
        raise InvalidRequest(f"there is no workspace {name[:60]!r}", field="workspace")
    return name


def creator(workspace: str) -> str:
    """Whose the keys are by which resources are created in it: nobody's name, since an owner's has
    no line break. Another workspace may use the same keys."""
    return "" if workspace == DEFAULT else f"\n{workspace}"


async def are_several(connection: Connection) -> bool:
    """Whether there is a second one."""
    return bool(await connection.fetchval(_QUERIES["are_several"]))


async def of_resources(connection: Connection, numbers: Sequence[int]) -> dict[int, str]:
    """The workspaces of these resources; those that do not exist are absent."""
    rows = await connection.fetch(_QUERIES["of_resources"], numbers)
    return {row["resource_id"]: row["workspace"] for row in rows}
