-- Orders that reach the bank of the sandbox.

-- Authorizes a batch of orders, each payment once. A row for each order, without a standing where
-- the order was lost at the bank; is_new says that this call made it.
create or replace function bespeak.sandbox_authorize(orders bespeak.sandbox_order[])
returns table (ordinal integer, answered_at timestamptz, is_new boolean,
    standing bespeak.sandbox_standing)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now constant timestamptz := bespeak.now();
begin
    with made as (
        insert into bespeak.sandbox_payment as p (payment_id, reference, owner, token, outcome, state,
            failure, amount, currency, description, return_url, due_at, created_at, ordered)
        select o.payment_id, o.reference, o.owner, o.token, o.outcome, o.state, o.failure, o.amount,
            o.currency, o.description, o.return_url,
            v_now + make_interval(secs => o.decide_seconds), v_now, o.ordered
        from unnest(orders) as o
        order by o.payment_id
        on conflict (payment_id) do update set state = 'authorized' where p.state = 'unheard'
        returning p.payment_id
    )
    insert into bespeak.sandbox_callback (callback_id, payment_id, kind, amount, currency, copies,
        due_at, created_at)
    select bespeak.sandbox_callback_id(), m.payment_id, o.tells, o.tell_amount, o.tell_currency,
        o.tell_copies, v_now + make_interval(secs => o.tell_seconds), v_now
    from made m
    join unnest(orders) as o on o.payment_id = m.payment_id
    where o.tells is not null;

    return query
    select o.ordinality::integer, v_now,
        coalesce(s.written_in = pg_current_xact_id()::xid, false), s
    from unnest(orders) with ordinality as o
    left join bespeak.sandbox_standing s on s.payment_id = o.payment_id;
end
$$;

-- A new id for a callback.
create or replace function bespeak.sandbox_callback_id() returns text
language sql volatile as $$
    select 'evt_' || replace(gen_random_uuid()::text, '-', '')
$$;
