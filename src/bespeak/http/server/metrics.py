"""Metrics in Prometheus form, summed over all worker processes where there are several. Every
metric is documented in docs/reference/metrics.md, which a test compares with this list.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import psutil
from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

from bespeak.admission.observer import AdmissionObserver, RoomCrowd
from bespeak.http.server.late_metrics import LateCounter, LateHistogram
from bespeak.http.server.metrics_folder import VARIABLE
from bespeak.notifications.observer import NotificationObserver
from bespeak.payments.observer import STEPS, PaymentObserver
from bespeak.postgres.reads import ReadObserver, ReadSource
from bespeak.relay.lag import RelayObserver
from bespeak.reservations.committer import CommitterObserver
from bespeak.retention.observer import RetentionObserver
from bespeak.waitlists.observer import OfferEnds, WaitlistCrowd, WaitlistObserver

_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

HOLDS = LateCounter("bespeak_holds", "Requests for holds by their outcome.", ["outcome"])
BOOKINGS = LateCounter("bespeak_bookings", "Requests for bookings by their outcome.", ["outcome"])
LAPSED = Counter("bespeak_holds_lapsed", "Holds that lapsed and were tidied up.")
LOCKED = Counter("bespeak_requests_locked", "Requests that met a lock which another session kept.")
BATCH_SIZE = Histogram(
    "bespeak_batch_size", "Requests written in one batch.", ["verb"], buckets=_SIZES
)
BATCH_SECONDS = Histogram(
    "bespeak_batch_seconds", "Time to write one batch.", ["verb"], buckets=_SECONDS
)
QUEUE_DEPTH = Gauge(
    "bespeak_queue_depth",
    "Requests that wait for the committer or are being written.",
    multiprocess_mode="livesum",
)
KNOWN_TAKEN = Gauge(
    "bespeak_known_taken", "Units that are remembered as taken.", multiprocess_mode="livesum"
)
POOL_CONNECTIONS = Gauge(
    "bespeak_pool_connections",
    "Connections of the reading pool.",
    ["state"],
    multiprocess_mode="livesum",
)
REQUEST_SECONDS = LateHistogram(
    "bespeak_request_seconds",
    "Time to answer a request.",
    ["method", "path", "status"],
    buckets=_SECONDS,
)
BUDGETS = Counter(
    "bespeak_budgets", "Requests of guests that met a spent budget.", ["budget", "step"]
)
GUEST_HOLDS = Gauge(
    "bespeak_guest_holds",
    "Holds of guests that a worker knows of, with those that ended within the hour.",
    multiprocess_mode="livemax",
)
PROXY_UNDECLARED = Counter(
    "bespeak_proxy_undeclared",
    "Requests that a proxy passed on which is not among the trusted ones.",
)
STREAMS = Gauge("bespeak_streams", "Live streams that are open.", multiprocess_mode="livesum")
STREAM_CHANNELS = Gauge(
    "bespeak_stream_channels",
    "Resources that a worker watches for its streams.",
    multiprocess_mode="livesum",
)
STREAM_MESSAGES = Counter("bespeak_stream_messages", "Messages and heartbeats sent to streams.")
STREAM_SNAPSHOTS = Counter(
    "bespeak_stream_snapshots", "Snapshots sent to viewers that were too slow for changes."
)
DELIVERIES = Counter("bespeak_webhook_deliveries", "Tries of webhooks by outcome.", ["outcome"])
WEBHOOKS_DISABLED = Counter(
    "bespeak_webhook_endpoints_disabled", "Webhook endpoints that were disabled.", ["because"]
)
MAILS = Counter("bespeak_mails", "Tries of mails by outcome.", ["outcome"])
RETENTION_DELETED = Counter(
    "bespeak_retention_deleted", "Rows that were deleted when their time was over.", ["what"]
)
NOTIFICATION_LAG = Gauge(
    "bespeak_notification_lag_seconds",
    "How long ago the events happened that notifications read now.",
    multiprocess_mode="livemax",
)
RELAY_LAG_EVENTS = Gauge(
    "bespeak_relay_lag_events",
    "Events that a relay has still to send.",
    ["relay"],
    multiprocess_mode="livemostrecent",
)
RELAY_LAG_SECONDS = Gauge(
    "bespeak_relay_lag_seconds",
    "How long ago the oldest event happened that a relay has still to send.",
    ["relay"],
    multiprocess_mode="livemostrecent",
)
PAYMENTS = Counter(
    "bespeak_payments", "What became of payments, by provider.", ["provider", "outcome"]
)
REFUNDS = Counter(
    "bespeak_refunds", "What became of refunds, by provider.", ["provider", "outcome"]
)
PROVIDER_SECONDS = Histogram(
    "bespeak_provider_seconds",
    "Time that a payment provider took to answer.",
    ["provider", "verb", "outcome"],
    buckets=(*_SECONDS, 30),
)
# They are of the whole database, and only the process that does the background work looks.
PAYMENTS_WAITING = Gauge(
    "bespeak_payments_waiting",
    "Payments by the step that they wait for.",
    ["step"],
    multiprocess_mode="livemostrecent",
)
REFUNDS_WAITING = Gauge(
    "bespeak_refunds_waiting",
    "Refunds that are not made yet.",
    multiprocess_mode="livemostrecent",
)
PROCESSES_REPLACED = Counter(
    "bespeak_processes_replaced",
    "Processes of the server that were replaced.",
    ["process", "because"],
)
PROCESSES_MISSING = Gauge(
    "bespeak_processes_missing",
    "Processes of the server that are not at work.",
    multiprocess_mode="livemostrecent",
)
READS = Counter("bespeak_reads", "Reads that a replica may answer, by who did.", ["source"])
REPLICA_LAG = Gauge(
    "bespeak_replica_lag_seconds",
    "How old an answer of the replica may be.",
    multiprocess_mode="livemax",
)
REPLICA_FOLLOWS = Gauge(
    "bespeak_replica_follows",
    "Whether the replica answers reads: 1, or 0 where a worker reads from the primary instead.",
    multiprocess_mode="livemin",
)
WAITING_ROOM_JOINS = Counter("bespeak_waiting_room_joins", "Joins of waiting rooms.")
WAITING_ROOM_CALLED = Counter(
    "bespeak_waiting_room_called", "Places that were called, whether somebody stood there or not."
)
WAITING_ROOM_PASSES = Counter(
    "bespeak_waiting_room_passes", "Passes that were given, and how they ended.", ["outcome"]
)
WAITING_ROOM_CODES = Counter(
    "bespeak_waiting_room_codes",
    "Invitation codes that were entered, and what came of it.",
    ["outcome"],
)
WAITING_ROOM_PEOPLE = Gauge(
    "bespeak_waiting_room_people",
    "Who waits, was called and may still come, or is inside, in all waiting rooms.",
    ["state"],
    multiprocess_mode="livemostrecent",
)
WAITING_ROOM_ALARMS = Gauge(
    "bespeak_waiting_room_alarms",
    "Waiting rooms that want a look.",
    multiprocess_mode="livemostrecent",
)
WAITING_ROOM_STEP = Gauge(
    "bespeak_waiting_room_step_seconds",
    "How long ago the waiting room was looked after that has waited longest for it.",
    multiprocess_mode="livemax",
)
WAITLIST_ENTRIES = Gauge(
    "bespeak_waitlist_entries",
    "Parties that wait, or are offered something, on all waitlists.",
    ["state"],
    multiprocess_mode="livemostrecent",
)
WAITLIST_OFFERS = Counter("bespeak_waitlist_offers", "Offers that waitlists made.")
WAITLIST_OFFER_SECONDS = Histogram(
    "bespeak_waitlist_offer_seconds",
    "Time from what came back to the offer of it.",
    buckets=(*_SECONDS, 30),
)
WAITLIST_ENDED = Gauge(
    "bespeak_waitlist_ended",
    "Parties whose last offer ended within the last hour, by how.",
    ["outcome"],
    multiprocess_mode="livemostrecent",
)
WAITLIST_ALARMS = Gauge(
    "bespeak_waitlist_alarms",
    "Waitlists of which most offers lapse.",
    multiprocess_mode="livemostrecent",
)
CONFIRM_RATIO = "bespeak_hold_to_confirm_ratio"
_CONFIRM_RATIO_HELP = "Bookings confirmed for each hold placed, since the start."


class CommitterMetrics(CommitterObserver):
    def batch(self, verb: str, size: int, seconds: float) -> None:
        BATCH_SIZE.labels(verb).observe(size)
        BATCH_SECONDS.labels(verb).observe(seconds)

    def locked(self, count: int) -> None:
        """Counts requests that met a lock."""
        LOCKED.inc(count)

    def expired(self, count: int) -> None:
        LAPSED.inc(count)


class NotificationMetrics(NotificationObserver):
    def delivery(self, outcome: str, count: int) -> None:
        DELIVERIES.labels(outcome).inc(count)

    def mail(self, outcome: str) -> None:
        MAILS.labels(outcome).inc()

    def lag(self, seconds: float) -> None:
        NOTIFICATION_LAG.set(seconds)

    def disabled(self, because: str) -> None:
        WEBHOOKS_DISABLED.labels(because).inc()


class RetentionMetrics(RetentionObserver):
    def gone(self, what: str, count: int) -> None:
        RETENTION_DELETED.labels(what).inc(count)


class RelayMetrics(RelayObserver):
    def behind(self, name: str, events: int, seconds: float) -> None:
        RELAY_LAG_EVENTS.labels(name).set(events)
        RELAY_LAG_SECONDS.labels(name).set(seconds)


class AdmissionMetrics(AdmissionObserver):
    def called(self, places: int) -> None:
        WAITING_ROOM_CALLED.inc(places)

    def ended(self, outcome: str, passes: int) -> None:
        WAITING_ROOM_PASSES.labels(outcome).inc(passes)

    def people(self, people: RoomCrowd) -> None:
        for state, count in zip(people._fields, people, strict=True):
            WAITING_ROOM_PEOPLE.labels(state).set(count)

    def alarms(self, rooms: int) -> None:
        WAITING_ROOM_ALARMS.set(rooms)


class WaitlistMetrics(WaitlistObserver):
    def offered(self, seconds: float | None) -> None:
        WAITLIST_OFFERS.inc()
        if seconds is not None:
            WAITLIST_OFFER_SECONDS.observe(seconds)

    def people(self, people: WaitlistCrowd, ends: OfferEnds) -> None:
        for state, count in zip(people._fields, people, strict=True):
            WAITLIST_ENTRIES.labels(state).set(count)
        for outcome, count in zip(ends._fields, ends, strict=True):
            WAITLIST_ENDED.labels(outcome).set(count)

    def alarms(self, lists: int) -> None:
        WAITLIST_ALARMS.set(lists)


class PaymentMetrics(PaymentObserver):
    def payment(self, provider: str, outcome: str) -> None:
        PAYMENTS.labels(provider, outcome).inc()

    def refund(self, provider: str, outcome: str) -> None:
        REFUNDS.labels(provider, outcome).inc()

    def asked(self, provider: str, verb: str, outcome: str, seconds: float) -> None:
        PROVIDER_SECONDS.labels(provider, verb, outcome).observe(seconds)

    def waiting(self, payments: Mapping[str, int], refunds: int) -> None:
        for step in STEPS:
            PAYMENTS_WAITING.labels(step).set(payments.get(step, 0))
        REFUNDS_WAITING.set(refunds)


class ReadMetrics(ReadObserver):
    def read(self, source: ReadSource) -> None:
        READS.labels(source).inc()


def write_late() -> None:
    """Writes what this process has counted since the last time."""
    HOLDS.write()
    BOOKINGS.write()
    REQUEST_SECONDS.write()


def render() -> bytes:
    """All metrics as text, over all processes of this server."""
    write_late()
    registry = REGISTRY
    if VARIABLE in os.environ:
        _forget_dead(Path(os.environ[VARIABLE]))
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry) + _confirm_ratio(registry)


def _forget_dead(folder: Path) -> None:
    """Takes the gauges of processes that are gone out of the sums; their counters stay."""
    for file in folder.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            multiprocess.mark_process_dead(int(pid))  # type: ignore[no-untyped-call]


def _confirm_ratio(registry: CollectorRegistry) -> bytes:
    held = registry.get_sample_value("bespeak_holds_total", {"outcome": "held"}) or 0
    confirmed = registry.get_sample_value("bespeak_bookings_total", {"outcome": "confirmed"}) or 0
    ratio = confirmed / held if held else 0
    return (
        f"# HELP {CONFIRM_RATIO} {_CONFIRM_RATIO_HELP}\n# TYPE {CONFIRM_RATIO} gauge\n"
        f"{CONFIRM_RATIO} {ratio}\n"
    ).encode()
