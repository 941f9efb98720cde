-- Writing what is freed into the feed.

-- Writes the events of a change that frees lines, one for each hold and resource.
create or replace function bespeak.tell_freed(
    v_kind text, v_now timestamptz, holders uuid[], homes bigint[], actors text[],
    freed_holders uuid[], freed_resources bigint[], freed_units text[], freed_quantities integer[])
returns void
language sql
set enable_hashjoin = on  -- it joins arrays with arrays, long ones when sweeping
as $$
    with freed as (
        select f.hold_id, f.resource_id, array_agg(f.unit) as units,
            array_agg(f.quantity) as quantities
        from unnest(freed_holders, freed_resources, freed_units, freed_quantities)
            as f(hold_id, resource_id, unit, quantity)
        where f.unit not like 'owner:%'
        group by f.hold_id, f.resource_id
    ), present as materialized (
        select bespeak.horizon() as horizon  -- once, not for each event
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at, actor)
    select coalesce(f.resource_id, h.home), p.horizon, v_kind, h.hold_id,
        coalesce(f.units, '{}'), coalesce(f.quantities, '{}'), v_now, h.actor
    from unnest(holders, homes, actors) with ordinality as h(hold_id, home, actor, n)
    cross join present p
    left join freed f on f.hold_id = h.hold_id
    order by h.n
$$;
