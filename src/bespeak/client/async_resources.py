"""The verbs of the client for what is sold: made, changed, read, called off."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

from msgspec import structs

from bespeak.client.async_transport import AsyncTransport
from bespeak.client.requests import given, of_resource, once, read, write
from bespeak.inventory.audit import Audit
from bespeak.inventory.plans import Availability, AvailabilityQuery
from bespeak.inventory.resources import NewResource, Resource, ResourceChange, ResourcePage
from bespeak.inventory.shapes import registry
from bespeak.payments.refunds.call_off import CalledOff

_PAGE = 500


class AsyncResources(AsyncTransport):
    """Resources of a server."""

    async def create_resource(
        self,
        new: NewResource,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Resource:
        """Creates a resource with its plan."""
        asked = write("POST", "/v1/resources", Resource, new, key=idempotency_key)
        return await self._send(asked, timeout)

    async def get_resource(self, resource_id: str, *, timeout: float | None = None) -> Resource:
        """Reads a resource."""
        return await self._send(read(of_resource(resource_id), Resource), timeout)

    async def update_resource(
        self, resource_id: str, change: ResourceChange, *, timeout: float | None = None
    ) -> Resource:
        """Changes fields of a resource. It has no key: after ServerUnreachable, read it."""
        asked = once("PATCH", of_resource(resource_id), Resource, change)
        return await self._send(asked, timeout)

    async def list_resources(
        self,
        *,
        after: str | None = None,
        limit: int = 100,
        kind: str | None = None,
        timeout: float | None = None,
    ) -> ResourcePage:
        """A page of resources."""
        asked = read("/v1/resources", ResourcePage, after=after, limit=limit, kind=kind)
        return await self._send(asked, timeout)

    async def each_resource(self, *, kind: str | None = None) -> AsyncIterator[Resource]:
        """All resources, page by page."""
        after = None
        while True:
            page = await self.list_resources(after=after, limit=_PAGE, kind=kind)
            for resource in page.items:
                yield resource
            after = page.next
            if after is None:
                return

    async def availability(
        self,
        resource_id: str,
        query: AvailabilityQuery | None = None,
        *,
        timeout: float | None = None,
    ) -> Availability:
        """What of a resource is taken; its class is that of the resource's plan."""
        asked = structs.asdict(query) if query is not None else {}
        path = f"{of_resource(resource_id)}/availability"
        shape: type[Availability] = registry.AnyAvailability
        return await self._send(read(path, shape, **asked), timeout)

    async def call_off(
        self,
        resource_id: str,
        *,
        reason: str,
        refund: Literal["full", "policy"] = "full",
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CalledOff:
        """Closes a resource and has all its bookings cancelled, in the background."""
        path, body = f"{of_resource(resource_id)}/cancellation", given(reason=reason, refund=refund)
        return await self._send(write("POST", path, CalledOff, body, key=idempotency_key), timeout)

    async def cancellation(self, resource_id: str, *, timeout: float | None = None) -> CalledOff:
        """How far the calling off of a resource has come."""
        return await self._send(
            read(f"{of_resource(resource_id)}/cancellation", CalledOff), timeout
        )

    async def audit(self, resource_id: str, *, timeout: float | None = None) -> Audit:
        """Recounts a resource from its holds and bookings."""
        return await self._send(read(f"{of_resource(resource_id)}/audit", Audit), timeout)
