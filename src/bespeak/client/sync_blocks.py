"""The client without asyncio, for any thread. Written by `scripts/sync-client` from
`async_blocks.py`; change that one.
"""

from __future__ import annotations

from collections.abc import Sequence

from bespeak import ids
from bespeak.client.requests import given, of_resource, read, write
from bespeak.client.sync_transport import SyncTransport
from bespeak.inventory.blocks import Block, BlockLine, BlockPage, ResourceBlock


class SyncBlocks(SyncTransport):
    """Blocks of a server, as its operator places them."""

    def block(
        self,
        resource_id: str,
        lines: Sequence[BlockLine],
        *,
        reason: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Block:
        """Takes units out of sale."""
        body = {"lines": list(lines), "reason": reason}
        path = f"{of_resource(resource_id)}/blocks"
        return self._send(write("POST", path, Block, body, key=idempotency_key), timeout)

    def block_together(
        self,
        resources: Sequence[ResourceBlock],
        *,
        reason: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> list[Block]:
        """Takes units of several resources out of sale, all of them or nothing."""
        body = {"resources": list(resources), "reason": reason}
        call = write("POST", "/v1/blocks", BlockPage, body, key=idempotency_key)
        return (self._send(call, timeout)).items

    def unblock(
        self,
        block_id: str,
        *,
        lines: Sequence[BlockLine] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Block:
        """Puts a block's units back on sale, or some of them."""
        # The id of a block has its resource in it, as those of holds and bookings have.
        resource_id = ids.show_resource(ids.home_of(ids.parse(ids.BLOCK, block_id)))
        path = f"{of_resource(resource_id)}/blocks/{block_id}"
        body = given(lines=None if lines is None else list(lines))
        return self._send(write("DELETE", path, Block, body, key=idempotency_key), timeout)

    def list_blocks(
        self,
        resource_id: str,
        *,
        after: str | None = None,
        limit: int = 100,
        timeout: float | None = None,
    ) -> BlockPage:
        """A page of the blocks of a resource."""
        path = f"{of_resource(resource_id)}/blocks"
        return self._send(read(path, BlockPage, after=after, limit=limit), timeout)
