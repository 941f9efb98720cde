-- name: ends_so_far
-- How often the links of a booking were ended.
select coalesce(
    (select l.ends_so_far from bespeak.booking_link l
     where l.resource_id = $1 and l.booking_id = $2), 0)

-- name: end_links
-- Ends all links of a booking that there are.
insert into bespeak.booking_link as l (resource_id, booking_id, ends_so_far, ended_at)
values ($1, $2, 1, bespeak.now())
on conflict (resource_id, booking_id) do update
set ends_so_far = l.ends_so_far + 1, ended_at = excluded.ended_at
returning l.ended_at

-- name: is_hold_of_change
-- Whether a hold is, or was booked, in place of this booking; and whoever has an old link may still
-- get to what was booked of it: not once the links of that were ended.
select exists (select from bespeak.hold h
    where h.resource_id = $1 and h.hold_id = $2 and (h.exchange ->> 'instead_of')::uuid = $3
        and not exists (select from bespeak.booking_link l
            where l.resource_id = h.resource_id and l.booking_id = h.hold_id))

-- name: is_payment_of_change
-- Whether a payment is for such a hold.
select exists (select from bespeak.payment p
    join bespeak.hold h on h.resource_id = p.resource_id and h.hold_id = p.hold_id
    where p.resource_id = $1 and p.payment_id = $2 and (h.exchange ->> 'instead_of')::uuid = $3
        and not exists (select from bespeak.booking_link l
            where l.resource_id = h.resource_id and l.booking_id = h.hold_id))
