"""The keys that a server begins with, and the one line that tells a script that it is ready."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bespeak.cli.servers import write_private
from bespeak.http.server.keys import create_key, list_keys

if TYPE_CHECKING:
    from bespeak.cli.supervision.supervisor import Ready
    from bespeak.postgres.pool import Connection

KINDS = {"pk": "publishable", "sk": "secret", "ak": "admin"}


class KeptKey(msgspec.Struct, frozen=True):
    """A key with its text, as the demo keeps it beside its database."""

    id: str
    text: str


KeptKeys = dict[str, KeptKey]


async def fresh_keys(connection: Connection, name: str) -> KeptKeys:
    made = {kind: await create_key(connection, word, name) for kind, word in KINDS.items()}
    return {kind: KeptKey(key.id, text) for kind, (text, key) in made.items()}


async def kept_keys(connection: Connection, file: Path, name: str) -> KeptKeys:
    """The keys in the file, as long as the database knows them all; else new ones, kept there."""
    keys = _read(file)
    good = {key.id for key in await list_keys(connection) if key.revoked_at is None}
    if keys.keys() == KINDS.keys() and all(key.id in good for key in keys.values()):
        return keys
    keys = await fresh_keys(connection, name)
    write_private(file, msgspec.json.encode(keys))
    return keys


def _read(file: Path) -> KeptKeys:
    try:
        return msgspec.json.decode(file.read_bytes(), type=KeptKeys)
    except (OSError, msgspec.MsgspecError):
        return {}  # none yet, or not ours: new ones are made


def ready_line(ready: Ready) -> str:
    """What `--json` prints once the server answers."""
    resources = [
        {"id": each.id, "name": each.name, "kind": each.kind, "plan": each.plan}
        for each in ready.resources
    ]
    line: dict[str, object] = {
        "url": ready.url,
        "database_url": ready.database_url,
        "keys": ready.keys,
        "resources": resources,
    }
    if ready.samples:
        line["samples"] = [
            {
                "shape": sample.shape,
                "id": sample.resource.id,
                "name": sample.resource.name,
                "kind": sample.resource.kind,
                "guide": sample.guide,
            }
            for sample in ready.samples
        ]
    if ready.premiere is not None:
        line["premiere"] = {
            "id": ready.premiere.resource_id,
            "name": ready.premiere.name,
            "waiting_room_id": ready.premiere.waiting_room_id,
            "opens_at": ready.premiere.opens_at,
        }
    return msgspec.json.encode(line).decode()
