-- What providers tell of refunds. No transaction is open while a provider is asked.
--
-- Locks: cancellation rows, hold rows, booking rows, payment rows, refund rows, then what cancelling
-- locks.

-- Moves refunds to where their provider says that they stand. A refund that the provider is still at
-- is looked at again, the older the later. What failed stays promised (`refunding`), so that nobody
-- promises it twice. Outcomes: settled, not_found.
create or replace function bespeak.settle_refunds(home bigint, requests bespeak.refund_report[])
returns table (ordinal integer, outcome text, answered_at timestamptz, refund bespeak.refund)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
begin
    perform from unnest(requests) as q
    join bespeak.refund f on f.resource_id = q.home and f.refund_id = q.refund_id
    join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    order by p.resource_id, p.payment_id for update of p;
    perform from unnest(requests) as q
    join bespeak.refund f on f.resource_id = q.home and f.refund_id = q.refund_id
    order by f.resource_id, f.refund_id for update of f;
    v_now := bespeak.now();

    -- The guard names both sides, so that it is asked of what was found by its key: see end_holds.
    update bespeak.refund f
    set tries = 1, due_at = v_now + least(interval '1 hour',
        greatest(interval '2 seconds', (v_now - f.created_at) / 4))
    from unnest(requests) as q
    where f.resource_id = q.home and f.refund_id = q.refund_id
        and case when f.refund_id = q.refund_id then f.state = 'pending' end
        and q.standing = 'pending';

    with ended as (
        update bespeak.refund f
        set state = q.standing, failure = q.failure, due_at = null, ended_at = v_now
        from unnest(requests) as q
        where f.resource_id = q.home and f.refund_id = q.refund_id
        and case when f.refund_id = q.refund_id then f.state = 'pending' end
            and q.standing in ('refunded', 'failed')
        returning f, q.actor
    ), returned as (
        update bespeak.payment p
        set refunded = p.refunded + s.amount,
            state = case when p.refunded + s.amount = p.captured then 'refunded' else p.state end,
            ended_at = case when p.refunded + s.amount = p.captured then v_now else p.ended_at end
        from (
            select (e.f).resource_id, (e.f).payment_id, sum((e.f).amount)::bigint as amount
            from ended e where (e.f).state = 'refunded'
            group by 1, 2
        ) s
        where p.resource_id = s.resource_id and p.payment_id = s.payment_id
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    select (e.f).resource_id, bespeak.horizon(),
        case (e.f).state when 'refunded' then 'refunded' else 'refund_failed' end, (e.f).hold_id,
        v_now, bespeak.refund_data(e.f), e.actor
    from ended e;

    return query
    select q.ordinality::integer, case when f.refund_id is null then 'not_found' else 'settled' end,
        v_now, f
    from unnest(requests) with ordinality as q
    left join bespeak.refund f on f.resource_id = q.home and f.refund_id = q.refund_id;
end
$$;

-- Ends the refunds of a payment that were promised and not asked for yet: another takes their place, or
-- no money was taken. The caller has the payment's row, and has lowered `refunding`.
create or replace function bespeak.end_refunds(
    v_now timestamptz, home bigint, in_payment uuid, in_failure text, in_actor text) returns void
language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
    with ended as (
        update bespeak.refund f
        set state = 'failed', failure = in_failure, due_at = null, ended_at = v_now
        where f.resource_id = home and f.payment_id = in_payment and f.state = 'pending'
        returning f
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, at, data, actor)
    select (e.f).resource_id, bespeak.horizon(), 'refund_failed', (e.f).hold_id, v_now,
        bespeak.refund_data(e.f), in_actor
    from ended e
$$;

-- Lets a refund that failed be tried again. One that is pending is so already; one that was made, whose
-- place another took, or of a payment that took no money, stays.
create or replace function bespeak.retry_refund(home bigint, in_refund uuid)
returns table (refund bespeak.refund, payment bespeak.payment)
language plpgsql as $$
#variable_conflict use_column
begin
    update bespeak.refund f
    set state = 'pending', failure = null, due_at = bespeak.now(), tries = 0, ended_at = null
    where f.resource_id = home and f.refund_id = in_refund and f.state = 'failed'
        and f.failure is distinct from 'amount_mismatch' and exists (
            select from bespeak.payment p
            where p.resource_id = f.resource_id and p.payment_id = f.payment_id
                and p.state not in ('failed', 'voided'));
    return query
    select f, p from bespeak.refund f
    join bespeak.payment p on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    where f.resource_id = home and f.refund_id = in_refund;
end
$$;
