"""One call of the API as it is answered: a thin layer around the handler, which authenticates,
limits, decodes and measures. Everything that it refuses is raised.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec

from bespeak.errors import BespeakError
from bespeak.http.server.answers import Answer, JsonAnswer
from bespeak.http.server.asgi import (
    AsgiScope,
    Receive,
    Send,
    check_media_type,
    decode_error,
    decode_query,
    known_headers,
    query_value,
    read_body,
)
from bespeak.http.server.audit_log import NOBODY
from bespeak.http.server.authentication import authenticate
from bespeak.http.server.bindings import Subject
from bespeak.http.server.call import ANONYMOUS, Call
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.errors import KeyBound, MethodNotAllowed
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.metrics import REQUEST_SECONDS
from bespeak.http.server.origins import check_same_origin
from bespeak.http.server.own_writes import OwnWrites
from bespeak.http.server.service import Service

if TYPE_CHECKING:
    from prometheus_client import Histogram

_About: TypeAlias = "Callable[[Call[object, object]], Subject | None]"


class EndpointCall:
    """Answers one endpoint's requests."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        # The table says which query and body it takes, and they are decoded as just that.
        self._handle = cast("Callable[[Call[object, object]], Awaitable[object]]", endpoint.handler)
        self._about = cast("_About", endpoint.about)
        self._body_about = cast("_About | None", endpoint.body_about)
        self._query = endpoint.query
        self._decoder = msgspec.json.Decoder(endpoint.body) if endpoint.body is not None else None
        self._takes_raw = endpoint.takes_raw
        self._body_required = endpoint.body_required
        self._timers: dict[int, Histogram] = {}

    async def answer(
        self, service: Service, scope: AsgiScope, receive: Receive, task: asyncio.Task[object]
    ) -> Answer:
        """Authenticates, decodes, and lets the handler answer. Raises BespeakError."""
        endpoint = self.endpoint
        headers = known_headers(scope["headers"])
        path = scope.get("path_params") or {}
        caller = ANONYMOUS
        if endpoint.own_pages_only:
            check_same_origin(headers, service.engine.settings.public_url)
        has_link = b"authorization" not in headers and b"token=" in scope["query_string"]
        if endpoint.link_opens and has_link:
            service.calendar_links.read(query_value(scope, "token"), path["resource_id"])
        else:
            caller = await authenticate(endpoint, service, headers, scope)
        query: object = None
        if self._query is not None:
            query = decode_query(self._query, scope["query_string"])
        if caller.bound is not None and self._body_about is None:
            await self._check_bounds(Call(service, scope, headers, path, caller, query, None))
        body: object = None
        if self._decoder is not None or self._takes_raw:
            body = self._decoded(await self._raw_body(service, headers, receive, task), headers)
        call = Call(service, scope, headers, path, caller, query, body)
        if caller.bound is not None and self._body_about is not None:
            await self._check_bounds(call)
        if endpoint.audited and caller.kind is not KeyKind.PUBLISHABLE:
            answer = await self._recorded(call)
        else:
            answer = await self._handled(call)
        if not isinstance(answer, Answer):
            answer = JsonAnswer(endpoint.status, answer)
        if caller.by_cookie:
            # Nothing on the way may keep what it would give out to whoever asks next.
            answer.headers = [*answer.headers, (b"cache-control", b"no-store")]
        return answer

    async def _raw_body(
        self,
        service: Service,
        headers: Mapping[bytes, str],
        receive: Receive,
        task: asyncio.Task[object],
    ) -> bytes:
        """The body as it came. Raises BodyTooLarge, BodyTooSlow, InvalidJson."""
        settings, deadlines = service.engine.settings, service.deadlines
        is_document = self.endpoint.takes_document
        limit = settings.body_max_bytes
        if is_document:
            limit = max(limit, settings.document_max_bytes)
        whole = deadlines.begin_body(task, is_document=is_document)
        try:
            raw = await read_body(receive, headers, limit)
        except asyncio.CancelledError:
            late = deadlines.body_error(task)
            if late is None:
                raise
            raise late from None
        deadlines.end_body(task, whole)
        return raw

    def _decoded(self, raw: bytes, headers: Mapping[bytes, str]) -> object:
        """What the handler takes of a body. Raises UnsupportedMediaType, InvalidRequest."""
        if self._decoder is None:
            return raw
        if not raw and not self._body_required:
            return None
        check_media_type(headers)
        try:
            return self._decoder.decode(raw)
        except ValueError as error:  # msgspec's and Unicode's errors are ones too
            raise decode_error(error) from error

    async def _check_bounds(self, call: Call[object, object]) -> None:
        """Raises KeyBound, InvalidId."""
        key = call.caller.bound
        if key is None:
            return
        about = self._body_about or self._about
        try:
            await call.service.bindings.check(key, about(call))
        except KeyBound as error:
            call.service.audit_log.count_refusal(key.id, self.endpoint.operation_id, error.code)
            raise

    async def _recorded(self, call: Call[object, object]) -> object:
        """Handles a call that the audit log tells of. Its entry is on disk before anything is done;
        if then nothing is, another one says why."""
        log, action = call.service.audit_log, self.endpoint.operation_id
        actor = call.caller.key_id or NOBODY
        subject = ", ".join(call.path.values()) or None
        owner = getattr(call.query, "owner", None) or getattr(call.body, "owner", None)
        await log.asked(actor, action, subject, owner, call.client_address.prefix)
        try:
            return await self._handled(call)
        except BespeakError as error:
            await log.refused(actor, action, subject, error.code)
            raise

    def _handled(self, call: Call[object, object]) -> Awaitable[object]:
        own_writes = call.service.own_writes
        if own_writes is None or self.endpoint.method != "GET":
            return self._handle(call)
        return self._read_back(call, own_writes)

    async def _read_back(self, call: Call[object, object], own_writes: OwnWrites) -> object:
        with call.engine.reads.after(own_writes.must_see(call.headers)):
            return await self._handle(call)

    def measure(self, status: int, seconds: float) -> None:
        """Counts an answer."""
        timer = self._timers.get(status)
        if timer is None:
            timer = REQUEST_SECONDS.labels(self.endpoint.method, self.endpoint.path, str(status))
            self._timers[status] = timer
        timer.observe(seconds)


class PathCalls:
    """One path of the API with its methods, as Starlette's router finds it."""

    def __init__(self, calls: dict[str, EndpointCall]) -> None:
        self.calls = calls

    def find(self, method: str) -> EndpointCall:
        """The call for a method. Raises MethodNotAllowed."""
        call = self.calls.get("GET" if method == "HEAD" else method)
        if call is None:
            methods = {*self.calls, "HEAD"} if "GET" in self.calls else self.calls
            raise MethodNotAllowed(methods=sorted(methods))
        return call

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Leaves itself in the scope; the application answers, errors too."""
        scope["bespeak.path"] = self
