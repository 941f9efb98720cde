-- Payments and refunds. Each row is the record and its own job: `step` is what is to be done next with
-- the provider, written before it is done, and `due_at` when somebody else takes it over. There is no
-- queue beside them that could disagree with them.

-- A payment of one hold, at the hold's home. The amount is the hold's, frozen; no client names it.
-- `step` is what comes next: `authorize` (asked, or to be asked again), `await` (the buyer or the
-- provider is at it: look), `capture`, `void` (its hold is lost), `offer` (find an equal one for late
-- money), `check` (it failed for us; look once more whether money came after all).
create table bespeak.payment (
    resource_id bigint not null,
    payment_id uuid not null,
    hold_id uuid not null,
    owner text not null,
    provider text not null,
    state text not null check (state in
        ('pending', 'authorized', 'captured', 'refunded', 'failed', 'voided')),
    step text check (step in ('authorize', 'await', 'capture', 'void', 'offer', 'check')),
    due_at timestamptz,
    tries integer not null default 0,
    amount bigint not null check (amount > 0),
    currency text not null,
    -- Of the amount, what is to be given back and what was.
    refunding bigint not null default 0,
    refunded bigint not null default 0,
    token text,
    return_url text,
    reference text,
    action_url text,
    failure text,
    -- What became of late money: the same units, an equal offer, or its return.
    late text check (late in ('same_units', 'equal_offer', 'refund')),
    contact jsonb,
    idempotency_key text,
    fingerprint bytea,
    window_ends_at timestamptz not null,
    created_at timestamptz not null,
    authorized_at timestamptz,
    captured_at timestamptz,
    ended_at timestamptz,
    primary key (resource_id, payment_id),
    constraint payment_refunds_within_amount
        check (0 <= refunded and refunded <= refunding and refunding <= amount),
    constraint payment_step_is_due check ((step is null) = (due_at is null)),
    constraint payment_captured_at_some_time
        check ((state = 'captured') <= (captured_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- A hold is paid once: while one payment is under way or has paid, no other begins. Money that is on
-- its way back pays for nothing.
create unique index payment_live on bespeak.payment (resource_id, hold_id)
    where state in ('pending', 'authorized', 'captured') and late is distinct from 'refund';

-- Promise 5: the key commits with its effect.
create unique index payment_once on bespeak.payment (resource_id, owner, idempotency_key)
    where idempotency_key is not null;

-- The recovery asks which steps are due; a payment at rest is not in it.
create index payment_due on bespeak.payment (due_at) where step is not null;

-- What a booking was paid by, also when it was given back since.
create index payment_of_hold on bespeak.payment (hold_id);

-- Which payments began in a time. They come in that order, so that a few blocks are looked at, and the
-- index costs a payment next to nothing.
create index payment_created on bespeak.payment using brin (created_at)
    with (pages_per_range = 32, autosummarize = on);
create index payment_contact on bespeak.payment using gin (bespeak.contact_words(contact))
    where contact is not null;

-- One payment to begin. A null owner is a trusted caller. The amount is the hold's.
create type bespeak.payment_request as (
    payment_id uuid,
    home bigint,
    hold_id uuid,
    owner text,
    provider text,
    token text,
    return_url text,
    contact jsonb,
    idempotency_key text,
    fingerprint bytea,
    lease_seconds integer
);

-- What a provider tells of a payment. `missing`: it does not know it.
create type bespeak.settle_request as (
    payment_id uuid,
    home bigint,
    standing text,
    reference text,
    amount bigint,
    currency text,
    action_url text,
    failure text,
    again_seconds integer
);

-- Which callbacks came, each once, and what became of them: for repeats, and for people who look.
create table bespeak.payment_callback (
    provider text not null,
    callback_id text not null,
    kind text not null,
    payment_id uuid,
    outcome text not null check (outcome in ('settled', 'unknown', 'mismatch')),
    received_at timestamptz not null,
    primary key (provider, callback_id)
);

-- Money to be given back, each once: refund_id is the idempotency key with the provider.
create table bespeak.refund (
    resource_id bigint not null,
    refund_id uuid not null,
    payment_id uuid not null,
    hold_id uuid not null,
    amount bigint not null check (amount > 0),
    currency text not null,
    cause text not null check (cause in ('cancelled', 'called_off', 'late', 'mismatch')),
    state text not null check (state in ('pending', 'refunded', 'failed')),
    failure text,
    due_at timestamptz,
    tries integer not null default 0,
    -- The resource that was called off, if that is the cause.
    called_off bigint,
    created_at timestamptz not null,
    ended_at timestamptz,
    primary key (resource_id, refund_id),
    constraint refund_pending_is_due check ((state = 'pending') = (due_at is not null)),
    constraint refund_ended_unless_pending check ((state = 'pending') = (ended_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create index refund_due on bespeak.refund (due_at) where state = 'pending';
create index refund_of_payment on bespeak.refund (payment_id);
create index refund_called_off on bespeak.refund (called_off) where called_off is not null;

-- What failed and waits for a person: rare, so these are all but empty.
create index refund_failed on bespeak.refund (created_at) where state = 'failed';

-- What a provider tells of a refund: pending, refunded, failed.
create type bespeak.refund_report as (
    refund_id uuid,
    home bigint,
    standing text,
    failure text
);

-- A resource that was called off: its holds are released and its bookings cancelled, batch by batch in
-- the order of the claims and then of the draws. The place where the next batch begins is written in
-- the transaction of the one before, so that whoever goes on misses none and does none twice.
create table bespeak.cancellation (
    resource_id bigint primary key,
    reason text not null,
    refund text not null check (refund in ('full', 'policy')),
    -- Reopened: it stands no more. The row stays for its key, whose late repeat calls nothing off.
    state text not null check (state in ('running', 'done', 'reopened')),
    phase text not null check (phase in ('claims', 'draws')),
    after_unit text collate "C" not null,
    after_hold uuid not null,
    bookings_total integer not null,
    bookings_done integer not null default 0,
    holds_released integer not null default 0,
    idempotency_key text,
    fingerprint bytea not null,
    begun_at timestamptz not null,
    ended_at timestamptz,
    constraint cancellation_ended_unless_running check ((state = 'running') = (ended_at is null))
);

create index cancellation_running on bespeak.cancellation (begun_at) where state = 'running';

-- A run over a half-open time of a provider's payments. The background worker begins the run of a day
-- by inserting its row; due_at is when another takes it over, should it die or find the provider away.
create table bespeak.reconciliation (
    provider text not null,
    since timestamptz not null,
    until timestamptz not null,
    state text not null check (state in ('running', 'done')),
    due_at timestamptz,
    tries integer not null default 1,
    -- Payments of ours and of theirs in this time; those that still move; what differs.
    ours bigint not null default 0,
    theirs bigint not null default 0,
    unsettled bigint not null default 0,
    differences bigint not null default 0,
    -- The first of the differences, for people.
    report jsonb,
    failure text,
    begun_at timestamptz not null,
    ended_at timestamptz,
    primary key (provider, since, until),
    constraint reconciliation_since_before_until check (since < until),
    constraint reconciliation_ended_if_done check ((state = 'done') = (ended_at is not null)),
    constraint reconciliation_due_unless_done check ((state = 'done') = (due_at is null))
);
