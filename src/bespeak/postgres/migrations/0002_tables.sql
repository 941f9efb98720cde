-- The tables. Each hot primary key begins with the resource: it keeps one show's rows together,
-- and it is the distribution column when the database is a Citus cluster. A free unit has no row.
-- There are no foreign keys on the hot tables: each would cost a lock on the parent row a write,
-- and every writer goes through the verbs, which check more than a foreign key could.

create table bespeak.resource (
    resource_id bigint primary key check (resource_id between 1 and 1099511627775),
    name text not null check (length(name) between 1 and 200),
    kind text not null check (kind ~ '^[a-z][a-z0-9_-]{0,39}$'),
    plan jsonb not null check (jsonb_typeof(plan) = 'object'),
    -- Rises with every change. A caller that checked a request against version 3 of the plan is
    -- told so when version 4 is in force, so that plans can be cached without trust.
    version integer not null default 1 check (version > 0),
    state text not null default 'open' check (state in ('open', 'closed')),
    time_zone text not null default 'UTC',
    opens_at timestamptz,
    closes_at timestamptz,
    -- When what is sold takes place, where its lines do not say so themselves.
    starts_at timestamptz,
    ends_at timestamptz,
    hold_seconds integer not null default 600 check (hold_seconds between 1 and 86400),
    hold_seconds_max integer not null default 1800 check (hold_seconds_max <= 604800),
    owner_limit integer check (owner_limit between 1 and 1000000),
    payment text not null default 'none' check (payment in ('none', 'required')),
    -- How long a payment that was begun keeps its hold, within the hold's cap; and what becomes of
    -- money that comes when the hold is over.
    payment_seconds integer not null default 900 check (payment_seconds between 60 and 86400),
    late_payment text not null default 'same_units' check (late_payment in
        ('same_units', 'equal_offer', 'refund')),
    price_amount bigint not null default 0 check (price_amount between 0 and 1000000000000),
    currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
    -- Fees, taxes, demand steps, codes and the cancellation policy, if it has any.
    pricing jsonb check (jsonb_typeof(pricing) = 'object'),
    attributes jsonb not null default '{}' check (jsonb_typeof(attributes) = 'object'),
    created_at timestamptz not null default bespeak.now(),
    updated_at timestamptz not null default bespeak.now(),
    check (hold_seconds_max >= hold_seconds),
    check (opens_at is null or closes_at is null or opens_at < closes_at),
    check (starts_at is null or ends_at is null or starts_at < ends_at),
    check (ends_at is null or starts_at is not null)
);

-- A taken unit. The primary key is promise 1: one row a unit, so one holder an instant.
-- No index on hold_id: a hold knows its own units, so every verb comes by primary key, and a
-- change of expires_at stays on its page (HOT) because no index covers it; hence the fill factor.
create table bespeak.claim (
    resource_id bigint not null,
    unit text collate "C" not null,
    hold_id uuid not null,
    expires_at timestamptz not null,
    primary key (resource_id, unit)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

-- A counted unit. The CHECK is promise 1 for pools. A pool of which nothing was ever drawn has no
-- row: the plan tells its capacity. lapses_at is never later than the earliest lapse among its
-- timed draws, so that a sold-out pool is searched for lapsed draws only when there may be one.
create table bespeak.pool (
    resource_id bigint not null,
    unit text collate "C" not null,
    capacity integer not null,
    taken integer not null,
    lapses_at timestamptz not null default 'infinity',
    primary key (resource_id, unit),
    check (taken >= 0 and taken <= capacity)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create table bespeak.draw (
    resource_id bigint not null,
    unit text collate "C" not null,
    hold_id uuid not null,
    quantity integer not null check (quantity > 0),
    expires_at timestamptz not null,
    primary key (resource_id, unit, hold_id)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

-- How far the numbers of a resource with tickets were given out: `last` is the highest that was,
-- whatever became of it. The row is locked while numbers are given, so that their order is the
-- order of the commits; `serving` is the number that is being served, as the operator says.
create table bespeak.counter (
    resource_id bigint primary key,
    last integer not null,
    serving integer not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- A hold at its home, the resource of its first line, with its own lines: three arrays of one
-- length. A null quantity marks an exclusive unit (a claim), a number a draw from a pool; the last
-- limit_lines lines are the draws from the owner's limits and are not shown outside.
-- The price was frozen when the hold was placed. Where the lines that are shown outside are not
-- simply the claims (a stay is one line and seven nights), `shown` has them, each with its claims
-- and its weight in an owner's limit, and shown_quantities how many each of them is of.
-- Of what costs anything, `amounts` says what each shown line does, and `quote` the parts of the
-- price, the list prices and the terms of cancellation, where there is more to say than these.
-- The currency is not checked again: it is the resource's, and the check cost 5% of a hold.
create table bespeak.hold (
    resource_id bigint not null,
    hold_id uuid not null,
    owner text not null,
    state text not null check (state in ('held', 'confirmed', 'released', 'expired')),
    resources bigint[] not null,
    units text[] not null,
    quantities integer[] not null,
    limit_lines smallint not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    extends_until timestamptz not null,
    ended_at timestamptz,
    idempotency_key text,
    fingerprint bytea,
    amount bigint not null default 0 check (amount >= 0),
    currency text not null default 'EUR',
    shown_quantities integer[],
    shown jsonb,
    amounts bigint[],
    quote jsonb,
    primary key (resource_id, hold_id),
    check ((state = 'held') = (ended_at is null)),
    check (expires_at <= extends_until),
    check ((shown is null) = (shown_quantities is null))
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

-- Promise 5: the key commits with its effect. Scoped to owner and home, as the index says.
create unique index hold_once on bespeak.hold (resource_id, owner, idempotency_key)
    where idempotency_key is not null;

-- The sweeper asks which holds are due, over all resources; a hold leaves the index when it ends.
create index hold_due on bespeak.hold (expires_at) where state = 'held';

-- What a confirmed hold becomes, under the same UUID. Its lines are the hold's; cancelled counts,
-- line by line, how much of each was given back (null until the first cancellation), and
-- cancelled_shown the same of the lines that are shown outside, where those are others.
create table bespeak.booking (
    resource_id bigint not null,
    booking_id uuid not null,
    owner text not null,
    state text not null check (state in ('confirmed', 'cancelled')),
    amount bigint not null check (amount >= 0),
    currency text not null,
    cancelled integer[],
    confirmed_at timestamptz not null,
    cancelled_at timestamptz,
    reason text,
    cancelled_shown integer[],
    -- Who is written to about it: email, name, locale.
    contact jsonb,
    primary key (resource_id, booking_id),
    check ((state = 'cancelled') <= (cancelled_at is not null))
);

-- Units that the operator took out of sale. Its claims and draws carry block_id and never expire.
-- `source` is the UID of the calendar entry that it was imported from.
create table bespeak.block (
    resource_id bigint not null,
    block_id uuid not null,
    reason text not null,
    units text[] not null,
    quantities integer[] not null,
    created_at timestamptz not null,
    lifted_at timestamptz,
    source text,
    primary key (resource_id, block_id)
);

-- A calendar that is imported again, or twice at once, blocks each of its entries once.
create unique index block_once on bespeak.block (resource_id, source)
    where source is not null and lifted_at is null;

-- Which key was answered with which hold, booking or block, for every verb but placing (a hold
-- keeps its own key). It commits with the effect of the verb.
create table bespeak.answer (
    resource_id bigint not null,
    owner text not null,
    verb text not null check (verb in
        ('confirm', 'release', 'extend', 'cancel', 'block', 'unblock', 'create')),
    idempotency_key text not null,
    fingerprint bytea not null,
    subject uuid not null,
    answered_at timestamptz not null,
    primary key (resource_id, owner, verb, idempotency_key)
);

create sequence bespeak.event_position as bigint;

-- What happened, a row for each hold and resource that it touched. `units` are the units whose
-- state this event changed: an expiry lists only what was still the hold's, not what was taken over.
-- Readers follow (horizon, position) up to the oldest running transaction; see bespeak.horizon().
create table bespeak.event (
    resource_id bigint not null,
    horizon xid8 not null,
    position bigint not null default nextval('bespeak.event_position'),
    kind text not null check (kind in ('created', 'changed', 'held', 'extended', 'confirmed',
        'released', 'expired', 'cancelled', 'blocked', 'unblocked', 'payment_begun',
        'payment_authorized', 'payment_captured', 'payment_failed', 'payment_voided',
        'payment_late', 'refund_begun', 'refunded', 'refund_failed', 'checked_in', 'called_off')),
    hold_id uuid,
    units text[],
    quantities integer[],
    at timestamptz not null,
    -- What else there is to tell: the payment with its amount, the refund, the gate.
    data jsonb,
    primary key (resource_id, horizon, position)
) with (autovacuum_vacuum_scale_factor = 0.2);

-- Followers of everything read in this order; rows only ever arrive at the right edge.
create index event_feed on bespeak.event (horizon, position);

-- A booking's timeline. What happens to every hold is left out (the hold itself knows when it was
-- placed and ended), so that the hot path writes no second entry.
create index event_of_booking on bespeak.event (hold_id)
    where kind not in ('created', 'changed', 'held', 'extended', 'released', 'expired', 'blocked',
        'unblocked');

-- From a hold that late money pays for now back to the one that the money was for: rare.
create index event_of_late_money on bespeak.event ((data->>'hold_id')) where kind = 'payment_late';

-- An event may be read once every transaction up to its horizon has ended. The horizon is the
-- event's own transaction or the latest that had completed when it was written, whichever is later.
-- The own transaction makes the feed gap-free; the latest completed makes it causal: whoever
-- waited for a row lock writes its event after the transaction that held the lock completed, so
-- it sorts behind it even where its own transaction number is smaller.
create function bespeak.horizon() returns xid8
language sql volatile as $$
    select case when own.id > latest.id then own.id else latest.id end
    from (select pg_current_xact_id() as id) own,
        (select (pg_snapshot_xmax(pg_current_snapshot())::text::numeric - 1)::text::xid8 as id) latest
$$;

-- Keys of the HTTP API, stored as SHA-256 only.
create table bespeak.api_key (
    key_id text primary key,
    kind text not null check (kind in ('publishable', 'secret', 'admin')),
    name text not null,
    hash bytea not null unique,
    ending text not null,
    created_at timestamptz not null default bespeak.now(),
    revoked_at timestamptz
);

-- Secrets that the installation made for itself (the signing key of shopper tokens).
create table bespeak.secret (
    name text primary key,
    value bytea not null,
    created_at timestamptz not null default bespeak.now()
);
