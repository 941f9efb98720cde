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
