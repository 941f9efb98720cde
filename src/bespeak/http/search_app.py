"""The calls that answer from memory as an ASGI application of their own, for `bespeak search`. It
starts while the database is away, from the snapshots in its folder: of what is searched, and of the
browsers' keys.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog
from starlette.routing import Router

from bespeak.assembly import connect_for_memory
from bespeak.engine import Engine
from bespeak.errors import BespeakError, InternalError, Overloaded, Unavailable
from bespeak.http.api.health import Health
from bespeak.http.api.verticals import KIND_NAMES, path_of
from bespeak.http.server.answer_headers import AnswerHeaders
from bespeak.http.server.answers import Answer, JsonAnswer
from bespeak.http.server.asgi import AsgiScope, Receive, Send, decode_query, known_headers
from bespeak.http.server.browser_keys import BrowserKeyFile
from bespeak.http.server.call import Caller
from bespeak.http.server.client_address import ClientAddresses
from bespeak.http.server.cors import Cors
from bespeak.http.server.endpoint import HandlerForm, StructType
from bespeak.http.server.errors import KeyBound, KeyMissing, MethodNotAllowed, PathNotFound
from bespeak.http.server.heartbeats import Heartbeats
from bespeak.http.server.keys import ApiKey, KeyKind, KeyRing
from bespeak.http.server.languages import VARIES, answered_in
from bespeak.http.server.origins import is_https
from bespeak.http.server.problems import problem_answer
from bespeak.http.server.rate_limits import RateLimits
from bespeak.http.server.sending import RequestIds, send_answer
from bespeak.inventory.workspaces import DEFAULT
from bespeak.settings import Settings
from bespeak.verticals.installed import installed
from bespeak.verticals.vertical import VerticalCall, VerticalCaller, VerticalRequest

_READS = ("GET", "HEAD")
_BEAT_SECONDS = 1.0
_KEYS_SECONDS = 60.0
_SERVER_ERROR = 500
_log = structlog.get_logger()


class _MemoryCall(NamedTuple):
    """A call that answers from memory, and the struct of its query."""

    call: VerticalCall
    query: StructType | None


class _SearchService(NamedTuple):
    """What a worker has for its calls."""

    engine: Engine
    guests_engine: Engine
    keys: KeyRing
    limits: RateLimits
    client_addresses: ClientAddresses


class SearchApplication:
    """What can be searched, as one ASGI application."""

    def __init__(
        self, settings: Settings, database_url: str, heartbeats: Heartbeats | None = None
    ) -> None:
        self._settings = msgspec.structs.replace(settings, database_url=database_url)
        self._database_url = database_url
        self._heartbeats = heartbeats
        self._cors = Cors(settings.cors_origins)
        self._headers = AnswerHeaders(hsts_subdomains=settings.hsts_subdomains)
        self._request_ids = RequestIds()
        self._calls = _memory_calls()
        self._service: _SearchService | None = None
        self._router = Router(lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _: object) -> AsyncIterator[None]:
        async with connect_for_memory(self._database_url, self._settings) as engine:
            keys = KeyRing(engine.database)
            limits, addresses = RateLimits(self._settings), ClientAddresses(self._settings)
            self._service = _SearchService(engine, engine.for_guests(), keys, limits, addresses)
            works = (self._keep_keys(keys), _recall(engine), self._beat())
            tasks = [asyncio.ensure_future(work) for work in works]
            try:
                yield
            finally:
                self._service = None
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _beat(self) -> None:
        """Tells that this process is at work."""
        while True:
            if self._heartbeats is not None:
                self._heartbeats.own.beat()
            await asyncio.sleep(_BEAT_SECONDS)

    async def _keep_keys(self, keys: KeyRing) -> None:
        """Knows the browsers' keys, for when the database is away."""
        folder, mark = self._settings.search_snapshots, self._settings.database_mark
        file = None if folder is None else BrowserKeyFile(Path(folder), mark)
        if file is not None:
            keys.know(file.read())
        while True:
            try:
                known = await keys.read_browser_keys()
                if file is not None:
                    file.write(known)
            except Unavailable:
                pass  # those that are known are still good
            except Exception:  # whatever it is: the searches go on
                _log.exception("keys not read")
            await asyncio.sleep(_KEYS_SECONDS)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answers one ASGI request (or the lifespan of the server)."""
        if scope["type"] != "http":
            await self._router(scope, receive, send)  # type: ignore[arg-type]
            return
        request_id = self._request_ids.of(scope)
        answer = await self._answer(scope, request_id)
        answer.headers = [*answer.headers, *self._cors.headers(scope)]
        https = is_https(self._settings.public_url, scope.get("scheme"))
        answer.headers += self._headers.missing(answer.headers, is_https=https)
        await send_answer(send, answer, request_id, is_head=scope["method"] == "HEAD")

    async def _answer(self, scope: AsgiScope, request_id: str) -> Answer:
        """The answer to a request, whatever happens."""
        began = time.perf_counter()
        try:
            return await self._answered(scope)
        except BespeakError as error:
            if error.status != _SERVER_ERROR:
                return problem_answer(error, request_id)
            _log.error("request failed", request_id=request_id, error=str(error))
            return problem_answer(InternalError(), request_id)
        except Exception as error:
            _log.exception("request failed", request_id=request_id, path=scope["path"])
            return problem_answer(InternalError(cause=type(error).__name__), request_id)
        finally:
            if self._settings.log_requests == "all":
                ms = round((time.perf_counter() - began) * 1000, 1)
                _log.info("request", request_id=request_id, path=scope["path"], ms=ms)

    async def _answered(self, scope: AsgiScope) -> Answer:
        """Raises BespeakError."""
        preflight = self._cors.preflight(scope)
        if preflight is not None:
            return preflight
        path, service = scope["path"], self._service
        found = self._calls.get(path)
        if found is None and path not in ("/healthz", "/readyz"):
            raise PathNotFound(path=path[:200])
        if scope["method"] not in _READS:
            raise MethodNotAllowed(methods=list(_READS))
        if path == "/healthz":
            return JsonAnswer(200, Health("ok"))
        if service is None:
            raise Overloaded("the server is starting", retry_after_seconds=1)
        if found is None:
            is_fresh = await _recall(service.engine)
            return JsonAnswer(200, Health("ready" if is_fresh else "degraded"))
        return await _searched(service, found, scope)


async def _searched(service: _SearchService, found: _MemoryCall, scope: AsgiScope) -> Answer:
    """The answer of a call. Raises BespeakError."""
    headers = known_headers(scope["headers"])
    key = await _authenticated(service, headers, scope)
    query = None if found.query is None else decode_query(found.query, scope["query_string"])
    caller = Caller(key.kind, None, False, key.id, key.scopes, workspace=key.workspace)
    is_guest = key.kind is KeyKind.PUBLISHABLE
    request = VerticalRequest(
        service.guests_engine if is_guest else service.engine,
        {},
        query,
        None,
        VerticalCaller(KIND_NAMES[key.kind]),
        None,
        answered_in(caller, headers, getattr(query, "lang", None)),
        key.workspace or DEFAULT,
    )
    content = await found.call.handler(request)  # type: ignore[arg-type]
    if not isinstance(content, msgspec.Struct):
        raise InternalError(cause="no JSON")
    return JsonAnswer(found.call.status, content, headers=VARIES)


async def _authenticated(
    service: _SearchService, headers: Mapping[bytes, str], scope: AsgiScope
) -> ApiKey:
    """The key of a call, counted. Raises KeyMissing, KeyUnknown, KeyExpired, KeyBound,
    RateLimited, Overloaded, DatabaseUnavailable."""
    scheme, _, text = headers.get(b"authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not text:
        raise KeyMissing
    key = await service.keys.find_for_memory(text.strip())
    if key.is_bound:
        raise KeyBound("a bound key cannot do this: it is about the whole installation")
    if key.kind is KeyKind.PUBLISHABLE:
        await service.limits.count_address(service.client_addresses.of(scope).prefix)
    else:
        await service.limits.count_key(key.kind, key.id)
    return key


def _memory_calls() -> dict[str, _MemoryCall]:
    """The calls of all verticals that answer from memory, by their paths."""
    return {
        path_of(vertical, call): _MemoryCall(call, HandlerForm.of(call.handler).query)
        for vertical in installed()
        for call in vertical.calls
        if call.from_memory
    }


async def _recall(engine: Engine) -> bool:
    """Brings into memory what is searched; whether all of it is of now. Raises Unavailable while
    something is not there."""
    fresh = [await one.recall(engine) for one in installed() if one.recall is not None]
    return all(fresh)
