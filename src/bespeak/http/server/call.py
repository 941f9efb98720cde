"""A call of the API: what a handler sees of a request, and who makes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from bespeak.actors import SHOPPER
from bespeak.errors import InvalidRequest, NotOwner
from bespeak.http.server.asgi import AsgiScope
from bespeak.http.server.budgets.gate import Visitor
from bespeak.http.server.client_address import ClientAddress
from bespeak.http.server.keys import ApiKey, KeyKind
from bespeak.http.server.operators.sessions import OperatorSession
from bespeak.http.server.origins import is_https
from bespeak.http.server.scopes import KeyScope
from bespeak.http.server.service import Service
from bespeak.reservations.acting import owner_to_act_as, owner_to_place_for
from bespeak.ticketing.links import BookingLink
from bespeak.waitlists.links import WaitlistLink

Query_co = TypeVar("Query_co", covariant=True)
Body_co = TypeVar("Body_co", covariant=True)


class Caller(NamedTuple):
    """Who makes the call: the kind of key, and for a browser the owner that it speaks for; whether
    by the cookie of the console instead of a key; `key_id` names the key of either, or the operator
    whose session it is. `scopes` are their rights, and `bound` is the key where they are of some
    resources only. `workspace` is that of the key or the operator. `cookie` is a header that keeps
    the session of a console open. `booking_link` and `waitlist_link` are the mail's link to a
    booking or an entry that they came by: the shopper is its owner then, within what it opens."""

    kind: KeyKind | None
    shopper: str | None
    by_cookie: bool = False
    key_id: str | None = None
    scopes: Sequence[KeyScope] = ()
    bound: ApiKey | None = None
    workspace: str | None = None
    operator: OperatorSession | None = None
    cookie: tuple[bytes, bytes] | None = None
    booking_link: BookingLink | None = None
    waitlist_link: WaitlistLink | None = None

    @property
    def link(self) -> BookingLink | WaitlistLink | None:
        """The mail's link that they came by."""
        return self.booking_link or self.waitlist_link

    @property
    def actor(self) -> str:
        """Who is said to have done it. Who has no key of their own, or only that of a shop's pages,
        acts for themselves."""
        return self.key_id or SHOPPER


ANONYMOUS = Caller(None, None)


class Call(Generic[Query_co, Body_co]):
    """One call, with its query and body as the handler's annotation declares them."""

    __slots__ = ("body", "caller", "engine", "headers", "path", "query", "scope", "service")

    def __init__(
        self,
        service: Service,
        scope: AsgiScope,
        headers: Mapping[bytes, str],
        path: Mapping[str, str],
        caller: Caller,
        query: Query_co,
        body: Body_co,
    ) -> None:
        self.service = service
        # Who has no key, or one that stands in every page, finds what is published.
        is_guest = caller.kind is None or caller.kind is KeyKind.PUBLISHABLE
        self.engine = service.guests_engine if is_guest else service.engine
        self.scope = scope
        self.headers = headers
        self.path = path
        self.caller = caller
        self.query = query
        self.body = body

    @property
    def idempotency_key(self) -> str | None:
        return self.headers.get(b"idempotency-key")

    @property
    def workspace(self) -> str | None:
        """Of which workspace things are listed and made. None while there is only one, and of who
        needs no key."""
        named = self.caller.workspace
        return named if self.service.workspaces.guards(named) else None

    async def others(self, numbers: Iterable[int]) -> set[int]:
        """Which of these resources are in another workspace than the caller."""
        workspace = self.workspace
        return (
            set() if workspace is None else await self.service.workspaces.others(workspace, numbers)
        )

    @property
    def asserted_owner(self) -> str | None:
        """The owner that the caller names in Bespeak-Owner."""
        named = self.headers.get(b"bespeak-owner")
        return None if named is None else _utf8(named)

    @property
    def request_id(self) -> str:
        """By which the log has this request."""
        return self.scope["request_id"]

    @property
    def is_https(self) -> bool:
        """Whether the browser that calls reaches this server over https."""
        return is_https(self.engine.settings.public_url, self.scope["scheme"])

    @property
    def client_address(self) -> ClientAddress:
        """Where the request comes from."""
        return self.service.client_addresses.of(self.scope)

    def visitor(self, owner: str) -> Visitor | None:
        """Who is judged by the budgets of guests: a browser, or the shopper whose address a server
        names in Bespeak-Shopper-Address. None: a server that answers for itself. Raises
        InvalidRequest."""
        answer = self.headers.get(b"bespeak-challenge")
        if self.caller.kind is KeyKind.PUBLISHABLE or self.caller.kind is None:
            address = self.client_address
            return Visitor(address.prefix if address.is_known else None, owner, answer)
        named = self.headers.get(b"bespeak-shopper-address")
        if named is None:
            return None
        found = self.service.client_addresses.named(named)
        if found is None:
            raise InvalidRequest("this is no address", field="Bespeak-Shopper-Address")
        return Visitor(found.prefix, owner, answer)

    def acting_owner(self) -> str | None:
        """Whose hold or booking this call may touch: the shopper's own; for a server the owner it
        names in Bespeak-Owner, or anyone's (None)."""
        return owner_to_act_as(self.caller.shopper, self.asserted_owner)

    def placing_owner(self, named: str | None) -> str:
        """For whom a hold is placed. Raises NotOwner, InvalidRequest."""
        return owner_to_place_for(self.caller.shopper, named)

    def listing_owner(self, named: str | None) -> str | None:
        """Whose holds or bookings are listed: a shopper's own, else those of the owner that the
        query names, or everybody's (None). Raises NotOwner."""
        if self.caller.shopper is None:
            return named
        if named not in (None, self.caller.shopper):
            raise NotOwner("a shopper token lists what is its own subject's only")
        return self.caller.shopper

    def has_etag(self, etag: str) -> bool:
        """Whether the caller knows this version already, as If-None-Match says; `etag` quoted."""
        asked = self.headers.get(b"if-none-match", "")
        return asked == "*" or etag in asked


def _utf8(value: str) -> str:
    """The text of a header that was sent in UTF-8 but, as all headers, decoded as Latin-1."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value
