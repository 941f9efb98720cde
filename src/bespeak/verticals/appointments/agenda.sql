-- name: bookings
-- The holds and bookings that have a time of these providers, so many at most, with their lines, who they
-- are for and what they are paid by.
select h.resource_id, h.hold_id, h.resources, h.units, h.quantities, h.limit_lines, h.shown, h.amounts,
    h.currency, h.expires_at, b.confirmed_at, b.cancelled, b.cancelled_shown,
    coalesce(b.contact, p.contact) as contact, coalesce(b.amount, h.amount) as amount, p.state as payment,
    g.hold_id is not null as is_gift,
    exists (select from bespeak.check_in i where i.resource_id = h.resource_id
        and i.booking_id = h.hold_id and i.admitted_to = $1) as arrived
from (select distinct t.hold_id from appointments.taken($1, $2, $3, $4) t
    where not bespeak.is_block(t.hold_id) limit $5) t
join bespeak.hold h on h.resource_id = bespeak.home_of(t.hold_id) and h.hold_id = t.hold_id
left join bespeak.booking b on b.resource_id = h.resource_id and b.booking_id = h.hold_id
left join bespeak.free_sale g on g.resource_id = h.resource_id and g.hold_id = h.hold_id
left join lateral (
    select q.state, q.contact from bespeak.payment q
    where q.resource_id = h.resource_id and q.hold_id = h.hold_id
    order by q.state = 'failed', q.created_at desc, q.payment_id desc limit 1
) p on true

-- name: blocks
-- What is blocked of these providers: cell by cell, so many at most.
select b.block_id, b.reason, t.unit, t.quantity
from appointments.taken($1, $2, $3, $4) t
join bespeak.block b on b.resource_id = $1 and b.block_id = t.hold_id
where bespeak.is_block(t.hold_id)
order by b.block_id, t.unit limit $5
