-- Where events are sent to (webhooks), and what buyers are written (mails). A delivery or a mail is its
-- own job, due at `due_at`, claimed with a lease. All of it may be repeated after a crash and nothing of
-- it is lost, so its commits need not wait for the disk.

-- Where events are sent, and which (null: all). The old secret signs beside the new one for a while.
create table bespeak.webhook_endpoint (
    endpoint_id text primary key,
    url text not null,
    kinds text[],
    resources bigint[],
    description text not null,
    enabled boolean not null default true,
    -- Why it is not enabled: its operator, its answer 410, days of nothing but failures.
    disabled_because text check (disabled_because in ('operator', 'gone', 'failing')),
    disabled_at timestamptz,
    failing_since timestamptz,
    secret text not null,
    old_secret text,
    old_secret_until timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    constraint webhook_endpoint_disabled_for_a_reason check (enabled = (disabled_because is null)),
    constraint webhook_endpoint_disabled_at_some_time
        check ((disabled_because is null) = (disabled_at is null)),
    constraint webhook_endpoint_old_secret_ends
        check ((old_secret is null) = (old_secret_until is null))
) with (fillfactor = 50);

-- An event for an endpoint, once: its position is a number that no other event has. The body is made
-- from the event when it is sent; a test has no event.
create table bespeak.webhook_delivery (
    endpoint_id text collate "C" not null,
    position bigint not null,
    resource_id bigint not null,
    horizon xid8 not null,
    kind text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    tries integer not null default 0,
    due_at timestamptz,
    created_at timestamptz not null,
    tried_at timestamptz,
    status integer,
    answer text,
    failure text,
    primary key (endpoint_id, position),
    constraint webhook_delivery_pending_is_due check ((state = 'pending') = (due_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index webhook_delivery_due on bespeak.webhook_delivery (endpoint_id, due_at, position)
    where state = 'pending';
create index webhook_delivery_failed on bespeak.webhook_delivery (created_at) where state = 'failed';

-- A mail to the buyer about an event, once. A hold over several resources has an event for each, and
-- is written about once. Who it goes to stands with the payment or the booking, and nowhere else.
create table bespeak.mail (
    mail_id uuid primary key,
    kind text not null check (kind in
        ('booking_confirmed', 'booking_cancelled', 'payment_late', 'payment_failed', 'refunded')),
    hold_id uuid not null,
    horizon xid8 not null,
    position bigint not null,
    at timestamptz not null,
    data jsonb,
    state text not null default 'pending'
        check (state in ('pending', 'sent', 'failed', 'dropped')),
    tries integer not null default 0,
    due_at timestamptz,
    created_at timestamptz not null,
    ended_at timestamptz,
    failure text,
    unique (position, kind),
    unique (hold_id, kind, horizon),
    constraint mail_pending_is_due check ((state = 'pending') = (due_at is not null)),
    constraint mail_ended_unless_pending check ((state = 'pending') = (ended_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create index mail_due on bespeak.mail (due_at) where state = 'pending';
create index mail_failed on bespeak.mail (created_at) where state = 'failed';
