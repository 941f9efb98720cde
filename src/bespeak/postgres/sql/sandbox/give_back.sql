-- Refunds at the bank of the sandbox.

-- Gives money back, for each refund's id once; no batch names a payment twice. The refund of a row
-- is null where it was refused: nothing captured, or not that much left.
create or replace function bespeak.sandbox_give_back(payments uuid[], refunds uuid[], amounts bigint[])
returns table (ordinal integer, standing bespeak.sandbox_standing, refund bespeak.sandbox_refund)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    perform bespeak.sandbox_lock(payments);
    with made as (
        insert into bespeak.sandbox_refund as r (refund_id, payment_id, amount, state, failure,
            due_at, created_at)
        select a.refund_id, a.payment_id, a.amount,
            case p.outcome
                when 'refund_fails' then 'failed'
                when 'refund_fails_once' then 'unheard'
                when 'refund_pending' then 'pending'
                else 'refunded' end,
            case p.outcome when 'refund_fails' then 'refund_declined' end,
            case p.outcome when 'refund_pending' then v_now + interval '2 seconds' end, v_now
        from unnest(payments, refunds, amounts) as a(payment_id, refund_id, amount)
        join bespeak.sandbox_payment p on p.payment_id = a.payment_id
        where p.state = 'captured' and a.amount between 1 and p.captured - p.refunding
        order by a.refund_id
        on conflict (refund_id) do update set state = 'refunded'
            where r.state = 'unheard' and r.payment_id = excluded.payment_id
                and r.amount = excluded.amount
        returning r.payment_id, r.amount, r.state
    )
    update bespeak.sandbox_payment p
    set has_refunds = true,
        refunding = p.refunding + case when m.state in ('pending', 'refunded') then m.amount else 0 end,
        refunded = p.refunded + case when m.state = 'refunded' then m.amount else 0 end
    from made m
    where p.payment_id = m.payment_id;

    return query
    select a.ordinality::integer, s, r
    from unnest(payments, refunds) with ordinality as a(payment_id, refund_id)
    left join bespeak.sandbox_standing s on s.payment_id = a.payment_id
    left join bespeak.sandbox_refund r on r.refund_id = a.refund_id;
end
$$;
