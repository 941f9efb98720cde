-- name: announce
-- Reads on in the feed and writes down whom to tell; no row where another is at it.
select * from bespeak.announce_events($1, $2)

-- name: enabled
-- The endpoints that are sent to, with the secrets that sign now.
select endpoint_id, url, secret,
    case when old_secret_until > bespeak.now() then old_secret end as old_secret
from bespeak.webhook_endpoint where enabled and deleted_at is null

-- name: claim
-- Takes what is due, for each endpoint as much as there is room.
select endpoint_id, "position", kind, tries, created_at, leased_until, event, cursor, feed_position
from bespeak.claim_deliveries($1, $2, $3)

-- name: settle
-- Records what became of tries, and which endpoints are disabled because of it.
select * from bespeak.settle_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: give_back
-- Lets go of what was taken and not tried, for whoever is there next.
update bespeak.webhook_delivery d set due_at = bespeak.now(), leased = false
from unnest($1::text[], $2::bigint[], $3::timestamptz[]) as r(endpoint_id, position, lease)
where d.endpoint_id = r.endpoint_id and d.position = r.position and d.state = 'pending'
    and d.due_at = r.lease

-- name: tidy
-- Deletes a batch of old deliveries; how many it were.
select bespeak.tidy_deliveries($1, $2)

-- name: lock_endpoints
-- One creates at a time, so that the count holds.
select pg_advisory_xact_lock(7094970118)

-- name: count
-- How many endpoints a workspace has.
select count(*) from bespeak.webhook_endpoint where deleted_at is null and workspace = $1

-- name: create
-- A new endpoint.
insert into bespeak.webhook_endpoint (endpoint_id, url, kinds, resources, description, enabled,
    disabled_because, disabled_at, secret, created_at, updated_at, workspace)
select $1, $2, $3, $4, $5, $6::boolean, case when not $6 then 'operator' end,
    case when not $6 then t.now end, $7, t.now, t.now, $8
from (select bespeak.now() as now) t
returning *

-- name: get
-- One endpoint, of a workspace or of any.
select * from bespeak.webhook_endpoint
where endpoint_id = $1 and deleted_at is null and ($2::text is null or workspace = $2)

-- name: lock
-- One endpoint, to be changed.
select * from bespeak.webhook_endpoint
where endpoint_id = $1 and deleted_at is null and ($2::text is null or workspace = $2) for update

-- name: list
-- The endpoints of a workspace or all, newest first.
select * from bespeak.webhook_endpoint
where deleted_at is null and ($1::text is null or workspace = $1)
order by created_at desc, endpoint_id

-- name: change
-- Changes an endpoint. Enabled again, its failures are forgotten, and its first success makes due what
-- waits.
update bespeak.webhook_endpoint w
set url = $2, kinds = $3, resources = $4, description = $5, enabled = $6::boolean,
    disabled_because = case when not $6 then coalesce(w.disabled_because, 'operator') end,
    disabled_at = case when not $6 then coalesce(w.disabled_at, t.now) end,
    failing_since = case when not $6 then w.failing_since end,
    -- Whatever it waited for, it was away until now.
    outage_from = case when $6 and not w.enabled then w.disabled_at else w.outage_from end,
    outage_until = case when $6 and not w.enabled then t.now else w.outage_until end,
    updated_at = t.now
from (select bespeak.now() as now) t
where endpoint_id = $1 and deleted_at is null
returning w.*

-- name: rotate
-- A new secret; the old one signs beside it for so many seconds.
update bespeak.webhook_endpoint w
set old_secret = case when $3::integer > 0 then w.secret end,
    old_secret_until = case when $3 > 0 then t.now + make_interval(secs => $3) end,
    secret = $2, updated_at = t.now
from (select bespeak.now() as now) t
where endpoint_id = $1 and deleted_at is null and ($4::text is null or workspace = $4)
returning w.*

-- name: delete
-- Ends an endpoint; its deliveries are deleted by and by.
update bespeak.webhook_endpoint
set deleted_at = bespeak.now(), secret = '', old_secret = null, old_secret_until = null
where endpoint_id = $1 and deleted_at is null and ($2::text is null or workspace = $2)
returning *

-- name: deliveries
-- A page of the deliveries of an endpoint, newest event first, in a state or in any.
select * from bespeak.webhook_delivery
where endpoint_id = $1 and position < $2 and ($3::text is null or state = $3)
order by position desc limit $4

-- name: delivery_state
-- What became of one delivery.
select state from bespeak.webhook_delivery where endpoint_id = $1 and position = $2

-- name: send_again
-- Lets one delivery be made again; what had become of it.
with before as (
    select endpoint_id, position, state from bespeak.webhook_delivery
    where endpoint_id = $1 and position = $2 for update
)
update bespeak.webhook_delivery d
set state = 'pending', tries = 0, leased = false, due_at = bespeak.now(), planned_at = null,
    created_at = bespeak.now()
from before b
where d.endpoint_id = b.endpoint_id and d.position = b.position
returning b.state

-- name: replay
-- Lets an endpoint have what happened since a time; no row: that would be too much.
select waiting, failed, missed, delivered from bespeak.replay_deliveries($1, $2, $3, $4, $5)

-- name: test
-- A delivery of no event.
insert into bespeak.webhook_delivery (endpoint_id, position, resource_id, horizon, kind, due_at,
    created_at)
select $1, nextval('bespeak.event_position'), 0, 0, 'test', t.now, t.now
from (select bespeak.now() as now) t
returning *
