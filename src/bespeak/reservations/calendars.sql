-- name: booked
-- The bookings that have claims or draws of a resource, wherever their home is, the newest $3 in
-- the order in which they were placed. Of nights and times only those from the date $2 on: the name
-- of a claim ends in its date.
with holder as (
    select c.hold_id from bespeak.claim c
    where c.resource_id = $1 and c.expires_at = 'infinity' and not bespeak.is_block(c.hold_id)
        and ($2::text is null or split_part(c.unit, '@', -1) >= $2)
    union
    select d.hold_id from bespeak.draw d
    where d.resource_id = $1 and d.expires_at = 'infinity' and not bespeak.is_block(d.hold_id)
        and d.unit not like 'owner:%' and ($2::text is null or split_part(d.unit, '@', -1) >= $2)
), latest as (
    select hold_id from holder order by hold_id desc limit $3
)
select h as hold, b as booking
from latest l
join bespeak.booking b on b.resource_id = bespeak.home_of(l.hold_id) and b.booking_id = l.hold_id
join bespeak.hold h on h.resource_id = b.resource_id and h.hold_id = b.booking_id
order by l.hold_id
