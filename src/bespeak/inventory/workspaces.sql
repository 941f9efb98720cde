-- name: create
-- A new workspace; no row where there is one of this name.
insert into bespeak.workspace (name) values ($1) on conflict do nothing returning name, created_at

-- name: list
-- All workspaces, the oldest first, each with how much is in it.
select w.name, w.created_at,
    (select count(*) from bespeak.resource r where r.workspace = w.name) as resources,
    (select count(*) from bespeak.api_key k
        where k.workspace = w.name and k.revoked_at is null) as keys
from bespeak.workspace w order by w.created_at, w.name limit 1000

-- name: exists
-- Whether there is a workspace of this name.
select exists (select from bespeak.workspace where name = $1)

-- name: are_several
-- Whether there is a second one.
select count(*) > 1 from (select from bespeak.workspace limit 2) w

-- name: of_resources
-- Which workspaces these resources are in; those that do not exist are left out.
select resource_id, workspace from bespeak.resource where resource_id = any($1::bigint[])
