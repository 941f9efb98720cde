-- The sandbox: a bank that moves no money, for trying and testing. It is another party, which happens
-- to keep its books in this database: it reads and writes no table but those below, and nothing but
-- the provider seam reads them. So a look-up after a kill tells what a bank would tell.

-- A payment as the bank has it. `outcome` is what the buyer's token asked for. An `unheard` order
-- reached the bank and was lost there: for whoever asks it does not exist, until it comes again.
-- `due_at` is when the bank decides a pending payment by itself.
create table bespeak.sandbox_payment (
    payment_id uuid primary key,
    reference text not null unique,
    owner text not null,
    token text not null,
    outcome text not null,
    state text not null check (state in
        ('unheard', 'pending', 'challenge', 'authorized', 'captured', 'voided', 'failed')),
    failure text,
    amount bigint not null check (amount > 0),
    currency text not null,
    -- Of what was captured: promised to go back, and gone back.
    refunding bigint not null default 0,
    refunded bigint not null default 0,
    has_refunds boolean not null default false,
    description text not null,
    return_url text,
    due_at timestamptz,
    created_at timestamptz not null,
    constraint sandbox_payment_refunds_within_amount
        check (0 <= refunded and refunded <= refunding and refunding <= amount),
    constraint sandbox_payment_refunded_if_captured check (refunding = 0 or state = 'captured')
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- What the bank has to decide next; of most payments nothing, so they are not in it.
create index sandbox_payment_due on bespeak.sandbox_payment (due_at) where due_at is not null;

-- Reconciling reads the payments of a time, page by page.
create index sandbox_payment_created on bespeak.sandbox_payment (created_at, payment_id);

-- Money that goes back, once for each id.
create table bespeak.sandbox_refund (
    refund_id uuid primary key,
    payment_id uuid not null,
    amount bigint not null check (amount > 0),
    state text not null check (state in ('unheard', 'pending', 'refunded', 'failed')),
    failure text,
    due_at timestamptz,
    created_at timestamptz not null
);

create index sandbox_refund_of_payment on bespeak.sandbox_refund (payment_id);
create index sandbox_refund_due on bespeak.sandbox_refund (due_at) where due_at is not null;

-- What the bank is to tell by itself, or told: the outbox. `due_at` is null once it is told often
-- enough (`copies` are left), or given up. The amount is what the callback says, true or not.
create table bespeak.sandbox_callback (
    callback_id text primary key,
    payment_id uuid not null,
    kind text not null check (kind in ('payment.authorized', 'payment.captured', 'payment.failed',
        'payment.voided', 'refund.refunded')),
    amount bigint not null,
    currency text not null,
    copies integer not null default 1 check (copies >= 0),
    tries integer not null default 0,
    due_at timestamptz,
    delivered_at timestamptz,
    created_at timestamptz not null
);

create index sandbox_callback_due on bespeak.sandbox_callback (due_at) where due_at is not null;
create index sandbox_callback_of_payment on bespeak.sandbox_callback (payment_id);

-- Tokens that were made for one buyer, good for one payment.
create table bespeak.sandbox_token (
    token text primary key,
    owner text not null,
    outcome text not null,
    payment_id uuid,
    created_at timestamptz not null
);

-- One order. `decide_seconds` says when a pending payment is decided; `tells` is the kind of the
-- callback that goes out for a new one, with when, how often, and which amount it claims.
create type bespeak.sandbox_order as (
    payment_id uuid,
    reference text,
    owner text,
    token text,
    outcome text,
    state text,
    failure text,
    amount bigint,
    currency text,
    description text,
    return_url text,
    decide_seconds double precision,
    tells text,
    tell_seconds double precision,
    tell_copies integer,
    tell_amount bigint,
    tell_currency text
);
