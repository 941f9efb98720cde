-- name: house
-- A property of a workspace: by its clocks, which day is it?
select (bespeak.now() at time zone p.time_zone)::date as today from stays.property p
where p.workspace = $1 and p.property_id = $2

-- name: rows
-- The listings of a property with their plans, a page by name.
select s.resource_id, s.name, s.translations, r.plan, r.currency
from stays.listing s join bespeak.resource r on r.resource_id = s.resource_id
where s.property_id = $1 and r.plan ->> 'type' = 'nights'
    and ($2::text is null or (s.name, s.resource_id) > ($2, $3::bigint))
order by s.name, s.resource_id limit $4

-- name: taken
-- How many rooms of each listing are taken or blocked in each night.
select t.resource_id, t.night, bespeak.is_block(t.hold_id) as blocked, sum(t.rooms)::integer as rooms
from stays.taken($1, $2, $3) t
group by 1, 2, 3

-- name: stays
-- What has rooms of the listings in these nights: the lines of holds and bookings, so many at most; of one
-- whose guest changes rooms a row for each room.
select l.resource_id, l.hold_id, l.place, r.room, l.rooms, r.first, r.last, l.expires_at, l.confirmed_at,
    l.contact
from stays.lines_of($1, $2, array(
    select distinct t.hold_id from stays.taken($1, $3, $4) t where not bespeak.is_block(t.hold_id) limit $5
)) l
join bespeak.hold h on h.resource_id = bespeak.home_of(l.hold_id) and h.hold_id = l.hold_id
cross join lateral (
    select s.room, s.first, lead(s.first, 1, l.last) over (order by s.first) as last
    from (
        select l.room, l.first
        union all
        select e.unit, e."from"
        from jsonb_to_recordset(h.shown -> 'lines' -> (l.place - 1) -> 'later') as e(unit text, "from" date)
    ) s(room, first)
) r
where r.first < $4::text::date and r.last > $3::text::date
order by l.resource_id, r.first, l.hold_id, l.place limit $5

-- name: blocks
-- What is blocked of the listings in these nights: whole blocks, so many at most.
select b.resource_id, b.block_id, b.reason, b.units, b.quantities
from (select distinct t.resource_id, t.hold_id from stays.taken($1, $2, $3) t
    where bespeak.is_block(t.hold_id) limit $4) t
join bespeak.block b on b.resource_id = t.resource_id and b.block_id = t.hold_id
order by b.resource_id, b.block_id

-- name: on_a_day
-- Who arrives, stays or departs on the day $3, of the bookings with a room in the night before it or its
-- own: a page of them by their listing and their number, with what they are paid by.
with there as (
    select distinct t.resource_id, t.hold_id from stays.taken($1, $4, $5) t
    where not bespeak.is_block(t.hold_id)
        and ($6::bigint is null or (t.resource_id, t.hold_id) > ($6, $7::uuid))
    order by 1, 2 limit $8
)
select t.resource_id, t.hold_id, l.place, coalesce(later.unit, l.room) as room, l.rooms, l.first, l.last,
    l.currency, l.confirmed_at,
    greatest(0, l.total - l.given_back) as worth, coalesce(l.contact, p.contact) as contact,
    p.state as payment
from there t
left join lateral (select * from stays.lines_of($1, $2, array[t.hold_id]) l
    where l.resource_id = t.resource_id and l.confirmed_at is not null
        and l.first <= $3::date and l.last >= $3::date) l on true
-- Where some nights were moved, the room of the day.
left join lateral (
    select e.unit from bespeak.hold h, jsonb_to_recordset(
        h.shown -> 'lines' -> (l.place - 1) -> 'later') as e(unit text, "from" date)
    where h.resource_id = bespeak.home_of(t.hold_id) and h.hold_id = t.hold_id and e."from" <= $3::date
    order by e."from" desc limit 1
) later on true
left join lateral (
    select q.state, q.contact from bespeak.payment q
    where q.resource_id = bespeak.home_of(t.hold_id) and q.hold_id = t.hold_id
    order by q.state = 'failed', q.created_at desc, q.payment_id desc limit 1
) p on true
order by t.resource_id, t.hold_id, l.place

-- name: contacts
-- Who is written to about bookings that say nothing of it themselves: the contact of the payment.
select k.hold_id, p.contact
from unnest($1::uuid[]) as k(hold_id)
cross join lateral (select q.contact from bespeak.payment q
    where q.resource_id = bespeak.home_of(k.hold_id) and q.hold_id = k.hold_id
    order by q.state = 'failed', q.created_at desc, q.payment_id desc limit 1) p
where p.contact is not null

-- name: sold
-- What was booked of each night, by currency: rooms and money. The price of a line is shared evenly among
-- its nights to the minor unit; what is left over is the first night's.
with line as (
    select l.* from stays.lines_of($1, $2, array(
        select distinct t.hold_id from stays.taken($1, $3, $4) t where not bespeak.is_block(t.hold_id)
    )) l
    where l.confirmed_at is not null and l.first < $4::text::date and l.last > $3::text::date
)
select to_char(n.night, 'YYYY-MM-DD') as night, l.currency, sum(l.rooms)::bigint as rooms,
    sum(l.amount / (l.last - l.first)
        + case when n.night::date = l.first then l.amount % (l.last - l.first) else 0 end)::bigint as revenue
from line l
cross join lateral generate_series(
    greatest(l.first, $3::text::date)::timestamp, least(l.last, $4::text::date) - interval '1 day',
    interval '1 day') as n(night)
group by 1, 2

-- name: blocked
-- How many rooms are blocked in each night, by currency.
select t.night, r.currency, sum(t.rooms)::bigint as rooms
from stays.taken($1, $2, $3) t join bespeak.resource r on r.resource_id = t.resource_id
where bespeak.is_block(t.hold_id)
group by 1, 2
