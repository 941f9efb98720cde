-- name: holds
-- A hold with those that late money connects it to: what it was paid for before, and what it pays for
-- now. Its own row comes first; nothing comes back for a hold that does not exist.
with recursive earlier as (
    select $2::uuid as hold_id
    union
    select e.hold_id from earlier o
    cross join lateral (
        (select e.hold_id from bespeak.event e
        where e.kind = 'payment_late' and e.data->>'hold_id' = bespeak.id_text('hold', o.hold_id)
        limit 100)  -- which also has it looked up by its index, one by one
        union all
        (select k.hold_id from bespeak.kept_event k
        where k.kind = 'payment_late' and k.data->>'hold_id' = bespeak.id_text('hold', o.hold_id)
        limit 100)
    ) e
), connected as (
    select hold_id from earlier
    union
    select e.hold_id from connected o
    cross join lateral (
        (select bespeak.id_uuid(e.data->>'hold_id') as hold_id from bespeak.event e
        where e.hold_id = o.hold_id and e.kind = 'payment_late' and e.data->>'hold_id' is not null
        limit 100)
        union all
        (select bespeak.id_uuid(k.data->>'hold_id') from bespeak.kept_event k
        where k.hold_id = o.hold_id and k.kind = 'payment_late' and k.data->>'hold_id' is not null
        limit 100)
    ) e
    where o.hold_id = $2 or o.hold_id not in (select hold_id from earlier)
)
select h.hold_id, h.owner, h.state, h.created_at, h.ended_at, b.booking_id is not null as is_booked,
    h.placed_by, h.ended_by,
    trim_array(h.resources, h.limit_lines) as resources,
    trim_array(h.units, h.limit_lines) as units,
    trim_array(h.quantities, h.limit_lines) as quantities
from connected c
join bespeak.hold h on h.resource_id = $1 and h.hold_id = c.hold_id
left join bespeak.booking b on b.resource_id = h.resource_id and b.booking_id = h.hold_id
order by h.hold_id <> $2, h.hold_id

-- name: events
-- What the feed tells of holds, but for what their own rows say: what is in it still, and what was kept
-- of it. An event is in one of the two, since it is moved in one statement.
select t.resource_id, t.horizon, t.position, t.kind, t.hold_id, t.units, t.quantities, t.at,
    t.data::text, t.actor
from (
    select e.resource_id, e.horizon, e.position, e.kind, e.hold_id, e.units, e.quantities, e.at, e.data,
        e.actor
    from bespeak.event e
    where e.hold_id = any($1::uuid[])
        and e.kind not in ('created', 'changed', 'held', 'extended', 'released', 'expired', 'blocked',
            'unblocked')
    union all
    select k.resource_id, k.horizon, k.position, k.kind, k.hold_id, k.units, k.quantities, k.at, k.data,
        k.actor
    from bespeak.kept_event k where k.hold_id = any($1::uuid[])
) t
order by t.at, t.horizon, t.position
limit $2
