-- name: begin
-- Where the feed ends at this instant: as a cursor, and as the place of its last event.
select bespeak.cursor_text(coalesce(p.first + p.count - 1, 0)) as cursor,
    coalesce(p.until_horizon, 0) as horizon, coalesce(p.until_position, 0) as position
from (values (true)) as one(row)
left join lateral (
    select g.* from bespeak.feed_page g order by g.first desc limit 1
) p on true

-- name: blocks
-- A page of blocks, those that stand with what they had at a place of the feed: what they have, and what
-- was given back by events after it.
select k.resource_id as key_number, k.block_id as key_id, 'blocked' as kind, k.resource_id,
    k.block_id as hold_id, l.units, l.quantities, k.created_at as at, k.lifted_at is null as stands
from (
    select b.* from bespeak.block b
    where (b.resource_id, b.block_id) > ($1, $2::uuid)
        and ($6::text is null or exists (select from bespeak.resource w
            where w.resource_id = b.resource_id and w.workspace = $6))
    order by b.resource_id, b.block_id limit $3
) k
cross join lateral (
    select array_agg(t.unit order by t.unit) as units,
        array_agg(t.quantity order by t.unit) as quantities
    from (
        select o.unit, sum(o.quantity)::integer as quantity
        from (
            select u.unit, u.quantity from unnest(k.units, k.quantities) as u(unit, quantity)
            union all
            select u.unit, u.quantity
            from bespeak.event e, unnest(e.units, e.quantities) as u(unit, quantity)
            where e.resource_id = k.resource_id and e.hold_id = k.block_id
                and e.kind = 'unblocked' and e.horizon >= $4 and (e.horizon, e.position) > ($4, $5)
        ) o
        group by o.unit
    ) t
) l
order by k.resource_id, k.block_id

-- name: bookings
-- A page of bookings, those that stand with what they had at a place of the feed, as above; a row for
-- each resource.
select b.resource_id as key_number, b.booking_id as key_id, 'confirmed' as kind, l.resource_id,
    b.booking_id as hold_id, l.units, l.quantities, b.confirmed_at as at,
    b.state = 'confirmed' and l.resource_id is not null as stands
from (
    select o.* from bespeak.booking o
    where (o.resource_id, o.booking_id) > ($1, $2::uuid)
        and ($6::text is null or exists (select from bespeak.resource w
            where w.resource_id = o.resource_id and w.workspace = $6))
    order by o.resource_id, o.booking_id limit $3
) b
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
left join lateral (
    select t.resource_id, array_agg(t.unit order by t.unit) as units,
        array_agg(t.quantity order by t.unit) as quantities
    from (
        select o.resource_id, o.unit, sum(o.quantity)::integer as quantity
        from (
            select u.resource_id, u.unit, u.quantity - coalesce(b.cancelled[u.n], 0) as quantity
            from unnest(trim_array(h.resources, h.limit_lines), trim_array(h.units, h.limit_lines),
                trim_array(h.quantities, h.limit_lines)) with ordinality
                as u(resource_id, unit, quantity, n)
            where coalesce(u.quantity, 1) > coalesce(b.cancelled[u.n], 0)
            union all
            select e.resource_id, u.unit, u.quantity
            from bespeak.event e, unnest(e.units, e.quantities) as u(unit, quantity)
            where e.hold_id = b.booking_id and e.kind = 'cancelled' and e.horizon >= $4
                and (e.horizon, e.position) > ($4, $5)
        ) o
        group by o.resource_id, o.unit
    ) t
    group by t.resource_id
) l on true
order by b.resource_id, b.booking_id, l.resource_id

-- name: holds
-- A page of the holds that have not ended, those that end first before the others: an extension moves a
-- hold to where it was not read yet. A row for each resource.
select (extract(epoch from h.expires_at) * 1000000)::bigint as key_number, h.hold_id as key_id,
    'held' as kind, l.resource_id, h.hold_id, l.units, l.quantities, h.created_at as at, true as stands
from (
    select o.* from bespeak.hold o
    where o.state = 'held' and o.expires_at >= to_timestamp($1::bigint / 1000000.0)
        and (o.expires_at, o.hold_id) > (to_timestamp($1::bigint / 1000000.0), $2::uuid)
        and ($6::text is null or exists (select from bespeak.resource w
            where w.resource_id = o.resource_id and w.workspace = $6))
    order by o.expires_at, o.hold_id limit $3
) h
cross join lateral (
    select u.resource_id, array_agg(u.unit order by u.unit) as units,
        array_agg(u.quantity order by u.unit) as quantities
    from unnest(trim_array(h.resources, h.limit_lines), trim_array(h.units, h.limit_lines),
        trim_array(h.quantities, h.limit_lines)) as u(resource_id, unit, quantity)
    group by u.resource_id
) l
-- The place is that of the other statements, which need it.
where $4::bigint >= 0 and $5::bigint >= 0
order by h.expires_at, h.hold_id, l.resource_id
