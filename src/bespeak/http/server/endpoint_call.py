"""One call of the API as it is answered: a thin layer around the handler, which authenticates,
limits, decodes and measures. Everything that it refuses is raised.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec

from bespeak.actors import act_as, act_no_more
from bespeak.errors import BespeakError
from bespeak.http.server.answers import Answer, JsonAnswer
from bespeak.http.server.asgi import (
    AsgiScope,
    Receive,
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
from bespeak.http.server.budgets.guesses import GUESSED
from bespeak.http.server.call import ANONYMOUS, Call, Caller
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.errors import KeyBound, MethodNotAllowed, NotInWorkspace
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.metrics import REQUEST_SECONDS
from bespeak.http.server.origins import check_same_origin
from bespeak.http.server.own_writes import OwnWrites
from bespeak.http.server.packing import packed
from bespeak.http.server.service import Service
from bespeak.http.server.workspaces import NOWHERE, Elsewhere, named_in
from bespeak.inventory.workspaces import DEFAULT
from bespeak.waitlists.links import WaitlistLink

if TYPE_CHECKING:
    from prometheus_client import Histogram

_JSON = b"application/json"
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
        path = asked = scope["path_params"]
        caller = ANONYMOUS
        if endpoint.own_pages_only:
            check_same_origin(headers, service.engine.settings.public_url)
        if endpoint.link_opens and _has_link(headers, scope):
            service.calendar_links.read(query_value(scope, "token"), path["resource_id"])
        else:
            caller = await authenticate(endpoint, service, headers, scope)
        query = None if self._query is None else decode_query(self._query, scope["query_string"])
        elsewhere, is_guarded = NOWHERE, self._is_guarded(service, caller)
        if is_guarded:
            elsewhere = await self._elsewhere(service, caller, asked.values())
            path = elsewhere.path_masked(asked)
        try:
            if caller.bound is not None and self._body_about is None:
                await self._check_bounds(Call(service, scope, headers, path, caller, query, None))
            body: object = None
            if self._decoder is not None or self._takes_raw:
                body = await self._body(service, headers, receive, task)
            if is_guarded and (named := named_in(body)):
                elsewhere = await self._elsewhere(service, caller, [*asked.values(), *named])
                path, body = elsewhere.path_masked(asked), elsewhere.body_masked(body)
            call = Call(service, scope, headers, path, caller, query, body)
            if caller.bound is not None or caller.link is not None:
                await self._check_body(call, asked)
            actor = act_as(caller.actor)
            try:
                answer = await self._permitted(call, asked)
            except GUESSED:
                self._note_guess(call)
                raise
            finally:
                act_no_more(actor)
        except BespeakError as error:
            elsewhere.tell(error)
            raise
        return await packed(
            elsewhere.answer_told(await self._looked_at(service, caller, answer))
            if is_guarded
            else self._finished(answer, caller),
            headers,
        )

    def _is_guarded(self, service: Service, caller: Caller) -> bool:
        """Whether ids are to be looked up. What is answered from memory is parted by workspaces
        there, and to look at it again would take the database."""
        return service.workspaces.guards(caller.workspace) and not self.endpoint.from_memory

    async def _looked_at(self, service: Service, caller: Caller, answer: object) -> Answer:
        """An answer that tells of nothing outside the caller's workspace. Raises
        OutsideWorkspace."""
        made = self._finished(answer, caller)
        is_json = made.content_type == _JSON and made.body
        if is_json and not self.endpoint.is_of_installation:
            await service.workspaces.check_told(caller.workspace, msgspec.json.decode(made.body))
        return made

    def _finished(self, answer: object, caller: Caller) -> Answer:
        made = answer if isinstance(answer, Answer) else JsonAnswer(self.endpoint.status, answer)
        if caller.by_cookie:
            # Nothing on the way may keep what it would give out to whoever asks next.
            made.headers = [*made.headers, (b"cache-control", b"no-store")]
            if caller.cookie is not None:
                made.headers.append(caller.cookie)
        return made

    def _permitted(self, call: Call[object, object], asked: Mapping[str, str]) -> Awaitable[object]:
        if self.endpoint.audited and call.caller.kind is not KeyKind.PUBLISHABLE:
            return self._recorded(call, asked)
        return self._handled(call)

    async def _elsewhere(self, service: Service, caller: Caller, texts: Iterable[str]) -> Elsewhere:
        """What a call names that is in another workspace than its key. Raises NotInWorkspace."""
        workspace = caller.workspace or DEFAULT
        if self.endpoint.is_of_installation and workspace != DEFAULT:
            if caller.key_id is not None:
                action, code = self.endpoint.operation_id, NotInWorkspace.code
                service.audit_log.count_refusal(caller.key_id, action, code)
            raise NotInWorkspace
        return await service.workspaces.elsewhere(workspace, texts)

    def _note_guess(self, call: Call[object, object]) -> None:
        """Raises BudgetSpent where a guest guesses too often; servers ask for what they like."""
        caller = call.caller
        if caller.kind is None or caller.kind is KeyKind.PUBLISHABLE:
            visitor = call.visitor(caller.shopper or call.client_address.prefix)
            if visitor is not None:
                call.service.guesses.failed(visitor)

    async def _body(
        self,
        service: Service,
        headers: Mapping[bytes, str],
        receive: Receive,
        task: asyncio.Task[object],
    ) -> object:
        """What the handler takes of a body. Raises BodyTooLarge, BodyTooSlow, InvalidJson,
        UnsupportedMediaType, InvalidRequest."""
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
        return self._decoded(raw, headers)

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
            raise decode_error(error, self.endpoint.body) from error

    async def _check_body(self, call: Call[object, object], asked: Mapping[str, str]) -> None:
        """Whether the body names what a key is bound to, or a mail's link opens; what the path
        names was judged before. Raises KeyBound, BookingLinkInvalid, WaitlistLinkInvalid,
        InvalidId."""
        about, link = self._body_about, call.caller.link
        if call.caller.bound is not None and about is not None:
            await self._check_bounds(call)
        if link is None or asked:
            return
        subject = (None if about is None else about(call)) or Subject()
        if isinstance(link, WaitlistLink):
            link.check_hold(subject.hold)
        else:
            await call.service.booking_links.check_body(
                link, booking_id=subject.booking, hold_id=subject.hold
            )

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

    async def _recorded(self, call: Call[object, object], asked: Mapping[str, str]) -> object:
        """Handles a call that the audit log tells of. Its entry is on disk before anything is done;
        if then nothing is, another one says why."""
        log, action = call.service.audit_log, self.endpoint.operation_id
        actor = call.caller.key_id or NOBODY
        subject = ", ".join(asked.values()) or None
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


def _has_link(headers: Mapping[bytes, str], scope: AsgiScope) -> bool:
    return b"authorization" not in headers and b"token=" in scope["query_string"]


class PathCalls:
    """One path of the API with its methods."""

    def __init__(self, calls: dict[str, EndpointCall]) -> None:
        self.calls = calls

    def find(self, method: str) -> EndpointCall:
        """The call for a method. Raises MethodNotAllowed."""
        call = self.calls.get("GET" if method == "HEAD" else method)
        if call is None:
            methods = {*self.calls, "HEAD"} if "GET" in self.calls else self.calls
            raise MethodNotAllowed(methods=sorted(methods))
        return call
