-- The invariant checker: it recounts everything from the holds and bookings themselves and lists
-- what does not agree. Tests, `bespeak doctor`, the rush and the API's audit share it.

-- Every violation, of one resource or (null) of all. An empty answer is the proof.
create or replace function bespeak.audit(in_resource bigint default null)
returns table (problem text, resource_id bigint, unit text, hold_id uuid, detail text)
language sql stable as $$
    with live as materialized (
        -- What holds and bookings say they have, from their own lines.
        select h.hold_id, l.resource_id, l.unit, l.quantity,
            coalesce(l.quantity, 1) - coalesce(l.gone, 0) as has, h.state
        from bespeak.hold h
        left join bespeak.booking b on b.resource_id = h.resource_id and b.booking_id = h.hold_id,
            unnest(h.resources, h.units, h.quantities, b.cancelled)
                as l(resource_id, unit, quantity, gone)
        where (in_resource is null or in_resource = any(h.resources))
            and ((h.state = 'held' and h.expires_at > bespeak.now()) or b.state = 'confirmed')
        union all
        select k.block_id, k.resource_id, l.unit, l.quantity, coalesce(l.quantity, 1), 'blocked'
        from bespeak.block k, unnest(k.units, k.quantities) as l(unit, quantity)
        where k.lifted_at is null and (in_resource is null or in_resource = k.resource_id)
    ), mine as (
        select * from live
        where has > 0 and (in_resource is null or resource_id = in_resource)
    )
    select 'double_sold', m.resource_id, m.unit, null::uuid, count(*) || ' holders'
    from mine m where m.quantity is null
    group by m.resource_id, m.unit having count(*) > 1
    union all
    select 'claim_missing', m.resource_id, m.unit, m.hold_id, m.state
    from mine m
    left join bespeak.claim c
        on c.resource_id = m.resource_id and c.unit = m.unit and c.hold_id = m.hold_id
    where m.quantity is null and c.hold_id is null
    union all
    select 'claim_orphaned', c.resource_id, c.unit, c.hold_id, c.expires_at::text
    from bespeak.claim c
    left join mine m
        on m.resource_id = c.resource_id and m.unit = c.unit and m.hold_id = c.hold_id
    where (in_resource is null or c.resource_id = in_resource)
        and c.expires_at > bespeak.now() and m.hold_id is null
    union all
    select 'draw_differs', coalesce(m.resource_id, d.resource_id), coalesce(m.unit, d.unit),
        coalesce(m.hold_id, d.hold_id), coalesce(m.has, 0) || ' by its hold, '
        || coalesce(d.quantity, 0) || ' drawn'
    from (select * from mine where quantity is not null) m
    full join (
        select * from bespeak.draw where expires_at > bespeak.now()
            and (in_resource is null or draw.resource_id = in_resource)
    ) d on d.resource_id = m.resource_id and d.unit = m.unit and d.hold_id = m.hold_id
    where m.has is distinct from d.quantity
    union all
    select 'pool_miscounted', p.resource_id, p.unit, null,
        p.taken || ' taken, ' || coalesce(sum(d.quantity), 0) || ' drawn'
    from bespeak.pool p
    left join bespeak.draw d on d.resource_id = p.resource_id and d.unit = p.unit
    where in_resource is null or p.resource_id = in_resource
    group by p.resource_id, p.unit, p.taken
    having p.taken <> coalesce(sum(d.quantity), 0)
    union all
    select 'counter_behind', c.resource_id, c.unit, c.hold_id,
        'numbers were given out up to ' || coalesce(n.last::text, 'none')
    from bespeak.resource r
    join bespeak.claim c on c.resource_id = r.resource_id and c.expires_at > bespeak.now()
    -- Only these were given a number: a block, or a line that names one, does not ask the counter.
    join bespeak.hold h on h.resource_id = bespeak.home_of(c.hold_id) and h.hold_id = c.hold_id
        and h.shown is not null
    left join bespeak.counter n on n.resource_id = r.resource_id
    where (in_resource is null or r.resource_id = in_resource)
        and r.plan->>'type' = 'tickets' and r.plan->>'refill' = 'never'
        and bespeak.number_in(c.unit, coalesce(r.plan->>'prefix', ''))
            > coalesce(n.last, coalesce((r.plan->>'first')::integer, 1) - 1)
    union all
    select o.problem, o.resource_id, o.unit, o.hold_id, o.detail
    from bespeak.outside_plan(in_resource) o
    union all
    select 'booking_missing', h.resource_id, null, h.hold_id, h.state
    from bespeak.hold h
    left join bespeak.booking b on b.resource_id = h.resource_id and b.booking_id = h.hold_id
    where (in_resource is null or h.resource_id = in_resource)
        and (h.state = 'confirmed') <> (b.booking_id is not null)
$$;

-- What is taken of rooms (plans of seats and pools) and is not in their plan: a seat or a pool that it
-- does not have, or more of a pool than there are. An operator may lower a pool below what is sold; then
-- only what was placed by the new plan is wrong.
create or replace function bespeak.outside_plan(in_resource bigint)
returns table (problem text, resource_id bigint, unit text, hold_id uuid, detail text)
language sql stable as $$
    with taken as materialized (
        select c.resource_id, c.unit, c.hold_id, null::integer as quantity
        from bespeak.claim c
        where c.expires_at > bespeak.now() and (in_resource is null or c.resource_id = in_resource)
        union all
        select d.resource_id, d.unit, d.hold_id, d.quantity
        from bespeak.draw d
        where d.expires_at > bespeak.now() and (in_resource is null or d.resource_id = in_resource)
            and d.unit !~ '^(owner|code):'
    ), room as materialized (
        select r.resource_id, u.unit, u.capacity, r.plan_changed
        from bespeak.resource r, bespeak.plan_units(r.plan) u
        where r.plan->>'type' = 'seats' and r.resource_id in (select t.resource_id from taken t)
    )
    select 'not_in_plan', t.resource_id, t.unit, t.hold_id,
        case when t.quantity is null then 'no such seat' else 'no such pool' end
    from taken t
    join bespeak.resource r on r.resource_id = t.resource_id and r.plan->>'type' = 'seats'
    left join room u on u.resource_id = t.resource_id and u.unit = t.unit
        and (u.capacity is null) = (t.quantity is null)
    where u.unit is null
    union all
    select 'over_capacity', t.resource_id, t.unit, null,
        sum(t.quantity) || ' drawn of ' || u.capacity
    from taken t
    join room u on u.resource_id = t.resource_id and u.unit = t.unit
    left join bespeak.hold h on h.resource_id = bespeak.home_of(t.hold_id) and h.hold_id = t.hold_id
    where t.quantity is not null
    group by t.resource_id, t.unit, u.capacity, u.plan_changed
    having sum(t.quantity) > u.capacity and max(h.plans_seen) >= u.plan_changed
$$;
