-- name: stayed_at
-- The properties of listings, which day it is there, and one of these listings.
select p.property_id, (bespeak.now() at time zone p.time_zone)::date as today, min(s.resource_id) as listing
from stays.listing s join stays.property p on p.property_id = s.property_id
where s.workspace = $1 and s.resource_id = any($2::bigint[])
group by p.property_id

-- name: lock_property
-- Takes a property, so that its guests rate one after the other, and its figures fit.
select p.property_id from stays.property p where p.workspace = $1 and p.property_id = $2 for update

-- name: of_booking
-- The rating of a booking.
select r.* from stays.rating r where r.workspace = $1 and r.booking_id = $2

-- name: give
-- A rating, or, within 30 days of the first, another one; no row where that is over. What was hidden of it
-- stays hidden.
insert into stays.rating (booking_id, workspace, property_id, owner, rating, comment)
values ($1, $2, $3, $4, $5, $6)
on conflict (booking_id) do update set rating = excluded.rating, comment = excluded.comment
where stays.rating.rated_at > bespeak.now() - interval '30 days'
returning *

-- name: count
-- Adds a rating to the figures of its property, or its change.
update stays.property set guest_ratings = guest_ratings + $2, guest_points = guest_points + $3
where property_id = $1

-- name: of_property
-- What guests wrote of a property, the latest first, a page; for guests ($3 false) what is not hidden.
select r.* from stays.rating r
where r.workspace = $1 and r.property_id = $2 and r.comment <> '' and (not r.hidden or $3::boolean)
    and ($4::timestamptz is null or (r.rated_at, r.booking_id) < ($4, $5::uuid))
order by r.rated_at desc, r.booking_id desc limit $6

-- name: hide
-- Hides the comment of a rating, or shows it again; no row where there is none.
update stays.rating set hidden = $3 where workspace = $1 and booking_id = $2 returning *

-- name: of_owner
-- What an owner said, for the export of personal data.
select r.booking_id, r.rating, r.comment, r.rated_at, r.hidden from stays.rating r
where r.owner = $1 order by r.rated_at, r.booking_id

-- name: erase
-- Takes the words of an owner away, and the name; the figure stays, of nobody.
update stays.rating set owner = $2, comment = '' where owner = $1
