-- Extending holds.

-- Extends holds to `seconds` from now, never beyond extends_until and never shorter than before.
-- Outcomes: held, replayed, key_reused, beyond_cap, and the problems of confirm_holds.
create or replace function bespeak.extend_holds(home bigint, requests bespeak.change_request[])
returns table (ordinal integer, outcome text, answered_at timestamptz, hold bespeak.hold,
    details jsonb)
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
    good_expiries timestamptz[] := '{}';
    wanted timestamptz;
    short uuid[];
    r record;
    a record;
    i integer;
begin
    for r in
        select q.ordinality as n, q.owner as asked_owner, q.idempotency_key, q.fingerprint,
            q.seconds, h as hold
        from unnest(requests) with ordinality as q
        join bespeak.hold h on h.resource_id = q.home and h.hold_id = q.hold_id
        order by h.resource_id, h.hold_id
        for update of h
    loop
        v_now := bespeak.now();
        holds[r.n] := r.hold;
        outcomes[r.n] := bespeak.hold_problem(v_now, r.asked_owner, r.hold);
        if r.idempotency_key is not null and outcomes[r.n] is distinct from 'not_owner' then
            select * into a from bespeak.recall('extend', (r.hold).resource_id, (r.hold).owner,
                r.idempotency_key, r.fingerprint);
            if found then
                outcomes[r.n] := case when a.same then 'replayed' else 'key_reused' end;
            end if;
        end if;
        wanted := v_now + make_interval(secs => r.seconds);
        if outcomes[r.n] is null and wanted > (r.hold).extends_until then
            outcomes[r.n] := 'beyond_cap';
        end if;
        if outcomes[r.n] is null then
            good := good || (r.hold).hold_id;
            good_homes := good_homes || (r.hold).resource_id;
            good_expiries := good_expiries || greatest(wanted, (r.hold).expires_at);
        end if;
    end loop;
    v_now := bespeak.now();

    select bespeak.retime_lines(array_agg(h.hold_id), array_agg(g.expires_at),
        array_agg(l.resource_id), array_agg(l.unit), array_agg(l.quantity))
    into short
    from unnest(good_homes, good, good_expiries) as g(home, hold_id, expires_at)
    join bespeak.hold h on h.resource_id = g.home and h.hold_id = g.hold_id,
        unnest(h.resources, h.units, h.quantities) as l(resource_id, unit, quantity)
    having count(*) > 0;
    if cardinality(short) > 0 then
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

    with done as (
        update bespeak.hold h set expires_at = g.expires_at
        from unnest(good_homes, good, good_expiries) as g(home, hold_id, expires_at)
        where h.resource_id = g.home and h.hold_id = g.hold_id
            and h.hold_id <> all(coalesce(short, '{}'))
        returning h.*
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select l.resource_id, bespeak.horizon(), 'extended', d.hold_id, array_agg(l.unit),
        array_agg(l.quantity), v_now
    from done d,
        unnest(trim_array(d.resources, d.limit_lines), trim_array(d.units, d.limit_lines),
            trim_array(d.quantities, d.limit_lines)) as l(resource_id, unit, quantity)
    group by d.hold_id, l.resource_id;

    perform bespeak.remember('extend', v_now, array_agg((holds[q.ordinality]).resource_id),
        array_agg((holds[q.ordinality]).owner), array_agg(q.idempotency_key),
        array_agg(q.fingerprint), array_agg(q.hold_id))
    from unnest(requests) with ordinality as q
    where outcomes[q.ordinality] is null and q.idempotency_key is not null
    having count(*) > 0;

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'held'), v_now,
        (select h from bespeak.hold h where h.resource_id = q.home and h.hold_id = q.hold_id),
        null::jsonb
    from unnest(requests) with ordinality as q;
end
$$;
