-- What the bank of the sandbox decides: asked to, or by itself when its time has come.

-- Decides payments that are pending or wait for the buyer: approved, or failed for this reason; those
-- that are decided stay so. `tells`: with a callback, because no reply will say it.
create or replace function bespeak.sandbox_decide(payments uuid[], in_failure text, tells boolean)
returns void
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    perform bespeak.sandbox_lock(payments);
    with decided as (
        update bespeak.sandbox_payment p
        set state = case when in_failure is null then 'authorized' else 'failed' end,
            failure = in_failure, due_at = null
        where p.payment_id = any(payments) and p.state in ('pending', 'challenge')
        returning p.payment_id, p.state, p.amount, p.currency
    )
    insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, due_at,
        created_at)
    select bespeak.sandbox_callback_id(), d.payment_id, 'payment.' || d.state, d.amount, d.currency,
        v_now, v_now
    from decided d where tells;
end
$$;

-- What the bank does by itself when its time has come: decides what is pending, pays out refunds, and
-- tells of both. At most so many of each; how many it was.
create or replace function bespeak.sandbox_do_due(in_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
    good uuid[];
    bad uuid[];
    paid integer;
begin
    with due as (
        select p.payment_id, p.outcome from bespeak.sandbox_payment p
        where p.due_at <= v_now order by p.due_at limit in_limit for update skip locked
    )
    select array_agg(d.payment_id) filter (where d.outcome <> 'pending_declined'),
        array_agg(d.payment_id) filter (where d.outcome = 'pending_declined')
    into good, bad from due d;
    if good is not null then
        perform bespeak.sandbox_decide(good, null, true);
    end if;
    if bad is not null then
        perform bespeak.sandbox_decide(bad, 'declined', true);
    end if;

    -- The payment's lock comes first, as when refunds are made.
    with due as (
        select p.payment_id from bespeak.sandbox_payment p
        where p.payment_id in (
            select r.payment_id from bespeak.sandbox_refund r where r.due_at <= v_now
            order by r.due_at limit in_limit)
        order by p.payment_id for update skip locked
    ), done as (
        update bespeak.sandbox_refund r set state = 'refunded', due_at = null
        from due d
        where r.payment_id = d.payment_id and r.due_at <= v_now
        returning r.payment_id, r.amount
    ), added as (
        update bespeak.sandbox_payment p set refunded = p.refunded + x.amount
        from (select d.payment_id, sum(d.amount) as amount from done d group by 1) x
        where p.payment_id = x.payment_id
    ), told as (
        insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, due_at,
            created_at)
        select bespeak.sandbox_callback_id(), d.payment_id, 'refund.refunded', d.amount, p.currency,
            v_now, v_now
        from done d
        join bespeak.sandbox_payment p on p.payment_id = d.payment_id
        returning 1
    )
    select count(*) into paid from told;
    return coalesce(cardinality(good), 0) + coalesce(cardinality(bad), 0) + paid;
end
$$;
