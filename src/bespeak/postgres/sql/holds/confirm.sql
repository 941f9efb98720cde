-- Confirming holds. Every verb that changes holds locks the hold row first and then follows the
-- global order: claims, pools, draws.

-- Confirms holds: their claims never expire from then on, and each becomes a booking under the
-- same UUID. Outcomes: confirmed, replayed, key_reused, not_found, not_owner, hold_confirmed,
-- hold_released, hold_expired, payment_required.
create or replace function bespeak.confirm_holds(home bigint, requests bespeak.change_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    booking bespeak.booking, details jsonb)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
    v_now timestamptz;
    outcomes text[] := array_fill('not_found'::text, array[cardinality(requests)]);
    holds bespeak.hold[] := array_fill(null::bespeak.hold, array[cardinality(requests)]);
    good uuid[] := '{}';
    good_homes bigint[] := '{}';
    unpaid uuid[];
    short uuid[];
    v_horizon xid8;
    r record;
    a record;
    i integer;
begin
    for r in
        select q.ordinality as n, q.owner as asked_owner, q.idempotency_key, q.fingerprint, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h
    loop
        v_now := bespeak.now();
        holds[r.n] := r.hold;
        outcomes[r.n] := bespeak.hold_problem(v_now, r.asked_owner, r.hold);
        if r.idempotency_key is not null and outcomes[r.n] is distinct from 'not_owner' then
            select * into a from bespeak.recall('confirm', (r.hold).resource_id, (r.hold).owner,
                r.idempotency_key, r.fingerprint);
            if found then
                outcomes[r.n] := case when a.same then 'replayed' else 'key_reused' end;
            end if;
        end if;
        if outcomes[r.n] is null then
            good := good || (r.hold).hold_id;
            good_homes := good_homes || (r.hold).resource_id;
        end if;
    end loop;
    v_now := bespeak.now();

    -- A hold that costs and is of a resource that wants payment becomes a booking only when the money
    -- for it is there: its payment was authorized before, or is being so in this transaction.
    select array_agg(h.hold_id) into unpaid
    from unnest(good_homes, good) as g(home, hold_id)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id
    where h.amount > 0 and exists (
        select from bespeak.resource r
        where r.resource_id = any(h.resources) and r.payment = 'required')
        and not exists (
            select from bespeak.payment p
            where p.resource_id = h.resource_id and p.hold_id = h.hold_id
                and p.state in ('authorized', 'captured') and p.late is distinct from 'refund');
    if unpaid is not null then
        for i in 1 .. cardinality(requests) loop
            if (holds[i]).hold_id = any(unpaid) and outcomes[i] is null then
                outcomes[i] := 'payment_required';
            end if;
        end loop;
        select array_agg(g.home), array_agg(g.hold_id) into good_homes, good
        from unnest(good_homes, good) as g(home, hold_id) where g.hold_id <> all(unpaid);
    end if;

    if cardinality(good) > 0 then
        select bespeak.retime_lines(array_agg(h.hold_id),
            array_agg('infinity'::timestamptz), array_agg(l.resource_id), array_agg(l.unit),
            array_agg(l.quantity))
        into short
        from unnest(good_homes, good) as g(home, hold_id)
        join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
            unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity);
        if cardinality(short) > 0 then
            -- Lost at the instant of expiry: what is left lapses again as it would have.
            perform bespeak.retime_lines(array_agg(h.hold_id), array_agg(h.expires_at),
                array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
            from unnest(good_homes, good) as g(home, hold_id)
            join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
                unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
            where h.hold_id = any(short);
            for i in 1 .. cardinality(requests) loop
                if (holds[i]).hold_id = any(short) then
                    outcomes[i] := 'hold_expired';
                end if;
            end loop;
        end if;
    end if;

    v_horizon := bespeak.horizon();
    with done as (
        update bespeak.hold h set state = 'confirmed', ended_at = v_now
        from unnest(good_homes, good) as g(home, hold_id)
        where h.resource_id = g.home and h.hold_id = g.hold_id
            and h.hold_id <> all(coalesce(short, '{}'))
        returning h.*
    ), booked as (
        -- The price is the hold's: what was promised is what is booked, whatever it costs by now.
        insert into bespeak.booking (resource_id, booking_id, owner, state, amount, currency,
            confirmed_at)
        select d.resource_id, d.hold_id, d.owner, 'confirmed', d.amount, d.currency, v_now
        from done d
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select l.resource_id, v_horizon, 'confirmed', d.hold_id, array_agg(l.unit),
        array_agg(l.quantity), v_now
    from done d,
        unnest(trim_array(d.resources, d.limit_lines), trim_array(d.units, d.limit_lines),
            trim_array(d.quantities, d.limit_lines)) as l(resource_id, unit, quantity)
    group by d.hold_id, l.resource_id;

    if exists (select from unnest(requests) as q where q.contact is not null) then
        update bespeak.booking b set contact = q.contact
        from unnest(requests) with ordinality as q
        where q.contact is not null and outcomes[q.ordinality] is null
            and b.resource_id = q.home and b.booking_id = q.hold_id;
    end if;

    perform bespeak.remember('confirm', v_now, array_agg((holds[q.ordinality]).resource_id),
        array_agg((holds[q.ordinality]).owner), array_agg(q.idempotency_key),
        array_agg(q.fingerprint), array_agg(q.hold_id))
    from unnest(requests) with ordinality as q
    where outcomes[q.ordinality] is null and q.idempotency_key is not null
    having count(*) > 0;

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'confirmed'), v_now,
        holds[q.ordinality],
        case when outcomes[q.ordinality] is null or outcomes[q.ordinality] = 'replayed' then
            (select b from bespeak.booking b
             where b.resource_id = q.home and b.booking_id = q.hold_id) end,
        null::jsonb
    from unnest(requests) with ordinality as q;
end
$$;

-- Why a change of a hold cannot be made now; null when it can.
create or replace function bespeak.hold_problem(v_now timestamptz, asked_owner text, h bespeak.hold) returns text
language sql immutable as $$
    select case
        when asked_owner <> h.owner then 'not_owner'
        when h.state = 'confirmed' then 'hold_confirmed'
        when h.state = 'released' then 'hold_released'
        when h.state = 'expired' or h.expires_at <= v_now then 'hold_expired'
    end
$$;
