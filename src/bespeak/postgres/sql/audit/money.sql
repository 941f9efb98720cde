-- The auditor of the money: payments and refunds held against holds, bookings and each other. Tests,
-- `bespeak doctor` and whoever asks share it, as they share bespeak.audit() for what is sold.

-- Every disagreement of money and inventory. An empty answer is the proof that nobody was charged for
-- nothing. What is due may wait for in_grace before it counts as stuck.
create or replace function bespeak.money_problems(in_grace interval default '5 minutes')
returns table (problem text, resource_id bigint, payment_id uuid, refund_id uuid, booking_id uuid,
    details jsonb)
language sql stable
-- Whole tables are held against each other: a nested loop, tempting where statistics are old, would
-- take hours for what hashing does in seconds.
set enable_nestloop = off
as $$
    select * from bespeak.payment_problems(in_grace)
    union all
    select * from bespeak.unpaid_bookings()
    union all
    select * from bespeak.refund_problems(in_grace)
$$;

-- Payments that disagree with their holds, bookings and refunds, or whose next step is wrong or late.
create or replace function bespeak.payment_problems(in_grace interval)
returns table (problem text, resource_id bigint, payment_id uuid, refund_id uuid, booking_id uuid,
    details jsonb)
language sql stable as $$
    with moment as materialized (
        select bespeak.now() as now
    ), returned as (
        select f.resource_id, f.payment_id, sum(f.amount) as amount,
            coalesce(sum(f.amount) filter (where f.state = 'refunded'), 0) as refunded
        from bespeak.refund f
        -- Promised before the capture: another took its place, or no money was taken.
        where f.failure is null or f.failure not in ('amount_mismatch', 'not_captured')
        group by f.resource_id, f.payment_id
    ), twice as (
        select p.resource_id, p.hold_id from bespeak.payment p
        where p.state in ('pending', 'authorized', 'captured') and p.late is distinct from 'refund'
        group by p.resource_id, p.hold_id having count(*) > 1
    ), judged as (
        select p as payment, b.booking_id, array_remove(array[
            case when h.hold_id is null then 'payment_without_hold' end,
            case when (p.owner, p.amount, p.currency) <> (h.owner, h.amount, h.currency)
                then 'payment_differs' end,
            case when p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
                and p.step is distinct from 'offer' and b.booking_id is null
                then 'payment_without_booking' end,
            case when t.hold_id is not null and p.late is distinct from 'refund'
                and p.state in ('pending', 'authorized', 'captured') then 'paid_twice' end,
            case when not case p.state
                    when 'pending' then coalesce(p.step in ('authorize', 'await'), false)
                    when 'authorized' then coalesce(p.step in ('capture', 'void', 'offer'), false)
                    when 'captured' then p.step is null or p.step = 'offer'
                    when 'failed' then p.step is null or p.step = 'check'
                    else p.step is null end
                then 'step_wrong' end,
            case when p.due_at < m.now - in_grace then 'step_stuck' end,
            case when p.tries >= 12 and p.step <> 'await'
                or p.state = 'pending' and p.window_ends_at < m.now - interval '1 day'
                then 'step_failing' end,
            case when p.late = 'refund' and p.state in ('captured', 'refunded')
                and p.refunding <> p.captured then 'late_money_kept' end,
            case when p.captured_currency is not null and p.late is distinct from 'refund'
                and (p.captured, p.captured_currency) <> (p.amount, p.currency)
                then 'captured_differs' end,
            case when p.failure = 'amount_mismatch' and p.state = 'captured'
                and p.captured_at < m.now - in_grace then 'mismatch_kept' end,
            case when p.refunding <> coalesce(r.amount, 0) or p.refunded <> coalesce(r.refunded, 0)
                then 'refunds_miscounted' end,
            case when case
                    when p.state in ('captured', 'refunded')
                        then (p.state = 'refunded') <> (p.refunded = p.captured)
                    else p.refunded > 0 end
                then 'refund_state_wrong' end,
            case when b.state = 'cancelled' and b.reason = 'payment_failed'
                and p.state in ('authorized', 'captured') and p.late is distinct from 'refund'
                and p.refunding = 0 then 'cancelled_but_paid' end
            ], null) as problems
        from bespeak.payment p
        cross join moment m
        left join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
        left join bespeak.booking b on b.resource_id = p.resource_id and b.booking_id = p.hold_id
        left join twice t on t.resource_id = p.resource_id and t.hold_id = p.hold_id
        left join returned r on r.resource_id = p.resource_id and r.payment_id = p.payment_id
    )
    select unnest(j.problems), (j.payment).resource_id, (j.payment).payment_id, null::uuid,
        j.booking_id, jsonb_strip_nulls(jsonb_build_object(
            'hold_id', bespeak.id_text('hold', (j.payment).hold_id), 'state', (j.payment).state,
            'step', (j.payment).step, 'due_at', (j.payment).due_at, 'tries', (j.payment).tries,
            'amount', (j.payment).amount, 'currency', (j.payment).currency,
            'captured', (j.payment).captured,
            'captured_currency', (j.payment).captured_currency,
            'refunding', (j.payment).refunding, 'refunded', (j.payment).refunded,
            'late', (j.payment).late, 'failure', (j.payment).failure))
    from judged j where cardinality(j.problems) > 0
$$;

-- Bookings that nothing was paid for, though it should have been.
create or replace function bespeak.unpaid_bookings()
returns table (problem text, resource_id bigint, payment_id uuid, refund_id uuid, booking_id uuid,
    details jsonb)
language sql stable as $$
    with paid as (
        -- What was paid for, or tried to be: a hold may have had several payments.
        select p.resource_id, p.hold_id, bool_or(p.state in ('authorized', 'captured', 'refunded')
            and p.late is distinct from 'refund') as is_paid
        from bespeak.payment p
        group by p.resource_id, p.hold_id
    ), unpaid as (
        select b.resource_id, b.booking_id, b.amount, b.currency, b.confirmed_at,
            p.hold_id is not null as was_tried
        from bespeak.booking b
        left join paid p on p.resource_id = b.resource_id and p.hold_id = b.booking_id
        where b.state = 'confirmed' and b.amount > 0 and p.is_paid is not true
    ), owing as (
        -- A resource may have come to want payment since: then nothing was tried, and it has changed.
        select u.resource_id, u.booking_id, min(l.resource_id) as by_resource
        from unpaid u
        join bespeak.hold h on h.resource_id = u.resource_id and h.hold_id = u.booking_id,
            unnest(h.resources) as l(resource_id)
        join bespeak.resource x on x.resource_id = l.resource_id
        where x.payment = 'required' and (u.was_tried or x.updated_at <= u.confirmed_at)
        group by u.resource_id, u.booking_id
    )
    select 'booking_unpaid', u.resource_id, null::uuid, null::uuid, u.booking_id, jsonb_build_object(
        'amount', u.amount, 'currency', u.currency, 'confirmed_at', u.confirmed_at)
    from unpaid u join owing o on o.resource_id = u.resource_id and o.booking_id = u.booking_id
$$;

-- Refunds that disagree with their payments, or are late.
create or replace function bespeak.refund_problems(in_grace interval)
returns table (problem text, resource_id bigint, payment_id uuid, refund_id uuid, booking_id uuid,
    details jsonb)
language sql stable as $$
    with moment as materialized (
        select bespeak.now() as now
    )
    select unnest(j.problems), (j.refund).resource_id, (j.refund).payment_id, (j.refund).refund_id,
        null::uuid, jsonb_strip_nulls(jsonb_build_object(
            'hold_id', bespeak.id_text('hold', (j.refund).hold_id), 'state', (j.refund).state,
            'amount', (j.refund).amount, 'currency', (j.refund).currency,
            'cause', (j.refund).cause, 'due_at', (j.refund).due_at, 'tries', (j.refund).tries,
            'failure', (j.refund).failure))
    from (
        select f as refund, array_remove(array[
            case when p.payment_id is null then 'refund_without_payment' end,
            case when f.currency <> coalesce(p.captured_currency, p.currency)
                then 'refund_differs' end,
            case when f.state = 'pending' and p.state in ('failed', 'voided')
                then 'refund_of_nothing' end,
            case when f.due_at < m.now - in_grace then 'refund_stuck' end,
            case when f.state = 'failed' and p.state in ('captured', 'refunded')
                and f.failure is distinct from 'amount_mismatch' then 'refund_failed' end
            ], null) as problems
        from bespeak.refund f
        cross join moment m
        left join bespeak.payment p
            on p.resource_id = f.resource_id and p.payment_id = f.payment_id
    ) j where cardinality(j.problems) > 0
$$;
