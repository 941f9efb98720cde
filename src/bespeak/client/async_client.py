"""The client for asyncio, of its parts. `scripts/sync-client` writes the one without asyncio from
them.
"""

from __future__ import annotations

from bespeak.client.async_blocks import AsyncBlocks
from bespeak.client.async_feed import AsyncFeed
from bespeak.client.async_holds import AsyncHolds
from bespeak.client.async_invites import AsyncInvites
from bespeak.client.async_resources import AsyncResources
from bespeak.client.async_waiting_rooms import AsyncWaitingRooms
from bespeak.client.async_waitlists import AsyncWaitlists
from bespeak.client.requests import MintedToken, ask, given


class Client(
    AsyncHolds,
    AsyncResources,
    AsyncFeed,
    AsyncBlocks,
    AsyncWaitingRooms,
    AsyncInvites,
    AsyncWaitlists,
):
    """A server at `url`, with one of its keys; a `pk_` key wants the token of a shopper too, or the
    token of a mail's link to an entry of a waitlist (`waitlist_link`), which opens that entry, the
    holds that it was offered and their payments. Use it from many tasks, and close it
    (`async with`).

    What the server cannot answer now is asked for again, for `timeout` seconds in all. What changes
    something goes under an idempotency key, by default one of the client's own, so that it is done
    once. Verbs raise what those of the library raise, and ServerUnreachable.
    A verb that is given an `owner` asserts that the hold or booking is theirs (else NotOwner).
    """

    async def mint_token(
        self, owner: str, *, expires_in_seconds: int | None = None, timeout: float | None = None
    ) -> MintedToken:
        """A token with which a browser may hold for this owner."""
        body = given(owner=owner, expires_in_seconds=expires_in_seconds)
        return await self._send(ask("/v1/shopper-tokens", MintedToken, body), timeout)
