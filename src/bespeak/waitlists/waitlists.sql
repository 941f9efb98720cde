-- name: create
-- A new list.
insert into bespeak.waitlist (waitlist_id, workspace, state, policy, window_size, passes_max,
    decide_seconds, owner_entries_max, entries_max, party_max, freed_goes_to, exchange, created_at,
    updated_at)
values ($1, $2, 'open', $3, $4, $5, $6, $7, $8, $9, $10, $11, bespeak.now(), bespeak.now())

-- name: add_resources
-- Its resources, of those that are of no other list; fewer rows than were named mean that one is.
insert into bespeak.waitlist_resource (resource_id, waitlist_id)
select r, $1 from unnest($2::bigint[]) as r
on conflict do nothing
returning resource_id

-- name: lock
-- A list, locked against joining, matching and other changes of it.
select * from bespeak.waitlist where waitlist_id = $1 for update

-- name: update
-- Changes its settings, and has it looked at.
update bespeak.waitlist
set state = $2, policy = $3, window_size = $4, passes_max = $5, decide_seconds = $6,
    owner_entries_max = $7, entries_max = $8, party_max = $9, freed_goes_to = $10,
    exchange = $11, version = version + 1, wakes = wakes + 1, updated_at = bespeak.now()
where waitlist_id = $1 and state <> 'ended'
returning version

-- name: end
-- Ends a list.
select bespeak.end_waitlist($1, $2)

-- name: get
-- A list with how many wait and are offered something; its resources in the order of their time, those
-- without one last.
select w.*,
    array(select r.resource_id from bespeak.waitlist_resource r
        join bespeak.resource o on o.resource_id = r.resource_id
        where r.waitlist_id = w.waitlist_id order by o.starts_at, r.resource_id) as resources,
    c.waiting, c.offered
from bespeak.waitlist w
cross join lateral (select count(*) filter (where e.state = 'waiting') as waiting,
        count(*) filter (where e.state = 'offered') as offered
    from bespeak.waitlist_entry e
    where e.waitlist_id = w.waitlist_id and e.state in ('waiting', 'offered')) c
where w.waitlist_id = $1 and ($2::text is null or w.workspace = $2)

-- name: list
-- The newest lists of a workspace, or of all.
select w.*,
    array(select r.resource_id from bespeak.waitlist_resource r
        join bespeak.resource o on o.resource_id = r.resource_id
        where r.waitlist_id = w.waitlist_id order by o.starts_at, r.resource_id) as resources,
    c.waiting, c.offered
from (select * from bespeak.waitlist w where ($1::text is null or w.workspace = $1)
    order by w.created_at desc, w.waitlist_id limit $2) w
cross join lateral (select count(*) filter (where e.state = 'waiting') as waiting,
        count(*) filter (where e.state = 'offered') as offered
    from bespeak.waitlist_entry e
    where e.waitlist_id = w.waitlist_id and e.state in ('waiting', 'offered')) c
order by w.created_at desc, w.waitlist_id

-- name: of_resource
-- The list that a resource is of.
select r.waitlist_id from bespeak.waitlist_resource r where r.resource_id = $1
