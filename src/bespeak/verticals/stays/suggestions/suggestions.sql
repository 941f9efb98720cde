-- name: rule
-- Within which bounds prices of a listing are suggested.
select k.least, k.most, k.step, k.multiple, k.days_ahead, k.applied,
    bespeak.version_of(to_jsonb(k) - array['applied_on', 'begun_at']) as version
from stays.price_rule k where k.resource_id = $1

-- name: set_rule
-- Says within which bounds, and how prices are applied. What was applied today by the rule stays so. No row
-- where they are of another version than was seen ($8).
insert into stays.price_rule as k (resource_id, least, most, step, multiple, days_ahead, applied)
select $1::bigint, $2::bigint, $3::bigint, $4::integer, $5::bigint, $6::integer, $7::text
where bespeak.is_seen($8, (select to_jsonb(b) - array['applied_on', 'begun_at'] from stays.price_rule b
    where b.resource_id = $1 for update))
on conflict (resource_id) do update set least = excluded.least, most = excluded.most, step = excluded.step,
    multiple = excluded.multiple, days_ahead = excluded.days_ahead, applied = excluded.applied
where bespeak.is_seen($8, to_jsonb(k) - array['applied_on', 'begun_at'])
returning bespeak.version_of(to_jsonb(k) - array['applied_on', 'begun_at'])

-- name: version
-- The version of what is said of a listing's prices.
select bespeak.version_of(to_jsonb(k) - array['applied_on', 'begun_at']) from stays.price_rule k
where k.resource_id = $1

-- name: stop_rule
-- From now on prices are applied by hand.
update stays.price_rule set applied = 'by_hand' where resource_id = $1 and applied = 'by_rule'
returning resource_id

-- name: listing
-- A listing with its resource and the clocks of its property: what day it is, and how much of it has gone.
select s.resource_id, s.property_id, s.guests, r.plan, r.price_amount, r.currency, r.version, r.state,
    (bespeak.now() at time zone p.time_zone)::date as today,
    extract(epoch from (bespeak.now() at time zone p.time_zone)::time)::float8 / 86400 as day_share,
    (r.created_at at time zone p.time_zone)::date as since, p.time_zone
from stays.listing s
join stays.property p on p.property_id = s.property_id
join bespeak.resource r on r.resource_id = s.resource_id
where s.workspace = $1 and s.resource_id = $2 and r.plan ->> 'type' = 'nights'

-- name: lock_resource
-- Keeps a listing's resource as it is until the transaction ends, as every change of it does first.
select r.version from bespeak.resource r where r.resource_id = $1 for no key update

-- name: listings_of
-- The listings of a property, by number; one row without a number where it has none.
select s.resource_id from stays.property p
left join stays.listing s on s.property_id = p.property_id
where p.workspace = $1 and p.property_id = $2
order by s.resource_id

-- name: alike
-- Other listings of the property for as many guests, in the same currency: so many at most, by number.
select s.resource_id from stays.listing s
join bespeak.resource r on r.resource_id = s.resource_id
where s.property_id = $1 and s.guests = $2 and r.currency = $3 and s.resource_id <> $4
    and r.plan ->> 'type' = 'nights'
order by s.resource_id limit $5

-- name: changes
-- What was booked and cancelled of the nights of listings, by night and lead: how many rooms more or less,
-- and the same times what a room and night of it cost. Bookings since $5 are looked for where they are at
-- home, in the primary key; of those at home elsewhere only what still has rooms is found.
with asked as (
    select n.number, n.name from unnest($1::bigint[], $2::text[]) as n(number, name)
), booked as (
    select b.resource_id, b.booking_id from bespeak.booking b
    where b.resource_id = any($1) and b.confirmed_at >= $5::date
    union
    select bespeak.home_of(t.hold_id), t.hold_id
    from stays.taken($1, $3, $4) t
    where not bespeak.is_block(t.hold_id) and bespeak.home_of(t.hold_id) <> all($1)
), line as (
    select a.number, (l.said ->> 'from')::date as first, (l.said ->> 'to')::date as last,
        coalesce((l.said ->> 'quantity')::integer, 1) as rooms,
        coalesce(b.cancelled_shown[l.place], 0) as gone,
        coalesce(h.amounts[l.place], 0)::float8 as amount,
        (b.confirmed_at at time zone $6)::date as booked_on,
        (b.cancelled_at at time zone $6)::date as cancelled_on
    from booked k
    join bespeak.booking b on b.resource_id = k.resource_id and b.booking_id = k.booking_id
    join bespeak.hold h on h.resource_id = k.resource_id and h.hold_id = k.booking_id
    cross join lateral (select e.said -> 'line' as said, e.place
        from jsonb_array_elements(h.shown -> 'lines') with ordinality as e(said, place)) l
    join asked a on a.name = l.said ->> 'resource_id'
    where l.said ->> 'from' < $4 and l.said ->> 'to' > $3
), change as (
    select l.*, l.booked_on as changed_on, l.rooms as more from line l
    union all
    select l.*, l.cancelled_on, - l.gone from line l where l.gone > 0 and l.cancelled_on is not null
)
select c.number, n.night::date as night, n.night::date - c.changed_on as lead, sum(c.more)::integer as rooms,
    sum(c.more * c.amount / (c.rooms * (c.last - c.first)))::float8 as worth
from change c
cross join lateral generate_series(greatest(c.first, $3::text::date)::timestamp,
    least(c.last, $4::text::date) - interval '1 day', interval '1 day') as n(night)
group by 1, 2, 3

-- name: taken
-- How many rooms of listings are taken in each night, by bookings or by holds, or blocked.
select t.resource_id, t.night, bespeak.is_block(t.hold_id) as blocked, sum(t.rooms)::integer as rooms
from stays.taken($1, $2, $3) t
group by 1, 2, 3

-- name: begin
-- Says that somebody begins to apply a rule that is due: the oldest day first. Of two workers each takes
-- another; what was begun and not ended, as by one that died, is due again after ten minutes.
update stays.price_rule k set begun_at = bespeak.now()
where k.resource_id = (
    select o.resource_id from stays.price_rule o
    join stays.listing s on s.resource_id = o.resource_id
    join stays.property p on p.property_id = s.property_id
    where o.applied = 'by_rule' and o.applied_on < (bespeak.now() at time zone p.time_zone)::date
        and o.begun_at < bespeak.now() - interval '10 minutes'
    order by o.applied_on, o.begun_at, o.resource_id limit 1 for update of o skip locked
)
returning k.resource_id, (select s.workspace from stays.listing s where s.resource_id = k.resource_id)

-- name: end
-- Says that the rule was applied on a day, in the transaction that did it; no row where it was already, or
-- where prices are applied by hand now.
update stays.price_rule set applied_on = $2
where resource_id = $1 and applied = 'by_rule' and applied_on < $2
returning resource_id
