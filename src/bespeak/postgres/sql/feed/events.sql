-- The feed: every change, each once, causes before effects, none missing.

-- An event may be read once every transaction up to its horizon has ended. The horizon is the
-- event's own transaction or the latest that had completed when it was written, whichever is later.
-- The own transaction makes the feed gap-free; the latest completed makes it causal: whoever
-- waited for a row lock writes its event after the transaction that held the lock completed, so
-- it sorts behind it even where its own transaction number is smaller.
create or replace function bespeak.horizon() returns xid8
language sql volatile as $$
    select case when own.id > latest.id then own.id else latest.id end
    from (select pg_current_xact_id() as id) own,
        (select (pg_snapshot_xmax(pg_current_snapshot())::text::numeric - 1)::text::xid8 as id) latest
$$;

-- Events after a cursor (horizon, position), of one resource or of all, oldest first. Only events
-- are returned whose horizon, and so everything that sorts before them, has ended: a slow
-- transaction delays the feed for the moment that it takes, and never loses an event.
create or replace function bespeak.events_after(
    in_horizon xid8, in_position bigint, in_resource bigint, in_limit integer)
returns setof bespeak.event
language plpgsql stable
set enable_seqscan = off
as $$
begin
    if in_resource is null then
        return query
        select e.* from bespeak.event e
        where (e.horizon, e.position) > (in_horizon, in_position)
            and e.horizon < pg_snapshot_xmin(pg_current_snapshot())
        order by e.horizon, e.position limit in_limit;
    else
        return query
        select e.* from bespeak.event e
        where e.resource_id = in_resource
            and (e.horizon, e.position) > (in_horizon, in_position)
            and e.horizon < pg_snapshot_xmin(pg_current_snapshot())
        order by e.horizon, e.position limit in_limit;
    end if;
end
$$;

-- Writes the events of a change that frees lines, one for each hold and resource.
create or replace function bespeak.tell_freed(
    v_kind text, v_now timestamptz, holders uuid[], homes bigint[], freed_holders uuid[],
    freed_resources bigint[], freed_units text[], freed_quantities integer[]) returns void
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
    )
    insert into bespeak.event (resource_id, horizon, kind, hold_id, units, quantities, at)
    select coalesce(f.resource_id, h.home), bespeak.horizon(), v_kind, h.hold_id,
        coalesce(f.units, '{}'), coalesce(f.quantities, '{}'), v_now
    from unnest(holders, homes) with ordinality as h(hold_id, home, n)
    left join freed f on f.hold_id = h.hold_id
    order by h.n
$$;
