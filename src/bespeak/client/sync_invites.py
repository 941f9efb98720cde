"""The client without asyncio, for any thread. Written by `scripts/sync-client` from
`async_invites.py`; change that one.
"""

from __future__ import annotations

from bespeak.admission.invite_lists import InviteCodePage
from bespeak.admission.invites import InviteBatch, InviteState, NewInviteBatch
from bespeak.client.answers import Items
from bespeak.client.requests import again, ask, of_room, read, write
from bespeak.client.sync_transport import SyncTransport


class SyncInvites(SyncTransport):
    """Invitation codes of a server's waiting rooms. Codes are secrets."""

    def make_invite_batch(
        self,
        waiting_room_id: str,
        new: NewInviteBatch,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> InviteBatch:
        """Makes a batch of invitation codes for a queue."""
        path = f"{of_room(waiting_room_id)}/invite-batches"
        return self._send(write("POST", path, InviteBatch, new, key=idempotency_key), timeout)

    def list_invite_batches(
        self, waiting_room_id: str, *, timeout: float | None = None
    ) -> list[InviteBatch]:
        """All batches of a waiting room; no codes."""
        path = f"{of_room(waiting_room_id)}/invite-batches"
        return (self._send(read(path, Items[InviteBatch]), timeout)).items

    def get_invite_batch(
        self, waiting_room_id: str, batch: int, *, timeout: float | None = None
    ) -> InviteBatch:
        """Reads a batch, with how many have joined by it."""
        return self._send(read(_of_batch(waiting_room_id, batch), InviteBatch), timeout)

    def revoke_invite_batch(
        self, waiting_room_id: str, batch: int, *, timeout: float | None = None
    ) -> InviteBatch:
        """From now on nobody else joins by the codes of a batch."""
        path = _of_batch(waiting_room_id, batch)
        return self._send(again("DELETE", path, InviteBatch), timeout)

    def list_invite_codes(
        self,
        waiting_room_id: str,
        batch: int,
        *,
        after: str | None = None,
        limit: int = 100,
        timeout: float | None = None,
    ) -> InviteCodePage:
        """A page of the codes of a batch, written out."""
        path = f"{_of_batch(waiting_room_id, batch)}/codes"
        return self._send(read(path, InviteCodePage, after=after, limit=limit), timeout)

    def revoke_invite_code(
        self, waiting_room_id: str, batch: int, serial: int, *, timeout: float | None = None
    ) -> InviteState:
        """From now on nobody else joins by this code of a batch."""
        path = f"{_of_batch(waiting_room_id, batch)}/codes/{int(serial)}"
        return self._send(again("DELETE", path, InviteState), timeout)

    def look_up_invite_code(
        self, waiting_room_id: str, code: str, *, timeout: float | None = None
    ) -> InviteState:
        """How a code stands that somebody has."""
        path = f"{of_room(waiting_room_id)}/invite-codes/look-up"
        return self._send(ask(path, InviteState, {"code": code}), timeout)


def _of_batch(waiting_room_id: str, batch: int) -> str:
    return f"{of_room(waiting_room_id)}/invite-batches/{int(batch)}"
