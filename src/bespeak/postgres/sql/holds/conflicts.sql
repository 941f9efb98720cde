-- What stands in the way of a request that was refused.

-- Why a refused request was refused: the units that are taken and the pools that are short. It
-- answers a table of one row, because such a function is planned into the statement that uses it.
create or replace function bespeak.conflicts(
    v_now timestamptz, own uuid, in_resources bigint[], in_units text[], in_quantities integer[],
    in_capacities integer[]) returns table (details jsonb)
language sql stable as $$
    select jsonb_agg(jsonb_build_object(
        'resource_id', l.resource_id, 'unit', l.unit,
        'state', case
            when l.quantity is not null then 'short'
            when c.expires_at < 'infinity' then 'held'
            when bespeak.is_block(c.hold_id) then 'blocked'
            else 'booked' end,
        'until', case when c.expires_at < 'infinity' then extract(epoch from c.expires_at) end,
        'owner', h.owner,
        'capacity', l.capacity,
        'available', case when l.quantity is not null then l.capacity - coalesce(p.taken, 0) end))
    from unnest(in_resources, in_units, in_quantities, in_capacities)
        as l(resource_id, unit, quantity, capacity)
    left join bespeak.claim c on l.quantity is null
        and c.resource_id = l.resource_id and c.unit = l.unit
        and c.expires_at > v_now and c.hold_id <> own
    left join bespeak.hold h on h.resource_id = bespeak.home_of(c.hold_id) and h.hold_id = c.hold_id
    left join lateral (
        -- Without the draws that have lapsed, which the next taker gets.
        select k.taken - case when k.lapses_at <= v_now then coalesce((
            select sum(d.quantity) from bespeak.draw d
            where d.resource_id = k.resource_id and d.unit = k.unit
                and d.expires_at <= v_now), 0) else 0 end as taken
        from bespeak.pool k
        where l.quantity is not null and k.resource_id = l.resource_id and k.unit = l.unit
    ) p on true
    where c.hold_id is not null
        or (l.quantity is not null and coalesce(p.taken, 0) + l.quantity > l.capacity)
$$;
