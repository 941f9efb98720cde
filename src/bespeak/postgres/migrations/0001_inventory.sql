-- What is sold and to whom. Each hot primary key begins with the resource: it keeps one show's rows
-- together, and it is the distribution column when the database is a Citus cluster. A free unit has no
-- row. There are no foreign keys on the hot tables: each would cost a lock on the parent row a write,
-- and every writer goes through the verbs, which check more than a foreign key could.
--
-- A function stands here only when a column or an index is made with it; all others are files of `sql/`.
--
-- Advisory locks of Bespeak, each a number of its own: 7094970115 migrating, 7094970117 leading the
-- background work; those of plans are in `sql/holds/plans.sql`.

-- The only clock of the engine. Tests move it with `set bespeak.now = '...'`;
-- everyone else reads the wall clock of the database, never a client's.
create function bespeak.now() returns timestamptz
language sql volatile parallel safe as $$
    select coalesce(
        nullif(current_setting('bespeak.now', true), '')::timestamptz,
        clock_timestamp())
$$;

-- Numbers the changes of plans, over all resources. It begins after 1, so that `last_value` is the
-- last number that was given out.
create sequence bespeak.plan_changes;
select nextval('bespeak.plan_changes');

create table bespeak.resource (
    resource_id bigint primary key check (resource_id between 1 and 1099511627775),
    name text not null check (length(name) between 1 and 200),
    kind text not null check (kind ~ '^[a-z][a-z0-9_-]{0,39}$'),
    plan jsonb not null check (jsonb_typeof(plan) = 'object'),
    -- Rises with every change. A caller that checked a request against version 3 of the plan is
    -- told so when version 4 is in force, so that plans can be cached without trust.
    version integer not null default 1 check (version > 0),
    -- The number of the last change of its plan.
    plan_changed bigint not null default 0,
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
    constraint resource_hold_seconds_within_max check (hold_seconds_max >= hold_seconds),
    constraint resource_opens_before_it_closes
        check (opens_at is null or closes_at is null or opens_at < closes_at),
    constraint resource_starts_before_it_ends
        check (starts_at is null or ends_at is null or starts_at < ends_at),
    constraint resource_ends_only_with_a_start check (ends_at is null or starts_at is not null)
);

create index resource_starts on bespeak.resource
    ((coalesce(starts_at, 'infinity'::timestamptz)), resource_id);
create index resource_named on bespeak.resource (name, resource_id);

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
    constraint pool_taken_within_capacity check (taken >= 0 and taken <= capacity)
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

-- A seat that a hold must not leave single: `unit` is beside the hold's seats, `beyond` is its other
-- neighbour (null: a wall or an aisle), and seat_row names the stretch of seats that is locked.
create type bespeak.seat_guard as (
    resource_id bigint,
    seat_row text,
    unit text,
    beyond text
);

-- One request. Lines are parallel arrays; the first line's resource is the home. A null quantity
-- claims an exclusive unit; a quantity draws from a pool whose capacity the plan says; a null unit
-- asks for the next number of a resource with tickets. The last limit_lines lines are draws from
-- the owner's limits, pools like any other. shown_quantities, `shown`, amounts and `quote` are stored
-- with the hold. `presale` are the resources that it may hold before they open.
create type bespeak.hold_request as (
    hold_id uuid,
    owner text,
    hold_seconds integer,
    cap_seconds integer,
    idempotency_key text,
    fingerprint bytea,
    resources bigint[],
    units text[],
    quantities integer[],
    capacities integer[],
    limit_lines integer,
    amount bigint,
    currency text,
    shown_quantities integer[],
    shown text,
    guards bespeak.seat_guard[],
    amounts bigint[],
    quote text,
    presale bigint[]
);

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
    -- The last change of a plan when it was placed: what was changed after that, it was not judged by.
    plans_seen bigint not null default 0,
    primary key (resource_id, hold_id),
    constraint hold_ended_unless_held check ((state = 'held') = (ended_at is null)),
    constraint hold_expires_within_its_cap check (expires_at <= extends_until),
    constraint hold_shown_with_quantities check ((shown is null) = (shown_quantities is null))
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

-- Promise 5: the key commits with its effect. Keys are the owner's, wherever the hold is stored: a
-- repeat whose lines come in another order, or are of another resource, must find the hold.
create table bespeak.hold_key (
    owner text not null,
    idempotency_key text not null,
    resource_id bigint not null,
    hold_id uuid not null,
    primary key (owner, idempotency_key)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- The sweeper asks which holds are due, over all resources; a hold leaves the index when it ends.
create index hold_due on bespeak.hold (expires_at) where state = 'held';

-- One request to change a hold or booking. A null owner is a trusted caller (the operator's server).
-- The lines are claims to give back, of a cancellation in part. Where the hold shows other lines
-- than its claims, shown_lines are the places of those (from 1) that the claims stand for, with how
-- many of each, and the claims name the draws from the owner's limits as well.
-- refund_amount is what a cancellation gives back (null: no money moves), computed when the booking's
-- `cancelled` was expected_cancelled; called_off is the resource that was, if that is why.
create type bespeak.change_request as (
    hold_id uuid,
    home bigint,
    owner text,
    idempotency_key text,
    fingerprint bytea,
    seconds integer,
    reason text,
    resources bigint[],
    units text[],
    quantities integer[],
    shown_lines integer[],
    shown_quantities integer[],
    contact jsonb,
    refund_amount bigint,
    expected_cancelled integer[],
    called_off bigint
);

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
    constraint booking_cancelled_at_some_time
        check ((state = 'cancelled') <= (cancelled_at is not null))
);

-- The bookings of an owner, and those of all, latest first. They are written when a hold is confirmed,
-- not when it is placed; the second one only ever grows at its right edge.
create index booking_of_owner on bespeak.booking (owner, confirmed_at desc, booking_id desc);
create index booking_confirmed on bespeak.booking (confirmed_at, booking_id);

-- The words by which an operator finds the booking of somebody at the door. The contact stands with the
-- booking, or with what it was paid by.
create function bespeak.contact_words(contact jsonb) returns tsvector
language sql immutable strict parallel safe as $$
    select to_tsvector('simple', concat_ws(' ', contact ->> 'name', contact ->> 'email'))
$$;

create index booking_contact on bespeak.booking using gin (bespeak.contact_words(contact))
    where contact is not null;

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
