-- Reconciling: our record of payments, compared with the providers' own. Each run leaves its report.

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
    check (since < until),
    check ((state = 'done') = (ended_at is not null)),
    check ((state = 'done') = (due_at is null))
);

-- Which payments began in a time. They come in that order, so that a few blocks are looked at, and the
-- index costs a payment next to nothing.
create index payment_created on bespeak.payment using brin (created_at)
    with (pages_per_range = 32, autosummarize = on);

-- A payment with what has to agree with its provider: its refunds, and whether there is a booking.
create view bespeak.payment_account as
select p.provider, p.created_at, p.payment_id, p.resource_id, p.hold_id, p.state, p.step, p.amount,
    p.currency, p.refunded, p.reference, p.late is not distinct from 'refund' as is_returning,
    b.booking_id is not null as is_booked,
    case when p.refunding > 0 then (
        select jsonb_agg(jsonb_build_object('refund_id', bespeak.id_text('ref', f.refund_id),
            'state', f.state, 'amount', f.amount) order by f.created_at, f.refund_id)
        from bespeak.refund f
        where f.resource_id = p.resource_id and f.payment_id = p.payment_id) end as refunds
from bespeak.payment p
left join bespeak.booking b on b.resource_id = p.resource_id and b.booking_id = p.hold_id;
