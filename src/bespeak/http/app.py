"""The ASGI application: Starlette routes made from the table of endpoints, with one thin layer that
authenticates, limits, decodes, measures, and turns every error into a problem document.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
import structlog
from starlette.routing import Route, Router

from bespeak.errors import BespeakError, InternalError, Overloaded, ShuttingDown
from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.answers import Answer, JsonAnswer, StreamAnswer
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
from bespeak.http.server.cors import Cors
from bespeak.http.server.endpoint import Endpoint
from bespeak.http.server.errors import BodyTooSlow, KeyBound, MethodNotAllowed, PathNotFound
from bespeak.http.server.heartbeats import Heartbeats
from bespeak.http.server.keys import KeyKind
from bespeak.http.server.metrics import REQUEST_SECONDS
from bespeak.http.server.origins import check_same_origin
from bespeak.http.server.own_writes import OwnWrites
from bespeak.http.server.problems import problem_answer
from bespeak.http.server.service import Service, open_service
from bespeak.http.server.site import Site
from bespeak.settings import Settings

if TYPE_CHECKING:
    from prometheus_client import Histogram

_log = structlog.get_logger()
_SERVER_ERROR = 500
_SLOW_SECONDS = 1.0
_REQUEST_ID = re.compile(rb"[0-9A-Za-z._-]{1,64}")
_SEE_OTHER = 303
_BODILESS = (204, 304)


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


class Application:
    """The whole API as one ASGI application."""

    def __init__(
        self,
        settings: Settings,
        database_url: str,
        *,
        sweep: bool = False,
        end_streams_signal: int | None = None,
        heartbeats: Heartbeats | None = None,
    ) -> None:
        self._settings = settings
        self._cors = Cors(settings.cors_origins)
        self._end_streams_signal = end_streams_signal
        self._heartbeats = heartbeats
        self._database_url = database_url
        self._sweep = sweep
        self._service: Service | None = None
        self._stopped = False
        self._request_prefix = secrets.token_hex(6)
        self._requests = 0
        self._site = Site(settings.public_url) if settings.box_office else None
        calls: dict[str, dict[str, EndpointCall]] = {}
        for endpoint in ALL_ENDPOINTS:
            calls.setdefault(endpoint.path, {})[endpoint.method] = EndpointCall(endpoint)
        self._router = Router(
            routes=[Route(path, endpoint=PathCalls(of_path)) for path, of_path in calls.items()],
            redirect_slashes=False,
            lifespan=self._lifespan,
            default=_find_nothing,
        )

    @asynccontextmanager
    async def _lifespan(self, _: object) -> AsyncIterator[None]:
        async with open_service(
            self._settings, self._database_url, self._heartbeats, sweep=self._sweep
        ) as service:
            self._service = service
            if self._end_streams_signal is not None:
                # A server that stops waits for the answers under way; a stream's would never end.
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(self._end_streams_signal, service.streams.end_all)
            yield
            self._stopped = True
            self._service = None

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answers one ASGI request (or the lifespan of the server)."""
        if scope["type"] != "http":
            await self._router(scope, receive, send)  # type: ignore[arg-type]
            return
        started = time.perf_counter()
        request_id = self._request_id(scope)
        found, answer = await self._answer(scope, receive, request_id)
        answer.headers = [*answer.headers, *self._cors.headers(scope)]
        own_writes = None if self._service is None else self._service.own_writes
        if own_writes is not None and found is not None and found.endpoint.method != "GET":
            answer.headers += await own_writes.after_write(scope, answer.status)
        streaming = answer.streaming if isinstance(answer, StreamAnswer) else None
        if streaming is None:
            await _send(send, answer, request_id, is_head=scope["method"] == "HEAD")
        seconds = time.perf_counter() - started
        if found is not None:
            found.measure(answer.status, seconds)
        self._log_request(scope, answer, request_id, seconds)
        if streaming is not None and scope["method"] == "HEAD":
            streaming.close()
            await _send(send, answer, request_id, is_head=True)
        elif streaming is not None:
            # It would be kept for as long as the viewer stays, in thousands of frames like this.
            scope.clear()  # type: ignore[attr-defined]
            await streaming.run(_head(answer, request_id), receive, send)

    async def _answer(
        self, scope: AsgiScope, receive: Receive, request_id: str
    ) -> tuple[EndpointCall | None, Answer]:
        """The answer to a request, whatever happens, and whose it is."""
        found: EndpointCall | None = None
        try:
            preflight = self._cors.preflight(scope)
            if preflight is not None:
                return None, preflight
            service = self._service
            if service is None:
                raise _unavailable(stopped=self._stopped)
            if scope["method"] == "POST" and service.engine.committer.is_full:
                # Before a byte of the body is looked at: refusing must be cheap.
                raise Overloaded(retry_after_seconds=1 + secrets.randbelow(4))
            await self._router(scope, receive, _send_nothing)  # type: ignore[arg-type]
            path = scope.get("bespeak.path")
            if not isinstance(path, PathCalls):
                return None, self._page(scope)
            found = path.find(scope["method"])
            return found, await _in_time(found, service, scope, receive)
        except BespeakError as error:
            if error.status == _SERVER_ERROR:
                # What it says may be the database's own words: for the log, not for the client.
                _log.error("request failed", request_id=request_id, error=str(error))
                return found, problem_answer(InternalError(), request_id)
            return found, problem_answer(error, request_id)
        except Exception as error:
            _log.exception("request failed", request_id=request_id, path=scope["path"])
            return found, problem_answer(InternalError(cause=type(error).__name__), request_id)

    def _page(self, scope: AsgiScope) -> Answer:
        """What is at a path that is none of the API's. Raises PathNotFound, MethodNotAllowed."""
        path = scope["path"]
        if self._site is not None:
            headers = known_headers(scope["headers"])
            found = self._site.answer(scope["method"], path, headers, scope.get("scheme"))
            if found is not None:
                return found
        elif path == "/":
            return Answer(_SEE_OTHER, headers=((b"location", b"/start"),))
        raise PathNotFound(path=path[:200])

    def _request_id(self, scope: AsgiScope) -> str:
        for name, value in scope["headers"]:
            if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
                return value.decode("ascii")
        self._requests += 1
        return f"{self._request_prefix}{self._requests:x}"

    def _log_request(
        self, scope: AsgiScope, answer: Answer, request_id: str, seconds: float
    ) -> None:
        wanted = self._settings.log_requests == "all"
        if wanted or answer.status == _SERVER_ERROR or seconds > _SLOW_SECONDS:
            _log.info(
                "request",
                request_id=request_id,
                method=scope["method"],
                path=scope["path"],
                status=answer.status,
                ms=round(seconds * 1000, 1),
            )


def create_app(
    settings: Settings,
    database_url: str,
    *,
    sweep: bool = False,
    end_streams_signal: int | None = None,
    heartbeats: Heartbeats | None = None,
) -> Application:
    """The application on a migrated database; `sweep` runs the sweeper in it as well. The signal,
    which comes before a stop, ends its streams. `heartbeats` are those of the server that it is a
    worker of."""
    return Application(
        settings,
        database_url,
        sweep=sweep,
        end_streams_signal=end_streams_signal,
        heartbeats=heartbeats,
    )


def _unavailable(*, stopped: bool) -> BespeakError:
    """Why there is no service: this process is still starting, or it is stopping."""
    if stopped:
        return ShuttingDown(retry_after_seconds=1)
    return Overloaded("the server is starting", retry_after_seconds=1)


async def _in_time(
    call: EndpointCall, service: Service, scope: AsgiScope, receive: Receive
) -> Answer:
    """The answer of a call. Raises BespeakError, as DeadlinePassed."""
    deadlines = service.deadlines
    task = deadlines.begin()
    try:
        return await call.answer(service, scope, receive, task)
    except BodyTooSlow:
        # The server may wait on for the rest of the body, for as long as the client likes.
        service.connections.end_soon(scope.get("client"))
        raise
    except asyncio.CancelledError:
        late = deadlines.error(task)
        if late is None:
            raise
        raise late from None
    finally:
        deadlines.end(task)


async def _send_nothing(_: object) -> None:
    """The router only finds; it sends nothing."""


async def _find_nothing(scope: object, receive: object, send: object) -> None:
    """The application answers for what the router does not know."""


def _head(answer: Answer, request_id: str) -> dict[str, object]:
    headers = [(b"x-request-id", request_id.encode()), *answer.headers]
    if answer.status not in _BODILESS:  # whose headers would speak of the body that is not sent
        headers.append((b"content-type", answer.content_type))
        if not isinstance(answer, StreamAnswer):
            headers.append((b"content-length", str(len(answer.body)).encode()))
    return {"type": "http.response.start", "status": answer.status, "headers": headers}


async def _send(send: Send, answer: Answer, request_id: str, *, is_head: bool) -> None:
    await send(_head(answer, request_id))
    await send({"type": "http.response.body", "body": b"" if is_head else answer.body})
