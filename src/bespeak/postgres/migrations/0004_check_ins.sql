-- Check-ins: each ticket of a booking admits once, by the primary key.

-- A ticket that was used: of which booking (stored at its home), to what it admitted, where and when.
-- recorded_at is when the database heard of it, later than checked_in_at where a gate was offline.
create table bespeak.check_in (
    resource_id bigint not null,
    booking_id uuid not null,
    ticket integer not null check (ticket > 0),
    admitted_to bigint not null,
    unit text,
    gate text,
    checked_in_at timestamptz not null,
    recorded_at timestamptz not null,
    idempotency_key text,
    fingerprint bytea,
    position bigint not null default nextval('bespeak.event_position'),
    primary key (resource_id, booking_id, ticket),
    constraint check_in_before_it_is_recorded check (checked_in_at <= recorded_at)
);

-- Promise 5: the key commits with its effect.
create unique index check_in_once on bespeak.check_in (resource_id, idempotency_key)
    where idempotency_key is not null;

-- The list of who is in, newest first.
create index check_in_of_resource on bespeak.check_in (admitted_to, position);

-- One scan. What it admits to and the unit come from the signed code.
create type bespeak.check_in_request as (
    booking_id uuid,
    ticket integer,
    admitted_to bigint,
    unit text,
    gate text,
    scanned_at timestamptz,
    idempotency_key text,
    fingerprint bytea
);
