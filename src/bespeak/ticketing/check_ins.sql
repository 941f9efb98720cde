-- name: check_in
-- Checks tickets of one home in, each once.
select ordinal, outcome, answered_at, check_in
from bespeak.check_in_tickets($1, $2::bespeak.check_in_request[])

-- name: of_booking
-- Which tickets of a booking were used, when and where.
select c.ticket, c.checked_in_at, c.gate from bespeak.check_in c
where c.resource_id = $1 and c.booking_id = $2

-- name: of_resource
-- A page of the check-ins to a resource, the latest first.
select c.* from bespeak.check_in c
where c.admitted_to = $1 and c.position < $2
order by c.position desc limit $3

-- name: count
-- How many were checked in to a resource.
select count(*) from bespeak.check_in c where c.admitted_to = $1

-- name: entrances
-- Resources whose tickets may be scanned: these ($1), or those whose name has a text ($2), or what
-- began less than a day ago, begins within two days, or has no time of its own; of a workspace or of all.
select r.resource_id, r.name, r.starts_at, r.time_zone, (
    select count(*) from bespeak.check_in c where c.admitted_to = r.resource_id
) as checked_in
from bespeak.resource r
where case
    when $1::bigint[] is not null then r.resource_id = any($1)
    when $2::text is not null then strpos(lower(r.name), lower($2)) > 0
    else coalesce(r.starts_at, 'infinity') > bespeak.now() - interval '1 day'
        and (r.starts_at is null or r.starts_at < bespeak.now() + interval '2 days')
end and ($4::text is null or r.workspace = $4)
order by coalesce(r.starts_at, 'infinity'), r.resource_id limit $3
