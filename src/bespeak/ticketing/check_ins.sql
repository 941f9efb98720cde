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
