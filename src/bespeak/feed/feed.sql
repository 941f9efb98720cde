-- name: events_after
-- A page of the feed after a cursor, of one resource or of all, and the present epoch. At least one row
-- comes back, so that there is an epoch also where there is no event. Of another workspace than the one
-- that is asked for, only the place is of use.
select e.*, coalesce((select max(f.epoch) from bespeak.feed_epoch f), 0) as epoch,
    ($4::text is not null and not exists (select from bespeak.resource w
        where w.resource_id = e.resource_id and w.workspace = $4)) as is_hidden
from (values (true)) as one(row)
left join bespeak.events_after($1, $2, $3) e on true
order by e.position

-- name: number
-- Gives positions to what is settled; null where another is at it.
select bespeak.number_events()

-- name: open_epoch
-- Opens the feed's present life, unless it is open.
select (bespeak.present_epoch()).epoch

-- name: horizon
-- Where the feed is complete at this instant, and in which life: a follower that wants only news
-- begins here.
select bespeak.settled_horizon() as horizon,
    coalesce((select max(f.epoch) from bespeak.feed_epoch f), 0) as epoch

-- name: waits
-- For how many seconds the oldest event has waited for its position; null where none does.
select bespeak.feed_waits()

-- name: freed_between
-- What was freed in the window from one horizon up to the present one, for the known-taken memory; and
-- which resources have changed, whose units are null.
-- At least one row comes back, so that the next window begins here also when nothing was freed;
-- else each look would read all that happened since the last time that something was.
select e.resource_id, e.kind, e.units, present.horizon
from (select bespeak.settled_horizon() as horizon) present
left join bespeak.event e
    on e.horizon >= $1 and e.horizon < present.horizon and e.kind = any($2::text[])

-- name: poke
-- Wakes the followers of every process, outside of any hot transaction: a commit with a NOTIFY
-- holds a lock on the whole database.
select pg_notify('bespeak_feed', '')

-- name: quiet
-- A poke need not reach the disk before it returns.
set synchronous_commit = off
