-- Reserved money is taken, or given up.

-- Captures a batch of payments; those that are not authorized stay as they are, which the standing
-- tells. For some outcomes the bank voids instead, takes half, or tells of it in the wrong order.
create or replace function bespeak.sandbox_capture(payments uuid[])
returns table (ordinal integer, standing bespeak.sandbox_standing)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    perform bespeak.sandbox_lock(payments);
    with moved as (
        update bespeak.sandbox_payment p
        set state = case p.outcome when 'capture_fails' then 'voided' else 'captured' end,
            captured = case p.outcome when 'capture_fails' then 0
                when 'partial_capture' then (p.amount + 1) / 2 else p.amount end,
            failure = case p.outcome when 'capture_fails' then 'authorization_voided' end
        where p.payment_id = any(payments) and p.state = 'authorized'
        returning p.payment_id, p.outcome, p.amount, p.currency
    )
    insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, due_at,
        created_at)
    select bespeak.sandbox_callback_id(), m.payment_id, t.kind, m.amount, m.currency,
        v_now + make_interval(secs => t.seconds), v_now
    from moved m
    join (values ('capture_fails', 'payment.voided', 0), ('out_of_order', 'payment.captured', 0),
        ('out_of_order', 'payment.authorized', 1)) as t(outcome, kind, seconds)
        on t.outcome = m.outcome;

    return query
    select a.ordinality::integer, s
    from unnest(payments) with ordinality as a(payment_id)
    left join bespeak.sandbox_standing s on s.payment_id = a.payment_id;
end
$$;

-- Gives up a batch of reservations; what is captured or failed stays so, which the standing tells.
create or replace function bespeak.sandbox_void(payments uuid[])
returns table (ordinal integer, standing bespeak.sandbox_standing)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
    perform bespeak.sandbox_lock(payments);
    update bespeak.sandbox_payment p set state = 'voided', due_at = null
    where p.payment_id = any(payments) and p.state in ('pending', 'challenge', 'authorized');

    return query
    select a.ordinality::integer, s
    from unnest(payments) with ordinality as a(payment_id)
    left join bespeak.sandbox_standing s on s.payment_id = a.payment_id;
end
$$;

-- Locks payments until the transaction ends, in the order of their ids.
create or replace function bespeak.sandbox_lock(payments uuid[]) returns void
language plpgsql
set enable_seqscan = off
as $$
begin
    perform from bespeak.sandbox_payment p
    where p.payment_id = any(payments) order by p.payment_id for update;
end
$$;
