"""The ASGI application: the paths of the table of endpoints, each with its calls, under a deadline;
and every error turned into a problem document. The start and stop of the server are Starlette's.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import msgspec
import structlog
from starlette.routing import Router

from bespeak.errors import BespeakError, InternalError, Overloaded, ShuttingDown
from bespeak.http.endpoints import ALL_ENDPOINTS
from bespeak.http.server.answer_headers import AnswerHeaders
from bespeak.http.server.answers import Answer, StreamAnswer
from bespeak.http.server.asgi import (
    AsgiScope,
    Receive,
    Send,
    known_headers,
)
from bespeak.http.server.client_address import ClientAddresses
from bespeak.http.server.cors import Cors
from bespeak.http.server.endpoint_call import EndpointCall, PathCalls
from bespeak.http.server.errors import BodyTooSlow, PathNotFound
from bespeak.http.server.heartbeats import Heartbeats
from bespeak.http.server.map_tiles import map_tiles_of
from bespeak.http.server.origins import is_https
from bespeak.http.server.path_tree import PathTree
from bespeak.http.server.problems import problem_answer
from bespeak.http.server.rate_limits import RateLimits
from bespeak.http.server.sending import RequestIds, head_of, send_answer
from bespeak.http.server.service import Service, open_service
from bespeak.http.server.site import Site
from bespeak.payments.forms import payment_form
from bespeak.settings import Settings
from bespeak.ticketing.keys import new_key

_log = structlog.get_logger()
_SERVER_ERROR = 500
_SLOW_SECONDS = 1.0
_SEE_OTHER = 303


@cache
def _api_paths() -> PathTree[PathCalls]:
    """The paths of the API with their calls, which know nothing of an application that answers
    them: made once a process."""
    calls: dict[str, dict[str, EndpointCall]] = {}
    for endpoint in ALL_ENDPOINTS:
        calls.setdefault(endpoint.path, {})[endpoint.method] = EndpointCall(endpoint)
    return PathTree({path: PathCalls(of_path) for path, of_path in calls.items()})


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
        self._request_ids = RequestIds()
        self._has_box_office = settings.box_office
        tiles = map_tiles_of(settings)
        self._site = Site(
            has_box_office=settings.box_office, tiles=None if tiles is None else tiles.origin
        )
        self._headers = AnswerHeaders(hsts_subdomains=settings.hsts_subdomains)
        self._paths = _api_paths()
        self._router = Router(lifespan=self._lifespan)

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
        request_id = self._request_ids.of(scope)
        found, answer = await self._answer(scope, receive, request_id)
        answer.headers = [*answer.headers, *self._cors.headers(scope)]
        own_writes = None if self._service is None else self._service.own_writes
        if own_writes is not None and found is not None and found.endpoint.method != "GET":
            answer.headers += await own_writes.after_write(scope, answer.status)
        https = is_https(self._settings.public_url, scope.get("scheme"))
        answer.headers += self._headers.missing(answer.headers, is_https=https)
        streaming = answer.streaming if isinstance(answer, StreamAnswer) else None
        if streaming is None:
            await send_answer(send, answer, request_id, is_head=scope["method"] == "HEAD")
        seconds = time.perf_counter() - started
        if found is not None:
            found.measure(answer.status, seconds)
        self._log_request(scope, answer, request_id, seconds)
        if streaming is not None and scope["method"] == "HEAD":
            streaming.close()
            await send_answer(send, answer, request_id, is_head=True)
        elif streaming is not None:
            # It would be kept for as long as the viewer stays, in thousands of frames like this.
            scope.clear()  # type: ignore[attr-defined]
            await streaming.run(head_of(answer, request_id), receive, send)

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
            at_path = self._paths.find(scope["path"])
            if at_path is None:
                return None, await self._page(service, scope)
            found = at_path.target.find(scope["method"])
            scope["path_params"] = at_path.parameters
            scope["request_id"] = request_id
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

    async def _page(self, service: Service, scope: AsgiScope) -> Answer:
        """What is at a path that is none of the API's. Raises PathNotFound, MethodNotAllowed."""
        path = scope["path"]
        headers = known_headers(scope["headers"])
        stripe = self._site.is_shop(path, headers) and await _pays_with_stripe(service)
        query = scope["query_string"]
        found = self._site.answer(scope["method"], path, headers, query, with_stripe=stripe)
        if found is not None:
            return found
        if path == "/" and not self._has_box_office:
            return Answer(_SEE_OTHER, headers=((b"location", b"/start"),))
        raise PathNotFound(path=path[:200])

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


async def _pays_with_stripe(service: Service) -> bool:
    """Whether the shop may show Stripe's form: who pays there is asked in it by Stripe's script."""
    form = await payment_form(service.engine.payments)
    return form is not None and form.kind == "stripe"


def check_settings(settings: Settings) -> None:
    """Makes what settings alone decide, so that a wrong one is told once and not by every worker.
    Raises InvalidSetting."""
    Cors(settings.cors_origins)
    map_tiles_of(settings)
    ClientAddresses(settings)
    # Where they are counted is for the workers: a connection is not for those who are forked.
    RateLimits(msgspec.structs.replace(settings, rate_limit_storage="memory"))


def make_once_for_all() -> None:
    """Makes what is the same in every worker. Made before they are forked, it is in memory once;
    made in each, it also writes into half of what they share."""
    _api_paths()
    new_key()  # which lets OpenSSL read its tables


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
