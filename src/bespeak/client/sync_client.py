"""The client without asyncio, for any thread. Written by `scripts/sync-client` from
`async_client.py`; change that one.
"""

from __future__ import annotations

from bespeak.client.requests import MintedToken, ask, given
from bespeak.client.sync_blocks import SyncBlocks
from bespeak.client.sync_feed import SyncFeed
from bespeak.client.sync_holds import SyncHolds
from bespeak.client.sync_invites import SyncInvites
from bespeak.client.sync_resources import SyncResources
from bespeak.client.sync_waiting_rooms import SyncWaitingRooms
from bespeak.client.sync_waitlists import SyncWaitlists


class SyncClient(
    SyncHolds,
    SyncResources,
    SyncFeed,
    SyncBlocks,
    SyncWaitingRooms,
    SyncInvites,
    SyncWaitlists,
):
    """A server at `url`, with one of its keys; a `pk_` key wants the token of a shopper too, or the
    token of a mail's link to an entry of a waitlist (`waitlist_link`), which opens that entry, the
    holds that it was offered and their payments. Use it from many threads, and close it
    (`with`).

    What the server cannot answer now is asked for again, for `timeout` seconds in all. What changes
    something goes under an idempotency key, by default one of the client's own, so that it is done
    once. Verbs raise what those of the library raise, and ServerUnreachable.
    A verb that is given an `owner` asserts that the hold or booking is theirs (else NotOwner).
    """

    def mint_token(
        self, owner: str, *, expires_in_seconds: int | None = None, timeout: float | None = None
    ) -> MintedToken:
        """A token with which a browser may hold for this owner."""
        body = given(owner=owner, expires_in_seconds=expires_in_seconds)
        return self._send(ask("/v1/shopper-tokens", MintedToken, body), timeout)
