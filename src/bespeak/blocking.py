"""The engine for programs without an event loop: Django, Flask, Celery, scripts. The same verbs,
which wait for their answer. Each process has one loop in a thread, opened by the first verb; so it
is sound under fork, where a connection or a loop of the parent must not be touched.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import partial, wraps
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,  # any: see its uses
    Concatenate,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    overload,
)
from weakref import WeakSet

from bespeak.actors import acting_as
from bespeak.assembly import connect
from bespeak.engine import Engine
from bespeak.errors import InvalidRequest, ShuttingDown
from bespeak.inventory.plans import Availability, AvailabilityQuery
from bespeak.payments.settlement import Settlement
from bespeak.postgres.callers_thread import CallersThread
from bespeak.settings import Settings

if TYPE_CHECKING:
    from bespeak.postgres.blocking_callers import Adapted, BlockingConnection

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")
Owner = TypeVar("Owner")
Form = TypeVar("Form", bound=Availability)
_Opener: TypeAlias = Callable[[], AbstractAsyncContextManager[Engine]]
_Working: TypeAlias = Coroutine[Any, Any, Answer]  # any: what it awaits is its own business
_ENDED_SECONDS = 60


def connect_sync(
    database_url: str | None = None, *, settings: Settings | None = None, sweep: bool = True
) -> SyncEngine:
    """An engine whose verbs wait. Nothing is opened before the first verb, nor shared with a
    process that is forked: each opens its own. `sweep` does the background work here as well; where
    a `bespeak worker` runs, it need not. Arguments and errors are those of `connect`; it is the
    first verb that raises them."""
    return SyncEngine(partial(connect, database_url, settings=settings, sweep=sweep))


class _OnLoop(Protocol):
    def own_loop(self) -> _LoopThread: ...


def _blocking(
    verb: Callable[Concatenate[Owner, Parameters], _Working[Answer]],
    owner: Callable[[Engine], Owner],
) -> Callable[Concatenate[_OnLoop, Parameters], Answer]:
    """A verb that waits for its answer."""

    @wraps(verb)
    def call(self: _OnLoop, /, *arguments: Parameters.args, **named: Parameters.kwargs) -> Answer:
        if named.get("connection") is not None:
            raise InvalidRequest("a connection is given to `within`", field="connection")
        own = self.own_loop()
        return own.wait(verb(owner(own.engine), *arguments, **named))

    return call


def _blocking_inside(
    verb: Callable[Concatenate[Engine, Parameters], _Working[Answer]],
) -> Callable[Concatenate[SyncWithin, Parameters], Answer]:
    """A verb in the caller's transaction, that waits for its answer."""

    @wraps(verb)
    def call(
        self: SyncWithin, /, *arguments: Parameters.args, **named: Parameters.kwargs
    ) -> Answer:
        if "connection" in named:
            raise InvalidRequest("`within` has named the connection already", field="connection")
        own = self.engine.own_loop()
        thread = CallersThread()
        given: Any = {"connection": self.adapted(thread)}  # any: an argument of every such verb
        return own.wait(verb(own.engine, *arguments, **named, **given), thread)

    return call


def _engine(engine: Engine) -> Engine:
    return engine


def _payments(engine: Engine) -> Settlement:
    return engine.payments


class SyncEngine:
    """The engine for programs without an event loop. Any number of threads may use it, and their
    requests share batches. Made by `connect_sync`; `close` it, or use it with `with`."""

    def __init__(self, opener: _Opener) -> None:
        self.payments = SyncPayments(self)
        self._opener = opener
        self._lock = threading.Lock()
        self._own: _LoopThread | None = None
        self._parents: list[_LoopThread] = []
        _ALL.add(self)

    def own_loop(self) -> _LoopThread:
        """The loop of this process, which is begun if there is none. Raises as `connect` does."""
        own = self._own
        if own is None:
            with self._lock:
                own = self._own
                if own is None:
                    own = self._own = _LoopThread(self._opener)
        return own

    def within(self, connection: BlockingConnection) -> SyncWithin:
        """The verbs in the caller's transaction: on a connection of psycopg (3), Django's
        `connection` over it, or a `Connection` or `Session` of SQLAlchemy over it. Raises
        InvalidRequest for what is none of these."""
        # It needs psycopg, which other programs need not have.
        from bespeak.postgres.blocking_callers import adapted  # noqa: PLC0415

        return SyncWithin(self, adapted(connection))

    @contextmanager
    def acting_as(self, actor: str) -> Iterator[None]:
        """As that of the engine, for this thread."""
        with acting_as(actor):
            yield

    def close(self) -> None:
        """Answers all that was taken, and ends the loop. A later verb begins another."""
        with self._lock:
            own, self._own = self._own, None
        if own is not None:
            own.close()

    def __enter__(self) -> SyncEngine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def forked(self) -> None:
        """In a child: forgets the parent's loop. It is kept as it is: to close it, as the garbage
        collector would, takes its sockets out of what the parent waits for."""
        if self._own is not None:
            self._parents.append(self._own)
        self._own = None
        self._lock = threading.Lock()  # another thread of the parent may have had it

    @overload
    def availability(
        self, resource_id: str, query: AvailabilityQuery | None = None
    ) -> Availability: ...

    @overload
    def availability(
        self, resource_id: str, query: AvailabilityQuery | None = None, *, form: type[Form]
    ) -> Form: ...

    def availability(
        self,
        resource_id: str,
        query: AvailabilityQuery | None = None,
        *,
        form: type[Availability] = Availability,
    ) -> Availability:
        """As that of the engine."""
        own = self.own_loop()
        return own.wait(own.engine.availability(resource_id, query, form=form))

    place_hold = _blocking(Engine.place_hold, _engine)
    change_stay = _blocking(Engine.change_stay, _engine)
    place_holds = _blocking(Engine.place_holds, _engine)
    quote = _blocking(Engine.quote, _engine)
    confirm_hold = _blocking(Engine.confirm_hold, _engine)
    extend_hold = _blocking(Engine.extend_hold, _engine)
    release_hold = _blocking(Engine.release_hold, _engine)
    cancel_booking = _blocking(Engine.cancel_booking, _engine)
    move_booking = _blocking(Engine.move_booking, _engine)
    refund_quote = _blocking(Engine.refund_quote, _engine)
    call_off = _blocking(Engine.call_off, _engine)
    cancellation = _blocking(Engine.cancellation, _engine)
    reopen = _blocking(Engine.reopen, _engine)
    get_hold = _blocking(Engine.get_hold, _engine)
    list_holds = _blocking(Engine.list_holds, _engine)
    get_booking = _blocking(Engine.get_booking, _engine)
    timeline = _blocking(Engine.timeline, _engine)
    positions = _blocking(Engine.positions, _engine)
    set_serving = _blocking(Engine.set_serving, _engine)
    create_resource = _blocking(Engine.create_resource, _engine)
    create_resources = _blocking(Engine.create_resources, _engine)
    get_resource = _blocking(Engine.get_resource, _engine)
    list_resources = _blocking(Engine.list_resources, _engine)
    update_resource = _blocking(Engine.update_resource, _engine)
    block = _blocking(Engine.block, _engine)
    block_together = _blocking(Engine.block_together, _engine)
    unblock = _blocking(Engine.unblock, _engine)
    list_blocks = _blocking(Engine.list_blocks, _engine)
    import_calendar = _blocking(Engine.import_calendar, _engine)
    export_calendar = _blocking(Engine.export_calendar, _engine)
    audit = _blocking(Engine.audit, _engine)
    events = _blocking(Engine.events, _engine)
    events_snapshot = _blocking(Engine.events_snapshot, _engine)


class SyncPayments:
    """The verbs of `engine.payments`, which wait for their answer."""

    def __init__(self, engine: SyncEngine) -> None:
        self.own_loop = engine.own_loop

    pay = _blocking(Settlement.pay, _payments)
    payment = _blocking(Settlement.payment, _payments)
    payment_of = _blocking(Settlement.payment_of, _payments)


class SyncWithin:
    """The verbs that can be part of a caller's transaction. What they ask of its connection is done
    in the caller's own thread. Made by `SyncEngine.within`."""

    def __init__(self, engine: SyncEngine, adapted: Adapted) -> None:
        self.engine = engine
        self.adapted = adapted

    place_hold = _blocking_inside(Engine.place_hold)
    change_stay = _blocking_inside(Engine.change_stay)
    quote = _blocking_inside(Engine.quote)
    confirm_hold = _blocking_inside(Engine.confirm_hold)
    extend_hold = _blocking_inside(Engine.extend_hold)
    release_hold = _blocking_inside(Engine.release_hold)
    cancel_booking = _blocking_inside(Engine.cancel_booking)
    get_hold = _blocking_inside(Engine.get_hold)
    list_holds = _blocking_inside(Engine.list_holds)
    get_booking = _blocking_inside(Engine.get_booking)
    create_resource = _blocking_inside(Engine.create_resource)
    create_resources = _blocking_inside(Engine.create_resources)
    get_resource = _blocking_inside(Engine.get_resource)
    update_resource = _blocking_inside(Engine.update_resource)


class _LoopThread:
    """An event loop in a thread of its own, with an engine open in it."""

    def __init__(self, opener: _Opener) -> None:
        self._opener = opener
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._lock = threading.Lock()
        self._is_closing = False
        opened: Future[Engine] = Future()
        # A daemon: a program that ends without `close` is not kept from it.
        self._thread = threading.Thread(
            target=self._run, args=(opened,), name="bespeak", daemon=True
        )
        self._thread.start()
        self.engine = opened.result()

    def wait(self, verb: _Working[Answer], thread: CallersThread | None = None) -> Answer:
        """The answer of a verb, or what it raises; meanwhile `thread` does the verb's work in this
        thread. Interrupted, by Ctrl-C or a worker's time limit, it cancels the verb, which may have
        had its effect. Raises ShuttingDown."""
        with self._lock:  # after what ends the loop, nothing is handed to it
            if self._is_closing:
                verb.close()
                raise ShuttingDown(retry_after_seconds=1)
            answer = asyncio.run_coroutine_threadsafe(verb, self._loop)
        if thread is not None:
            return thread.wait(answer)
        try:
            return answer.result()
        except BaseException:
            answer.cancel()
            raise

    def close(self) -> None:
        """Ends the engine and the loop, after all that was handed to it has its answer."""
        with self._lock:
            self._is_closing = True
            self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join(_ENDED_SECONDS)

    def _run(self, opened: Future[Engine]) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve(opened))
        except BaseException as error:
            if opened.done():
                raise
            opened.set_exception(error)
        finally:
            self._loop.close()

    async def _serve(self, opened: Future[Engine]) -> None:
        async with self._opener() as engine:
            opened.set_result(engine)
            await self._ending.wait()
        verbs = asyncio.all_tasks() - {asyncio.current_task()}
        if verbs:  # their answers are there, or the engine refuses them by now
            await asyncio.wait(verbs, timeout=_ENDED_SECONDS)


_ALL: WeakSet[SyncEngine] = WeakSet()


def _forked() -> None:
    for engine in list(_ALL):
        engine.forked()


os.register_at_fork(after_in_child=_forked)
