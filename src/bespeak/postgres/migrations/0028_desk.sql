-- The desk: money that people take by hand, and what they hand back. Who took it is in the payment.

create table bespeak.desk_payment (
    payment_id uuid primary key,
    method text not null check (method in ('cash', 'card_terminal', 'transfer', 'voucher', 'unknown')),
    state text not null check (state in ('authorized', 'captured', 'voided', 'failed')),
    amount bigint not null check (amount > 0),
    currency text not null,
    created_at timestamptz not null
);
create index desk_payment_created on bespeak.desk_payment (created_at, payment_id);

-- A refund waits until somebody has handed the money over, and says so.
create table bespeak.desk_refund (
    refund_id uuid primary key,
    payment_id uuid not null references bespeak.desk_payment,
    amount bigint not null check (amount > 0),
    created_at timestamptz not null,
    handed_over_at timestamptz,
    handed_over_by text
);
create index desk_refund_of_payment on bespeak.desk_refund (payment_id);
create index desk_refund_handed_over on bespeak.desk_refund (handed_over_at)
    where handed_over_at is not null;
