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
    check (0 <= refunded and refunded <= refunding and refunding <= amount),
    check ((step is null) = (due_at is null)),
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
    check ((state = 'pending') = (due_at is not null)),
    check ((state = 'pending') = (ended_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create index refund_due on bespeak.refund (due_at) where state = 'pending';
create index refund_of_payment on bespeak.refund (payment_id);
create index refund_called_off on bespeak.refund (called_off) where called_off is not null;

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
