-- name: versions
-- The present versions of resources.
select resource_id, version from bespeak.resource where resource_id = any($1::bigint[])
