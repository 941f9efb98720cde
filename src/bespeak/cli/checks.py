"""What `bespeak doctor` looks at, one function a question. Each answers with a finding that says
what was seen and, where it is not well, what to do.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import msgspec

from bespeak.errors import BespeakError, InvalidSetting
from bespeak.http.api.verticals import endpoints
from bespeak.http.server.budgets.policy import Step
from bespeak.http.server.budgets.report import steps_met
from bespeak.inventory.audit import violations
from bespeak.invoices.audit import invoice_problems
from bespeak.payments.assembly import provider_names, refuse_pretend_money
from bespeak.payments.audit import money_problems
from bespeak.payments.providers.desk import Desk
from bespeak.payments.providers.sandbox import Sandbox
from bespeak.payments.reconciliation.report import last_runs
from bespeak.postgres.errors import DatabaseNotMigrated, DatabaseTooNew
from bespeak.postgres.migrate import require_migrated
from bespeak.postgres.queries import load
from bespeak.relay.lag import lags_of
from bespeak.settings import Settings
from bespeak.verticals.errors import VerticalBroken
from bespeak.verticals.installed import look, sources_of
from bespeak.verticals.vertical import Vertical

if TYPE_CHECKING:
    from bespeak.postgres.pool import Connection

_QUERIES = load("bespeak.cli", "doctor.sql")
_LEADER = load("bespeak.cli.supervision", "leader.sql")
_VERSION_MIN = 15
_CLOCK_SECONDS_MAX = 1.0
_TRANSACTION_SECONDS_MAX = 10
_FEED_SECONDS_MAX = 10
_RELAY_SECONDS_MAX = 3600
_WORKERS_USUAL = 2
_FOLLOWER_CONNECTIONS = 2
_LEADER_CONNECTIONS = 2
_BUDGET_REFUSALS_MANY = 100
_MOMENT = "%Y-%m-%dT%H:%MZ"
# Variables that are ours without being settings of the server.
_OTHER_VARIABLES = ("BESPEAK_KEY", "BESPEAK_LISTEN_SECRET", "BESPEAK_RELAY_TO", "BESPEAK_TEST_")

Verdict = Literal["ok", "warning", "failed"]


class Finding(msgspec.Struct, frozen=True):
    """What one check saw. A warning does not fail the doctor."""

    check: str
    verdict: Verdict
    seen: str
    remedy: str = ""


def verticals() -> list[Finding]:
    """Which verticals are installed; a finding for each that cannot be used."""
    found = look()
    names = ", ".join(vertical.name for vertical in found.usable)
    remedy = "mend or uninstall its package: no server starts with it"
    broken = [*found.broken, *_broken_calls(found.usable)]
    told = [Finding("verticals", "failed", error.detail, remedy) for error in broken]
    return told or [Finding("verticals", "ok", names or "none")]


def _broken_calls(usable: Sequence[Vertical]) -> list[VerticalBroken]:
    """What is wrong with the calls of verticals, each by itself."""
    found: list[VerticalBroken] = []
    for vertical in usable:
        try:
            endpoints([vertical])
        except VerticalBroken as error:
            found.append(error)
    return found


def settings(environment: Mapping[str, str] | None = None) -> Finding:
    """Whether the environment's settings can be read, and none is misspelt."""
    source = os.environ if environment is None else environment
    try:
        read = Settings.read(source)
        refuse_pretend_money(read)
    except InvalidSetting as error:
        return Finding("settings", "failed", error.detail, "set it to a value that it can have")
    known = {f"BESPEAK_{name.upper()}" for name in Settings.__struct_fields__}
    unknown = sorted(
        name
        for name in source
        if name.startswith("BESPEAK_")
        and name not in known
        and not name.startswith(_OTHER_VARIABLES)
    )
    if unknown:
        names = ", ".join(unknown)
        return Finding(
            "settings", "warning", f"no such setting: {names}", "look for a typing error"
        )
    providers = provider_names(read)
    real = ", ".join(name for name in providers if name not in (Sandbox.name, Desk.name))
    if Sandbox.name in providers and real:
        return Finding(
            "settings",
            "warning",
            f"the sandbox stands beside {real}: whoever names it pays with pretend money",
            "take sandbox out of BESPEAK_PAYMENT_PROVIDERS, and unset BESPEAK_ALLOW_PRETEND_MONEY",
        )
    if Sandbox.name in providers and not read.demo:
        return Finding(
            "settings",
            "warning",
            "whoever buys pays with pretend money: the sandbox is on, and this is not the demo",
            "where real things are sold, unset BESPEAK_ALLOW_PRETEND_MONEY",
        )
    return Finding("settings", "ok", f"{len(known & set(source))} set in the environment")


def unreachable(error: BespeakError) -> Finding:
    """The finding when there is no connection at all."""
    remedy = "see that PostgreSQL runs, and that BESPEAK_DATABASE_URL is right"
    return Finding("connection", "failed", error.detail, remedy)


async def all_of(connection: Connection) -> list[Finding]:
    """Every question that takes a connection; those about the schema only where there is one."""
    found = [
        Finding("connection", "ok", "the database answers"),
        await _version(connection),
        await _durability(connection),
        await _connections(connection),
        await _clock(connection),
        await _transactions(connection),
    ]
    schema = await _schema(connection)
    found.append(schema)
    if schema.verdict == "ok":
        found += [
            await _audit(connection),
            await _money(connection),
            await _invoices(connection),
            await _reconciled(connection),
            await _feed(connection),
            await _retention(connection),
            await _relays(connection),
            await _budgets(connection),
            await _worker(connection),
        ]
    return found


async def _version(connection: Connection) -> Finding:
    row = await connection.fetchrow(_QUERIES["server"])
    version, text = (row["version"], row["version_text"]) if row else (0, "unknown")
    if version < _VERSION_MIN:
        remedy = f"use PostgreSQL {_VERSION_MIN} or newer"
        return Finding("version", "failed", f"PostgreSQL {text}", remedy)
    return Finding("version", "ok", f"PostgreSQL {text}")


async def _durability(connection: Connection) -> Finding:
    off = [row["name"] for row in await connection.fetch(_QUERIES["durability"])]
    if off:
        remedy = "turn it on, or a power cut loses bookings that were confirmed to buyers"
        return Finding("durability", "failed", f"off: {', '.join(off)}", remedy)
    return Finding("durability", "ok", "fsync, full_page_writes, synchronous_commit")


def _chosen() -> Settings:
    """The settings of the environment; the defaults where they cannot be read, which `settings`
    finds."""
    try:
        return Settings.read()
    except InvalidSetting:
        return Settings()


async def _connections(connection: Connection) -> Finding:
    row = await connection.fetchrow(_QUERIES["server"])
    most = row["max_connections"] if row else 0
    used: int = await connection.fetchval(_QUERIES["sessions"])
    chosen = _chosen()
    needed = (
        _WORKERS_USUAL * (chosen.pool_max + chosen.lanes + _FOLLOWER_CONNECTIONS)
        + _LEADER_CONNECTIONS
    )
    seen = f"{used} of {most} in use; a server with two workers takes up to {needed}"
    if most - used < needed and not await connection.fetchval(_QUERIES["other_sessions"]):
        remedy = "raise max_connections, or lower BESPEAK_POOL_MAX"
        return Finding("connections", "warning", seen, remedy)
    return Finding("connections", "ok", seen)


async def _clock(connection: Connection) -> Finding:
    before = time.time()
    row = await connection.fetchrow(_QUERIES["server"])
    after = time.time()
    there = row["now"].timestamp() if row else after
    # The database read its clock somewhere between our two readings.
    apart = max(0.0, before - there, there - after)
    seen = f"{apart:.3f} s apart from this host's"
    if apart > _CLOCK_SECONDS_MAX:
        remedy = "synchronise both by NTP; holds follow the database's clock, logs this host's"
        return Finding("clock", "warning", seen, remedy)
    return Finding("clock", "ok", seen)


async def _transactions(connection: Connection) -> Finding:
    rows = await connection.fetch(_QUERIES["long_transactions"], float(_TRANSACTION_SECONDS_MAX))
    if not rows:
        seen = f"none writes for longer than {_TRANSACTION_SECONDS_MAX} s"
        return Finding("transactions", "ok", seen)
    seen = "; ".join(
        f"pid {row['pid']} ({row['application_name'] or row['user_name']}) for {row['seconds']} s"
        for row in rows
    )
    remedy = "the feed waits for these: end them, or select pg_terminate_backend(pid)"
    return Finding("transactions", "warning", seen, remedy)


async def _schema(connection: Connection) -> Finding:
    try:
        await require_migrated(connection, sources_of(look().usable))
    except DatabaseNotMigrated as error:
        return Finding("schema", "failed", error.detail, "run `bespeak migrate`")
    except DatabaseTooNew as error:
        return Finding("schema", "failed", error.detail, "use the program that made it")
    return Finding("schema", "ok", "is the one of this program")


async def _audit(connection: Connection) -> Finding:
    found = await violations(connection)
    if found:
        first = found[0]
        seen = f"{len(found)} violations, as {first.problem} of {first.unit} in {first.resource_id}"
        return Finding("audit", "failed", seen, "see: select * from bespeak.audit()")
    return Finding("audit", "ok", "nothing is sold twice, and all counts agree")


async def _money(connection: Connection) -> Finding:
    found = await money_problems(connection)
    if found:
        first = found[0]
        about = first.refund_id or first.payment_id or first.booking_id
        seen = f"{len(found)} problems, as {first.problem} of {about}: {first.meaning}"
        return Finding("money", "failed", seen, "see: select * from bespeak.money_problems()")
    return Finding("money", "ok", "money and inventory agree")


async def _invoices(connection: Connection) -> Finding:
    found = await invoice_problems(connection)
    if found:
        first = found[0]
        seen = f"{len(found)} problems, as {first.problem} at {first.number}: {first.meaning}"
        return Finding("invoices", "failed", seen, "see: select * from bespeak.invoice_problems()")
    return Finding("invoices", "ok", "the numbers have no gap")


async def _reconciled(connection: Connection) -> Finding:
    runs = await last_runs(connection)
    told = []
    for run in runs:
        if run.bad_differences:
            between = f"--since {run.bad_since:{_MOMENT}} --until {run.bad_until:{_MOMENT}}"
            seen = f"{run.bad_differences} differences with {run.provider}, last until"
            remedy = f"run `bespeak reconcile --provider {run.provider} {between}`"
            return Finding("reconciliation", "failed", f"{seen} {run.bad_until:{_MOMENT}}", remedy)
        if run.until is None or run.is_old:
            seen = "money was taken, and not compared with the provider's books for days"
            remedy = "keep a background worker running, or run `bespeak reconcile`"
            return Finding("reconciliation", "warning", seen, remedy)
        if run.ended_at is None and run.failure is not None:
            seen = f"waits for {run.provider}: {run.failure}"
            return Finding("reconciliation", "warning", seen, "it is tried again by itself")
        told.append(f"{run.provider} until {run.until:{_MOMENT}}, {run.unsettled} unsettled")
    seen = f"no difference with {'; '.join(told)}" if told else "no money was taken yet"
    return Finding("reconciliation", "ok", seen)


async def _feed(connection: Connection) -> Finding:
    row = await connection.fetchrow(_QUERIES["feed"])
    position, lives, waiting = row or (0, 0, None)
    seen = f"{position} events, in life {lives} of the feed"
    if waiting is None or waiting < _FEED_SECONDS_MAX:
        return Finding("feed", "ok", seen)
    seen = f"{seen}; the next has waited {waiting:.0f} s for its position"
    if await connection.fetchval(_LEADER["has_leader"]):
        remedy = "look into the log of the background worker, which gives it"
        return Finding("feed", "failed", seen, remedy)
    return Finding("feed", "ok", f"{seen}, which a background worker gives")


async def _retention(connection: Connection) -> Finding:
    chosen = _chosen()
    days = {"ended_holds": chosen.keep_holds_days, "booked_keys": chosen.keep_keys_days}
    kept = {name: most for name, most in days.items() if most}
    rows = await connection.fetch(
        _QUERIES["retention_behind"], [*kept], [*kept.values()], chosen.keep_events_days
    )
    if rows:
        seen = "; ".join(f"{row['name']} waits at {row['at']:{_MOMENT}}" for row in rows)
        remedy = "keep a background worker running; its log says of `retention` what is wrong"
        return Finding("retention", "warning", seen, remedy)
    return Finding("retention", "ok", "what is past its time is deleted")


async def _relays(connection: Connection) -> Finding:
    lags = await lags_of(connection)
    behind = [lag for lag in lags if lag.seconds > _RELAY_SECONDS_MAX]
    if behind:
        seen = "; ".join(
            f"{lag.name} has {lag.events} events to send, the oldest for {lag.seconds:.0f} s"
            for lag in behind
        )
        remedy = f"run it, or end it: `bespeak relay --name {behind[0].name} --forget`"
        return Finding("relays", "warning", seen, remedy)
    return Finding("relays", "ok", f"{len(lags)}, none behind by an hour")


async def _budgets(connection: Connection) -> Finding:
    now: datetime = await connection.fetchval(_QUERIES["clock"])
    steps = await steps_met(connection, now.timestamp())
    refused = {
        step.budget: step.this_hour + step.last_hour for step in steps if step.step == Step.REFUSED
    }
    count = sum(refused.values())
    seen = f"guests were refused {count} times in this hour and the last"
    if count >= _BUDGET_REFUSALS_MANY:
        most = max(refused, key=lambda budget: refused[budget])
        return Finding(
            "budgets",
            "warning",
            f"{seen}, most often by {most} ({refused[most]})",
            "see who, at the console under Work: an attack, or many honest people behind one"
            " address, which BESPEAK_BUDGETS_EXEMPT lets through",
        )
    return Finding("budgets", "ok", seen)


async def _worker(connection: Connection) -> Finding:
    if await connection.fetchval(_LEADER["has_leader"]):
        return Finding("worker", "ok", "one background worker leads")
    if await connection.fetchval(_QUERIES["other_sessions"]):
        remedy = "run `bespeak worker`, or `bespeak serve`, which runs one"
        return Finding(
            "worker", "failed", "programs of Bespeak run, but no background worker", remedy
        )
    return Finding("worker", "warning", "no server and no background worker runs", "bespeak serve")
