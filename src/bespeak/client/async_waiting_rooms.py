"""The verbs of the client for waiting rooms: operators make and steer them; who wants to buy joins,
waits and comes in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from bespeak.admission.audit import RoomAuditPage
from bespeak.admission.errors import NotYourTurn
from bespeak.admission.forms import ChangeWaitingRoom, NewWaitingRoom, WaitingRoom
from bespeak.admission.rooms import WaitingRoomPage
from bespeak.admission.told import GivenPass, JoinedQueue, PlaceNow, TurnMail, WaitingRoomNow
from bespeak.client.async_transport import AsyncTransport
from bespeak.client.in_line import InLine, WaitingLine
from bespeak.client.requests import again, given, nothing, of_room, once, read
from bespeak.errors import Unavailable

_PAUSE_SECONDS = 1.0
_WAIT_SECONDS = 86_400.0


class AsyncWaitingRooms(AsyncTransport):
    """Waiting rooms of a server."""

    async def make_waiting_room(
        self, new: NewWaitingRoom, *, timeout: float | None = None
    ) -> WaitingRoom:
        """Puts resources behind a waiting room. It has no key: after ServerUnreachable, look at the
        list."""
        return await self._send(once("POST", "/v1/waiting-rooms", WaitingRoom, new), timeout)

    async def list_waiting_rooms(
        self, *, after: str | None = None, limit: int = 50, timeout: float | None = None
    ) -> WaitingRoomPage:
        """A page of waiting rooms, the newest first."""
        asked = read("/v1/waiting-rooms", WaitingRoomPage, after=after, limit=limit)
        return await self._send(asked, timeout)

    async def get_waiting_room(
        self, waiting_room_id: str, *, timeout: float | None = None
    ) -> WaitingRoom:
        """Reads a waiting room, with what has happened in it until now."""
        return await self._send(read(of_room(waiting_room_id), WaitingRoom), timeout)

    async def change_waiting_room(
        self, waiting_room_id: str, change: ChangeWaitingRoom, *, timeout: float | None = None
    ) -> WaitingRoom:
        """Changes a waiting room; by its `state` it is opened, paused, opened again and ended. It
        has no key: after ServerUnreachable, read it."""
        asked = once("PATCH", of_room(waiting_room_id), WaitingRoom, change)
        return await self._send(asked, timeout)

    async def waiting_room_audit(
        self,
        waiting_room_id: str,
        *,
        after: str | None = None,
        limit: int = 100,
        timeout: float | None = None,
    ) -> RoomAuditPage:
        """A page of all that the order of a room follows from; all pages are as of the first."""
        path = f"{of_room(waiting_room_id)}/audit"
        return await self._send(read(path, RoomAuditPage, after=after, limit=limit), timeout)

    async def waiting_room_now(
        self, waiting_room_id: str, *, timeout: float | None = None
    ) -> WaitingRoomNow:
        """How the queues of a room stand, the same for everybody. Ask again after its
        `poll_seconds`, not before."""
        return await self._send(read(f"{of_room(waiting_room_id)}/now", WaitingRoomNow), timeout)

    async def join_waiting_room(
        self,
        waiting_room_id: str,
        *,
        queue: str | None = None,
        code: str | None = None,
        owner: str | None = None,
        timeout: float | None = None,
    ) -> JoinedQueue:
        """Joins a queue, the first if none is named, or that of an invitation code. What was lost
        on the way is asked for again: who has no queue token yet has no place to lose."""
        path = f"{of_room(waiting_room_id)}/queue-tokens"
        body = given(queue=queue, code=code, owner=owner)
        return await self._send(again("POST", path, JoinedQueue, body), timeout)

    async def queue_place(
        self, waiting_room_id: str, queue_token: str, *, timeout: float | None = None
    ) -> PlaceNow:
        """Where the bearer of a queue token stands."""
        path = f"{of_room(waiting_room_id)}/place"
        return await self._send(read(path, PlaceNow, queue_token=queue_token), timeout)

    async def ask_pass(
        self,
        waiting_room_id: str,
        queue_token: str,
        *,
        owner: str | None = None,
        timeout: float | None = None,
    ) -> GivenPass:
        """Comes in, when it is one's turn; again, it is the same pass. Raises NotYourTurn,
        TurnLost, PassEnded, WaitingRoomClosed."""
        path = f"{of_room(waiting_room_id)}/passes"
        body = given(queue_token=queue_token, owner=owner)
        return await self._send(again("POST", path, GivenPass, body), timeout)

    async def leave_waiting_room(
        self,
        waiting_room_id: str,
        queue_token: str,
        *,
        owner: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """Gives the pass back, so that somebody else comes in sooner. Who waits gives up the place:
        the queue token is over. Again, it changes nothing."""
        path = f"{of_room(waiting_room_id)}/passes"
        asked = again("DELETE", path, type(None), owner=owner, queue_token=queue_token)
        await self._send(replace(asked, decode=nothing), timeout)

    async def ask_turn_mail(
        self,
        waiting_room_id: str,
        queue_token: str,
        email: str,
        *,
        locale: str | None = None,
        owner: str | None = None,
        timeout: float | None = None,
    ) -> TurnMail:
        """Has whoever waits written to when the turn comes near, once. Again, it is one mail, to
        the address that was said last before it left. Raises TurnLost, PassEnded,
        WaitingRoomClosed, TurnMailsTooMany."""
        path = f"{of_room(waiting_room_id)}/turn-mail"
        body = given(queue_token=queue_token, email=email, locale=locale, owner=owner)
        return await self._send(again("PUT", path, TurnMail, body), timeout)

    async def withdraw_turn_mail(
        self,
        waiting_room_id: str,
        queue_token: str,
        *,
        owner: str | None = None,
        timeout: float | None = None,
    ) -> None:
        """No mail, and its address is forgotten; one that has left has left. Again, it changes
        nothing."""
        path = f"{of_room(waiting_room_id)}/turn-mail"
        asked = again("DELETE", path, type(None), owner=owner, queue_token=queue_token)
        await self._send(replace(asked, decode=nothing), timeout)

    async def wait_in_line(
        self,
        waiting_room_id: str,
        *,
        queue_token: str | None = None,
        queue: str | None = None,
        code: str | None = None,
        owner: str | None = None,
        seconds: float = _WAIT_SECONDS,
    ) -> AsyncIterator[InLine]:
        """Joins, or goes on with a `queue_token`, and waits until it is let in: each look at the
        room, the last with the pass. It looks as often as the server says, and through any absence
        of it. To stop, look no further: nobody who waits is kept anywhere.

        Raises TurnLost and PassEnded, after which one may join again; WaitingRoomClosed before the
        queue and after its end, when no pass is needed; WaitingRoomDraining if nobody more joins;
        NotYourTurn once `seconds` are over."""
        if queue_token is None:
            joined = await self.join_waiting_room(
                waiting_room_id, queue=queue, code=code, owner=owner
            )
            line = WaitingLine(joined.queue_token, joined.place, seconds)
        else:
            place = await self.queue_place(waiting_room_id, queue_token)
            line = WaitingLine(queue_token, place, seconds)
        pause = _PAUSE_SECONDS
        while True:
            try:
                now = await self.waiting_room_now(waiting_room_id)
                pause = max(_PAUSE_SECONDS, now.poll_seconds)
                if line.is_place_old(now):
                    line.take(await self.queue_place(waiting_room_id, line.queue_token), now)
                yield line.look(now)
                if line.may_come_in(now):
                    let_in = await self.ask_pass(waiting_room_id, line.queue_token, owner=owner)
                    yield line.look(now, let_in)
                    return
            except (NotYourTurn, Unavailable):
                if line.is_over:
                    raise
            await asyncio.sleep(line.pause(pause))
