-- name: events_after
-- A page of the feed after a cursor, of one resource or of all.
select * from bespeak.events_after($1::text::xid8, $2, $3, $4)

-- name: horizon
-- Where the feed is complete at this instant: a follower that wants only news begins here.
select pg_snapshot_xmin(pg_current_snapshot())::text

-- name: freed_between
-- What was freed in the window from one horizon up to the present one, for the known-taken memory.
-- At least one row comes back, so that the next window begins here also when nothing was freed;
-- else each look would read all that happened since the last time that something was.
select e.resource_id, e.units, present.horizon::text as horizon
from (select pg_snapshot_xmin(pg_current_snapshot()) as horizon) present
left join bespeak.event e
    on e.horizon >= $1::text::xid8 and e.horizon < present.horizon and e.kind = any($2::text[])

-- name: poke
-- Wakes the followers of every process, outside of any hot transaction: a commit with a NOTIFY
-- holds a lock on the whole database.
select pg_notify('bespeak_feed', '')

-- name: quiet
-- A poke need not reach the disk before it returns.
set synchronous_commit = off
