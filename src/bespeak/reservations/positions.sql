-- name: hold
-- The owner of a hold and the resources of its lines.
select h.owner, h.resources from bespeak.hold h where h.resource_id = $1 and h.hold_id = $2

-- name: positions
-- The place in line in each resource of which the hold has a number.
select r.resource_id, p.number, p.ahead, p.serving
from unnest($1::bigint[]) as r(resource_id), bespeak.ticket_position(r.resource_id, $2) p
order by r.resource_id

-- name: set_serving
-- Says which number is being served.
select bespeak.set_serving($1, $2)
