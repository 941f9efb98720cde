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
    holds constant bespeak.hold[] := bespeak.lock_holds(requests);
    v_now constant timestamptz := bespeak.now();  -- when all of them are locked
    outcomes text[] := bespeak.change_problems('extend', v_now, requests, holds);
    expiries timestamptz[];
    wanted timestamptz;
begin
    for i in 1 .. cardinality(requests) loop
        continue when outcomes[i] is not null;
        wanted := v_now + make_interval(secs => requests[i].seconds);
        if wanted > holds[i].extends_until then
            outcomes[i] := 'beyond_cap';
        else
            expiries[i] := greatest(wanted, holds[i].expires_at);
        end if;
    end loop;
    outcomes := bespeak.retime_holds(holds, expiries, outcomes);

    with done as (
        update bespeak.hold h set expires_at = expiries[q.ordinality]
        from unnest(requests) with ordinality as q
        where outcomes[q.ordinality] is null
            and h.resource_id = q.home and h.hold_id = q.hold_id
        returning h.*, q.actor
    ), present as materialized (
        select bespeak.horizon() as horizon  -- once, not for each event
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
    select l.resource_id, p.horizon, 'extended', d.hold_id, array_agg(l.unit),
        array_agg(l.quantity), v_now, d.actor
    from present p, done d,
        unnest(trim_array(d.resources, d.limit_lines), trim_array(d.units, d.limit_lines),
            trim_array(d.quantities, d.limit_lines)) as l(resource_id, unit, quantity)
    group by d.hold_id, l.resource_id, p.horizon, d.actor;
    perform bespeak.remember_changes('extend', v_now, requests, holds, outcomes);

    return query
    select q.ordinality::integer, coalesce(outcomes[q.ordinality], 'held'), v_now,
        (select h from bespeak.hold h where h.resource_id = q.home and h.hold_id = q.hold_id),
        null::jsonb
    from unnest(requests) with ordinality as q;
end
$$;
